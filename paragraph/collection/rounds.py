"""Training beside the questions: one round at a time in a thread of its own, and a word on when to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from ..measure.precision import precision

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph
    from .learner import Learner

__all__ = ["LAST", "Round", "Rounds", "when_to_stop"]

Pair = tuple[str, str]
LAST = 50  # answers that tell whether it is worth going on
FEW = 1  # positives among them, at which it is not
FLAT = 3  # rounds in which the development set should have got better,
RISE = 0.01  # by so much average precision


class Round(NamedTuple):
    """What a round of training brought."""

    labels: int | None  #: it learned from, asked, given or inferred; None: no others than before, so it did not train
    dev_ap: float | None  #: average precision on the development set
    pairs: pd.DataFrame  #: to be asked next: `text_a`, `text_b`, `p`


class Rounds:
    """A learner that trains and chooses while its owner goes on.

    Parameters
    ----------
    learner : Learner
        Used in one thread at a time: here alone, once a round was started.
    strategy, size : str, int
        How pairs are chosen, and how many at a time. Two times as many are chosen, so that there is something to
        ask while the next round trains.
    dev : ParaphraseGraph, optional
        Labelled pairs on which each round is measured.
    """

    def __init__(self, learner: Learner, strategy: str, size: int, dev: ParaphraseGraph | None):
        self.learner, self.strategy, self.size, self.dev = learner, strategy, size, dev
        self._told: list[tuple[str, str, int]] = []
        self._thread: threading.Thread | None = None
        self._found: Round | Exception | None = None

    @property
    def busy(self) -> bool:
        """Whether a round was started and not yet taken."""
        return self._thread is not None

    def start(
        self,
        labels: pd.DataFrame,
        skip: Iterable[Pair],
        known: Callable[[str, str], bool],
        done: Callable[[], None] = lambda: None,
    ) -> None:
        """Train on labels, if they are others than before, and choose pairs; `done` is called from the thread.

        Parameters
        ----------
        skip : pairs not to be chosen
        known : function of two sentences
            Whether their label follows from others. Such a pair may be chosen, but makes room for one more.
        """

        def work() -> None:
            try:
                self._found = self._round(labels, skip, known)
            except Exception as error:  # told by `take`, in the thread that can show it
                self._found = error
            done()

        self._found = None
        self._thread = threading.Thread(target=work, daemon=True, name="training")
        self._thread.start()

    def take(self, wait: bool = False) -> Round | Exception | None:
        """The round that was started, once it is through; None before. With `wait`, it is waited for."""
        if self._thread is None:
            return None
        if wait:
            self._thread.join()
        found = self._found
        if found is not None:
            self._thread = None
        return found

    def _round(self, labels: pd.DataFrame, skip: Iterable[Pair], known: Callable[[str, str], bool]) -> Round:
        told = sorted(zip(labels["text_a"], labels["text_b"], labels["label"], strict=True))
        if told == self._told:
            return Round(None, None, self.choose(skip, known))
        self.learner.teach(labels, instead=True)
        self._told = told
        dev_ap = None if self.dev is None else float(self.learner.dev_ap(self.dev))
        return Round(len(labels), dev_ap, self.choose(skip, known))

    def choose(self, skip: Iterable[Pair], known: Callable[[str, str], bool]) -> pd.DataFrame:
        """Two batches of pairs to ask, each in the order of the learner, and those among them that follow already."""
        skip, found = set(skip), []
        for _ in range(2):
            missing, many = self.size, self.size
            while missing > 0:
                batch = self.learner.query(many, self.strategy, skip=skip)
                pairs = list(zip(batch["text_a"], batch["text_b"], strict=True))
                skip.update(pairs)
                missing -= sum(not known(*pair) for pair in pairs)
                many = min(2 * many, 64 * self.size)
                found.append(batch)
                if batch.empty:
                    break
        return pd.concat(found, ignore_index=True)


def when_to_stop(answers: list[int | None], dev: list[float], left: int) -> str:
    """Why one may stop asking, in words; empty while there is no reason.

    Parameters
    ----------
    answers : list of 1, 0 or None
        In their order.
    dev : list of float
        Average precision of the rounds on the development set.
    left : int
        Answers left of the budget.

    Examples
    --------
    >>> when_to_stop([1, 0] * 30, [0.31, 0.35, 0.352, 0.349, 0.355], left=100)
    'You may stop: average precision has not risen by a point in the last 3 rounds.'
    """
    if not left:
        return "The budget is used up: stop here, or give a larger one."
    last = answers[-LAST:]
    if len(last) == LAST and last.count(1) <= FEW:
        high = precision(last.count(1), LAST - last.count(1), 0)["high"]
        return f"You may stop: {last.count(1)} of the last {LAST} answers is yes (95 %: at most {high:.0%})."
    if len(dev) > FLAT and max(dev[-FLAT:]) < max(dev[:-FLAT]) + RISE:
        return f"You may stop: average precision has not risen by a point in the last {FLAT} rounds."
    return ""
