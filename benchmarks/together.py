"""Make the cross-encoder that ships, and measure what it adds to telling whether two sentences mean the same.

``python -m benchmarks.together DATA_FOLDER WORK_FOLDER`` trains and prints the tables; ``--ship`` also writes
`learn/together` and its weights into `learn/same.json`. What is trained already in WORK_FOLDER is read back.

1. `learn.adapter` learns the labels of ``qqp_all`` and ``qqp_natural``, one pass, without any row of a
   component in which a judged pair lies, and without the pairs of the same words in another order, which test it;
   among them, questions in which two things change places (`benchmarks.exchanged`).
2. It goes on with the judged pairs on which both readings agree (``judged.tsv``, ``judged_more.tsv``), three passes,
   and with some of those questions, so that order is not forgotten.
3. A logistic regression takes its logit beside today's columns, fitted on the pairs inside clusters that no row
   labels.

Steps 2 and 3 are nested: four folds of groups (see `benchmarks.sameness`); for each, step 3 is fitted on logits that
three further models gave to pairs which they, too, had not seen.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from paragraph import ParaphraseGraph, read_pairs
from paragraph.doubts.shipped import SHARE, SHIPPED, TOGETHER, sameness
from paragraph.graph.arrays import connected
from paragraph.learn.adapter import FILE, Adapter
from paragraph.learn.logistic import sigmoid
from paragraph.papers import make_model
from paragraph.words.tokens import words_of

from .exchanged import Company, exchanged, moved
from .sameness import _groups, auc, balanced, folds, show
from .weights import Fitted, fit

FOLDS, DRAWS, SEED = 4, 1000, 0
FILES = ("judged.tsv", "judged_more.tsv")
FITTED_ON = "judged pairs inside clusters of Quora Question Pairs, no stated label, both answers weighted to a half"
RANK, MOVED, KEPT = 32, 3000, 750
LAST = {"lr": 3e-4, "epochs": 3, "batch_size": 32}


def read(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """The pairs to learn from, the judged pairs on which both readings agree, and the groups of the latter."""
    qqp = folder / "qqp"
    pairs = pd.concat(
        [read_pairs(qqp / f"qqp_{part}.tsv.gz") for part in ("all", "natural")], ignore_index=True
    )
    graph = ParaphraseGraph.from_pairs(pairs)
    files = [
        pd.read_csv(qqp / name, sep="\t", keep_default_na=False, dtype=str).assign(file=name)
        for name in FILES
    ]
    judged = pd.concat(files, ignore_index=True)
    group, component = _groups(graph, judged), connected(graph.n, graph.edge_a, graph.edge_b)
    ends = [[graph.node(text) for text in judged[name]] for name in ("question1", "question2")]
    kept = ~np.isin(component[graph.edge_a], component[np.concatenate(ends)])
    a, b = (graph.texts(end[kept]) for end in (graph.edge_a, graph.edge_b))
    table = pd.DataFrame(
        {"text_a": a, "text_b": b, "label": (graph.edge_sign[kept] > 0).astype(int)}
    )
    said = judged[["reading1", "reading2"]].apply(lambda column: column.str.upper())
    agreed = (said["reading1"] == said["reading2"]) & said["reading1"].isin(["S", "D"])
    judged = judged.rename(columns={"question1": "text_a", "question2": "text_b"})
    judged["label"], judged["clear"] = (
        (said["reading1"] == "S").astype(int),
        judged["reading1"].isin(["S", "D"]),
    )
    judged["clear"] &= judged["reading2"].isin(["S", "D"])
    return table, judged[agreed].reset_index(drop=True), group[agreed.to_numpy()]


def reordered(table: pd.DataFrame) -> np.ndarray:
    """Flags of the pairs with the same words in another order."""

    def words(text: str) -> list[str]:
        return [word.casefold() for word in words_of(text) if word[0].isalnum()]

    read = [table[name].map(words) for name in ("text_a", "text_b")]
    return np.array([a != b and sorted(a) == sorted(b) for a, b in zip(*read, strict=True)])


def lessons(table: pd.DataFrame) -> pd.DataFrame:
    """Questions of a table in which two things, or the last phrase, stand elsewhere."""
    rng = np.random.default_rng(SEED)
    texts = rng.permutation(np.unique(table[["text_a", "text_b"]].to_numpy(dtype=object)))
    return pd.concat(
        [exchanged(texts, Company.of(texts)), moved(texts, MOVED, rng)], ignore_index=True
    )


def trained(name: Path, pairs: pd.DataFrame, **options: object) -> Adapter:
    if not (name / FILE).is_file():
        began = time.monotonic()
        make_model("adapter", rank=RANK, **options).fit(pairs).save(name)
        print(f"{name.name}: {len(pairs):,} pairs, {time.monotonic() - began:.0f} s", flush=True)
    return Adapter(name)


def nested(work: Path, judged: pd.DataFrame, taught: pd.DataFrame, fold: np.ndarray) -> np.ndarray:
    """Logits (folds, pairs): row k by models that have seen neither fold k nor the fold of the pair."""
    found = np.full((FOLDS, len(judged)), np.nan)
    texts = judged["text_a"].tolist(), judged["text_b"].tolist()
    for out in [(k, k) for k in range(FOLDS)] + list(combinations(range(FOLDS), 2)):
        kept = work / f"logits_{out[0]}{out[1]}.npy"
        if not kept.is_file():
            rows = pd.concat([judged[~np.isin(fold, out)], taught], ignore_index=True)
            model = trained(work / f"last_{out[0]}{out[1]}", rows, start=work / "first", **LAST)
            np.save(kept, model.logits(*texts))
        logits = np.load(kept)
        for k, other in (out, out[::-1]):
            found[k, fold == other] = logits[fold == other]
    return found


def weights(
    columns: pd.DataFrame, judged: pd.DataFrame, group: np.ndarray, rows: np.ndarray
) -> Fitted:
    same = judged["label"].to_numpy()[rows] > 0
    return fit(columns.loc[rows], same, group[rows], f"{rows.sum():,} {FITTED_ON}", balanced(same))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.together", description=__doc__.split("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="holds qqp/")
    parser.add_argument("work", type=Path, help="for models")
    parser.add_argument(
        "--ship", action="store_true", help="write the adapter and its weights into the package"
    )
    args = parser.parse_args()
    args.work.mkdir(exist_ok=True, parents=True)
    table, judged, group = read(args.folder)
    inside, same = (judged["stated"] == "").to_numpy(), judged["label"].to_numpy() > 0
    print(
        f"{len(table):,} pairs to learn from; {len(judged):,} judged alike, {inside.sum():,} of them inside clusters"
    )
    order, fold = reordered(table), folds(group, FOLDS, SEED)
    taught = lessons(table)
    first = trained(args.work / "first", pd.concat([table[~order], taught], ignore_index=True))
    taught = taught.sample(min(KEPT, len(taught)), random_state=SEED)
    asked = table[order]
    logits = first.logits(asked["text_a"].tolist(), asked["text_b"].tolist())
    right = asked["label"].to_numpy() > 0
    found = auc(logits[None], right, np.ones(len(right)))
    print(
        f"{len(right)} stated pairs of the same words in another order, {right.sum()} of them 1: AUC {found:.3f}"
    )
    texts = judged["text_a"].tolist(), judged["text_b"].tolist()
    today = list(json.loads(SHIPPED.read_text(encoding="utf-8"))["minilm"]["table"]["column"])
    columns, once = sameness(*texts, "minilm")[today], first.logits(*texts)
    last = nested(args.work, judged, taught, fold)

    def out_of_fold(further: np.ndarray | None) -> np.ndarray:
        found = np.empty(len(judged))
        for k in range(FOLDS):
            beside = columns if further is None else columns.assign(together=further[k])
            found[fold == k] = weights(beside, judged, group, inside & (fold != k)).log_odds(
                beside.loc[fold == k]
            )
        return found

    scores = {
        "cosine": columns["cosine"].to_numpy(), "today's columns": out_of_fold(None),
        "the labels of Quora alone": once, "and the judged pairs": last[fold, np.arange(len(judged))],
        "columns + labels": out_of_fold(np.tile(once, (FOLDS, 1))), "columns + both": out_of_fold(last),
    }  # fmt: skip
    np.save(args.work / "out_of_fold.npy", scores["columns + both"])
    stated = judged["stated"].to_numpy()
    parts = {"inside": inside, "clear": inside & judged["clear"].to_numpy()}
    parts |= {"first file": inside & (judged["file"] == FILES[0]).to_numpy()}
    parts |= {"stated 0": stated == "0", "stated 1": stated == "1"}
    names, number = np.unique(group, return_inverse=True)
    rng = np.random.default_rng(SEED)
    draws = [
        rng.multinomial(len(names), np.full(len(names), 1 / len(names)))[number]
        for _ in range(DRAWS)
    ]

    def auc_of(z: np.ndarray, rows: np.ndarray, times: np.ndarray) -> float:
        return auc(z[None, rows], same[rows], times[rows])

    ones, rows = np.ones(len(judged)), {}
    for name, z in scores.items():
        right = [((z > 0) == same)[inside & (same == answer)].mean() for answer in (True, False)]
        rows[name] = {part: auc_of(z, kept, ones) for part, kept in parts.items()} | {
            "balanced": np.mean(right)
        }
    show(
        "AUC, and accuracy inside with both answers weighted alike; nested",
        pd.DataFrame(rows).T.round(3),
    )
    base, new = scores["today's columns"], scores["columns + both"]
    for part, kept in parts.items():
        gains = [auc_of(new, kept, times) - auc_of(base, kept, times) for times in draws]
        low, high = np.quantile(gains, [0.025, 0.975])
        gain = rows["columns + both"][part] - rows["today's columns"][part]
        print(f"{part}: AUC {gain:+.3f} (95 %: {low:+.3f} to {high:+.3f}; groups drawn anew)")
    p = sigmoid(new)
    sure = inside & (np.maximum(p, 1 - p) > 0.88)
    right = ((p > 0.5) == same)[sure].mean()
    print(f"surer than .88: {sure.sum() / inside.sum():.2f} of those inside, right {right:.3f}")
    for name in np.unique(judged["stratum"][inside]):
        rows = inside & (judged["stratum"] == name).to_numpy()
        p = sigmoid(new[rows] + np.log(SHARE / (1 - SHARE)))
        sure = np.maximum(p, 1 - p) > 0.88
        right = ((p > 0.5) == same[rows])[sure].mean()
        print(
            f"{name}, at the natural share: surer than .88 {sure.mean():.2f} of {rows.sum()}, right {right:.3f}"
        )
    if args.ship:
        rows = pd.concat([judged, taught], ignore_index=True)
        trained(args.work / "last", rows, start=args.work / "first", **LAST).save(TOGETHER)
        beside = columns.assign(together=last[fold, np.arange(len(judged))])
        kept = json.loads(SHIPPED.read_text(encoding="utf-8"))
        kept["together"] = weights(beside, judged, group, inside).figures()
        SHIPPED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
