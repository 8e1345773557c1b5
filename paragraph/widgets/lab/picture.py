"""The picture of the Triad Lab, live and still: nodes with their camps, edges, and what stands out."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...balance.exercises.sketch import steps, symbol
from ...draw.style import line
from ...draw.view import Drawn, View
from . import panels, sentences
from .board import SPACING, Board
from .work import Work

__all__ = ["drawn", "still"]


def drawn(board: Board, work: Work) -> dict[str, Any]:
    """Return the trait `picture`."""
    camps, written, hint = _camps(board, work), sentences.numbered(board.graph), _hint(work)
    nodes = []
    for node in board.graph:
        (x, y), camp = board.spots[node], {"camp": camps[node]} if node in camps else {}
        entry = {"key": board.key(node), "text": board.text(node), "size": 1, "conflict": False, "x": x, "y": y}
        nodes.append(entry | written[node] | camp)
    edges = [
        {
            "id": f"e{board.key(a)}-{board.key(b)}", "from": board.key(a), "to": board.key(b), "sign": sign,
            "layer": "positive" if sign > 0 else "negative", "count": 1, "text": f"{symbol(sign)} {hint}".strip(),
        }
        for a, b, sign in board.graph.edges(data="sign")
    ]  # fmt: skip
    return {
        "scene": board.scene, "view": "lab", "title": _title(board, work), "note": board.message,
        "nodes": nodes, "edges": edges, "inferred": [], "farthest": 1,
    }  # fmt: skip


def still(board: Board, work: Work, placed: dict[str, list[float]]) -> View:
    """Return the same for paper, with the verdict in the title and its unbalanced cycle on yellow."""
    number = {node: i for i, node in enumerate(board.graph)}
    shown = board.unbalanced if work.free and not board.hidden else None
    cycle = set() if shown is None else set(map(frozenset, steps(shown.cycle)))
    edges = []
    for a, b, sign in board.graph.edges(data="sign"):
        kind = line(sign)
        if frozenset((a, b)) in cycle:
            kind = kind._replace(halo=True, name=f"{kind.name.split(',')[0]}, of an unbalanced cycle")
        edges.append(Drawn(number[a], number[b], kind, 0.0, symbol(sign)))
    spots = [placed.get(board.key(node), board.spots[node]) for node in number]
    positions = np.array(spots, dtype=float).reshape(-1, 2) / [SPACING, -SPACING]
    title = _title(board, work)
    if board.hidden:
        title += f" — {panels.HIDDEN}"
    elif work.free:
        title += " — " + "; ".join(f"{kind}: {panels.spoken(one)}" for kind, one in board.verdicts.items())
    return View(title, np.arange(len(number)), list(map(board.text, number)), edges, positions)


def _camps(board: Board, work: Work) -> dict[Any, int]:
    """Return the camps that colour the nodes: those of the verdict, in an exercise those chosen."""
    if work.now is not None:
        return work.now.camps
    verdict = next((board.verdicts[kind] for kind in ("weak", "strong") if board.verdicts[kind]), None)
    if verdict is None or board.hidden:
        return {}
    return {node: verdict.camp_of(node) for node in board.graph}


def _hint(work: Work) -> str:
    """Return a word on what a click on a line does."""
    if work.now is not None and work.now.picks:
        return "Click to choose it, or not to."
    touch = "turn" if work.now is None else work.now.one.touch
    return {"": "", "away": "Click to take it away."}.get(touch, "Click to turn the sign.")


def _title(board: Board, work: Work) -> str:
    if work.summary:
        return f"Summary: {len(work.sheet.solved)} of {len(work.sheet.titles())} exercises solved"
    if work.now is not None:
        return f"Exercise {work.place}: {work.now.one.title}"
    signs = [sign for *_, sign in board.graph.edges(data="sign")]
    name = board.name[:1].upper() + board.name[1:]
    return f"{name}: {len(board.graph)} nodes, {signs.count(1)} +, {signs.count(-1)} −"
