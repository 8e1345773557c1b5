"""Published numbers, recomputed: each claim has its source, the value expected, the code, and a verdict.

Verdicts: ``✓`` the value comes out as printed; ``explained`` another one comes out, exactly the one that a known
slip of the paper accounts for; ``✗`` neither; ``needs data`` the data are not at hand (`folder`, else
$PARAGRAPH_DATA).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["CLAIMS", "Checked", "Claim", "claim", "table"]


class NeedsData(Exception):
    """Raised by a claim whose data are not at hand; the message says what is missing."""


@dataclass(frozen=True)
class Checked:
    """A claim after its code has run."""

    verdict: str
    found: Any
    why: str
    seconds: float


@dataclass(frozen=True)
class Claim:
    """A published value and the code that recomputes it.

    `slip`: a value that may come out instead of the printed one, and the reason, for discrepancies that were
    traced. A claim is never adjusted to its data: any third value is a ``✗``.
    """

    source: str
    statement: str
    expected: Any
    compute: Callable[[Path], Any]
    slip: tuple[Any, str] | None = None

    def check(self, folder: Path | None = None) -> Checked:
        """Run the code; `folder` holds the data sets, default $PARAGRAPH_DATA or the download folder."""
        from .datasets import default_folder

        began = time.perf_counter()
        try:
            found = self.compute(folder or default_folder())
        except NeedsData as missing:
            return Checked("needs data", None, str(missing), time.perf_counter() - began)
        seconds = time.perf_counter() - began
        if found == self.expected:
            return Checked("✓", found, "", seconds)
        if self.slip and found == self.slip[0]:
            return Checked("explained", found, self.slip[1], seconds)
        return Checked("✗", found, self.slip[1] if self.slip else "", seconds)


CLAIMS: list[Claim] = []


def claim(source: str, statement: str, expected: Any, slip: tuple[Any, str] | None = None) -> Callable:
    """Decorator: the function recomputes the value, given the data folder; the claim joins `CLAIMS`.

    Examples
    --------
    >>> check = Claim("arithmetic", "two and two", 5, lambda folder: 2 + 2, (4, "misprint")).check()
    >>> check.verdict, check.found, check.why
    ('explained', 4, 'misprint')
    """

    def register(compute: Callable[[Path], Any]) -> Callable[[Path], Any]:
        CLAIMS.append(Claim(source, statement, expected, compute, slip))
        return compute

    return register


def table(folder: Path | None = None, claims: list[Claim] | None = None) -> pd.DataFrame:
    """All claims checked: `source`, `statement`, `expected`, `found`, `verdict`, `why`, `seconds`."""
    from tqdm.auto import tqdm

    rows = []
    for one in tqdm(CLAIMS if claims is None else claims, "claims", delay=2, leave=False):
        done = one.check(folder)
        rows.append((one.source, one.statement, one.expected, done.found, done.verdict, done.why, done.seconds))
    columns = ["source", "statement", "expected", "found", "verdict", "why", "seconds"]
    return pd.DataFrame(rows, columns=columns).astype({"expected": object, "found": object})


# -- Chen, Ji and Evans (2020), Table 1: arithmetic on what is printed --------------------------------------

TABLE_1 = "Chen et al. 2020, Table 1"

#: (training positive, training negative, testing positive, testing negative) as printed.
PRINTED = {
    "original": (134_378, 229_468, 14_885, 25_545),
    "original_flipped": (134_446, 229_380, 14_886, 25_544),
    "augmented": (220_890, 363_986, 42_570, 28_164),
    "augmented_flipped": (220_978, 363_898, 42_572, 28_162),
}
#: Mislabeled pairs found in training and in testing (section 3.2).
FLIPPED = (88, 2)
COLUMNS = ("training positives", "training negatives", "testing positives", "testing negatives")
RATIOS = {
    "original": (36.93, 36.82),
    "original_flipped": (36.96, 36.82),
    "augmented": (37.77, 60.18),
    "augmented_flipped": (37.78, 60.19),
}
SLIPS = {
    ("original_flipped", 0): (134_466, "134,378 + 88 = 134,466: two digits were exchanged in print"),
    ("original_flipped", 2): (
        14_887,
        "14,885 + 2: text and Augmented-Flipped row say 2 flips, this row shows 1",
    ),
    ("original_flipped", 3): (
        25_543,
        "25,545 − 2: text and Augmented-Flipped row say 2 flips, this row shows 1",
    ),
}

for _base in ("original", "augmented"):
    for _column, _what in enumerate(COLUMNS):
        _name = f"{_base}_flipped"
        _change = FLIPPED[_column // 2] * (1 if _column % 2 == 0 else -1)

        @claim(
            TABLE_1,
            f"{_name}: {_what} are those of {_base} {'+' if _change > 0 else '−'} the flipped pairs",
            PRINTED[_name][_column],
            SLIPS.get((_name, _column)),
        )
        def _flip(folder: Path, value: int = PRINTED[_base][_column] + _change) -> int:
            return value


for _name, _ratios in RATIOS.items():
    for _part, _printed in enumerate(_ratios):
        _counts = "by original's counts ± the flipped" if _name == "original_flipped" else "by its counts"

        @claim(TABLE_1, f"{_name}: {('training', 'testing')[_part]} paraphrase ratio {_counts}, %", _printed)
        def _ratio(folder: Path, name: str = _name, part: int = _part) -> float:
            positive, negative = PRINTED[name][2 * part : 2 * part + 2]
            if name == "original_flipped":  # of the counts with the slips mended
                positive, negative = PRINTED["original"][2 * part : 2 * part + 2]
                positive, negative = positive + FLIPPED[part], negative - FLIPPED[part]
            return round(100 * positive / (positive + negative), 2)


@claim(
    TABLE_1,
    "original_flipped has as many training rows as original",
    sum(PRINTED["original"][:2]),
    (363_826, "20 rows fewer, by the exchanged digits in its training positives"),
)
def _rows_of_flipped(folder: Path) -> int:
    return sum(PRINTED["original_flipped"][:2])


@claim("Chen et al. 2020, section 3.1", "augmenting expands the training set by, %", 60.7)
def _training_grows(folder: Path) -> float:
    return round(100 * (sum(PRINTED["augmented"][:2]) / sum(PRINTED["original"][:2]) - 1), 1)


@claim("Chen et al. 2020, section 4.1", "… and the testing set by around, %", 75)
def _testing_grows(folder: Path) -> int:
    return round(100 * (sum(PRINTED["augmented"][2:]) / sum(PRINTED["original"][2:]) - 1))


@claim("Chen et al. 2020, section 4.1", "new paraphrase and non-paraphrase pairs, thousands", (114, 137))
def _new_pairs(folder: Path) -> tuple[int, int]:
    new = np.subtract(PRINTED["augmented"], PRINTED["original"])
    return int(new[0] + new[2]) // 1000, int(new[1] + new[3]) // 1000


# -- Table 2: what can be checked without training -----------------------------------------------------------

TABLE_2 = "Chen et al. 2020, Table 2"
#: Accuracy by training set (row) and testing set (column), both in the order of `PRINTED`.
ACCURACY = [
    (90.35, 90.09, 89.72, 89.72),
    (90.15, 90.16, 93.47, 93.46),
    (90.61, 90.61, 93.89, 93.87),
    (90.96, 90.95, 94.21, 94.19),
]


@claim(
    TABLE_2,
    "one model's accuracies on original and original_flipped, 2 of 40,430 labels apart, differ by at most .005",
    True,
    (
        False,
        "row 'original' prints 90.35 and 90.09, 0.26 apart: one of the two cannot be from the same models",
    ),
)
def _same_models(folder: Path) -> bool:
    most = 100 * FLIPPED[1] / sum(PRINTED["original"][2:]) + 0.01  # and the rounding of two printed values
    return all(abs(row[0] - row[1]) <= most + 1e-9 for row in ACCURACY)


@claim(
    "Chen et al. 2020, section 4.3",
    "in all cases flipped training sets give a higher accuracy",
    True,
    (
        False,
        "on the original testing set the table prints 90.15 for original_flipped, below 90.35 for original",
    ),
)
def _flipping_helps(folder: Path) -> bool:
    return all(
        turned > plain for base in (0, 2) for plain, turned in zip(ACCURACY[base], ACCURACY[base + 1], strict=True)
    )


@claim("Chen et al. 2020, abstract", "error on the augmented testing set, from 10 % to under 6 %", (10, True))
def _error_rate(folder: Path) -> tuple[int, bool]:
    return round(100 - ACCURACY[0][2]), 100 - ACCURACY[3][2] < 6


# -- Jurišić, Miličević and Srzić (2023) ---------------------------------------------------------------------

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


# -- GLUE's Quora Question Pairs, where the user has them ----------------------------------------------------


@lru_cache(maxsize=2)
def _glue(folder: Path) -> dict[str, dict[str, dict[str, int]]]:
    """Rows of each label in the four datasets, by part; negatives by the rule of the published code."""
    from .graph import ParaphraseGraph
    from .inference import infer
    from .pairs import read_pairs

    counts = {}
    for part, file in (("training", "train.tsv"), ("testing", "dev.tsv")):
        path = next((p for p in (folder / "qqp-glue" / file, folder / "QQP" / file) if p.is_file()), None)
        if path is None:
            raise NeedsData(f"no qqp-glue/{file} in the data folder; get it with: paragraph fetch qqp-glue")
        graph = ParaphraseGraph.from_pairs(read_pairs(path, format="qqp-glue"))
        rows = graph.pairs["label"].to_numpy()
        flipped = int(np.append(graph.within, False)[graph.row_edge].sum())  # row_edge -1: the False
        stated = int((graph.edge_sign > 0).sum())
        inferred = infer(graph, negatives="clusters").counts()
        within = int(graph.within.sum())
        positive = stated + inferred["positive"]
        negative = len(graph.edge_sign) - stated + inferred["negative"]
        original = int((rows == 1).sum()), int((rows == 0).sum())
        counts[part] = {
            "original": original,
            "original_flipped": (original[0] + flipped, original[1] - flipped),
            "augmented": (positive, negative),
            "augmented_flipped": (positive + within, negative - within),
            "within": within,
        }
    return counts


for _part, _pairs in zip(("training", "testing"), FLIPPED, strict=True):

    @claim("Chen et al. 2020, section 3.2", f"mislabeled pairs in GLUE QQP, {_part}", _pairs)
    def _found(folder: Path, part: str = _part) -> int:
        return _glue(folder)[part]["within"]


for _name, _row in PRINTED.items():
    for _part, _printed in (("training", _row[:2]), ("testing", _row[2:])):
        _offset = 0 if _part == "training" else 2
        _mended = tuple(SLIPS.get((_name, _offset + i), (value,))[0] for i, value in enumerate(_printed))

        @claim(
            TABLE_1,
            f"{_name} from GLUE QQP, {_part}: positives, negatives",
            _printed,
            (_mended, "the printed row holds the slips named above") if _mended != _printed else None,
        )
        def _from_glue(folder: Path, name: str = _name, part: str = _part) -> tuple[int, int]:
            return _glue(folder)[part][name]


# -- The tribes of New Guinea: scores of balance -------------------------------------------------------------

TRIBES = "Read 1954; Hage and Harary 1983 (UCINET gama)"
SIGNNET = "Schoch, signnet, vignette Structural Balance"


@claim(TRIBES, "tribes, alliances, enmities", (16, 29, 29))
def _tribes(folder: Path) -> tuple[int, int, int]:
    from .balance.presets import tribes
    from .balance.signed import as_signed

    graph = as_signed(tribes())
    return graph.n, int((graph.sign > 0).sum()), int((graph.sign < 0).sum())


for _score, _printed in (("triangles", 0.868), ("walks", 0.358), ("frustration", 0.759)):

    @claim(SIGNNET, f"degree of balance of the tribes by {_score}", _printed)
    def _degree(folder: Path, score: str = _score) -> float:
        from .balance.degree import degree_of_balance
        from .balance.presets import tribes

        row = degree_of_balance(tribes()).loc[score]
        return round(float(row["value"]), 3) if row["low"] == row["high"] else float("nan")


@claim(
    "Schoch 2023, signnet (JOSS), after Aref and Wilson 2019",
    "frustration index of the tribes: fewest edges to remove for two camps, and proved",
    (7, True),
)
def _tribes_frustration(folder: Path) -> tuple[int, bool]:
    from .balance.frustration import frustration
    from .balance.presets import tribes

    found = frustration(tribes(), "strong")
    return found.value, found.optimal


@claim(
    "Schoch, R4SNA, Signed Networks, signed_blockmodel(tribes, k = 3)", "edges that three camps leave over", (2, 3)
)
def _tribes_camps(folder: Path) -> tuple[int, int]:
    from .balance.frustration import frustration
    from .balance.presets import tribes

    found = frustration(tribes(), "weak")
    return found.value, len(set(found.camps.tolist()))
