"""The probability that two sentences mean the same, by words alone or with MiniLM: the judges of this package."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.outputs import read_record
from ..words.difference import COLUMNS as WORDS
from ..words.difference import Vocabulary, differences
from .logistic import Weights, sigmoid

__all__ = ["COLUMNS", "NATURAL", "SHARE", "by_minilm", "by_words", "sameness"]

#: Columns of `sameness`; the last two only with a model.
COLUMNS = WORDS | {
    "cosine": "cosine of the two sentences' vectors",
    "worst": "mean of the two worst matches between their words (`learn.word_vectors`)",
}
#: The share of pairs that mean the same among unlabelled pairs inside clusters: of Quora's, drawn uniformly over
#: clusters, both of two blind readings judged 462 of 617 so.
SHARE = 462 / 617
#: Its log-odds.
NATURAL = float(np.log(SHARE / (1 - SHARE)))
#: Every word is equally rare, and capitals mark names: the result for a pair then depends on nothing but the pair.
#: Rarity in a corpus adds nothing to the fit.
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
    """Columns that show whether two sentences mean the same (`COLUMNS`): one row per pair.

    Only the two sentences count: no label, neither the pair's own nor another's, and no cluster. So positives of a
    family ("… in Italy", "… in Portugal") cannot vouch for each other.

    Parameters
    ----------
    left, right : sequences of str
        The sentences of each pair; of nodes of a graph, `graph.texts(nodes)`.
    model : str or path, optional
        As for `learn.encode`. Without one, words alone: the columns `cosine` and `worst` are left out.
    together : bool
        Add the column `together`: the logit of the shipped cross-encoder, MiniLM with the adapters of
        `learn/together`. If they are damaged, or MiniLM is a different one, a warning says so, and the column is left
        out.

    Notes
    -----
    On one core, words take some 3,000 pairs per second, and a model some 200 different sentences per second. `p_same`
    keeps the answers of "minilm" on disk, by pair.

    Examples
    --------
    >>> sameness(["May hamsters eat nuts?"], ["May 3 hamsters eat honey?"])[["swapped", "number_added", "overlap"]]
       swapped  number_added   overlap
    0      1.0           1.0  0.666667
    """
    table = differences(left, right, NO_CORPUS, progress=progress).astype(float)
    if model is None:
        return table
    from .word_vectors import word_matches

    table = table.assign(**word_matches(left, right, model, progress=progress))
    if together:
        from .adapter import Adapter

        try:
            adapter = Adapter(TOGETHER, progress=progress)
        except PairsError as error:
            warnings.warn(f"the cross-encoder that ships is left out: {error}", stacklevel=3)
        else:
            table["together"] = adapter.logits(left, right)
    return table


def by_words(left: Sequence[str], right: Sequence[str], progress: bool = True) -> np.ndarray:
    """P(same) of two sentences by words alone, for pairs with the natural share of same meanings."""
    return sigmoid(Weights.read(SHIPPED, "words").log_odds(sameness(left, right, progress=progress)) + NATURAL)


def by_minilm(left: Sequence[str], right: Sequence[str], progress: bool = True) -> np.ndarray:
    """P(same) of two sentences by MiniLM and its cross-encoder, as for `by_words`; kept on disk by pair."""
    from .encoder import describe
    from .kept import answers
    from .tokens import arithmetic, pick_device

    def ask(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        table = sameness([a for a, _ in pairs], [b for _, b in pairs], "minilm", together=True, progress=False)
        kind = "together" if "together" in table else "minilm"
        return Weights.read(SHIPPED, kind).log_odds(table)[:, None]

    try:
        read_record(TOGETHER / "adapter.json")
    except (ValueError, OSError):  # damaged: said each time, and not kept
        return sigmoid(ask(list(zip(left, right, strict=True)))[:, 0] + NATURAL)
    fitted = hashlib.blake2b(digest_size=12)
    for path in (SHIPPED, *sorted(TOGETHER.glob("*"))):
        fitted.update(path.read_bytes())
    about = describe("minilm", progress=progress)
    name = f"{about.fingerprint[:24]}-same-{fitted.hexdigest()}-{arithmetic(pick_device())}"
    pairs = [(a, b) if a <= b else (b, a) for a, b in zip(left, right, strict=True)]  # the same in either order
    place = {pair: i for i, pair in enumerate(dict.fromkeys(pairs))}
    z = answers(name, 1, list(place), ask, "reading pairs", block=8192, progress=progress)[:, 0]
    return sigmoid(z[[place[pair] for pair in pairs]] + NATURAL)
