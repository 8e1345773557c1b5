"""Would you say this? Shuffled sentences read by people, among them some as they were written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...measure.precision import precision
from ...pairs import PairsError
from .pairs import PairReview
from .questions import READ

__all__ = ["ShuffleReading"]

UNTOUCHED = "(untouched) "  # before the second sentence of a pair that stands for the first


class ShuffleReading(PairReview):
    """Read shuffled sentences one by one: ``g`` good, ``a`` awkward, ``w`` wrong, ``s`` skip, ``u`` undo.

    Some texts are shown as they were written, and which is never told: what is wrong with those was not done by
    shuffling. `rates` says how many were wrong, and the page when all is read.

    Parameters
    ----------
    table : DataFrame
        What `paragraph.pairs.shuffling.shuffled_sentences` gives: `text`, `shuffled`.
    original_share : float
        The share of texts that are shown untouched, drawn by `seed`.
    log, reviewer, seed, options
        As of `PairReview`. In the log a sentence is the pair of its text and itself, labelled 1: a *keep* is good,
        *ambiguous* awkward, a *cut* wrong.
    """

    _question, _can_reveal = READ, False

    def __init__(
        self, table: pd.DataFrame, log: Any = "readings.db", reviewer: str | None = None, *,
        original_share: float = 1 / 6, seed: int = 0, **options: Any,
    ):  # fmt: skip
        if not {"text", "shuffled"} <= {*table} or not 0 <= original_share <= 1:
            raise PairsError("readings take the columns text, shuffled and an original_share between 0 and 1")
        texts = table["text"].drop_duplicates()
        own = {*texts.sample(frac=original_share, random_state=np.random.default_rng(seed))}
        pairs = table.rename(columns={"text": "text_a", "shuffled": "text_b"})[["text_a", "text_b"]].assign(label=1)
        pairs["text_b"] = pairs["text_b"].mask(pairs["text_a"].isin(own), UNTOUCHED + pairs["text_a"])
        super().__init__(pairs, None, log, reviewer, order="random", seed=seed, **options)

    def rates(self) -> pd.DataFrame:
        """Of the "shuffled" and the "untouched": `good`, `awkward`, `wrong`, and the share of these (Wilson, 95 %)."""
        rows = {}
        for name in ("shuffled", "untouched"):
            of = [
                i for i in self._queue.judged if self._table.text_b[i].startswith(UNTOUCHED) == (name == "untouched")
            ]
            good, awkward, wrong = ([self._queue.state(i) for i in of].count(one) for one in READ.choices[:3])
            share = precision(wrong, good + awkward)[["precision", "low", "high"]]
            rows[name] = [good, awkward, wrong, *share]
        return pd.DataFrame(rows, ["good", "awkward", "wrong", "share", "low", "high"]).T

    def _read(self, item: int) -> str:
        return self._table.text_b[item].removeprefix(UNTOUCHED)

    def _case(self) -> dict[str, Any]:
        return super()._case() | {"pair": [[(self._read(self._item), False)]]}

    def _row(self, item: int) -> dict[str, Any]:
        return super()._row(item) | {"texts": [self._read(item)]}

    def _evidence(self) -> dict[str, Any]:
        return super()._evidence() | {"text": "Would you say or write so? Some are shuffled, some are not."}

    def _summary(self) -> dict[str, Any]:
        facts = [
            [f"wrong, {name}", f"{row['wrong']:.0f}: {row['share']:.0%} ({row['low']:.0%}–{row['high']:.0%})"]
            for name, row in self.rates().dropna().iterrows()
        ]
        return {"facts": facts}
