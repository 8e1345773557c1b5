"""Positives that are too probably wrong are taken out: in the page and in Python."""

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.doubts.what_if import Changes, Decided

from ..refused import refused
from .graphs import demo
from .page import Shown


def doubted(graph, seed=0):
    """A table of suspects of a graph in which each stated pair has a probability by chance."""
    a, b = graph.ends(np.arange(len(graph.edge_sign)))
    table = graph.pair_texts(a, b).assign(label=(graph.edge_sign > 0).astype(int))
    return table.assign(p_wrong=np.random.default_rng(seed).integers(0, 1001, len(table)) / 1000)


@pytest.mark.parametrize("trust", [0.1, 0.35, 0.99])
def test_what_is_left_is_what_a_review_would_leave(trust):
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO).head(300))
    explorer = pg.Explorer(graph, suspects=doubted(graph))
    found, out = explorer._doubted.apart(trust), explorer._doubted.out(trust)
    review = Decided(graph)
    assert found["out"] == len(out) and found["of"]
    for cluster, parts, conflicts in found["of"]:
        gone = frozenset(np.intersect1d(graph.edges_at([cluster]), out).tolist())
        outcome = review.outcome(cluster, Changes(gone=gone))
        own = np.flatnonzero(graph.conflicting & (graph.edge_clusters[0] == cluster)).tolist()
        stays = [edge for edge in own if edge not in gone]
        left = [edge for edge in stays if graph.labelled_twice[edge] or edge not in outcome.apart]
        assert (parts, conflicts) == (len(outcome.parts), len(left))


def test_the_list_is_sorted_by_doubt_and_clusters_without_any_come_last():
    graph = demo()
    explorer = pg.Explorer(graph, suspects=doubted(graph).iloc[:40])
    values, page = explorer._list.columns["p_wrong"], Shown(explorer)
    for descending in (False, True):
        explorer.query = {"sort": "p_wrong", "descending": descending}
        found = values[explorer.found]
        known = found[~np.isnan(found)].tolist()
        assert np.isnan(found[len(known) :]).all() and 0 < len(known) < len(found)
        assert known == sorted(known, reverse=descending)
        rows = page.follow()["listing"]["rows"]
        assert [row["cluster"] for row in rows] == explorer.found[: len(rows)].tolist()
    refused("sort 'p_wrong' is not one of", pg.Explorer(graph)._list.checked, {"sort": "p_wrong"})


def test_a_cluster_falls_apart_in_the_picture_and_python_has_the_pairs():
    graph = demo()
    explorer = pg.Explorer(graph, suspects=doubted(graph))
    cluster, parts, left = next(one for one in explorer._doubted.apart(0.5)["of"] if one[1] > 1 and one[2] > 1)
    explorer.cluster = cluster
    page = Shown(explorer)
    before = page.held()["picture"]
    held = page.told("layers", layers=explorer.layers | {"trust": 0.5})
    after, row = held["picture"], next(row for row in held["listing"]["rows"] if row["cluster"] == cluster)
    assert row["fell"] == f"falls into {parts}, {left} conflicts left" and row["fell"] in after["note"]
    assert held["listing"]["fall"].startswith(f"{len(explorer.left_out)} positives out: ")
    assert {node["key"] for node in after["nodes"]} == {node["key"] for node in before["nodes"]}
    assert after["scene"] != before["scene"]  # it is laid out anew

    out = {frozenset((f"n{graph.node(a)}", f"n{graph.node(b)}")) for a, b in
           zip(explorer.left_out["text_a"], explorer.left_out["text_b"], strict=True)}  # fmt: skip
    drawn = {frozenset((edge["from"], edge["to"])): edge.get("out", False) for edge in after["edges"]}
    assert {ends for ends, is_out in drawn.items() if is_out} == out & drawn.keys() != set()
    left = explorer.left_out
    assert (left["p_wrong"] > 0.5).all() and left["p_wrong"].is_monotonic_decreasing
    assert list(left) == ["text_a", "text_b", "label", "p_wrong"] and left["label"].eq(1).all()
    back = page.told("layers", layers=explorer.layers | {"trust": 0})
    assert back["picture"] == before | {"scene": back["picture"]["scene"]} and len(explorer.left_out) == 0


def test_without_suspects_there_is_no_trust():
    graph = demo()
    explorer = pg.Explorer(graph)
    assert "trust" not in explorer.layers
    refused("without suspects=", lambda: explorer.left_out)
    table = pd.DataFrame({"text_a": [graph.text(0)], "text_b": [graph.text(graph.n - 1)], "p_wrong": [1.0]})
    assert pg.Explorer(graph, suspects=table)._doubted.apart(0.9)["out"] == 0  # no stated pair
