"""Judges of pairs: how probable it is that two sentences mean the same."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import as_pairs_error, check_int
from ..files.outputs import append_lines
from ..graph import ParaphraseGraph
from ..graph.arrays import Array, pair_keys
from ..learn.logistic import SUREST, log_odds, sigmoid
from .shipped import Texts, by_minilm, by_words

__all__ = ["Judge", "Judgements", "default_judge", "judge", "judge_of"]

#: A function of two lists of texts that returns P(same) of each pair; it sees no label and no other sentence.
Judge = Callable[[Texts, Texts], Array]
#: Judgements by pair of texts.
ByTexts = dict[tuple[str, str], float]

SEEN = "P(same); it has seen: "


def default_judge() -> str | None:
    """Name the judge of `suspects` and `repair` where nobody names one: "minilm", or None where it cannot be used.

    If it is None, a warning says in one line what is not installed. In the shell, None is called "none".
    """
    from ..learn.encoder import MissingModel, describe

    try:
        describe("minilm")
    except MissingModel as error:
        warnings.warn(f"words alone judge, without a model: {error}", stacklevel=3)
        return None
    return "minilm"


def judge_of(model: Any, *, progress: bool = True) -> Judge:
    """Find or make the judge that a user means.

    Parameters
    ----------
    model
        A judge that this module made is returned as it is. Of other values, the first that fits:

        - None: words alone (`shipped.by_words`); ``"minilm"``: the judge of this package (`shipped.by_minilm`);
        - a function of two lists of texts, which `judge` asks;
        - the folder of an `Adapter`, which is used as it is: trained on these pairs, it repeats their labels.

    Raises
    ------
    PairsError
        No such folder.
    """
    if hasattr(model, "about"):
        return model
    if callable(model):
        return judge(model, progress=progress)
    if model is None:
        return _with_about(partial(by_words, progress=progress), "P(same)")
    is_named = isinstance(model, str | os.PathLike)
    if is_named and model == "minilm":
        return _with_about(partial(by_minilm, progress=progress), f"{SEEN}Quora's labels")
    if not (is_named and os.path.isfile(os.path.join(model, "adapter.json"))):
        raise PairsError(
            f"judge {model!r:.100} is not 'minilm', and no folder of an adapter, with its adapter.json"
        )
    from ..learn.adapter import Adapter

    adapter = Adapter(model, progress=progress)

    def read(left: Texts, right: Texts) -> Array:
        logits = adapter.logits(left, right)
        return _bounded(sigmoid(logits))

    return _with_about(read, SEEN + adapter.about.trained_on)


def _with_about(ask: Callable, about: str) -> Judge:
    """Return the judge with a text `about`: the meaning of its numbers, and the data it has seen."""
    ask.about = about
    return ask


def _bounded(p: Array) -> Array:
    """Judgements that are no surer than `SUREST`: one judgement is not beyond doubt."""
    return np.clip(p, sigmoid(-SUREST), sigmoid(SUREST))


class Judgements:
    """The judgements of a judge on pairs of sentences of a graph, as log-odds that they mean the same.

    The one store of judgements in memory: each pair, in either order, is judged once, when it is first asked about.
    On disk, `learn.cache` keeps the judgements of "minilm", and `judge` those of a function, in a file that its user
    names.
    """

    def __init__(self, graph: ParaphraseGraph, model: Any, *, progress: bool = True):
        self.graph = graph
        self._model = model
        self._progress = progress
        self._known = pd.Series([], np.array([], dtype=np.int64), dtype=float)  # log-odds, by pair

    def __call__(self, a: Array, b: Array) -> Array:
        """Return the log-odds of pairs of nodes: float64."""
        keys = pair_keys(a, b, self.graph.n)
        new = np.setdiff1d(keys, self._known.index)
        if len(new):
            left, right = map(self.graph.texts, divmod(new, self.graph.n))
            p = self._judge(left, right)
            judgements = pd.Series(log_odds(p), new)
            self._known = pd.concat([self._known, judgements])
        return self.so_far(a, b)

    def so_far(self, a: Array, b: Array) -> Array:
        """The log-odds of pairs that were judged already, NaN for others."""
        keys = pair_keys(a, b, self.graph.n)
        return self._known.reindex(keys).to_numpy()

    @cached_property
    def _judge(self) -> Judge:
        return judge_of(self._model, progress=self._progress)


def judge(
    ask: Callable[[list[str], list[str]], Any],
    cache: str | os.PathLike | None = None,
    batch: int = 64,
    *,
    progress: bool = True,
) -> Judge:
    """Make a judge of a function: it is asked about each pair in both orders and only once, checked, and kept.

    Parameters
    ----------
    ask : callable
        ``(texts_a, texts_b) -> P(same)``: from two lists of equal length to a number from 0 to 1 for each pair. It
        may be a language model behind an address, a service, or a rule.
    cache : path, optional
        A file of judgements (JSON Lines), written after each batch: a run that was stopped, even killed, can
        continue. It belongs to one judge, which several processes may ask at once.
    batch : int
        Pairs passed to `ask` at once.
    progress : bool
        Show a bar if it takes more than two seconds.

    Raises
    ------
    PairsError
        When called: a judge that fails, or returns the wrong number of judgements, or a judgement that
        is not from 0 to 1: the message names the pair, and earlier judgements are kept. The disk is full.

    Examples
    --------
    >>> def as_many_words(texts_a, texts_b):
    ...     return [0.9 if len(a.split()) == len(b.split()) else 0.2 for a, b in zip(texts_a, texts_b)]
    >>> judge(as_many_words)(["Is it far?", "Is it far?"], ["Is it near?", "How far is it?"])
    array([0.9, 0.2])
    """
    from tqdm.auto import tqdm

    name = getattr(ask, "__name__", type(ask).__name__)
    judgements = _read_cache(cache)
    check_int("batch", batch)
    bar = {"unit": "batch", "delay": 2, "leave": False, "disable": not progress}

    def both_orders(left: Texts, right: Texts) -> Array:
        both = [*zip(left, right, strict=True), *zip(right, left, strict=True)]
        new = [pair for pair in dict.fromkeys(both) if pair not in judgements]
        for start in tqdm(range(0, len(new), batch), f"asking {name}", **bar):
            by_pair = _ask(ask, name, new[start : start + batch])
            if cache is not None:
                lines = ""
                for pair, p in by_pair.items():
                    lines += json.dumps([*pair, p], ensure_ascii=False)
                    lines += "\n"
                append_lines(Path(cache), lines.encode("utf-8", "surrogatepass"))
            judgements.update(by_pair)
        p = np.array([judgements[pair] for pair in both])
        return _bounded(p.reshape(2, -1).mean(axis=0))

    return _with_about(
        both_orders, f"{SEEN}unknown, a judge of the user's; the mean of both orders"
    )


def _ask(ask: Callable, name: str, pairs: list[tuple[str, str]]) -> ByTexts:
    """Ask about pairs, and check the judgements."""
    a, b = pairs[0]
    question = f"the judge {name}, asked about {a[:80]!r} and {b[:80]!r} and {len(pairs) - 1} more"
    left, right = map(list, zip(*pairs, strict=True))
    with as_pairs_error(question, "earlier judgements are kept"):
        judgements = np.asarray(ask(left, right), dtype=float)
        if judgements.shape != (len(pairs),):
            raise ValueError(f"{judgements.size:,} judgements of {len(pairs):,} pairs")
        by_pair = dict(zip(pairs, judgements.tolist(), strict=True))
        for (a, b), p in by_pair.items():
            if not 0 <= p <= 1:
                raise ValueError(f"{p} to {a[:80]!r} and {b[:80]!r} is not a number from 0 to 1")
    return by_pair


def _read_cache(cache: str | os.PathLike | None) -> ByTexts:
    """The judgements in a file, without an incomplete last line: another process may be writing it."""
    if cache is None or not os.path.isfile(cache):
        return {}
    path = Path(cache)
    *lines, incomplete = path.read_bytes().split(b"\n")
    with as_pairs_error(path, "it holds no judgements of a judge: name another file, or delete it"):
        judgements = {}
        for line in lines:
            a, b, p = json.loads(line.decode("utf-8", "surrogatepass"))
            judgements[str(a), str(b)] = float(p)
        in_range = [0 <= p <= 1 for p in judgements.values()]
        if incomplete[:1] not in b"[" or not all(in_range):
            raise ValueError("a line is not a pair with a number from 0 to 1")
    return judgements
