"""Values of claims that take more than arithmetic: from data sets, from runs that were saved, from this package.

Data sets lie in the data folder. What nobody can recompute without a GPU, or without models that were never released,
is read from tables of whoever has run it: ``mussmann2020/``, ``wang2022/`` and ``takahagi2023/`` there
(`docs/claims.md`). The runs of this project are in ``data/results``.
"""

from __future__ import annotations

from functools import lru_cache
from operator import gt
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd

from ...pairs.datasets import DEMO

__all__ = ["NeedsData", "fmean", "gt"]

RESULTS = DEMO.with_name("results")
LABELS = ["entailment", "contradiction", "neutral"]


class NeedsData(Exception):
    """Raised by a claim whose data are not at hand; the message says what is missing."""


def _file(folder: Path, name: str, how: str = "") -> Path:
    """A file of the data folder, compressed or not."""
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise NeedsData(f"no {name} in the data folder{how}")


# -- arithmetic ----------------------------------------------------------------------------------------------


def near(printed: float, found: float, digits: int) -> float:
    """The printed figure where the other, rounded either way at a half, comes to it; else the other one."""
    if abs(printed - found) <= 0.5 * 10**-digits + 1e-9:
        return printed
    return round(found, digits)


def sentences(billions: float) -> float:
    """Number of sentences that have this many unordered pairs."""
    return (2e9 * billions) ** 0.5


def corrected(printed: float, share: float, counted: bool = False) -> float:
    """Precision in % where only `share` of the false positives are false; `counted`: and the rest are right."""
    false = 100 / printed - 1
    wrong = share * false
    right = 1 + (1 - share) * false if counted else 1
    return round(100 * right / (right + wrong), 1)


def mann_whitney_p(first: int, second: int, n: int) -> float:
    """The p-value of so many against so many of `n`, by the test of Mann and Whitney, to one digit."""
    from scipy.stats import mannwhitneyu

    place = np.arange(n)
    groups = [(place < ones).astype(int) for ones in (first, second)]
    found = mannwhitneyu(*groups).pvalue
    return float(f"{found:.0e}")


def kappa(accuracy: float, f1: float) -> float:
    """Cohen's κ of two taggings whose words agree so often, with this F1 of the 1s: they tag equally many, about."""
    differ = 1 - accuracy
    # Of 2·TP + FP + FN, FP + FN are the words that differ.
    ones = differ * (1 + f1 / (1 - f1)) / 2
    return 1 - differ / (2 * ones * (1 - ones))


def shares(*counts: int, of: int) -> list[float]:
    """Counts, their sum, and their shares of the whole in %."""
    percent = [round(100 * count / of, 1) for count in counts]
    return [*counts, sum(counts), *percent]


def best(**values: float) -> str:
    """The name of the largest value."""
    return max(values, key=values.__getitem__)


# -- this package, and the runs that ship with it ------------------------------------------------------------


def cosine_defaults() -> tuple[float, ...]:
    """Learning rate × 10⁵, epochs and batch size of `Cosine`."""
    from ..collection.cosine import Cosine

    model = Cosine("minilm")
    return model.lr * 1e5, model.epochs, model.batch_size


def _result(name: str) -> Path:
    if not (RESULTS / name).is_file():
        raise NeedsData(f"no data/results/{name}; it comes with the repository")
    return RESULTS / name


def conflicts_mislabelled() -> int:
    """The share of negatives inside clusters that a language model found wrong, in %."""
    table = pd.read_csv(_result("judged.tsv"), sep="\t")
    conflict = table.set_index("kind").loc["conflict"]
    return round(100 * conflict["wrong"] / conflict["judged"])


@lru_cache(maxsize=4)
def _run(name: str) -> Any:
    from ..experiments import read_results

    return read_results(_result(f"{name}.json"))


def _compare(name: str, train: str, against: str, test: str | None = None) -> str:
    """Result of one training set against another one: better, worse or within chance.

    A difference counts where its intervals over seeds and over test pairs both leave out 0.
    """
    table = _run(name).score_differences(test_set=test)
    here = (table["train_set"] == train) & (table["against"] == against)
    row = table[here].iloc[0]
    if row["significant_over"] != "both":
        return "within chance"
    return "better" if row["difference"] > 0 else "worse"


def gain(model: str, train: str, against: str, test: str) -> str:
    """Effects of augmenting and flipping on accuracy."""
    return _compare(f"four_by_four_{model}", train, against, test)


def gain_by_distance(train: str) -> str:
    """Effects on accuracy of labels inferred up to a distance."""
    return _compare("distance_grid_embedding", train, "baseline")


def gain_of_positives(train: str) -> str:
    """`gain_by_distance` of positives alone: the paper says no more than that they do not help."""
    found = gain_by_distance(train)
    return found if found == "better" else "not better"


def _race(name: str) -> pd.DataFrame:
    """A table of the race of strategies in miniature."""
    table = pd.read_csv(_result(f"collecting.{name}.tsv"), sep="\t")
    return table.query("world == 'qqp'")


