"""Explanations and queries: one table of facts each, which the library and the page are held to."""

import json
from pathlib import Path

import pytest

import paragraph as pg

from ..hostile import graph as hostile_graph
from .graphs import demo, graph_of
from .page import Shown, explained

REASONS, QUERIES = (
    json.loads((Path(__file__).parents[1] / "facts" / f"{name}.json").read_text("utf-8"))
    for name in ("reasons", "queries")
)


@pytest.mark.parametrize(("rows", "a", "b", "verdict", "reason", "steps"), REASONS)
def test_why_two_sentences_count_as_the_same(rows, a, b, verdict, reason, steps):
    graph = graph_of(rows)
    found = pg.explain(graph, a, b)
    assert (found.verdict, found.reason) == (verdict, reason)
    assert [[step.text_a, step.text_b, step.sign] for step in found.steps] == steps
    [said] = explained(graph, [[graph.node(a), graph.node(b)]])
    assert (said["badge"], said["text"]) == (verdict, f"{reason[0].upper()}{reason[1:]}.")
    told = [[*step["texts"], step["sign"]] for step in said["steps"]]
    assert told == (steps if verdict in ("inferred", "conflict") else [])


@pytest.fixture(scope="module")
def asked():
    graph = graph_of(*(tuple(part) for part in rows_of(QUERIES["graph"])))
    explorer = pg.Explorer(graph)
    return explorer, Shown(explorer), Shown(explorer, explorer._page())


def rows_of(text):
    """Rows as `graph_of` takes them; names of two words stand at the end."""
    *short, last = text.split("  ")
    for row in " ".join(short).split():
        yield row[0], row[2], int(row[1] == "+")
    yield *last.split("+"), 1


@pytest.mark.parametrize(("query", "ids"), QUERIES["queries"], ids=str)
def test_which_clusters_answer_a_query(asked, query, ids):
    explorer, *pages = asked
    explorer.query = query
    for page in pages:
        page._run(f"adopt({json.dumps({'query': explorer.query})})")
        assert [row["cluster"] for row in page.held()["listing"]["rows"]] == ids, page.errors


ACTS = [
    ("select", {"keys": ["n0"]}), ("select", {"keys": ["n0", "n1"]}), ("view", {"view": "clusters"}),
    ("open", {"cluster": 2}), ("view", {"view": "cluster"}), ("query", {"words": "how"}), ("query", {"sort": "size"}),
    ("page", {"page": 0, "open": "last"}),
    ("layers", {"layers": {"inferred_positive": True, "distance": 3}}),
    ("query", {"words": "hwo"}), ("select", {"keys": []}), ("show", {"key": "n3"}), ("expand", {"key": "c1"}),
]  # fmt: skip


@pytest.mark.parametrize("graph", [demo(), hostile_graph()], ids=["demo", "hostile"])
def test_a_saved_page_answers_as_one_before_a_kernel(graph):
    explorer = pg.Explorer(graph)
    live, saved = Shown(explorer), Shown(explorer, explorer._page())
    for intent, content in ACTS:
        if "layers" in content:
            content = {"layers": explorer.layers | content["layers"]}
        one, other = (page.tell(intent, **content) for page in (live, saved))
        assert one == other, (intent, content)
    assert live.errors == saved.errors
