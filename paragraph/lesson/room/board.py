"""A class: a board for the wall beside pupils' phones, each over a line of its own."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import json
import secrets
import time
from collections import defaultdict
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa
import traitlets

from ...cli.serving import PASS, Gate, Line, Page, Shared
from ...draw.page import source
from ...files import PairsError
from ...files.tables import guarded
from ...widgets import pages
from ...widgets.pages import living
from ...widgets.pages.living import as_json, framed
from ..exercises import SHEETS, Sheet
from ..exercises.sheet import summary_of
from ..lab.contents import class_data, page_traits
from ..lab.widget import KERNEL, WORK, TriadLab
from .book import Book

__all__ = ["Class"]

PACE, BURST = 20, 20  # requests of a pupil in a second
TRIES = 1  # wrong codes of an address in a second, after ten
BYTES = 64_000  # of a request
SPARE = 20  # times that a phone may come back before it must load the page again
HERE = Path(__file__).parent
PAGES = Path(pages.__file__).parent
LINE = source(PAGES / "line.js")
BOARD = "What you see here is for all; the teacher's keys are in this window alone."
PHONE = "Vote, play with signed graphs, solve exercises and hand them in. Nothing leaves this room's machine."


class Class(TriadLab):
    """A class: its board, and a page for each pupil's phone.

    The board is a Triad Lab with a code to scan. Put a graph or an exercise on the table and ask: all phones show it,
    each votes once, and until you reveal the tally each may change its vote. Phones also have exercises of their own,
    solved while the class goes on, and handed in by a tap.

    Parameters
    ----------
    keep : path, optional
        An SQLite file for votes and work: a class that is started again on it goes on. Default: they end with it.
    host : str, optional
        The address of this machine at which phones reach it. Default: it listens to this machine alone.
    seed : int
        Of the exercises: sheets `seed` to `seed + sheets - 1`; on the board, the first of them.

    Attributes
    ----------
    address, code : str
        For phones that scan no code.
    book : Book
        Votes and work: ``book.tally()``.
    """

    _esm = TriadLab._esm.replace("export default () =>", "const labHere = () =>") + source(
        HERE / "board.js", HERE / "notebook.js"
    )
    _css = TriadLab._css + source(HERE / "style.css")

    room = traitlets.Dict()  #: of the board: how many joined, voted, handed in; the tally once it is revealed

    def __init__(
        self, keep: str | PathLike | None = None, *, host: str | None = None, seed: int = 0, sheets: int = SHEETS
    ):  # fmt: skip
        try:
            self._loop = asyncio.get_running_loop()
            is_one = host is None or not ipaddress.ip_address(host).is_unspecified
        except RuntimeError:
            raise PairsError("a class needs a notebook, or a shell: paragraph class") from None
        except ValueError:
            is_one = False
        if not is_one:
            raise PairsError(f"{host!r} is not the address of one machine, such as 192.168.1.5")
        super().__init__(exercises=Sheet(seed))
        self.lay("triad ++-")
        self.data = self.data | {"board": True}
        self.book = Book(keep)
        known = self.book.about("at") or [None, 0]
        self.pupils = Pupils(self)
        gate = self.pupils.gate = Gate(self.pupils, host or known[0], known[1] if host in (None, known[0]) else 0)
        self.book.about("at", [gate.host, gate.port])
        self.address, self.code = gate.address, self.book.code
        self._data = class_data(range(seed, seed + sheets)) | {"id": self.code}
        script = f"{living(KERNEL)}\n{LINE}\n{source(HERE / 'phone.js')}"
        gate.open(
            framed("Triad Lab", PHONE, self, script, f"{PASS}{self._inside(WORK, room=True)}", gate.asks), BYTES
        )
        self._later, self._boards = None, []
        self._tell()

    def _inside(self, work: dict[str, Any], **more: Any) -> str:
        data = {"traits": page_traits(self) | {"work": work}, "data": self._data | more}
        return f'<script type="application/json" id="data">{as_json(data)}</script>'

    def board(self) -> tuple[str, str]:
        """Serve the board to this machine; return the page to open it by, and its address."""
        keeper = Shared(self, ["room"])
        gate = Gate(keeper)
        script = f"{living(KERNEL)}\n{source(PAGES / 'served.js')}\n{LINE}\n"
        script += source(HERE / "board.js", HERE / "served.js")
        inside = self._inside(WORK | {"sheet": 0}, page=False, board=True)
        gate.open(framed("The class", BOARD, self, script, PASS + inside, gate.asks), answers=Entrance)
        self._boards.append(gate)
        form = f"<form method=post action={gate.address}><input type=hidden name=secret value={keeper.secret}></form>"
        return f"<!DOCTYPE html>{form}<script>document.forms[0].submit()</script>", gate.address

    # -- what the teacher does -----------------------------------------------------------------------------

    def on_ask(self, asked: dict[str, Any]) -> None:
        """Put the graph or the exercise on the table up for a vote."""
        self._do(self.book.ask, asked)

    def on_reveal(self) -> None:
        """Close the vote, and show the tally."""
        self._do(self.book.reveal)

    def on_hand(self) -> None:
        """Give the board what was handed in, as a file, until there is news."""
        self._loop.call_soon_threadsafe(self._gather)

    def _gather(self) -> None:
        table = summary_of(self.book.sheets(True)).astype(str)
        safe = table.assign(**{name: guarded(pa.array(table[name])).to_pylist() for name in ("file", "student")})
        self._tell(csv=safe.to_csv(index=False))

    def _do(self, act: Callable[..., None], *given: Any) -> None:
        """Do something in the thread that serves the phones: a notebook hears its page in another one."""

        def act_and_tell() -> None:
            act(*given)
            self.pupils.tell_all()
            self._tell()

        self._loop.call_soon_threadsafe(act_and_tell)

    def changed(self) -> None:
        """Show news on the board, soon: many come at once."""
        if self._later is None:
            self._later = self._loop.call_later(0.2, self._tell)

    def _tell(self, **more: str) -> None:
        self._later = None
        wall, tally = self.book.wall(), self.book.tally()
        self.room = {
            "address": self.address, "code": self.code, "cells": _cells(f"{self.address}#{self.code}"),
            "joined": self.book.pupils(), "here": len({line.who for line in self.pupils.gate.lines if line.who}),
            "voted": sum(tally.values()), "tally": tally if wall["revealed"] else {}, "wall": wall,
            "solved": sorted(self.book.solved().items()), "handed": len(self.book.sheets(True)),
        } | more  # fmt: skip
        for line in [line for gate in self._boards for line in gate.lines if line.who]:
            line.tell(line.gate.keeper.answer(line, {"seen": 0}))


def _cells(text: str) -> str:
    """Return a QR code as the path of an SVG picture, a dark cell 1 × 1."""
    import segno

    rows = enumerate(segno.make(text, error="m", micro=False).matrix)
    return "".join(f"M{x} {y}h1v1h-1z" for y, row in rows for x, dark in enumerate(row) if dark)


class Entrance(Page):
    """The page of the board, and the door to it: the secret comes in a form, so that no address ever holds it."""

    def post(self) -> None:
        secret = self.gate.keeper.secret
        if not hmac.compare_digest(self.get_body_argument("secret", "").encode(), secret.encode()):
            return self.refuse(403, "This is not the page that opens the board.")
        script = f"sessionStorage.secret = {json.dumps(secret)}; location.replace('/')"
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        self.set_header("Content-Security-Policy", f"default-src 'none'; script-src 'sha256-{digest}'")
        self.finish(f"<!DOCTYPE html><script>{script}</script>")


class Pupils:
    """The phones of a class: who gets in, and what each is told. No one is told of another."""

    gate: Gate

    def __init__(self, room: Class):
        self.room, self.book = room, room.book
        self._due: dict[Any, float] = defaultdict(float)  # until when somebody has used up their requests

    def key(self, who: str) -> str | None:
        """Return the secret of a pupil who comes back."""
        return self.book.secret(who)

    def enter(self, line: Line, content: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Let a pupil in: a new one with the class's code, one who comes back with their own secret."""
        who, secret = content.get("who", ""), content.get("secret", "")
        if "code" in content:
            address = line.request.remote_ip
            self._paced(address, TRIES, 10, spend=False)
            if not hmac.compare_digest(content["code"].upper().encode(), self.book.code.encode()):
                self._paced(address, TRIES, 10)
                raise PairsError("This is not the code of the class.")
            who, secret = self.book.join()
        elif not hmac.compare_digest(secret.encode(), (self.book.secret(who) or secrets.token_hex()).encode()):
            raise PairsError("This class does not know you: type its code.")
        self.room.changed()
        return who, {"who": who, "secret": secret, "passes": self.gate.passes(secret, SPARE), **self._view(who)}

    def answer(self, line: Line, content: dict[str, Any]) -> dict[str, Any]:
        """Keep a name, work or a vote of a pupil; return what the pupil sees now."""
        self._paced(line.who, PACE, BURST)
        self.room.changed()
        if "name" in content:
            self.book.rename(line.who, content["name"])
        if "work" in content:
            self.book.keep(line.who, content["work"], content["handed"])
        if "vote" in content:  # last: a vote that comes too late is refused
            self.book.vote(line.who, content["question"], content["vote"])
        return self._view(line.who)

    def tell_all(self) -> None:
        """Show all phones the wall."""
        for line in self.gate.lines:
            if line.who:
                line.tell(self._view(line.who))

    def _view(self, who: str) -> dict[str, Any]:
        return {"wall": self.book.wall(), "vote": self.book.voted(who)}

    def _paced(self, who: Any, rate: float, burst: int, spend: bool = True) -> None:
        now = time.monotonic()
        due = max(self._due[who], now - burst / rate) + 1 / rate
        if due > now:
            raise PairsError("Too many requests: wait a moment.")
        if spend:
            self._due[who] = due
