"""The answers of an Explorer to its page: each click and key is an intent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...pairs import PairsError
from ..base.keys import help_of
from ..base.why import why_negatives
from ..base.widget import ListBench
from .browse import COLUMNS, ClusterList, Query
from .looks import Look
from .screen import OPEN, Screen

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph
    from ..base.scene import Scene

__all__ = ["Intents"]

HELP = help_of(
    {
        "step": None, "page": None, "search": "search sentences", "go on": "open the first cluster of the list",
        "view": None, "matrix": None, "zoom": None, "number": "the layers on and off, from left to right",
        "back": "back: help, search, selection", "help": None,
    },
    {
        "Click": "a sentence or a line, to ask why",
        "Double click": "a neighbouring cluster, to see its sentences; again, to close it",
        "Ctrl or Shift click": "one more sentence",
        "Shift and drag": "choose a region",
        "Drag": "a sentence, to arrange; the ground, to move the picture",
        "Ctrl and the wheel": "zoom",
    },
    "cluster", "clusters",
)  # fmt: skip


class Intents(ListBench):
    """A list bench that answers what is clicked; the Explorer says how it then draws, lists and explains."""

    graph: ParaphraseGraph
    _list: ClusterList
    _query: Query
    _start: Query
    _look: Look
    _screen: Screen
    _scene: Scene
    _rng: np.random.Generator

    def on_open(self, cluster: int) -> None:
        """A cluster of the list, or the button in the explanation."""
        self._go(self._screen.at(self._checked(cluster)))

    def on_query(
        self, reset: bool = False, bound: dict | None = None, sort: str | None = None, **changes: Any
    ) -> None:
        """Search, filter or sort."""
        query = self._start if reset else self._query
        if bound:
            if bound["side"] not in ("least", "most"):
                raise PairsError(f"{bound['side']!r} is not a side")
            least, most = query.bounds.get(bound["name"], (None, None))
            pair = (bound["value"], most) if bound["side"] == "least" else (least, bound["value"])
            query = query.with_(bounds=query.bounds | {bound["name"]: pair})
        if sort:
            first = COLUMNS[sort] < 0
            query = query.with_(sort=sort, descending=not query.descending if sort == query.sort else first)
        self._ask(query.with_(**changes))

    def on_surprise(self, by: str) -> None:
        """A cluster drawn at random."""
        cluster = self._list.surprise(by, self._rng)
        if cluster is not None:
            self._go(self._screen.at(cluster), find=True)

    def on_view(self, view: str) -> None:
        """One cluster, or the cluster of clusters."""
        self._go(self._screen.seen_as(view))

    def on_layers(self, layers: dict[str, Any]) -> None:
        """A layer switched, or the distance moved; the trait has changed already."""

    def on_look(self, **changes: Any) -> None:
        """Another form, colour, size, share of labels, or reach."""
        self._dress(self._look.with_(**changes))

    def on_select(self, keys: list[str]) -> None:
        """Nodes clicked."""
        drawn = [key for key in dict.fromkeys(list(keys)) if self._drawn(key)]
        if drawn or keys == []:
            self._choose(drawn)

    def on_edge(self, id: str) -> None:
        """A stated label, or the negatives to a closed cluster, clicked."""
        edge = next((edge for edge in self._scene.edges if edge["id"] == id), None)
        if edge is not None:
            ends = [edge["from"], edge["to"]]
            self._choose(ends, None if "a" in edge else why_negatives(self.graph, *ends))

    def on_pair(self, keys: list[str]) -> None:
        """An inferred label clicked."""
        one, other = keys
        if one != other and self._drawn(one, "n") and self._drawn(other, "n"):
            self._choose([one, other])

    def on_show(self, key: str) -> None:
        """A sentence of the explanation: choose it, opening its cluster where it is not drawn."""
        if key[0] == "c" and self._drawn(key):
            self._choose([key])
        elif key[0] == "n":
            self._select([int(key[1:])])
        else:
            raise PairsError(f"{key!r} is not a sentence")

    def on_expand(self, key: str) -> None:
        """A double click: a closed cluster opens beside what is there; a sentence of such a one closes it."""
        if not self._drawn(key):
            return
        number = int(key[1:])
        screen = self._screen.toggled(number if key[0] == "c" else int(self.graph.cluster_of[number]))
        if len(screen.opened) > OPEN:
            text = f"{OPEN} clusters are open. Double click a sentence of one to close it."
            self._show_why({"title": "Enough", "text": text})
        elif screen != self._screen:
            self._go(screen, keep=key[0] == "c")
