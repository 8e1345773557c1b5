"""Would you say this? Shuffled sentences read by people, among them some as they were written."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ...measure.precision import precision
from ...pairs import PairsError
from .pairs import PairReview
from .questions import READ

__all__ = ["ShuffleReading"]

UNTOUCHED = "(untouched) "  # before the second sentence of a pair that stands for the first


class ShuffleReading(PairReview):
    """Read shuffled sentences of Japanese: ``g`` good, ``a`` awkward, ``w`` wrong, ``s`` skip, ``u`` undo.

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

    _question, _can_reveal, _hidden, _name = READ, False, True, "Shuffle Reading"

    def __init__(self, table: pd.DataFrame, *log: Any, original_share: float = 1 / 6, seed: int = 0, **options: Any):
        if not {"text", "shuffled"} <= {*table} or not 0 <= original_share <= 1:
            raise PairsError("a reading takes the columns text and shuffled, and original_share between 0 and 1")
        own = table["text"].drop_duplicates().sample(frac=original_share, random_state=seed)
        read = table["shuffled"].mask(table["text"].isin(own), UNTOUCHED + table["text"])
        pairs = pd.DataFrame({"text_a": table["text"], "text_b": read, "label": 1})
        super().__init__(pairs, None, *log, order="random", seed=seed, **{"height": 480} | options)

    def rates(self) -> pd.DataFrame:
        """How many "shuffled" and "untouched" ones are good, awkward, wrong; the `share` of wrong (Wilson, 95 %)."""
        rows, queue, texts = {}, self._queue, self._table.text_b
        for name, own in (("shuffled", False), ("untouched", True)):
            states = [queue.state(i) for i in queue.judged if texts[i].startswith(UNTOUCHED) == own]
            good, awkward, wrong = map(states.count, READ.choices[:3])
            rows[name] = [good, awkward, wrong, *precision(wrong, good + awkward)["precision":]]
        return pd.DataFrame(rows, ["good", "awkward", "wrong", "share", "low", "high"]).T

    def _read(self, item: int) -> list[str]:
        return [self._table.text_b[item].removeprefix(UNTOUCHED)]

    def _case(self) -> dict[str, Any]:
        return super()._case() | {"pair": [[(text, False)] for text in self._read(self._item)], "lang": "ja"}

    def _row(self, item: int) -> dict[str, Any]:
        return super()._row(item) | {"texts": self._read(item)}

    def _summary(self) -> dict[str, Any]:
        rates = self.rates().dropna().itertuples()
        said = [[f"{name}: wrong", f"{n:.0f}, {share:.0%} ({a:.0%}–{b:.0%})"] for name, *_, n, share, a, b in rates]
        return {"facts": said}
