"""Chen, Ji and Evans (2020): Tables 1 and 2, what can be checked without training: arithmetic on what is printed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from ..pairs.demo import DEMO
from .checking import claim

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


@claim(
    "Chen et al. 2020, section 3.2",
    "a negative inside a cluster is mislabelled, % of those read",
    100,
    (53, "of 15 such negatives in a part of QQP, read one by one, 7 are right and joined by a wrong positive"),
)
def _frenemies(folder: Path) -> int:
    read = pd.read_csv(DEMO.with_name("results") / "judged.tsv", sep="\t").set_index("kind")
    return round(100 * read.at["conflict", "wrong"] / read.at["conflict", "judged"])


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
