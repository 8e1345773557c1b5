"""Degrees of balance against their definitions."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy.linalg import expm

import paragraph as pg
from paragraph import balance as bal

from . import tiny


def all_negative(n):
    graph = nx.complete_graph(n)
    nx.set_edge_attributes(graph, -1, "sign")
    return graph


def walks(graph):
    """tr exp A / tr exp |A|, by the exponential itself."""
    matrix = nx.to_numpy_array(graph, weight="sign")
    return np.trace(expm(matrix)) / np.trace(expm(abs(matrix)))


def closed_walks(graph, length):
    """(even less odd, all) closed walks of a length, step by step."""
    matrix = nx.to_numpy_array(graph, weight="sign")
    return np.trace(np.linalg.matrix_power(matrix, length)), np.trace(np.linalg.matrix_power(abs(matrix), length))


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(tiny.graphs(8))
def test_against_the_definitions(graph):
    assume(graph.edges)
    found = bal.degree_of_balance(graph)
    counts = bal.census(graph)
    if counts.sum():
        assert found.value.triangles == pytest.approx((counts["+++"] + counts["+--"]) / counts.sum())
    else:
        assert math.isnan(found.value.triangles)
    assert found.value.walks == pytest.approx(walks(graph))
    series = np.sum([np.divide(closed_walks(graph, k), math.factorial(k)) for k in range(30)], axis=0)
    assert found.value.walks == pytest.approx(series[0] / series[1])
    fewest = min(  # edges that disagree with two camps, over all ways to form them
        sum((camps >> x & 1 == camps >> y & 1) != (sign > 0) for x, y, sign in graph.edges(data="sign"))
        for camps in range(2 ** len(graph))
    )
    assert found.value.frustration == pytest.approx(1 - 2 * fewest / len(graph.edges))
    assert (found.value.dropna().between(0, 1)).all()
    balanced = bal.balance(graph).balanced
    assert (found.value.walks > 1 - 1e-12) == (found.value.frustration == 1) == balanced
    assert found[["low", "high"]].equals(found[["value", "value"]].set_axis(["low", "high"], axis=1))


def test_the_three_disagree():
    found = bal.degree_of_balance(all_negative(4)).value
    assert found.triangles == 0
    assert found.frustration == pytest.approx(1 / 3)  # two of six edges have to change
    assert found.walks == pytest.approx((3 * math.e + math.exp(-3)) / (math.exp(3) + 3 / math.e))


def test_where_there_is_no_answer():
    assert bal.degree_of_balance(nx.Graph()).value.isna().all()
    lone = bal.degree_of_balance(nx.empty_graph(2)).value
    assert lone.walks == 1 and lone[["triangles", "frustration"]].isna().all()
    tree = bal.degree_of_balance(tiny.graph_of([1, 0, -1], 3)).value
    assert math.isnan(tree.triangles) and tree.walks == pytest.approx(1) and tree.frustration == 1


def test_parts_add_up():
    graph = nx.disjoint_union_all([all_negative(5), bal.planted_camps(30, 2, 0.3, 0.1, 4), nx.empty_graph(3)])
    assert bal.degree_of_balance(graph).value.walks == pytest.approx(walks(graph))


@pytest.mark.slow
def test_large_eigenvalues_do_not_overflow():
    graph = bal.as_signed(bal.planted_camps(1200, 2, 0.9, seed=1))  # the largest is about 1080
    with np.errstate(all="raise", under="ignore"):
        assert bal.degree_of_balance(graph, time_limit=5).value.walks == pytest.approx(1)


def test_parts_that_are_too_large_are_left_out():
    graph = bal.planted_camps(40, 2, 0.3, seed=1)
    assert math.isnan(bal.degree_of_balance(graph, max_nodes=39).value.walks)
    assert bal.degree_of_balance(graph, max_nodes=40).value.walks == pytest.approx(1)


@pytest.mark.slow
def test_sentences():
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    found = bal.degree_of_balance(graph, time_limit=1)
    whole = graph.to_networkx()
    assert found.value.walks == pytest.approx(walks(whole))
    assert found.low.frustration <= found.value.frustration <= found.high.frustration
