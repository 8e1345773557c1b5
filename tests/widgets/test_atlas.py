"""The Atlas in Python: what it knows, what it refuses, and what its page may ask."""

import logging

import ipywidgets
import numpy as np
import pandas as pd
import pytest
import traitlets

import paragraph as pg
from paragraph.widgets.atlas.dots import dots

from .. import hostile
from .graphs import demo, graph_of


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    """Maps are made once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PARAGRAPH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def atlas_of(graph, **options):
    return pg.Atlas(graph, **{"by": "words", "progress": False} | options)


GRAPH = graph_of("a+b b+c a-c d+e f-g")


def test_a_row_for_each_cluster_of_two_or_more():
    table = dots(GRAPH)
    assert table[["cluster", "size", "conflicts", "sentence"]].values.tolist() == [[0, 3, 1, "b"], [1, 2, 0, "d"]]
    singles = dots(graph_of("a-b"))
    assert singles["size"].tolist() == [1, 1]  # nothing else to show
    assert len(dots(pg.ParaphraseGraph.from_pairs(GRAPH.pairs.head(0)))) == 0


def suspects(*rows):
    return pd.DataFrame(rows, columns=["text_a", "text_b", "p_wrong"])


def test_doubt_is_the_largest_of_a_cluster():
    table = dots(GRAPH, suspects(("a", "b", 0.2), ("c", "b", 0.6), ("f", "g", 0.9)))
    assert table["doubt"].tolist() == [0.6, 0]


def test_columns_of_the_users_own():
    own = pd.DataFrame({"cluster": [1], "topic": ["x"], "size": [99]})
    table = dots(GRAPH, columns=own)
    assert table["topic"].fillna("").tolist() == ["", "x"] and table["size"].tolist() == [3, 2]


REFUSED = {
    "suspects: a table of suspects has the columns": {"suspects": pd.DataFrame({"text_a": ["a"]})},
    "suspects, row 0: p_wrong 2 is not between 0 and 1": {"suspects": suspects(("a", "b", 2))},
    "suspects, row 0: p_wrong x is not": {"suspects": suspects(("a", "b", "x"))},
    "suspects, row 1: 'zebra' is no sentence": {"suspects": suspects(("a", "b", 1), ("zebra", "b", 1))},
    "has a column cluster": {"columns": pd.DataFrame({"topic": ["x"]})},
    "columns: cluster 7 is not one of 0 .. 3": {"columns": pd.DataFrame({"cluster": [7]})},
    "columns: cluster 1 has two rows": {"columns": pd.DataFrame({"cluster": [1, 1]})},
    "clusters are not coloured by 'sentence'": {"color": "sentence"},
    "by='colour' is not one of": {"by": "colour"},
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message):
    with pytest.raises(pg.PairsError, match=message.replace("..", r"\.\.")):
        atlas_of(GRAPH, **REFUSED[message])


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
    assert "EXAM night" in atlas._said.value
    atlas.search("")
    assert len(atlas.selection) == 0 and "258 clusters" in atlas._said.value


def test_selections_refused_and_words_shown_as_text():
    atlas = atlas_of(demo())
    atlas.selection = [2]
    for chosen in ([-1], [258], ["a"], [True], [0.5], pd.DataFrame({"x": [1]})):
        with pytest.raises(pg.PairsError):
            atlas.selection = chosen
        assert atlas.selection["cluster"].tolist() == [2]
    for value in (b"abc", np.array([258], np.uint32).tobytes()):
        with pytest.raises(traitlets.TraitError):
            atlas._map.chosen = value
    atlas.search("<img src=x onerror=alert(1)>")
    assert "<img" not in atlas._said.value


class Page:
    """Messages as a page sends them; `sent` is what comes back, `complaints` what is logged."""

    def __init__(self, widget):
        self.widget, self.sent, self.complaints = widget, [], []
        widget.send = self.sent.append
        handler = logging.Handler()
        handler.emit = lambda record: self.complaints.append(record.getMessage())
        widget.log = logging.Logger("page", logging.WARNING)
        widget.log.addHandler(handler)

    def __call__(self, message):
        self.sent.clear()
        self.complaints.clear()
        self.widget._handle_custom_msg(message, [])
        return self.sent, self.complaints


def test_hover_says_and_click_opens():
    atlas = atlas_of(demo(), color="density")
    page = Page(atlas._map)
    ((said,), complaints) = page({"intent": "hover", "row": 3})
    assert complaints == [] and said["sentence"] == atlas.table["sentence"][3]
    assert said["facts"] == "cluster 3 · 11 sentences · 2 conflicts · density 0.255"
    assert page({"intent": "open", "row": 7}) == ([], []) and atlas.explorer.cluster == 7


def test_messages_that_make_no_sense_change_nothing():
    atlas = atlas_of(demo())
    page, before = Page(atlas._map), atlas.explorer.cluster
    rows = (-1, 258, "0", None, True, 1.0, [0], {})
    messages = [{"intent": intent, "row": row} for intent in ("hover", "open") for row in rows]
    for message in [*messages, {"intent": "open"}, {"row": 1, "intent": "rows"}, [], None, "x"]:
        sent, complaints = page(message)
        assert sent == [] and len(complaints) == 1, message
    assert atlas.explorer.cluster == before


def test_an_explorer_elsewhere():
    graph = demo()
    explorer = pg.Explorer(graph)
    atlas = atlas_of(graph, explorer=explorer)
    assert explorer not in atlas.children
    Page(atlas._map)({"intent": "open", "row": 9})
    assert explorer.cluster == 9


@pytest.mark.slow
def test_colours_fit_the_palette():
    graph = demo()
    own = pd.DataFrame({"cluster": range(9), "topic": list("abcabcdef")})
    doubts = pd.DataFrame({"text_a": graph.texts([0]), "text_b": graph.texts([1]), "p_wrong": [0.5]})
    atlas = atlas_of(graph, columns=own, suspects=doubts)
    for color in ("conflicts", "size", "density", "topic", "doubt"):
        atlas.color = color
        shade = np.frombuffer(atlas._map.shade, np.uint8)
        assert len(shade) == 258 and shade.max() < len(atlas._map.palette)
        assert sorted(np.frombuffer(atlas._map.order, np.uint32).tolist()) == list(range(258))


@pytest.mark.slow
@pytest.mark.parametrize("graph", [hostile.graph(), graph_of("a-b"), graph_of("a+b")])
def test_small_and_hostile_graphs_have_a_map_and_a_twin(graph, capsys, tmp_path):
    atlas = atlas_of(graph)
    assert len(np.frombuffer(atlas._map.dots, np.float32)) == 3 * len(atlas.table)
    atlas._ipython_display_()
    assert atlas.save(tmp_path / "map.png").stat().st_size > 1000
    with pytest.raises(pg.PairsError, match=r"map\.html: the ending is not one of"):
        atlas.save(tmp_path / "map.html")


def test_a_graph_without_sentences():
    atlas = atlas_of(pg.ParaphraseGraph.from_pairs(GRAPH.pairs.head(0)))
    assert "no sentences" in atlas._said.value and isinstance(atlas, ipywidgets.VBox)
    atlas.search("a")
    assert len(atlas.selection) == 0
