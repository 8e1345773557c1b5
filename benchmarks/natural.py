"""Which stated labels are wrong in nature: `pg.suspects` on stated pairs of Quora that were judged.

``python -m benchmarks.natural DATA_FOLDER WORK_FOLDER`` prints the tables, nested by component and frame (see
`benchmarks.sameness`); ``--ship`` also writes ``repairs/nature.json``. WORK_FOLDER is that of `benchmarks.together`,
whose P(same) of pairs that it has not seen is taken.

The judged pairs are 842 stated ones of ``judged.tsv`` and ``judged_more.tsv`` on which both readings agree: some
drawn at random, the others for their cosine, their many words in common or their large cluster. Each counts as often
as such pairs are drawn at random (sign × cosine × size of cluster).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from paragraph import ParaphraseGraph, read_pairs
from paragraph.measure.judged import Strata
from paragraph.measure.logistic import Weights, fit, sigmoid
from paragraph.measure.scoring import calibration
from paragraph.repairs.propose import Proposals
from paragraph.repairs.rates import NATURE
from paragraph.repairs.same import SHARE, sameness
from paragraph.repairs.suspects import judgement

from .sameness import auc, folds, show
from .together import read

#: Judged and wrong labels of each kind: random ones of Quora (``judged.tsv``), docs/audits.md, and the conflicts that
#: Chen, Ji and Evans (2020) list.
FILES = {
    "positive": [
        ("Quora, random labels", 95, 23), ("Quora, a random fifth", 42, 19), ("MRPC", 40, 4), ("PAWS-Wiki", 50, 4),
        ("SICK", 38, 11), ("medical questions", 69, 7),
    ],
    "negative": [
        ("Quora, random labels", 75, 3), ("Quora, a random fifth", 38, 3), ("MRPC", 43, 5), ("PAWS-Wiki", 49, 2),
        ("SICK", 40, 0), ("medical questions", 72, 1),
    ],
    "conflict": [("Quora, Chen et al.", 88, 44), ("Quora, conflicts", 15, 8), ("Quora, a random fifth", 4, 0)],
}  # fmt: skip
#: Share of positives among the rows of qqp_natural.
POSITIVE = 0.374
FOLDS, REPEATS, POWER = 10, 5, 0.5
#: What ships: with a model the file's own labels add nothing.
COLUMNS = {"words": ["same", "own"], "minilm": ["same"]}
#: Labels that the rate of a size is drawn to its kind by.
DRAWN = 10
FITTED_ON = "judged stated pairs of Quora Question Pairs"


def stated(folder: Path, work: Path) -> pd.DataFrame:
    """The judged stated pairs, what `judgement` says of each without a model and with it, and how often it counts."""
    _, judged, group = read(folder)
    rows = (judged["stated"] != "").to_numpy()
    same = np.load(work / "out_of_fold.npy")[rows] + np.log(SHARE / (1 - SHARE))
    pairs, graph = judged[rows].reset_index(drop=True), graph_of(folder)
    a, b = (np.array([graph.node(text) for text in pairs[name]]) for name in ("text_a", "text_b"))
    edges = graph.edge_index.places(a, b)
    words = judgement(Proposals(graph), None).iloc[edges].reset_index(drop=True)
    pairs["words"], pairs["own"], pairs["minilm"], pairs["group"] = words["same"], words["own"], same, group[rows]
    pairs["cosine"] = sameness(pairs["text_a"].tolist(), pairs["text_b"].tolist(), "minilm")["cosine"]
    pairs["positive"] = pairs["stated"] == "1"
    pairs["wrong"] = (pairs["label"] != pairs["positive"]).astype(int)
    pairs["size"] = Strata(graph).of(a, b)[1]
    pairs["random"] = pairs["stratum"].str.endswith("natural")
    cells = pairs.groupby(["positive", pairs["cosine"] >= 0.8, (pairs["size"] == 3) & pairs["positive"]])
    share = cells["random"].transform("sum") / pairs.groupby("positive")["random"].transform("sum")
    share *= np.where(pairs["positive"], POSITIVE, 1 - POSITIVE)
    pairs["times"] = share / cells["random"].transform("size")
    pairs["times"] *= len(pairs) / pairs["times"].sum()
    return pairs


def graph_of(folder: Path) -> ParaphraseGraph:
    return ParaphraseGraph.from_pairs(read_pairs(folder / "qqp" / "qqp_all.tsv.gz"))


def weights(pairs: pd.DataFrame, columns: list[str], name: str, rows: np.ndarray, power: float) -> Weights:
    """Weights of the columns for the rows of one sign; `power` 1 weighs them back to natural shares, 0 does not."""
    part, times = pairs[rows], pairs["times"].to_numpy()[rows] ** power
    table = part.rename(columns={name: "same"})[columns]
    told = f"{rows.sum():,} {FITTED_ON}"
    return fit(table, part["wrong"].to_numpy(), part["group"].to_numpy(), told, times * len(part) / times.sum())


def nested(group: np.ndarray, answer: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Answers about each pair that know other groups only: (repeats, pairs).

    ``answer(known, asked)`` gets flags of the pairs that it may fit on, and of those that it has to answer.
    """
    answers = np.empty((REPEATS, len(group)))
    for repeat in range(REPEATS):
        fold = folds(group, FOLDS, repeat)
        for k in range(FOLDS):
            answers[repeat, fold == k] = answer(fold != k, fold == k)
    return answers


