"""What the Triad Lab draws: its nodes with their camps, its edges, and what stands out; live and still."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...draw.style import line
from ...draw.view import Drawn, View
from . import panels, sentences, table

if TYPE_CHECKING:
    from .widget import TriadLab

__all__ = ["drawn", "still"]


def drawn(lab: TriadLab) -> dict[str, Any]:
    """The trait `picture`."""
    camps, written = _camps(lab), sentences.numbered(lab._graph)
    nodes = []
    for node in lab._graph:
        (x, y), camp = lab._spots[node], {"camp": camps[node]} if node in camps else {}
        entry = {"key": lab._key(node), "text": lab._text(node), "size": 1, "conflict": False, "x": x, "y": y}
        nodes.append(entry | written[node] | camp)
    edges = [
        {
            "id": f"e{lab._number[a]}-{lab._number[b]}", "from": lab._key(a), "to": lab._key(b), "sign": sign,
            "layer": "positive" if sign > 0 else "negative", "count": 1,
            "text": f"{panels.symbol(sign)} {_hint(lab)}".strip(),
        }
        for a, b, sign in lab._graph.edges(data="sign")
    ]  # fmt: skip
    return {
        "scene": lab._scene_number, "view": "lab", "title": _title(lab), "note": lab._message,
        "nodes": nodes, "edges": edges, "inferred": [], "farthest": 1,
    }  # fmt: skip


def still(lab: TriadLab) -> View:
    """The same on paper, with the verdict in the title and its unbalanced cycle on yellow."""
    number = {node: i for i, node in enumerate(lab._graph)}
    shown = None if lab._secret else lab._unbalanced
    cycle = set() if shown is None else set(map(frozenset, panels.around(shown.cycle)))
    edges = []
    for a, b, sign in lab._graph.edges(data="sign"):
        kind = line(sign)
        if frozenset((a, b)) in cycle:
            kind = kind._replace(halo=True, name=f"{kind.name.split(',')[0]}, of an unbalanced cycle")
        edges.append(Drawn(number[a], number[b], kind, 0.0, panels.symbol(sign)))
    spots = [lab.placed.get(lab._key(node), lab._spots[node]) for node in number]
    positions = np.array(spots, dtype=float).reshape(-1, 2) / [table.SPACING, -table.SPACING]
    title = _title(lab)
    if lab._hidden:
        title += f" — {panels.HIDDEN}"
    elif not lab._secret:
        title += " — " + "; ".join(f"{kind}: {panels.spoken(verdict)}" for kind, verdict in lab.verdicts.items())
    return View(title, np.arange(len(number)), [lab._text(node) for node in number], edges, positions)


def _camps(lab: TriadLab) -> dict[Any, int]:
    """The camps that colour the nodes: those of the verdict, in an exercise those chosen."""
    if lab._attempt is not None:
        return lab._attempt.camps
    verdict = next((lab.verdicts[kind] for kind in ("weak", "strong") if lab.verdicts[kind]), None)
    return {} if verdict is None or lab._secret else {node: verdict.camp_of(node) for node in lab._graph}


def _hint(lab: TriadLab) -> str:
    """What a click on a line does."""
    if lab._attempt is None:
        return "Click to turn the sign."
    one = lab._attempt.one
    if one.kind in ("edges", "cycle"):
        return "Click to choose it, or not to."
    return {"away": "Click to take it away.", "": ""}.get(one.touch, "Click to turn the sign.")


def _title(lab: TriadLab) -> str:
    if lab._summary:
        return f"Summary: {len(lab.sheet.solved)} of {len(lab.sheet.titles())} exercises solved"
    if lab._attempt is not None:
        return f"Exercise {lab._attempt.one.number}: {lab._attempt.one.title}"
    signs = [sign for *_, sign in lab._graph.edges(data="sign")]
    name = lab._start[:1].upper() + lab._start[1:]
    return f"{name}: {len(lab._graph)} nodes, {signs.count(1)} +, {signs.count(-1)} −"
