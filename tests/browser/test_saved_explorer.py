"""The Explorer as a saved page in a browser: it asks nothing and runs nothing."""

import re

import pytest

import paragraph as pg
from paragraph.decisions.log import records_of
from paragraph.widgets.explorer import saved as saved_module

from ..hostile import SENTENCES
from ..hostile import graph as hostile_graph
from ..widgets.graphs import at, demo, graph_of
from .conftest import window
from .desk import calling, rows_of, swipe

BENCH = "document.querySelector('.pg-bench-live').bench"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A page that begins at another cluster than the largest."""
    return at(40, pg.Explorer(demo())).save(tmp_path_factory.mktemp("saved") / "clusters.html")


def opened(visit, path, **options):
    seen = visit(path, **options)
    seen.page.wait_for_selector(".pg-bench[data-answered]")
    return seen


def line_of(page, kind):
    """Click a line of a kind in the picture, once it stands still; return its ends."""
    page.evaluate("document.querySelector('.pg-stage').scrollIntoView({ block: 'center' })")
    before = None
    while (found := page.wait_for_function(calling("find"), arg=kind).json_value()) != before:
        before = found
        page.evaluate(calling("painted"))
    page.mouse.click(found["x"], found["y"])
    return [int(found[end][1:]) for end in ("from", "to")]


# The page's policy would stop a script that got through; switched off, it shows that none gets through.
@pytest.mark.parametrize("bypass_csp", [True, pytest.param(False, marks=pytest.mark.long)])
def test_hostile_sentences_are_shown_and_not_run(visit, tmp_path, bypass_csp):
    explorer = pg.Explorer(hostile_graph())
    seen = opened(visit, explorer.save(tmp_path / "clusters.html"), bypass_csp=bypass_csp)
    page = seen.page
    assert {item.text_content() for item in page.query_selector_all(".pg-sentences li")} >= set(SENTENCES[:10])
    for number in range(10):
        page.mouse.move(*page.evaluate(f"{BENCH}.spotOf('n{number}')"))
        tip = page.wait_for_selector(".pg-tip.pg-shown").text_content()
        assert any(text.startswith(tip[:700]) for text in SENTENCES)
    for item in page.query_selector_all(".pg-sentences li"):
        text = item.text_content()
        item.evaluate("item => item.click()")
        assert text not in SENTENCES or page.text_content(".pg-why .pg-whole") == text
        assert page.evaluate(calling("wide")) == []
    for words in ("<script>", "onerror", '"', "\\", "[a-z]+", "مرحبا"):
        page.fill(".pg-search", words)
        page.wait_for_function(calling("searched"), arg=words)
        assert all(row["marks"] for row in page.evaluate(calling("rows")))
    assert page.evaluate(calling("foreign")) == 0
    seen.assert_quiet()


def test_a_page_of_a_large_file_holds_conflicts_first_and_says_what_is_left_out(visit, tmp_path, monkeypatch):
    limit = len(saved_module.page(pg.Explorer(graph_of("a+b")))) + saved_module.MARGIN + 30_000
    monkeypatch.setattr(saved_module, "LIMIT", limit)
    graph = demo()
    path = at(100, pg.Explorer(graph)).save(tmp_path / "clusters.html")
    seen = opened(visit, path)
    assert path.stat().st_size < limit
    held = [row["cluster"] for row in seen.page.evaluate(calling("rows"))]
    conflicts = sorted(set(pg.conflicts(graph)["cluster"]))
    assert held == [*conflicts[: len(held) - 1], 100] and len(held) < len(conflicts)
    assert f"Contains {len(held)} of 258 clusters and 0 of 38 single sentences" in seen.page.text_content("header")
    note = seen.page.text_content(".pg-note")
    assert re.fullmatch(r"\d neighbouring clusters? of cluster 100 (is|are) not on this page.", note)
    seen.page.click(".pg-sentences li")
    seen.page.wait_for_selector(".pg-why :text('not on this page')")
    seen.assert_quiet()


@pytest.mark.parametrize("width", [390, pytest.param(1400, marks=pytest.mark.long)])
def test_a_conflict_down_to_its_rows_takes_five_clicks_and_a_search_keys_alone(visit, saved, width):
    seen, graph = opened(visit, saved, width=width), demo()
    page = seen.page
    page.click(".pg-filters summary")
    page.select_option("select[aria-label='Kind of conflict']", "within")  # two clicks
    page.wait_for_selector(".pg-in-force:has-text('within')")
    page.click(".pg-item >> nth=0")
    largest = int(graph.edge_clusters[0][graph.negatives_inside].min())  # ids go by size
    page.wait_for_selector(f".pg-title:has-text('Cluster {largest}:')")
    ends = line_of(page, "conflicts")
    page.wait_for_selector(".pg-badge-conflict")
    shown = [row.text_content() for row in page.query_selector_all(".pg-why tbody td:first-child")]
    assert shown == [str(row) for row in graph.source_rows(graph.edge_between(*ends))] != []

    page.click(".pg-in-force")
    for key in ["/", *"passport", "Enter"]:
        page.keyboard.press(key)
    home = int(graph.cluster_of[graph.search("passport")["node"][0]])
    page.wait_for_selector(f".pg-title:has-text('Cluster {home}:')")
    assert page.query_selector_all(".pg-sentences .hit")

    page.keyboard.press("v")
    page.wait_for_selector(".pg-clusters")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boxes = [page.query_selector(f".pg-{part}").bounding_box() for part in ("middle", "why", "list")]
    tops, wide = [box["y"] for box in boxes], [box["width"] for box in boxes]
    if width == 390:  # the picture first, the list last
        assert tops == sorted(tops) and min(wide) == pytest.approx(max(wide), abs=2)
    assert page.evaluate(calling("wide")) == []
    seen.assert_quiet()


@pytest.mark.parametrize("width", [390, pytest.param(1400, marks=pytest.mark.long)])
def test_the_proof_of_a_friend_takes_two_clicks(visit, saved, width):
    seen, graph = opened(visit, saved, width=width), demo()
    page = seen.page
    page.click("[data-control=inferred_positive]")
    ends = line_of(page, "inferred_positive")
    page.wait_for_selector(".pg-badge-inferred")
    steps = page.query_selector_all(".pg-steps li small")
    proof = pg.explain(graph, *graph.texts(ends)).to_dict()["steps"]
    assert [one.text_content() for one in steps] == [rows_of(step["rows"]) for step in proof] != []
    seen.assert_quiet()


def test_conflicts_words_and_single_sentences_are_to_click(visit, saved):
    seen = opened(visit, saved)
    page = seen.page
    page.click(".pg-item >> nth=0")
    page.wait_for_selector(".pg-facts dt:text('conflicts')")
    page.click(".pg-facts dt:text('conflicts') + dd summary")
    page.click(".pg-facts dt:text('conflicts') + dd [data-edge]")
    page.wait_for_selector(".pg-why .pg-badge-conflict")
    page.keyboard.press("Escape")
    page.click(".pg-words button >> nth=0")
    word = page.input_value(".pg-search")
    examples = [one.text_content().casefold() for one in page.query_selector_all(".pg-item .pg-example")]
    assert word and all(word in example for example in examples)
    page.fill(".pg-search", "learned")  # other forms of a word are found, and marked
    page.wait_for_selector(".pg-item mark:text-is('learning')")
    page.fill(".pg-search", "tortoise")  # single sentences are not in the list, but said and shown at a click
    page.wait_for_selector(".pg-found:has-text('No cluster holds')")
    page.click(".pg-found button:text-is('show 2 more')")
    page.wait_for_selector(".pg-found:has-text('2 clusters')")
    assert len(page.query_selector_all(".pg-item")) == 2
    seen.assert_quiet()


def test_a_word_being_composed_stays_in_the_search_of_a_bench_in_a_shadow_root(visit, saved):
    seen = opened(visit, saved)
    composed = """() => {
      const bench = document.querySelector(".pg-bench-live"), { model } = bench.bench;
      const shadow = bench.parentNode.attachShadow({ mode: "open" });
      shadow.append(bench);
      const search = shadow.querySelector(".pg-search");
      search.focus();
      search.value = "すし";
      model.set("listing", { ...model.get("listing"), words: "" });
      const key = { key: "Enter", isComposing: true, bubbles: true };
      search.dispatchEvent(new KeyboardEvent("keydown", key));
      return [search.value, shadow.activeElement === search];
    }"""
    assert seen.page.evaluate(composed) == ["すし", True]
    seen.assert_quiet()


@pytest.mark.parametrize("width, scrolls", [(390, True), (1400, False)])
def test_a_finger_on_the_ground_scrolls_the_page_or_pans_where_nothing_scrolls(chromium, saved, width, scrolls):
    with window(chromium, width, 900, has_touch=True, is_mobile=True) as seen:
        seen.page.goto(saved.as_uri())
        seen.page.wait_for_selector(".pg-bench[data-answered]")
        key = seen.page.evaluate(f"{BENCH}.model.get('picture').nodes[0].key")
        before = seen.page.evaluate(f"(key) => {BENCH}.spotOf(key)", key)
        box = seen.page.locator(".pg-canvas").bounding_box()
        scrolled = swipe(seen.page, box["x"] + 6, box["y"] + 200)
        moved = seen.page.evaluate(f"(key) => {BENCH}.spotOf(key)", key)[1] - before[1]
        assert scrolled > 50 if scrolls else (scrolled, round(moved)) == (0, -120)


#: Notes of each key the line that is chosen, and whether the page then says that the key was not taken.
FAST = """window.pressed = [];
const { model } = document.querySelector(".pg-bench-live").bench;
window.look = () => {
  const last = pressed.at(-1);
  if (last) last.isMissed = document.querySelector(".pg-message").textContent.startsWith("Not taken");
};
addEventListener("keydown", ({ key }) => {
  look();
  pressed.push({ key, chosen: model.get("selected").map((node) => Number(node.slice(1))) });
}, true);"""


@pytest.mark.parametrize("pace", [10, pytest.param(30, marks=pytest.mark.long)])
def test_quick_keys_among_quick_clicks_are_for_the_line_that_is_chosen(visit, tmp_path, pace):
    """Each key is in the file to hand in, for the line that was chosen, or the page says that it was not taken."""
    graph = graph_of("a+b b+c c+d d+e e+a a-c")
    seen = opened(visit, pg.Explorer(graph).save(tmp_path / "clusters.html"))
    page = seen.page
    page.fill("[name=reviewer]", "Ada")
    page.keyboard.press("Enter")
    line_of(page, "conflicts")  # nothing moves any more
    spots = [page.evaluate(f"{BENCH}.spotOf('e{edge}', .3)") for edge in range(5)]
    page.evaluate(FAST)
    for turn, keys in enumerate(["f", "ka", "a", "fk", "k", "fka", "a", "k", "f", "ak"]):
        page.mouse.click(*spots[turn % len(spots)])
        page.keyboard.type(keys, delay=pace)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the file to hand in").click()
    pressed = page.evaluate("look() ?? pressed")
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    taken = []
    for one in pressed:
        if len(one["chosen"]) == 2 and not one["isMissed"]:
            label = int(graph.edge_sign[graph.edge_between(*one["chosen"])] > 0)
            means = {"f": 1 - label, "k": label, "a": "?"}[one["key"]]
            taken.append(({*graph.texts(one["chosen"])}, str(means)))
    assert [({one.text_a, one.text_b}, one.same) for one in records_of(path)] == taken
    assert len({frozenset(pair) for pair, _ in taken}) > 2 and len(taken) > 6
    seen.assert_quiet()
