"""The tribes of New Guinea: scores of balance."""

from __future__ import annotations

from pathlib import Path

from .checking import claim

TRIBES = "Read 1954; Hage and Harary 1983 (UCINET gama)"
SIGNNET = "Schoch, signnet, vignette Structural Balance"


@claim(TRIBES, "tribes, alliances, enmities", (16, 29, 29))
def _tribes(folder: Path) -> tuple[int, int, int]:
    from ..balance.presets import tribes
    from ..balance.signed import as_signed

    graph = as_signed(tribes())
    return graph.n, int((graph.sign > 0).sum()), int((graph.sign < 0).sum())


for _score, _printed in (("triangles", 0.868), ("walks", 0.358), ("frustration", 0.759)):

    @claim(SIGNNET, f"degree of balance of the tribes by {_score}", _printed)
    def _degree(folder: Path, score: str = _score) -> float:
        from ..balance.degree import degree_of_balance
        from ..balance.presets import tribes

        row = degree_of_balance(tribes()).loc[score]
        return round(float(row["value"]), 3) if row["low"] == row["high"] else float("nan")


@claim(
    "Schoch 2023, signnet (JOSS), after Aref and Wilson 2019",
    "frustration index of the tribes: fewest edges to remove for two camps, and proved",
    (7, True),
)
def _tribes_frustration(folder: Path) -> tuple[int, bool]:
    from ..balance.frustration_index import frustration
    from ..balance.presets import tribes

    found = frustration(tribes(), "strong")
    return found.value, found.optimal


@claim(
    "Schoch, R4SNA, Signed Networks, signed_blockmodel(tribes, k = 3)", "edges that three camps leave over", (2, 3)
)
def _tribes_camps(folder: Path) -> tuple[int, int]:
    from ..balance.frustration_index import frustration
    from ..balance.presets import tribes

    found = frustration(tribes(), "weak")
    return found.value, len(set(found.camps.tolist()))
