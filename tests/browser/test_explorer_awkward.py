"""The Explorer with sentences nobody should trust, and graphs nobody likes to draw."""

import pytest

from ..hostile import SENTENCES, table

pytestmark = pytest.mark.usefixtures("quiet")


def code_of(rows):
    """Statements that make the graph of rows ``(text, text, label)``."""
    return (
        f"import pandas as pd; t = pd.DataFrame({rows!r}, columns=['text_a', 'text_b', 'label'])\n"
        "t = t.astype({'text_a': 'str', 'text_b': 'str', 'label': 'Int8'}).assign(row=range(2, 2 + len(t)))\n"
        "graph = pg.ParaphraseGraph.from_pairs(t)"
    )


def test_hostile_sentences_are_shown_and_not_run(desk, visit, tmp_path):
    rows = table()
    desk.show(code_of(list(zip(rows["text_a"], rows["text_b"], rows["label"].tolist(), strict=True))))
    desk.tell("here = 0")
    for cluster in range(desk.ask("len(graph.cluster_sizes)")):
        desk.open(cluster)
        desk.tell("explorer.query = Query(bounds={})")
        desk.follow()
        assert {row["text"] for row in desk.rows()} <= set(SENTENCES)
        desk.press("4", "5")
        for view in ("cluster", "clusters"):
            desk.push(f"[data-layer={view}]")
            for key in [node["key"] for node in desk.ask("explorer.picture['nodes']")]:
                desk.page.mouse.move(*desk.spot(key))
                tip = desk.page.wait_for_selector(".pg-tip.pg-shown").text_content()
                said = desk.click(key)
                if key[0] == "n":
                    sentence = desk.ask(f"graph.text({key[1:]})")
                    assert said["whole"] == sentence
                    assert tip.startswith(sentence[:700]) or tip in SENTENCES  # another may lie on it
            for line in desk.bench("visible()")[:12]:
                ends = [line["from"], line["to"]]
                desk.tell(f"explorer.on_edge({line['id']!r})" if "id" in line else f"explorer.on_select({ends})")
                desk.follow()
                assert set(desk.why()["pair"]) <= set(SENTENCES)
    for words in ("<script>", "onerror", '"', "\\", "[a-z]+", "مرحبا"):
        desk.root.query_selector(".pg-search").fill(words)
        desk.until("searched", words)
        desk.settle()
        assert all(row["marks"] for row in desk.rows())
    desk.root.focus()
    assert desk.js("foreign") == 0
    desk.tell("explorer.cluster = 0")
    for name, drawn in (("hostile.html", ".pg-canvas"), ("hostile.svg", "svg")):
        path = tmp_path / name
        desk.tell(f"explorer.save({str(path)!r})")
        saved = visit(path)
        saved.page.wait_for_selector(drawn)
        saved.assert_quiet()


TREE = [(f"Sentence {i // 2} of a tree?", f"Sentence {i} of a tree?", 1) for i in range(1, 5000)]
AWKWARD = {
    "3,000 characters": [("long " * 600, "short one", 1), ("short one", "x" * 3000, 0)],
    "right to left": [("كيف حالك اليوم؟", "كيف الحال؟", 1), ("كيف الحال؟", "מה שלומך?", 0)],
    "emoji": [("👩‍👩‍👧 🫠?", "🫠🫠🫠", 1), ("🫠🫠🫠", "🇩🇪", 0)],
    "only punctuation": [("?!", "...", 1), ("...", "—", 0)],
}


def test_awkward_sentences(desk):
    for case, rows in AWKWARD.items():
        desk.show(code_of(rows))
        desk.open(0)
        for node, key in enumerate(("n0", "n1", "c1")):
            said = desk.click(key)
            assert (said["whole"] or said["pairs"][0]["texts"][0]) == desk.ask(f"graph.text({node})"), case
        assert desk.js("wide") == [], case


def test_a_graph_without_sentences_and_one_without_positives(desk):
    desk.show(code_of([]))
    assert desk.root.query_selector(".pg-empty").is_visible()
    assert desk.text(".pg-empty") == "The graph has no sentences."
    assert desk.text(".pg-found") == "The graph has no clusters." and desk.rows() == []
    desk.root.focus()
    desk.press("ArrowDown", "PageDown", "v", "v", "4", "0", "+", "Enter", "Escape")
    desk.ground()
    assert desk.chosen() == [] and not desk.root.query_selector(".pg-banner").is_visible()

    desk.show(code_of([("one", "two", 0), ("two", "three", 0)]))
    desk.open(0)
    assert "No cluster passes the filter" in desk.text(".pg-found")
    assert desk.click(desk.find("link"))["pairs"][0]["texts"] == ["one", "two"]
    desk.tell("explorer.query = Query(bounds={})")
    desk.follow()
    assert [row["size"] for row in desk.rows()] == [1, 1, 1]


@pytest.mark.long
@pytest.mark.parametrize("size", [1000, 5000])
def test_giant_cluster(desk, size):
    desk.show(code_of(TREE[: size - 1]))
    desk.open(0)
    assert f"of the {size:,} sentences of cluster 0 are shown" in desk.text(".pg-note")
    assert len(desk.ask("explorer.picture['nodes']")) <= 300
    node = desk.find("sentence")
    assert desk.click(node)["whole"] == node["text"]
    desk.assert_explained(desk.click(line := desk.find("positive")), line["a"], line["b"])
    last = desk.ask("graph.text(graph.n - 1)")  # one that was left out
    desk.tell("explorer.selection = [graph.n - 1]")
    desk.follow()
    assert desk.why()["whole"] == last
