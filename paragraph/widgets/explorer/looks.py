"""The look of the Explorer: graph or matrix, and the attributes that colour and size sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...graph.search import nodes_of
from ...pairs import PairsError

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph
    from ..base.scene import Scene

__all__ = ["Attributes", "Look", "doubts"]

FORMS = {"auto": "graph or matrix", "graph": "graph", "matrix": "matrix"}
NEIGHBOURS = (5, 10, 20, 40, 80, 160)
STEPS = {1: "one", 2: "two"}
CATEGORIES = 8  # as many as there are colours; what is rarer is "other"


@dataclass(frozen=True)
class Look:
    """A choice of form, colour and size; change it with ``explorer.look = explorer.look.with_(form="matrix")``."""

    form: str = "auto"  #: "graph", "matrix", or the one that can be read
    color: str = "conflicts"  #: an attribute
    size: str = "same"  #: an attribute of numbers
    labels: int = 100  #: percent of the sentences that carry their text, where there is room
    neighbours: int = 40  #: most neighbouring clusters drawn
    steps: int = 1  #: in the cluster of clusters: stated negatives to go from the cluster

    def __post_init__(self) -> None:
        if self.form not in list(FORMS):
            raise PairsError(f"form {self.form!r} is not one of {', '.join(FORMS)}")
        for name, least, most in (("labels", 0, 100), ("neighbours", 0, 1000), ("steps", 1, 2)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise PairsError(f"{name} {value!r} is not a number from {least} to {most}")

    def with_(self, **changes: Any) -> Look:
        """The look with something changed."""
        unknown = set(changes) - set(self.__dataclass_fields__)
        if unknown:
            raise PairsError(f"a look has {', '.join(self.__dataclass_fields__)}; not {', '.join(sorted(unknown))}")
        return replace(self, **changes)


class Attributes:
    """Values of sentences to colour and size them by: `degree`, `community`, a person's columns, `p_wrong`.

    A closed cluster has the mean of its sentences' numbers, and the greatest of their `p_wrong`.

    Parameters
    ----------
    columns : DataFrame, optional
        One row a sentence, named by its `node` or its `text`; its other columns are attributes.
    suspects : DataFrame, optional
        As `paragraph.suspects` makes it: a sentence has the greatest `p_wrong` of its pairs.
    """

    def __init__(self, graph: ParaphraseGraph, columns: pd.DataFrame | None, suspects: pd.DataFrame | None):
        self.graph = graph
        self.numbers: dict[str, np.ndarray] = {"degree": np.diff(graph.adjacency.indptr).astype(float)}
        self.categories: dict[str, tuple[list[str], np.ndarray]] = {}
        if columns is not None:
            self._add_columns(columns)
        if suspects is not None:
            self.numbers["p_wrong"] = doubts(graph, suspects)

    @property
    def options(self) -> dict[str, list[str]]:
        """The names that colour and size can have."""
        return {
            "color": ["conflicts", "community", *self.numbers, *self.categories],
            "size": ["same", *self.numbers],
        }

    def check(self, look: Look) -> Look:
        """The look, if its attributes are there."""
        for what, names in self.options.items():
            if getattr(look, what) not in names:
                raise PairsError(f"there is no {what} {getattr(look, what)!r}, but {', '.join(names)}")
        return look

    def possible(self, look: Look) -> Look:
        """The look, less attributes that are not there."""
        gone = [what for what, names in self.options.items() if getattr(look, what) not in names]
        return look.with_(**{what: getattr(Look(), what) for what in gone})

    def dress(self, look: Look, scene: Scene, view: str) -> dict[str, Any]:
        """The trait `dress`: what can be chosen, what is, and what its colours and sizes mean."""
        options = {name: [(one, one) for one in names] for name, names in self.options.items()}
        options["form"] = list(FORMS.items())
        if view == "clusters":
            options["neighbours"] = [(n, str(n)) for n in sorted({*NEIGHBOURS, look.neighbours})]
            options["steps"] = list(STEPS.items())
        color, size = (self.of(name, scene) for name in (look.color, look.size))
        return {"options": options, "chosen": dict(vars(look)), "labels": look.labels, "color": color, "size": size}

    def of(self, name: str, scene: Scene) -> dict[str, Any]:
        """An attribute of what is drawn: `kind`, values by key (`of`), their range or names; how many lack one."""
        if name in ("conflicts", "same"):
            return {}
        if name == "community":
            found = {node["key"]: node["group"] for node in scene.nodes if "group" in node}
            parts = max(found.values(), default=-1) + 1
            return {"kind": "category", "name": name, "names": [f"part {i + 1}" for i in range(parts)], "of": found}
        if name in self.categories:
            names, codes = self.categories[name]
            found = {f"n{node}": int(codes[node]) for node in scene.sentences.tolist() if codes[node] >= 0}
            missing = len(scene.sentences) - len(found)
            return {"kind": "category", "name": name, "names": names, "of": found, "missing": missing}
        values, found = self.numbers[name], {}
        for key in (node["key"] for node in scene.nodes):
            value = self._cluster_value(name, int(key[1:])) if key[0] == "c" else values[int(key[1:])]
            if np.isfinite(value):
                found[key] = round(float(value), 4)
        low, high = (min(found.values(), default=0.0), max(found.values(), default=0.0))
        if name == "p_wrong":
            low, high = 0.0, 1.0
        elif name != "degree":  # the same colour says the same in every cluster
            low, high = float(np.nanmin(values)), float(np.nanmax(values))
        return {
            "kind": "number", "name": name, "low": low, "high": high, "of": found,
            "missing": len(scene.nodes) - len(found),
        }  # fmt: skip

    def _cluster_value(self, name: str, cluster: int) -> float:
        values = self.numbers[name][self.graph.members(cluster)]
        values = values[np.isfinite(values)]
        return float(values.max() if name == "p_wrong" else values.mean()) if len(values) else np.nan

    def _add_columns(self, columns: pd.DataFrame) -> None:
        if "node" not in columns and "text" not in columns:
            raise PairsError(f"columns of sentences need a column node or text, not {', '.join(map(str, columns))}")
        if "node" in columns:
            nodes = pd.to_numeric(columns["node"], errors="coerce").fillna(-1).to_numpy(np.int64)
        else:
            nodes = nodes_of(self.graph, columns["text"].astype(str).tolist())
        self._check(nodes, columns["text" if "text" in columns else "node"])
        twice = pd.Series(nodes).duplicated().to_numpy()
        if twice.any():
            raise PairsError(f"row {int(np.argmax(twice))} of the columns repeats sentence {int(nodes[twice][0])}")
        for name in columns.columns.difference(["node", "text"], sort=False):
            if str(name) in ("conflicts", "community", "same", "degree", "p_wrong"):
                raise PairsError(f"column {name!r} has the name of an attribute that is there already")
            values = columns[name]
            if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
                spread = np.full(self.graph.n, np.nan)
                spread[nodes] = values.astype(float).to_numpy(na_value=np.nan)
                if not np.isfinite(spread).any():
                    raise PairsError(f"column {name!r} holds no number")
                self.numbers[str(name)] = np.where(np.isfinite(spread), spread, np.nan)
            else:
                self.categories[str(name)] = self._coded(nodes, values)

    def _coded(self, nodes: np.ndarray, values: pd.Series) -> tuple[list[str], np.ndarray]:
        texts = [None if pd.isna(value) else str(value) for value in values]
        ranked = [name for name, _ in Counter(text for text in texts if text is not None).most_common()]
        names = ranked if len(ranked) <= CATEGORIES else [*ranked[: CATEGORIES - 1], "other"]
        number = {name: min(i, CATEGORIES - 1) for i, name in enumerate(ranked)}
        codes = np.full(self.graph.n, -1)
        codes[nodes] = [-1 if text is None else number[text] for text in texts]
        return names, codes

    def _check(self, nodes: np.ndarray, named: pd.Series) -> None:
        odd = np.flatnonzero((nodes < 0) | (nodes >= self.graph.n))
        if len(odd):
            first = f"{named.iloc[odd[0]]!r:.200}"
            raise PairsError(f"{len(odd)} sentences are not in the graph; the first is {first}, row {odd[0]}")


def doubts(graph: ParaphraseGraph, suspects: pd.DataFrame) -> np.ndarray:
    """Return the largest `p_wrong` of the pairs of each sentence; NaN where the table has none of them.

    Examples
    --------
    >>> from paragraph import ParaphraseGraph
    >>> pairs = pd.DataFrame({"text_a": ["a", "c"], "text_b": ["b", "d"], "label": [1, 1]})
    >>> graph = ParaphraseGraph.from_pairs(pairs)
    >>> doubts(graph, pd.DataFrame({"text_a": ["c"], "text_b": ["d"], "p_wrong": [0.7]})).tolist()
    [nan, nan, 0.7, 0.7]
    """
    if missing := [name for name in ("text_a", "text_b", "p_wrong") if name not in suspects]:
        raise PairsError(f"suspects: a table of suspects has the columns text_a, text_b, p_wrong; missing: {missing}")
    wrong = pd.to_numeric(suspects["p_wrong"], errors="coerce").to_numpy(np.float64)
    odd = ~((wrong >= 0) & (wrong <= 1))
    if odd.any():
        at = int(np.argmax(odd))
        raise PairsError(f"suspects, row {at}: p_wrong {suspects['p_wrong'].iloc[at]!s:.50} is not between 0 and 1")
    result = np.full(graph.n, np.nan)
    for side in ("text_a", "text_b"):
        nodes = nodes_of(graph, suspects[side].astype(str).tolist())
        if (nodes < 0).any():
            at = int(np.argmax(nodes < 0))
            raise PairsError(f"suspects, row {at}: {suspects[side].iloc[at]!r:.200} is no sentence of the graph")
        np.fmax.at(result, nodes, wrong)
    return result
