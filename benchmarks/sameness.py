"""Do two sentences of one cluster mean the same? `doubts.shipped` on judged pairs that it has not seen.

``python -m benchmarks.sameness DATA_FOLDER`` prints the tables; ``--ship`` also writes the weights that ship, and
``--model DIR`` prints the figures of a model that is trained already, as `pg.repair(graph, judge=DIR)` asks it.

The pairs are those of ``qqp/judged.tsv`` that both readings agree on. The 573 without a stated label teach and test;
the 141 stated positives test only. Their clusters are those of ``qqp/qqp_all.tsv.gz``.

Nested cross-validation, ten repeats of ten folds. Folds keep components of the graph together, and components in
which judged pairs share a frame (the words left when the differing ones are removed). A logistic regression is fitted
to each training set, both answers weighted to a half: for words alone on the columns that speak against a pair where
it differs (`agreeing`); with the model on up to five columns, chosen one after the other on five inner folds.
Standard errors come from drawing the groups anew. MiniLM has seen Quora's duplicates.

`worst` was picked with all of these pairs in view. Where the folds choose among 274 columns instead (248 ways to
match words, over all layers), the AUC is .756 (clear .888, balanced .694), that of the stated positives .836.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from paragraph import ParaphraseGraph, read_pairs
from paragraph.doubts.judges import judge_of
from paragraph.doubts.shipped import COLUMNS, SHARE, SHIPPED, sameness
from paragraph.graph.arrays import connected
from paragraph.learn.logistic import log_odds, sigmoid
from paragraph.words.difference import COLUMNS as WORDS
from paragraph.words.tokens import words_of

from .weights import Fitted, fit

REPEATS, FOLDS, INNER, MOST, DRAWS = 10, 10, 5, 5, 500
#: Log-odds by which these pairs, of which 377 of 573 are the same, differ from pairs half of which are.
NATURAL = np.log(377 / 196)
FITTED_ON = (
    "573 judged pairs inside clusters of Quora Question Pairs, no stated label, "
    "both answers weighted to a half"
)


class Judged(NamedTuple):
    """The judged pairs without stated label and the stated positives; one entry a pair in each array."""

    texts: tuple[list[str], list[str]]  #: the sentences
    table: pd.DataFrame  #: of `sameness`
    same: np.ndarray  #: bool
    clear: np.ndarray  #: bool
    stated: np.ndarray  #: bool, a stated positive
    stratum: np.ndarray
    group: np.ndarray  #: pairs of one group are never in different folds


def judged(folder: Path) -> Judged:
    pairs = pd.read_csv(folder / "qqp" / "judged.tsv", sep="\t", keep_default_na=False)
    readings = pairs[["reading1", "reading2"]]
    upper = readings.apply(lambda column: column.str.upper())
    agreed = (upper["reading1"] == upper["reading2"]) & upper["reading1"].isin(["S", "D"])
    group = _groups(
        ParaphraseGraph.from_pairs(read_pairs(folder / "qqp" / "qqp_all.tsv.gz")), pairs
    )
    kept = (agreed & (pairs["stated"] != "0")).to_numpy()
    pairs, readings, group = pairs[kept], readings[kept], group[kept]
    texts = pairs["question1"].tolist(), pairs["question2"].tolist()
    return Judged(
        texts,
        sameness(*texts, "minilm"),
        (upper["reading1"][kept] == "S").to_numpy(),
        readings.isin(["S", "D"]).all(axis=1).to_numpy(),
        (pairs["stated"] == "1").to_numpy(),
        pairs["stratum"].to_numpy(),
        group,
    )


def _groups(graph: ParaphraseGraph, pairs: pd.DataFrame) -> np.ndarray:
    component = connected(graph.n, graph.edge_a, graph.edge_b)
    ends = [
        component[[graph.node(text) for text in pairs[name]]] for name in ("question1", "question2")
    ]
    frames = [_frame(a, b) for a, b in zip(pairs["question1"], pairs["question2"], strict=True)]
    frame = component.max() + 1 + pd.factorize(np.array(frames, dtype=object))[0]
    joined = connected(
        frame.max() + 1, np.concatenate([ends[0], ends[0]]), np.concatenate([ends[1], frame])
    )
    return joined[ends[0]]


def _frame(left: str, right: str) -> str:
    left, right = ([word.casefold() for word in words_of(text)] for text in (left, right))
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return " ".join(word for i, _, n in blocks for word in left[i : i + n] if word[0].isalnum())


def balanced(same: np.ndarray) -> np.ndarray:
    """Weights of pairs under which either answer counts for a half."""
    return len(same) / 2 / np.where(same, same.sum(), (~same).sum())


def trained(data: Judged, rows: np.ndarray, columns: list[str]) -> Fitted:
    same = data.same[rows]
    return fit(data.table.loc[rows, columns], same, data.group[rows], FITTED_ON, balanced(same))


def agreeing(data: Judged, rows: np.ndarray) -> list[str]:
    """The columns of words by which every difference speaks against a pair; the others are left out one by one.

    So no pair can be likelier to mean the same than a sentence and itself. They are correlated, and 573 pairs of
    different sentences would make some of them speak for it.
    """
    columns = list(WORDS)
    while True:
        weight = trained(data, rows, columns).table.set_index("column")["weight"]
        # the one that is less where more differs
        against = weight.where(weight.index != "overlap", -weight)
        if against.max() < 0:
            return columns
        columns.remove(against.idxmax())


def folds(group: np.ndarray, count: int, seed: int) -> np.ndarray:
    names, number = np.unique(group, return_inverse=True)
    return (np.random.default_rng(seed).permutation(len(names)) % count)[number]


def chosen(data: Judged, rows: np.ndarray, pool: list[str], seed: int) -> list[str]:
    """Up to `MOST` columns of a pool, one after the other, by squared error on inner folds of some rows.

    A linear fit of ±1 stands in for the logistic one: its sums of products add up over folds, so that trying a column
    costs one small system of equations.
    """
    x = data.table.loc[rows, pool].to_numpy()
    x = (x - x.mean(axis=0)) / np.maximum(x.std(axis=0), 1e-9)
    x = np.column_stack([x, np.ones(len(rows)), np.where(data.same[rows], 1, -1)])
    fold, weight = folds(data.group[rows], INNER, seed), balanced(data.same[rows])
    held = np.array(
        [(x[fold == k] * weight[fold == k, None]).T @ x[fold == k] for k in range(INNER)]
    )
    one = len(pool)

    def error(columns: list[int]) -> float:
        own = np.ix_(range(INNER), [*columns, one, one + 1], [*columns, one, one + 1])
        there, rest = held[own], (held.sum(axis=0) - held)[own]
        ridge = np.diag([1.0] * len(columns) + [0.0])
        b = np.linalg.solve(rest[:, :-1, :-1] + ridge, rest[:, :-1, -1:])
        b = np.concatenate([b, np.full((INNER, 1, 1), -1.0)], axis=1)  # of fit less truth
        return float((b.transpose(0, 2, 1) @ there @ b).sum())

    columns: list[int] = []
    least = np.inf
    while len(columns) < MOST:
        errors = {i: error([*columns, i]) for i in range(one) if i not in columns}
        best = min(errors, key=errors.get)
        if errors[best] >= least:
            break
        columns, least = [*columns, best], errors[best]
    return [pool[i] for i in columns]


def out_of_fold(
    data: Judged, rows: np.ndarray, fold: np.ndarray, columns_for: Callable[[np.ndarray], list[str]]
) -> np.ndarray:
    """The log-odds of each of some rows, by weights fitted on the other folds' rows without a stated label."""
    found = np.empty(len(rows))
    for k in np.unique(fold):
        training = rows[(fold != k) & ~data.stated[rows]]
        weights = trained(data, training, columns_for(training))
        found[fold == k] = weights.log_odds(data.table.loc[rows[fold == k]])
    return found


