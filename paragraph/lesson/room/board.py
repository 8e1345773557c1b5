"""A class: a board for the wall beside pupils' phones, each over a line of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import traitlets

from ...draw.page import source
from ...files import PairsError
from ...files.tables import guard
from ...serving import RETURNING
from ...serving.gate import Gate
from ...serving.handlers import PASS
from ...widgets.pages import living
from ...widgets.pages.living import as_json, framed
from ..exercises import SHEETS, Sheet
from ..handed import summary_of
from ..lab.contents import class_data, page_traits
from ..lab.widget import KERNEL, WORK, TriadLab
from .asked import own_questions, question_of
from .book import ClassBook
from .guests import Boards, Entrance, Pupils

__all__ = ["Class"]

BYTES = 64_000  # of a request of a phone
HERE = Path(__file__).parent
BOARD = "What you see here is for all; the teacher's keys are in this window alone."
PHONE = "Vote, play with signed graphs, solve exercises and hand them in. Nothing leaves this room's machine."


class Class(TriadLab):
    """A class: its board, and a page for each pupil's phone.

    The board is a slide for the projector, with a code to scan. Put a graph, an exercise or a question of your own on
    it and ask: all phones show it, each votes once, and until you reveal the tally each may change its vote. Nothing
    that a pupil types stands on the board: a vote is one of the question's answers. Phones also have exercises of
    their own, solved while the class goes on, and handed in by a tap.

    Parameters
    ----------
    keep : path, optional
        An SQLite file for votes and work: a class that is started again on it goes on. Default: they end with it.
    host : str, optional
        The address of this machine at which phones reach it. Default: it listens to this machine alone.
    seed : int
        Of the exercises: sheets `seed` to `seed + sheets - 1`; on the board, the first of them.
    questions : path, optional
        A text file of your own questions (see `paragraph.lesson.room.asked.own_questions`).

    Attributes
    ----------
    address, code : str
        For phones that scan no code.
    book : ClassBook
        Votes and work: ``book.tally()``.
    """

    _esm = TriadLab._esm.replace("export default () =>", "const labHere = () =>") + source(
        HERE / "board.js", HERE / "notebook.js"
    )
    _css = TriadLab._css + source(HERE / "style.css")

    #: of the board: how many are in, voted, handed in; the tally once it is revealed
    room = traitlets.Dict()

    def __init__(
        self, keep: str | PathLike | None = None, *, host: str | None = None, seed: int = 0, sheets: int = SHEETS,
        questions: str | PathLike | None = None,
    ):  # fmt: skip
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            raise PairsError("a class needs a notebook, or a shell: paragraph class") from None
        self._own_questions = []
        if questions is not None:
            self._own_questions = own_questions(questions)
        super().__init__(exercises=Sheet(seed))
        self.lay("triad ++-")
        self.work = self.work | {"vote": ""}
        self.data = self.data | {"board": True}
        self.book = ClassBook(keep)
        self.pupils = Pupils(self)
        gate = Gate.again(self.pupils, self.book, "at", host)
        self.address, self.code = gate.address, self.book.code
        self._data = class_data(range(seed, seed + sheets)) | {"id": self.code}
        script = f"{living(KERNEL)}\n{source(*RETURNING, HERE / 'phone.js')}"
        inside = self._inside(WORK, room=True) + PASS
        page = framed("Triad Lab", PHONE, self, script, inside, gate.asks)
        gate.open(page, BYTES)
        self._later = None
        self._boards = None
        self._message = ""  # to the teacher, of what was last asked for
        self._tell()

    def _inside(self, work: dict[str, Any], **more: Any) -> str:
        data = {"traits": page_traits(self) | {"work": work}, "data": self._data | more}
        return f'<script type="application/json" id="data">{as_json(data)}</script>'

    def board(self) -> tuple[str, str]:
        """Serve the board to this machine; return the page to open it by, and its address."""
        if self._boards is None:
            boards = Boards(self)
            try:
                gate = Gate.again(boards, self.book, "board at")
            except PairsError:  # somebody has taken its place: the board's tab does not come back
                gate = boards.gate = Gate(boards)
            script = (
                f"{living(KERNEL)}\n{source(*RETURNING, HERE / 'board.js', HERE / 'served.js')}"
            )
            work = WORK | {"sheet": 0, "vote": ""}
            inside = self._inside(work, page=False, board=True) + PASS
            page = framed("The class", BOARD, self, script, inside, gate.asks)
            gate.open(page, answers=Entrance)
            self._boards = boards
        address = self._boards.gate.address
        secret = self._boards.secret
        form = f"<form method=post action={address}><input type=hidden name=secret value={secret}></form>"
        return f"<!DOCTYPE html>{form}<script>document.forms[0].submit()</script>", address

    # -- what the teacher does -----------------------------------------------------------------------------

    def on_ask(self, asked: dict[str, Any]) -> None:
        """Put a question up for a vote (`asked.question_of`)."""

        def ask() -> None:
            self.book.ask(*question_of(asked, self.sheet))

        self._do(ask)

    def on_reveal(self) -> None:
        """Close the vote, and show the tally."""
        self._do(self.book.reveal)

    def on_door(self, closed: bool) -> None:
        """Close the door to new pupils, or open it."""
        self._do(self.book.set_about, "closed", bool(closed))

    def on_out(self, name: str) -> None:
        """Send out all who joined under a name, and say how many: an empty name is nobody's."""

        def send_out() -> str:
            pupils = []
            if name.strip():
                pupils = self.book.named(name)
            self.pupils.send_out(pupils)
            return f"{len(pupils)} sent out"

        self._do(send_out)

    def on_hand(self) -> None:
        """Give the board what was handed in, as a file, until there is news."""
        self._loop.call_soon_threadsafe(self._gather)

    def _gather(self) -> None:
        table = summary_of(self.book.sheets(True)).astype(str)
        for name in ("file", "student"):
            table[name] = guard(pa.array(table[name])).to_pylist()
        self._tell(csv=table.to_csv(index=False))

    def _do(self, act: Callable[..., str | None], *given: Any) -> None:
        """Do something in the thread that serves the phones: a notebook hears its page in another one.

        The teacher is told what it returns, or why it is refused.
        """

        def act_and_tell() -> None:
            try:
                self._message = act(*given) or ""
            except PairsError as error:
                self._message = str(error)
            self.pupils.tell_all()
            self._tell()

        self._loop.call_soon_threadsafe(act_and_tell)

    def changed(self) -> None:
        """Show news on the board, soon: many come at once."""
        if self._later is None:
            self._later = self._loop.call_later(0.2, self._tell)

    def _tell(self, **more: str) -> None:
        self._later = None
        tally = self.book.tally()
        wall = self.book.wall()
        rows = []
        if wall["revealed"]:
            rows = self._rows(tally)
        here = {line.who for line in self.pupils.gate.lines if line.who}
        room = {"address": self.address, "code": self.code}
        room["cells"] = _cells(f"{self.address}#{self.code}")
        room |= {"joined": self.book.pupils(), "here": len(here)}
        room |= {"voted": sum(tally.values()), "tally": rows, "wall": wall}
        room["handed"] = len(self.book.sheets(True))
        room["closed"] = bool(self.book.about("closed"))
        room |= {"own": self._own_questions, "message": self._message}
        self.room = room | more
        if self._boards:
            self._boards.tell_all()

    def _rows(self, tally: dict[str, int]) -> list[dict[str, Any]]:
        """Return the tally as the board shows it: for each answer, its votes, those before, and is it right."""
        right = self.book.wall()["right"]
        earlier = self.book.before()
        before = {}
        if earlier is not None:
            before = self.book.tally(earlier)
        rows = []
        for answer in dict.fromkeys([*tally, *before]):
            row = {"answer": answer, "votes": tally.get(answer, 0), "right": answer in right}
            if earlier is not None:
                row["before"] = before.get(answer, 0)
            rows.append(row)
        return rows


def _cells(text: str) -> str:
    """Return a QR code as the path of an SVG picture, a dark cell 1 × 1."""
    import segno

    matrix = np.array(segno.make(text, error="m", micro=False).matrix)
    return "".join(f"M{x} {y}h1v1h-1z" for y, x in np.argwhere(matrix))
