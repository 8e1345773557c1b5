"""The probability that two sentences mean the same, from the sentences alone; and what a label 0 adds to it, δ."""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..measure.logistic import Weights, log_odds, newton, sigmoid
from ..pairs import PairsError
from ..pairs.outputs import described
from ..words.difference import COLUMNS as WORDS
from ..words.difference import Vocabulary, differences
from .evidence import log_odds_of

__all__ = [
    "COLUMNS", "DELTA", "PRIOR_CONFLICTS", "SHARE", "Answers", "Delta", "asked", "delta_in_words", "learn_delta",
    "p_same", "sameness",
]  # fmt: skip

#: Columns of `sameness`; the last two with a model only.
COLUMNS = WORDS | {
    "cosine": "cosine of the two sentences' vectors",
    "worst": "mean of the two worst matches between their words (`learn.word_vectors`)",
}
#: Share of pairs that mean the same among those inside clusters that nobody labelled: of Quora's, drawn uniformly
#: over clusters, 462 of 617 were judged so by both of two blind readings.
SHARE = 462 / 617
#: Evidence of a label 0 on a pair inside a cluster: log P(stated 0 | the same) − log P(stated 0 | different). This
#: value takes flips and cuts to be equally frequent, as they are among the 88 conflicts of Chen, Ji and Evans (2020).
DELTA = float(-np.log(SHARE / (1 - SHARE)))
#: Judged conflicts that `DELTA` is worth.
PRIOR_CONFLICTS = 10
#: Every word is as rare as any other, and names show by their capitals: what is said of a pair then depends on
#: nothing but the pair. Rarity in a corpus adds nothing to the fit.
NO_CORPUS = Vocabulary({}, frozenset())
#: Fitted by `python -m benchmarks.sameness DATA_FOLDER --ship`.
SHIPPED = Path(__file__).with_name("same.json")
#: The cross-encoder beside it; made by `python -m benchmarks.together DATA_FOLDER WORK_FOLDER --ship`.
TOGETHER = Path(__file__).with_name("together")


def sameness(
    left: Sequence[str],
    right: Sequence[str],
    model: str | os.PathLike | None = None,
    *,
    together: bool = False,
    progress: bool = True,
) -> pd.DataFrame:
    """Columns that tell whether two sentences mean the same (`COLUMNS`): one row per pair.

    Nothing but the two sentences enters: no label, neither the pair's own nor another's, and no cluster. So positives
    of a family ("… in Italy", "… in Portugal") cannot vouch for each other.

    Parameters
    ----------
    left, right : sequences of str
        The sentences of each pair; of nodes of a graph, `graph.texts(nodes)`.
    model : str or path, optional
        As for `learn.encode`. Without one, words alone: the columns `cosine` and `worst` are left out.
    together : bool
        Add the column `together`: the logit of the cross-encoder that ships, MiniLM with the adapters of
        `repairs/together`. Where they are damaged, or MiniLM is another, a warning says so, and it is left out.

    Notes
    -----
    Words: some 3,000 pairs a second; a model some 200 different sentences a second on one core. `p_same` keeps what
    "minilm" says on disk, by pair.

    Examples
    --------
    >>> sameness(["May hamsters eat nuts?"], ["May 3 hamsters eat honey?"])[["swapped", "number_added", "overlap"]]
       swapped  number_added   overlap
    0      1.0           1.0  0.666667
    """
    table = differences(left, right, NO_CORPUS, progress=progress).astype(float)
    if model is None:
        return table
    from ..learn.word_vectors import word_matches

    table = table.assign(**word_matches(left, right, model, progress=progress))
    if together:
        from ..learn.adapter import Adapter

        try:
            adapter = Adapter.load(TOGETHER, progress=progress)
        except PairsError as error:
            warnings.warn(f"the cross-encoder that ships is left out: {error}", stacklevel=3)
        else:
            table["together"] = adapter.logits(left, right)
    return table


