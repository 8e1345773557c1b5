"""The precision of a score on all pairs, corrected by people's answers about its false positives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ...doubts.answered import answer_table
from ...doubts.audit import share, share_interval
from ...pairs.tables import column, refuse

__all__ = ["STRATA", "Corrected", "correct"]

#: Kinds of false positives.
STRATA = ("near", "random")


class Corrected(NamedTuple):
    """A precision corrected by judgements of false positives.

    Attributes
    ----------
    strata : DataFrame
        One row per stratum, *near* and *random*: the number of `false_positives`, as far as is known; how many were
        `answered`, and how many of these turned out positive, `mislabelled`; the `share` whose label is right,
        with its 95 % interval `low`, `high` (`audit.share_interval`).
    precision : DataFrame
        `value`, `low`, `high` of the precision at the threshold: *imputed*, as it was; with mislabelled pairs taken
        out of the false positives (*removed*: Mussmann, Jia and Liang 2020, appendix A.3); and counted as true ones
        besides (*counted*). NaN where a stratum holds false positives and none was answered.
    """

    strata: pd.DataFrame
    precision: pd.DataFrame


def correct(score: Any, answers: Any) -> Corrected:
    """Correct the precision of an `AllPairs` at its threshold.

    `answers` is a table of `false_positives` filled in, or a log or review with a method `answered`. A pair in it
    that is no false positive is an error that names its row; a log, which may serve other ends too, can hold such
    pairs.
    """
    table, same = answer_table(answers)
    texts = [column(table, name) for name in ("text_a", "text_b")]
    ends = [score.world.nodes(side.to_pylist()) for side in texts]
    rank = score.world.ranks(*ends)
    wrong = score.wrong.set_index("rank")
    if table.attrs.get("log"):
        here = np.isin(rank, wrong.index)
        table = table[here]
        same = same[here]
        rank = rank[here]

    def refuse_pairs(odd: np.ndarray, why: str) -> None:
        refuse(table, odd, lambda row: f"{why}: {row['text_a']!r}, {row['text_b']!r}")

    refuse_pairs(~np.isin(rank, wrong.index), "this pair is no false positive of this score")
    refuse_pairs(pd.Series(rank).duplicated(), "this pair is answered twice")
    known = pd.Series(same, wrong["stratum"].loc[rank]).dropna()
    strata = known.groupby(level=0).agg(answered="size", mislabelled="sum")
    strata = strata.reindex(STRATA, fill_value=0).astype(int)
    weight = wrong.groupby("stratum")["weight"].sum()
    strata.insert(0, "false_positives", weight.reindex(STRATA, fill_value=0.0))
    answered = strata["answered"]
    right = answered - strata["mislabelled"]
    low, high = share_interval(right, answered)
    counts = strata.to_numpy()
    mislabelled = np.array(share(*counts.T))
    strata = strata.assign(share=right / answered, low=low, high=high)
    false = strata["false_positives"].sum()
    true = np.nan
    if false:
        true = false * score.p_r20 / (1 - score.p_r20)
    hidden = false * mislabelled
    precision = pd.DataFrame(index=["value", "low", "high"])
    precision["imputed"] = score.p_r20
    precision["removed"] = true / (true + false - hidden)
    precision["counted"] = (true + hidden) / (true + false)
    strata = strata.rename_axis("stratum").reset_index()
    return Corrected(strata, precision.T)
