"""The review of one person of a team."""

from __future__ import annotations

import warnings

from ...decisions.queue import Part
from ..review.desk import Review

__all__ = ["of_person", "open_item", "take_part"]


def of_person(review: Review, name: str) -> Review:
    """Make the same review for another person who answers in the same log."""
    args, options = review._given
    with warnings.catch_warnings(action="ignore"):  # of a log of several people
        return type(review)(*args, **options | {"reviewer": name})


def open_item(review: Review) -> int | None:
    """Return the item on screen, if it is not answered yet."""
    item = review._item
    return item if item is not None and review._queue.is_left(item) else None


def take_part(review: Review, part: Part) -> None:
    """Give a person their part of the queue; leave the item on screen if it is somebody else's now.

    An item that stays is recorded as it was drawn; what comes after it follows from the new part.
    """
    review._session.overruled = part.overruled
    review._queue.part = part
    item = open_item(review)
    if review._item is None or (item is not None and not part.asks(item)):
        with review.hold_sync():
            review._session.take([])
            review._go(review._queue.next())
