"""Mussmann, Jia and Liang (2020): arithmetic on what is printed, and the WikiQA of their Table 1.

What they found by training is in `collecting`.
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
    from scipy.stats import mannwhitneyu

    return float(f"{mannwhitneyu([1] * 36 + [0] * 14, [1] * 16 + [0] * 34).pvalue:.0e}")


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
