"""Sentences in the nodes: numbered, named by the words that set them apart, and read in full beside the picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...draw.text import oneline, shorten, wrap
from ...words.lexicon import FUNCTION_WORDS, NEGATION
from ...words.shared import Span
from ...words.tokens import words_of

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["apart", "caption", "listed", "numbered"]

GRAMMAR = FUNCTION_WORDS - NEGATION
LETTERS = 2  #: a name of so many letters is written in its node


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
    spans: list[Span] = []
    for piece in words_of(text):
        marked = piece.casefold() in chosen
        if spans and (spans[-1][1] == marked):
            spans[-1] = spans[-1][0] + piece, marked
        else:
            spans.append((piece, marked))
    return spans


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
