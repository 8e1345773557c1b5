"""Where a person is in the clusters of a graph: each step gives another screen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...pairs import PairsError

__all__ = ["OPEN", "VIEWS", "Screen"]

OPEN = 6  # clusters shown as sentences at a time
VIEWS = ("cluster", "clusters")


@dataclass(frozen=True)
class Screen:
    """One cluster with its neighbours (view "cluster"), or as a node among them ("clusters"), and what is open."""

    cluster: int | None = None  #: None in a graph without sentences
    view: str = "cluster"
    opened: tuple[int, ...] = ()  #: clusters shown as sentences
    wanted: tuple[int, ...] = ()  #: sentences that a picture of part of a cluster must show

    @property
    def closed(self) -> tuple[int, ...]:
        """The cluster itself where it is to be one node."""
        return () if self.view == "cluster" or self.cluster is None else (self.cluster,)

    def at(self, cluster: int | None) -> Screen:
        """The same view of another cluster.

        >>> Screen().at(3)
        Screen(cluster=3, view='cluster', opened=(3,), wanted=())
        """
        return replace(self, cluster=cluster, wanted=()).seen_as(self.view)

    def seen_as(self, view: str) -> Screen:
        """The other view of the same cluster."""
        if view not in VIEWS:
            raise PairsError(f"view {view!r} is not one of {', '.join(map(repr, VIEWS))}")
        opened = (self.cluster,) if view == "cluster" and self.cluster is not None else ()
        return replace(self, view=view, opened=opened)

    def with_sentences(self, nodes: list[int], homes: list[int]) -> Screen:
        """A screen that shows these sentences, whose clusters are `homes`; of those, the first six open."""
        homes = list(dict.fromkeys(homes))
        if set(homes) <= set(self.opened):
            return replace(self, wanted=tuple(nodes))
        return replace(self, cluster=homes[0], opened=tuple(homes[:OPEN]), wanted=tuple(nodes))

    def toggled(self, cluster: int) -> Screen:
        """Another cluster opened beside what is open, or closed; the cluster of a view "cluster" stays open.

        >>> Screen().at(3).toggled(5).opened, Screen().at(3).toggled(5).toggled(5).opened
        ((3, 5), (3,))
        """
        if cluster not in self.opened:
            return replace(self, opened=(*self.opened, cluster))
        if self.view == "cluster" and cluster == self.cluster:
            return self
        return replace(self, opened=tuple(one for one in self.opened if one != cluster))
