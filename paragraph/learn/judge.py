"""A judge of pairs: anything that gives the probability that two sentences mean the same."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..files import PairsError
from ..files.errors import intact, whole
from ..files.outputs import append_lines
from .logistic import SUREST, log_odds

__all__ = ["Judge", "Known"]


class Judge:
    """Ask a judge about pairs, each in both orders and only once; check its answers and keep them.

    Every function that reads sentences takes it as ``model=``: it may be a language model behind an address, a
    service, or a rule. A judge sees two sentences and nothing else: no label, no cluster.

    Parameters
    ----------
    ask : callable
        ``(texts_a, texts_b) -> P(same)``: from two lists of equal length to a number from 0 to 1 for each pair.
    cache : path, optional
        A file of answers (JSON Lines), written after each batch: a run that was stopped, even killed, can continue.
        It belongs to one judge, which several processes may ask at once.
    most : int
        The most questions in one call, two per pair; more are an error, before the first is asked.
    batch : int
        Questions passed to `ask` at once.
    progress : bool
        Show a bar if it takes more than two seconds.

    Attributes
    ----------
    about : dict
        ``"model"``, its name; ``"reads"``, the source of P; ``"trained_on"``, the data that its weights have seen.

    Raises
    ------
    PairsError
        When called: too many questions; a judge that fails, or returns the wrong number of answers, or an answer that
        is not from 0 to 1: the message names the pair, and earlier answers are kept. The disk is full.

    Examples
    --------
    >>> def as_many_words(texts_a, texts_b):
    ...     return [0.9 if len(a.split()) == len(b.split()) else 0.2 for a, b in zip(texts_a, texts_b)]
    >>> judge = Judge(as_many_words)
    >>> judge(["Is it far?", "Is it far?"], ["Is it near?", "How far is it?"])
    array([0.9, 0.2])
    """

    #: The log-odds of the surest probability.
    surest = SUREST

    def __init__(
        self,
        ask: Callable[[list[str], list[str]], Sequence[float]],
        cache: str | os.PathLike | None = None,
        most: int = 20_000,
        batch: int = 64,
        *,
        progress: bool = True,
    ):
        self.ask, self.cache, self.progress = ask, None if cache is None else Path(cache), progress
        self.most, self.batch = whole("most", most), whole("batch", batch)
        self.name = getattr(ask, "__name__", type(ask).__name__)
        self.about = {"model": self.name, "reads": "P(same), the mean of both orders"}
        self.about["trained_on"] = "unknown: a judge of the user's"
        self._answers = self._read()

    def __call__(self, left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        """Return P(same) of each pair, the mean of both orders: float64, (n,)."""
        from tqdm.auto import tqdm

        both = [*zip(left, right, strict=True), *zip(right, left, strict=True)]
        open_ = [pair for pair in dict.fromkeys(both) if pair not in self._answers]
        if len(open_) > self.most:
            why = f"{len(open_):,} questions are to be asked (two per pair), and most={self.most:,}"
            raise PairsError(f"{why}: allow more, or ask about fewer pairs")
        starts = range(0, len(open_), self.batch)
        for at in tqdm(starts, f"asking {self.name}", unit="batch", delay=2, leave=False, disable=not self.progress):
            self._keep(open_[at : at + self.batch])
        return np.array([self._answers[pair] for pair in both]).reshape(2, -1).mean(axis=0)

    def log_odds(self, left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        """Return the log-odds that the two sentences of each pair mean the same: float64, (n,)."""
        return np.clip(log_odds(self(left, right)), -self.surest, self.surest)

    def _keep(self, pairs: list[tuple[str, str]]) -> None:
        """Ask about pairs, check the answers, and keep them."""
        a, b = map(list, zip(*pairs, strict=True))
        try:
            given: Any = np.asarray(self.ask(a, b), dtype=float)
        except Exception as error:
            why = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            raise PairsError(f"the judge {self.name} fails at or after {_named(pairs[0])}: {why}") from error
        if given.shape != (len(pairs),):
            shape = f"{given.size:,} answers to {len(pairs):,} questions"
            raise PairsError(f"the judge {self.name} gives {shape}, the first on {_named(pairs[0])}")
        odd = np.flatnonzero(~((given >= 0) & (given <= 1)))
        if len(odd):
            raise PairsError(
                f"the judge {self.name} answers {given[odd[0]]} to {_named(pairs[odd[0]])}, not a number from 0 to 1"
            )
        answers = dict(zip(pairs, given.tolist(), strict=True))
        if self.cache is not None:
            lines = (json.dumps([*pair, p], ensure_ascii=False) + "\n" for pair, p in answers.items())
            append_lines(self.cache, "".join(lines).encode("utf-8", "surrogatepass"))
        self._answers |= answers

    def _read(self) -> dict[tuple[str, str], float]:
        """The answers in the file, except for an incomplete line at its end: another process may be writing it."""
        if self.cache is None or not self.cache.is_file():
            return {}
        *lines, half = self.cache.read_bytes().split(b"\n")
        with intact(self.cache, "it holds no answers of a judge: name another file, or delete it"):
            read = [json.loads(line.decode("utf-8", "surrogatepass")) for line in lines]
            answers = {(str(a), str(b)): float(p) for a, b, p in read}
            if half[:2] not in (b"", b"[", b'["') or not all(0 <= p <= 1 for p in answers.values()):
                raise ValueError("a line is not a pair with a number from 0 to 1")
        return answers


def _named(pair: tuple[str, str]) -> str:
    return " and ".join(repr(text[:80]) for text in pair)


class Known(Judge):
    """A judge from a function of two lists of texts that needs no second order, no check and no other store."""

    def __init__(self, ask: Callable[..., np.ndarray], surest: float = SUREST, **about: Any):
        self.ask, self.surest, self.about = ask, surest, about

    def __call__(self, left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        return self.ask(left, right)