def p_same(
    left: Sequence[str],
    right: Sequence[str],
    model: str | os.PathLike | None = None,
    share: float = SHARE,
    *,
    progress: bool = True,
) -> np.ndarray:
    """The probability that two sentences of one cluster mean the same, whatever label they have: float64.

    Parameters
    ----------
    left, right : sequences of str
        As for `sameness`.
    model : {"minilm"}, folder, hub id or Judge, optional
        Without it, words alone. A folder that a model's `save` has written, any classifier that
        `learn.pair_opinions` takes, or a `learn.Judge` (or a function for one) is asked as it is: its P(paraphrase)
        is taken to hold for the natural share.
    share : float
        Share of pairs that mean the same, of those asked about: it shifts all log-odds alike. 1/2 takes both
        answers to be equally likely beforehand.

    Raises
    ------
    PairsError
        A model that is not trained yet, or cannot be had; a share that is not between 0 and 1.

    Notes
    -----
    Logistic regressions fitted on pairs inside clusters of Quora Question Pairs that no row labels, each judged in
    two blind readings by a language model (both answers weighted to a half): words alone on 573, with the model on
    1,684. On pairs they have not seen, words alone have an AUC of .66, with the model .79 (MiniLM's cosine alone:
    .70); see `benchmarks.sameness` and `benchmarks.together`. MiniLM was trained on Quora's duplicates among others,
    and the cross-encoder on Quora's labels: of Quora's own pairs its opinions are not held out. The lists of words
    are English; in other languages numbers and common words still count.

    Examples
    --------
    >>> p = p_same(["How do I learn chess?"] * 2, ["How can I learn chess?", "Why did 3 people learn chess?"])
    >>> bool(p[0] > 0.5 > p[1])
    True
    """
    if not 0 < share < 1:
        raise PairsError(f"share {share} is not between 0 and 1")
    if model is None:
        z = _weights("words").log_odds(sameness(left, right, progress=progress))
    elif model == "minilm":
        z = _by_minilm(left, right, progress)
    else:
        if callable(model):
            from ..learn.judge import Judge

            p = (model if isinstance(model, Judge) else Judge(model, progress=progress))(left, right)
        else:
            from ..learn.opinions import ready

            p = ready(model, progress=progress)[0](pd.DataFrame({"text_a": list(left), "text_b": list(right)}))
        z = log_odds_of(p) - np.log(SHARE / (1 - SHARE))
    return sigmoid(z + np.log(share / (1 - share)))


