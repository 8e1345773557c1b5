"""The one page: its figures are those of the functions that own them, and lead where they say."""

import pandas as pd
import pytest

import paragraph as pg
from paragraph.widgets.onepage.facts import worth_opening

from .. import hostile
from ..refused import refused
from .graphs import Page, demo, graph_of

FACTS = {fact.text: fact for section in pg.overview(demo()).sections for fact in section.facts}


def facts(page, title):
    return {fact.text: fact for section in page.sections if section.title == title for fact in section.facts}


def test_figures_are_those_of_the_summary():
    summary = demo().summary()
    for text, name in {
        "rows": "rows", "sentences": "sentences", "pairs stated positive": "positive",
        "clusters": "clusters", "of 1 sentence": "single sentences",
        "pairs stated negative": "negative",
    }.items():  # fmt: skip
        assert FACTS[text].value == f"{summary[name]:,}", text
    assert FACTS["negatives inside a cluster, in 31 clusters"].value == "52"
    assert [fact.value for text, fact in FACTS.items() if text.startswith("inferred")] == ["616", "6,205"]


@pytest.mark.slow
def test_each_filter_finds_as_many_clusters_as_its_figure_says():
    page = pg.overview(demo())
    for section in page.sections:
        for fact in section.facts:
            if fact.opens:
                page.visit(fact.opens)
            if section.title == "Clusters by size" or fact.text == "clusters":
                assert len(page.explorer.found) == int(fact.value.replace(",", ""))
    page.visit(FACTS["negatives inside a cluster, in 31 clusters"].opens)
    assert len(page.explorer.found) == 31 and page.explorer.cluster == page.explorer.found[0]


def test_leakage_of_splits_and_of_a_test_table():
    pairs = pg.read_pairs(pg.DEMO)
    pairs["split"] = ["train"] * 1500 + ["dev"] * 300 + ["test"] * 312
    page = pg.overview(pg.ParaphraseGraph.from_pairs(pairs), test=pairs.tail(40))
    sides = dict(iter(pairs.groupby("split")))
    for title, train, other in (
        ("train and dev", sides["train"], sides["dev"]), ("train and the test table", pairs, pairs.tail(40)),
    ):  # fmt: skip
        report, found = pg.leakage(train, other), facts(page, f"Leakage: {title}")
        shown = {text.split(", of ")[0]: fact.value for text, fact in found.items()}
        assert shown == {row.what: f"{row.count:,}" for row in report.table().itertuples() if row.count}
        page.visit(next(iter(found.values())).opens)
        assert set(page.explorer.selection["text"]) == set(report.sentences["text"].head(6))


def test_without_an_audit_the_page_says_what_to_do_and_no_share():
    [section] = [one for one in pg.overview(demo()).sections if one.title.startswith("How many labels")]
    assert [fact.value for fact in section.facts] == ["0"] and "%" not in section.facts[0].text + section.note
    assert "paragraph audit" in section.note


def test_wrong_labels_of_an_audit():
    graph = demo()
    judged = pg.audit(graph, n=40).assign(same=1)
    shown = facts(pg.overview(graph, audit=judged), "Wrong labels, by an audit")
    table = pg.audited(graph, judged).table.query("judged > 0")
    assert len(shown) == len(table)
    for fact, row in zip(shown.values(), table.itertuples(), strict=True):
        assert f"{row.wrong} of {row.judged} judged" in fact.text
        assert float(fact.value.removesuffix(" %")) == pytest.approx(100 * row.share, abs=0.51)


def test_clusters_worth_opening_take_turns():
    graph = graph_of("a+b b+c c+d d+e e+f a-c g+h h+i g-i i-h j+k")
    doubt = pd.DataFrame({"text_a": ["j"], "text_b": ["k"], "p_wrong": [0.75]})
    assert worth_opening(graph, doubt)[["cluster", "why"]].values.tolist() == [
        [0, "1 conflict"], [2, "a label is wrong with probability 0.75"], [1, "1 conflict"],
    ]  # fmt: skip
    assert len(worth_opening(graph_of("a+b"))) == 0  # nothing to say of it
    assert worth_opening(demo())["cluster"].is_unique and len(worth_opening(demo())) == 10


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
    ask("open", section=0, fact=1)
    before = page.explorer.cluster
    for at in ({"section": 0, "fact": 0}, {"section": -1, "fact": 0}, {"section": 99, "fact": 0}, {"section": "0"}):
        assert len(ask.send({"intent": "open", **at})) == 1
    assert len(ask.send(None)) == 1 and page.explorer.cluster == before


def test_sentences_that_may_stand_for_nothing_are_listed_and_open():
    rows = [("#NAME?", "Who won?", 1), ("#NAME?", "Is it far?", 1), ("Who won?", "ab", 0)]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    page = pg.overview(pg.ParaphraseGraph.from_pairs(pairs))
    found = facts(page, "2 sentences to look at")
    assert [*found] == ["a placeholder: “#NAME?”", "a placeholder: “ab”"]
    assert [fact.value for fact in found.values()] == ["2", "0"]
    page.visit(found["a placeholder: “#NAME?”"].opens)
    assert page.explorer.selection["text"].tolist() == ["#NAME?"]
