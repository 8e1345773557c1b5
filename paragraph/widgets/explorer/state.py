"""The state of an Explorer, which a page and Python both set; a value that makes no sense is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd
import traitlets

from ...draw.shared import OPEN
from ...files import PairsError
from ...graph import ParaphraseGraph
from ..base.live import State, held
from ..base.records import DRAWN, Plain
from ..base.widget import Bench, Refused
from .query import ClusterList

__all__ = ["Screen"]

VIEWS = ("cluster", "clusters")


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    """Refuse a value that cannot be read."""
    try:
        yield
    except (PairsError, KeyError, AttributeError, TypeError, ValueError) as error:
        raise Refused(f"this is no {what}: {error}") from None


class Screen(Bench):
    """The screen of an Explorer: an open cluster, a query of the list, a selection.

    A subclass makes `_list`, and the records that a page needs for a screen (`_prefetched`).
    """

    #: records, and answers to questions of the page, of what Python has shown last
    prefetched = traitlets.Dict()
    #: the open cluster, the view, the clusters shown as sentences, sentences wanted
    screen = traitlets.Dict()
    query = State()  #: the query of the list

    graph: ParaphraseGraph
    _list: ClusterList

    @property
    def cluster(self) -> int | None:
        """The open cluster."""
        return self.screen["cluster"]

    @cluster.setter
    def cluster(self, cluster: int) -> None:
        self._go(self._at(self._checked(cluster), self.view))

    @property
    def view(self) -> str:
        """``"cluster"``: sentences of the open cluster; ``"clusters"``: it and its neighbours as nodes."""
        return self.screen["view"]

    @view.setter
    def view(self, view: str) -> None:
        if view not in VIEWS:
            raise PairsError(f"view {view!r} is not one of 'cluster', 'clusters'")
        self._go(self._at(self.cluster, view))

    @property
    def selection(self) -> pd.DataFrame:
        """The selected sentences: `node`, `text`, `cluster`; all sentences of a selected cluster node."""
        nodes = []
        for key in self.selected:
            number = int(key[1:])
            nodes += self.graph.members(number).tolist() if key[0] == "c" else [number]
        nodes = np.array(nodes, dtype=np.int64)
        texts = pd.Series(self.graph.texts(nodes), dtype="str")
        return pd.DataFrame({"node": nodes, "text": texts, "cluster": self.graph.cluster_of[nodes]})

    @selection.setter
    @held
    def selection(self, chosen: pd.DataFrame | Iterable[int | str]) -> None:
        if isinstance(chosen, pd.DataFrame):
            if "node" not in chosen:
                raise PairsError(
                    f"a selection has a column node, not {', '.join(map(str, chosen))}"
                )
            chosen = chosen["node"]
        elif isinstance(chosen, str | int | np.integer):
            chosen = [chosen]
        nodes = [self.graph.node(one) for one in chosen]
        homes = list(dict.fromkeys(self.graph.cluster_of[nodes].tolist()))
        is_partly_drawn = (self.graph.cluster_sizes[homes] > DRAWN).any()
        if not {*homes} <= {*self.screen["opened"]}:
            self._go({"cluster": homes[0], "opened": homes[:OPEN], "wanted": nodes})
        elif is_partly_drawn and not {*nodes} <= {*self.screen["wanted"]}:
            self._go({"wanted": nodes})
        self.selected = [f"n{node}" for node in dict.fromkeys(nodes)]

    # -- what a page may set -------------------------------------------------------------------------------

    @traitlets.validate("screen")
    def _check_screen(self, proposal: Plain) -> Plain:
        screen = proposal["value"]
        with _refusing("screen"):
            cluster = screen["cluster"]
            if cluster is not None or self.graph.n:
                cluster = self._checked(cluster)
            opened = [self._checked(one) for one in screen["opened"]]
            wanted = [self.graph.node(node) for node in screen["wanted"]]
            once = len(opened) == len({*opened}) <= OPEN
            if not once or screen["view"] not in VIEWS or len(screen) > 4:
                raise PairsError(f"{screen!r:.200}")
        return {"view": screen["view"], "cluster": cluster, "opened": opened, "wanted": wanted}

    @traitlets.validate("query")
    def _check_query(self, proposal: Plain) -> Plain:
        with _refusing("query"):
            return self._list.checked(proposal["value"])

    @traitlets.validate("selected")
    def _check_selected(self, proposal: Plain) -> list[str]:
        count = {"n": self.graph.n, "c": len(self.graph.cluster_sizes)}
        for key in proposal["value"]:
            if not (key[1:].isdecimal() and int(key[1:]) < count.get(key[0], 0)):
                raise Refused(f"{key!r} is no sentence and no cluster")
        return proposal["value"]

    # -- how it is done ------------------------------------------------------------------------------------

    def _checked(self, cluster: int) -> int:
        """Return the number of a cluster, if it exists."""
        if not self.graph.n:
            raise PairsError(f"there is no cluster {cluster!r}: the graph has no sentences")
        if isinstance(cluster, bool) or not isinstance(cluster, int | np.integer):
            raise PairsError(f"cluster {cluster!r} is not a number")
        self.graph.members(cluster)
        return int(cluster)

    @staticmethod
    def _at(cluster: int | None, view: str) -> Plain:
        """Return the screen of a cluster."""
        opened = []
        if view == "cluster" and cluster is not None:
            opened = [cluster]
        return {"cluster": cluster, "view": view, "opened": opened, "wanted": []}

    @held
    def _go(self, changes: Plain) -> None:
        """Show another screen, with nothing selected."""
        self.screen = self.screen | changes
        self.selected = []
        self.prefetched = self._prefetched()
