"""Out-of-fold predictions: who was trained on what, checked row by row against networkx."""

import warnings

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.learn import out_of_fold, pair_opinions
from paragraph.measure.splits import sides

from .tiny import tiny_bert


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
        for row in pairs.index:
            assert row not in self.seen  # each row once
            self.seen[row] = self.trained
        return np.full(len(pairs), 0.5)


def table(rows):
    frame = pd.DataFrame([(f"s{i}", f"s{j}", label) for i, j, label in rows], columns=["text_a", "text_b", "label"])
    return frame.astype({"text_a": "str", "text_b": "str", "label": "Int8"})


def spied(pairs, **options):
    """For each row, the rows its model was trained on; and what was warned of."""
    seen = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = out_of_fold(pairs, lambda seed: Spy(seen), progress=False, **options)
    assert (found == 0.5).all()
    return seen, " ".join(str(warning.message) for warning in caught)


def texts(pairs, rows):
    return {text for row in rows for text in pairs.loc[row, ["text_a", "text_b"]]}


def parts(pairs, labels):
    """From each sentence to all that rows with these labels connect it with."""
    graph = nx.Graph()
    graph.add_nodes_from(texts(pairs, pairs.index))
    stated = pairs[pairs["label"].isin(labels)] if labels else pairs
    graph.add_edges_from(zip(stated["text_a"], stated["text_b"], strict=True))
    return {text: part for part in nx.connected_components(graph) for text in part}


sentence = st.integers(0, 14)
some_rows = st.lists(st.tuples(sentence, sentence, st.sampled_from([1, 1, 0, 0, None])), min_size=1, max_size=25)


def agreeing(rows):
    """One label a pair, so that the clusters are simply what the rows labelled 1 connect."""
    label = {frozenset(row[:2]): row[2] for row in rows}
    return [(i, j, label[frozenset((i, j))]) for i, j, _ in rows]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some_rows, st.integers(2, 5), st.integers(0, 3))
def test_nothing_connected_was_seen(rows, folds, seed):
    pairs = table(agreeing(rows))
    seen, said = spied(pairs, folds=folds, seed=seed)
    assert set(seen) == set(pairs.index)  # rows without a label too
    cluster, component = parts(pairs, [1]), parts(pairs, [])
    for row, trained in seen.items():
        ends = texts(pairs, [row])
        known = texts(pairs, trained)
        assert not known & set().union(*(cluster[text] for text in ends))
        if "cut" not in said:
            assert not known & component[pairs.loc[row, "text_a"]]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some_rows, st.integers(0, 3))
def test_every_labelled_row_that_touches_neither_fold_trains(rows, seed):
    pairs = table(agreeing(rows))
    seen, _ = spied(pairs, folds=3, seed=seed)
    found = sides(pairs, [1 / 3] * 3, "clusters", seed)
    folds = {row: {found.side[found.a[row]], found.side[found.b[row]]} for row in pairs.index}
    labelled = set(pairs.index[pairs["label"].notna()])
    for row, trained in seen.items():
        assert trained == {other for other in labelled if not folds[other] & folds[row]}


def test_folds_are_balanced():
    rng = np.random.default_rng(0)
    rows = [(3 * i, 3 * i + k, int(rng.random() < 0.4)) for i in range(400) for k in (1, 2)]
    pairs = table(rows)
    seen, said = spied(pairs, folds=5)
    assert not said
    models = {id(trained): trained for trained in seen.values()}
    assert len(models) == 5
    for trained in models.values():
        mine = pairs.loc[[row for row in seen if seen[row] is trained]]
        assert len(mine) == pytest.approx(160, abs=2)
        assert mine["label"].mean() == pytest.approx(pairs["label"].mean(), abs=0.01)
        assert trained == set(pairs.index) - set(mine.index)


