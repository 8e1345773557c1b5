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
    """Read sentences one by one, most shuffled: ``g`` good, ``a`` awkward, ``w`` wrong, ``s`` skip, ``u`` undo.

    Some are shown as they were written, and which is not told, so that `rates` has something to compare with.

    Parameters
    ----------
    table : DataFrame
        What `paragraph.pairs.shuffling.shuffled_sentences` gives: `text`, `shuffled`.
    original_share : float
        The share of texts that are shown untouched, drawn by `seed`.
    log, reviewer, options
        As of `PairReview`. In the log a sentence is a pair with its original, labelled 1: *keep* means good, *cut*
        wrong, *ambiguous* awkward.
    """

    _question, _can_reveal, _hidden = READ, False, True

    def __init__(
        self, table: pd.DataFrame, log: Any = "readings.db", reviewer: str | None = None, *,
        original_share: float = 1 / 6, seed: int = 0, **options: Any,
    ):  # fmt: skip
        if not {"text", "shuffled"} <= {*table} or not 0 <= original_share <= 1:
            raise PairsError("a reading takes the columns text and shuffled, and original_share between 0 and 1")
        texts, rng = table["text"].drop_duplicates(), np.random.default_rng(seed)
        own = table["text"].isin(texts.sample(frac=original_share, random_state=rng))
        read = table["shuffled"].mask(own, UNTOUCHED + table["text"])
        pairs = pd.DataFrame({"text_a": table["text"], "text_b": read, "label": 1})
        super().__init__(pairs, None, log, reviewer, order="random", seed=seed, **options)

    def rates(self) -> pd.DataFrame:
        """Of the "shuffled" and the "untouched": how many are `good`, `awkward`, `wrong`, and the share of these with
        its interval (Wilson, 95 %)."""
        rows = {}
        for name in ("shuffled", "untouched"):
            of = [
                i for i in self._queue.judged if self._table.text_b[i].startswith(UNTOUCHED) == (name == "untouched")
            ]
            good, awkward, wrong = ([*map(self._queue.state, of)].count(one) for one in READ.choices[:3])
            rows[name] = [good, awkward, wrong, *precision(wrong, good + awkward)["precision":]]
        return pd.DataFrame(rows, ["good", "awkward", "wrong", "share", "low", "high"]).T

    def _read(self, item: int) -> list[str]:
        return [self._table.text_b[item].removeprefix(UNTOUCHED)]

    def _case(self) -> dict[str, Any]:
        return super()._case() | {"pair": [[(text, False)] for text in self._read(self._item)]}

    def _row(self, item: int) -> dict[str, Any]:
        return super()._row(item) | {"texts": self._read(item)}

    def _summary(self) -> dict[str, Any]:
        rates = self.rates().dropna()
        said = [f"{wrong:.0f}: {share:.0%} ({a:.0%}–{b:.0%})" for *_, wrong, share, a, b in rates.to_numpy()]
        return {"facts": [[f"wrong, {name}", text] for name, text in zip(rates.index, said, strict=True)]}
