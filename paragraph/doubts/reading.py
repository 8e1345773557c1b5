"""Stated labels seen by a judge who reads the best first: its answers on some, expectations from words on others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Thread, main_thread

import numpy as np
import pandas as pd

from ..learn.logistic import SUREST, log_odds, sigmoid
from ..learn.opinions import judge_of
from .cut import Cuts
from .evidence import evidence, evidence_log_odds
from .propose import Proposals
from .wrong import SCALED, Labels, drawn, scale_of

__all__ = ["UNREAD", "Onward", "Reading"]

#: The reader of a label's sentences, if that will be a model.
UNREAD = "nobody yet"

#: Log-odds that each further row of the same label adds to its credibility: rows err together more often than not.
AGREE = float(np.log(9))
#: The least number of labels of a sign read at once: a turn takes a while, however few they are.
TURN = 64
#: Labels of each sign at the top of a list among which a review reads on.
AHEAD = 128
#: The ridge of the regression from words to the judge.
RIDGE = 10.0
#: Labels of each sign, drawn at random, that are read if only a few of a list are read.
FEW = 64


class Reading:
    """The evidence about each stated label, as far as the judge has read the sentences.

    The words of all sentences are read. They give the file's own opinion, a model fitted on its labels
    (`evidence.evidence_log_odds`), and the judge's expected answer, a linear regression on the answers for the pairs
    that it read. Without a model, the judge goes by words, too, and reads all.

    Parameters
    ----------
    proposals : Proposals
    first : int, optional
        The number of labels of each sign to read; by default all.
    """

    def __init__(self, proposals: Proposals, first: int | None = None):
        graph, progress = proposals.graph, proposals.progress
        self.proposals, self.positive = proposals, graph.edge_sign > 0
        self.same = np.full(len(self.positive), np.nan)
        self._own = evidence_log_odds(graph, progress=progress)
        many = SCALED if first is None else min(SCALED, max(FEW, first))
        some = np.arange(len(self._own)) if proposals.answers.model is None else drawn(self.positive, many, 0)
        self.read(np.union1d(some, proposals.conflicts))  # of a conflict the list says what `repair` does
        self.scale = scale_of(self.same[some], self.positive[some])
        self._unread_at_first = np.isnan(self.same)

    @cached_property
    def _words(self) -> np.ndarray:
        """The columns of words, on one scale, and 1 for each label."""
        words = evidence(self.proposals.graph).to_numpy(float)
        return np.column_stack([np.ones(len(words)), (words - words.mean(axis=0)) / words.std(axis=0).clip(1e-9)])

    def read(self, edges: np.ndarray) -> None:
        """Let the judge read the sentences of some edges."""
        self.same[edges] = self.proposals.same(edges)
        if np.isin(edges, self.proposals.near).any():
            self.__dict__.pop("cuts", None)

    @cached_property
    def cuts(self) -> Cuts:
        """The cuts of all conflicts, as far as their positives have been read."""
        return self.proposals.cuts_by(self.expected().__getitem__)

    def ahead(self, order: np.ndarray, first: int | None) -> np.ndarray:
        """Return edges to read next, of both signs: none once the judge has read all the first ones in an order.

        The order changes with each reading, and new labels keep coming to its top. So at most one turn more than the
        first ones is read in all, of each sign.
        """
        found = []
        for edges in (order[self.positive[order]], order[~self.positive[order]]):
            unread = np.isnan(self.same[edges])
            read = np.count_nonzero(self._unread_at_first[edges] & ~unread)
            room = len(edges) if first is None else max(0, first + TURN - read)
            many = np.count_nonzero(unread[:first])
            found.append(edges[unread][: min(max(many, TURN), room)] if many else edges[:0])
        return np.concatenate(found)

    def expected(self) -> np.ndarray:
        """Return the judge's actual or expected answer about each label."""
        same, unread = self.same.copy(), np.isnan(self.same)
        if unread.any():
            x, y = self._words[~unread], same[~unread]
            same[unread] = self._words[unread] @ np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)
        return same

    def labels(self) -> Labels:
        """Return the evidence about each label."""
        graph, conflicts, same = self.proposals.graph, self.proposals.conflicts, self.expected()
        positive, sign, (level, slope) = self.positive, np.where(self.positive, -1, 1), self.scale
        own = self._own - log_odds((positive.sum() + 1) / (len(positive) + 2))
        against = sign * np.stack([level + slope * same, own])
        known = np.column_stack([np.ones(len(positive)), *against.clip(-SUREST, SUREST)])
        rows = graph.edge_sign * (graph.edge_n_positive - graph.edge_n_negative)  # for the label, less those against
        fixed = np.full(len(positive), np.nan)
        fixed[conflicts] = self.proposals.odds(conflicts)
        blame = self.cuts.blame(sigmoid(-fixed[self.cuts.conflicts]))
        model = self.proposals.answers.model
        name = {None: "words", "minilm": "minilm"}.get(model if isinstance(model, str | None) else "", "another")
        by = np.where(np.isnan(self.same), UNREAD, name)
        return Labels(positive, known, -AGREE * (rows - 1.0), fixed, blame, by)


