"""Degrees of balance against their definitions."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy.linalg import expm

from paragraph import balance as bal
from paragraph.balance.degree import _walks, degree_of_balance

from . import tiny


def all_negative(n):
    graph = nx.complete_graph(n)
    nx.set_edge_attributes(graph, -1, "sign")
    return graph


def walks(graph):
    """tr exp A / tr exp |A|, by the exponential itself."""
    matrix = nx.to_numpy_array(graph, weight="sign")
    return np.trace(expm(matrix)) / np.trace(expm(abs(matrix)))


@settings(max_examples=20)
@given(tiny.graphs(8))
def test_against_the_definitions(graph):
    assume(graph.edges)
    found = degree_of_balance(graph)
    counts = bal.census(graph)
    share = (counts["+++"] + counts["+--"]) / counts.sum() if counts.sum() else math.nan
    assert found.value.triangles == pytest.approx(share, nan_ok=True)
    assert found.value.walks == pytest.approx(walks(graph))
    fewest = min(  # edges that disagree with two camps, over all ways to form them
        sum((camps >> x & 1 == camps >> y & 1) != (sign > 0) for x, y, sign in graph.edges(data="sign"))
        for camps in range(2 ** len(graph))
    )
    assert found.value.frustration == pytest.approx(1 - 2 * fewest / len(graph.edges))
    assert (found.value.dropna().between(0, 1)).all()
    assert (found.value.walks > 1 - 1e-12) == (found.value.frustration == 1) == bal.balance(graph).balanced
    assert found["low"].equals(found["value"]) and found["high"].equals(found["value"])


def test_a_large_graph_has_no_walks_and_nothing_overflows(monkeypatch):
    graph = nx.disjoint_union_all([all_negative(5), tiny.camps(30, 2, 0.3, 0.1, 4), nx.empty_graph(3)])
    assert degree_of_balance(graph).value.walks == pytest.approx(walks(graph))
    with np.errstate(all="raise", under="ignore"):  # the largest eigenvalue is 719, and exp(710) is too large
        assert _walks(bal.as_signed(all_negative(720))) == pytest.approx(0)
    monkeypatch.setattr("paragraph.balance.degree.LARGE", 37)
    found = degree_of_balance(graph, time_limit=0)
    assert math.isnan(found.value.walks)
    assert found.low.frustration <= found.value.frustration <= found.high.frustration