def test_one_component_that_holds_everything_is_cut():
    """A ring of 30 triangles of paraphrases, neighbours joined by a negative."""
    rows = []
    for i in range(30):
        a, b, c = 3 * i, 3 * i + 1, 3 * i + 2
        rows += [(a, b, 1), (b, c, 1), (c, 3 * ((i + 1) % 30), 0)]
    pairs = table(rows)
    seen, said = spied(pairs, folds=5)
    assert "cut between its clusters" in said
    crossing = int(said.split(" of 90 rows join")[0].split()[-1])
    assert 0 < crossing < 20
    cluster = parts(pairs, [1])
    for row, trained in seen.items():
        ends = set().union(*(cluster[text] for text in texts(pairs, [row])))
        assert not texts(pairs, trained) & ends
        assert len(trained) > 25


def test_one_cluster_that_holds_nearly_everything_stays_whole():
    pairs = table([(0, i, 1) for i in range(1, 40)] + [(100 + 2 * i, 101 + 2 * i, i % 2) for i in range(10)])
    seen, said = spied(pairs, folds=3)
    assert "one cluster holds 39 of 49 rows" in said
    (trained,) = {frozenset(seen[row]) for row in range(39)}
    assert trained and trained <= set(range(39, 49))


def test_seed_and_folds_decide():
    rows = [(2 * i, 2 * i + 1, i % 2) for i in range(60)]

    def of(**options):
        return {row: frozenset(trained) for row, trained in spied(table(rows), **options)[0].items()}

    assert of(seed=0) == of(seed=0) != of(seed=1)


@pytest.mark.parametrize(
    "rows, options, says",
    [
        ([(0, 1, 1)], {"folds": 1}, "two or more"),
        ([], {}, "no pairs"),
        ([(0, 1, 1), (2, 3, 1), (4, 5, 0)], {"folds": 3}, "rows to learn from.*more folds"),
        ([(0, 1, 1), (1, 2, 1), (0, 2, 1)], {"folds": 3}, "fold 1 of 3.*empty"),
    ],
)
def test_refused(rows, options, says):
    with warnings.catch_warnings(), pytest.raises(pg.PairsError, match=says):
        warnings.simplefilter("ignore")
        out_of_fold(table(rows), "tfidf", progress=False, **options)


@pytest.mark.parametrize("answer", [np.nan, np.inf, 1.5, -0.1])
def test_a_model_that_answers_no_probability_is_named_with_the_row(answer):
    class Wrong(Spy):
        def predict_proba(self, pairs):
            return np.where(pairs["text_a"] == "s6", answer, 0.5)

    pairs = table([(2 * i, 2 * i + 1, i % 2) for i in range(10)])
    with pytest.raises(pg.PairsError, match=f"row 4: the model answers {answer}, which is no probability"):
        out_of_fold(pairs, lambda seed: Wrong({}), progress=False)


def test_opinions(tmp_path, monkeypatch):
    monkeypatch.setenv("PARAGRAPH_CACHE", str(tmp_path / "cache"))
    tiny = tiny_bert(tmp_path / "bert")
    pairs = table([(2 * i, 2 * i + 1, (i % 2) or None if i > 3 else i % 2) for i in range(40)] + [(0, 0, 1)])
    pairs.index = pairs.index[::-1]  # rows are told apart by position
    pairs["label"] = pairs["label"].where(pairs["label"].notna() | (np.arange(41) % 3 == 0), 0)
    table_of = pair_opinions(pairs, "tfidf", encoder=tiny, progress=False)
    assert table_of.columns.tolist() == ["text_a", "text_b", "model", "cosine"]
    assert table_of["text_a"].tolist() == pairs["text_a"].tolist()
    np.testing.assert_array_equal(table_of["model"], out_of_fold(pairs, "tfidf", progress=False))
    assert table_of["cosine"].iloc[-1] == pytest.approx(1)  # a sentence with itself
    assert table_of["cosine"].between(-1.00001, 1.00001).all()
    assert "trained_on" in table_of.attrs
