"""What an Explorer remembers for the next one of the same data in the same cell."""

import pandas as pd
import pytest

import paragraph as pg
from paragraph.widgets.explorer import browse
from paragraph.widgets.explorer.browse import Query

from .graphs import demo, graph_of, neighbour, state
from .page import Shown


@pytest.fixture(autouse=True)
def run_cell(monkeypatch):
    """``run_cell("one")``: what follows runs in that cell."""

    def run(cell):
        monkeypatch.setattr(browse, "_cell", lambda: cell)

    run("first")
    return run


def arranged(graph):
    explorer = pg.Explorer(graph)
    explorer.query = Query(words="how", sort="size", descending=True)
    explorer.cluster = 4
    page = Shown(explorer)
    page.told("expand", key=f"c{neighbour(page.held())}")
    explorer.layers = explorer.layers | {"negative": False, "inferred_negative": True, "distance": 2}
    explorer.selection = graph.members(4)[:2]
    explorer.positions = {int(graph.members(4)[0]): (1, 2)}
    return explorer


def test_the_cell_run_again_shows_the_same_and_fresh_forgets(graph):
    begun = state(pg.Explorer(graph, fresh=True))
    first = arranged(graph)
    assert state(pg.Explorer(graph)) == state(pg.Explorer(demo())) == state(first)
    assert state(pg.Explorer(graph, fresh=True)) == begun


def test_other_data_and_other_seeds_do_not_share(graph):
    arranged(graph)
    other = pg.ParaphraseGraph.from_pairs(graph.pairs.iloc[:-1])
    assert pg.Explorer(other).cluster == 0 and pg.Explorer(other).query == Query()
    assert pg.Explorer(graph, seed=5, fresh=True).cluster == 0
    one, same = graph_of("a+b c+d"), graph_of("a+b c-d")
    pg.Explorer(one, cluster=1)
    assert pg.Explorer(same, fresh=True).cluster == 0 and pg.Explorer(one).cluster == 1


def test_another_cell_begins_anew(graph, run_cell):
    first = arranged(graph)
    first.look = first.look.with_(color="degree")
    run_cell("second")
    second = pg.Explorer(graph)
    assert (second.query, second.cluster, second.look.color) == (Query(), 0, "conflicts")
    run_cell("first")
    assert state(pg.Explorer(graph)) == state(first)


def test_where_no_cell_is_known_the_order_is_not_inherited(graph, run_cell):
    run_cell(None)
    first = arranged(graph)
    second = pg.Explorer(graph)
    assert second.query == first.query.with_(sort="cluster", descending=False)
    assert (second.cluster, second.layers, second.placed) == (first.cluster, first.layers, first.placed)


def test_a_look_by_a_column_that_is_gone_is_left_out(graph):
    columns = pd.DataFrame({"node": range(graph.n), "length": range(graph.n)})
    explorer = pg.Explorer(graph, columns=columns)
    explorer.look = explorer.look.with_(color="length", labels=50)
    assert pg.Explorer(graph).look == explorer.look.with_(color="conflicts")
