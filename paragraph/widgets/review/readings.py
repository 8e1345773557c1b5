"""Would you say this? Shuffled sentences read by people, among them some as they were written."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...decisions.records import Decision, standing
from ...measure.scoring import wilson
from ...pairs import PairsError
from .pairs import PairReview, Pairs
from .questions import READ

__all__ = ["ShuffleReading"]

OLD = "(untouched) "  # stood before the second sentence of a pair in logs of version 0.2, where the first was read


class Readings(Pairs):
    """The sentences that are read, each a pair of an original and its shuffle; some originals are read untouched."""

    def __init__(self, untouched: Sequence[bool], *pairs: Any):
        self.untouched = untouched
        super().__init__(*pairs)

    def item_of(self, record: Decision) -> int | None:
        """The sentence that a decision was made on: the original where the record says so, else the shuffle."""
        untouched = record.saw.get("untouched") is True
        if record.question2.startswith(OLD):
            untouched = True
            original = unicodedata.normalize("NFC", record.question1).strip()
            item = next((i for i in self.items if self.pair[i][0] == original), None)
        else:
            item = super().item_of(record)
        return item if item is not None and self.untouched[item] == untouched else None


class ShuffleReading(PairReview):
    """Read shuffled sentences of Japanese: ``y`` good, ``q`` awkward, ``n`` wrong, ``s`` skip, ``u`` undo.

    Some are shown as they were written, and which is not told, so that `rates` has something to compare with.

    Parameters
    ----------
    table : DataFrame
        What `paragraph.japanese.shuffle.shuffled_sentences` gives: `text`, `shuffled`.
    original_share : float
        The share of texts that are shown untouched, drawn by `seed`.
    log, reviewer, options
        As of `PairReview`. In the log a sentence is a pair with its original, labelled 1: *keep* means good, *cut*
        wrong, *ambiguous* awkward. Where the original was read, `shown` says ``"untouched": true``.
    """

    _question, _can_reveal, _hidden, _title_of = READ, False, True, "Shuffle Reading"

    def __init__(self, table: pd.DataFrame, *log: Any, original_share: float = 1 / 6, seed: int = 0, **options: Any):
        if not {"text", "shuffled"} <= {*table} or not 0 <= original_share <= 1:
            raise PairsError("a reading takes the columns text and shuffled, and original_share between 0 and 1")
        own = table["text"].drop_duplicates().sample(frac=original_share, random_state=seed)
        own = table["text"].isin(own)
        again = own & table["text"].duplicated()  # an original is read once
        self._again = int(again.sum())
        pairs = pd.DataFrame({"text_a": table["text"], "text_b": table["shuffled"], "label": 1, "untouched": own})
        super().__init__(pairs[~again], None, *log, order="random", seed=seed, **{"height": 480} | options)

    def _pairs(self, items: list[int]) -> Readings:
        table = self._table
        return Readings(table.facts["untouched"], table.texts, table.label, READ, items, standing(self._mine))

    def rates(self) -> pd.DataFrame:
        """How many "shuffled" and "untouched" ones are good, awkward, wrong; the `share` of wrong (Wilson, 95 %)."""
        rows, queue, untouched = {}, self._queue, self._table.facts["untouched"]
        for name, own in (("shuffled", False), ("untouched", True)):
            states = [queue.state(i) for i in queue.judged if untouched[i] == own]
            good, awkward, wrong = map(states.count, READ.choices[:3])
            n = good + awkward + wrong
            rows[name] = [good, awkward, wrong, wrong / n if n else np.nan, *wilson(wrong, n)]
        return pd.DataFrame(rows, ["good", "awkward", "wrong", "share", "low", "high"]).T

    def _read(self, item: int) -> list[str]:
        text, shuffled = self._table.texts[item]
        return [text if self._table.facts["untouched"][item] else shuffled]

    def _shown(self, item: int) -> dict[str, Any]:
        return super()._shown(item) | ({"untouched": True} if self._table.facts["untouched"][item] else {})

    @property
    def queue(self) -> pd.DataFrame:
        """All sentences in their order, `text_b` as it is read."""
        table = super().queue
        return table.assign(text_b=table["text_b"].mask(table["untouched"], table["text_a"]))

    def _case(self) -> dict[str, Any]:
        return super()._case() | {"pair": [[(text, False)] for text in self._read(self._item)], "lang": "ja"}

    def _row(self, item: int) -> dict[str, Any]:
        return super()._row(item) | {"texts": self._read(item)}

    def _summary(self) -> dict[str, Any]:
        rates = self.rates().dropna().itertuples()
        said = [[f"{name}: wrong", f"{n:.0f}, {share:.0%} ({a:.0%}–{b:.0%})"] for name, *_, n, share, a, b in rates]
        return {"facts": said}
