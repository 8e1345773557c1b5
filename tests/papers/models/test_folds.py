"""Opinions out of fold: who was trained on what, checked row by row against networkx."""

import warnings

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.graph.splits import sides
from paragraph.papers import out_of_fold

from ...reference import judge_by
from ...reference import numbered as table
from ...refused import refused


class Spy:
    """Learns nothing; remembers for each row it predicts which rows it was trained on."""

    name, trained_on, deterministic = "spy", "", True

    def __init__(self, seen):
        self.seen = seen

    def fit(self, train, dev=None):
        assert train["label"].notna().all()
        self.trained = set(train.index)
        return self

    def predict_proba(self, pairs):
        assert not self.seen.keys() & set(pairs.index)  # each row once
        self.seen |= dict.fromkeys(pairs.index, self.trained)
        return np.full(len(pairs), 0.5)


def spied(pairs, **options):
    """For each row, the rows its model was trained on; and what was warned of."""
    seen = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = out_of_fold(pairs, lambda seed: Spy(seen), **options)["model"]
    assert (found == 0.5).all() and set(seen) == set(pairs.index)  # rows without a label too
    return seen, " ".join(str(warning.message) for warning in caught)


def texts(pairs, rows):
    return {text for row in rows for text in pairs.loc[row, ["text_a", "text_b"]]}


def parts(pairs, stated):
    """From each sentence to all that these rows connect it with."""
    graph = nx.Graph()
    graph.add_nodes_from(texts(pairs, pairs.index))
    graph.add_edges_from(zip(stated["text_a"], stated["text_b"], strict=True))
    return {text: part for part in nx.connected_components(graph) for text in part}


sentence = st.integers(0, 14)
some_rows = st.lists(st.tuples(sentence, sentence, st.sampled_from([1, 1, 0, 0, None])), min_size=1, max_size=25)


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=25)
@given(some_rows, st.integers(2, 5), st.integers(0, 3))
def test_nothing_connected_was_seen_and_all_else_was(rows, folds, seed):
    label = {frozenset(row[:2]): row[2] for row in rows}  # one a pair: the clusters are what rows labelled 1 connect
    pairs = table([(i, j, label[frozenset((i, j))]) for i, j, _ in rows])
    seen, said = spied(pairs, folds=folds, seed=seed)
    cluster, component = parts(pairs, pairs[pairs["label"].eq(1).fillna(False)]), parts(pairs, pairs)
    found = sides(pairs, [1 / folds] * folds, "clusters", seed)
    fold_of = {row: {found.side[found.a[row]], found.side[found.b[row]]} for row in pairs.index}
    labelled = set(pairs.index[pairs["label"].notna()])
    for row, trained in seen.items():
        known = texts(pairs, trained)
        assert not known & set().union(*(cluster[text] for text in texts(pairs, [row])))
        assert "join two folds" in said or not known & component[pairs.loc[row, "text_a"]]
        assert trained == {other for other in labelled if not fold_of[other] & fold_of[row]}


def test_a_component_that_holds_everything_is_cut_and_a_cluster_stays_whole():
    """A ring of 20 triangles of paraphrases, neighbours joined by a negative."""
    ring = [(3 * i + j, 3 * i + k, 1) for i in range(20) for j, k in ((0, 1), (1, 2))]
    seen, said = spied(table(ring + [(3 * i + 2, 3 * ((i + 1) % 20), 0) for i in range(20)]), folds=5)
    assert "join two folds" in said
    assert 0 < int(said.split(" of 60 rows join")[0].split()[-1]) < 20 and min(map(len, seen.values())) > 15
    pairs = table([(0, i, 1) for i in range(1, 40)] + [(100 + 2 * i, 101 + 2 * i, i % 2) for i in range(10)])
    seen, said = spied(pairs, folds=3)
    assert "one cluster holds 39 of 49 rows" in said
    (trained,) = {frozenset(seen[row]) for row in range(39)}
    assert trained and trained <= set(range(39, 49))


@pytest.mark.filterwarnings("ignore")
def test_too_few_folds_or_rows_are_refused():
    for rows, folds, says in [
        ([(0, 1, 1)], 1, "two or more"),
        ([], 5, "no pairs"),
        ([(0, 1, 1), (2, 3, 1), (4, 5, 0)], 3, "rows to learn from.*more folds"),
        ([(0, 1, 1), (1, 2, 1), (0, 2, 1)], 3, "fold 1 of 3.*empty"),
    ]:
        refused(says, out_of_fold, table(rows), "tfidf", folds=folds)


def test_it_goes_where_a_model_does():
    pairs = table([(2 * i, 2 * i + 1, i % 2) for i in range(20)] + [(40, 41, 0)])
    pairs.index = pairs.index[::-1]  # rows are told apart by position
    judge = judge_by(out_of_fold(pairs, "tfidf", folds=2))
    listed = pg.suspects(pg.ParaphraseGraph.from_pairs(pairs), judge=judge)
    assert len(listed) == len(pairs) and listed["judge"].notna().all()
