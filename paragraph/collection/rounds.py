"""Training beside the questions: one round at a time in a thread of its own, and a word on when to stop."""

from __future__ import annotations

import atexit
import ctypes
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from ..measure.scoring import wilson

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph
    from .learner import Learner

__all__ = ["LAST", "Round", "Rounds", "when_to_stop"]

Pair = tuple[str, str]
#: Of two sentences: is their label said, or does it follow?
Known = Callable[[str, str], bool]
LAST = 50  # answers that tell whether it is worth going on
FEW = 1  # positives among them, at which it is not
FLAT = 3  # rounds in which the development set should have got better,
RISE = 0.01  # by so much average precision

_AT_WORK: set[threading.Thread] = set()


@atexit.register
def _stop() -> None:
    """Stop what trains when the program ends: a thread that Python ends inside torch aborts the whole process."""
    for thread in [*_AT_WORK]:
        while thread.is_alive():  # raised when it is back from torch, at its next line of Python
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
            thread.join(1)


class Round(NamedTuple):
    """The result of a round of training."""

    labels: int | None  #: it learned from, asked, given or inferred; None: no others than before, so it did not train
    dev_ap: float | None  #: average precision on the development set
    pairs: pd.DataFrame  #: to be asked next: `text_a`, `text_b`, `p`


class Rounds:
    """A learner that trains and chooses while its owner goes on.

    Parameters
    ----------
    learner : Learner
        Used in one thread at a time: in that of the round, while one is under way.
    strategy, size : str, int
        The way to choose pairs, and how many make a batch.
    dev : ParaphraseGraph, optional
        Labelled pairs on which each round is measured.
    """

    def __init__(self, learner: Learner, strategy: str, size: int, dev: ParaphraseGraph | None):
        self.learner, self.strategy, self.size, self.dev = learner, strategy, size, dev
        self.busy = False  #: whether a round was started and not yet taken
        self._told: list[tuple] = []
        self._thread = threading.Thread()
        self._found: Round | Exception | None = None

    def start(self, labels: pd.DataFrame, skip: list[Pair], known: Known, done: Callable[[], Any]) -> None:
        """Train on labels, unless they are those of the last round, and choose pairs; `done` is called in the end."""

        def work() -> None:
            try:
                self._found = self._round(labels, skip, known)
            except Exception as error:  # shown where `take` is called
                self._found = error
            finally:
                _AT_WORK.discard(threading.current_thread())
            done()

        self._found, self.busy = None, True
        self._thread = threading.Thread(target=work, daemon=True, name="training")
        _AT_WORK.add(self._thread)
        self._thread.start()

    def take(self, wait: bool = False) -> Round | Exception | None:
        """Return what the round has brought, once; None while it goes on. With `wait`, wait for it."""
        if wait and self.busy:
            self._thread.join()
        found, self._found = self._found, None
        self.busy &= found is None
        return found

    def choose(self, skip: Iterable[Pair], known: Known) -> pd.DataFrame:
        """Choose two batches of pairs in the learner's order: the second is asked while the next round goes on.

        None of `skip` is chosen; pairs whose label is `known` may be, besides.
        """
        skip, found = [*skip], []
        for _ in range(2):
            missing = many = self.size
            while missing > 0:
                batch = self.learner.query(many, self.strategy, skip=skip)
                pairs = list(zip(batch["text_a"], batch["text_b"], strict=True))
                found.append(batch)
                if not pairs:
                    break
                skip += pairs
                missing -= sum(not known(*pair) for pair in pairs)
                many = min(2 * many, 64 * self.size)
        return pd.concat(found, ignore_index=True)

    def _round(self, labels: pd.DataFrame, skip: list[Pair], known: Known) -> Round:
        told, dev_ap = sorted(zip(labels["text_a"], labels["text_b"], labels["label"], strict=True)), None
        if trained := told != self._told:
            self.learner.teach(labels, instead=True)
            self._told = told
            dev_ap = None if self.dev is None else float(self.learner.dev_ap(self.dev))
        return Round(len(labels) if trained else None, dev_ap, self.choose(skip, known))


def when_to_stop(answers: list[int | None], dev: list[float], left: int) -> str:
    """Say why one may stop asking; empty while there is no reason.

    By the answers in their order (1, 0 or None), the average precision of the rounds on the development set, and the
    number of answers left of the budget.

    Examples
    --------
    >>> when_to_stop([1, 0] * 30, [0.31, 0.35, 0.352, 0.349, 0.355], left=100)
    'You may stop: average precision has not risen by a point in the last 3 rounds.'
    """
    if not left:
        return "The budget is used up: stop here, or give a larger one."
    last = answers[-LAST:]
    if len(last) == LAST and last.count(1) <= FEW:
        _, high = wilson(last.count(1), LAST)
        return f"You may stop: {last.count(1)} of the last {LAST} answers is yes (95 %: at most {high:.0%})."
    if len(dev) > FLAT and max(dev[-FLAT:]) < max(dev[:-FLAT]) + RISE:
        return f"You may stop: average precision has not risen by a point in the last {FLAT} rounds."
    return ""