def wrong_log_odds(pairs: pd.DataFrame, columns: list[str], name: str, power: float) -> np.ndarray:
    """Nested log-odds that each label is wrong, by weights of its own sign."""
    positive = pairs["positive"].to_numpy()

    def answer(known: np.ndarray, asked: np.ndarray) -> np.ndarray:
        z = np.empty(len(pairs))
        for rows in (positive, ~positive):
            fitted = weights(pairs, columns, name, known & rows, power)
            z[asked & rows] = fitted.log_odds(pairs[asked & rows].rename(columns={name: "same"}))
        return z[asked]

    return nested(pairs["group"].to_numpy(), answer)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.natural", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="holds qqp/")
    parser.add_argument("work", type=Path, help="that of benchmarks.together")
    parser.add_argument("--ship", action="store_true", help="write repairs/nature.json")
    args = parser.parse_args()
    pairs = stated(args.folder, args.work)
    positive, wrong, times = (pairs[name].to_numpy() for name in ("positive", "wrong", "times"))
    for sign, rows in (("positive", positive), ("negative", ~positive)):
        share = np.average(wrong[rows], weights=times[rows])
        print(f"{rows.sum()} stated {sign}s, {wrong[rows].sum()} wrong; {share:.3f} at natural shares")
    rows = {}
    for name in ("words", "minilm"):
        for columns in (["same"], ["own"], ["same", "own"]):
            for power in (0, 0.5, 1):
                z = wrong_log_odds(pairs, columns, name, power)
                p, row = np.clip(sigmoid(z), 1e-6, 1 - 1e-6), {}
                for part, kept in (("both", positive | ~positive), ("positive", positive), ("negative", ~positive)):
                    row[f"AUC {part}"] = auc(z[:, kept], wrong[kept] > 0, times[kept])
                loss = -(wrong * np.log(p) + (1 - wrong) * np.log1p(-p)).mean(axis=0)
                row["log loss"] = np.average(loss, weights=times)
                for part, kept in (("positive", positive), ("negative", ~positive)):
                    row[f"mean p, {part}"] = np.average(p.mean(axis=0)[kept], weights=times[kept])
                order = np.argsort(-p.mean(axis=0))
                mass = np.cumsum(times[order]) / times.sum()
                for share in (0.02, 0.05):
                    first = order[: max(10, np.searchsorted(mass, share))]
                    row[f"wrong of the first {share:.0%}"] = np.average(wrong[first], weights=times[first])
                rows[f"{name}: {' + '.join(columns)}, weighed to the power {power}"] = row
    show("Nested, at natural shares", pd.DataFrame(rows).T.round(3))
    for name in ("words", "minilm"):
        p = sigmoid(wrong_log_odds(pairs, COLUMNS[name], name, POWER)).mean(axis=0)
        for sign, kept in (("positive", positive), ("negative", ~positive)):
            show(f"Calibration, {name}, stated {sign}s", calibration(wrong[kept], p[kept], 5).round(3))
    if args.ship:
        signs = {"positive": positive, "negative": ~positive}
        kept = {
            name: {sign: weights(pairs, columns, name, rows, POWER).figures() for sign, rows in signs.items()}
            for name, columns in COLUMNS.items()
        }
        sizes = {sign: by_size(pairs[rows]) for sign, rows in signs.items()}
        found = {"files": FILES, "sizes": sizes, "weights": kept}
        NATURE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def by_size(pairs: pd.DataFrame) -> list[float]:
    """Log-odds of wrong labels by size of cluster, less those of all; each size drawn to the kind as a whole."""
    rate = np.average(pairs["wrong"], weights=pairs["times"])
    found = []
    for size in range(4):
        part = pairs[pairs["size"] == size]
        n = (
            part["times"].sum() ** 2 / (part["times"] ** 2).sum()
        )  # rows that would tell as much if they weighed alike
        own = (n * np.average(part["wrong"], weights=part["times"]) + DRAWN * rate) / (n + DRAWN)
        found.append(round(float(np.log(own / (1 - own)) - np.log(rate / (1 - rate))), 2))
    return found


if __name__ == "__main__":
    main()
