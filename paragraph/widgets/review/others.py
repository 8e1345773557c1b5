"""Other people's logs in a review: which pairs they name, whose disagreement is settled, and what comes next."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from ...decisions.agreement import Agreement
from ...decisions.log import DecisionLog, records_of
from ...decisions.records import last_words, made_for, pair_of, standing
from ...graph import ParaphraseGraph
from ...pairs import PairsError
from ...pairs.errors import near, reading

__all__ = ["Others"]


class Others:
    """The logs that one reviewer's review is about, besides the own one.

    Parameters
    ----------
    own : DecisionLog
    reviewer : str
    second : bool, str, path or DecisionLog
        Only pairs that others have decided: in the own log, one of them there, or those of another log.
    settle : Agreement, optional
        Only pairs on which its reviewers disagree.
    """

    def __init__(
        self, own: DecisionLog, reviewer: str, second: bool | str | PathLike | DecisionLog, settle: Agreement | None
    ):
        self.own, self.reviewer = own, reviewer
        self.logs: list[Any] = []
        self.wanted: set[frozenset[str]] | None = self._decided(second) if second else None
        self.apart: dict[frozenset[str], list[str]] = {}  #: pairs with the decisions that a third person settles
        if settle is not None:
            if reviewer in settle.reviewers:
                raise PairsError(f"{reviewer!r} is one of those who disagree; a third person settles")
            pairs = map(pair_of, settle.disagreements["text_a"], settle.disagreements["text_b"])
            self.apart = dict(zip(pairs, map(list, settle.disagreements["decisions"]), strict=True))
            self.wanted = {*self.apart} if self.wanted is None else self.wanted & {*self.apart}
            self.logs = settle.logs

    def ask(self, a: str, b: str) -> bool:
        """Return True if a pair is one of those to decide."""
        return self.wanted is None or pair_of(a, b) in self.wanted

    def left_out(self, pairs: Iterable[tuple[str, str]]) -> str:
        """A sentence on the pairs asked for that are not among these; empty where there is none."""
        odd = len(self.wanted - {pair_of(*pair) for pair in pairs}) if self.wanted else 0
        are = "pairs of the other logs are" if odd > 1 else "pair of the other logs is"
        return f"{odd:,} {are} not among these: a table of pairs shows them (agreement -o, --pairs)." if odd else ""

    def next_steps(self, graph: ParaphraseGraph, audit: bool = False) -> str:
        """The steps after the review or audit: commands and a line of Python, all names filled in that are known."""
        given = [log.path if isinstance(log, DecisionLog) else log for log in (*self.logs, self.own)]
        logs = [near(path) for path in given if isinstance(path, str | PathLike)]
        alone = not self.logs and len({record.reviewer for record in self.own.records()}) < 2
        agree, apply = shlex.join([*logs, *["OTHER.db"] * alone]), shlex.join(logs)
        file = shlex.quote(near(graph.report["path"])) if "path" in graph.report else "FILE"
        read = reading(graph.report.get("options", {}) | {"identity": graph.identity})
        clean = shlex.quote("clean" + ("".join(Path(graph.report.get("path", "")).suffixes) or ".csv"))
        if audit:
            judged = shlex.quote(logs[-1])
            return (
                f"paragraph audit {file} --judged {judged}{read}\n"
                f"paragraph repair {file} --audit {judged}{read} -o repairs.tsv"
            )
        return "\n".join(
            [
                f"paragraph agreement {agree}",
                f"paragraph apply {file} {apply}{read} -o {clean}",
                f"pg.replay({logs!r}, pairs)",
            ]
        )

    def _decided(self, second: bool | str | PathLike | DecisionLog) -> set[frozenset[str]]:
        name = second if isinstance(second, str) and not Path(second).is_file() else None
        log = self.own if second is True or name else second
        records = [record for record in records_of(log) if record.reviewer != self.reviewer]
        others = {record.reviewer for record in records}
        if name and name not in others:
            known = ", ".join(sorted(others)) or "nobody else"
            raise PairsError(f"{name!r} has decided nothing in {self.own.path.name}; in it: {known}")
        self.logs = [] if log is self.own else [log]
        theirs = standing(record for record in records if name in (None, record.reviewer))
        return {one.pair for one in last_words(theirs) if one.decision != "skip" and made_for(one) is None}
