"""A judge that goes on reading a list in the background, ahead of the questions of a review."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread, main_thread
from typing import Any

import numpy as np

from ..learn.logistic import SUREST, log_odds
from .judges import judge_of

__all__ = ["Ahead"]

#: Labels of each sign at the top of a list among which a judge reads on, and labels read at once.
AHEAD, BATCH = 128, 64


class Ahead:
    """Goes on with a list that a judge has read in part, in the background, best first, ahead of the questions.

    What a thread has read is `news` until the caller takes it over: the evidence changes only when it is written
    down. If the judge is not available, `failed` says why, and nothing is read.

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
        self._judge = judge
        self._texts = texts
        self._sign = np.where(label > 0, -1, 1)
        self._known = np.flatnonzero(np.abs(against) < SUREST)[:BATCH]
        self._scale = (self._sign * against)[self._known]
        self.unread = np.isnan(against)
        self.failed = ""
        #: By row: log-odds that the two mean the same, on the scale of the list.
        self.news: dict[int, float] = {}
        self._order = np.empty(0, dtype=np.int64)
        self._thread = Thread()

    def take(self, read: dict[int, float]) -> tuple[list[int], np.ndarray]:
        """Take over the readings, and return the newly read rows with log-odds against their labels."""
        rows = [row for row in read if self.unread[row]]
        self.unread[rows] = False
        for row in read:
            self.news.pop(row, None)
        return rows, self._sign[rows] * [read[row] for row in rows]

    def prepare(self, order: np.ndarray) -> None:
        """Continue in the background with the first labels of each sign in an order."""
        self._order = order
        if not self.failed and not self._thread.is_alive():
            self._thread = Thread(target=self._read_on)
            self._thread.start()

    def _read_on(self) -> None:
        try:
            judge = judge_of(self._judge, progress=False)
            rows = self._following()
            while rows and main_thread().is_alive():
                texts = [self._texts[row] for row in (*self._known, *rows)]
                known, same = np.split(log_odds(judge(*zip(*texts, strict=True))), [len(self._known)])
                same = np.polyval(np.polyfit(known, self._scale, 1), same).clip(-SUREST, SUREST)
                self.news |= zip(rows, same.round(3).tolist(), strict=True)
                rows = self._following()
        except Exception as error:  # there is nobody else to tell
            self.failed = str(error)

    def _following(self) -> list[int]:
        """The rows to read next: of each sign, among those that come first."""
        found = []
        for sign in (-1, 1):
            first = self._order[self._sign[self._order] == sign][:AHEAD]
            found += [row for row in first[self.unread[first]].tolist() if row not in self.news][: BATCH // 2]
        return found
