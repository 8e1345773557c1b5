"""What an order of phrases does to a sentence: which dependencies break, and which walls are passed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .orders import Parse, groups_of, strictly

__all__ = ["Verdict", "verdict"]


class Verdict(NamedTuple):
    """What is said of an order, and why."""

    word: str  #: "allowed", "awkward" or "breaks"
    arcs: tuple[tuple[int, int], ...] = ()  #: dependent and head
    walls: tuple[int, ...] = ()  #: phrases that hold their place


def verdict(parse: Parse, order: Sequence[int]) -> Verdict:
    """Whether an order of the phrases is one of the rule "strict" (allowed), of "paper" alone (awkward), or breaks.

    An arc breaks when the dependent no longer stands before its head, or when between them stands a phrase that did
    not in the sentence; before the predicate any may. An arc that leads backwards, or out of its group (`groups_of`),
    is none that the rules keep: its phrase has to stay right before the next. A wall breaks when others than in the
    sentence stand before it; the predicate is one. For "awkward" it is what "strict" adds that breaks.

    >>> parse = Parse("猫が寝ている犬を見た", ("猫が", "寝ている", "犬を", "見た"), (3, 2, 3, -1))
    >>> verdict(parse, (1, 2, 0, 3)).word, verdict(parse, (1, 0, 2, 3))
    ('allowed', Verdict(word='breaks', arcs=((1, 2),), walls=()))
    """
    if sorted(order) != list(range(len(parse.phrases))):
        raise ValueError(f"the order {tuple(order)} does not name each of the {len(parse.phrases)} phrases once")
    for word, held in (("breaks", parse), ("awkward", strictly(parse))):
        if any(broken := _broken(held, order)):
            return Verdict(word, *broken)
    return Verdict("allowed")


def _broken(parse: Parse, order: Sequence[int]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    place, last, arcs = {phrase: at for at, phrase in enumerate(order)}, len(order) - 1, []
    end = {i: group[-1] for group in groups_of(parse) for i in group}
    for i, head in enumerate(parse.heads[:last]):
        if head != last and i == end[i]:
            continue  # a wall, whatever it depends on
        to = head if i < head <= end[i] or head == last else i + 1
        if place[i] > place[to] or (head != last and not {*order[place[i] : place[to]]} <= {*range(i, to)}):
            arcs.append((i, to))
    walls = (wall for wall in sorted({*parse.pinned, last}) if {*order[: place[wall]]} != {*range(wall)})
    return tuple(arcs), tuple(walls)