def repeated(data: Judged, columns_for: Callable[[np.ndarray], list[str]]) -> np.ndarray:
    """Log-odds out of fold: (repeats, pairs)."""
    rows = np.arange(len(data.same))
    return np.array(
        [out_of_fold(data, rows, folds(data.group, FOLDS, r), columns_for) for r in range(REPEATS)]
    )


def of_model(data: Judged, model: str) -> np.ndarray:
    """Log-odds by a model that is trained already, half of the pairs taken to mean the same: (1, pairs)."""
    return (log_odds(judge_of(model)(*data.texts)) - log_odds(SHARE))[None]


# -- figures -------------------------------------------------------------------------------------------------


def auc(z: np.ndarray, same: np.ndarray, times: np.ndarray) -> float:
    """Mean over repeats of the area under the ROC curve, pair i counting `times[i]` times."""
    high, low = z[:, same, None], z[:, None, ~same]
    above = ((high > low) + (high == low) / 2).mean(axis=0)
    return times[same] @ above @ times[~same] / (times[same].sum() * times[~same].sum())


def figures(z: np.ndarray, data: Judged, rows: np.ndarray, times: np.ndarray) -> dict[str, float]:
    z, same, clear, times = z[:, rows], data.same[rows], data.clear[rows], times[rows]
    right = ((z > 0) == same).mean(axis=0)
    weight = times / np.where(same, times[same].sum(), times[~same].sum()) / 2

    def balance(kept: np.ndarray) -> float:
        return np.mean(
            [np.average(right[k], weights=times[k]) for k in (kept & same, kept & ~same)]
        )

    found = {
        "AUC": auc(z, same, times),
        "clear": auc(z[:, clear], same[clear], times[clear]),
        "balanced": balance(np.ones(len(same), dtype=bool)),
        "bal. clear": balance(clear),
    }
    for name, shift, each in (("half", 0.0, weight), ("natural", NATURAL, times / times.sum())):
        p = sigmoid(z + shift)
        sure = np.maximum(p, 1 - p) > 0.88
        found[f"sure, {name}"] = (sure.mean(axis=0) * each).sum()
        correct = ((sure & ((p > 0.5) == same)).mean(axis=0) * each).sum()
        found[f"right, {name}"] = (
            correct / found[f"sure, {name}"] if found[f"sure, {name}"] else np.nan
        )
    return found


