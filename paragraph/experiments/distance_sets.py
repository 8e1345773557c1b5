"""The baseline and the nine datasets augmented to growing distance (Jurišić et al. 2023, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.closure import infer
from ..measure.resampling import Units, row_keys, units_of
from .sets import labelled

__all__ = ["BASELINE", "DATASETS", "HARDEST", "ROUNDS", "TIMES", "GridSets", "make_grid_sets"]

#: Positives up to this round, by name of the row.
ROUNDS = {"1": 1, "1-2": 2, "all": None}
#: Inferred negatives for each inferred positive.
TIMES = (0, 1, 2)
#: The nine augmented datasets by name: row and column of the paper's table.
DATASETS = {f"{rows} x{times}": (rows, times) for rows in ROUNDS for times in TIMES}
BASELINE = "baseline"
#: The dataset with most negatives: models trained on it should have learned them.
HARDEST = "all x2"


@dataclass(frozen=True)
class GridSets:
    """The result of `make_grid_sets`."""

    train: dict[str, pd.DataFrame]  #: by name: `text_a`, `text_b`, `label`, `unit_a`, `unit_b`
    units: Units  #: what a bootstrap draws
    inferred: pd.DataFrame  #: what follows and is in neither dev nor test: `text_a`, `text_b`, `label`, `distance`
    negatives: pd.DataFrame  #: those of them that "all x2" holds as negatives
    rounds: pd.DataFrame  #: labels inferred in each round, and how many of them are in dev or test
    datasets: pd.DataFrame  #: what was added to each dataset, and what was wanted


def make_grid_sets(
    train: pd.DataFrame,
    held_out: Sequence[pd.DataFrame],
    *,
    negatives: str = "all",
    seed: int = 0,
) -> GridSets:
    """The baseline and the nine augmented datasets.

    To the rows as given come the positives inferred in round 1, in rounds 1 and 2, or in all; and for each of them
    no, one or two inferred negatives of the same rounds, as far as there are so many. The paper does not say how
    its negatives were chosen: here they are a uniform sample, and the sample for one is part of the sample for
    two. Inferred pairs that are stated in a held-out table, whatever the label, are left out first.
    """
    graph = ParaphraseGraph.from_pairs(train)
    closure = infer(graph, negatives=negatives)
    found = closure.to_frame()
    given = labelled(train)
    of_found, *of_held_out = row_keys(found, *held_out)
    seen = np.isin(of_found, np.concatenate([np.empty(0, np.int64), *of_held_out]))
    kind = found["label"].map({1: "positive", 0: "negative"}).rename("sign")
    rounds = (
        pd.DataFrame({"sign": kind, "distance": found["distance"], "inferred": 1, "in dev or test": seen.astype(int)})
        .groupby(["sign", "distance"], sort=True)
        .sum()
        .reset_index()
        .sort_values(["sign", "distance"], ascending=[False, True], ignore_index=True)
    )
    inferred = found[~seen].reset_index(drop=True)

    rng = np.random.default_rng(seed)
    tables, rows = {BASELINE: given}, [(BASELINE, "none", 0, len(given), 0, 0, 0, 0)]
    used = inferred.iloc[:0]
    for name, limit in ROUNDS.items():
        near = inferred if limit is None else inferred[inferred["distance"] <= limit]
        positive, available = near[near["label"] == 1], near[near["label"] == 0]
        order = rng.permutation(len(available))
        for times in TIMES:
            wanted = times * len(positive)
            drawn = available.iloc[np.sort(order[:wanted])]
            columns = ["text_a", "text_b", "label"]
            tables[f"{name} x{times}"] = pd.concat([given, positive[columns], drawn[columns]], ignore_index=True)
            rows.append(
                (f"{name} x{times}", name, times, len(given), len(positive), wanted, len(available), len(drawn))
            )
            used = drawn
    columns = ["dataset", "rounds", "times", "stated", "positives", "negatives wanted", "available", "negatives"]
    units = units_of(graph)
    return GridSets(
        units.mark(tables),
        units,
        inferred,
        used.reset_index(drop=True),
        rounds,
        pd.DataFrame(rows, columns=columns),
    )
