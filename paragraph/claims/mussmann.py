"""Mussmann, Jia and Liang (2020): arithmetic on what is printed, the WikiQA of their Table 1, their runs with BERT.

Those runs need a GPU and BERT's weights: they are read from ``mussmann2020/`` in the data folder, as `COMMANDS` write
them. In miniature the comparison is in `training`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .checking import NeedsData, claim

PAPER = "Mussmann et al. 2020"

#: Table 1, Quora: positives, billions of pairs, stated negatives of train, dev and test; near negatives of dev, test.
POSITIVES, BILLIONS = (124_625, 60_510, 43_413), (38, 8.8, 8.5)
NEGATIVES, NEAR = (132_796, 61_645, 60_575), (13.1e6, 12.8e6)
#: Rows and positives of Quora's release, and its questions (Iyer et al. 2017).
ROWS, STATED, QUESTIONS = 404_290, 149_263, 537_933


def _sentences(billions: float) -> float:
    """How many sentences have so many unordered pairs."""
    return (2e9 * billions) ** 0.5


def _corrected(printed: float, share: float, counted: bool = False) -> float:
    """Precision in % where only `share` of the false positives are false; `counted`: and the rest are right."""
    false = 100 / printed - 1
    right = 1 + (1 - share) * false * counted
    return round(100 * right / (right + share * false), 1)


def _mann_whitney() -> float:
    from ..measure.corrected import mann_whitney

    return float(f"{mann_whitney([1] * 36 + [0] * 14, [1] * 16 + [0] * 34):.0e}")


#: Section, statement, printed value, what recomputes it, and the slip where one is known.
ARITHMETIC: list[tuple[str, str, Any, Callable[[], Any], tuple[Any, str] | None]] = [
    ("footnote 2", "positives of train, dev and test make up", 228_548, lambda: sum(POSITIVES), None),
    (
        "Table 1",
        "stated negatives of train, dev and test are all of Quora's",
        ROWS - STATED,
        lambda: sum(NEGATIVES),
        (255_016, "11 are in none of the three; a split by positive clusters alone would lose most of them"),
    ),
    (
        "Table 1",
        f"the pairs are unordered, of Quora's {QUESTIONS:,} questions, within 1 %",
        True,
        lambda: abs(sum(map(_sentences, BILLIONS)) / QUESTIONS - 1) < 0.01,
        None,
    ),
    (
        "Table 1",
        "half of the questions are in train, %",
        50,
        lambda: round(100 * _sentences(38) / QUESTIONS, -1),
        None,
    ),
    *(
        (
            "Table 1",
            f"one of so many thousand pairs is positive: Quora, {part}",
            printed,
            lambda i=i: round(1000 * BILLIONS[i] / (POSITIVES[i] / 1000), -1),
            slip,
        )
        for i, (part, printed, slip) in enumerate(
            [
                ("train", 300, None),
                ("dev", 150, None),
                ("test", 190, (200, "8.5 billion / 43,413 = 195,794; only cut off, not rounded, is it 190,000")),
            ]
        )
    ),
    *(
        (
            "Table 1",
            f"near negatives are pairs, each once, of a sentence and one of its 100 nearest: {part}",
            True,
            lambda near=near, billions=billions: near / _sentences(billions) < 75,
            (False, "99 for every sentence: each pair is counted from both of its ends"),
        )
        for part, near, billions in (("dev", NEAR[0], 8.8), ("test", NEAR[1], 8.5))
    ),
    ("section 5.1", "stated training pairs of Quora", 257_421, lambda: POSITIVES[0] + NEGATIVES[0], None),
    ("section 5.1", "stated training pairs of WikiQA", 20_360, lambda: 1_040 + 19_320, None),
    *(
        (
            "section 5.1",
            f"labels collected in {k} rounds",
            n,
            lambda k=k: round(sum(2048 * 1.5**i for i in range(k))),
            None,
        )
        for k, n in ((10, 232_100), (4, 16_640))
    ),
    ("section 5.6", "times as efficient as static retrieval", 14, lambda: round(232_100 / 16_640), None),
    ("Table 4", "positives among 232,100 random pairs", 1, lambda: round(232_100 * POSITIVES[0] / 38e9), None),
    (
        "section 3.3",
        "8.2 % may be 9.5 % when 72 % of near and 92 % of random false positives are false",
        True,
        lambda: _corrected(8.2, 0.92) <= 9.5 <= _corrected(8.2, 0.72),
        None,
    ),
    (
        "section 5.3",
        "28.4 % may be 41.4 % when 36 % of near and 8 of 12 random false positives are false",
        True,
        lambda: _corrected(28.4, 8 / 12) <= 41.4 <= _corrected(28.4, 0.36),
        None,
    ),
    (
        "section 5.3",
        "55.1 % become, when 32 % of false positives are false, %",
        79.3,
        lambda: _corrected(55.1, 0.32),
        None,
    ),
    (
        "section 5.3",
        "the same, with mislabelled pairs counted as right, %",
        79.3,
        lambda: _corrected(55.1, 0.32, counted=True),
        (85.6, "taken out of the false positives, they were not added to the true ones"),
    ),
    ("section 5.3", "p of 36 against 16 of 50, Mann–Whitney", 7e-5, _mann_whitney, None),
    (
        "section 5.4",
        "stratified sampling trails uncertainty by more than 10 points of AP on both",
        True,
        lambda: min(32.5 - 22.2, 20.1 - 9.1) > 10,
        None,
    ),
    (
        "Table 6",
        "CosineBERT beats ConcatBERT in average precision on all training sets",
        True,
        lambda: all(cosine > concat for cosine, concat in ((15.4, 2.4), (25.1, 1.9), (19.0, 16.4), (32.5, 8.9))),
        None,
    ),
]

for _section, _statement, _printed, _compute, _slip in ARITHMETIC:
    claim(f"{PAPER}, {_section}", _statement, _printed, _slip)(lambda folder, compute=_compute: compute())

#: WikiQA in Table 1: positives, stated negatives, millions of pairs, near negatives.
WIKIQA = {"train": (1_040, 19_320, 56), "dev": (140, 2_593, 7.8), "test": (293, 5_872, 17)}

#: 2,118 questions by 26,198 different sentences are 55.5 million pairs.
TITLES = {"train": ((1_040, 19_320, 55), "with the article's title before it, as there, more sentences differ")}

for _part, _counts in WIKIQA.items():

    @claim(
        f"{PAPER}, Table 1",
        f"WikiQA, {_part}: positives, stated negatives, million pairs",
        _counts,
        TITLES.get(_part),
    )
    def _wikiqa(folder: Path, part: str = _part) -> tuple[int, int, float]:
        from ..pairs import read_pairs

        tables = {}
        for name in WIKIQA:
            found = sorted((folder / "wikiqa").glob(f"WikiQA-{name}.tsv*"))
            if not found:
                raise NeedsData(f"no wikiqa/WikiQA-{name}.tsv in the data folder")
            tables[name] = read_pairs(found[0])
        texts = len(set().union(*(table["text_b"] for table in tables.values())))
        rows = tables[part]
        millions = rows["text_a"].nunique() * texts / 1e6
        positive = int((rows["label"] == 1).sum())
        return positive, len(rows) - positive, float(f"{millions:.2g}")


#: What makes the files of a claim, by its name: all of Quora's questions or WikiQA's parts, and BERT-base.
COMMANDS = {
    "qqp.tsv": "paragraph simulate qqp.tsv --encoder bert-base-uncased --first 2048 --rounds 10 --neighbours 1000",
    "wikiqa.tsv": "paragraph simulate WikiQA-train.tsv --dev WikiQA-dev.tsv --test WikiQA-test.tsv "
    "--encoder bert-base-uncased --first 2048 --rounds 4 --neighbours 100",
    "json": "paragraph train …, then paragraph all-pairs --model …",
}
WORLDS = {"qqp": "Quora", "wikiqa": "WikiQA"}

#: Tables 3 and 5: precision at 20 % recall and average precision on all pairs, of Quora, then of WikiQA, in %.
TRAINED = {
    "random": (4.7, 2.8, 1.3, 1.3),
    "stated": (29.3, 15.4, 0.7, 2.2),
    "static": (49.2, 25.1, 13.9, 8.2),
    "adaptive": (59.1, 32.4, 27.1, 15.1),
    "uncertainty": (60.2, 32.5, 32.4, 20.1),
    "stratified": (35.1, 19.0, 13.2, 8.5),
    "stratified-all": (41.6, 22.2, 13.7, 9.1),
}
#: Table 4: positives found.
FOUND = {"random": (1, 1), "static": (16_422, 169), "adaptive": (103_181, 757), "uncertainty": (87_594, 742)}
#: Section 5.6: average precision on all pairs of dev, in %, by strategy and questions asked.
DEV = {("static", 232_100): 21.9, ("uncertainty", 16_640): 22.6}
#: Tables 2 and 6: the first two figures of `TRAINED` for cross-encoders, by training set (or model, on stated pairs).
CONCAT = {
    "bert": ((3.0, 2.4), (6.5, 2.4)),
    "xlnet": ((1.7, 1.4), (1.0, 1.0)),
    "roberta": ((2.5, 2.0), (3.4, 2.3)),
    "albert": ((3.5, 1.9), (0.7, 0.9)),
    "bert-static": ((4.6, 1.9),),
    "bert-stratified": ((29.0, 16.4),),
    "bert-uncertainty": ((23.6, 8.9),),
}


def _file(folder: Path, name: str) -> Path:
    path = folder / "mussmann2020" / name
    if not path.is_file():
        how = COMMANDS.get(name, COMMANDS["json"])
        raise NeedsData(f"no mussmann2020/{name} in the data folder; with a GPU and BERT's weights: {how} -o {name}")
    return path


def _mean(folder: Path, world: str, strategy: str, column: str, asked: int | None = None) -> float:
    """The mean over seeds after the last round, or after so many questions."""
    import pandas as pd

    runs = pd.read_csv(_file(folder, f"{world}.tsv"), sep="\t").query("strategy == @strategy")
    wanted = runs["round"] == runs["round"].max() if asked is None else runs["asked"] == asked
    return float(runs.loc[wanted, column].mean())


for _at, (_world, _name) in enumerate(WORLDS.items()):
    for _strategy, _figures in TRAINED.items():

        @claim(f"{PAPER}, Tables 3 and 5", f"{_name}, {_strategy}: P@R20, AP, %", _figures[2 * _at : 2 * _at + 2])
        def _trained(folder: Path, world: str = _world, strategy: str = _strategy) -> tuple[float, ...]:
            return tuple(round(100 * _mean(folder, world, strategy, name), 1) for name in ("p20_test", "ap_test"))

    for _strategy, _both in FOUND.items():

        @claim(f"{PAPER}, Table 4", f"{_name}, {_strategy}: positives found", _both[_at])
        def _found(folder: Path, world: str = _world, strategy: str = _strategy) -> int:
            return round(_mean(folder, world, strategy, "positives"))

    for _model, _worlds in CONCAT.items():
        if _at < len(_worlds):

            @claim(f"{PAPER}, Tables 2 and 6", f"{_name}, cross-encoder {_model}: P@R20, AP, %", _worlds[_at])
            def _concat(folder: Path, name: str = f"{_world}-{_model}.json") -> tuple[float, ...]:
                import json

                score = json.loads(_file(folder, name).read_text(encoding="utf-8"))
                return tuple(round(100 * score[key], 1) for key in ("P_R20", "AP"))


for (_strategy, _asked), _printed in DEV.items():

    @claim(f"{PAPER}, section 5.6", f"Quora, {_strategy}, {_asked:,} labels: AP of dev, %", _printed)
    def _dev(folder: Path, strategy: str = _strategy, asked: int = _asked) -> float:
        return round(100 * _mean(folder, "qqp", strategy, "ap_dev", asked), 1)


@claim(f"{PAPER}, Table 7", "learning rate × 10⁵, epochs, batch size of CosineBERT are the defaults here", (2, 2, 16))
def _defaults(folder: Path) -> tuple[float, ...]:
    from ..learn.cosine_model import CosineModel

    model = CosineModel(model="minilm")
    return model.lr * 1e5, model.epochs, model.batch_size
