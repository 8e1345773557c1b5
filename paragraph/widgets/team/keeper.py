"""Several people who review one file, each in a browser of their own, and somebody who leads them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

from ...decisions.record import name_of
from ...decisions.team import Team
from ...draw.page import source
from ...files import PairsError
from ...files.errors import check_int, check_type
from ...serving import RETURNING
from ...serving.book import Book
from ...serving.gate import Gate, same
from ...serving.guests import Guests, Paces
from ...serving.handlers import PASS, Line
from ...serving.shared import Shared
from .. import pages
from ..pages.living import framed
from ..review.desk import Review
from .lead import lead_view
from .own import Screens, of_person, take_part

__all__ = ["ReviewTeam", "review_team"]

HERE = Path(__file__).parent
PAGES = Path(pages.__file__).parent
SCRIPT = source(PAGES / "traits.js", PAGES / "kept.js", *RETURNING[:2], PAGES / "served.js", HERE / "lead.js",
                HERE / "person.js")  # fmt: skip
NOTE = "Every decision is kept at once, on the machine of whoever leads the review."
READABLE = (
    "Names, sentences and answers cross the network readable: give a certificate; or leave out the host, and let "
    "each person open a tunnel (ssh -L {port}:127.0.0.1:{port} THIS-MACHINE)."
)
PACE = 20  # requests of one person in a second, after a burst of thrice as many
SOON = 0.3  # seconds in which news are gathered
SELDOM = 60  # seconds after which all is looked at again: a lease ends without news


class TeamBook(Book):
    """The keys and unused addresses of a team."""

    keeps = "team"
    application = 0x50474B54  # "PGKT"


class ReviewTeam(Guests):
    """A team at work: see `review_team`.

    Attributes
    ----------
    addresses : dict of str
        By name, the address that lets a person in, once; no longer of those who are in. The lead's is the first.
    warning : str
        What to know before the addresses are given away.
    """

    stranger = "Whoever leads the review has made a new address for you."

    def __init__(
        self,
        review: Review,
        people: Sequence[str],
        each: int = 1,
        host: str | None = None,
        certificate: str | PathLike | None = None,
    ):
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            raise PairsError(
                "a team needs a notebook, or a shell: paragraph review --people Ada,Bo"
            ) from None
        people = [
            name_of(name) for name in check_type(people, list | tuple, "people", "a list of names")
        ]
        lead = review.reviewer
        if len({*people, lead}) <= len(people) or not all(people):
            raise PairsError(
                f"people are different names, and {lead!r}, who leads, is none of them"
            )
        if check_int("each", each) > len(people):
            raise PairsError(f"each pair goes to {each} people, and the team has {len(people)}")
        self.lead = lead
        self._reviews = {lead: review}
        for name in people:
            self._reviews[name] = of_person(review, name)
        sessions = {name: one._session for name, one in self._reviews.items()}
        self._team = Team(sessions, lead, each, review._by_conflict)
        self._pages = {name: Shared(one) for name, one in self._reviews.items()}
        self._book = TeamBook(f"{review.decision_log.path}.team")
        self._team.is_stopped = bool(self._book.about("stopped"))
        self._paces = Paces()
        self._screens = Screens(self._reviews)
        self._later: asyncio.TimerHandle | None = None
        self._seldom: asyncio.TimerHandle | None = None
        gate = Gate.again(self, self._book, "at", host or "127.0.0.1", certificate=certificate)
        css = review._css + source(HERE / "style.css")
        picture = SimpleNamespace(_script=review._script, _css=css)
        page = framed(review.name, NOTE, picture, SCRIPT, PASS, gate.asks)
        gate.open(page)
        local = gate.host.startswith("127.") or certificate is not None
        self.warning = "" if local else READABLE.format(port=gate.port)
        self._make_address(lead)
        for name in people:
            self._book.about(f"entry {name}", secrets.token_urlsafe(32))
        self._refresh()

    def __repr__(self) -> str:
        lines = [f"{name}: {address}" for name, address in self.addresses.items()]
        return "\n".join([*lines, *filter(None, [self.warning])])

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses that nobody has used yet."""
        found = {}
        for name in self._reviews:
            entry = self._book.about(f"entry {name}")
            if entry:
                found[name] = f"{self.gate.address}#{quote(name, safe='')}//{entry}"
        return found

    # -- who is let in -------------------------------------------------------------------------------------

    def key(self, who: str) -> str | None:
        """Return the key that a person's browser keeps."""
        return (
            self._book.about(f"key {who}", secrets.token_hex(16)) if who in self._reviews else None
        )

    def enter(self, line: Line, content: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Let a person in: with an address that nobody has used, or with the key of their browser."""
        who = content["who"]
        if "entry" in content:
            entry = self._book.about(f"entry {who}")
            if not (entry and same(content["entry"], entry)):
                raise PairsError(
                    "This address was used already, or is not whole: ask whoever leads the review."
                )
            self._book.set_about(f"entry {who}", "")
        else:
            self.check(who, content["secret"])
        number = content.get("at")
        if who == self.lead and number is None:
            line.role = "lead"
            return self.welcome(line, who)
        review = self._share(who)
        if number is not None:
            with suppress(PairsError):  # it is another list now
                review.do("open", item=number)
            take_part(review, review._queue.part)
        self._screens.note(who)
        return self.welcome(line, who)

    def _make_address(self, who: str) -> None:
        """Make a new address for somebody, with which alone they come in."""
        self._book.set_about(f"entry {who}", secrets.token_urlsafe(32))

    # -- what they do --------------------------------------------------------------------------------------

    def answer(self, line: Line, content: dict[str, Any]) -> dict[str, Any]:
        """Do what a person or the lead asks for."""
        self._paces.check(line.who, PACE, 3 * PACE)
        if content.get("intent") != "look":  # a page is asked to look when anything has changed
            self.changed()
        if line.role == "lead":
            self._do(line, **content)
            return {}
        self._share(line.who)
        try:
            return self._pages[line.who].answer(line, content)
        finally:
            self._screens.note(line.who)

    def view(self, line: Line) -> dict[str, Any]:
        """Return all of a person's review, or what the lead sees."""
        if line.role == "lead":
            here = {other.who for other in self.gate.lines}
            return {"lead": lead_view(self._reviews, self._team, here, self.addresses)}
        return self._pages[line.who].answer(line, {"seen": 0})

    def _share(self, who: str) -> Review:
        """Give a person who does something their part of the queue, as it is now."""
        self._team.read()
        here = {line.who for line in self.gate.lines if line.role != "lead"}
        review = self._reviews[who]
        take_part(review, self._team.part(who, self._screens.of_others(who, here)))
        self._screens.note(who)
        return review

    def changed(self) -> None:
        """Gather news, soon: many come at once."""
        if self._later is None:
            self._later = self._loop.call_later(SOON, self._refresh)

    def _refresh(self) -> None:
        """Read the log; show the lead how far all are, and tell who waits that there is something to do."""
        self._later = None
        if self._seldom is not None:
            self._seldom.cancel()
        self._seldom = self._loop.call_later(SELDOM, self._refresh)
        self._team.read()
        for line in list(self.gate.lines):
            if line.role == "lead":
                line.tell(self.view(line))
            elif line.who and (self._team.is_stopped or self._reviews[line.who].current is None):
                line.tell({"look": True})

    def _do(self, line: Line, renew: str = "", stop: bool | None = None) -> None:
        """Do what the lead asks for: a new address for somebody, or an end of all questions."""
        if renew in self._reviews:
            self._make_address(renew)
            self._book.set_about(f"key {renew}", secrets.token_hex(16))
            for other in list(self.gate.lines):
                if other.who == renew and other is not line:
                    other.send_out(self.stranger)
        if stop is not None:
            self._book.set_about("stopped", bool(stop))
            self._team.is_stopped = bool(stop)
        self._refresh()


def review_team(
    review: Review,
    people: Sequence[str],
    *,
    each: int = 1,
    host: str | None = None,
    certificate: str | PathLike | None = None,
) -> ReviewTeam:
    """Serve a review to several people, each in a browser of their own, for as long as the notebook runs.

    Each person opens an address once; from then on their browser is known. All answers go into the log of the review,
    with the name of whoever gave them. An item on somebody's screen is not asked of another, nor what somebody has
    answered, but for `each`; conflicts of one cluster go to one person. A list of suspects learns from all answers.
    Where two differ, a third person is asked, or the lead settles it.

    Parameters
    ----------
    review : ConflictReview or PairReview
        What is asked; its reviewer leads the team, and settles disputes.
    people : list of str
    each : int
        How many people answer each item, without seeing each other's answers.
    host : str, optional
        The address of this machine at which the others reach it, or with a certificate its name. Default: 127.0.0.1,
        which only this machine reaches.
    certificate : path, optional
        A PEM file with a certificate and its key: all that crosses the network is encrypted.

    Returns
    -------
    The team; printed, it shows the address of each person. The same call goes on after a crash: browsers come back by
    themselves.

    Raises
    ------
    PairsError
        Names that are not different; an address that is not this machine's; a file ``LOG.team`` of something else.
    """
    return ReviewTeam(review, people, each, host, certificate)
