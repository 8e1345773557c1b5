"""Which labels that follow are right in nature: `pg.trust` on pairs of Quora that follow and were judged.

``python -m benchmarks.trust DATA_FOLDER WORK_FOLDER`` prints the tables, nested by component and frame (see
`benchmarks.sameness`). WORK_FOLDER is that of `benchmarks.together`:
what its models say of a positive, and of the steps of its path, they have not learnt from its component.

Positives: the pairs inside clusters that no row labels, of ``judged.tsv`` and ``judged_more.tsv``, on which both
readings agree. Negatives: those of ``judged_inferred.tsv``, of which the model that ships has learnt none.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from paragraph import ParaphraseGraph, read_pairs
from paragraph.doubts.audit import share_interval
from paragraph.doubts.judges import judge_of
from paragraph.doubts.shipped import SHARE, SHIPPED, sameness
from paragraph.graph.proof import explain
from paragraph.learn import Adapter
from paragraph.learn.logistic import Weights, log_odds, sigmoid

from .sameness import auc, folds, show
from .together import FOLDS, SEED, read
from .weights import Fitted, fit

NATURAL = np.log(SHARE / (1 - SHARE))
FOLDS_OF, REPEATS = 10, 5
SURE = (0.5, 0.8, 0.9, 0.95)
#: What is fitted. Of positives P(same) as it is ships; of negatives see `benchmarks.yields`.
TRIED = {
    "positive": [["same"], ["weakest"], ["same", "weakest"], ["same", "product"], ["same", "length"],
                 ["same", "size"], ["words"], ["words", "weakest words"]],
    "negative": [["same"], ["same", "weakest"], ["same", "link"], ["same", "size"], ["words"]],
}  # fmt: skip


def graph_of(folder: Path) -> ParaphraseGraph:
    return ParaphraseGraph.from_pairs(read_pairs(folder / "qqp" / "qqp_all.tsv.gz"))


def nested(group: np.ndarray, answer: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Answers about each pair that know other groups only: (repeats, pairs).

    ``answer(known, asked)`` gets flags of the pairs that it may fit on, and of those that it has to answer.
    """
    answers = np.empty((REPEATS, len(group)))
    for repeat in range(REPEATS):
        fold = folds(group, FOLDS_OF, repeat)
        for k in range(FOLDS_OF):
            answers[repeat, fold == k] = answer(fold != k, fold == k)
    return answers


def same_log_odds(left: list[str], right: list[str], model: str | None = "minilm") -> np.ndarray:
    return log_odds(judge_of(model)(left, right))


def positives(folder: Path, work: Path, graph: ParaphraseGraph) -> pd.DataFrame:
    """The judged pairs that follow as positives, with all that is tried, by models that have not seen their fold."""
    _, judged, group = read(folder)
    judged["group"], judged["fold"] = group, folds(group, FOLDS, SEED)
    judged["same"] = np.load(work / "out_of_fold.npy") + NATURAL
    pairs = judged[judged["stated"] == ""].reset_index(drop=True)
    pairs["right"], pairs["by"] = pairs["label"], pairs["stratum"]
    steps = [
        explain(graph, *row).steps for row in pairs[["text_a", "text_b"]].itertuples(index=False)
    ]
    told = np.empty(len(pairs), dtype=object)
    for fold in range(FOLDS):
        rows = np.flatnonzero(pairs["fold"] == fold)
        each = [step for row in rows for step in steps[row]]
        texts = [step.text_a for step in each], [step.text_b for step in each]
        model = Adapter(work / f"last_{fold}{fold}")
        table = sameness(*texts, "minilm").assign(together=model.logits(*texts))
        found, at = Weights.read(SHIPPED, "together").log_odds(table) + NATURAL, 0
        for row in rows:
            told[row] = found[at : at + len(steps[row])]
            at += len(steps[row])
    words = [
        same_log_odds([s.text_a for s in each], [s.text_b for s in each], None) for each in steps
    ]
    return pairs.assign(
        weakest=[z.min() for z in told], product=[np.log(sigmoid(z)).sum() for z in told],
        length=list(map(len, steps)), size=np.log(sizes(graph, pairs["text_a"])),
        words=same_log_odds(pairs["text_a"].tolist(), pairs["text_b"].tolist(), None),
        **{"weakest words": [z.min() for z in words]},
    )  # fmt: skip


