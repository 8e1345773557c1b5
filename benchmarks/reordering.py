"""Sentences with their phrases in another order as training data.

Takahagi and Shinnou (2023), Tables 6 and 7, with controls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.fine_tuned import Entailment
from paragraph.papers.experiments.runs import run_cells, table_hash
from paragraph.papers.japanese.parse import Parses
from paragraph.papers.japanese.shuffle import VALIDATION, augment_by_shuffling, stratified

__all__ = ["compare", "gains", "gains_over_none"]


def compare(
    pairs: pd.DataFrame, test: pd.DataFrame, model: str | PathLike | Callable[[int, list[str]], Any],
    rephrased: Mapping[str, pd.DataFrame] | None = None,
    augmentations: Sequence[str] = ("none", "paper", "phrases", "words"), seeds: Iterable[int] = range(5),
    sizes: Mapping[str, int] = VALIDATION, augment: Callable[..., pd.DataFrame] = augment_by_shuffling,
    parses: Parses | None = None, path: str | PathLike | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Train a model with and without pairs in other orders: with one seed, the same split, weights, updates.

    Parameters
    ----------
    pairs, test : DataFrame
        With `text_a` (the premise), `text_b`, `entailment`; of `pairs`, `sizes` of each label are for validation.
        Tables in `rephrased` have also `original`, `text_a` as it was before.
    model : str, path or callable
        A hub id (in the paper "cl-tohoku/bert-base-japanese-v2" and "rinna/japanese-roberta-base") or folder, to be
        fine-tuned; or a model from a seed and training texts.
    augmentations : sequence of str
        "none", and rules of `augment`. Finished cells are kept at `path`: see `run_cells`.

    Returns
    -------
    DataFrame
        A row for each augmentation and seed: `rows`, `test_sentences` (generated, in the test set, not in training),
        `accuracy` on the test set and of each label; of what is rephrased `accuracy_…` and `consistency_…`, the share
        of predictions that are those of the original: alone, it rewards who ignores order.
    """
    parses, rephrased = parses or Parses(), rephrased or {}
    make = model if callable(model) else lambda seed, texts: Entailment(model, seed=seed)

    def compute(cell: str) -> dict[str, np.ndarray]:
        rule, seed = cell.split()[0], int(cell.split()[1])
        rows, dev = stratified(pairs, seed, sizes)
        known = {*rows["text_a"], *rows["text_b"]}
        rows = rows if rule == "none" else augment(rows, seed=seed, rule=rule, parses=parses)
        new = {*rows["text_a"], *rows["text_b"]} & {*test["text_a"], *test["text_b"]} - known
        fitted = make(seed, sorted(known)).fit(rows, dev)
        right = fitted.predict(test) == test["entailment"]
        figures = {"rows": len(rows), "test_sentences": len(new), "accuracy": right.mean()}
        figures |= right.groupby(test["entailment"]).mean()
        for name, table in rephrased.items():
            said = fitted.predict(table)
            figures[f"accuracy_{name}"] = (said == table["entailment"]).mean()
            before = fitted.predict(table.assign(text_a=table["original"]))
            figures[f"consistency_{name}"] = (said == before).mean()
        return {name: np.asarray(value) for name, value in figures.items()}

    plan = {"model": getattr(model, "__name__", str(model)), "sizes": dict(sizes)}
    plan |= {
        "data": [
            table_hash(table.assign(label=pd.NA)) for table in (pairs, test, *rephrased.values())
        ]
    }
    done = run_cells(
        [f"{rule} {seed}" for seed in seeds for rule in augmentations], compute, plan, path
    )
    rows = [
        (*cell.split(), *(value.item() for value in figures.values()))
        for cell, figures in done.items()
    ]
    return pd.DataFrame(rows, columns=["augmentation", "seed", *next(iter(done.values()))]).astype(
        {"seed": int}
    )


def gains_over_none(table: pd.DataFrame) -> pd.DataFrame:
    """Return the gain of each augmentation over none in each figure, paired by seed; columns as in `gains`."""
    figures = table.columns.drop(["augmentation", "seed", "rows", "test_sentences"])
    found = {
        name: gains(table.pivot(index="seed", columns="augmentation", values=name))
        for name in figures
    }
    return pd.concat(found, names=["figure"]).reset_index()


def gains(each: pd.DataFrame, base: str = "none") -> pd.DataFrame:
    """Return the gain of columns over `base`, paired by row: `gain`, 95 % interval `low`, `high` (Student)."""
    from scipy.stats import t

    gain = each.drop(columns=base).sub(each[base], axis=0)
    half = t.ppf(0.975, len(gain) - 1) * gain.sem()
    return pd.DataFrame(
        {"gain": gain.mean(), "low": gain.mean() - half, "high": gain.mean() + half}
    )