def collected(strategy: str, against: str) -> str:
    """Gain of one strategy of collecting over another, at the learning rate that dev prefers."""
    found = _race("intervals")
    forth = found.query("strategy == @strategy and less == @against")
    back = found.query("strategy == @against and less == @strategy")
    lows = [*forth["low"], *-back["high"]]
    return "better" if min(lows) > 0 else "within chance"


def uncertainty_finds_twice() -> bool:
    """Does uncertainty find over twice the positives of static retrieval?"""
    last = _race("runs").query("round == 4 and lr == 0.001")
    positives = last.groupby("strategy")["positives"].mean()
    return bool(positives["uncertainty"] > 2 * positives["static"])


# -- data sets -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def glue(folder: Path, part: str) -> dict[str, Any]:
    """Positives and negatives of the four datasets of GLUE's part, by the rule of the published code; conflicts."""
    from ...graph import ParaphraseGraph
    from ...graph.closure import infer
    from ...pairs import read_pairs

    file = {"training": "train.tsv", "testing": "dev.tsv"}[part]
    path = _file(folder, f"qqp-glue/{file}", "; get it with: paragraph fetch qqp-glue")
    graph = ParaphraseGraph.from_pairs(read_pairs(path, format="qqp-glue"))
    counts = graph.pairs["label"].value_counts()
    positive_rows = int(counts[1])
    negative_rows = int(counts[0])
    # A row without an edge has edge -1: the False.
    inside = np.append(graph.negatives_inside, False)
    flipped = int(inside[graph.row_edge].sum())
    within = int(inside.sum())
    stated = int((graph.edge_sign > 0).sum())
    inferred = infer(graph, negatives="clusters").counts()
    positives = stated + inferred["positive"]
    negatives = len(graph.edge_sign) - stated + inferred["negative"]
    found: dict[str, Any] = {"within": within}
    found["original"] = (positive_rows, negative_rows)
    found["original_flipped"] = (positive_rows + flipped, negative_rows - flipped)
    found["augmented"] = (positives, negatives)
    found["augmented_flipped"] = (positives + within, negatives - within)
    return found


def _positives(table: pd.DataFrame) -> int:
    return int((table["label"] == 1).sum())


def wikiqa(folder: Path, part: str) -> tuple[int, int, float]:
    """Positives, stated negatives and million pairs of a part of WikiQA; its sentences are those of all parts."""
    from ...pairs import read_pairs

    tables = {}
    answers: set[str] = set()
    for name in ("train", "dev", "test"):
        tables[name] = read_pairs(_file(folder, f"wikiqa/WikiQA-{name}.tsv"))
        answers.update(tables[name]["text_b"])
    rows = tables[part]
    positive = _positives(rows)
    millions = rows["text_a"].nunique() * len(answers) / 1e6
    return positive, len(rows) - positive, float(f"{millions:.2g}")


def mrpc(folder: Path) -> int:
    """MRPC's pairs labelled a paraphrase."""
    from ...pairs import read_pairs

    positive = 0
    for part in ("train", "test"):
        table = read_pairs(_file(folder, f"mrpc/msr_paraphrase_{part}.txt"))
        positive += _positives(table)
    return positive


def jsick(folder: Path, part: str, parses: str = "") -> list[int]:
    """JSICK's pairs of each label; with a file of parses, of the training part augmented by shuffling."""
    from ...pairs import read_pairs
    from ..japanese.parse import Parses
    from ..japanese.shuffle import augment_by_shuffling, stratified

    table = read_pairs(_file(folder, f"jsick/{part}.tsv"), unlabelled="keep")
    if parses:
        known = Parses(_file(folder, f"jsick/{parses}"))
        train, *_ = stratified(table, seed=0)
        table = augment_by_shuffling(train, rule="paper", parses=known)
    return table["entailment"].value_counts()[LABELS].tolist()


def agreement(metric: str, file: str, perspective: str | None = None) -> float:
    """The agreement of a metric with people on one file of judgements; in most files people judged one thing.

    ``python -m benchmarks.agreement`` makes the table.
    """
    table = pd.read_csv(_result("agreement.tsv"), sep="\t")
    wanted = [file, metric, "R" if perspective == "COV" else "F"]
    found = table[(table[["file", "metric", "variant"]] == wanted).all(axis=1)]
    if perspective is not None:
        found = found[found["perspective"] == perspective]
    if found.empty:
        raise NeedsData(
            f"no nlg_meta/{file}.json, as BARTScore's authors collected them, was at hand for data/results"
        )
    return round(float(found["value"].iloc[0]), 3)


# -- runs of other people's models ---------------------------------------------------------------------------


def rerun(folder: Path, table: str, row: str, *columns: str) -> Any:
    """Figures of a row of a table of somebody else's runs, as the paper prints them; by default all of the row."""
    how = "; to make it takes a GPU, or models that were never released"
    rows = pd.read_csv(_file(folder, f"{table}.tsv", how), sep="\t", index_col=0)
    if row not in rows.index:
        raise NeedsData(f"no {row!r} in {table}.tsv{how}")
    figures = rows.loc[row, list(columns) or list(rows)].tolist()
    return figures[0] if len(columns) == 1 else tuple(figures)
