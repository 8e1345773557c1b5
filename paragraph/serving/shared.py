"""A live picture that several pages show."""

from __future__ import annotations

import asyncio
import secrets
from itertools import count
from typing import TYPE_CHECKING, Any

from anywidget import AnyWidget

from ..files import PairsError
from .gate import same

if TYPE_CHECKING:
    from .handlers import Line

__all__ = ["Shared"]


class Shared:
    """A live picture (a `Live`) and the pages that show it: each is told the changes of its traits since its last
    request. Whoever knows its `secret` is let in."""

    def __init__(self, picture: Any):
        self.picture = picture
        self.secret = secrets.token_urlsafe(32)
        self.heard = asyncio.Event()
        self._messages: list[Any] = []  #: to the page that is being answered
        picture.send = self._messages.append
        names = set(picture.trait_names(sync=True)) - set(AnyWidget.class_trait_names()) - {"ack"}
        names = [name for name in names if not name.startswith("_")]
        self._changed = dict.fromkeys(names, 1)  #: the number of the last change of each trait
        self._numbers = count(2)
        picture.observe(
            lambda change: self._changed.update({change["name"]: next(self._numbers)}), names
        )

    def key(self, who: str) -> None:
        """Nobody comes back: a review that has ended goes on at another address."""

    def changed(self) -> None:
        """It does not matter who is there."""

    def enter(self, line: Line, content: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Let a page in that knows the secret; return the name of its reader, and all traits."""
        if not same(content["secret"], self.secret):
            raise PairsError("This is not the full address of the review; its terminal shows it.")
        self.heard.set()
        return "reviewer", self.answer(line, {"seen": 0})

    def answer(self, line: Line, content: dict[str, Any]) -> dict[str, Any]:
        """Set traits and do the requested action; return the traits changed after number `seen`, the last number,
        and messages."""
        seen = content.pop("seen")
        traits = dict(content.pop("traits", {}))
        for name, value in traits.items():
            if name not in self._changed:
                raise PairsError(f"no such trait: {name}")
            setattr(self.picture, name, value)
        if content:
            self.picture.do(**content)
        news = {}
        for name, number in self._changed.items():
            value = getattr(self.picture, name)
            if number > seen and not (name in traits and traits[name] == value):
                news[name] = value
        messages = self._messages.copy()
        self._messages.clear()
        return {"now": max(self._changed.values()), "traits": news, "messages": messages}
