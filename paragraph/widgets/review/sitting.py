"""One reviewer at one queue: the log that keeps what is decided, and the logs of others that it has to do with."""

from __future__ import annotations

import shlex
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from ...decisions.agreement import Agreement
from ...decisions.log import DecisionLog, records_of
from ...decisions.queue import DECIDED, Items
from ...decisions.records import AGAIN, SETTLES, Decision, last_words, made_for, pair_of, standing
from ...graph import ParaphraseGraph
from ...pairs import PairsError
from ...pairs.errors import near, reading
from ...words.shared import word_diff
from ..base.why import SHARED, Plain

__all__ = ["Log", "Sitting"]

#: A log, or where it is.
Log = str | PathLike | DecisionLog

NAMED = 5  # items named in a message


class Sitting:
    """The decisions of one reviewer on the items of a queue.

    Parameters
    ----------
    log : path or DecisionLog
    reviewer : str, optional
        Default: that of the log.
    second : bool, str, path or DecisionLog
        Only pairs that somebody else has decided: in this log, anyone (True) or one reviewer (a name); or in another
        log.
    settle : Agreement, optional
        Only pairs on which its reviewers disagree.
    """

    queue: Items

    def __init__(
        self,
        log: Log,
        reviewer: str | None,
        second: bool | Log,
        settle: Agreement | None,
    ):
        self.log = log if isinstance(log, DecisionLog) else DecisionLog(log, reviewer)
        self.reviewer = reviewer or self.log.reviewer or ""
        if not self.reviewer.strip():
            raise PairsError('whose decisions will these be? Say reviewer="your name"')
        self.records = self.log.records(self.reviewer)
        self.logs: list[Any] = []  #: of others
        self.wanted: set[frozenset[str]] | None = self._decided(second) if second else None
        self.apart: dict[frozenset[str], list[str]] = {}  #: pairs with the decisions that a third person settles
        if settle is not None:
            if self.reviewer in settle.reviewers:
                raise PairsError(f"{self.reviewer!r} is one of those who disagree; a third person settles")
            pairs = map(pair_of, settle.disagreements["text_a"], settle.disagreements["text_b"])
            self.apart = dict(zip(pairs, map(list, settle.disagreements["decisions"]), strict=True))
            self.wanted = {*self.apart} if self.wanted is None else self.wanted & {*self.apart}
            self.logs = settle.logs

    def _decided(self, second: bool | Log) -> set[frozenset[str]]:
        name = second if isinstance(second, str) and not Path(second).is_file() else None
        log = self.log if second is True or name else second
        records = [record for record in records_of(log) if record.reviewer != self.reviewer]
        others = {record.reviewer for record in records}
        if name and name not in others:
            known = ", ".join(sorted(others)) or "nobody else"
            raise PairsError(f"{name!r} has decided nothing in {self.log.path.name}; in it: {known}")
        self.logs = [] if log is self.log else [log]
        theirs = standing(record for record in records if name in (None, record.reviewer))
        return {one.pair for one in last_words(theirs) if one.decision != "skip" and made_for(one) is None}

    # -- what is decided -----------------------------------------------------------------------------------

    def add(self, pair: tuple[str, str], decision: str, **content: Any) -> None:
        """Log a decision, a note or a skip."""
        self.take([self.log.add(*pair, decision, reviewer=self.reviewer, **content)])

    def undo(self) -> None:
        """Take back the last decision of this queue, and one before it that the same key made."""
        again = True
        while again and (last := self.last):
            self.take([self.log.undo(self.reviewer, last.id)])
            again = self.last and self.last.saw.get(AGAIN)

    def take(self, news: list[Decision]) -> None:
        """Read the queue anew, with records that are new."""
        self.records += news
        self.queue.read(standing(self.records))

    def catch_up(self) -> str:
        """Read what another review of this person wrote to the log, and say which items it changed here, if any."""
        news = self.log.records(self.reviewer, self.records[-1].time if self.records else "")
        if not news:
            return ""
        before = self._states()
        self.take(news)
        changed = [f"#{self.queue.number[item]}" for item, now in self._states().items() if now != before[item]]
        if not changed:
            return ""
        named = ", ".join(changed[:NAMED]) + ", …" * (len(changed) > NAMED)
        return (
            f"Nothing was written: another review of {self.reviewer} has changed {named} in this log meanwhile. "
            "All is shown here now; decide again."
        )

    def _states(self) -> dict[int, tuple[str, Decision | None]]:
        """Return the state of each item, with the decision that made it."""
        return {item: (self.queue.state(item), self.queue.standing(item)) for item in self.queue.items}

    @property
    def last(self) -> Decision | None:
        """The last decision of this queue that stands."""
        mine = (one for one in reversed(standing(self.records)) if self.queue.item_of(one) is not None)
        return next(mine, None)

    def about(self, item: int) -> list[Decision]:
        """Return what this person logged about the pair of an item."""
        pair = pair_of(*self.queue.pair[item])
        return [record for record in self.records if record.pair == pair]

    def saw(self, item: int) -> bool:
        """Tell if this person has ever seen what is hidden of an item."""
        return any(record.saw.get("blind") is False for record in self.about(item))

    def settled(self, item: int) -> Plain:
        """Return the decisions of others on an item that are settled here, as a decision notes them."""
        names = self.apart.get(pair_of(*self.queue.pair[item]))
        return {SETTLES: names} if names else {}

    def decided(self, item: int) -> str:
        """Return the decision on an item in words; empty where there is none."""
        return self.queue.description(item) if self.queue.state(item) in DECIDED else ""

    # -- in words ------------------------------------------------------------------------------------------

    def above(self, item: int) -> Plain:
        """Return what stands above the picture of any item: the pair, its state, and what was noted."""
        notes = [one.note for one in self.about(item) if one.decision == "note" and one.saw.get("blind") is not False]
        description = self.queue.description(item, long=True)
        pair = list(word_diff(*self.queue.pair[item], SHARED))
        return {"pair": pair, "state": self.queue.state(item), "description": description, "notes": notes}

    def row(self, item: int) -> Plain:
        """Return an item as the list shows it."""
        state, description = self.queue.state(item), self.queue.description(item)
        texts = list(self.queue.pair[item])
        return {"item": self.queue.number[item], "texts": texts, "state": state, "description": description}

    def counts(self) -> list[list[str]]:
        """Return how many items there are of each kind."""
        done = self.queue.progress()
        return [[name, str(done[name])] for name in ("total", "decided", "settled", "skipped")]

    def left_out(self, one: str, repeats: int) -> str:
        """Say what is not in the queue of items called `one`: rows, pairs asked for, decisions of the log."""
        odd = len(self.wanted - {pair_of(*pair) for pair in self.queue.pair.values()}) if self.wanted else 0
        are = "pairs of the other logs are" if odd > 1 else "pair of the other logs is"
        elsewhere = self.queue.elsewhere
        made = "decisions of the log are" if elsewhere > 1 else "decision of the log is"
        notes = [
            f"Left out: {repeats:,} row{'s' * (repeats > 1)} naming a pair again." if repeats else "",
            f"{odd:,} {are} not among these: a table of pairs shows them (agreement -o, --pairs)." if odd else "",
            f"{elsewhere} {made} about no {one} of these." if elsewhere else "",
        ]
        return " ".join(filter(None, notes))

    def table(self) -> pd.DataFrame:
        """All items in their order: `number`, `text_a`, `text_b`, `state`."""
        items, queue = self.queue.items, self.queue
        table = pd.DataFrame([queue.pair[item] for item in items], columns=["text_a", "text_b"], dtype="str")
        table.insert(0, "number", range(1, len(items) + 1))
        return table.assign(state=pd.array([queue.state(item) for item in items], dtype="str"))

    def next_steps(self, graph: ParaphraseGraph, audit: bool = False) -> Plain:
        """The steps after the review or audit, to be copied: commands and a line of Python, with all known names."""
        given = [log.path if isinstance(log, DecisionLog) else log for log in (*self.logs, self.log)]
        logs = [near(path) for path in given if isinstance(path, str | PathLike)]
        file = shlex.quote(near(graph.report["path"])) if "path" in graph.report else "FILE"
        read = reading(graph.report.get("options", {}) | {"identity": graph.identity})
        if audit:
            judged = shlex.quote(logs[-1])
            what = "the report, proposals"
            steps = [
                f"paragraph audit {file} --judged {judged}{read}",
                f"paragraph repair {file} --audit {judged}{read} -o repairs.tsv",
            ]
        else:
            alone = not self.logs and len({record.reviewer for record in self.log.records()}) < 2
            clean = shlex.quote("clean" + ("".join(Path(graph.report.get("path", "")).suffixes) or ".csv"))
            what = "compare two logs; correct the file (last line: in Python)"
            steps = [
                f"paragraph agreement {shlex.join([*logs, *['OTHER.db'] * alone])}",
                f"paragraph apply {file} {shlex.join(logs)}{read} -o {clean}",
                f"pg.replay({logs!r}, pairs)",
            ]
        return {"copy": {"title": f"Next, in a shell: {what}", "text": "\n".join(steps)}}