class Onward:
    """Continues reading a list that MiniLM has read in part, in the background, best first, ahead of the questions.

    The results of a thread are `news` until the caller takes them over: the evidence changes only when they are
    written down. If MiniLM is not available, `failed` says why, and nothing is read.

    Parameters
    ----------
    texts, label
        The sentences and the label of each row.
    table : DataFrame
        Its columns `judge` and `by`; see `wrong.KNOWN`.
    """

    def __init__(self, texts: Sequence[tuple[str, str]], label: np.ndarray, table: pd.DataFrame):
        self._texts, self._sign = texts, np.where(label > 0, -1, 1)
        self.unread = (table["by"] == UNREAD).to_numpy(copy=True)
        said = self._sign * pd.to_numeric(table["judge"]).to_numpy(float)
        self._known = np.flatnonzero((table["by"] == "minilm").to_numpy() & (np.abs(said) < SUREST))[:TURN]
        self._said = said[self._known]
        self._found: dict[int, float] = {}
        self.failed = ""
        self._order, self._thread = np.empty(0, dtype=np.int64), Thread()

    @property
    def news(self) -> dict[int, float]:
        """Rows that were read but not taken over: log-odds that the two mean the same, on the scale of the list."""
        return {row: same for row, same in [*self._found.items()] if self.unread[row]}

    def take(self, read: dict[int, float]) -> tuple[list[int], np.ndarray]:
        """Take over the readings, and return the newly read rows with log-odds against their labels."""
        rows = [row for row in read if self.unread[row]]
        self.unread[rows] = False
        return rows, self._sign[rows] * np.array([read[row] for row in rows])

    def prepare(self, order: np.ndarray) -> None:
        """Continue in the background with the first labels of each sign in an order."""
        self._order = order
        if not self.failed and not self._thread.is_alive():
            self._thread = Thread(target=self._read_on)
            self._thread.start()

    def _read_on(self) -> None:
        try:
            while len(rows := self._following()) and main_thread().is_alive():
                known, same = np.split(self._same(np.append(self._known, rows)), [len(self._known)])
                same = np.polyval(np.polyfit(known, self._said, 1), same).clip(-SUREST, SUREST).round(3)
                self._found.update(zip(rows.tolist(), same.tolist(), strict=True))
        except Exception as error:  # there is nobody else to tell
            self.failed = str(error)

    def _following(self) -> np.ndarray:
        """The rows to read next: of each sign, among those that come first."""
        unread = self.unread.copy()
        unread[[*self._found]] = False
        first = [self._order[self._sign[self._order] == sign][:AHEAD] for sign in (-1, 1)]
        return np.concatenate([rows[unread[rows]][: TURN // 2] for rows in first])

    def _same(self, rows: np.ndarray) -> np.ndarray:
        left, right = ([self._texts[row][end] for row in rows] for end in (0, 1))
        return judge_of("minilm", progress=False).log_odds(left, right)
