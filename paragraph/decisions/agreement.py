"""Agreement of reviewers, corrected for chance; and the pairs on which they differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..files.shown import shown
from .answers import Answers, Dispute
from .log import Log, records_of
from .record import SAME, DecisionError

__all__ = ["Agreement", "agreement", "krippendorff_alpha"]

#: The answers that agreement counts.
CATEGORIES = [same for same in SAME if same != "later"]


def krippendorff_alpha(counts: np.ndarray) -> float:
    """Krippendorff's α for categories and any number of raters, who may leave items out: 1 − Dₒ / Dₑ.

    Parameters
    ----------
    counts : array, shape (items, k)
        The number of raters that put an item in a category. Items with fewer than two raters do not count.

    Returns
    -------
    1 if all agree, 0 if they agree as by chance; NaN if everything is in one category, or no item has two raters.

    References
    ----------
    K. Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C.

    Examples
    --------
    >>> round(krippendorff_alpha([[2, 0], [1, 1], [0, 2], [2, 0]]), 3)
    0.533
    """
    observed, expected = _disagreement(np.asarray(counts, dtype=float))
    return float(1 - observed / expected) if expected > 0 else np.nan


def _disagreement(counts: np.ndarray) -> tuple[float, float]:
    """Krippendorff's Dₒ and Dₑ: the share of two answers to an item that differ, and by chance."""
    counts = counts[counts.sum(axis=1) > 1]
    if not len(counts):
        return np.nan, np.nan
    raters = counts.sum(axis=1)
    differing = raters**2 - (counts**2).sum(axis=1)
    totals = counts.sum(axis=0)
    n = totals.sum()
    differing_by_chance = n**2 - (totals**2).sum()
    observed = (differing / (raters - 1)).sum() / n
    expected = differing_by_chance / (n * (n - 1))
    return observed, expected


@dataclass(frozen=True, repr=False)
class Agreement:
    """The agreement of reviewers in their answers about pairs.

    Printed, it is a table, a sentence, and the pairs to talk about with their notes, one line each.
    """

    reviewers: list[str]
    #: Pairs that two or more of them have answered (except *later*).
    items: int
    #: The share of answers of two reviewers about one pair that are the same; NaN without a shared pair.
    percent: float
    #: Krippendorff's α.
    alpha: float
    #: The pairs to talk about, which nobody has settled: `text_a`, `text_b`, and the `answers` of
    #: all, with notes. Where reviewers cut a conflict at different places, the pairs that they cut
    #: have a row each.
    disagreements: pd.DataFrame
    #: The same disagreements, with the answers and the conflicts that they are about.
    disputes: list[Dispute]
    #: All answers of the logs that stand, with those that overrule others.
    answers: Answers
    #: The logs, as they were given.
    logs: tuple[Log | list, ...]

    def __repr__(self) -> str:
        lines = [f"{name:<18}{value}" for name, value in self.measures.items()]
        names = ", ".join(map(shown, self.reviewers))
        talk = f"to talk about: {len(self.disputes):,}"
        lines.append(f"{names}: {self.items:,} pairs answered by two or more; {talk}")
        for text_a, text_b, answers in self.disagreements.itertuples(index=False):
            lines.append(shown(f"  {text_a} / {text_b}: {answers}"))
        return "\n".join(lines)

    @property
    def measures(self) -> dict[str, str]:
        """By name, the figures as text; a dash for NaN."""
        return {"agreement": _figure(self.percent), "Krippendorff's α": _figure(self.alpha)}


def _figure(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"


def agreement(*logs: Log | list) -> Agreement:
    """Measure the agreement of the reviewers of one or more logs, in their answers that stand.

    Parameters
    ----------
    logs : DecisionLog, or path of a log, of a sheet or of a file that a saved page wrote
        One log per reviewer, or one for all. Answers that overrule others do not count. No file is
        changed.

    Raises
    ------
    DecisionError
        There are fewer than two reviewers.

    Examples
    --------
    >>> import tempfile
    >>> from paragraph import DecisionLog
    >>> folder = tempfile.mkdtemp()
    >>> ada, ben = DecisionLog(f"{folder}/ada.db", "Ada"), DecisionLog(f"{folder}/ben.db", "Ben")
    >>> for i, (one, other) in enumerate([(1, 1), (0, 1), (0, 0), (1, 1)]):
    ...     _ = ada.add(f"{i}?", "Why?", one, note="once, not always" if i == 1 else "")
    ...     _ = ben.add("Why?", f"{i}?", other)
    >>> agreement(f"{folder}/ada.db", f"{folder}/ben.db")
    agreement         0.750
    Krippendorff's α  0.533
    Ada, Ben: 4 pairs answered by two or more; to talk about: 1
      1? / Why?: Ada: different (once, not always); Ben: the same
    """
    answers = Answers(records_of(logs))
    own = [row for row in answers.live if not row.overrules]
    reviewers = sorted({row.reviewer for row in own})
    if len(reviewers) < 2:
        raise DecisionError(
            f"agreement takes two reviewers or more; here: {', '.join(reviewers) or 'none'}"
        )
    by_pair = defaultdict(Counter)
    for row in own:
        by_pair[row.pair][row.same] += 1
    shared = [count for count in by_pair.values() if count.total() > 1]
    counts = pd.DataFrame(shared, columns=CATEGORIES, dtype=float).fillna(0).to_numpy()
    observed, _ = _disagreement(counts)
    return Agreement(
        reviewers=reviewers,
        items=len(shared),
        percent=float(1 - observed),
        alpha=krippendorff_alpha(counts),
        disagreements=_disagreements(answers),
        disputes=answers.disputes,
        answers=answers,
        logs=logs,
    )


def _disagreements(answers: Answers) -> pd.DataFrame:
    """The pairs of all disputes, one row each, with the answers and the notes of each reviewer."""
    texts = {}
    words = defaultdict(dict)  # by pair, each once
    for dispute in answers.disputes:
        for row in dispute.rows:
            conflicts = sorted(dispute.conflicts, key=sorted)
            pairs = dict.fromkeys([row.pair, *conflicts])
            notes = [answers.notes.get((row.reviewer, pair)) for pair in pairs]
            note = "; ".join(filter(None, notes))
            word = f"{row.reviewer}: {SAME[row.same]}"
            if note:
                word += f" ({note})"
            texts.setdefault(row.pair, (row.record.text_a, row.record.text_b))
            words[row.pair][word] = None
    rows = [(*texts[pair], "; ".join(words[pair])) for pair in texts]
    return pd.DataFrame(rows, columns=["text_a", "text_b", "answers"], dtype="str")
