"""Jurišić, Miličević and Srzić (2023): arithmetic on what is printed."""

from __future__ import annotations

from pathlib import Path

from .checking import claim

JURISIC = "Jurišić et al. 2023, section 4.1"
#: Positives added at distance 1, 2 and more; negatives that exist.
ADDED, NEGATIVES = (48_418, 18_990, 6_621), 121_166


@claim(JURISIC, "training, validation and testing examples make up Quora's 404,290", 404_290)
def _quora_rows(folder: Path) -> int:
    return 344_290 + 30_000 + 30_000


for _upto, _title in ((1, "distance 1"), (2, "distances 1 and 2"), (3, "all distances")):
    _need = 2 * sum(ADDED[:_upto])

    @claim(
        JURISIC,
        f"twice as many negatives as positives at {_title} exist",
        True,
        (False, f"2 × {_need // 2:,} = {_need:,} are needed, {NEGATIVES:,} reported: cap by what exists"),
    )
    def _double(folder: Path, need: int = _need) -> bool:
        return need <= NEGATIVES
