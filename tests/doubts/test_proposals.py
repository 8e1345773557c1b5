"""Which label of a conflict is wrong, what changing it does, and that it does so when applied."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph import ParaphraseGraph
from paragraph.doubts.proposals import UNSURE, Proposals
from paragraph.doubts.what_if import relabelled

from .. import reference
from ..facts import facts
from ..reference import graph_of, judge_by
from ..refused import refused


def opinions(graph, usual=0.8, **more):
    """A judge of the stated pairs: 0.8, for negatives 0.2, but for the pairs named."""
    p = np.where(graph.edge_sign > 0, usual, 1 - usual)
    for pair, value in more.items():
        p[graph.edge_between(*(graph.node(text) for text in pair))] = value
    return judge_by(graph.pair_texts(graph.edge_a, graph.edge_b).assign(model=p))


def applied(graph, table, cut="drop"):
    """A graph with the changes of all proposals made."""
    rows = table.explode("changes")
    ends = np.array([[graph.node(text) for text in pair] for pair in rows["changes"]], dtype=int).reshape(-1, 2).T
    same = rows["proposal"].eq("flip").astype(int).tolist()
    pairs, _, _ = relabelled(graph, ends, same, ["an answer" for _ in same], cut)
    return ParaphraseGraph.from_pairs(pairs, graph.identity)


def links_of(graph, row, judge=None):
    """The positives that may be wrong instead of a conflict, with their probabilities."""
    proposals, edge = Proposals(graph, judge), graph.edge_between(graph.node(row.text_a), graph.node(row.text_b))
    return proposals.links(edge, proposals.of(edge)[1])


FACTS = [
    # what is so, the rows, opinions other than the usual, proposal, the pairs to change
    ("the less probable of two positives", "a+b b+c a-c", {"ab": 0.6}, "cut", ["ab"]),
    ("the negative means the same", "a+b b+c a-c", {"ac": 0.9}, "flip", ["ac"]),
    ("paths do not count against a negative", "a+b b+c a-c a+d d+c a+e e+c", {}, "cut", ["ab", "ad", "ae"]),
    ("a doubtful link on each of three paths", "a+b b+c a-c a+d d+c a+e e+c", {"ab": 0.1, "da": 0.1, "ec": 0.1},
     "cut", ["ab", "ad", "ce"]),
    ("a doubtful link that all paths share", "a+b b+c a+c c+d d+e d+f e+f a-f", {"cd": 0.6}, "cut", ["cd"]),
    ("two rows hold one link", "a+b b+c a-c b+a", {"ab": 0.7}, "cut", ["bc"]),
    ("even odds", "a+b b+c a-c", {"ac": 0.76}, "unsure", ["ac"]),
]  # fmt: skip


@facts("rows, odds, proposal, changes", FACTS)
def test_facts(rows, odds, proposal, changes):
    graph = graph_of(rows)
    (row,) = pg.repair(graph, judge=opinions(graph, **odds)).itertuples()
    assert row.proposal == proposal
    assert len(row.changes) == len(changes)
    assert {row.edge1, row.edge2} == set(row.changes[0])
    if len(changes) < 3 or odds:
        assert {frozenset(pair) for pair in row.changes} == {frozenset(pair) for pair in changes}
    assert row.settles == 1


def test_all_opinions_come_from_one_probability():
    graph = graph_of("a+b b+c a-c a+d d+c c+e e-a")
    judge = opinions(graph, ac=0.4, ab=0.5)
    for row in pg.repair(graph, judge=judge).itertuples():
        assert row.p_flip == pytest.approx(1 / (1 + np.exp(-row.margin * (1 if row.p_flip > 0.5 else -1))))
        assert row.proposal == ("unsure" if row.margin < UNSURE else "flip" if row.p_flip > 0.5 else "cut")
        links = links_of(graph, row, judge)
        assert [*links.values()] == sorted(links.values(), reverse=True)
        assert all(p <= 1 - row.p_flip + 1e-9 for p in links.values())
        if row.p_flip < 0.5:
            assert row.changes[0] == graph.texts(graph.ends(next(iter(links)))) == [row.edge1, row.edge2]
    graph = graph_of("a+b b+c a-c")  # on one path of bridges they share it without rest
    (row,) = pg.repair(graph, judge=opinions(graph)).itertuples()
    assert sum(links_of(graph, row, opinions(graph)).values()) == pytest.approx(1 - row.p_flip)


@pytest.mark.parametrize("pair, word, wrong", [("ab", 1, "bc"), ("ab", 0, "ab"), ("bc", 1, "ab"), ("ac", 1, "ac")])
def test_a_persons_word_is_certain(pair, word, wrong):
    graph = graph_of("a+b b+c a-c")
    audit = pd.DataFrame([(*pair, word)], columns=["text_a", "text_b", "same"])
    (row,) = pg.repair(graph, judge=opinions(graph, ab=0.3, bc=0.31, ac=0.1), answers=audit).itertuples()
    assert {row.edge1, row.edge2} == set(wrong)


def test_reasons_are_about_the_pair_to_change():
    good, healthy, coffee = "Is tea good?", "Is tea healthy?", "Why is coffee from Peru healthy?"
    rows = [(good, healthy, 1), (healthy, coffee, 1), (good, coffee, 0)]
    (row,) = pg.repair(ParaphraseGraph.from_pairs(reference.table(rows)), judge=None).itertuples()
    assert (row.proposal, row.edge2) == ("none", coffee)
    assert "Peru" in row.reason and "why" in row.reason


def test_where_nobody_read_the_sentences_the_evidence_is_shown_and_nothing_is_proposed():
    """The most suspect positives if the negative is right; a person's word on one conflict proposes."""
    graph = graph_of("a+b b+c a-c d+e e+f d-f")
    table = pg.repair(graph, judge=None)
    assert table["proposal"].tolist() == ["none"] * 2 and "delta" not in table.attrs
    assert table[["margin", "p_flip", "p_same"]].isna().all(axis=None)
    for row in table.itertuples():
        assert row.changes == [[row.edge1, row.edge2]] and row.parts == [2, 1]
        assert sum(links_of(graph, row).values()) == pytest.approx(1)
    assert pg.repair(graph, judge=None, answers=table[:1].assign(same=1))["proposal"].tolist() == ["flip", "none"]


