"""An address that this machine serves: its sockets, its encryption, and the words that prove it to a page.

One process, without a kernel: Tornado, which comes with JupyterLab, answers all lines in the one thread that holds
what is served, so they take turns, and neither a silent connection nor meaningless bytes stop it.

Anyone who can reach the port gets the page, which holds none of the data. It opens a line (a WebSocket). First, the
server proves that it is the one that made the page, by a word that no other process knows; then the page names the
secret; then it asks, and is answered, over this one connection. Whoever takes the port after the server's end is
sent nothing. There is no cookie, which browsers send to each port of a machine.

In the address no name is resolved: no other listener is found first.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
import ssl
from os import PathLike
from typing import TYPE_CHECKING, Any

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from ..files import PairsError
from .handlers import Line, Page

if TYPE_CHECKING:
    from .book import Book

__all__ = ["Gate", "same"]

LOOPBACK = "127.0.0.1"  # which only this machine reaches
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
        An address of this machine; with a certificate, its name. Default: 127.0.0.1, which only this machine reaches.
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
        self._encryption = None
        self.scheme = "http"
        if certificate is not None:
            self._encryption = _encryption(certificate)
            self.scheme = "https"
        if host is not None and not _is_one_address(host, certificate is not None):
            raise PairsError(f"{host!r} is not the address of one machine, such as 192.168.1.5")
        self.host = host or LOOPBACK
        self._sockets = _listening(self.host, port)
        self.port = self._sockets[0].getsockname()[1]
        named = f"[{self.host}]" if ":" in self.host else self.host
        self.name = f"{named}:{self.port}"
        self.address = f"{self.scheme}://{self.name}/"

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
        given = {"gate": self, "html": html, "policy": f"{policy}; frame-ancestors 'none'"}
        paths = [("/line", Line, {"gate": self}), (".*", answers, given)]
        app = Application(
            paths,
            compress_response=True,
            websocket_max_message_size=most,
            websocket_ping_interval=20,
        )
        HTTPServer(app, ssl_options=self._encryption, **LIMITS).add_sockets(self._sockets)

    @property
    def asks(self) -> str:
        """The source of a Content-Security-Policy that lets the page open its line."""
        return f"{self.scheme.replace('http', 'ws')}://{self.name}"

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


def _listening(host: str, port: int) -> list[socket.socket]:
    """The sockets at which this machine now listens."""
    try:
        return bind_sockets(port, host)
    except OSError:
        raise PairsError(
            f"nothing can listen at {host}, port {port or 'any'}: is it this machine's, and free?"
        ) from None


def _encryption(certificate: str | PathLike) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate)
    except OSError as error:
        raise PairsError(
            f"{certificate}: {error}; a certificate is a PEM file with the certificate and its key"
        ) from error
    return context
