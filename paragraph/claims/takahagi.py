"""Takahagi and Shinnou (2023): the figures of Tables 1 to 7 and of the text.

Counts need ``jsick/`` in the data folder, with GiNZA's parses (``parses.jsonl``), and what the paper's encoders reach the
tables that `experiments.shuffling.compare` returns, as ``takahagi2023/rinna.tsv`` and so on.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from .checking import NeedsData, claim

PAPER = "Takahagi and Shinnou 2023"
LABELS = ["entailment", "contradiction", "neutral"]
#: Tables 4 and 5: pairs of each label, their sum, their shares in %.
COUNTS = """Train 991 748 2761 4500 22.0 16.6 61.4
Validation 100 75 325 500 20.0 15.0 65.0
Test 1088 797 3042 4927 22.1 16.2 61.7
Total 2179 1620 6128 9927 22.0 16.3 61.7
After 3600 2739 9981 16320 22.1 16.8 61.2"""
#: Tables 2, 6 and 7, in %: accuracy, and that of each label.
TRAINED = """rinna none 89.0 85.4 77.9 93.2
rinna paper 89.8 86.0 81.4 93.4
rinna phrases 89.5 85.0 80.4 93.5
rinna words 88.8 83.1 80.9 93.0
tohoku none 88.5 85.3 81.2 91.6
tohoku paper 89.0 84.9 83.0 92.1
livedoor none 73.4
livedoor paper 75.1"""
T4 = {name: np.array(row, float) for name, *row in map(str.split, COUNTS.splitlines())}
T7 = {(model, rule): np.array(row, float) for model, rule, *row in map(str.split, TRAINED.splitlines())}
GAIN = {
    model: (T7[model, "paper"] - T7[model, "none"]).round(1).tolist() for model in ("rinna", "tohoku", "livedoor")
}
RINNA, SLIP = {rule: row for (model, rule), row in T7.items() if model == "rinna"}, "81.4 − 77.9 = 3.5"

#: Where, statement, printed value, what comes out, and why where that is a known slip.
ARITHMETIC = [
    ("Table 1", "articles of 9 categories", (90, 900, 900), (9 * 10, 9 * 100, 9 * 100), ""),
    *(("Tables 4 and 5", f"{name}: the labels, their sum, their shares, %", row.tolist(),
       [*row[:3], row[:3].sum(), *(100 * row[:3] / row[3]).round(1)], "") for name, row in T4.items()),
    ("Table 4", "the parts make up the total", T4["Total"][:4].tolist(), sum([*T4.values()][:3])[:4].tolist(), ""),
    ("section 4.1", "contradiction: when T is true, …", "T is true", "H is false", "the definition has lost its end"),
    ("Table 6", "rinna: gains", [0.8, 0.6, 3.4, 0.2], GAIN["rinna"], SLIP),
    ("Table 6", "tohoku: gains", [0.5, -0.4, 1.8, 0.5], GAIN["tohoku"], ""),
    ("Table 2", "livedoor: gain", [1.7], GAIN["livedoor"], ""),
    ("section 5", "gains in contradiction: rinna, tohoku", (3.4, 1.8), (GAIN["rinna"][2], GAIN["tohoku"][2]), SLIP),
    ("Tables 6 and 7", "accuracies of labels make up that of all, within rounding", True,
     all(abs(T4["Test"][:3] @ row[1:] / 4927 - row[0]) <= 0.1 for row in T7.values() if len(row) == 4), ""),
    ("section 6.1", "contradiction is worst, and gains most", [1, 1, 2, 2],
     [T7["rinna", "none"][1:].argmin(), T7["tohoku", "none"][1:].argmin(), np.argmax(GAIN["rinna"]),
      np.argmax(GAIN["tohoku"])], ""),
    ("section 6.2", "best in all, entailment, contradiction, neutral", ["paper", "paper", "paper", "phrases"],
     [max(RINNA, key=lambda rule: RINNA[rule][i]) for i in range(4)], ""),
    ("section 6.2", "above the method in neutral: random phrases, random words", (True, True),
     tuple(bool(RINNA[rule][3] > 93.4) for rule in ("phrases", "words")), "random words, with 93.0, are not"),
    ("section 6.2", "random words are below no augmentation", True, bool(RINNA["words"][0] < RINNA["none"][0]), ""),
]  # fmt: skip

for _where, _statement, _printed, _found, _why in ARITHMETIC:
    _say = claim(f"{PAPER}, {_where}", _statement, _printed, (_found, _why) if _why else None)
    _say(lambda _, found=_found: found)

#: For Table 5, and words a sentence and in all in section 4.1.
OTHERS = (
    ([3672, 2789, 10125], "GiNZA, not CaboCha, and other pairs for validation"),
    ((13.0, 2644), "not MeCab's words"),
)


def _at(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        raise NeedsData(f"no {name} in the data folder")
    return folder / name


@claim(f"{PAPER}, Table 5", "JSICK: pairs of each label after augmenting", T4["After"][:3].tolist(), OTHERS[0])
def _augmented(folder: Path) -> list[int]:
    from ..experiments.shuffling import augment_by_shuffling, jsick, stratified
    from ..pairs.parses import Parses

    parses, (train, _) = Parses(_at(folder, "jsick/parses.jsonl")), stratified(jsick(folder)["train"], 0)
    return augment_by_shuffling(train, rule="paper", parses=parses)["entailment"].value_counts()[LABELS].tolist()


@claim(f"{PAPER}, section 4.1", "JSICK: words a sentence, words in all", (13.2, 2432), OTHERS[1])
def _words(folder: Path) -> tuple[float, int]:
    from ..experiments.shuffling import jsick
    from ..pairs.parses import Parses

    parses, data = Parses(_at(folder, "jsick/parses.jsonl")), jsick(folder)
    texts = parses.of(
        text for part in ("train", "test") for side in ("text_a", "text_b") for text in data[part][side]
    )
    words = [word for parse in texts for word in parse.words]
    return round(len(words) / len(texts), 1), len({*words})


@claim(f"{PAPER}, Table 4", "JSICK: pairs of each label, training, test", [1091, 823, 3086, *T4["Test"][:3].tolist()])
def _counted(folder: Path) -> list[int]:
    tables = (pd.read_csv(_at(folder, f"jsick/{name}.tsv.gz"), sep="\t", quoting=3) for name in ("train", "test"))
    return [n for table in tables for n in table["entailment_label_Ja"].value_counts()[LABELS].tolist()]


for (_model, _rule), _printed in T7.items():

    @claim(f"{PAPER}, Tables 2, 6, 7", f"{_model}, {_rule}: accuracy, and of each label, %", _printed.tolist())
    def _trained(folder: Path, model: str = _model, rule: str = _rule) -> list[float]:
        mean = (
            pd.read_csv(_at(folder, f"takahagi2023/{model}.tsv"), sep="\t").groupby("augmentation").mean().loc[rule]
        )
        return (100 * mean.reindex(["accuracy", *LABELS]).dropna()).round(1).tolist()
