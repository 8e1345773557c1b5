"""More like this: the sentences of other clusters that are most like a chosen one."""

import numpy as np
import pytest

import paragraph as pg
from paragraph.widgets.explorer import like

from ..hostile import SENTENCES
from ..hostile import graph as hostile_graph
from .graphs import graph_of
from .page import Shown

ROWS = [
    ("cats purr softly", "why do cats purr", 1), ("do cats purr at night", "dogs bark", 0),
    ("why do cats purr", "when do cats purr", 0), ("rain falls", "snow falls", 1),
]  # fmt: skip


@pytest.fixture(params=["words", "meaning"])
def explorer(request, monkeypatch):
    """With vectors at hand, or with none."""
    graph = graph_of(*ROWS)
    kept = {"words": lambda texts: None, "meaning": lambda texts: np.eye(len(texts))[:, :3] + 0.01}
    monkeypatch.setattr(like, "cached_vectors", kept[request.param])
    return request.param, pg.Explorer(graph)


def test_the_nearest_in_no_common_cluster_are_listed_and_open_at_a_click(explorer):
    by, explorer = explorer
    graph, page = explorer.graph, Shown(explorer)
    asked = graph.node("why do cats purr")
    actions = page.tell("show", key=f"n{asked}")["why"]["actions"]
    why = page.tell(actions[0]["intent"], **actions[0]["content"])["why"]
    assert why["sentence"] == "why do cats purr" and f"by {by}" in why["how"].casefold()
    nodes = [int(pair["keys"][0][1:]) for pair in why["pairs"]]
    assert [pair["texts"] for pair in why["pairs"]] == [[text] for text in graph.texts(nodes)]
    assert not set(nodes) & set(graph.members(graph.cluster_of[asked])) and nodes
    if by == "words":
        assert why["pairs"][0]["texts"][0] == "when do cats purr"
        assert "1 stated negative keep" in why["pairs"][0]["detail"] and "dogs bark" not in str(why["pairs"])
    held = page.told("show", key=why["pairs"][0]["keys"][0])
    assert held["selected"] == why["pairs"][0]["keys"] and not page.errors
    assert explorer.selection["node"].tolist() == nodes[:1]


def test_a_saved_page_does_not_offer_it_and_sentences_stay_text(explorer):
    _, explorer = explorer
    why = Shown(explorer, explorer._page()).tell("show", key="n0")["why"]
    assert why["title"] == "Sentence" and "actions" not in why
    hostile = pg.Explorer(hostile_graph())
    found = hostile._keeper.like(0)["found"]
    assert {text for _, text, *_ in found} <= set(SENTENCES)
