"""Histograms over the list: each counts what passes the filters of all others; a click on a bar is a filter."""

import numpy as np
import pytest

import paragraph as pg

from ..refused import refused
from .graphs import demo
from .page import Shown
from .test_apart import doubted

FILTERS = [
    [], [("size", [3, 7])], [("density", [0.3, 0.7]), ("conflicts", [1, 3])],
    [("p_wrong", [0.5, 0.9]), ("size", [2, 4])], [("size", None), ("negatives", [0, 0])],
]  # fmt: skip


@pytest.fixture(scope="module")
def explorer():
    graph = demo()
    return pg.Explorer(graph, suspects=doubted(graph).head(1500))


@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_a_histogram_counts_what_passes_the_filters_of_the_others(explorer, filters):
    page = Shown(explorer)
    page.tell("bins", on=True)
    page.told("query", reset=True, words="how" if len(filters) == 2 else "")
    for name, both in filters:
        page.told("query", bound={"name": name, "both": both})
    query, listed, bins = explorer.query, explorer._list, page.read("bins")["bins"]
    assert query["bounds"] == {"size": [2, None]} | {name: both for name, both in filters if both}
    assert page.held()["listing"]["total"] == len(explorer.found) and not page.errors
    assert bins.keys() == {"size", "density", "conflicts", "negatives", "p_wrong"}
    for name, some in bins.items():
        others = {one: bounds for one, bounds in query["bounds"].items() if one != name}
        values = listed.columns[name][listed.find(query | {"bounds": others})]
        edges = np.array([least for least, _, _ in some] + [some[-1][1]])
        assert [count for *_, count in some] == np.histogram(values[~np.isnan(values)], edges)[0].tolist()


def test_a_filter_is_taken_back_and_python_filters_by_p_wrong(explorer):
    page = Shown(explorer)
    page.told("query", reset=True)
    page.told("query", bound={"name": "p_wrong", "both": [0.95, 1.0]})
    worst = explorer._list.columns["p_wrong"]
    assert explorer.found.tolist() == np.flatnonzero((worst >= 0.95) & (explorer._list.columns["size"] > 1)).tolist()
    assert page.told("query", bound={"name": "p_wrong", "both": None})["listing"]["filtered"] is False
    alone = pg.Explorer(explorer.graph)
    refused("no column .p_wrong.", setattr, alone, "query", {"bounds": {"p_wrong": (0.5, None)}})
