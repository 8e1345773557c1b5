"""Pages that this machine serves: each to whoever proves, over one line, to hold a secret.

One process, without a kernel: Tornado, which comes with JupyterLab, answers all lines in the one thread that holds
what is served, so they take turns, and neither a silent connection nor meaningless bytes stop it.

Anyone who can reach the port gets the page, which holds none of the data. It opens a line (a WebSocket). First, the
server proves that it is the one that made the page, by a word that no other process knows; then the page names the
secret; then it asks, and is answered, over this one connection. Whoever takes the port after the server's end is
sent nothing. There is no cookie, which browsers send to each port of a machine.

In the address no name is resolved: no other listener is found first. It is a loopback address that is new each time,
where the system has more than one: anything served on the same port before, such as a service worker, has no part in
it.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import os
import random
import secrets
import tempfile
import threading
import webbrowser
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from anywidget import AnyWidget
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from ..draw.page import source
from ..files import PairsError
from ..widgets import pages
from ..widgets.base.live import Live
from ..widgets.pages.living import as_json, framed
from ..widgets.review.desk import Review
from .options import one_line

__all__ = ["Gate", "Shared", "handed_over", "serve", "serving"]

NOTE = "Every decision is on disk at once. Ctrl-C ends the review; the same command continues it."
HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
           "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"}  # fmt: skip
#: Limits of a request: its bytes, and the seconds that it may take.
LIMITS = {"max_header_size": 16_384, "max_body_size": 100_000, "idle_connection_timeout": 10, "body_timeout": 10}
PATIENCE = 10  # seconds in which a line must have named the secret
LINES = 500  # open at once,
OWN_LINES = 300  # and from one address
START = "servedModel(location.hash.slice(1), showPage, failed);"
SCRIPTS = [Path(pages.__file__).with_name(f"{name}.js") for name in ("traits", "line", "served")]


def word(key: str, what: str, nonce: str) -> str:
    """Return a word that only a holder of the key can know before it is said."""
    return hmac.new(key.encode(), f"{what} {nonce}".encode(), "sha256").hexdigest()


class Gate:
    """An address with its page, and the lines of those who opened it.

    Parameters
    ----------
    keeper
        ``enter(line, content)`` lets a page in, or raises `PairsError`; ``answer(line, content)`` answers it. Both
        return plain values. ``key(who)`` is the key of somebody who comes back without loading the page again.
    host : str, optional
        An address of this machine. Default: a loopback address, which only this machine reaches.
    """

    def __init__(self, keeper: Any, host: str | None = None, port: int = 0):
        self.keeper, self.lines, self._own = keeper, set(), secrets.token_hex(16)
        own = ".".join(["127", *(str(random.SystemRandom().randrange(1, 255)) for _ in range(3))])
        for self.host in [host] if host else [own, "127.0.0.1"]:
            with suppress(OSError):
                self._sockets = bind_sockets(port, self.host)
                break
        else:
            raise PairsError(
                f"nothing can listen at {self.host}, port {port or 'any'}: is it this machine's, and free?"
            )
        self.port = self._sockets[0].getsockname()[1]
        #: With a tunnel from another machine, a loopback address goes by this name there.
        self.names = [f"{name}:{self.port}" for name in dict.fromkeys([self.host, host or "127.0.0.1"])]
        self.address = f"http://{self.names[0]}/"

    def open(self, page: tuple[str, str], most: int = 100_000, answers: type[Page] | None = None) -> None:
        """Serve a page, which `framed` made with `asks=gate.asks` and `inside=PASS`, and lines that say `most` bytes
        at once."""
        html, policy = page
        given = {"gate": self, "packed": Packed(html), "policy": f"{policy}; frame-ancestors 'none'"}
        paths = [("/line", Line, {"gate": self}), (".*", answers or Page, given)]
        app = Application(paths, websocket_max_message_size=most, websocket_ping_interval=20)
        HTTPServer(app, **LIMITS).add_sockets(self._sockets)

    @property
    def asks(self) -> str:
        """The source of a Content-Security-Policy that lets the page open its line."""
        return " ".join(f"ws://{name}" for name in self.names)

    def passes(self, key: str | None = None, many: int = 1) -> list[list[str]]:
        """Return what a page says to be answered, once each, and the answer that only this server knows."""
        nonces = (secrets.token_hex(16) for _ in range(many))
        return [[nonce, *(word(key or self._own, what, nonce) for what in ("ask", "proof"))] for nonce in nonces]

    def prove(self, who: str, nonce: str, ask: str) -> str:
        """Return the proof for a page that was given its question."""
        key = self.keeper.key(who) if who else self._own
        if not key or not hmac.compare_digest(word(key, "ask", nonce), ask):
            raise PairsError("this page is of another server: reload it")
        return word(key, "proof", nonce)


#: Where a page holds its pass.
PASS = '<script type="application/json" id="pass"></script>'


class Packed:
    """A page with a pass that is new each time; all before its place is compressed once."""

    def __init__(self, html: str):
        before, after = html.split(PASS)
        self._before, self._after = before.encode(), after.encode()
        self._packer = zlib.compressobj(9, wbits=31)  # gzip
        self._start = self._packer.compress(self._before) + self._packer.flush(zlib.Z_SYNC_FLUSH)

    def with_pass(self, given: list[str], zipped: bool) -> bytes:
        """Return the page with a pass in it, compressed or not."""
        end = PASS.replace("><", f">{as_json(given)}<").encode() + self._after
        if not zipped:
            return self._before + end
        packer = self._packer.copy()
        return self._start + packer.compress(end) + packer.flush()


class Page(RequestHandler):
    """Answers GET with the page, which contains none of the data."""

    def initialize(self, gate: Gate, packed: Packed, policy: str) -> None:
        self.gate = gate
        self.packed = packed
        self.policy = policy

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        if self.request.host not in self.gate.names:
            self.refuse(403, "another host")
        elif self.request.path != "/":
            self.refuse(404, "no such page")

    def get(self) -> None:
        self.set_header("Content-Security-Policy", self.policy)
        zipped = "gzip" in self.request.headers.get("Accept-Encoding", "")
        self.set_header("Vary", "Accept-Encoding")
        if zipped:
            self.set_header("Content-Encoding", "gzip")
        self.finish(self.packed.with_pass(self.gate.passes()[0], zipped))

    def refuse(self, status: int, why: str) -> None:
        """Answer with an error in one line."""
        self.set_status(status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(why)


class Line(WebSocketHandler):
    """The line of one page: it is proven to first, then let in, then answered, in the order of what it says."""

    def initialize(self, gate: Gate) -> None:
        self.gate, self.proven, self.who = gate, False, None

    def prepare(self) -> None:
        own = sum(line.request.remote_ip == self.request.remote_ip for line in self.gate.lines)
        if self.request.host not in self.gate.names or len(self.gate.lines) >= LINES or own >= OWN_LINES:
            self.set_status(403)
            self.finish("another host, or too many lines")

    def check_origin(self, origin: str) -> bool:
        """Return whether the page was loaded from here."""
        return origin == f"http://{self.request.host}"

    def open(self) -> None:
        self.gate.lines.add(self)
        IOLoop.current().call_later(PATIENCE, lambda: self.who is None and self.close())

    def on_close(self) -> None:
        self.gate.lines.discard(self)

    def on_message(self, said: str | bytes) -> None:
        number = None
        try:
            content = json.loads(said)
            number = content.pop("n", None)
            answer = self._step(content)
            self.tell(answer | {"n": number})
        except Exception as error:  # a page may be older than the server, or send anything
            why = str(error) if isinstance(error, PairsError) else f"{type(error).__name__}: {error}"
            news = {"refused": one_line(why), "n": number}
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


class Shared:
    """A live picture and the pages that show it: each is told the changes of its traits since its last request."""

    def __init__(self, shown: Live):
        self.shown, self.secret, self.heard = shown, secrets.token_urlsafe(32), asyncio.Event()
        self._said: list[Any] = []  #: messages to the page that is being answered
        shown.send = self._said.append
        own = set(shown.trait_names(sync=True)) - set(AnyWidget.class_trait_names()) - {"ack"}
        own = [name for name in own if not name.startswith("_")]
        self._changed = dict.fromkeys(own, 1)  #: the number of the last change of each trait
        self._numbers = count(2)
        shown.observe(lambda change: self._changed.update({change["name"]: next(self._numbers)}), own)

    def key(self, who: str) -> None:
        """Nobody comes back: a review that has ended goes on at another address."""

    def enter(self, line: Line, content: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Let a page in that knows the secret; return the name of its reader, and all traits."""
        if not hmac.compare_digest(content["secret"].encode(), self.secret.encode()):
            raise PairsError("This is not the full address of the review; its terminal shows it.")
        self.heard.set()
        return "reviewer", self.answer(line, {"seen": 0})

    def answer(self, line: Line, content: dict[str, Any]) -> dict[str, Any]:
        """Set traits and do the requested action; return the traits changed after number `seen`, the last number,
        and messages."""
        seen, given = content.pop("seen"), dict(content.pop("traits", {}))
        for name, value in given.items():
            if name not in self._changed:
                raise PairsError(f"no such trait: {name}")
            setattr(self.shown, name, value)
        if content:
            self.shown.do(**content)
        now = {name: getattr(self.shown, name) for name, number in self._changed.items() if number > seen}
        news = {name: value for name, value in now.items() if name not in given or given[name] != value}
        said, self._said[:] = [*self._said], []
        return {"now": max(self._changed.values()), "traits": news} | ({"messages": said} if said else {})


