"""Still pictures: what a view shows, where it stands, how it is lettered, and that figures hold all of it."""

import io
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph import balance, draw, lesson
from paragraph.draw.figures import draw_view, to_svg
from paragraph.draw.layout import layout
from paragraph.draw.style import LINES, columns, drawable, line, shorten, wrap
from paragraph.draw.view import view_of

from ..hostile import SENTENCES, graph
from ..refused import refused
from ..widgets.graphs import graph_of


def shown_labels(shown, inferred):
    """{(text, text): sign} of the edges of a view."""
    names = {kind: key for key, kind in LINES.items()}
    found = {}
    for edge in shown.edges:
        sign, is_inferred, _ = names[edge.line]
        if is_inferred == inferred:
            found[frozenset((shown.texts[edge.a], shown.texts[edge.b]))] = sign
    return found


def test_a_cluster_with_its_conflict():
    shown = view_of(graph_of("a+b b+c a-c d+e c-d"), cluster=0)
    assert shown.title == "Cluster 0: 3 sentences" and shown.texts == ["a", "b", "c"]
    assert shown_labels(shown, inferred=False) == {
        frozenset("ab"): 1, frozenset("bc"): 1, frozenset("ac"): -1,
    }  # fmt: skip
    assert shown.in_conflict == {0, 2}
    assert [kind.name for kind in shown.lines] == ["paraphrase, stated", "not a paraphrase, in conflict"]


def test_a_pair_stated_both_ways_stands_out():
    shown = view_of(graph_of("a+b a-b a+b"), cluster=0)
    assert shown.edges[0].line == line(+1, conflict=True)


