"""Stated labels as a judge sees them who reads best first: what it said of some, what words tell of the others."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from threading import Thread

import numpy as np
import pandas as pd

from ..learn.logistic import SUREST, log_odds, sigmoid
from ..learn.opinions import judge_of
from ..pairs import PairsError
from .evidence import evidence, evidence_log_odds
from .propose import Proposals
from .wrong import Labels, drawn

__all__ = ["HOPE", "Onward", "Reading"]

#: Log-odds by which each further row of the same label makes it more credible: rows err together more often than not.
AGREE = float(np.log(9))
#: The judge is taken to be worse for a label that it has not read than words tell, by so many standard deviations,
#: when it is asked what to read next.
HOPE = 0.5
#: Labels of a sign that are read at once, at least: a turn takes a while, however few they are.
TURN = 64
#: The ridge of what words tell of the judge.
RIDGE = 10.0


class Reading:
    """The evidence about each stated label, as far as the judge has read their sentences.

    Words are read of all sentences: they give the file's own opinion, a model fitted on its labels
    (`evidence.evidence_log_odds`), and what the judge would probably say, a linear regression of what it said of
    those that it read. Without a model the judge goes by words as well, and reads all.

    Parameters
    ----------
    proposals : Proposals
    columns : DataFrame, optional
        Further evidence; see `evidence.evidence`.
    """

    def __init__(self, proposals: Proposals, columns: pd.DataFrame | None = None):
        graph, progress = proposals.graph, proposals.progress
        if columns is not None:
            columns = columns.drop(columns=["model", "decision"], errors="ignore")
        self.proposals, self.positive = proposals, graph.edge_sign > 0
        self.same = np.full(len(self.positive), np.nan)
        self._own = evidence_log_odds(graph, columns, progress=progress)
        self.read(np.arange(len(self._own)) if proposals.answers.model is None else drawn(self.positive, 0))
        self.read(np.append(proposals.conflicts, proposals.near))  # `repair` reads them as well

    @cached_property
    def _words(self) -> np.ndarray:
        """The columns of words, on one scale, and 1 for each label."""
        words = evidence(self.proposals.graph).to_numpy(float)
        return np.column_stack([np.ones(len(words)), (words - words.mean(axis=0)) / words.std(axis=0).clip(1e-9)])

    def read(self, edges: np.ndarray) -> None:
        """Let the judge read the sentences of some edges."""
        self.same[edges] = self.proposals.same(edges)

    def ahead(self, order: np.ndarray, first: int | None) -> np.ndarray:
        """Return edges to read next, of either sign: none once the judge has read all the first ones in an order."""
        found = []
        for edges in (order[self.positive[order]], order[~self.positive[order]]):
            unread = np.isnan(self.same[edges])
            many = np.count_nonzero(unread[:first])
            found.append(edges[unread][: max(many, TURN)] if many else edges[:0])
        return np.concatenate(found)

    def labels(self, hope: float = 0.0) -> Labels:
        """Return what is known of each label; of one that was not read, worse for it by so many deviations."""
        graph, cuts, conflicts = self.proposals.graph, self.proposals.cuts, self.proposals.conflicts
        positive, sign, unread = self.positive, np.where(self.positive, -1, 1), np.isnan(self.same)
        same, (level, slope) = self.same.copy(), self.proposals.scale
        if unread.any():
            x, y = self._words[~unread], same[~unread]
            weight = np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)
            same[unread] = self._words[unread] @ weight + hope * sign[unread] * (y - x @ weight).std()
        own = self._own - log_odds((positive.sum() + 1) / (len(positive) + 2))
        against = sign * np.stack([level + slope * same, own])
        known = np.column_stack([np.ones(len(positive)), *against.clip(-SUREST, SUREST)])
        rows = graph.edge_sign * (graph.edge_n_positive - graph.edge_n_negative)  # for the label, less those against
        fixed = np.full(len(positive), np.nan)
        fixed[conflicts] = self.proposals.odds(conflicts)
        blame = cuts.blame(sigmoid(-fixed[cuts.conflicts]))
        name = "minilm" if self.proposals.answers.model == "minilm" else "another"
        by = np.where(unread | self.proposals.by_words, "words", name)
        return Labels(positive, known, -AGREE * (rows - 1.0), fixed, blame, by)


class Onward:
    """Reads on in a list that MiniLM has read in part: labels of the list become log-odds against them, on its scale.

    Parameters
    ----------
    texts, label
        The sentences and the label of each row.
    table : DataFrame
        Its columns `judge` and `by`; see `known.KNOWN`.
    """

    def __init__(self, texts: Sequence[tuple[str, str]], label: np.ndarray, table: pd.DataFrame):
        self._texts, self._sign = texts, np.where(label > 0, -1, 1)
        self.unread = (table["by"] == "words").to_numpy(copy=True)
        said = self._sign * pd.to_numeric(table["judge"]).to_numpy(float)
        read = np.flatnonzero(~self.unread & (np.abs(said) < SUREST))[:TURN]
        self._scale = np.polyfit(self._same(read), said[read], 1) if len(read) > 1 else (1.0, 0.0)
        self.news: list[tuple[int, float]] = []  #: rows read since somebody emptied this, and what was found
        self._thread = Thread()

    def __call__(self, rows: Sequence[int], same: Sequence[float] | None = None) -> np.ndarray:
        """Read some rows, or take what was read of them: log-odds that the sentences mean the same."""
        if same is None:
            same = self._same(rows).round(6)
            self.news += zip(rows, same.tolist(), strict=True)
        self.unread[rows] = False
        slope, level = self._scale
        return (self._sign[rows] * (level + slope * np.asarray(same))).clip(-SUREST, SUREST)

    def prepare(self, order: np.ndarray) -> None:
        """Read the first unread labels of either sign in an order, in the background: to have the answers at hand.

        They are kept on disk, and nothing else changes: what a list knows never depends on how soon it was read.
        """
        if not self._thread.is_alive():
            unread = order[self.unread[order]]
            rows = np.concatenate([unread[self._sign[unread] == sign][:TURN] for sign in (-1, 1)])
            self._thread = Thread(target=self._in_advance, args=(rows,))
            self._thread.start()

    def _in_advance(self, rows: np.ndarray) -> None:
        with suppress(PairsError):  # who asks for the answer is told, and Python may be about to end
            self._same(rows)

    def _same(self, rows: Sequence[int]) -> np.ndarray:
        left, right = ([self._texts[row][end] for row in rows] for end in (0, 1))
        return judge_of("minilm", progress=False).log_odds(left, right) if len(rows) else np.empty(0)