@contextmanager
def handed_over(html: str) -> Iterator[str]:
    """The address of a page that leads to another with its secret: all users may read what a browser is started
    with, but only this one the file."""
    number, name = tempfile.mkstemp(".html", "paragraph-")
    try:
        with open(number, "w") as file:
            file.write(html)
        yield Path(name).as_uri()
    finally:
        os.unlink(name)


def show(address: str) -> None:
    """Open an address in the browser, which may take its time."""
    threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()


def serving(serve: Any) -> None:
    """Run a server until Ctrl-C."""
    for name in ("tornado", "asyncio"):
        logging.getLogger(name).setLevel("CRITICAL")  # what strangers send is not for the terminal
    asyncio.run(serve)


def serve(review: Review, browser: bool) -> None:
    """Serve a review until Ctrl-C, and open it in the browser if asked to."""
    serving(_serve(review, browser))


async def _serve(review: Review, browser: bool) -> None:
    shared = Shared(review)
    gate = Gate(shared)
    gate.open(framed(review.name, NOTE, review, source(*SCRIPTS) + START, PASS, gate.asks))
    address = f"{gate.address}#{shared.secret}"
    print(f"The review is at {address}", NOTE, sep="\n", flush=True)
    if browser:
        with handed_over(f'<meta http-equiv="refresh" content="0; url={address}">') as file:
            show(file)
            await shared.heard.wait()
    await asyncio.Event().wait()  # until Ctrl-C
