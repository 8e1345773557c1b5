"""The server of one review: a page on this machine, for the one person who has its secret.

One process, without a kernel: Tornado, which comes with JupyterLab, answers all requests in the one thread that holds
the review, so they take turns, and neither a silent connection nor meaningless bytes stop it. (The standard library's
server would need one thread per connection for that, and locks.)

Anyone who can reach the port gets the page, which is the same for every review. Sentences go only to requests with
the secret, in a header that no page of another origin can send; there is no cookie, which browsers send to each port
of a machine. The origin is new each time, with a random name: anything served on the same port before, such as a
service worker, has no part in it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import tempfile
import threading
import webbrowser
from itertools import count
from pathlib import Path
from typing import Any

from anywidget import AnyWidget
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from ..draw.page import source
from ..files import PairsError
from ..widgets import pages
from ..widgets.pages.living import framed
from ..widgets.review.desk import Review
from .options import one_line

__all__ = ["serve"]

NOTE = "Every decision is on disk at once. Ctrl-C ends the review; the same command continues it."
HEADERS = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
           "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"}  # fmt: skip
#: Limits of a request: its bytes, and the seconds that it may take.
LIMITS = {"max_header_size": 16_384, "max_body_size": 100_000, "idle_connection_timeout": 10, "body_timeout": 10}
SCRIPTS = [Path(pages.__file__).with_name(f"{name}.js") for name in ("traits", "served")]


class Shared:
    """A review and the pages that show it: each is told the changes since its last request."""

    def __init__(self, review: Review):
        self.review, self.heard = review, asyncio.Event()
        own = set(review.trait_names(sync=True)) - set(AnyWidget.class_trait_names()) - {"ack"}
        own = [name for name in own if not name.startswith("_")]
        self._changed = dict.fromkeys(own, 1)  #: the number of the last change of each trait
        self._numbers = count(2)
        review.observe(lambda change: self._changed.update({change["name"]: next(self._numbers)}), own)

    def answer(self, seen: int, traits: dict[str, Any] | None = None, **asked: Any) -> dict[str, Any]:
        """Set traits and do the requested action; return the traits changed after number `seen`, and the last
        number."""
        given = dict(traits or {})
        for name, value in given.items():
            if name not in self._changed:
                raise PairsError(f"no such trait: {name}")
            setattr(self.review, name, value)
        if asked:
            self.review.do(**asked)
        now = {name: getattr(self.review, name) for name, number in self._changed.items() if number > seen}
        news = {name: value for name, value in now.items() if name not in given or given[name] != value}
        return {"now": max(self._changed.values()), "traits": news}


class Answer(RequestHandler):
    """Answer GET with the page, which contains none of the data, and POST, with the secret, with an answer."""

    def initialize(self, shared: Shared, page: str, policy: str, names: list[str], secret: str) -> None:
        self.shared, self.page, self.policy, self.names, self.secret = shared, page, policy, names, secret

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        if self.request.host not in self.names:
            self._refuse(403, "another host")
        elif self.request.path != "/":
            self._refuse(404, "no such page")

    def get(self) -> None:
        self.set_header("Content-Security-Policy", f"{self.policy}; frame-ancestors 'none'")
        self.finish(self.page)

    def post(self) -> None:
        given = self.request.headers
        if not secrets.compare_digest(given.get("Authorization", "").encode(), self.secret.encode()):
            return self._refuse(403, "This is not the full address of the review; its terminal shows it.")
        own = {"Origin": f"http://{self.request.host}", "Content-Type": "application/json"}
        own |= {"Sec-Fetch-Site": "same-origin"} if "Sec-Fetch-Site" in given else {}
        if any(given.get(name) != value for name, value in own.items()):
            return self._refuse(403, "another page")
        self.shared.heard.set()
        try:
            answer = json.dumps(self.shared.answer(**json.loads(self.request.body)))
        except Exception as error:  # a page may be older than the review, or send anything
            return self._refuse(400, one_line(f"{type(error).__name__}: {error}"))
        self.set_header("Content-Type", "application/json")
        self.finish(answer)

    def _refuse(self, status: int, why: str) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(why)


def serve(review: Review, browser: bool) -> None:
    """Serve a review until Ctrl-C, and open it in the browser if asked to."""
    asyncio.run(_serve(review, browser))


async def _serve(review: Review, browser: bool) -> None:
    for name in ("tornado", "asyncio"):
        logging.getLogger(name).setLevel("CRITICAL")  # what strangers send is not for the terminal
    sockets, secret, shared = bind_sockets(0, "127.0.0.1"), secrets.token_urlsafe(32), Shared(review)
    port = sockets[0].getsockname()[1]
    names = [f"{name}:{port}" for name in (f"{secrets.token_hex(8)}.localhost", "127.0.0.1")]
    page, policy = framed(review.name, NOTE, review, source(*SCRIPTS), asks="'self'")
    given = {"shared": shared, "page": page, "policy": policy, "names": names, "secret": secret}
    server = HTTPServer(Application([(".*", Answer, given)]), no_keep_alive=True, **LIMITS)
    server.add_sockets(sockets)
    address = f"http://{names[0]}/#{secret}"
    print(f"The review is at {address}", NOTE, sep="\n", flush=True)
    if browser:  # all users may read what it is started with, but only this one the file
        number, name = tempfile.mkstemp(".html", "paragraph-review-")
        try:
            with open(number, "w") as file:
                file.write(f'<meta http-equiv="refresh" content="0; url={address}">')
            threading.Thread(target=webbrowser.open, args=[Path(name).as_uri()], daemon=True).start()
            await shared.heard.wait()
        finally:
            os.unlink(name)
    await asyncio.Event().wait()  # until Ctrl-C
