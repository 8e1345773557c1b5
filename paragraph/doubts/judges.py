"""Judges of pairs: how probable it is that two sentences mean the same."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import as_pairs_error, check_int
from ..files.outputs import append_lines
from ..graph import ParaphraseGraph
from ..graph.arrays import pair_keys
from ..learn.logistic import SUREST, log_odds, sigmoid
from ..pairs.tables import canonical, refuse
from .shipped import by_minilm, by_words

__all__ = ["Judge", "Judgements", "default_judge", "judge", "judge_of"]

#: P(same) of each pair, whatever its label; it sees two sentences and nothing else.
Judge = Callable[[Sequence[str], Sequence[str]], np.ndarray]

#: Of the judges that ship, the meaning of their numbers, and what they have seen.
ABOUT = {None: "P(same)", "minilm": "P(same); it has seen: Quora's labels"}


def default_judge() -> str | None:
    """Name the judge of `suspects` and `repair` where nobody names one: "minilm", or None where it cannot be used.

    A warning then says in one line what is not installed. In the shell, None is called "none".
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
        The first of these that fits:

        - None: words alone (`shipped.by_words`); ``"minilm"``: the judge of this package (`shipped.by_minilm`);
        - a function of two lists of texts, which `judge` asks;
        - the folder of an `Adapter`, which is used as it is: trained on these pairs, it repeats their labels.

    Raises
    ------
    PairsError
        No such folder.
    """
    if model in (None, "minilm"):
        ask = partial(by_minilm if model else by_words, progress=progress)
        ask.about = ABOUT[model]
        return ask
    if hasattr(model, "about"):
        return model
    if callable(model):
        return judge(model, progress=progress)
    is_named = isinstance(model, str | os.PathLike)
    if not (is_named and os.path.isfile(os.path.join(model, "adapter.json"))):
        raise PairsError(
            f"judge {model!r:.100} is not 'minilm', and no folder of an adapter, with its adapter.json"
        )
    from ..learn.adapter import Adapter

    own = Adapter(model, progress=progress)

    def read(left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        return sigmoid(own.logits(left, right))

    return _sure(read, f"P(same); it has seen: {own.about.trained_on}")


class Judgements:
    """The word of a judge on pairs of sentences of a graph, as log-odds that they mean the same.

    The one store of judgements in memory: each pair, in either order, is judged once, when it is first asked about.
    The model may also be a table of earlier judgements: `text_a`, `text_b`, in either order, and
    `model`, P(same). On disk, `learn.cache` keeps the judgements of "minilm", and `judge` those of a function, in a
    file that its user names.
    """

    def __init__(self, graph: ParaphraseGraph, model: Any, *, progress: bool = True):
        self.graph = graph
        self.model = model
        self._progress = progress
        self._known = pd.Series([], np.array([], dtype=np.int64), dtype=float)  # log-odds, by pair
        if isinstance(model, pd.DataFrame):
            self._known = _judgements_in(model, graph)

    def __call__(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the log-odds of pairs of nodes: float64."""
        pairs = np.unique(pair_keys(a, b, self.graph.n))
        new = pairs[self._known.index.get_indexer(pairs) < 0]
        if len(new):
            texts = [self.graph.texts(end) for end in divmod(new, self.graph.n)]
            if isinstance(self.model, pd.DataFrame):
                first = " and ".join(repr(side[0]) for side in texts)
                raise PairsError(
                    f"the table of judgements lacks {first}, one of {len(new):,} pairs that it lacks"
                )
            found = pd.Series(log_odds(self._judge(*texts)), new)
            self._known = pd.concat([self._known, found])
        return self.so_far(a, b)

    def so_far(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The log-odds of pairs that were judged already, NaN of others."""
        return self._known.reindex(pair_keys(a, b, self.graph.n)).to_numpy()

    @cached_property
    def _judge(self) -> Judge:
        return judge_of(self.model, progress=self._progress)


def _sure(ask: Judge, about: str) -> Judge:
    """The judge without judgements that are surer than `SUREST`: one judgement is not beyond doubt.

    `about` is the meaning of its numbers, and what it has seen.
    """

    def judge(left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        return np.clip(ask(left, right), sigmoid(-SUREST), sigmoid(SUREST))

    judge.about = about
    return judge


def _judgements_in(table: pd.DataFrame, graph: ParaphraseGraph) -> pd.Series:
    """The log-odds in a table of judgements, by pair of a graph; the last row of a pair counts."""
    table = canonical(table, "a table of judgements")
    if "model" not in table:
        raise PairsError("a table of judgements needs a column model, P(same)")
    p = pd.to_numeric(table["model"], errors="coerce")
    refuse(
        table,
        ~p.between(0, 1),
        lambda row: f"model {row['model']} is not a probability, from 0 to 1",
    )
    nodes = graph.pair_nodes(table)
    odds = log_odds(p.to_numpy(float)).clip(-SUREST, SUREST)
    found = pd.Series(odds, pair_keys(*nodes, graph.n))[(nodes >= 0).all(axis=0)]
    return found[~found.index.duplicated(keep="last")]


def judge(
    ask: Callable[[list[str], list[str]], Sequence[float]],
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
    judgements = _kept_in(cache)
    check_int("batch", batch)

    def both_orders(left: Sequence[str], right: Sequence[str]) -> np.ndarray:
        both = [*zip(left, right, strict=True), *zip(right, left, strict=True)]
        new = [pair for pair in dict.fromkeys(both) if pair not in judgements]
        starts = range(0, len(new), batch)
        for at in tqdm(
            starts, f"asking {name}", unit="batch", delay=2, leave=False, disable=not progress
        ):
            found = _checked(ask, name, new[at : at + batch])
            if cache is not None:
                lines = [
                    json.dumps([*pair, p], ensure_ascii=False) + "\n" for pair, p in found.items()
                ]
                append_lines(Path(cache), "".join(lines).encode("utf-8", "surrogatepass"))
            judgements.update(found)
        found = np.array([judgements[pair] for pair in both])
        return found.reshape(2, -1).mean(axis=0)

    return _sure(
        both_orders, "P(same), the mean of both orders; it has seen: unknown, a judge of the user's"
    )


def _checked(
    ask: Callable, name: str, pairs: list[tuple[str, str]]
) -> dict[tuple[str, str], float]:
    """Ask about pairs, and check the judgements."""
    a, b = pairs[0]
    question = f"the judge {name}, asked about {a[:80]!r} and {b[:80]!r} and {len(pairs) - 1} more"
    left, right = map(list, zip(*pairs, strict=True))
    with as_pairs_error(question, "earlier judgements are kept"):
        answers = np.asarray(ask(left, right), dtype=float)
        if answers.shape != (len(pairs),):
            raise ValueError(f"{answers.size:,} judgements of {len(pairs):,} pairs")
        found = dict(zip(pairs, answers.tolist(), strict=True))
        for (a, b), p in found.items():
            if not 0 <= p <= 1:
                raise ValueError(f"{p} to {a[:80]!r} and {b[:80]!r} is not a number from 0 to 1")
    return found


def _kept_in(cache: str | os.PathLike | None) -> dict[tuple[str, str], float]:
    """The judgements in a file, except for an incomplete line at its end: another process may be writing it."""
    if cache is None or not os.path.isfile(cache):
        return {}
    *lines, half = Path(cache).read_bytes().split(b"\n")
    with as_pairs_error(
        Path(cache), "it holds no judgements of a judge: name another file, or delete it"
    ):
        read = [json.loads(line.decode("utf-8", "surrogatepass")) for line in lines]
        judgements = {(str(a), str(b)): float(p) for a, b, p in read}
        if half[:2] not in (b"", b"[", b'["') or not all(0 <= p <= 1 for p in judgements.values()):
            raise ValueError("a line is not a pair with a number from 0 to 1")
    return judgements
