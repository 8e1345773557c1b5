"""Reading ahead: a judge goes on with a list while a person answers."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread, main_thread
from typing import Any

import numpy as np

from ..learn.logistic import SUREST, log_odds
from .judges import judge_of

__all__ = ["Ahead"]

#: Labels of each sign at the top of a list among which a judge reads on, and labels read at once.
AHEAD, TURN = 128, 64


class Ahead:
    """Goes on with a list that a judge has read in part, in the background, best first, ahead of the questions.

    The results of a thread are `news` until the caller takes them over: the evidence changes only when they are
    written down. If the judge is not available, `failed` says why, and nothing is read.

    Parameters
    ----------
    judge
        The one that has read the list; see `judges.judge_of`.
    texts, label
        The sentences and the label of each row.
    against : float array
        The judge's log-odds against each label, on the scale of the list; NaN where it has not read.
    """

    def __init__(self, judge: Any, texts: Sequence[tuple[str, str]], label: np.ndarray, against: np.ndarray):
        self._judge, self._texts, self._sign = judge, texts, np.where(label > 0, -1, 1)
        self.unread, self._same = np.isnan(against), self._sign * against
        self.failed, self._order, self._thread = "", np.empty(0, dtype=np.int64), Thread()

    @property
    def news(self) -> dict[int, float]:
        """Rows that were read but not taken over: log-odds that the two mean the same, on the scale of the list."""
        rows = np.flatnonzero(self.unread & ~np.isnan(self._same))
        return dict(zip(rows.tolist(), self._same[rows].tolist(), strict=True))

    def take(self, read: dict[int, float]) -> tuple[list[int], np.ndarray]:
        """Take over the readings, and return the newly read rows with log-odds against their labels."""
        rows = [row for row in read if self.unread[row]]
        self.unread[rows], self._same[rows] = False, [read[row] for row in rows]
        return rows, (self._sign * self._same)[rows]

    def prepare(self, order: np.ndarray) -> None:
        """Continue in the background with the first labels of each sign in an order."""
        self._order = order
        if not self.failed and not self._thread.is_alive():
            self._thread = Thread(target=self._read_on)
            self._thread.start()

    def _read_on(self) -> None:
        try:
            judge = judge_of(self._judge, progress=False)
            known = np.flatnonzero(~self.unread & (np.abs(self._same) < SUREST))[:TURN]
            while len(rows := self._following()) and main_thread().is_alive():
                texts = [self._texts[row] for row in (*known, *rows)]
                said, same = np.split(log_odds(judge(*zip(*texts, strict=True))), [len(known)])
                same = np.polyval(np.polyfit(said, self._same[known], 1), same)  # on the scale of the list
                self._same[rows] = same.clip(-SUREST, SUREST).round(3)
        except Exception as error:  # there is nobody else to tell
            self.failed = str(error)

    def _following(self) -> np.ndarray:
        """The rows to read next: of each sign, among those that come first."""
        first = [self._order[self._sign[self._order] == sign][:AHEAD] for sign in (-1, 1)]
        return np.concatenate([rows[np.isnan(self._same[rows])][: TURN // 2] for rows in first])