def test_what_cannot_be_repaired():
    graph, bipartite = graph_of("a+b b+c a-c c+d"), graph_of("a+b")
    bipartite.pairs.attrs["bipartite"] = True
    table = pd.DataFrame({"text_a": ["a"], "text_b": ["b"], "same": [1]})
    unused = {"judge": "no such model", "answers": table}
    for source, options, message in (
        (graph, {"method": "best"}, "method 'best' is not one of 'weigh', 'flip_all'"),
        *((graph, {"method": "flip_all", name: x}, "no judge and no answers") for name, x in unused.items()),
        (graph, {"judge": table}, "is not 'minilm', and no folder of an adapter"),
        (bipartite, {}, "bipartite"),
    ):
        refused(message, pg.repair, source, **options)
    refused("cut 'keep' is not one of 'drop', 'negative'", applied, graph, proposals("flip ac"), "keep")
    for method in ("weigh", "flip_all"):
        table = pg.repair(graph_of("a+b b-c"), method=method)
        assert table.empty and list(table)[:6] == ["text_a", "text_b", "proposal", "margin", "edge1", "edge2"]


TABLES = st.lists(
    st.tuples(st.sampled_from("abcdefg"), st.sampled_from("++++-?"), st.sampled_from("abcdefg")), max_size=24
)


@pytest.mark.slow
@settings(max_examples=70)
@given(TABLES)
def test_flip_all_is_the_papers_rule(rows):
    graph = graph_of(" ".join(map("".join, rows)))
    flipped = applied(graph, pg.repair(graph, method="flip_all"))
    expected = pg.four_datasets(graph)["original_flipped"]
    assert flipped.pairs["label"].astype("Int8").equals(expected["label"])
    assert flipped.pairs[["text_a", "text_b"]].values.tolist() == expected[["text_a", "text_b"]].values.tolist()


@pytest.mark.slow
@settings(max_examples=70)
@given(TABLES, st.integers(0, 2**32 - 1))
def test_each_proposal_settles_its_conflict_and_does_what_it_says(rows, seed):
    graph = graph_of(" ".join(map("".join, rows)))
    p = np.random.default_rng(seed).random(len(graph.edge_a))
    judge = judge_by(graph.pair_texts(graph.edge_a, graph.edge_b).assign(model=p))
    table, before = pg.repair(graph, judge=judge), pg.infer(graph).counts()
    for _, row in table.assign(proposal=np.where(table["p_flip"] > 0.5, "flip", "cut")).iterrows():
        for cut in ("drop", "negative") if row["proposal"] == "cut" else ("drop",):
            after = applied(graph, pd.DataFrame([row]), cut)
            ends = [after.node(text) for text in (row["text_a"], row["text_b"])]
            if row["proposal"] == "flip":
                assert after.edge_sign[after.edge_between(*ends)] > 0
            else:
                assert after.cluster_of[ends[0]] != after.cluster_of[ends[1]]
            whole = after.n == graph.n and not graph.labelled_twice.any()
            if cut == "drop" and whole:
                gained = {name: count - before[name] for name, count in pg.infer(after).counts().items()}
                assert gained == {"positive": row["inferred_positive"], "negative": row["inferred_negative"]}
                assert int(graph.negatives_inside.sum()) - int(after.negatives_inside.sum()) == row["settles"]
        assert sum(row["parts"]) == graph.cluster_sizes[graph.cluster_of[graph.node(row["text_a"])]]


def proposals(text):
    """A table of proposals from a line such as "flip ac, cut ab dc"."""
    rows = [(how, [list(pair) for pair in pairs]) for how, *pairs in map(str.split, text.split(", "))]
    return pd.DataFrame(rows, columns=["proposal", "changes"])


APPLIED = [
    # what is so, the rows, the proposals, how cuts are made, the rows afterwards
    ("flip: every row of the pair, unlabelled too", "a+b b+c a-c c?a", "flip ca", "drop", "a+b b+c a+c c+a"),
    ("cut: every row of the pair is dropped", "a+b b+a b+c a-c", "cut ab", "drop", "b+c a-c"),
    ("or becomes 0", "a+b b+a b+c a-c", "cut ab", "negative", "a-b b-a b+c a-c"),
    ("several changes at once", "a+b b+c a-c a+d d+c", "cut ab dc", "drop", "b+c a-c a+d"),
]


@facts("rows, table, cut, after", APPLIED)
def test_applying(rows, table, cut, after):
    graph = graph_of(rows)
    assert reference.shown(applied(graph, proposals(table), cut).pairs) == after
    assert reference.shown(graph.pairs) == rows  # as it was
