"""The look of the Explorer: the attributes that colour sentences, and the amount drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.identity import nodes_of
from ..base.doubted import Doubted
from ..base.records import Plain

__all__ = ["LOOK", "Attributes"]

CATEGORIES = 8  # as many as there are colours; what is rarer is "other"


LOOK = {"color": "conflicts"}  #: the attribute for colour, at first


class Attributes:
    """Values of sentences that colour them: `degree`, `community`, a person's columns, `p_wrong`.

    A closed cluster has the mean of its sentences' numbers, and the greatest of their `p_wrong`.

    Parameters
    ----------
    columns : DataFrame, optional
        One row per sentence, named by its `node` or its `text`; its other columns are attributes.
    suspects : DataFrame, optional
        The table of `paragraph.suspects`: a sentence has the greatest `p_wrong` of its pairs.
    """

    def __init__(self, graph: ParaphraseGraph, columns: pd.DataFrame | None, suspects: pd.DataFrame | None):
        self.graph = graph
        self.values: dict[str, np.ndarray] = {"degree": graph.degree.astype(float)}
        self.names: dict[str, list[str]] = {}  # of categories, whose values count from 0
        self.doubted: Doubted | None = None
        if columns is not None:
            self._add(columns)
        if suspects is not None:
            self.doubted = Doubted(graph, suspects)
            self.values["p_wrong"] = self.doubted.of_sentences
        #: The names that a colour can have.
        self.colors = ["conflicts", "community", *self.values]

    def checked(self, look: Plain) -> Plain:
        """Return a look, or raise a `PairsError` that says what is wrong with it."""
        look = LOOK | look
        if {*look} != {*LOOK} or look["color"] not in self.colors:
            raise PairsError(f"a look is {{'color': one of {', '.join(self.colors)}}}, not {look!r:.200}")
        return look

    def scale(self, name: str) -> Plain:
        """Return the scale for all pictures: the names of categories or a range; nothing for a degree."""
        if name in self.names:
            return {"names": self.names[name]}
        if name == "degree":
            return {}
        values = self.values[name]
        low, high = (0.0, 1.0) if name == "p_wrong" else (float(np.nanmin(values)), float(np.nanmax(values)))
        return {"low": low, "high": high}

    def of_cluster(self, name: str, cluster: int) -> float:
        """Return the value of a closed cluster."""
        values = self.values[name][self.graph.members(cluster)]
        known = values[~np.isnan(values)]
        return np.nan if not len(known) else known.max() if name == "p_wrong" else known.mean()

    def _add(self, columns: pd.DataFrame) -> None:
        """Add the columns of a person's table."""
        n, named = self.graph.n, columns.get("text", columns.get("node"))
        if named is None:
            raise PairsError(f"columns of sentences need a column node or text, not {', '.join(map(str, columns))}")
        if "node" in columns:
            nodes = pd.to_numeric(columns["node"], errors="coerce").fillna(-1).to_numpy(np.int64)
        else:
            nodes = nodes_of(self.graph, columns["text"].astype(str).tolist())
        odd, twice = np.flatnonzero((nodes < 0) | (nodes >= n)), np.flatnonzero(pd.Series(nodes).duplicated())
        if len(odd):
            first = f"{named.iloc[odd[0]]!r:.200}"
            raise PairsError(f"{len(odd)} sentences are not in the graph; the first is {first}, row {odd[0]}")
        if len(twice):
            raise PairsError(f"row {twice[0]} of the columns repeats sentence {nodes[twice[0]]}")
        for name in columns.columns.difference(["node", "text"], sort=False):
            if str(name) in ("conflicts", "community", "degree", "p_wrong"):
                raise PairsError(f"column {name!r} has the name of an attribute that is there already")
            values = columns[name].set_axis(nodes)
            if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
                values = values.astype("Float64").astype(float).replace([np.inf, -np.inf], np.nan)
                if values.isna().all():
                    raise PairsError(f"column {name!r} holds no number")
            else:
                values = values.dropna().astype(str)
                ranked = values.value_counts().index.tolist()
                rare = len(ranked) > CATEGORIES
                self.names[str(name)] = [*ranked[: CATEGORIES - 1], "other"] if rare else ranked
                values = values.map({text: min(i, CATEGORIES - 1) for i, text in enumerate(ranked)})
            self.values[str(name)] = values.reindex(range(n)).to_numpy(float)
