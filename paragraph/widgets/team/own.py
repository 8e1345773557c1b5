"""The review of one person of a team, and what is on the screens of all."""

from __future__ import annotations

import time
from collections.abc import Mapping, Set

from ...decisions.queue import Part
from ..review.desk import Review

__all__ = ["Screens", "of_person", "take_part"]

LEASE = (
    900  # seconds after which an item on the screen of somebody who does nothing goes to another
)


def of_person(review: Review, name: str) -> Review:
    """Make the same review for another person who answers in the same log."""
    args, options = review._given
    return type(review)(*args, **options | {"reviewer": name})


def open_item(review: Review) -> int | None:
    """Return the item on screen, if it is not answered yet."""
    item = review._item
    return item if item is not None and review._queue.is_left(item) else None


def take_part(review: Review, part: Part) -> None:
    """Give a person their part of the queue; leave the item on screen if it is somebody else's now.

    An item that stays is recorded as it was drawn; what comes after it follows from the new part.
    """
    review._session.contested = part.contested
    review._queue.part = part
    item = open_item(review)
    if review._item is None or (item is not None and not part.asks(item)):
        with review.hold_sync():
            review._session.take([])
            review._go(review._queue.next())


class Screens:
    """Items on the screens of a team: whoever came to one first keeps it, until they go, or do nothing for long."""

    def __init__(self, reviews: Mapping[str, Review]):
        self._reviews = reviews
        self._active: dict[str, float] = {}  # when each was last heard of
        self._items: dict[str, int] = {}  # the item of each, in the order in which they came to it

    def of_others(self, who: str, here: Set[str]) -> dict[str, int]:
        """Return the items of those others who are here, by name, for somebody who does something now."""
        now = time.monotonic()
        for name in list(self._items):
            if name not in here or now - self._active[name] >= LEASE:
                del self._items[name]
        self._active[who] = now
        kept: set[int] = set()  # what others cannot take by coming later
        others = {}
        for name, item in self._items.items():
            if name == who:
                kept.update(self._reviews[who]._queue.together(item))
            elif item not in kept:
                others[name] = item
        return others

    def note(self, who: str) -> None:
        """Note what is on somebody's screen now."""
        item = open_item(self._reviews[who])
        if item != self._items.get(who):
            self._items.pop(who, None)
            if item is not None:
                self._items[who] = item
