"""The one page: its figures are those of the functions that own them, and lead where they say."""

import pytest

import paragraph as pg

from .. import hostile
from ..refused import refused
from .graphs import Page, demo, graph_of
from .page import Shown

FACTS = {fact.text: fact for section in pg.overview(demo()).sections for fact in section.facts}


def facts(page, title):
    return {fact.text: fact for section in page.sections if section.title == title for fact in section.facts}


def test_figures_are_those_of_the_summary():
    summary = demo().summary()
    for text, name in {
        "rows kept": "rows kept", "sentences": "sentences", "pairs stated positive": "positive",
        "clusters": "clusters",
        "single sentences": "single sentences",
        "pairs stated negative": "negative",
    }.items():  # fmt: skip
        assert FACTS[text].value == f"{summary[name]:,}", text
    assert FACTS["stated negative, but inside a cluster, in 31 clusters"].value == "52"
    assert FACTS["stated both positive and negative, in 4 clusters; 1 counted above, too"].value == "4"
    assert [fact.value for text, fact in FACTS.items() if text.startswith("inferred")] == ["616", "6,205"]


@pytest.mark.slow
def test_a_click_lists_what_its_figure_counts():
    page = pg.overview(demo())
    shown, listed = Shown(page.explorer), 0
    for section in page.sections:
        for fact in section.facts:
            if not fact.opens:
                continue
            page.visit(fact.opens)
            if "list" in fact.opens:
                listed += 1
                assert page.explorer.shown["title"] == fact.text or section.title == "Conflicts"
                assert page.explorer.shown["pairs_title"] == fact.value
                assert (
                    len(page.explorer.shown["pairs"]) == min(200, int(fact.value.replace(",", "")))
                    or "inferred" in fact.text
                )
            elif "query" in fact.opens:
                listing = shown.follow()["listing"]
                assert listing["total"] == int(fact.value.replace(",", "")), fact.text
                assert page.explorer.cluster == listing["rows"][0]["cluster"] == listing["current"]
    assert listed == 7
    page.visit(FACTS["pairs stated negative"].opens)
    why = shown.follow()["why"]
    assert why["pairs_title"] == "1,320" and why["note"] == "200 of 1,320 are listed."
    held = shown.tell("show", key=why["pairs"][3]["keys"][0])
    assert held["why"]["badge"] in ("stated", "conflict") and len(held["selected"]) == 2


def test_labels_are_called_as_the_file_calls_them(tmp_path):
    (tmp_path / "fragen.csv").write_text(
        "a;b;urteil\nHund;Hunde;gleich\nHunde;Hündchen;gleich\nHund;Katze;verschieden\n"
    )
    columns = {"text_a": "a", "text_b": "b", "label": "urteil"}
    pairs = pg.read_pairs(tmp_path / "fragen.csv", columns=columns, labels={"gleich": 1, "verschieden": 0})
    page = pg.overview(pg.ParaphraseGraph.from_pairs(pairs))
    assert {"pairs stated gleich", "pairs stated verschieden"} <= {*facts(page, "The data")}
    shown = Shown(page.explorer)
    said = [edge["text"] for edge in shown.held()["picture"]["edges"] if "a" in edge]
    assert all(text == "gleich. Click to see why." for text in said)
    held = shown.tell("select", keys=["n0", "n2"])
    [row] = shown.tell("select", keys=["n0", "n1"])["why"]["rows"]
    assert row["label"] == "gleich"
    assert held["why"]["text"] == "Gleich, at distance 1 (1 hop): a path of 2 pairs."


def test_nobody_knows_how_many_labels_are_wrong_before_an_audit():
    [section] = [one for one in pg.overview(demo()).sections if one.title.startswith("How many labels")]
    assert [fact.value for fact in section.facts] == ["?"] and "%" not in section.facts[0].text + section.note
    assert "paragraph review --audit" in section.note


def test_clusters_worth_opening_have_most_conflicts_then_most_inferred_pairs():
    worth = pg.overview(graph_of("a+b b+c c+d d+e e+f a-c g+h h+i g-i j+k k+l")).sections[-1]
    assert [(fact.opens["cluster"], fact.text.split(":")[0]) for fact in worth.facts] == [
        (0, "1 conflict, 9 pairs inferred from 5 stated"), (1, "1 conflict"), (2, "1 pairs inferred from 2 stated"),
    ]  # fmt: skip
    assert pg.overview(graph_of("a+b")).sections[-1].title == "How many labels may be wrong?"  # nothing to say of it
    assert len(pg.overview(demo()).sections[-1].facts) == 10


def test_small_and_hostile_graphs_have_a_page_and_a_twin(tmp_path, capsys):
    for graph in (hostile.graph(), graph_of("a-b"), pg.ParaphraseGraph.from_pairs(hostile.table()[:0])):
        page = pg.overview(graph)
        page._ipython_display_()
        html = page.save(tmp_path / "page.html").read_text("utf-8")
        assert not any(bad in html for bad in ("<script", "<img", "<svg", "onload=window.__pwned=5>", "<b>bold"))
    refused(r"ending is not \.html", page.save, tmp_path / "page.png")


def test_messages_that_make_no_sense_change_nothing():
    page = pg.overview(demo())
    ask = Page(page._page)
    ask("open", section=0, fact=4)
    before = page.explorer.cluster
    for at in ({"section": 0, "fact": 0}, {"section": -1, "fact": 0}, {"section": 99, "fact": 0}, {"section": "0"}):
        assert len(ask.send({"intent": "open", **at})) == 1
    assert len(ask.send(None)) == 1 and page.explorer.cluster == before
