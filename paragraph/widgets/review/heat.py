"""A heat map on the pair that is reviewed: how probably the other sentence lacks each word, by a tagger."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pandas as pd

from ...words.tokens import places

__all__ = ["heated", "heats_of"]

#: First character of a word, the one behind its last, P(1), and what hovering says.
Heat = tuple[int, int, float, str]


def heats_of(tagger: Any, pair: tuple[str, str]) -> list[list[Heat]]:
    """The heat of the words of both sentences, with the best match of each where the tagger can name it."""
    table = tagger.tag(pd.DataFrame({"text_a": pair[:1], "text_b": pair[1:]}))
    match = tagger.best_match(table) if hasattr(tagger, "best_match") else table
    found = []
    for text, side in zip(pair, "ab", strict=True):
        p, words = table[f"p_{side}"].iloc[0], table[f"words_{side}"].iloc[0]
        said = [f"lacked with P = {x:.2f}" for x in p]
        if f"match_{side}" in match:
            best = zip(said, match[f"match_{side}"].iloc[0], match[f"cosine_{side}"].iloc[0], strict=True)
            said = [f"{what}; best match: {word}, cosine {x:.2f}" if word else what for what, word, x in best]
        found.append([(*place, x, what) for place, x, what in zip(places(text, words), p, said, strict=True)])
    return found


def heated(spans: list[tuple[str, bool]], heats: list[Heat]) -> list[tuple]:
    """The spans of a sentence, cut where words begin and end: text, whether it differs, P(1), what hovering says.

    >>> heated([("He ", False), ("paid $2", True)], [(0, 2, 0.1, "x"), (3, 7, 0.9, "y")])
    [('He', False, 0.1, 'x'), (' ', False, 0, ''), ('paid', True, 0.9, 'y'), (' $2', True, 0, '')]
    """
    text, found, at = "".join(part for part, _ in spans), [], 0
    for part, differs in spans:
        behind = at + len(part)
        edges = {at, behind} | {edge for begin, end, *_ in heats for edge in (begin, end) if at < edge < behind}
        for i, j in pairwise(sorted(edges)):
            inside = [heat[2:] for heat in heats if heat[0] <= i and j <= heat[1]]
            found.append((text[i:j], differs, *(inside[0] if inside else (0, ""))))
        at = behind
    return found
