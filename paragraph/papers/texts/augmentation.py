"""Paraphrases as training data: Table 8 of Wang et al. (2022) in miniature."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from ...measure.scoring import scores
from ..experiments.grid import Model, Seeds
from .paraphrases import Paraphraser

__all__ = ["augmentation", "augmented", "gains"]


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
        A row per set: `rows` (mean over seeds), `accuracy` and `F1` (mean and, as `… sd`, deviation over seeds),
        `gain` in accuracy over none with its 95 % interval `low`, `high` (Student's t, paired by seed).
    """
    from ..models import make_model

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
