"""What an order of phrases does to a sentence: which dependencies break, and which walls are passed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .orders import Parse, groups_of, strictly

__all__ = ["Verdict", "verdict"]


class Verdict(NamedTuple):
    """What is said of an order, and the arcs and walls that say so (of "awkward": those that "strict" adds)."""

    word: str  #: "allowed", "awkward" or "breaks"
    arcs: tuple[tuple[int, int], ...] = ()  #: dependent and head
    walls: tuple[int, ...] = ()  #: phrases that hold their place, and were passed


def verdict(parse: Parse, order: Sequence[int]) -> Verdict:
    """Whether an order of the phrases is one of the rule "strict" (allowed), of "paper" alone (awkward), or breaks.

    An arc breaks when the dependent no longer stands before its head, or when between them stands a phrase that did
    not in the sentence; on the way to the predicate any may. An arc that leads backwards, or out of its group (see
    `groups_of`), cannot stay whole under the rules: instead its phrase has to stay with the one that follows. A wall
    is passed when other phrases than in the sentence stand before it; the predicate is one.

    Examples
    --------
    >>> parse = Parse("猫が寝ている犬を見た", ("猫が", "寝ている", "犬を", "見た"), (3, 2, 3, -1))
    >>> verdict(parse, (1, 2, 0, 3))
    Verdict(word='allowed', arcs=(), walls=())
    >>> verdict(parse, (1, 0, 2, 3))
    Verdict(word='breaks', arcs=((1, 2),), walls=())
    """
    if sorted(order) != list(range(len(parse.phrases))):
        raise ValueError(f"the order {tuple(order)} does not name each of the {len(parse.phrases)} phrases once")
    for word, held in (("breaks", parse), ("awkward", strictly(parse))):
        arcs, walls = _broken(held, order)
        if arcs or walls:
            return Verdict(word, arcs, walls)
    return Verdict("allowed")


def _broken(parse: Parse, order: Sequence[int]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    place, last = {phrase: at for at, phrase in enumerate(order)}, len(order) - 1
    arcs = []
    for group in groups_of(parse):
        for i in group[:-1]:
            arcs.append((i, parse.heads[i] if i < parse.heads[i] <= group[-1] else i + 1))
        if parse.heads[group[-1]] == last != group[-1]:
            arcs.append((group[-1], last))
    broken = (
        place[i] > place[head]
        or (parse.heads[i] != last and not {*order[place[i] : place[head]]} <= {*range(i, head)})
        for i, head in arcs
    )  # fmt: skip
    walls = sorted({*parse.pinned, last})
    return (
        tuple(arc for arc, gone in zip(arcs, broken, strict=True) if gone),
        tuple(wall for wall in walls if {*order[: place[wall]]} != {*range(wall)}),
    )
