"""Wang et al. (2022), ParaTag: the figures of Tables 2 to 8 and of the text; its data and code were never released.

What can be recomputed is: arithmetic, and ROUGE on the judgements in ``nlg_meta/`` of the data folder. Who has run
the rest puts it into ``wang2022/table2.tsv`` and so on: the rows and columns below, tab-separated.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .checking import NeedsData, claim

PAPER = "Wang et al. 2022"

#: As printed, a row a line; a bold figure ends in ``*``, a line ``-`` ends a group of rows that are compared.
PRINTED = {
    "section 4.2": """columns MRPC GPT-3 test human-F1 human-accuracy
kappa .61 .55 .663 .751 .869""",
    "Table 2": """columns pairs paraphrases average words tag-rate
Train1 21471 2036 39.0 837747 .688
Train2 7200 3425 26.5 190499 .897
Val 400 51 31.38 12524 .669
Test1 400 73 31.25 12471 .733
Test2 310 54 31.35 9688 .744""",
    "Table 3": """columns val-acc val-F1 test-acc test-F1
BERT-base .8263 .6871 .8471 .6853
BERT-large .8255 .6822 .8498 .6745
RoBERTa-base .8299* .6845 .8574 .6923
RoBERTa-large .8308 .6876 .8586 .6955
DeBERTa-v3-base .8274 .6803 .8600 .6998
DeBERTa-v3-large .8297 .6885* .8639* .7063*""",
    "Table 4": """columns COH FAC FLU INFO COV Rank19 Q-CNN Q-XSUM average
ROUGE-1 .167 .160 .115 .326 .498 .568 .338 -.008 .271
ROUGE-2 .184 .187 .159 .290 .423 .630 .459 .097 .304
ROUGE-L .128 .115 .105 .311 .488 .587 .357 .024 .264
BERTScore .284* .110 .193 .312 .440 .713 .576 .024 .332
MoverScore .159 .157 .129 .318* .372 .713 .414 .054 .290
ParaTag .253 .472* .357* .219 .504* .853* .694* .342* .462*
-
PRISM .249 .345 .254 .212 .411 .780 .479 .025 .344
ParaBank-BARTScore .424 .401* .378* .313 .471 .788 .680 .074 .441
ParaTag-BARTScore .472* .396 .369 .367* .471* .845* .727* .188* .479*""",
    "Table 5": """columns BAGEL SFRES SFHOT average
ROUGE-1 .234 .115 .118 .156
ROUGE-2 .199 .116 .088 .134
ROUGE-L .189 .103 .110 .134
BERTScore .289 .156 .135 .193
MoverScore .284 .153 .172 .203
ParaTag .318* .206* .264* .263*
-
PRISM .305 .155 .196 .219
ParaBank-BARTScore .330 .185 .211 .242
ParaTag-BARTScore .360* .209* .217* .262*""",
    "Table 6": """columns gu-en kk-en lt-en ru-en average
BLEURT .313 .372 .388 .220 .323
COMET .316 .378 .405 .226 .331
BLEU .194 .276 .249 .115 .209
BERTScore .292 .351 .381 .221 .311
ParaTag .305* .380* .382* .231* .325*
-
ParaBank-BARTScore .316* .378* .386 .219 .325*
ParaTag-BARTScore .306 .356 .388* .225* .319""",
    "Table 7": """columns cola mnli mnli2 mrpc mrpc2 qnli qnli2 qqp qqp2 rte rte2 sst2 stsb stsb2 wnli wnli2
public 85.33 90.14 91.43 87.73 93.19 78.73 91.95 66.34 69.19 81.09 85.52 84.26 81.83 82.33 94.57 91.3
ParaTag 60.12 65.41 73.65 77.64 83.73 61.57 76.92 62.15 65.1 69.39 67.49 72.98 63.09 63.74 70.46 69.83""",
    "Table 8": """columns RTE WNLI STS-B QNLI QQP SST-2 MNLI-m MNLI-mm average
