"""Wang et al. (2022), ParaTag: the figures of Tables 2 to 8 and of the text; its data and code were never released.

What can be recomputed is: arithmetic, and ROUGE and BLEU on the judgements in ``nlg_meta/`` of the data folder. Who
has run the rest puts it into ``wang2022/table2.tsv`` and so on: the rows and columns below, tab-separated.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

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
    "val-acc": (0.8308, "RoBERTa-large, a row below the bold figure, is better"),
    "INFO": (0.326, "ROUGE-1 is better than MoverScore, the bold one"),
    "gu-en": (0.316, "BLEURT and COMET, in the same block, are better"),
    "lt-en": (0.405, "COMET, in the same block, is better"),
    "Table 6 average": (0.331, "COMET, in the same block, is better"),
}
#: Rows that are recomputed on the judgements; of each column the file, where it has another name or several columns.
METRICS = {"ROUGE-1": "rouge1", "ROUGE-2": "rouge2", "ROUGE-L": "rougeL", "BLEU": "bleu"}
FILES = dict.fromkeys(("COH", "FAC", "FLU", "INFO"), "SummEval")
FILES |= {"COV": "REALSumm", "Q-CNN": "QAGS_CNN", "Q-XSUM": "QAGS_XSUM"}

FIGURES: dict[str, pd.DataFrame] = {}  #: of each table, as numbers


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

    return meta_evaluate(folder, list(METRICS.values()), draws=0, progress=False)


def _agreement(folder: Path, row: str, column: str) -> float:
    file = FILES.get(column, column)
    if not list((folder / "nlg_meta").rglob(f"{file}.json*")):
        raise NeedsData(f"no nlg_meta/{file}.json in the data folder, as BARTScore's authors collected them")
    found = _judged(folder / "nlg_meta").set_index(["file", "metric", "variant"])
    found = found.loc[[(file, METRICS[row], "R" if column == "COV" else "F")]]
    found = found[found["perspective"] == column] if file in ("SummEval", "REALSumm") else found
    return round(float(found["value"].iloc[0]), 3)


for _table, _text in PRINTED.items():
    _source, (_head, *_lines) = f"{PAPER}, {_table}", _text.splitlines()
    _rows = pd.DataFrame([_line.split() for _line in _lines if _line != "-"], columns=_head.split()).set_index(
        "columns"
    )
    _block = [_lines[:i].count("-") for i, _line in enumerate(_lines) if _line != "-"]
    FIGURES[_table] = _numbers = _rows.apply(lambda figures: figures.str.strip("*").astype(float))
    for _name, _figures in _numbers.iterrows():
        if _name in METRICS:
            for _column, _printed in _figures.drop("average").items():
                _say = claim(_source, f"{_name}, {_column}", _printed)
                _say(lambda folder, row=_name, column=_column: _agreement(folder, row, column))
        else:
            claim(_source, _name, tuple(_figures))(lambda at, table=_table, row=_name: _rerun(at, table, row))
        if _rows.columns[-1] == "average":
            _mean = _near(_figures["average"], _figures.iloc[:-1].mean(), 2 if _table == "Table 8" else 3)
            claim(_source, f"{_name}: average of its row", _figures["average"])(lambda _, found=_mean: found)
    _best = _numbers.groupby(_block).transform("max")
    for _name, _column in _rows.stack()[lambda figures: figures.str.endswith("*")].index:
        _slip = (
            BOLD.get(_column, BOLD.get(f"{_table} {_column}"))
            if _best.at[_name, _column] > _numbers.at[_name, _column]
            else None
        )
        _say = claim(_source, f"{_column}: bold is the best", _numbers.at[_name, _column], _slip)
        _say(lambda _, found=_best.at[_name, _column]: found)

T2, T4, T5, T6, T7, T8 = (FIGURES[f"Table {n}"] for n in (2, 4, 5, 6, 7, 8))
TRAIN, TEST = ["Train1", "Train2"], ["Test1", "Test2"]
GAIN = (T8.loc["ParaTag"] - T8).drop("ParaTag").drop(columns="average")  # points, over the two other rows

for _name, _row in T2.iterrows():
    _found, _short = _row["words"] / _row["pairs"], _row["pairs"] < 500
    _slip = (round(_found, 2), f"{_row['words']:,.0f} words of {_row['pairs']:,.0f} pairs") if _short else None
    _found = _near(_row["average"], _found, 2 if _short else 1)
    claim(f"{PAPER}, Table 2", f"{_name}: words a pair", _row["average"], _slip)(lambda _, found=_found: found)


def _lead(table: pd.DataFrame, row: str, other: str) -> float:
    """Points between the averages of two rows."""
    return round(100 * (table.at[row, "average"] - table.at[other, "average"]), 1)


def _kappa(accuracy: float, f1: float) -> float:
    """Cohen's κ of two taggings whose words agree so often, with this F1 of the 1s: they tag equally many, about."""
    ones = (1 - accuracy) * (1 + f1 / (1 - f1)) / 2  # of 2·TP + FP + FN, FP + FN are the words that differ
    return 1 - (1 - accuracy) / (2 * ones * (1 - ones))


