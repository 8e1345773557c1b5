"""A bench with a keeper: it answers its page's questions, and logs a person's decisions."""

from __future__ import annotations

import traceback

import pandas as pd
import traitlets

from ...decisions.labels import DecidedLabels
from ...decisions.log import DecisionLog
from ...files import PairsError
from ..base.records import Plain
from ..base.widget import Bench
from ..pages.living import as_json
from .browse import ClusterList
from .keeper import QUESTIONS, Keeper

__all__ = ["NO_LOG", "Kept"]

#: The methods of `DecidedLabels` that a page may call.
ACTS = ("decide", "undo", "follows")
#: The message if nothing can be decided.
NO_LOG = 'To decide here, give the Explorer a log: pg.Explorer(graph, log="mine.db", reviewer="your name").'
PART = 1_000_000  # letters of one message: of an answer that is longer there are several


class Kept(Bench):
    """A bench whose page asks the keeper of its graph."""

    decided = traitlets.Dict()  #: what a person has said of labels (`DecidedLabels.plain`); empty without a log

    selection: pd.DataFrame
    _keeper: Keeper
    _list: ClusterList
    _decisions: DecidedLabels | None

    @property
    def decision_log(self) -> DecisionLog | None:
        """The log of the decisions made here."""
        return self._decisions and self._decisions.log

    @property
    def sent(self) -> pd.DataFrame:
        """The pairs that were sent to a colleague: `text_a`, `text_b`, `label`, `asked_by`, `note`."""
        return self._deciding.sent

    def decide(self, same: int | str) -> None:
        """Decide about the two selected sentences: 1 (the same), 0 (different) or "?" (nobody can say)."""
        if len(nodes := self.selection["node"].tolist()) != 2:
            raise PairsError(f"two sentences are to be chosen, not {len(nodes)}: explorer.selection = [one, other]")
        self._deciding.decide(*nodes, same)
        self._tell_decided()

    @property
    def _deciding(self) -> DecidedLabels:
        if self._decisions is None:
            raise PairsError(NO_LOG)
        return self._decisions

    def _tell_decided(self) -> None:
        if self._decisions is not None:
            self.decided = self._decisions.plain
            self._list.decide(self.decided["said"])

    def on_ask(self, key: str, question: str, content: Plain) -> None:
        """Answer a question of the page; send a long answer in parts."""
        if question not in (*QUESTIONS, *ACTS):
            raise PairsError(f"no such question: {question!r:.50}")
        try:
            asked = self._deciding if question in ACTS else self._keeper
            answer = {"value": getattr(asked, question)(**content)}
        except Exception as error:  # the page goes on
            self.log.warning("not answered: %.500r\n%s", content, traceback.format_exc())
            answer = {"error": str(error)}
        if question in ("decide", "undo"):
            self._tell_decided()
            self.send_state("decided")  # before the answer: then the page marks what it tells
        text = as_json(answer)
        for end in range(PART, len(text) + PART, PART):
            self.send({"answer": key, "part": text[end - PART : end], "left": max(0, len(text) - end)})
