"""The picture of the Triad Lab, live and still: nodes with their camps, edges, sentences, and what stands out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np

from ...balance import Balance
from ...balance.exercises.sketch import steps, symbol
from ...draw.signed import signed_view
from ...draw.text import oneline, shorten, wrap
from ...draw.view import View
from ...words.lexicon import FUNCTION_WORDS, NEGATION
from ...words.shared import Span, joined
from ...words.tokens import words_of
from .board import SPACING, Board
from .work import Work

__all__ = ["HIDDEN", "apart", "caption", "drawn", "listed", "numbered", "spoken", "still"]

HIDDEN = "hidden until the vote is closed"
GRAMMAR = FUNCTION_WORDS - NEGATION
LETTERS = 2  #: a name of so many letters is written in its node


def drawn(board: Board, work: Work) -> dict[str, Any]:
    """Return the trait `picture`."""
    camps, written, hint = _camps(board, work), numbered(board.graph), _hint(work)
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
    shown = board.unbalanced if work.free and not board.hidden else None
    spots = [placed.get(board.key(node), board.spots[node]) for node in board.graph]
    positions = np.array(spots, dtype=float).reshape(-1, 2) / [SPACING, -SPACING]
    title = _title(board, work)
    if board.hidden:
        title += f" — {HIDDEN}"
    elif work.free:
        title += " — " + "; ".join(f"{kind}: {spoken(one)}" for kind, one in board.verdicts.items())
    cycle = () if shown is None else steps(shown.cycle)
    return signed_view(board.graph, title, positions, _camps(board, work), cycle)


def _camps(board: Board, work: Work) -> dict[Any, int]:
    """Return the camps that colour the nodes: those of the verdict, in an exercise those chosen."""
    if work.now is not None:
        return work.now.camps
    weak = board.verdicts["weak"]  # strong balance is weak balance as well
    return {node: weak.camp_of(node) for node in board.graph} if weak and not board.hidden else {}


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


def spoken(verdict: Balance) -> str:
    """Return a verdict in a few words."""
    if not verdict:
        return "✗ not balanced"
    camps = len(np.unique(verdict.camps))
    return f"✓ balanced, {camps} camp{'s' * (camps != 1)}"


# -- sentences in the nodes, named by the words that set them apart -----------------------------------------


def apart(text: str, others: Sequence[str]) -> list[Span]:
    """Split a sentence into spans, and mark the words that at most half of the others hold.

    Words of grammar count where no other word tells the sentence apart. Where no word is so rare, those count that
    fewest of the others hold, unless all do; case aside. Joined, the spans give the sentence back.

    Examples
    --------
    >>> apart("Is 30 too old?", ["Is 35 too old?", "Is 30 too young?", "Is 30 too old?"])
    [('Is ', False), ('30', True), (' too ', False), ('old', True), ('?', False)]
    """
    held = Counter(word for other in others for word in set(_words(other)))
    mine = {word: held[word] for word in _words(text) if held[word] < len(others)}
    mine = {word: count for word, count in mine.items() if word not in GRAMMAR} or mine
    limit = max(len(others) / 2, min(mine.values(), default=0))
    chosen = {word for word, count in mine.items() if count <= limit}
    return joined([(piece, piece.casefold() in chosen) for piece in words_of(text)])


def caption(spans: Sequence[Span]) -> str:
    """Return two short lines for a node: the words that set it apart, else how the sentence begins."""
    text = oneline("".join(piece for piece, _ in spans))
    if any(marked for _, marked in spans):
        kept = "".join(piece if marked or not any(map(str.isalnum, piece)) else " … " for piece, marked in spans)
        text = oneline(kept).strip(" ….,?!")
    return "\n".join(wrap(shorten(text, 44).replace("……", "…").replace("… …", "…"), 24)[:2])


def numbered(graph: nx.Graph) -> dict[Any, dict[str, Any]]:
    """Return the texts in and at each node: a short name, or the number of a sentence and words beside it."""
    found = {}
    for number, (node, text) in enumerate(graph.nodes(data="text"), 1):
        name = oneline(str(node))
        if text is not None:
            others = [other for one, other in graph.nodes(data="text") if one != node and other is not None]
            found[node] = {"number": number, "label": caption(apart(str(text), list(map(str, others))))}
        elif len(name) <= LETTERS:
            found[node] = {"number": name, "label": ""}
        else:
            found[node] = {"label": "\n".join(wrap(shorten(name, 44), 24)[:2])}
    return found


def listed(graph: nx.Graph, keys: dict[Any, str]) -> list[dict[str, Any]]:
    """Return the sentences in full for the right-hand side; none if the nodes are no sentences."""
    texts = {node: str(text) for node, text in graph.nodes(data="text") if text is not None}
    return [
        {
            "number": number, "keys": [keys[node]], "rows": [], "sign": 1,
            "texts": [_telling(apart(texts[node], [other for one, other in texts.items() if one != node]))],
        }
        for number, node in enumerate(graph, 1) if node in texts
    ]  # fmt: skip


def _telling(spans: list[Span]) -> list[Span]:
    """Return spans without marks if all words of content would be marked: then none stands out."""
    shared = (word for piece, marked in spans if not marked for word in _words(piece) if word not in GRAMMAR)
    return spans if any(shared) else [("".join(piece for piece, _ in spans), False)]


def _words(text: str) -> list[str]:
    return [piece.casefold() for piece in words_of(text) if piece[0].isalnum()]
