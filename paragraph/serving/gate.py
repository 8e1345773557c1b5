"""An address that this machine serves: its sockets, its encryption, and the words that prove it to a page.

One process, without a kernel: Tornado, which comes with JupyterLab, answers all lines in the one thread that holds
what is served, so they take turns, and neither a silent connection nor meaningless bytes stop it.

Anyone who can reach the port gets the page, which holds none of the data. It opens a line (a WebSocket). First, the
server proves that it is the one that made the page, by a word that no other process knows; then the page names the
secret; then it asks, and is answered, over this one connection. Whoever takes the port after the server's end is
sent nothing. There is no cookie, which browsers send to each port of a machine.

In the address no name is resolved: no other listener is found first. By default, it is a loopback address that is new
each time, where the system has more than one: anything served on the same port before, such as a service worker, has
no part in it.
"""

from __future__ import annotations

import hmac
import ipaddress
import random
import secrets
import socket
import ssl
from contextlib import suppress
from os import PathLike
from typing import TYPE_CHECKING, Any

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from ..files import PairsError
from .handlers import Line, Packed, Page

if TYPE_CHECKING:
    from .book import Book

__all__ = ["Gate", "same"]

#: Limits of a request: its bytes, and the seconds that it may take.
LIMITS = {
    "max_header_size": 16_384,
    "max_body_size": 100_000,
    "idle_connection_timeout": 10,
    "body_timeout": 10,
}


def same(given: str, wanted: str) -> bool:
    """Compare two secrets in a time that tells nothing of them."""
    return hmac.compare_digest(given.encode(), wanted.encode())


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
        An address of this machine; with a certificate, its name. Default: a loopback address, which only this machine
        reaches.
    certificate : path, optional
        A PEM file with the certificate chain and its key: lines are encrypted.

    Raises
    ------
    PairsError
        The address is not one of this machine, or is taken; the certificate cannot be used.
    """

    def __init__(
        self,
        keeper: Any,
        host: str | None = None,
        port: int = 0,
        certificate: str | PathLike | None = None,
    ):
        self.keeper = keeper
        self.lines: set[Line] = set()
        self._own = secrets.token_hex(16)
        self._encryption = None if certificate is None else _encryption(certificate)
        if host is not None and not _is_one_address(host, certificate is not None):
            raise PairsError(f"{host!r} is not the address of one machine, such as 192.168.1.5")
        self.host, self._sockets = _listening(host, port)
        self.port = self._sockets[0].getsockname()[1]
        hosts = [self.host]
        if self.host.startswith("127."):
            # with a tunnel from another machine, a loopback address goes by this name there
            hosts.append("127.0.0.1")
        self.names = [
            f"[{each}]:{self.port}" if ":" in each else f"{each}:{self.port}" for each in hosts
        ]
        self.scheme = "https" if self._encryption else "http"
        self.address = f"{self.scheme}://{self.names[0]}/"

    @classmethod
    def again(
        cls, keeper: Any, book: Book, name: str, host: str | None = None, **options: Any
    ) -> Gate:
        """Return the gate at the address that a book keeps under a name, if it is that of the host."""
        known_host, known_port = book.about(name) or (None, 0)
        port = known_port if host in (None, known_host) else 0
        gate = cls(keeper, host or known_host, port, **options)
        book.set_about(name, [gate.host, gate.port])
        keeper.gate = gate
        return gate

    def open(self, page: tuple[str, str], most: int = 100_000, answers: type[Page] = Page) -> None:
        """Serve a page, which `framed` made with `asks=gate.asks` and `inside=PASS`, and lines that say `most` bytes
        at once."""
        html, policy = page
        given = {
            "gate": self,
            "packed": Packed(html),
            "policy": f"{policy}; frame-ancestors 'none'",
        }
        paths = [("/line", Line, {"gate": self}), (".*", answers, given)]
        app = Application(paths, websocket_max_message_size=most, websocket_ping_interval=20)
        HTTPServer(app, ssl_options=self._encryption, **LIMITS).add_sockets(self._sockets)

    @property
    def asks(self) -> str:
        """The source of a Content-Security-Policy that lets the page open its line."""
        scheme = self.scheme.replace("http", "ws")
        return " ".join(f"{scheme}://{name}" for name in self.names)

    def passes(self, key: str | None = None, many: int = 1) -> list[list[str]]:
        """Return what a page says to be answered, once each, and the answer that only this server knows."""
        nonces = [secrets.token_hex(16) for _ in range(many)]
        key = key or self._own
        return [[nonce, word(key, "ask", nonce), word(key, "proof", nonce)] for nonce in nonces]

    def prove(self, who: str, nonce: str, ask: str) -> str:
        """Return the proof for a page that was given its question."""
        key = self.keeper.key(who) if who else self._own
        if not key or not same(ask, word(key, "ask", nonce)):
            raise PairsError("this page is of another server: reload it")
        return word(key, "proof", nonce)


def _is_one_address(host: str, named: bool) -> bool:
    try:
        return not ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return named and bool(host)  # a certificate proves a name, so it may be resolved


def _listening(host: str | None, port: int) -> tuple[str, list[socket.socket]]:
    """The address at which this machine now listens, and its sockets."""
    hosts = [host]
    if host is None:
        numbers = [str(random.SystemRandom().randrange(1, 255)) for _ in range(3)]
        hosts = [".".join(["127", *numbers]), "127.0.0.1"]
    for each in hosts:
        with suppress(OSError):
            return each, bind_sockets(port, each)
    raise PairsError(
        f"nothing can listen at {hosts[-1]}, port {port or 'any'}: is it this machine's, and free?"
    )


def _encryption(certificate: str | PathLike) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate)
    except OSError as error:
        raise PairsError(
            f"{certificate}: {error}; a certificate is a PEM file with the certificate and its key"
        ) from error
    return context
