"""The screen of every review: a queue, one pair of it above its picture, and what explains it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ...decisions.queue import Items
from ...draw.style import Line
from ...draw.view import View
from ...graph import ParaphraseGraph
from ...pairs import PairsError
from ..base.scene import Scene, make_scene, still_view
from ..base.why import why_pair, why_sentence
from ..base.widget import LAYERS, PAGE, Bench
from .questions import review_help

__all__ = ["Screen"]

DIMMED = 30  # in clusters with more sentences, what is not of the item is dimmed
SHOWN = ("all", "open", "decided", "settled")
KEPT = 20  # pictures kept, of clusters seen last


class Screen(Bench):
    """A queue of pairs of sentences, and the picture that goes with the one on screen.

    It knows nothing of decisions: `Review` makes them, and tells the page what stands above the picture (`_tell`).
    """

    _css = Bench._css + Path(__file__).with_name("style.css").read_text(encoding="utf-8")

    case = traitlets.Dict().tag(sync=True)  #: the pair on screen, and how the last action went
    words = traitlets.Dict().tag(sync=True)  #: what an item is called, and the keys that decide it

    _entry = "item"
    _layer = "judged"  #: a kind of line that only this review has
    _kinds: dict[str, Line] = {}  # noqa: RUF012 - how its lines are drawn on paper, by what they say
    _called: str
    _queue: Items

    def __init__(
        self,
        graph: ParaphraseGraph | None,
        words: dict[str, Any],
        *,
        seed: int = 0,
        height: int = 680,
        limit: int = 120,
    ):
        if not isinstance(graph, ParaphraseGraph | None):
            raise PairsError("a review takes a graph: ParaphraseGraph.from_pairs(pairs)")
        self._layers = LAYERS | {self._layer: True}
        keys = review_help(words)
        super().__init__(name=self._called, words=words, shortcuts=keys, layers=self._layers, height=height)
        self.graph, self.seed = graph, seed
        self._words, self._show = "", "all"
        self._item: int | None = None
        self._error = self._message = ""
        self._scene, self._limit, self._made = Scene(), limit, 0
        self._kept: dict[tuple[int, ...], tuple[int, Scene]] = {}  # pictures by their clusters, the last used last

    @property
    def current(self) -> int | None:
        """Number of the item on screen."""
        return None if self._item is None else self._queue.number[self._item]

    @current.setter
    def current(self, number: int) -> None:
        with self.hold_sync():
            self.on_open(number)

    @property
    def queue(self) -> pd.DataFrame:
        """All items in their order: `number`, `text_a`, `text_b`, `state`."""
        items, queue = self._queue.items, self._queue
        table = pd.DataFrame([queue.pair[item] for item in items], columns=["text_a", "text_b"], dtype="str")
        table.insert(0, "number", np.arange(1, len(items) + 1))
        return table.assign(state=pd.array([queue.state(item) for item in items], dtype="str"))

    def on_open(self, item: int) -> None:
        """Show an item of the list, by its number."""
        last = len(self._queue.items)
        if isinstance(item, bool) or not isinstance(item, int | np.integer) or not 1 <= item <= last:
            raise PairsError(f"{item!r} is not the number of a {self.words['one']}: they are 1 to {last}")
        self._message = ""
        self._go(self._queue.items[item - 1])

    def on_query(self, words: str | None = None, show: str | None = None) -> None:
        """Search the queue, or show a part of it."""
        if not isinstance(words, str | None) or show not in (None, *SHOWN):
            raise PairsError(f"find a text, not {words!r}, among one of {', '.join(SHOWN)}, not {show!r}")
        self._words = self._words if words is None else words
        self._show = self._show if show is None else show
        self._list_page(0)

    def on_select(self, keys: list[str]) -> None:
        """Explain one or two sentences that were clicked; none brings the item back."""
        drawn = {node["key"] for node in self._scene.nodes}
        self.selected = keys = [key for key in dict.fromkeys(keys) if key in drawn]
        nodes = [int(key[1:]) for key in keys]
        if len(nodes) in (1, 2):
            self._aside(why_sentence(self.graph, *nodes) if len(nodes) == 1 else why_pair(self.graph, *nodes))
        else:
            self._explain()

    def on_show(self, key: str) -> None:
        """Mark a sentence of the explanation in the picture, where it is drawn."""
        self.selected = [key] if any(node["key"] == key for node in self._scene.nodes) else []

    def on_edge(self, id: str) -> None:
        """Explain a line that was clicked: its label and its rows."""
        line = next((line for line in self._scene.edges if line["id"] == id), None)
        if line is None:
            raise PairsError(f"no line is called {id!r}")
        self.selected = [line["from"], line["to"]]
        self._aside(why_pair(self.graph, line["a"], line["b"]))

    def on_expand(self, key: str) -> None:
        """Do nothing after a double click."""

    # -- what a subclass may say ---------------------------------------------------------------------------

    def _nodes(self, item: int) -> list[int]:
        """The sentences that the picture of an item must show, its two ends first; none where there is no picture."""
        return []

    def _lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The lines of the picture, those marked that matter to the item on screen."""
        return lines

    def _estimate(self) -> list[str]:
        """The line under the progress, and a smaller one below it."""
        return []

    # -- how it is done ------------------------------------------------------------------------------------

    def _go(self, item: int | None) -> None:
        """Show an item, or that none is left."""
        self._item = item
        with self.hold_sync():
            self.selected = []
            self._draw()
            self._tell()
            self._list_page()
        self._update_twin()  # last: it is drawn from what is shown

    def _draw(self) -> None:
        """Draw the clusters of the item, as decisions have left them."""
        number, self._scene = 0, Scene()
        if self._item is not None:
            number, scene = self._scene_with(self._nodes(self._item))
            edges = self._lines(scene.edges)
            torn = {key for line in edges if line["layer"] == "conflicts" for key in (line["from"], line["to"])}
            nodes = [node | {"conflict": node["key"] in torn} for node in scene.nodes]
            self._scene = replace(scene, nodes=nodes, edges=edges)
        self.picture = {
            "scene": number, "view": "cluster", "title": self._title(), "note": self._scene.note,
            "nodes": self._scene.nodes, "edges": self._scene.edges, "inferred": [], "farthest": 1,
        }  # fmt: skip

    def _scene_with(self, wanted: list[int]) -> tuple[int, Scene]:
        """Find or draw the clusters of some sentences; their number tells the page when the picture is another."""
        wanted = list(dict.fromkeys(wanted))
        if not wanted:
            return 0, Scene()
        clusters = tuple(dict.fromkeys(self.graph.cluster_of[wanted].tolist()))
        number, scene = self._kept.pop(clusters, (0, Scene()))
        if not set(wanted) <= set(scene.sentences.tolist()):
            self._made = number = self._made + 1
            scene = make_scene(self.graph, clusters, (), self._limit, self.seed, tuple(wanted), neighbours=0)
        self._kept[clusters] = number, scene
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return number, scene

    def _prepare(self) -> None:
        """Lay out the next item while the reviewer reads this one."""
        following = self._queue.next(self._item) if self._item is not None else None
        if following not in (None, self._item):
            self._scene_with(self._nodes(following))

    def _explain(self) -> None:
        if self._item is None:
            done = self._queue.progress()
            explanation = {"title": "Nothing to decide", "text": self._title()}
            if done["total"]:
                facts = [[name, str(done[name])] for name in ("total", "decided", "settled", "skipped")]
                explanation |= {"facts": facts} | self._summary()
        else:
            explanation = self._evidence()
            explanation["highlight"]["soft"] = len(self._scene.nodes) <= DIMMED
        self._show_why(explanation)

    def _aside(self, explanation: dict[str, Any]) -> None:
        """Show something else than the item on the right; Esc brings the item back."""
        back = {"text": f"Back to the {self.words['one']} (Esc)", "intent": "select", "content": {"keys": []}}
        self._show_why(explanation | {"actions": [back]})

    def _list_page(self, page: int | None = None) -> None:
        """Send a page of the list: by default that of the item on screen, or the one shown last."""
        found = self._queue.find(self._words, self._show)
        if page is None:
            page = found.index(self._item) // PAGE if self._item in found else self.listing.get("page", 0)
        self._send_list(
            found, page, current=self.current, words=self._words, show=self._show,
            progress=self._queue.progress(), estimate=self._estimate(), note=self._listing_note(),
        )  # fmt: skip

    def _rows(self, found: list[int]) -> list[dict[str, Any]]:
        return [self._row(item) for item in found]

    def _row(self, item: int) -> dict[str, Any]:
        queue = self._queue
        texts, description = list(queue.pair[item]), queue.description(item)
        row = {"item": queue.number[item], "texts": texts, "state": queue.state(item), "description": description}
        return row | {"aside": "", "hint": ""}

    def _still(self) -> View:
        view = still_view(self._scene, self._title(), self.layers, [], self.placed)
        return view._replace(edges=[edge._replace(line=self._kinds.get(edge.why, edge.line)) for edge in view.edges])
