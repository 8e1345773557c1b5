"""Unlabelled pairs that count as negative: judge some, and correct the precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from ...graph.identity import column
from ..judged import judged_table, refuse
from ..scoring import wilson
from ..strata import share

if TYPE_CHECKING:
    from .all_pairs import AllPairs

__all__ = ["Corrected", "correct", "queue"]

STRATA = ("near", "random")


class Corrected(NamedTuple):
    """A precision corrected by judgements of false positives.

    Attributes
    ----------
    strata : DataFrame
        One row a stratum, *near* and *random*: the number of `false_positives`, as far as is known; how many of them
        were `judged`, and how many of these turned out positive, `mislabelled`; the `share` whose label is right,
        with its 95 % interval `low`, `high` (`scoring.wilson`).
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
    """Draw up to `n` random false positives at the threshold of each stratum, shuffled.

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
    """Correct the precision at the threshold by judgements of random false positives.

    `judged` is a table of `queue` filled in, or a log or review with a method `judged`. A pair in it that is no false
    positive is an error that names its row; a log, which may serve other ends too, can hold such pairs.
    """
    table, same = judged_table(judged)
    a, b = (found.world.nodes(column(table, name).to_pylist()) for name in ("text_a", "text_b"))
    rank = np.where(np.minimum(a, b) < 0, -1, found.world.ranks(a, b))
    wrong = _false_positives(found).set_index("rank")
    if table.attrs.get("log"):
        here = np.isin(rank, wrong.index)
        table, same, rank = table[here], same[here], rank[here]
    for odd, why in (
        (~np.isin(rank, wrong.index), "this pair is no false positive of this score"),
        (pd.Series(rank).duplicated(), "this pair is judged twice"),
    ):
        refuse(table, odd, lambda row, why=why: f"{why}: {row['text_a']!r}, {row['text_b']!r}")
    known = pd.DataFrame({"stratum": wrong["stratum"].loc[rank].to_numpy(), "same": same})[~np.isnan(same)]
    rows = []
    for name in STRATA:
        answers = known.loc[known["stratum"] == name, "same"]
        number, mislabelled = wrong.loc[wrong["stratum"] == name, "weight"].sum(), int(answers.sum())
        right, n = len(answers) - mislabelled, len(answers)
        rows.append((name, number, n, mislabelled, right / n if n else np.nan, *wilson(right, n)))
    columns = ["stratum", "false_positives", "judged", "mislabelled", "share", "low", "high"]
    strata = pd.DataFrame(rows, columns=columns)
    q = np.array(share(*strata[["false_positives", "judged", "mislabelled"]].to_numpy().T))
    false = strata["false_positives"].sum()
    true = false * found.p_r20 / (1 - found.p_r20) if false else np.nan
    values = {"imputed": np.full(3, found.p_r20), "removed": true / (true + false * (1 - q))}
    values["counted"] = (true + false * q) / (true + false)
    return Corrected(strata, pd.DataFrame(values, index=["value", "low", "high"]).T)