none 63.9 35.21 87.22 90.26 90.58 92.32* 83.59 84.11 78.40
public 64.98* 36.62 88.67 90.48 90.57 91.97 83.62 83.88 78.85
ParaTag 62.09 46.48* 88.79* 90.52* 90.67* 92.2 84.07* 84.30* 79.89*""",
}
#: Bold figures that are not the largest of their block of rows, and the one that is.
BOLD = {
    ("Table 3", "val-acc"): (0.8308, "RoBERTa-large, a row below the bold figure, is better"),
    ("Table 4", "INFO"): (0.326, "ROUGE-1 is better than MoverScore, the bold one"),
    ("Table 6", "gu-en"): (0.316, "BLEURT and COMET, in the same block, are better"),
    ("Table 6", "lt-en"): (0.405, "COMET, in the same block, is better"),
    ("Table 6", "average"): (0.331, "COMET, in the same block, is better"),
}
#: Rows that are recomputed on the judgements; of each column the file, and the perspective where it has several.
METRICS = {"ROUGE-1": "rouge1", "ROUGE-2": "rouge2", "ROUGE-L": "rougeL"}
JUDGED = {
    **{name: ("SummEval", name) for name in ("COH", "FAC", "FLU", "INFO")},
    **{name: (name, "") for name in ("BAGEL", "SFRES", "SFHOT", "Rank19")},
    **{"COV": ("REALSumm", "COV"), "Q-CNN": ("QAGS_CNN", ""), "Q-XSUM": ("QAGS_XSUM", "")},
}


def _table(name: str) -> tuple[list[str], list[dict[str, list[str]]]]:
    """The columns of a table, and its figures as printed: by block, and by row."""
    (_, *columns), *lines = map(str.split, PRINTED[name].splitlines())
    blocks: list[dict[str, list[str]]] = [{}]
    for name, *figures in lines:
        blocks.append({}) if name == "-" else blocks[-1].update({name: figures})
    return columns, blocks


def _near(printed: float, found: float, digits: int) -> float:
    """The printed figure where the other, rounded either way at a half, comes to it; else the other one."""
    return printed if abs(printed - found) <= 0.5 * 10**-digits + 1e-9 else round(found, digits)


def _rerun(folder: Path, table: str, row: str) -> tuple[float, ...]:
    path = folder / "wang2022" / f"{table.replace(' ', '').lower()}.tsv"
    if not path.is_file():
        raise NeedsData(f"no wang2022/{path.name} in the data folder; ParaTag and its models were never released")
    return tuple(pd.read_csv(path, sep="\t", index_col=0).loc[row])


@lru_cache(maxsize=2)
def _judged(folder: Path) -> pd.DataFrame:
    from ..experiments.meta_evaluation import meta_evaluate

    return meta_evaluate(folder / "nlg_meta", list(METRICS.values()), draws=0, progress=False)


def _agreement(folder: Path, row: str, column: str) -> float:
    file, perspective = JUDGED[column]
    found = _judged(folder) if (folder / "nlg_meta").is_dir() else pd.DataFrame(columns=["file", "perspective"])
    found = found[found["file"].str.startswith(file) & found["perspective"].str.contains(perspective)]
    if found.empty:
        raise NeedsData(f"no nlg_meta/{file}.json in the data folder, of BARTScore's collection")
    variant = "R" if column == "COV" else "F"
    return round(float(found.set_index(["metric", "variant"]).at[(METRICS[row], variant), "value"]), 3)


for _table_name in PRINTED:
    _source = f"{PAPER}, {_table_name}"
    _columns, _blocks = _table(_table_name)
    for _block in _blocks:
        _rows = {name: tuple(float(one.strip("*")) for one in figures) for name, figures in _block.items()}
        for _at, _column in enumerate(_columns):
            for _name in (name for name in _rows if _block[name][_at].endswith("*")):
                _best = max(figures[_at] for figures in _rows.values())
                _slip = BOLD.get((_table_name, _column))
                claim(_source, f"{_column}: bold is the best", _rows[_name][_at], _slip)(lambda _, found=_best: found)
        for _name, _figures in _rows.items():
            for _column, _figure in zip(_columns, _figures, strict=True) if _name in METRICS else ():
                if _column != "average":
                    _say = claim(_source, f"{_name}, {_column}", _figure)
                    _say(lambda folder, row=_name, column=_column: _agreement(folder, row, column))
            if _name not in METRICS:
                claim(_source, _name, _figures)(
                    lambda folder, table=_table_name, row=_name: _rerun(folder, table, row)
                )
            if _columns[-1] == "average":
                _mean = _near(_figures[-1], float(np.mean(_figures[:-1])), 2 if _table_name == "Table 8" else 3)
                claim(_source, f"{_name}: average of its row", _figures[-1])(lambda folder, found=_mean: found)


def _row(table: str, row: str) -> list[float]:
    return next([float(one.strip("*")) for one in block[row]] for block in _table(table)[1] if row in block)


for _name in _table("Table 2")[1][0]:
    _pairs, _, _printed, _words, _ = _row("Table 2", _name)
    _slip = (round(_words / _pairs, 2), f"{_words:,.0f} words of {_pairs:,.0f} pairs") if _pairs < 500 else None
    _found = _near(_printed, _words / _pairs, 2 if _pairs < 500 else 1)
    claim(f"{PAPER}, Table 2", f"{_name}: words a pair", _printed, _slip)(lambda folder, found=_found: found)


def _total(column: int, *names: str) -> int:
    return int(sum(_row("Table 2", name)[column] for name in names or _table("Table 2")[1][0]))


def _paraphrases(name: str) -> float:
    pairs, found, *_ = _row("Table 2", name)
    return round(100 * found / pairs, 1)


def _lead(table: str, row: str, other: str) -> float:
    """Points between the averages of two rows."""
    return round(100 * (_row(table, row)[-1] - _row(table, other)[-1]), 1)


def _kappa(accuracy: float, f1: float) -> float:
    """Cohen's κ of two taggings whose words agree so often, with this F1 of the 1s: they tag equally many, about."""
    ones = (1 - accuracy) * (1 + f1 / (1 - f1)) / 2  # of 2·TP + FP + FN, FP + FN are the words that differ
    return 1 - (1 - accuracy) / (2 * ones * (1 - ones))


