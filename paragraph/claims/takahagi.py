"""Takahagi and Shinnou (2023): the figures of Tables 1 to 7 and of the text.

Those of trained encoders are read from what `experiments.shuffling.compare` returns, ``takahagi2023/rinna.tsv`` etc.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from ..pairs import read_pairs
from .checking import NeedsData, claim

PAPER, LABELS = "Takahagi and Shinnou 2023", ["entailment", "contradiction", "neutral"]
#: Tables 4 and 5: pairs of each label, their sum, their shares in %. Tables 2, 6, 7: accuracy, of all and each label.
PRINTED = """Train 991 748 2761 4500 22.0 16.6 61.4; Validation 100 75 325 500 20.0 15.0 65.0
Test 1088 797 3042 4927 22.1 16.2 61.7; Total 2179 1620 6128 9927 22.0 16.3 61.7
After 3600 2739 9981 16320 22.1 16.8 61.2; livedoor,none 73.4; livedoor,paper 75.1; tohoku,none 88.5 85.3 81.2 91.6
tohoku,paper 89.0 84.9 83.0 92.1; rinna,none 89.0 85.4 77.9 93.2; rinna,paper 89.8 86.0 81.4 93.4
rinna,phrases 89.5 85.0 80.4 93.5; rinna,words 88.8 83.1 80.9 93.0""".replace("\n", "; ")
ROWS = {name: np.array(row, float) for name, *row in map(str.split, PRINTED.split("; "))}
COUNTS, TRAINED = dict([*ROWS.items()][:5]), dict([*ROWS.items()][5:])
RINNA = {rule: TRAINED[f"rinna,{rule}"] for rule in ("none", "paper", "phrases", "words")}
GAINS = [(ROWS[f"{m},paper"] - ROWS[f"{m},none"]).round(1).tolist() for m in ("rinna", "tohoku", "livedoor")]
BEST = [max(RINNA, key=lambda rule, i=i: RINNA[rule][i]) for i in range(4)]
OFF = max(abs(COUNTS["Test"][:3] @ row[1:] / 4927 - row[0]) for row in TRAINED.values() if len(row) == 4)

#: Where, statement, printed value, what comes out, and why where that is a known slip.
ARITHMETIC = [
    ("Table 1", "articles of 9 categories", (90, 900, 900), (9 * 10, 9 * 100, 9 * 100), ""),
    *(("Tables 4 and 5", f"{name}: the labels, their sum, their shares, %", row.tolist(),
       [*row[:3].tolist(), sum(row[:3]), *(100 * row[:3] / row[3]).round(1)], "") for name, row in COUNTS.items()),
    ("Table 4", "sums of its parts", COUNTS["Total"][:4].tolist(), sum([*COUNTS.values()][:3])[:4].tolist(), ""),
    ("section 4.1", "contradiction: when T is true, …", "T is true", "H is false", "the definition has lost its end"),
    ("Table 6", "rinna: gains", [0.8, 0.6, 3.4, 0.2], GAINS[0], "81.4 − 77.9 = 3.5, here and in section 5"),
    ("Tables 2, 6", "tohoku, livedoor: gains", [0.5, -0.4, 1.8, 0.5, 1.7], GAINS[1] + GAINS[2], ""),
    ("Tables 6 and 7", "accuracies of labels make up that of all, within rounding", True, bool(OFF <= 0.1), ""),
    ("section 6.1", "contradiction: worst", [77.9, 81.2], [min(ROWS[f"{m},none"]) for m in ("rinna", "tohoku")], ""),
    ("section 6.1", "contradiction gains most", [3.4, 1.8], [*map(max, GAINS[:2])], "81.4 − 77.9 = 3.5"),
    ("section 6.2", "best in all and each label", ["paper", "paper", "paper", "phrases"], BEST, ""),
    ("section 6.2", "in neutral above the method's 93.4: random phrases and words", [93.5, True],
     [RINNA["phrases"][3], bool(RINNA["words"][3] > 93.4)], "random words, with 93.0, are not"),
    ("section 6.2", "random words lose", True, bool(RINNA["words"][0] < RINNA["none"][0]), ""),
]  # fmt: skip
for _where, _statement, _printed, _found, _why in ARITHMETIC:
    _say = claim(f"{PAPER}, {_where}", _statement, _printed, (_found, _why) if _why else None)
    _say(lambda _, found=_found: found)


def _at(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        raise NeedsData(f"no {name} in the data folder")
    return folder / name


def _counted(folder: Path, part: str, parses: str = "") -> list[int]:
    from ..experiments.shuffling import Parses, augment_by_shuffling, stratified

    table = read_pairs(_at(folder, f"jsick/{part}.tsv.gz"), unlabelled="keep")
    if parses:
        table, known = stratified(table, seed=0)[0], Parses(_at(folder, f"jsick/{parses}"))
        table = augment_by_shuffling(table, rule="paper", parses=known)
    return table["entailment"].value_counts()[LABELS].tolist()


def _trained(folder: Path, model: str, rule: str) -> list[float]:
    runs = pd.read_csv(_at(folder, f"takahagi2023/{model}.tsv"), sep="\t").query("augmentation == @rule")
    if runs.empty:
        raise NeedsData(f"no {rule!r} in takahagi2023/{model}.tsv")
    return (100 * runs.reindex(columns=["accuracy", *LABELS]).mean().dropna()).round(1).tolist()


SLIP = [3672, 2789, 10125], "GiNZA, not CaboCha, and other 500 pairs for validation"
claim(f"{PAPER}, Table 4", "JSICK: training pairs", [1091, 823, 3086])(lambda folder: _counted(folder, "train"))
claim(f"{PAPER}, Table 4", "JSICK: test pairs", [1088, 797, 3042])(lambda folder: _counted(folder, "test"))
_say = claim(f"{PAPER}, Table 5", "JSICK: training pairs after augmenting", [3600, 2739, 9981], SLIP)
_say(lambda folder: _counted(folder, "train", "parses.jsonl"))
for _name, _printed in TRAINED.items():
    _say = claim(f"{PAPER}, Tables 2, 6, 7", f"{_name}: accuracy, and of each label, %", _printed.tolist())
    _say(lambda folder, name=_name: _trained(folder, *name.split(",")))
