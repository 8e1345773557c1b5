"""The still twin of open clusters: their sentences in place, and the visible labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...draw.style import Line, line
from ...draw.view import View, told
from ...graph import ParaphraseGraph
from .records import Plain
from .sketch import SPACING, Sketch, beside

__all__ = ["still_view"]

BENT = 120  # lines of a still picture: more are not bent, for nobody could follow them, and it takes long


def still_view(
    graph: ParaphraseGraph | None, sketches: tuple[Sketch, ...], title: str, layers: Plain,
    placed: Plain, inferred: list[tuple[Any, ...]], marks: dict[str, Plain], kinds: dict[str, Line],
) -> View:  # fmt: skip
    """Return open clusters with their visible layers, each sentence at its place or where it was dragged.

    Parameters
    ----------
    inferred : list of (a, b, sign, distance) or (a, b, sign, distance, right)
        Labels between sentences, with the probability that each is right, in thousandths.
    marks : dict
        Lines that differ from the stated ones, or are not stated, by id: see `Review._marks`.
    kinds : dict
        Lines drawn in their own style, by their text.
    """
    spots = beside(sketches)
    number = {key: i for i, key in enumerate(spots)}
    drawn = [
        (
            number[f"n{a}"],
            number[f"n{b}"],
            line(sign, inferred=True, right=right[0] / 1000 if right else None),
            f"inferred, distance {far}{f', right with {right[0] / 1000:.3f}' if right else ''}",
        )
        for a, b, sign, far, *right in sorted(inferred, key=lambda label: label[4:])
        if far <= layers["distance"] and not (right and right[0] < round(1000 * layers["sure"]))
    ]
    lines = _stated(graph, sketches) if sketches else {}
    for id, mark in marks.items():
        lines[id] = lines.get(id, {}) | mark
    for one in lines.values():
        if "from" in one and layers[one["layer"]]:
            why = one["text"].split(". Click")[0]
            # A question has no sign; a review gives it its own kind.
            kind = kinds.get(why) or line(one["sign"] or 1, conflict=one["layer"] == "conflicts")
            drawn.append((number[one["from"]], number[one["to"]], kind, why))
    nodes = np.array([int(key[1:]) for key in spots], dtype=np.int64)
    places = np.array([placed.get(key, spot) for key, spot in spots.items()]).reshape(-1, 2) / [SPACING, -SPACING]
    parts, first = [], 0
    for one in sketches:
        groups = [np.flatnonzero(one.group == k) + first for k in range(one.group.max() + 1)]
        parts += [(k, part.tolist()) for k, part in enumerate(groups) if len(groups) > 1]
        first += len(one.nodes)
    texts = graph.texts(nodes) if len(nodes) else []
    return View.of(title, nodes, texts, drawn, places, most=BENT)._replace(parts=tuple(parts))


def _stated(graph: ParaphraseGraph, sketches: tuple[Sketch, ...]) -> dict[str, Plain]:
    """Return the stated labels between the drawn sentences, as lines, by id."""
    edges, lines = graph.edges_among(np.concatenate([one.nodes for one in sketches])), {}
    for edge, (a, b) in zip(edges.tolist(), graph.ends(edges).T.tolist(), strict=True):
        sign = int(graph.edge_sign[edge])
        layer = "conflicts" if graph.conflicting[edge] else "positive" if sign > 0 else "negative"
        lines[f"e{edge}"] = {"from": f"n{a}", "to": f"n{b}", "sign": sign, "layer": layer, "text": told(graph, edge)}
    return lines
