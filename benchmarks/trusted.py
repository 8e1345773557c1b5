"""Does it help training to leave out labels that are probably wrong: those that follow, those that are stated?

``python -m benchmarks.trusted DATA_FOLDER OUT [SEEDS]`` trains *tfidf* and *embedding* on ``qqp_natural``, and tests
on Quora's pairs whose two blind readings agree; no component of these is trained on. Training sets: the rows as given
(*original*), with all that follows (*augmented*), with what follows and is right with a probability of at least .8 or
.9 (*sure*), and the rows as given without those whose p_wrong is .9 or more (*doubt*). Finished cells stay in OUT,
so that a run can be killed and goes on. The tables are ``OUT/trusted.tsv``, one row per model, training set and seed,
and ``OUT/trusted.differences.tsv``: the gain over *original*, over seeds and over test pairs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import paragraph as pg
from benchmarks.contrastive import judged_pairs
from benchmarks.five_ways import apart
from paragraph.papers.experiments.grid import between, run_grid
from paragraph.papers.experiments.resampling import row_keys, units_of
from paragraph.papers.experiments.sets import held_out, labelled

METRICS = ["accuracy", "average precision"]
FIGURES = ["difference", "low", "high", "pairs low", "pairs high", "detectable", "pairs detectable"]


def trainings(
    graph: pg.ParaphraseGraph, reader: Any, sure: Sequence[float] = (0.8, 0.9), doubt: float = 0.9
) -> dict[str, pd.DataFrame]:
    """The training sets by name; `reader` reads the sentences for `trust` and `suspects`."""
    closure = pg.infer(graph)
    both = pg.four_datasets(closure)
    found = {"original": labelled(both["original"]), "augmented": both["augmented"]}
    for level in sure:
        found[f"sure {level:g}"] = pg.four_datasets(pg.trust(closure, reader, sure=level))[
            "augmented"
        ]
    listed = pg.suspects(graph, judge=reader)
    keys, doubted = row_keys(found["original"], listed[listed["p_wrong"] >= doubt])
    return found | {
        f"doubt {doubt:g}": found["original"][~np.isin(keys, doubted)].reset_index(drop=True)
    }


def main(folder: str, out: str, seeds: str = "10") -> None:
    judged = judged_pairs(Path(folder, "qqp"), 2526)
    rest = apart(pg.read_pairs(Path(folder, "qqp", "qqp_natural.tsv.gz")), judged)
    graph = pg.ParaphraseGraph.from_pairs(rest)
    units, tests = (
        units_of(graph),
        held_out(pg.ParaphraseGraph.from_pairs(judged), {"judged": judged}),
    )
    sets = units.mark(trainings(graph, "minilm"))
    scores, differences = [], []
    for model in ("tfidf", "embedding"):
        grid, table, _ = run_grid(
            "trusted labels", {"train": rest, "judged": judged}, model, int(seeds), {"reader": "minilm"}, sets,
            units=units, tests=tests, results=Path(out, f"trusted_{model}"),
        )  # fmt: skip
        gains = between(
            grid, table, tests, [("original", name) for name in sets if name != "original"], METRICS
        )
        scores.append(
            table.assign(model=model)[
                ["model", "train_set", "seed", "accuracy", "F1", "average precision"]
            ]
        )
        gains = gains.sort_values("metric", kind="stable").assign(model=model)
        differences.append(gains[["model", "metric", "train_set", *FIGURES]])
    for name, tables in (("trusted", scores), ("trusted.differences", differences)):
        pd.concat(tables).round(5).to_csv(Path(out, f"{name}.tsv"), sep="\t", index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