def with_errors(
    figure: Callable[[np.ndarray], dict[str, float]], group: np.ndarray
) -> dict[str, str]:
    """Figures of weighted pairs, and their standard errors: groups are drawn anew."""
    names, number = np.unique(group, return_inverse=True)
    rng, k = np.random.default_rng(0), len(names)
    drawn = pd.DataFrame(
        [figure(rng.multinomial(k, np.full(k, 1 / k))[number]) for _ in range(DRAWS)]
    )
    return {
        name: f"{value:.3f} ± {drawn[name].std():.3f}"
        for name, value in figure(np.ones(len(group))).items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.sameness", description=__doc__.split("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="holds qqp/judged.tsv and qqp/qqp_all.tsv.gz")
    parser.add_argument("--ship", action="store_true", help="write the weights fitted on all 573")
    parser.add_argument("--model", help="folder or hub id of a model that is trained already")
    args = parser.parse_args()
    data = judged(args.folder)
    teach, stated = np.flatnonzero(~data.stated), np.flatnonzero(data.stated)
    print(f"{len(teach)} pairs without a label, {data.same[teach].sum()} the same, in", end=" ")
    print(
        f"{len(np.unique(data.group[teach]))} groups; {len(stated)} stated positives, {data.same[stated].sum()} right"
    )

    def of_stated(z: np.ndarray, times: np.ndarray) -> float:
        return auc(z[:, stated], data.same[stated], times[stated])

    if args.model:
        z = of_model(data, args.model)
        rows = with_errors(
            lambda times: figures(z, data, teach, times) | {"stated": of_stated(z, times)},
            data.group,
        )
        show(
            "Pairs inside clusters; stated positives ranked by 1 − p (AUC)",
            pd.DataFrame({"model": rows}),
        )
        return

    used: Counter = Counter()

    def columns_for(rows: np.ndarray) -> list[str]:
        columns = chosen(data, rows, list(COLUMNS), seed=len(rows))
        used.update(columns)
        return columns

    scores = {
        "cosine": repeated(data, lambda _: ["cosine"]),
        "words": repeated(data, lambda rows: agreeing(data, rows)),
        "minilm": repeated(data, columns_for),
    }
    rows = {
        n: with_errors(lambda times, z=z: figures(z, data, teach, times), data.group)
        for n, z in scores.items()
    }
    show("Pairs inside clusters, out of fold", pd.DataFrame(rows))
    print(
        f"\nminilm, chosen in {REPEATS * FOLDS} folds:",
        ", ".join(f"{c} {n}" for c, n in used.most_common()),
    )

    parts = {}
    for part in np.unique(data.stratum[teach]):
        of_part = teach[data.stratum[teach] == part]
        same = data.same[of_part]
        parts[part] = {"pairs": len(of_part), "all the same": f"{same.mean():.3f}"} | {
            f"{figure}, {name}": f"{value:.3f}"
            for name, z in scores.items()
            for figure, value in (
                ("right", ((z[:, of_part] + NATURAL > 0) == same).mean()),
                (
                    "balanced",
                    np.mean(
                        [((z[:, of_part] > 0) == same)[:, same == s].mean() for s in (True, False)]
                    ),
                ),
                ("AUC", auc(z[:, of_part], same, np.ones(len(same)))),
            )
        }
    show("By part: right at the natural share, balanced at a half", pd.DataFrame(parts))

    aucs = with_errors(
        lambda times: {name: of_stated(z, times) for name, z in scores.items()}, data.group
    )
    show("Stated positives ranked by 1 − p: AUC", pd.DataFrame({"AUC": aucs}))
    for name in ("words", "minilm"):
        for share, shift in (("half", 0.0), ("natural", NATURAL)):
            table = calibration(scores[name][:, teach] + shift, data.same[teach], share)
            show(f"Calibration, {name}, share {share}", table)

    kept, alike = {}, np.ones(len(data.same))
    for name, columns in (
        ("words", agreeing(data, teach)),
        ("minilm", chosen(data, teach, list(COLUMNS), seed=0)),
    ):
        kept[name] = trained(data, teach, columns)
        table = {}
        for left_out in ("nothing", *columns):
            z = repeated(
                data, lambda _, out=left_out, columns=columns: [c for c in columns if c != out]
            )
            table[left_out] = figures(z, data, teach, alike) | {"stated": of_stated(z, alike)}
        shown = pd.DataFrame(table).T[["AUC", "clear", "balanced", "bal. clear", "stated"]]
        show(f"{name}, columns of all pairs left out one by one", shown.round(3))
        show(
            f"Weights, {name}, bias {kept[name].bias:.3f}",
            kept[name].table.set_index("column").round(3),
        )
    if args.ship:
        figures_of = json.loads(SHIPPED.read_text(encoding="utf-8")) | {
            n: w.figures() for n, w in kept.items()
        }
        SHIPPED.write_text(json.dumps(figures_of, indent=1) + "\n", encoding="utf-8")


def calibration(z: np.ndarray, same: np.ndarray, share: str) -> pd.DataFrame:
    """Pairs by probability: how many (mean of repeats), the mean probability, and the share that mean the same."""
    p, same = sigmoid(z).ravel(), np.tile(same, len(z))
    weight = balanced(same) if share == "half" else np.ones(len(same))
    rows = []
    for low, high in ((0, 0.12), (0.12, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.88), (0.88, 1.0001)):
        k = (p >= low) & (p < high)
        if k.any():
            means = [np.average(x[k], weights=weight[k]) for x in (p, same)]
            rows.append(
                (f"{low:.2f}–{min(high, 1):.2f}", round(k.sum() / REPEATS, 1), *np.round(means, 3))
            )
    return pd.DataFrame(rows, columns=["p", "pairs", "mean p", "same"]).set_index("p")


def show(title: str, table: pd.DataFrame) -> None:
    print(f"\n{title}\n{table.to_string()}", flush=True)


if __name__ == "__main__":
    main()
