"""Guests of a class: pupils' phones and pages of the board. Each comes back by a key of its own."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections import Counter
from typing import Any

from ...files import PairsError
from ...serving.gate import same
from ...serving.guests import Guests, Paces
from ...serving.handlers import Line, Page
from .book import MOST

__all__ = ["Boards", "Entrance", "Pupils"]

TRIES = 1  # wrong codes of an address in a second,
FEW = 10  # after so many
JOINS = 0.5  # pupils who join from one address in a second,
ROOM = 80  # after a room that shares it


class Pupils(Guests):
    """The phones of a class. No one is told of another."""

    stranger = "This class does not know you: type its code."

    def __init__(self, room: Any):
        self.room = room
        self.book = room.book
        self.paces = Paces()
        self.came_from: dict[str, str] = {}  # the address of each who joined since the start

    def key(self, who: str) -> str | None:
        """Return the secret of a pupil."""
        return self.book.secret(who)

    def enter(self, line: Line, content: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Let a pupil in: a new one with the class's code, one who comes back with their own secret."""
        if "code" in content:
            who = self._join(line.request.remote_ip, content["code"])
        else:
            who = content.get("who", "")
            self.check(who, content.get("secret", ""))
        return self.welcome(line, who)

    def changed(self) -> None:
        """Show on the board who is here."""
        self.room.changed()

    def _join(self, address: str, code: str) -> str:
        self.paces.check(("code", address), TRIES, FEW, spend=False)
        if not same(code.upper(), self.book.code):
            self.paces.check(("code", address), TRIES, FEW)
            raise PairsError("This is not the code of the class.")
        if self.book.about("closed"):
            raise PairsError("The door of this class is closed: ask your teacher.")
        self.paces.check(("join", address), JOINS, ROOM)
        if self.book.pupils() >= MOST:
            self._make_room(address)
        who, _ = self.book.join()
        self.came_from[who] = address
        return who

    def _make_room(self, address: str) -> None:
        """Free a seat that was never used: of a page that is gone, else of an address that holds most of them."""
        here = {line.who for line in self.gate.lines}
        idle = self.book.idle()
        gone = [who for who in idle if who not in here]
        seats = Counter(map(self.came_from.get, idle))
        for holder, count in seats.most_common(1):
            if count > MOST / 2 and holder not in (None, address):
                gone += [who for who in idle if self.came_from.get(who) == holder]
        if gone:
            self.send_out(gone[:1])

    def send_out(self, pupils: list[str]) -> None:
        """Take away seats, and close the lines of those who had them."""
        self.book.send_out(pupils)
        for line in list(self.gate.lines):
            if line.who in pupils:
                line.send_out("Your teacher has given your seat away.")

    def answer(self, line: Line, content: dict[str, Any]) -> dict[str, Any]:
        """Keep a name, work or a vote of a pupil; return what the pupil sees now."""
        self.paces.check(line.who)
        self.changed()
        if "name" in content:
            self.book.rename(line.who, content["name"])
        if "work" in content:
            self.book.keep(line.who, content["work"], content["handed"])
        if "vote" in content:  # last: a vote that comes too late is refused
            self.book.vote(line.who, content["question"], content["vote"])
        return self.view(line)

    def view(self, line: Line) -> dict[str, Any]:
        """Return the wall, and a pupil's own vote and hand-ins."""
        view = {"wall": self.book.wall(), "vote": self.book.voted(line.who)}
        view["handed"] = self.book.handed(line.who)
        return view


class Boards(Guests):
    """The pages of the board. The first is let in by a secret that is new each time, and comes back by its own."""

    stranger = "The class has another board: its terminal names the page that opens it."

    def __init__(self, room: Any):
        self.room = room
        self.secret = secrets.token_urlsafe(32)

    def key(self, who: str) -> str | None:
        """Return the secret of the board, which survives a restart."""
        if who != "board":
            return None
        return self.room.book.about("board secret", secrets.token_hex(16))

    def enter(self, line: Line, content: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Let the board in."""
        if "entry" in content:
            if not same(content["entry"], self.secret):
                raise PairsError(
                    "This is not the page that opens the board; its terminal names it."
                )
        else:
            self.check(content.get("who", ""), content.get("secret", ""))
        return self.welcome(line, "board")

    def answer(self, line: Line, content: dict[str, Any]) -> dict[str, Any]:
        """Do what the teacher does on the board."""
        if content:
            self.room.do(**content)
        return self.view(line)

    def changed(self) -> None:
        """It does not matter how many boards there are."""

    def view(self, line: Line) -> dict[str, Any]:
        """Return what the board shows."""
        return {"room": self.room.room}


class Entrance(Page):
    """The page of the board, and the door to it: the secret comes in a form, so that no address ever holds it."""

    def post(self) -> None:
        secret = self.gate.keeper.secret
        if not same(self.get_body_argument("secret", ""), secret):
            return self.refuse(403, "This is not the page that opens the board.")
        script = f"sessionStorage.entry = {json.dumps(secret)}; location.replace('/')"
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        self.set_header(
            "Content-Security-Policy", f"default-src 'none'; script-src 'sha256-{digest}'"
        )
        self.finish(f"<!DOCTYPE html><script>{script}</script>")
