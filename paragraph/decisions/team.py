"""A queue that several people share, in parts: nobody waits, and no answer is wasted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain

from .answers import Answers, Row
from .queue import Part
from .session import Session

__all__ = ["Team"]

REST = "Nothing is left for you now: the others are at the rest, or have done it."
STOPPED = "The lead has stopped the review: nothing more is asked. Thank you."
SETTLED = "No dispute is left to settle."


class Team:
    """The people of one review in one log.

    An item goes to `each` people, who do not see each other's answers. Where these differ, it goes to one more, or to
    the lead; that answer settles it. An item on somebody's screen is theirs, and so are the items that go with it
    (`Queue.together`).

    Parameters
    ----------
    sessions : dict of Session
        By name, with that of the lead. Their queues have the same items.
    lead : str
        The person who is asked about disputes alone.
    each : int
        The number of people who answer each item.
    by_conflict : bool
        The items are conflicts, not pairs.
    """

    def __init__(self, sessions: Mapping[str, Session], lead: str, each: int, by_conflict: bool):
        self.sessions = sessions
        self.lead = lead
        self.each = each
        self.is_stopped = False
        self._by_conflict = by_conflict
        self._items = sessions[lead].queue
        self._place = 0
        self.answers = Answers((), sessions[lead].answers.graph)
        self._rows: dict[int, list[Row]] = {}  # by item, the answers that count
        self.contested: dict[int, list[Row]] = {}  #: by item, the answers that differ
        self.read()

    def read(self) -> None:
        """Read the new records of the log, with those by other processes."""
        records, self._place = self.sessions[self.lead].log.records_after(self._place, "")
        if not records:
            return
        for session in self.sessions.values():
            session.catch_up()
        self.answers.add(records)
        self._rows = defaultdict(list)
        for row in chain.from_iterable(self.answers.opinions.values()):
            item = self._items.item_of(row)
            if item is not None:
                self._rows[item].append(row)
        self.contested = {}
        for pair, rows in self.answers.contested(self._by_conflict).items():
            item = self._items.item_at(pair)
            if item is not None:
                self.contested[item] = rows

    def done(self, but: str = "") -> dict[int, set[str]]:
        """By item, the people who need not be asked about it any more, without one of them."""
        people: dict[int, set[str]] = defaultdict(set)
        for name, session in self.sessions.items():
            if name != but:
                for item in session.queue.done():
                    people[item].add(name)
        for item, rows in self._rows.items():
            names = {row.reviewer for row in rows}
            people[item] |= names - self.sessions.keys()  # those who have left the team
        return people

    def part(self, name: str, screens: Mapping[str, int]) -> Part:
        """Return the part of one person; `screens` has, by person, the item on the screen."""
        takers = self.done(name)
        answered = {*takers}  # an item that is only on a screen is not due
        for other, shown in screens.items():
            if other != name:
                for item in self._items.together(shown):
                    takers[item].add(other)
        is_lead = name == self.lead
        due = []
        barred = set()
        replaced = {}
        for item in takers.keys() | self.contested.keys():
            rows = self.contested.get(item, ())
            parties = {row.reviewer for row in rows}
            if rows and (is_lead or len(parties) >= self.each):
                if is_lead or (name not in parties and takers[item] <= parties):
                    due.append(item)
                    replaced[self._items.pair_of[item]] = rows
                else:
                    barred.add(item)
            elif len(takers[item]) >= self.each:
                barred.add(item)
            elif item in answered:
                due.append(item)
        due.sort(key=self._items.number.get)
        note = SETTLED if is_lead else REST
        if self.is_stopped and not is_lead:
            due = []
            note = STOPPED
        return Part(
            due=due,
            barred=barred,
            is_open=not is_lead and not self.is_stopped,
            random={item for item in due if self._is_random(item)},
            taught=self._taught(name, due),
            records=self.answers.records,
            contested=replaced,
            note=note,
        )

    def _is_random(self, item: int) -> bool:
        """True if an item was drawn at random for somebody."""
        return any(row.random for row in self._rows.get(item, ()))

    def _taught(self, name: str, due: Iterable[int]) -> dict[int, Row]:
        """By item, the answer on which others agree; none for due items, which are asked unaware."""
        hidden = {*due}
        taught = {}
        for item, rows in self._rows.items():
            others = [row for row in rows if row.reviewer != name]
            if item not in hidden and len({row.same for row in others}) == 1:
                taught[item] = others[-1]
        return taught
