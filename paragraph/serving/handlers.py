"""Answers to a browser: the page, and the line of each page that was opened. `gate` is their `Gate`."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from tornado.ioloop import IOLoop
from tornado.web import RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from ..files import PairsError
from ..files.errors import capped
from ..files.shown import shown

__all__ = ["PASS", "Line", "Page"]

HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
           "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"}  # fmt: skip
PATIENCE = 10  # seconds in which a line must have named the secret
LINES = 500  # open at once,
OWN_LINES = 300  # and from one address
#: Where a page holds its pass, which is new each time.
PASS = '<script type="application/json" id="pass"></script>'


class Page(RequestHandler):
    """Answers GET with the page, which contains none of the data."""

    def initialize(self, gate: Any, html: str, policy: str) -> None:
        self.gate = gate
        self.html = html
        self.policy = policy

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        if self.request.host != self.gate.name:
            self.refuse(403, "another host")
        elif self.request.path != "/":
            self.refuse(404, "no such page")

    def get(self) -> None:
        self.set_header("Content-Security-Policy", self.policy)
        given = PASS.replace("><", f">{json.dumps(self.gate.passes()[0])}<")
        self.finish(self.html.replace(PASS, given))

    def refuse(self, status: int, why: str) -> None:
        """Answer with an error in one line."""
        self.set_status(status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(why)


class Line(WebSocketHandler):
    """The line of one page: it is proven to first, then let in, then answered, in the order of what it says."""

    def initialize(self, gate: Any) -> None:
        self.gate = gate
        self.proven = False
        self.who: str | None = None
        self.role = ""  #: as the keeper calls it

    def prepare(self) -> None:
        own = sum(line.request.remote_ip == self.request.remote_ip for line in self.gate.lines)
        if self.request.host != self.gate.name or len(self.gate.lines) >= LINES or own >= OWN_LINES:
            self.set_status(403)
            self.finish("another host, or too many lines")

    def check_origin(self, origin: str) -> bool:
        """Return whether the page was loaded from here."""
        return origin == f"{self.gate.scheme}://{self.request.host}"

    def open(self) -> None:
        self.gate.lines.add(self)
        IOLoop.current().call_later(PATIENCE, lambda: self.who is None and self.close())

    def on_close(self) -> None:
        self.gate.lines.discard(self)
        if self.who is not None:
            self.gate.keeper.changed()

    def on_message(self, text: str | bytes) -> None:
        number = None
        try:
            content = json.loads(text)
            number = content.pop("n", None)
            answer = self._step(content)
            self.tell(answer | {"n": number})
        except Exception as error:  # a page may be older than the server, or send anything
            why = (
                str(error) if isinstance(error, PairsError) else f"{type(error).__name__}: {error}"
            )
            news = {"refused": capped(shown(" ".join(why.split()))), "n": number}
            if self.proven and self.who is None:
                news["pass"] = self.gate.passes()[0]  # for another try
            self.tell(news)
            if self.who is None:
                self.close()

    def _step(self, content: dict[str, Any]) -> dict[str, Any]:
        if not self.proven:
            proof = self.gate.prove(**content)
            self.proven = True
            return {"proof": proof}
        if self.who is None:
            self.who, answer = self.gate.keeper.enter(self, content)
            return answer
        return self.gate.keeper.answer(self, content)

    def tell(self, news: dict[str, Any]) -> None:
        """Send plain values, if the page is still there."""
        with suppress(WebSocketClosedError):
            self.write_message(json.dumps(news))

    def send_out(self, why: str) -> None:
        """Tell a page that is no longer let in, and close its line."""
        self.tell({"refused": why, "out": True})
        self.who = None
        self.close()