#: Section, statement, printed value, what comes out, and why where that is a known slip.
ARITHMETIC = [
    ("section 1", "thousand sentence pairs", 30, round(T2["pairs"].sum() / 1e3), ""),
    ("section 1", "thousand words annotated", 840, round(T2["words"].sum() / 1e3, -1), "840 are Train1 alone"),
    ("section 4.2", "pairs for training, validation, test", (28_671, 400, 710),
     (T2.loc[TRAIN, "pairs"].sum(), T2.at["Val", "pairs"], T2.loc[TEST, "pairs"].sum()), ""),
    ("section 4.2", "κ that follows from accuracy .869 and F1 .751, were F1 of words", 0.66,
     round(_kappa(0.869, 0.751), 2), ""),
    ("section 4.3", "paraphrases in Train1 and Train2, %", (9.5, 47.6),
     tuple((100 * T2["paraphrases"] / T2["pairs"])[TRAIN].round(1)), ""),
    ("section 4.3", "paraphrases in all", 5461, T2.loc[TRAIN, "paraphrases"].sum(), ""),
    ("section 5.2", "the scores shown for Rank19 and for REALSumm", ("R", "F"), ("F", "R"), "so section 6.2"),
    ("section 5.3", "38,663 pairs with a tagged share of .05 at most are a part of all pairs", True,
     bool(T2["pairs"].sum() >= 38_663), "there are 29,781 pairs"),
    ("section 1", "gain over matching: points on summaries, on data to text", (13.0, 6.0),
     (_lead(T4, "ParaTag", "BERTScore"), _lead(T5, "ParaTag", "MoverScore")), ""),
    ("section 1", "gain over BARTScore: points on summaries, on data to text", (3.8, 2.0),
     tuple(_lead(table, "ParaTag-BARTScore", "ParaBank-BARTScore") for table in (T4, T5)), ""),
    ("section 6.2", "gain over BERTScore in translation, points", 1.4, _lead(T6, "ParaTag", "BERTScore"), ""),
    ("section 6.2", "gain by augmentation over none, over the public paraphraser, points", (1.5, 1.0),
     tuple(GAIN.mean(axis=1).round(1)), ""),
    ("Table 8", "the same without WNLI", (1.5, 1.0), tuple(GAIN.drop(columns="WNLI").mean(axis=1).round(1)),
     "84.66 against 84.57 and 84.88: the gain is WNLI, 8 and 7 more of its 71 right"),
    ("Table 8", "WNLI's accuracies are shares of 71 rows", tuple(T8["WNLI"]),
     tuple((100 * (71 * T8["WNLI"] / 100).round() / 71).round(2)), ""),
    ("Table 7", "ROUGE-2 is lower with ParaTag in all 16 columns", 16, int((T7.iloc[0] > T7.iloc[1]).sum()), ""),
    ("section 8", "κ on test, and on training pairs: the mean of .61 and .55", (0.66, 0.6),
     (round(0.663, 2), round((0.61 + 0.55) / 2, 1)), ""),
]  # fmt: skip

for _section, _statement, _printed, _found, _why in ARITHMETIC:
    _slip = (_found, _why) if _why else None
    claim(f"{PAPER}, {_section}", _statement, _printed, _slip)(lambda _, found=_found: found)


@claim(f"{PAPER}, section 3", "MRPC's pairs labelled a paraphrase", 1604, (3900, "of which some, it is not said how"))
def _mrpc(folder: Path) -> int:
    from ..pairs import read_pairs

    files = [folder / "mrpc" / f"msr_paraphrase_{part}.txt" for part in ("train", "test")]
    if not all(path.is_file() for path in files):
        raise NeedsData("no mrpc/msr_paraphrase_train.txt and _test.txt in the data folder")
    return sum(int((read_pairs(path)["label"] == 1).sum()) for path in files)
