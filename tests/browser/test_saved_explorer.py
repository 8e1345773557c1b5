"""The Explorer as a page: its kernel in JavaScript answers as Python's does; it asks nothing and runs nothing."""

import json
import random
import re
from functools import cache

import pandas as pd
import pytest

import paragraph as pg
from paragraph.widgets.explorer import saved as saved_module

from ..hostile import SENTENCES
from ..hostile import graph as hostile_graph
from ..widgets.test_friends import alike
from .desk import calling

#: Sends intents one by one; what the page holds after each.
SEND = """async (sent) => {
  const { model } = document.querySelector(".pg-bench-live").bench, seen = [];
  for (const [n, { layers, ...message }] of sent.entries()) {
    if (layers) { model.set("layers", layers); model.save_changes(); }
    model.send({ ...message, n: 1000 + n });
    await new Promise((done) => setTimeout(done));
    const traits = ["picture", "listing", "why", "dress", "selected"].map((name) => [name, model.get(name)]);
    seen.push(JSON.stringify(Object.fromEntries(traits)));
  }
  return seen;
}"""


@cache
def demo():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return pg.Explorer(demo(), fresh=True).save(tmp_path_factory.mktemp("saved") / "clusters.html")


TRAITS = ("picture", "listing", "why", "dress", "selected")


def held(explorer):
    """What the Explorer holds, less what a page leaves out."""
    found = json.loads(json.dumps({name: getattr(explorer, name) for name in TRAITS}))
    for name in ("neighbours", "steps"):
        found["dress"]["options"].pop(name, None)
    return found


def told(explorer, message):
    if "layers" in message:
        explorer.layers = message["layers"]
    explorer._answer(None, message | {"n": 0}, None)
    return held(explorer)


def assert_same(one, other, message):
    """After an intent both hold the same; places, which are rounded, to a fifth of a pixel."""
    for mine, its in zip(one["picture"]["nodes"], other["picture"]["nodes"], strict=True):
        assert (mine.pop("x"), mine.pop("y")) == pytest.approx((its.pop("x"), its.pop("y")), abs=0.2)
    for name in one:
        assert one[name] == other[name], f"{name} after {message}"


def walk(explorer, steps, seed):
    """Intents of all kinds in a row, each one that makes sense where the last one led; and what Python then holds."""
    rng, graph = random.Random(seed), explorer.graph
    sent, seen = [], []

    def words():
        text = graph.text(rng.randrange(graph.n)).split()
        at = rng.randrange(len(text))
        return " ".join(rng.choice([text[at : at + 1], text[at : at + 2], text]))

    def some(count, kinds="nc"):
        keys = [node["key"] for node in explorer.picture["nodes"] if node["key"][0] in kinds]
        return rng.sample(keys, min(count, len(keys)))

    def query():
        side = rng.choice(["least", "most"])
        asked = {
            "words": rng.choice([words(), words()[:-1] + "x", f"row {rng.randrange(2_000)}", ""]),
            "bound": {"name": "size", "side": side, "value": rng.choice([None, 2, 4])},
            "sort": rng.choice(["size", "density", "negatives", "cluster"]),
            "kind": rng.choice(["any", "within", "direct", "none"]),
            "reset": True,
        }
        name = rng.choice(["words", *asked])
        return {name: asked[name]}

    def look():
        return rng.choice([{"color": rng.choice(explorer.dress["options"]["color"])[0]}, {"labels": 50}])

    inferred = ["inferred_positive", "inferred_negative"]
    makers = {
        "open": lambda: {"cluster": int(len(graph.cluster_sizes) * rng.random() ** 4)},  # large ones more often
        "query": query,
        "page": lambda: {"page": rng.randrange(7), "open": rng.choice([None, "first", "last"])},
        "view": lambda: {"view": rng.choice(["cluster", "clusters"])},
        "layers": lambda: {"layers": explorer.layers | {rng.choice(inferred): rng.random() < 0.7}},
        "look": look,
        "select": lambda: {"keys": some(rng.choice([0, 1, *[2] * 9, 3]), rng.choice(["n", "n", "n", "nc"]))},
        "edge": lambda: {"id": rng.choice(explorer.picture["edges"] or [{"id": "e0"}])["id"]},
        "show": lambda: {"key": f"n{rng.randrange(graph.n)}"},
        "expand": lambda: {"key": rng.choice(some(50))},
    }
    # First every line of the largest cluster, and words that are found in part, together, or as a whole sentence.
    queue = [{"intent": "edge", "id": edge["id"]} for edge in explorer.picture["edges"]]
    queue += [{"intent": "query", "words": found} for found in ("how", "can i", "i can", "how can i lose weight", "")]
    for _ in range(steps):
        intent = rng.choice([*makers, *["select"] * 10, *["query"] * 4, *["expand"] * 3])
        sent.append(queue.pop(0) if queue else {"intent": intent} | makers[intent]())
        seen.append(told(explorer, sent[-1]))
    return sent, seen