def test_several_clusters_chosen_nodes_and_what_is_near_a_hub():
    g = graph_of("a+b c+d b-c e-a")
    assert view_of(g, cluster=[1, 0]).title == "Clusters 1, 0: 4 sentences"
    shown = view_of(g, nodes=[4, 0, 4])
    assert shown.texts == ["e", "a"] and len(shown.edges) == 1
    assert view_of(graph_of("a+b b+c"), nodes=["c", 1]).texts == ["c", "b"]
    ends = [*[0] * 70, 1], [*range(1, 71), 71]  # a hub with 70 neighbours, and one farther away
    hub = pg.ParaphraseGraph(*map(np.array, ends), np.ones(71, dtype=np.int8), 72)
    shown = view_of(hub, cluster=0)
    assert shown.title == "Cluster 0: 60 of 72 sentences, those nearest the best connected"
    assert "sentence 0" in shown.texts and "sentence 71" not in shown.texts and len(shown.texts) == 60


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "either cluster"), ({"cluster": 0, "nodes": [0]}, "either cluster"), ({"cluster": 9}, "cluster 9"),
        ({"cluster": []}, "1 to 60 clusters, not 0"), ({"nodes": [7]}, "7 is not a node"),
        ({"nodes": [-1]}, "-1 is not a node"), ({"nodes": range(61)}, "1 to 60 nodes, not 61"),
        ({"cluster": 0, "closure": pg.infer(graph_of("a+b"))}, "another graph"),
        ({"cluster": "a"}, "clusters are called by their ids"), ({"cluster": 0.5}, "clusters are ids, not 0.5"),
        ({"nodes": ["zebra"]}, "zebra"), ({"nodes": None, "cluster": ["a"]}, "clusters are called by their ids"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_an_error(options, message):
    refused(message, view_of, graph_of("a+b b+c d+e"), **options)


@pytest.mark.parametrize("format", ["pdf", "ps", "svg", "png"])
def test_a_byte_order_mark_within_a_sentence_can_be_saved(format):
    pairs = pd.DataFrame({"text_a": ["Is \ufefftea\ufeff good?"], "text_b": ["\u200dWhy\u202e not?"], "label": [1]})
    figure = draw_view(view_of(pg.ParaphraseGraph.from_pairs(pairs), cluster=0))
    figure.savefig(saved := io.BytesIO(), format=format)
    assert saved.getvalue()


LETTERS = "abcdefgh"
ROWS = st.lists(
    st.tuples(st.sampled_from(LETTERS), st.sampled_from("++-"), st.sampled_from(LETTERS)), min_size=1, max_size=14
)


@pytest.mark.slow
@settings(max_examples=60)
@given(ROWS, st.fixed_dictionaries({
    "negatives": st.sampled_from(["all", "clusters"]), "distance": st.sampled_from(["rounds", "hops"]),
    "max_distance": st.sampled_from([None, 1, 2]),
}))  # fmt: skip
def test_inferred_lines_are_the_closure(rows, options):
    g = graph_of(" ".join(map("".join, rows)))
    closure = pg.infer(g, **options)
    found = shown_labels(view_of(g, nodes=range(g.n), closure=closure), inferred=True)
    rows = closure.to_frame(distances=False).itertuples(index=False)
    assert found == {frozenset((a, b)): 1 if label else -1 for a, b, label in rows}


def test_layout_is_the_same_each_time_and_covers_nothing():
    edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (6, 7)]
    at = layout(9, edges)
    assert np.array_equal(at, layout(9, edges[::-1]))
    gaps = np.linalg.norm(at[:, None] - at[None], axis=2) + 9 * np.eye(9)
    home = np.array([0, 0, 0, 1, 1, 1, 2, 2, 3])
    assert gaps.min() > 0.5 and gaps[home[:, None] != home].min() > 1
    assert layout(0, []).shape == (0, 2) and layout(1, []).shape == (1, 2)
    a, b, c = layout(3, [(0, 1), (1, 2)], apart=[(0, 2)])  # a conflict opens to a triangle
    assert np.linalg.norm((a + c) / 2 - b) > 0.4


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=80), st.integers(2, 20))
def test_wrapping_loses_nothing_and_fits(text, width):
    lines = wrap(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(columns(part) <= width for part in lines)


def test_sentences_are_shortened_and_no_box_is_drawn_for_them():
    assert shorten("short", 10) == "short" and columns(shorten("ネコは魚を食べますか", 9)) <= 10
    assert drawable("plain") == "plain" and drawable("a\U0001fae0b") in ("a\U0001fae0b", "a□b")
    assert drawable("a\u200bb\x00c") == "ab c"


def figures():
    hostile = graph()
    conflicts = pg.conflicts(hostile)
    within = conflicts[conflicts.kind == "within"].iloc[0]
    direct = conflicts[conflicts.kind == "direct"].iloc[0]
    closure = pg.infer(hostile)
    return {
        "cluster": lambda: draw.draw_cluster(hostile, 0, closure=closure),
        "list below": lambda: draw.draw_cluster(hostile, nodes=range(len(SENTENCES))),
        "triads": draw.draw_triads,
        "within": lambda: draw.draw_conflict(hostile, within),
        "direct": lambda: draw.draw_conflict(hostile, direct),
    }


@pytest.mark.slow
@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.parametrize("name", list(figures()))
def test_nothing_in_a_figure_is_clipped(name):
    import matplotlib.pyplot as plt

    figure = figures()[name]()
    assert plt.get_fignums() == []  # closed: a notebook shows it once
    figure.draw_without_rendering()
    width, height = figure.bbox.size
    texts = list(lettering(figure))
    assert texts
    for text in texts:
        box = text.get_window_extent()
        assert box.x0 >= -1 and box.y0 >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1, text.get_text()


def squeezed(text):
    return "".join(text.split())


def said(figure) -> str:
    return "\n".join(text.get_text() for text in lettering(figure))


def lettering(figure):
    """Every text a figure shows, save tick labels: matplotlib keeps some that nobody sees."""
    from matplotlib.text import Text

    for axes in figure.axes:
        ticks = {label for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels(which="both")}
        yield from (text for text in axes.findobj(Text) if text.get_text() and text not in ticks)


def test_figures_of_the_paper():
    words = said(draw.draw_triads())
    assert words.count("strong: ✓ balanced") == 2 and words.count("strong: ✗ not balanced") == 2
    assert words.count("weak: ✓ balanced") == 3 and words.count("weak: ✗ not balanced") == 1
    g = graph_of("a+b b+c a-c c-a")
    conflict = pg.conflicts(g).iloc[0]
    words = said(draw.draw_conflict(g, conflict))
    for label in ("a paraphrase: row 2", "a paraphrase: row 3", "not a paraphrase: rows 4, 5"):
        assert label in words
    refused("not a conflict of this graph", draw.draw_conflict, graph_of("a+b b+c"), conflict)
    for odd in (0, pg.conflicts(g), g.pairs.iloc[0]):
        refused("draw_conflict takes a .*row of .*conflicts", draw.draw_conflict, g, odd)
    itself = graph_of("z-z z+z y-y")  # one of them with both labels
    for conflict, labels in zip(pg.conflicts(itself).itertuples(), (("row 2", "row 3"), ("row 4",)), strict=True):
        words = said(draw.draw_conflict(itself, pg.conflicts(itself).loc[conflict.Index]))
        assert "A sentence paired with itself, and labelled “not a paraphrase”" in words
        assert all(label in words for label in labels) and ("row 3" in words) == ("row 3" in labels)


def test_an_svg_is_xml_with_every_sentence():
    figure = draw.draw_cluster(graph(), nodes=range(len(SENTENCES)))
    text = squeezed("".join(ElementTree.fromstring(to_svg(figure, "a title")).itertext()))
    assert all(squeezed(drawable(sentence)) in text for sentence in SENTENCES)


def test_a_signed_graph_keeps_places_and_colours_from_year_to_year():
    drawn = {}
    for year in balance.presets.EUROPE:
        europe = balance.presets.europe(year)
        axes = draw.draw_signed(europe, camps=balance.balance(europe, "weak"), title=str(year)).axes[0]
        drawn[year] = {text.get_text(): (text.get_position(), text.get_bbox_patch()) for text in axes.texts}
    for power in balance.presets.POWERS:
        assert len({here[power][0] for here in drawn.values()}) == 1
    fills = [{power: box.get_facecolor() for power, (_, box) in here.items()} for here in drawn.values()]
    assert len({here["Great Britain"] for here in fills}) == len({here["Germany"] for here in fills}) == 1
    assert [len(set(here.values())) for here in fills] == [4, 3, 4, 2]
    assert fills[3]["France"] == fills[3]["Great Britain"] != fills[3]["Italy"] == fills[3]["Germany"]
    for wrong, message in (({"marked": [("Italy", "Russia")]}, "'Italy' and 'Russia' are not joined"),
                           ({"marked": [("Italy", "Spain")]}, "no node is called 'Spain'")):  # fmt: skip
        refused(message, draw.draw_signed, balance.presets.europe(1872), **wrong)


def test_sheets_on_paper(tmp_path):
    class_ = [lesson.Sheet(student=name) for name in ("Ada", "<b>Bo</b><script>1</script>")]
    chosen = [1, 9, 20]
    page = lesson.write_sheets(class_, tmp_path / "sheets.html", chosen).read_text(encoding="utf-8")
    assert page.count("<svg ") == 2 * len(chosen)
    assert "<script" not in page and "<b>" not in page and "&lt;b&gt;Bo" in page
    *pupils, key, _ = page.split("</section>")
    assert len(pupils) == len(class_) and "Key" not in "".join(pupils)
    ada = dict(re.findall(r"<td>(\d+)\. [^<]*</td><td>([^<]*)</td>", key.split("</article>")[0]))
    name, camps, taken = (next(class_[0].exercise(number).solutions()) for number in (1, 9, 20))
    assert list(ada) == ["1", "9", "20"] and ada["1"] == name
    assert [set(camp.split()) for camp in ada["9"].split(" | ")] == camps
    assert [tuple(edge.split("–")) for edge in ada["20"].split(", ")] == taken