def negatives(folder: Path, graph: ParaphraseGraph) -> pd.DataFrame:
    """The judged pairs that follow as negatives, with all that is tried."""
    judged = pd.read_csv(
        folder / "qqp" / "judged_inferred.tsv", sep="\t", keep_default_na=False, dtype=str
    )
    judged = judged[judged["reading1"].isin(["s", "d"])].reset_index(drop=True)
    texts = judged["question1"].tolist(), judged["question2"].tolist()
    steps = [explain(graph, a, b).steps for a, b in zip(*texts, strict=True)]
    positive = [[s for s in each if s.sign > 0] for each in steps]
    link = [next(s for s in each if s.sign < 0) for each in steps]
    told = [same_log_odds([s.text_a for s in each], [s.text_b for s in each]) for each in positive]
    return judged.assign(
        right=(judged["reading1"] == "d").astype(int), by=judged["stratum"], same=same_log_odds(*texts),
        weakest=[z.min(initial=9) for z in told], size=np.log(sizes(graph, texts[0]) * sizes(graph, texts[1])),
        link=same_log_odds([s.text_a for s in link], [s.text_b for s in link]), words=same_log_odds(*texts, None),
        group=np.arange(len(judged)),
    )  # fmt: skip


def sizes(graph: ParaphraseGraph, texts: list[str]) -> np.ndarray:
    return graph.cluster_sizes[graph.cluster_of[[graph.node(text) for text in texts]]]


def weights(pairs: pd.DataFrame, columns: list[str]) -> Fitted:
    told = f"{len(pairs):,} judged pairs of Quora Question Pairs that follow"
    return fit(pairs[columns], pairs["right"].to_numpy(), pairs["group"].to_numpy(), told)


def p_right(pairs: pd.DataFrame, columns: list[str]) -> np.ndarray:
    """The nested probability that each label is right: (repeats, pairs)."""

    def answer(known: np.ndarray, asked: np.ndarray) -> np.ndarray:
        return sigmoid(weights(pairs[known], columns).log_odds(pairs[asked]))

    return nested(pairs["group"].to_numpy(), answer)


def calibration(right: np.ndarray, p: np.ndarray) -> pd.DataFrame:
    """The predicted and the observed share of right labels in five bands, with its 95 % interval."""
    bands = pd.cut(p, np.linspace(0, 1, 6), include_lowest=True)
    by_band = pd.DataFrame({"predicted": p, "observed": right}).groupby(bands, observed=True)
    table = by_band.mean().assign(n=by_band.size())
    table["low"], table["high"] = share_interval(table["observed"] * table["n"], table["n"])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.trust", description=__doc__.split("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="holds qqp/")
    parser.add_argument("work", type=Path, help="that of benchmarks.together")
    args = parser.parse_args()
    graph = graph_of(args.folder)
    for sign, pairs in (
        ("positive", positives(args.folder, args.work, graph)), ("negative", negatives(args.folder, graph)),
    ):  # fmt: skip
        right, rows = pairs["right"].to_numpy(), {}
        print(f"{len(pairs)} judged {sign}s that follow, {right.mean():.3f} right")
        tried = {" + ".join(columns): p_right(pairs, columns) for columns in TRIED[sign]}
        if sign == "positive":
            tried = {"P(same) as it is": sigmoid(pairs["same"].to_numpy())[None], **tried}
        for name, p in tried.items():
            loss = -np.log(np.where(right, p, 1 - p)).mean()
            row = {"AUC": auc(p, right > 0, np.ones(len(right))), "log loss": loss}
            for level in SURE:
                stay = p >= level
                row |= {
                    f"stay at {level}": stay.mean(),
                    f"right at {level}": right[np.nonzero(stay)[1]].mean(),
                }
            rows[name] = row
        show(f"Labels that follow, {sign}; nested", pd.DataFrame(rows).T.round(3))
        p = next(iter(tried.values())).mean(axis=0)
        show("Calibration", calibration(right, p).round(3))
        parts = {}
        for name, part in pairs.groupby("by").groups.items():
            sure = p[part] >= 0.9
            parts[name] = {
                "pairs": len(part), "predicted": p[part].mean(), "right": right[part].mean(),
                "stay at .9": sure.mean(),
                "expected": p[part][sure].mean(), "right of these": right[part][sure].mean(),
            }  # fmt: skip
        show("By how they were drawn", pd.DataFrame(parts).T.round(3))


if __name__ == "__main__":
    main()
