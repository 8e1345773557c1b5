"""Are phrases in another order good training data? Takahagi and Shinnou (2023), Tables 6 and 7, with controls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..pairs.errors import intact
from ..pairs.fetching import default_folder
from ..pairs.parses import Parses
from ..pairs.shuffling import augment_by_shuffling
from ..words import japanese
from .augmentation import gains
from .runs import run_cells, table_hash

__all__ = ["compare", "differences", "jsick", "stratified"]

#: Validation pairs of each label in Table 4.
VALIDATION = {"entailment": 100, "contradiction": 75, "neutral": 325}


def jsick(folder: str | PathLike | None = None) -> dict[str, pd.DataFrame]:
    """JSICK and JSICK-stress, in ``jsick/`` of the data folder, as `compare` takes them.

    `ga_de`, `ga_ni`: the premise scrambled, labels as before; by people the labels of `o`, scrambled, `c`, particles
    swapped, and `d`, particles left out. PairsError where a file is missing or another.
    """
    names = {"sentence_A_Ja": "text_a", "sentence_B_Ja": "text_b", "entailment_label_Ja": "entailment"}
    names["sentence_A_Ja_origin"] = "original"
    folder = Path(folder or default_folder(), "jsick")
    with intact(folder, "fetch JSICK with JSICK-stress anew"):
        data = {}
        for name in ("train", "test", "stress/scrum_ga_de", "stress/scrum_ga_ni", "stress/all-annotations"):
            found = pd.read_csv(folder / f"{name}.tsv.gz", sep="\t", dtype="str", keep_default_na=False, quoting=3)
            data[name.removeprefix("stress/scrum_")] = found.rename(columns=names)
        # Their origin has swapped particles; the premise before the scramble is in the test pair of the same letters.
        before = {(b, *sorted(a)): a for a, b in zip(data["test"]["text_a"], data["test"]["text_b"], strict=True)}
        for table in (data["ga_de"], data["ga_ni"]):
            table["original"] = [before[b, *sorted(a)] for a, b in zip(table["text_a"], table["text_b"], strict=True)]
        return data | dict(list(data.pop("stress/all-annotations").groupby("rephrase_type")))


def stratified(pairs: pd.DataFrame, seed: int, sizes: dict[str, int] = VALIDATION) -> list[pd.DataFrame]:
    """Training and validation pairs, so many of each label for validation."""
    rng, held = np.random.default_rng(seed), np.zeros(len(pairs), bool)
    for label, n in sizes.items():
        held[rng.choice(np.flatnonzero(pairs["entailment"] == label), n, replace=False)] = True
    return [pairs[~held].reset_index(drop=True), pairs[held].reset_index(drop=True)]


def compare(
    data: dict[str, pd.DataFrame],
    augmentations: Sequence[str] = ("none", "paper", "strict", "phrases", "words"),
    seeds: Iterable[int] = range(5),
    model: str | PathLike | Callable[[int, list[str]], Any] = "order",
    sizes: dict[str, int] = VALIDATION,
    augment: Callable[..., pd.DataFrame] = augment_by_shuffling,
    parses: Parses | None = None,
    path: str | PathLike | None = None,
) -> pd.DataFrame:
    """A model trained with and without pairs in other orders: with one seed, the same split, weights, updates.

    Parameters
    ----------
    data : dict of DataFrame
        `train`, `test` (`text_a`, `text_b`, `entailment`) and others, where `original` is `text_a` before it was
        rephrased.
    augmentations : sequence of str
        "none", and rules of `augment`.
    model : "order", "bag", path or callable
        A small network, the same blind to order, a hub id (the paper's are "cl-tohoku/bert-base-japanese-v2" and
        "rinna/japanese-roberta-base") or folder to be fine-tuned, or a model from a seed and training texts.
    sizes : dict
        Training pairs of each label that are held out for validation.
    path : path, optional
        Where finished cells are kept: see `run_cells`.

    Returns
    -------
    DataFrame
        A row for each augmentation and seed: `rows`, `test_sentences` (generated, in the test set, not in training),
        `accuracy` on the test set and of each label; of other tables `consistency_…`, the share of predictions that
        are those of the original, and `accuracy_…`. Consistency alone rewards who ignores order.
    """
    parses, make = parses or Parses(), _maker(model)

    def compute(cell: str) -> dict[str, np.ndarray]:
        rule, seed = cell.split()[0], int(cell.split()[1])
        rows, dev = stratified(data["train"], seed, sizes)
        known = {*rows["text_a"], *rows["text_b"]}
        rows = rows if rule == "none" else augment(rows, seed=seed, rule=rule, parses=parses)
        new = {*rows["text_a"], *rows["text_b"]} & {*data["test"]["text_a"], *data["test"]["text_b"]} - known
        fitted, found = make(seed, sorted(known)).fit(rows, dev), {"rows": len(rows), "test_sentences": len(new)}
        for name, table in data.items():
            if name == "train":
                continue
            said = fitted.predict(table)
            right = said == table["entailment"]
            if "original" in table:
                found[f"accuracy_{name}"] = right.mean()
                found[f"consistency_{name}"] = (said == fitted.predict(table.assign(text_a=table["original"]))).mean()
            else:
                found |= {"accuracy": right.mean(), **right.groupby(table["entailment"]).mean()}
        return {name: np.asarray(value) for name, value in found.items()}

    plan = {name: table_hash(table.assign(label=pd.NA)) for name, table in data.items()}
    plan |= {"model": getattr(model, "__name__", str(model)), "sizes": sizes, "parses": parses.name}
    done = run_cells([f"{rule} {seed}" for seed in seeds for rule in augmentations], compute, plan, path)
    names = pd.DataFrame([cell.split() for cell in done], columns=["augmentation", "seed"])
    return names.join(pd.DataFrame([{name: value.item() for name, value in each.items()} for each in done.values()]))


def differences(table: pd.DataFrame) -> pd.DataFrame:
    """What each augmentation has over none in each figure, paired by seed: `gain`, 95 % interval `low`, `high`."""
    figures = table.columns.drop(["augmentation", "seed", "rows", "test_sentences"])
    found = {name: gains(table.pivot(index="seed", columns="augmentation", values=name)) for name in figures}
    return pd.concat(found, names=["figure"]).reset_index()


def _maker(model: Any) -> Callable[[int, list[str]], Any]:
    from ..learn.label_models import FineTuned, OrderModel, word_vectors

    def small(seed: int, texts: list[str]) -> OrderModel:
        vectors = word_vectors(sorted({word for text in texts for word in words(text)}), japanese.vector)
        return OrderModel(seed=seed, words=words, vectors=vectors, blind=model == "bag")

    words = cache(japanese.words)
    if callable(model):
        return model
    return small if model in ("order", "bag") else lambda seed, _: FineTuned(model=model, seed=seed)