def opened(visit, path, **options):
    seen = visit(path, **options)
    seen.page.wait_for_selector(".pg-bench[data-answered]")
    return seen


def assert_kernels_agree(seen, explorer, steps, seed):
    first = held(explorer)
    sent, own = walk(explorer, steps, seed)
    sent, own = [{"intent": "ready"}, *sent], [first, *own]
    for message, mine, its in zip(sent, own, seen.page.evaluate(SEND, sent), strict=True):
        assert_same(mine, json.loads(its), message)
    seen.assert_quiet()


@pytest.mark.parametrize("steps, seed", [(150, 1), pytest.param(2_000, 2, marks=pytest.mark.long)])
def test_both_kernels_give_the_same_answers(visit, saved, steps, seed):
    assert_kernels_agree(opened(visit, saved), pg.Explorer(demo(), fresh=True), steps, seed)


def test_distances_in_hops_columns_of_a_person_and_doubts_are_on_the_page(visit, tmp_path):
    pairs = pg.read_pairs(pg.DEMO).head(60)
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    columns = pd.DataFrame({"node": range(graph.n), "letters": map(len, graph.texts(range(graph.n)))})
    columns["kind"] = [None if node % 4 == 0 else f"<b>{node % 3}" for node in range(graph.n)]
    doubts = pairs.head(5).assign(p_wrong=[0.1, 0.9, 0.5, 0.2, 0.3])
    explorer = pg.Explorer(graph, fresh=True, columns=columns, suspects=doubts, distance="hops")
    assert_kernels_agree(opened(visit, explorer.save(tmp_path / "clusters.html")), explorer, 60, 4)


