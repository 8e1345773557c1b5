"""The Atlas in Python: what it knows, what it refuses, and what its page may ask."""

import numpy as np
import pandas as pd
import pytest
import traitlets

import paragraph as pg
from paragraph.atlas.dots import dots_of

from .. import hostile
from ..refused import refused
from ..widgets.graphs import Page, demo, graph_of
from ..widgets.page import Shown


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    """Maps are made once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARAGRAPH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def atlas_of(graph, **options):
    return pg.Atlas(graph, **{"by": "words"} | options)


GRAPH = graph_of("a+b b+c a-c d+e f-g")
EMPTY = pg.ParaphraseGraph.from_pairs(GRAPH.pairs.head(0))


def test_a_row_for_each_cluster_of_two_or_more():
    own = pd.DataFrame({"cluster": [1], "topic": ["x"], "size": [99]})
    table = dots_of(GRAPH, own)
    columns = ["cluster", "size", "conflicts", "sentence", "topic"]
    assert table[columns].astype(object).fillna("none").values.tolist() == [
        [0, 3, 1, "b", "none"],
        [1, 2, 0, "d", "x"],
    ]
    assert dots_of(graph_of("a-b"))["size"].tolist() == [1, 1]  # nothing else to show


@pytest.mark.parametrize(("row", "told"), [(0, "doubt 0.6"), (1, "doubt missing")])
def test_a_cluster_of_which_the_table_says_nothing(row, told):
    own = pd.DataFrame({"cluster": [0], "doubt": [0.6]})
    atlas, sent = atlas_of(GRAPH, columns=own, color="doubt"), []
    atlas._map.send = sent.append
    Page(atlas._map)("hover", row=row)
    assert sent[0]["facts"].endswith(told)


REFUSED = {
    "has a column cluster": {"columns": pd.DataFrame({"topic": ["x"]})},
    "columns: cluster 7 is not one of 0 .. 3": {"columns": pd.DataFrame({"cluster": [7]})},
    "columns: cluster 1 is not one of 0 .. 3, or has two rows": {"columns": pd.DataFrame({"cluster": [1, 1]})},
    "clusters are not coloured by 'sentence'": {"color": "sentence"},
    "by='colour' is not one of": {"by": "colour"},
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_refused(message):
    refused(message.replace("..", r"\.\."), atlas_of, GRAPH, **REFUSED[message])


def test_selection_by_number_by_table_and_by_search():
    atlas = atlas_of(demo())
    assert len(atlas.selection) == 0
    atlas.selection = [5, 3, 5]
    assert atlas.selection["cluster"].tolist() == [3, 5]
    atlas.selection = atlas.table.query("size > 12")
    assert (atlas.selection["size"] > 12).all() and len(atlas.selection) == (atlas.table["size"] > 12).sum()
    atlas.search("EXAM night")
    hits = pg.Explorer(atlas.graph)._list.hits("exam night")
    assert set(atlas.selection["cluster"]) == set(atlas.graph.cluster_of[hits].tolist())
    atlas.search("<img src=x onerror=alert(1)>")
    assert atlas._message.value.startswith("0 clusters,")
    atlas.selection = [5, 3]
    assert atlas.explorer.query["only"] == [3, 5]
    atlas.explorer.query = {}
    assert atlas.explorer.query["only"] is None and len(atlas.selection) == 0  # the two agree
    atlas.search("")
    assert len(atlas.selection) == 0 and "258 clusters" in atlas._message.value
    atlas.selection = [2]
    assert atlas.explorer.query["only"] is None  # one that is opened by a click leaves the list whole
    for chosen in ([-1], [258], ["a"], [True], [0.5], pd.DataFrame({"x": [1]})):
        with pytest.raises(pg.PairsError):
            atlas.selection = chosen
    for value in (b"abc", np.array([258], np.uint32).tobytes()):
        with pytest.raises(traitlets.TraitError):
            atlas._map.chosen = value
    assert atlas.selection["cluster"].tolist() == [2]


def test_what_clears_the_filter_of_the_list_clears_the_selection():
    atlas = atlas_of(demo())
    page = Shown(atlas.explorer)
    atlas.search("exam")
    chosen = atlas.selection["cluster"].tolist()
    assert len(chosen) > 1 and page.follow()["listing"]["only"] == len(chosen)
    page.told("query", reset=True)
    assert not len(atlas.selection) and atlas._words.value == ""
    assert atlas._message.value == f"{len(atlas.table):,} clusters"
    atlas.explorer.query |= {"only": [5, 3]}
    assert atlas.selection["cluster"].tolist() == [3, 5] == atlas.explorer.query["only"]


def test_hover_says_and_click_opens_and_nonsense_changes_nothing():
    atlas = atlas_of(demo(), color="density")
    page, sent = Page(atlas._map), []
    atlas._map.send = sent.append
    page("hover", row=3)
    assert sent[0]["sentence"] == atlas.table["sentence"][3]
    assert sent[0]["facts"] == "cluster 3 · 11 sentences · 2 conflicts · density 0.255"
    page("open", row=7)
    rows = (-1, 258, "0", None, True, 1.0, [0], {})
    messages = [{"intent": intent, "row": row} for intent in ("hover", "open") for row in rows]
    for message in [*messages, {"intent": "open"}, {"row": 1, "intent": "rows"}, [], None, "x"]:
        assert len(page.send(message)) == 1, message
    assert atlas.explorer.cluster == 7 and len(sent) == 1


@pytest.mark.slow
def test_colours_fit_the_palette():
    graph = demo()
    own = pd.DataFrame({"cluster": range(9), "topic": list("abcabcdef"), "doubt": 0.5})
    atlas = atlas_of(graph, columns=own)
    for color in ("conflicts", "size", "density", "topic", "doubt"):
        atlas.color = color
        shade = np.frombuffer(atlas._map.shade, np.uint8)
        assert len(shade) == 258 and shade.max() < len(atlas._map.palette)
        assert sorted(np.frombuffer(atlas._map.order, np.uint32).tolist()) == list(range(258))


@pytest.mark.slow
@pytest.mark.parametrize("graph", [hostile.graph(), graph_of("a-b"), graph_of("a+b"), EMPTY])
def test_small_and_hostile_graphs_have_a_map_and_a_twin(graph, capsys, tmp_path):
    atlas = atlas_of(graph)
    assert len(np.frombuffer(atlas._map.dots, np.float32)) == 3 * len(atlas.table)
    assert ("no sentences" in atlas._message.value) == (graph is EMPTY)
    atlas._ipython_display_()
    refused(r"ending is not \.html", atlas.save, tmp_path / "map.png")
    page = atlas.save(tmp_path / "map.html").read_text(encoding="utf-8")
    assert page.count("<script") == 2 and "<img" not in page  # none of the sentences'
