"""What an order of phrases does to a sentence: which dependencies break, and which walls are passed."""

from __future__ import annotations

from collections.abc import Sequence

from .orders import Parse, groups_of, strictly

__all__ = ["verdict"]

Broken = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]  #: arcs (dependent and head), and walls


def verdict(parse: Parse, order: Sequence[int]) -> tuple[str, *Broken]:
    """Whether an order is one of the rule "strict" ("allowed"), of "paper" alone ("awkward"), or "breaks", and what.

    An arc breaks when the dependent no longer stands before its head, or when between them stands a phrase that did
    not in the sentence; before the predicate any may. An arc that leads backwards, or out of its group (`groups_of`),
    is none that the rules keep: its phrase has to stay right before the next. A wall breaks when others than in the
    sentence stand before it; the predicate is one. For "awkward" it is what "strict" adds that breaks.

    >>> parse = Parse("猫が寝ている犬を見た", ("猫が", "寝ている", "犬を", "見た"), (3, 2, 3, -1))
    >>> verdict(parse, (1, 2, 0, 3)), verdict(parse, (1, 0, 2, 3))
    (('allowed', (), ()), ('breaks', ((1, 2),), ()))
    """
    if sorted(order) != list(range(len(parse.phrases))):
        raise ValueError(f"the order {tuple(order)} does not name each of the {len(parse.phrases)} phrases once")
    for word, held in (("breaks", parse), ("awkward", strictly(parse))):
        if any(broken := _broken(held, order)):
            return word, *broken
    return "allowed", (), ()


def _broken(parse: Parse, order: Sequence[int]) -> Broken:
    last, place, arcs = len(order) - 1, {phrase: at for at, phrase in enumerate(order)}, []
    for group in groups_of(parse):
        for i in group:
            head, free = parse.heads[i], parse.heads[i] == last != i
            to = head if free or i < head <= group[-1] else min(i + 1, group[-1])  # of the last: none
            if place[i] > place[to] or not (free or {*order[place[i] : place[to]]} <= {*range(i, to)}):
                arcs.append((i, to))
    walls = (wall for wall in sorted({*parse.pinned, last}) if {*order[: place[wall]]} != {*range(wall)})
    return tuple(arcs), tuple(walls)