def _gain(other: str, without: str = "") -> float:
    """Points that ParaTag gains on average over another row of Table 8, a column left out."""
    kept = [i for i, name in enumerate(_table("Table 8")[0][:-1]) if name != without]
    return round(float(np.subtract(_row("Table 8", "ParaTag"), _row("Table 8", other))[kept].mean()), 1)


#: Section, statement, printed value, what recomputes it, and the slip where one is known.
ARITHMETIC: list[tuple[str, str, Any, Callable[[], Any], tuple[Any, str] | None]] = [
    ("section 1", "thousand sentence pairs", 30, lambda: round(_total(0) / 1e3), None),
    ("section 1", "thousand words annotated", 840, lambda: round(_total(3) / 1e3, -1),
     (1060, "840 thousand are Train1 alone")),
    ("section 4.2", "pairs for training, validation, test", (28_671, 400, 710),
     lambda: (_total(0, "Train1", "Train2"), _total(0, "Val"), _total(0, "Test1", "Test2")), None),
    ("section 4.2", "κ that follows from accuracy .869 and F1 .751, were F1 of words", 0.66,
     lambda: round(_kappa(0.869, 0.751), 2), None),
    ("section 4.2", "share of 0 that follows from them is Test2's", 0.74,
     lambda: round(1 - 0.131 * (1 + 0.751 / 0.249) / 2, 2), None),
    ("section 4.3", "paraphrases in Train1 and Train2, %", (9.5, 47.6),
     lambda: (_paraphrases("Train1"), _paraphrases("Train2")), None),
    ("section 4.3", "paraphrases in all", 5461, lambda: _total(1, "Train1", "Train2"), None),
    ("section 5.3", "38,663 pairs with a tagged share of .05 at most are a part of all pairs", True,
     lambda: _total(0) >= 38_663, (False, "there are 29,781 pairs")),
    ("section 5.2", "the scores shown for Rank19 and for REALSumm", ("R", "F"), lambda: ("F", "R"),
     (("F", "R"), "as section 6.2 has them")),
    ("section 1", "gain over matching: points on summaries, on data to text", (13.0, 6.0),
     lambda: (_lead("Table 4", "ParaTag", "BERTScore"), _lead("Table 5", "ParaTag", "MoverScore")), None),
    ("section 1", "gain over BARTScore: points on summaries, on data to text", (3.8, 2.0),
     lambda: tuple(_lead(f"Table {n}", "ParaTag-BARTScore", "ParaBank-BARTScore") for n in (4, 5)), None),
    ("section 6.2", "gain over BERTScore in translation, points", 1.4,
     lambda: _lead("Table 6", "ParaTag", "BERTScore"), None),
    ("section 6.2", "gain by augmentation over none, over the public paraphraser, points", (1.5, 1.0),
     lambda: (_gain("none"), _gain("public")), None),
    ("Table 8", "the same without WNLI", (1.5, 1.0),
     lambda: (_gain("none", "WNLI"), _gain("public", "WNLI")),
     ((0.1, -0.2), "84.66 against 84.57 and 84.88: the gain is WNLI, 8 and 7 more of its 71 right")),
    ("Table 8", "WNLI's accuracies are shares of 71 rows", (35.21, 36.62, 46.48),
     lambda: tuple(round(100 * round(71 * x / 100) / 71, 2) for x in (35.21, 36.62, 46.48)), None),
    ("Table 7", "ROUGE-2 is lower with ParaTag in all 16 columns", 16,
     lambda: int((np.subtract(_row("Table 7", "public"), _row("Table 7", "ParaTag")) > 0).sum()), None),
    ("section 8", "κ on test, and on training pairs: the mean of .61 and .55", (0.66, 0.6),
     lambda: (round(0.663, 2), round((0.61 + 0.55) / 2, 1)), None),
]  # fmt: skip

for _section, _statement, _printed, _compute, _slip in ARITHMETIC:
    claim(f"{PAPER}, {_section}", _statement, _printed, _slip)(lambda folder, compute=_compute: compute())


@claim(f"{PAPER}, section 3", "MRPC's pairs labelled a paraphrase", 1604, (3900, "of which some, it is not said how"))
def _mrpc(folder: Path) -> int:
    from ..pairs import read_pairs

    files = [folder / "mrpc" / f"msr_paraphrase_{part}.txt" for part in ("train", "test")]
    if not all(path.is_file() for path in files):
        raise NeedsData("no mrpc/msr_paraphrase_train.txt and _test.txt in the data folder")
    return sum(int((read_pairs(path)["label"] == 1).sum()) for path in files)