@pytest.mark.parametrize("width", [390, 1400])
def test_how_sure_labels_that_follow_are_is_on_the_page(visit, tmp_path, width):
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO).head(300))
    friends = pg.trust(pg.infer(graph), alike, progress=False)
    explorer = pg.Explorer(graph, fresh=True, friends=friends)
    explorer.layers = explorer.layers | {"inferred_positive": True, "distance": 3}
    seen = opened(visit, explorer.save(tmp_path / "clusters.html"), width=width)
    page = seen.page
    right = [one[4] for one in explorer.picture["inferred"] if one[3] <= 3]
    slider = page.locator("[data-layer=sure]")
    for level in (0, 0.6, 0.75, 0.99):
        slider.fill(str(level))
        slider.dispatch_event("change")
        shown = "document.querySelector('.pg-bench-live').bench.visible().filter((line) => line.far).length"
        page.wait_for_function(f"{shown} === {sum(one >= 1000 * level for one in right)}")
        said = page.text_content("label:has([data-layer=sure]) .pg-reach-text")
        assert said == f"≥ {level:.2f}, {sum(one < 1000 * level for one in right)} of {len(right)} hidden"
    slider.fill("0.6")
    slider.dispatch_event("change")
    far = max(explorer.picture["inferred"], key=lambda one: one[3])
    page.evaluate("(keys) => document.querySelector('.pg-bench-live').bench.model.send("
                  "{ intent: 'select', keys, n: 99 })", far[:2])  # fmt: skip
    page.wait_for_selector(f".pg-why p:text('right with {(far[4] + 5) // 10 / 100:.2f}.')")
    assert page.text_content(".pg-steps strong").endswith(", the weakest step")
    assert len(page.query_selector_all(".pg-steps .pg-right-with")) == len(page.query_selector_all(".pg-steps li"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.reload()
    page.wait_for_selector(".pg-bench[data-answered]")
    page.click("[data-layer=inferred_positive]")
    assert page.text_content("label:has([data-layer=sure]) .pg-reach-text").endswith("of inferred labels")
    page.reload()
    page.wait_for_selector(".pg-bench[data-answered]")
    assert_kernels_agree(seen, explorer, 60, 5)


# The page's policy would stop a script that got through; switched off, it shows that none gets through.
@pytest.mark.parametrize("bypass_csp", [True, False])
def test_hostile_sentences_are_shown_and_not_run(visit, tmp_path, bypass_csp):
    explorer = pg.Explorer(hostile_graph(), fresh=True)
    seen = opened(visit, explorer.save(tmp_path / "clusters.html"), bypass_csp=bypass_csp)
    assert_kernels_agree(seen, explorer, 40, 3)
    page = seen.page
    page.reload()
    page.wait_for_selector(".pg-bench[data-answered]")
    assert {item.text_content() for item in page.query_selector_all(".pg-sentences li")} >= set(SENTENCES[:10])
    for number in range(10):
        page.mouse.move(*page.evaluate(f"document.querySelector('.pg-bench-live').bench.spotOf('n{number}')"))
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
    monkeypatch.setattr(saved_module, "LIMIT", 240_000)
    graph = demo()
    path = pg.Explorer(graph, 100, fresh=True).save(tmp_path / "clusters.html")
    seen = opened(visit, path)
    assert path.stat().st_size < 240_000
    now = json.loads(seen.page.evaluate(SEND, [{"intent": "query", "reset": True}])[0])
    held = [row["cluster"] for row in now["listing"]["rows"]]
    conflicts = sorted(set(pg.conflicts(graph)["cluster"]))
    assert sorted(held) == held == [*conflicts[: len(held) - 1], 100] and len(held) < len(conflicts)
    assert f"Contains {len(held)} of 296 clusters" in seen.page.text_content("header")
    assert now["picture"]["note"] == "1 neighbouring cluster of cluster 100 is not on this page."
    assert seen.page.text_content(".pg-note") == now["picture"]["note"]
    chosen = {"intent": "select", "keys": [now["picture"]["nodes"][0]["key"]]}
    assert "not on this page" in json.loads(seen.page.evaluate(SEND, [chosen])[0])["why"]["note"]
    seen.assert_quiet()


@pytest.mark.parametrize("width", [390, 900])
def test_keys_and_clicks_on_a_page(visit, saved, width):
    seen = opened(visit, saved, width=width)
    page = seen.page
    page.keyboard.press("/")
    page.keyboard.type("passport")
    page.wait_for_selector(".pg-found:text('best match')", timeout=10_000)
    page.keyboard.press("Enter")
    first = page.text_content(".pg-row.pg-item .pg-example")
    page.wait_for_selector(".pg-item.pg-current")
    assert "passport" in first.casefold()
    page.keyboard.press("v")
    page.wait_for_selector(".pg-clusters")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boxes = [page.query_selector(f".pg-{part}").bounding_box() for part in ("middle", "why", "list")]
    tops, wide = [box["y"] for box in boxes], [box["width"] for box in boxes]
    assert tops[0] < tops[2]  # the picture first, the list last
    if width == 390:
        assert tops == sorted(tops) and min(wide) == pytest.approx(max(wide), abs=2)
    assert page.evaluate(calling("wide")) == []
    seen.assert_quiet()


def test_conflicts_words_near_words_and_a_filter_are_to_click(visit, saved):
    seen = opened(visit, saved)
    page, said = seen.page, lambda: seen.page.text_content(".pg-found")
    assert page.text_content(".pg-roster h3").endswith("words that most other sentences do not contain")
    shade = page.eval_on_selector(".pg-sentences mark", "mark => getComputedStyle(mark).backgroundColor")
    red, _, blue = re.findall(r"[\d.]+", shade)[:3]
    assert float(red) <= float(blue), shade  # yellow is for conflicts
    page.click(".pg-facts dt:text('conflicts') + dd summary")
    page.click(".pg-facts dt:text('conflicts') + dd [data-edge]")
    page.wait_for_selector(".pg-why .pg-badge-conflict")
    page.keyboard.press("Escape")
    page.click(".pg-words button >> nth=0")
    word = page.input_value(".pg-search")
    assert word and all(
        word in one.text_content().casefold() for one in page.query_selector_all(".pg-item .pg-example")
    )
    page.fill(".pg-search", "learned")  # other forms of a word are found, and marked
    page.wait_for_selector(".pg-item mark:text-is('learning')")
    page.fill(".pg-search", "tortoise")  # single sentences are not in the list, but said and shown at a click
    page.wait_for_selector(".pg-found:has-text('No cluster holds')")
    page.click(".pg-found button:text-is('show 2 single sentences more')")
    page.wait_for_selector(".pg-found:has-text('2 clusters')")
    assert len(page.query_selector_all(".pg-item")) == 2
    page.click(".pg-in-force")
    page.fill(".pg-search", "pasport")
    page.click(".pg-found button:text-is('passport')")
    assert page.input_value(".pg-search") == "passport" and "cluster" in said()
    before = said()
    page.click(".pg-filters summary")
    page.select_option("select[aria-label='Kind of conflict']", "direct")
    page.click(".pg-filters summary")
    assert "conflict: direct" in said()
    page.click(".pg-in-force")
    assert said() == before and page.input_value(".pg-search") == "passport"
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
