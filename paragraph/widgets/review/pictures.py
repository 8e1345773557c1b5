"""The pictures of a review: clusters as they were laid out, those seen last kept."""

from __future__ import annotations

from dataclasses import replace

from ...draw.style import Line
from ...draw.view import View
from ...graph import ParaphraseGraph
from ...pairs import PairsError
from ..base.scene import Scene, make_scene, still_view
from ..base.why import Plain

__all__ = ["Pictures"]

DIMMED = 30  # in clusters with more sentences, what is not of the item is dimmed
KEPT = 20  # pictures kept, of clusters seen last


class Pictures:
    """Scenes of the clusters of some sentences, each with a number that tells the page when it is another."""

    def __init__(self, graph: ParaphraseGraph | None, limit: int, seed: int):
        self.graph, self.limit, self.seed, self._made = graph, limit, seed, 0
        self.scene = Scene()  #: on screen
        self._kept: dict[tuple[int, ...], tuple[int, Scene]] = {}  # by their clusters, the last used last

    def of(self, wanted: list[int]) -> tuple[int, Scene]:
        """Find or draw the clusters of some sentences, all of which the picture shows."""
        if not wanted:
            return 0, Scene()
        wanted = list(dict.fromkeys(wanted))
        clusters = tuple(dict.fromkeys(self.graph.cluster_of[wanted].tolist()))
        number, scene = self._kept.pop(clusters, (0, Scene()))
        if not set(wanted) <= set(scene.sentences.tolist()):
            self._made = number = self._made + 1
            scene = make_scene(self.graph, clusters, self.limit, self.seed, tuple(wanted))
        self._kept[clusters] = number, scene
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return number, scene

    def show(self, number: int, scene: Scene, lines: list[Plain]) -> Plain:
        """Put a scene on screen, its lines marked by the task, and return the trait `picture`."""
        torn = {key for line in lines if line["layer"] == "conflicts" for key in (line["from"], line["to"])}
        nodes = [node | {"conflict": node["key"] in torn} for node in scene.nodes]
        self.scene = replace(scene, nodes=nodes, edges=lines)
        return {"scene": number, "view": "cluster", "note": scene.note, "nodes": nodes, "edges": lines,
                "inferred": [], "farthest": 1}  # fmt: skip

    @property
    def few(self) -> bool:
        """Tell if so few sentences are on screen that none of them has to be dimmed."""
        return len(self.scene.nodes) <= DIMMED

    def line(self, id: str) -> Plain:
        """Return a line on screen by its id."""
        found = next((line for line in self.scene.edges if line["id"] == id), None)
        if found is None:
            raise PairsError(f"no line is called {id!r}")
        return found

    def still(self, title: str, layers: Plain, placed: Plain, kinds: dict[str, Line]) -> View:
        """Return what is on screen as it is drawn on paper, some lines in ways of their own, by what they say."""
        view = still_view(self.scene, title, layers, [], placed)
        return view._replace(edges=[edge._replace(line=kinds.get(edge.why, edge.line)) for edge in view.edges])