def _by_minilm(left: Sequence[str], right: Sequence[str], progress: bool) -> np.ndarray:
    """The log-odds that two sentences mean the same, both answers taken to be equally likely beforehand."""
    from ..learn.encoder import describe
    from ..learn.kept import answers
    from ..learn.tokens import arithmetic, pick_device

    def ask(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        table = sameness([a for a, _ in pairs], [b for _, b in pairs], "minilm", together=True, progress=False)
        return _weights("together" if "together" in table else "minilm").log_odds(table)[:, None]

    try:
        described(TOGETHER / "adapter.json")
    except (ValueError, OSError):  # damaged: said each time, and not kept
        return ask(list(zip(left, right, strict=True)))[:, 0]
    fitted = hashlib.blake2b(digest_size=12)
    for path in (SHIPPED, *sorted(TOGETHER.glob("*"))):
        fitted.update(path.read_bytes())
    about = describe("minilm", progress=progress)
    name = f"{about.fingerprint[:24]}-same-{fitted.hexdigest()}-{arithmetic(pick_device())}"
    pairs = [(a, b) if a <= b else (b, a) for a, b in zip(left, right, strict=True)]  # the same in either order
    place = {pair: i for i, pair in enumerate(dict.fromkeys(pairs))}
    z = answers(name, 1, list(place), ask, "reading pairs", block=8192, progress=progress)[:, 0]
    return z[[place[pair] for pair in pairs]]


class Answers:
    """The answers of a model about pairs of sentences of a graph: each, in either order, is asked for once.

    Parameters are those of `p_same`. Each pair takes 16 bytes.
    """

    def __init__(self, graph: ParaphraseGraph, model: Any):
        self.graph, self.model = graph, model
        self._pairs, self._log_odds = np.array([np.iinfo(np.int64).max]), np.array([np.nan])  # sorted; a guard

    def __call__(self, a: np.ndarray, b: np.ndarray, *, progress: bool = True) -> np.ndarray:
        """Return the log-odds that the sentences of pairs of nodes mean the same: float64."""
        pairs = np.minimum(a, b).astype(np.int64) * self.graph.n + np.maximum(a, b)
        new = np.unique(pairs[self._pairs[np.searchsorted(self._pairs, pairs)] != pairs])
        if len(new):
            p = p_same(*map(self.graph.texts, divmod(new, self.graph.n)), self.model, progress=progress)
            at = np.searchsorted(self._pairs, new)
            self._log_odds, self._pairs = np.insert(self._log_odds, at, log_odds(p)), np.insert(self._pairs, at, new)
        return self._log_odds[np.searchsorted(self._pairs, pairs)]


def asked(
    graph: ParaphraseGraph, evidence: pd.DataFrame | None, model: Any, *, progress: bool = True
) -> tuple[pd.DataFrame | None, Any]:
    """Evidence about pairs, and the model that reads their sentences.

    A name of `learn.models.MODELS` learns from the pairs: what it says out of fold is evidence.

    Raises
    ------
    PairsError
        Evidence and a model.
    """
    if model is not None and evidence is not None:
        raise PairsError("evidence and model are two sources of evidence; give one")
    if isinstance(model, str) and model != "minilm":
        from ..learn.models import MODELS
        from ..learn.opinions import pair_opinions

        if model in MODELS:
            stated = graph.pair_texts(graph.edge_a, graph.edge_b).assign(label=graph.edge_sign > 0)
            return pair_opinions(stated, model, progress=progress), None
    return evidence, model


def _weights(name: str) -> Weights:
    return Weights.of(json.loads(SHIPPED.read_bytes())[name])


class Delta(NamedTuple):
    """δ with its 95 % interval, and the number of judged conflicts behind it."""

    value: float
    low: float
    high: float
    judged: int


def learn_delta(log_odds: np.ndarray, same: np.ndarray) -> Delta:
    """δ from judged conflicts: the intercept of a logistic regression with logit p_same as offset.

    P(same | a conflict) = sigmoid(logit p_same + δ). The prior stands for ten conflicts of average p_same (`SHARE`)
    more, half of them the same, so that δ is `DELTA` where nothing is judged.

    Parameters
    ----------
    log_odds : float array
        Logit of `p_same` of each judged conflict.
    same : array of 0 and 1

    Returns
    -------
    Delta
        The most probable value a posteriori (MAP); the middle 95 % of the posterior.

    Examples
    --------
    >>> delta = learn_delta(np.zeros(0), np.zeros(0))
    >>> [round(x, 2) for x in delta]
    [-1.09, -2.41, 0.22, 0]
    >>> delta = learn_delta(np.zeros(40), np.array([0] * 30 + [1] * 10))
    >>> [round(x, 2) for x in delta]
    [-1.1, -1.76, -0.51, 40]
    """
    z = np.append(log_odds, -DELTA)
    times = np.append(np.ones(len(same)), PRIOR_CONFLICTS)
    y = np.append(same, 0.5)
    [value], [[precision]] = newton(np.ones((len(z), 1)), y, times, np.array([DELTA]), offset=z)
    grid = value + np.linspace(-12, 12, 481) / np.sqrt(precision)
    x = z[:, None] + grid
    posterior = times @ (y[:, None] * x - np.logaddexp(0, x))  # log P(y) = y x − log(1 + exp(x))
    weight = np.exp(posterior - posterior.max())
    below = (np.cumsum(weight) - weight / 2) / weight.sum()
    low, high = np.interp([0.025, 0.975], below, grid).tolist()
    return Delta(float(value), low, high, len(same))


def delta_in_words(found: dict[str, Any]) -> str:
    """Return the account of δ in the `attrs` of `repair` as a line.

    Examples
    --------
    >>> told = {"value": -0.65, "low": -1.97, "high": 0.66, "judged": 0, "turn_below": 2, "turn_above": 1}
    >>> delta_in_words(told)
    'δ −0.65 (95 %: −1.97 to 0.66; 0 conflicts judged); at δ − 1 turn 2 proposals, at δ + 1 turn 1'
    """
    judged = found["judged"]
    how = f"{judged:,} conflict{'s' * (judged != 1)} judged"
    how = "given" if found["low"] is None else f"95 %: {found['low']:.2f} to {found['high']:.2f}; {how}"
    turns = f"at δ − 1 turn {found['turn_below']:,} proposals, at δ + 1 turn {found['turn_above']:,}"
    return f"δ {found['value']:.2f} ({how}); {turns}".replace(" -", " −").replace("(-", "(−")
