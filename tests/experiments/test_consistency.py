"""Triads of a model's own labels, counted one by one."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.experiments import compare_consistency, consistency
from paragraph.experiments.self_consistency import SHARES

from .. import reference
from ..refused import refused
from .models import SameLetter, Seeded

KINDS = ("+++", "++-", "+--", "---")


def by_hand(model, groups):
    """The four counts of each group of sentences."""
    rows = []
    for texts in groups:
        asked = pd.DataFrame(list(combinations(texts, 2)), columns=["text_a", "text_b"])
        pairs = map(frozenset, asked.itertuples(index=False))
        sign = dict(zip(pairs, model.predict_proba(asked) >= 0.5, strict=True))
        counts = [0, 0, 0, 0]
        for triad in combinations(texts, 3):
            counts[sum(not sign[frozenset(pair)] for pair in combinations(triad, 2))] += 1
        rows.append(counts)
    return rows


# Clusters a0–a3 and b0–b1, joined by a negative; c0–c2 alone; d0–d1 alone, too small.
ROWS = [
    ("a0", "a1", 1), ("a1", "a2", 1), ("a2", "a3", 1), ("b0", "b1", 1), ("a0", "b0", 0),
    ("c0", "c1", 1), ("c1", "c2", 1), ("d0", "d1", 1),
]  # fmt: skip
GROUPS = [["a0", "a1", "a2", "a3", "b0", "b1"], ["c0", "c1", "c2"], ["b0", "b1", "a0", "a1", "a2", "a3"]]
GRAPH = reference.graph_of(*ROWS)

MODELS = [
    SameLetter(),
    SameLetter([("a0", "a2")]),
    SameLetter([("a0", "b0"), ("c0", "c2")]),
    SameLetter(combinations(["a0", "a1", "a2", "a3"], 2)),
]


@pytest.mark.parametrize("model", MODELS)
def test_triads_by_hand(model):
    found = consistency(model, GRAPH)
    assert found.table[list(KINDS)].to_numpy().tolist() == by_hand(model, GROUPS)
    assert found.table["sentences"].tolist() == [6, 3, 6] and found.table["pairs"].tolist() == [15, 3, 15]
    totals = found.table[list(KINDS)].sum()
    for row in found.shares().to_dict("records"):
        part, whole = SHARES[row["what"]]
        assert (row["triads"], row["of"]) == (totals[list(part)].sum(), totals[list(whole)].sum())
        assert row["low"] <= row["share"] <= row["high"] or row["of"] == 0
        if model is MODELS[0] and row["what"] == "weakly unbalanced":  # a transitive model has none
            assert row["triads"] == row["low"] == row["high"] == 0


def test_samples_are_bounded_and_stated(demo):
    graph = pg.ParaphraseGraph.from_pairs(demo[1])
    model = Seeded().fit(demo[0])
    options = {"clusters": 10, "neighbours": 2, "max_sentences": 4}
    found = consistency(model, graph, **options, seed=3)
    assert len(found.table) == 10 and found.table["sentences"].max() <= 12
    assert "10 clusters drawn uniformly, with at most 2 neighbours each and 4 sentences" in found.note
    pd.testing.assert_frame_equal(found.table, consistency(model, graph, **options, seed=3).table)
    assert not found.table["cluster"].equals(consistency(model, graph, **options, seed=4).table["cluster"])
    assert "<b>" not in found._repr_html_()


def test_two_models_cluster_by_cluster_and_what_is_refused(demo):
    left, right = consistency(MODELS[0], GRAPH), consistency(MODELS[2], GRAPH)
    table = compare_consistency(left, right).set_index("what")
    shares = [side.shares().set_index("what")["share"] for side in (left, right)]
    assert np.allclose(table["difference"], shares[1] - shares[0])
    assert (table["low"] <= table["difference"]).all() and (table["difference"] <= table["high"]).all()
    same = compare_consistency(left, left)
    assert (same[["difference", "low", "high"]] == 0).all(axis=None)
    graph = pg.ParaphraseGraph.from_pairs(demo[1])
    refused("sampled different clusters", compare_consistency, left, consistency(SameLetter(), graph))
    small = reference.graph_of("a+b c-d")
    refused("no cluster of this graph has three sentences", consistency, SameLetter(), small)
    refused("neighbours from 0", consistency, SameLetter(), GRAPH, neighbours=-1)
