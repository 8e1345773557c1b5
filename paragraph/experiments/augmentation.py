"""Are altered training sentences good training data: paraphrases, or phrases in another order?

Table 8 of Wang et al. (2022) in miniature; Takahagi and Shinnou (2023), Tables 6 and 7, with controls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from ..japanese.parse import Parses
from ..japanese.shuffle import augment_by_shuffling
from ..learn.text.paraphrases import Paraphraser
from ..measure.scoring import scores
from .grid import Model, Seeds
from .runs import run_cells, table_hash

__all__ = ["augmentation", "augmented", "compare", "gains", "gains_over_none", "stratified"]

VALIDATION = {"entailment": 100, "contradiction": 75, "neutral": 325}  # as in Table 4


def augmented(pairs: pd.DataFrame, paraphraser: Paraphraser, *, progress: bool = True) -> pd.DataFrame:
    """Add to the pairs each with one of its sentences paraphrased, its label kept: `text_a`, `text_b`, `label`."""
    pairs = pairs[["text_a", "text_b", "label"]]
    found = paraphraser.paraphrases([*pairs["text_a"], *pairs["text_b"]], 1, progress=progress)
    other = found.set_index("text")["paraphrase"]
    sides = [pairs.assign(**{side: pairs[side].map(other)}) for side in ("text_a", "text_b")]
    more = pd.concat(sides).dropna()
    return pd.concat([pairs, more[more["text_a"] != more["text_b"]]], ignore_index=True)


def augmentation(
    train: pd.DataFrame,
    test: pd.DataFrame,
    paraphrasers: Mapping[str, Paraphraser],
    model: Model = "embedding",
    rows: int = 500,
    seeds: Seeds = 5,
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """Score a model that is trained with and without paraphrases on the test pairs.

    Each seed draws `rows` training pairs, the same for all sets, and is the model's.

    Parameters
    ----------
    paraphrasers : dict
        By the name of a set. ``"none"`` is a set without paraphrases.
    model : name or callable
        As for `learn.make_model`.

    Returns
    -------
    DataFrame
        A row a set: `rows` (mean over seeds), `accuracy` and `F1` (mean and, as `… sd`, deviation over seeds),
        `gain` in accuracy over none with its 95 % interval `low`, `high` (Student's t, paired by seed).
    """
    from ..learn.pairs import make_model

    table = []
    for seed in range(seeds) if isinstance(seeds, int) else seeds:
        order = np.random.default_rng(seed).permutation(len(train))[:rows]
        drawn = train.iloc[order][["text_a", "text_b", "label"]]
        for name, maker in {"none": None, **paraphrasers}.items():
            pairs = augmented(drawn, maker, progress=progress) if maker else drawn
            found = scores(test["label"], make_model(model, seed).fit(pairs).predict_proba(test))
            table.append({"set": name, "rows": len(pairs), "accuracy": found["accuracy"], "F1": found["F1"]})
    by_set = pd.DataFrame(table).groupby("set", sort=False)
    result = by_set.mean().join(by_set[["accuracy", "F1"]].std().add_suffix(" sd"))
    each = pd.DataFrame({name: part["accuracy"].to_numpy() for name, part in by_set})
    return result.join(gains(each))


def gains(each: pd.DataFrame, base: str = "none") -> pd.DataFrame:
    """Return the gain of columns over `base`, paired by row: `gain`, 95 % interval `low`, `high` (Student)."""
    from scipy.stats import t

    gain = each.drop(columns=base).sub(each[base], axis=0)
    half = t.ppf(0.975, len(gain) - 1) * gain.sem()
    return pd.DataFrame({"gain": gain.mean(), "low": gain.mean() - half, "high": gain.mean() + half})


# -- phrases in another order --------------------------------------------------------------------------


def stratified(pairs: pd.DataFrame, seed: int, sizes: Mapping[str, int] = VALIDATION) -> list[pd.DataFrame]:
    """Draw so many pairs of each label for validation; return training and validation pairs."""
    rng, held = np.random.default_rng(seed), np.zeros(len(pairs), bool)
    for label, n in sizes.items():
        held[rng.choice(np.flatnonzero(pairs["entailment"] == label), n, replace=False)] = True
    return [pairs[~held].reset_index(drop=True), pairs[held].reset_index(drop=True)]


def compare(
    pairs: pd.DataFrame, test: pd.DataFrame, model: str | PathLike | Callable[[int, list[str]], Any],
    rephrased: Mapping[str, pd.DataFrame] | None = None,
    augmentations: Sequence[str] = ("none", "paper", "strict", "phrases", "words"), seeds: Iterable[int] = range(5),
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
    from ..learn.pairs.cross_encoder import FineTuned

    parses, rephrased = parses or Parses(), rephrased or {}
    make = model if callable(model) else lambda seed, texts: FineTuned(model=model, seed=seed)

    def compute(cell: str) -> dict[str, np.ndarray]:
        rule, seed = cell.split()[0], int(cell.split()[1])
        rows, dev = stratified(pairs, seed, sizes)
        known = {*rows["text_a"], *rows["text_b"]}
        rows = rows if rule == "none" else augment(rows, seed=seed, rule=rule, parses=parses)
        new = {*rows["text_a"], *rows["text_b"]} & {*test["text_a"], *test["text_b"]} - known
        fitted = make(seed, sorted(known)).fit(rows, dev)
        right = fitted.predict(test) == test["entailment"]
        found = {"rows": len(rows), "test_sentences": len(new), "accuracy": right.mean()}
        found |= right.groupby(test["entailment"]).mean()
        for name, table in rephrased.items():
            said = fitted.predict(table)
            found[f"accuracy_{name}"] = (said == table["entailment"]).mean()
            found[f"consistency_{name}"] = (said == fitted.predict(table.assign(text_a=table["original"]))).mean()
        return {name: np.asarray(value) for name, value in found.items()}

    plan = {"model": getattr(model, "__name__", str(model)), "sizes": dict(sizes), "parses": parses.name}
    plan |= {"data": [table_hash(table.assign(label=pd.NA)) for table in (pairs, test, *rephrased.values())]}
    done = run_cells([f"{rule} {seed}" for seed in seeds for rule in augmentations], compute, plan, path)
    rows = [(*cell.split(), *(value.item() for value in found.values())) for cell, found in done.items()]
    return pd.DataFrame(rows, columns=["augmentation", "seed", *next(iter(done.values()))]).astype({"seed": int})


def gains_over_none(table: pd.DataFrame) -> pd.DataFrame:
    """Return the gain of each augmentation over none in each figure, paired by seed; columns as of `gains`."""
    figures = table.columns.drop(["augmentation", "seed", "rows", "test_sentences"])
    found = {name: gains(table.pivot(index="seed", columns="augmentation", values=name)) for name in figures}
    return pd.concat(found, names=["figure"]).reset_index()
