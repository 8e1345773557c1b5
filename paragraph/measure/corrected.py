"""Pairs that count as negative because nobody labelled them: judge some, and correct the precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ..graph.identity import column, row_name
from ..pairs import PairsError
from .compare import samples
from .judged import judged_table
from .precision import precision
from .stratified import share

if TYPE_CHECKING:
    from .all_pairs import AllPairs

__all__ = ["Corrected", "correct", "mann_whitney", "queue"]

STRATA = ("near", "random")


class Corrected(NamedTuple):
    """What judgements of false positives change.

    Attributes
    ----------
    strata : DataFrame
        One row a stratum, *near* and *random*: how many `false_positives` there are, as far as is known; how many of
        them were `judged`, and of these were in truth positive, `mislabelled`; the `share` of the others, whose label
        is right, with its 95 % interval `low`, `high` (`precision`).
    precision : DataFrame
        `value`, `low`, `high` of the precision at the threshold: *imputed*, as it was; with mislabelled pairs taken
        out of the false positives (*removed*: Mussmann, Jia and Liang 2020, appendix A.3); and counted as true ones
        besides (*counted*). NaN where a stratum holds false positives and none was judged.
    """

    strata: pd.DataFrame
    precision: pd.DataFrame


def _false_positives(found: AllPairs) -> pd.DataFrame:
    wrong = found.sample[~found.sample["positive"] & (found.sample["score"] >= found.threshold)]
    return wrong.assign(stratum=np.where(wrong["near"], *STRATA))


def queue(found: AllPairs, n: int = 50, seed: int = 0) -> pd.DataFrame:
    """Up to `n` random false positives at the threshold of each stratum, shuffled.

    Columns `text_a`, `text_b`, `label` (0), `stratum`, `score`, and `same`, which is empty: 1 where the two mean the
    same after all, 0 where not. In a spreadsheet, or by keys: ``PairReview(table, graph)``.
    """
    rng, wrong = np.random.default_rng(seed), _false_positives(found)
    drawn = [part.sample(min(n, len(part)), random_state=rng) for _, part in wrong.groupby("stratum")]
    table = pd.concat([*drawn, wrong[:0]]).sample(frac=1, random_state=rng)
    texts = found.world.table(table["rank"].to_numpy())
    facts = table[["stratum", "score"]].reset_index(drop=True)
    return texts.assign(label=0).join(facts).assign(same=pd.array([pd.NA] * len(table), dtype="Int8"))


def correct(found: AllPairs, judged: Any) -> Corrected:
    """The precision at the threshold, corrected by judgements of random false positives.

    `judged` is a table of `queue` filled in, or a log or review with a method `judged`. A pair in it that is no false
    positive is an error that names its row; a log, which may serve other ends too, can hold such pairs.
    """
    table, same = judged_table(judged)
    ends = [found.world.nodes(column(table, name).to_pylist()) for name in ("text_a", "text_b")]
    rank = np.where(np.minimum(*ends) < 0, -1, found.world.ranks(*ends))
    wrong = _false_positives(found).set_index("rank")
    if table.attrs.get("log"):
        here = np.isin(rank, wrong.index)
        table, same, rank = table[here], same[here], rank[here]
    for odd, why in (
        (~np.isin(rank, wrong.index), "this pair is no false positive of this score"),
        (pd.Series(rank).duplicated(), "this pair is judged twice"),
    ):
        if odd.any():
            at = int(np.argmax(odd))
            raise PairsError(
                f"{row_name(table, at)}: {why}: {table['text_a'].iloc[at]!r}, {table['text_b'].iloc[at]!r}"
            )
    known = pd.DataFrame({"stratum": wrong["stratum"].loc[rank].to_numpy(), "same": same})[~np.isnan(same)]
    rows = []
    for name in STRATA:
        answers = known.loc[known["stratum"] == name, "same"]
        number, mislabelled = wrong.loc[wrong["stratum"] == name, "weight"].sum(), int(answers.sum())
        right = precision(len(answers) - mislabelled, mislabelled)[["precision", "low", "high"]]
        rows.append((name, number, len(answers), mislabelled, *right))
    columns = ["stratum", "false_positives", "judged", "mislabelled", "share", "low", "high"]
    strata = pd.DataFrame(rows, columns=columns)
    q = np.array(share(*strata[["false_positives", "judged", "mislabelled"]].to_numpy().T))
    false = strata["false_positives"].sum()
    true = false * found.p_r20 / (1 - found.p_r20) if false else np.nan
    values = {"imputed": np.full(3, found.p_r20), "removed": true / (true + false * (1 - q))}
    values["counted"] = (true + false * q) / (true + false)
    return Corrected(strata, pd.DataFrame(values, index=["value", "low", "high"]).T)


def mann_whitney(first: ArrayLike, second: ArrayLike) -> float:
    """The two-sided p-value that two sets of judgements differ (Mann and Whitney 1947, with ties).

    Examples
    --------
    >>> print(f"{mann_whitney([1] * 36 + [0] * 14, [1] * 16 + [0] * 34):.0e}")  # Mussmann et al., section 5.5
    7e-05
    """
    from scipy.stats import mannwhitneyu

    first, second = samples(first, second, least=1)
    return float(mannwhitneyu(first, second).pvalue)
