"""Does it help an encoder that its batches, or its negatives, know the clusters? Quora's natural pairs, by component.

``OMP_NUM_THREADS=1 python -m benchmarks.contrastive DATA_FOLDER OUT [SEEDS]`` trains on seven tenths of
``qqp_natural``, ranks all pairs of the sentences of a hundredth, and scores 200 judged pairs. Finished cells are kept
in ``OUT/contrastive.cells``, so that a run can be killed and goes on. The tables are ``OUT/contrastive.tsv``, one row
per way and seed, and ``OUT/contrastive.differences.tsv``, with the least difference that the seeds would have shown.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pandas as pd

import paragraph as pg
from benchmarks.five_ways import contrastive
from paragraph.papers.experiments.significance import over_seeds

COMPARED = [(way, "random") for way in ("no duplicates", "clusters", "friends", "hard")]
COMPARED += [(way, "clusters") for way in ("friends", "hard")]


def part(pairs: pd.DataFrame, **shares: float) -> list[pd.DataFrame]:
    """Whole components of a table, in parts of about these shares."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        divided = pg.split(
            pairs, shares | {"rest": 1 - sum(shares.values())}, by="components", seed=0
        )
    return [
        divided[(divided["split"] == name).fillna(False)].drop(columns="split") for name in shares
    ]


def judged_pairs(folder: Path, count: int) -> pd.DataFrame:
    """Pairs whose two blind readings agree, at random."""
    files = [
        pd.read_csv(folder / name, sep="\t", keep_default_na=False)
        for name in ("judged.tsv", "judged_more.tsv")
    ]
    table = pd.concat(files).rename(columns={"question1": "text_a", "question2": "text_b"})
    said = table[["reading1", "reading2"]].apply(lambda column: column.str.upper())
    agreed = (said["reading1"] == said["reading2"]) & said["reading1"].isin(["S", "D"])
    table = table.assign(label=(said["reading1"] == "S").astype(int))[agreed]
    return table[["text_a", "text_b", "label"]].reset_index(drop=True).sample(count, random_state=0)


def differences(scores: pd.DataFrame) -> pd.DataFrame:
    """The gain of each way over another, in both measures, over the seeds of both, with `significance.over_seeds`."""
    rows = []
    for way, against in COMPARED:
        for metric in ("average precision", "AUC"):
            both = scores.pivot(index="seed", columns="way", values=metric)[[against, way]].dropna()
            left, right = both.to_numpy().T
            gain = {
                "way": way,
                "against": against,
                "metric": metric,
                "difference": right.mean() - left.mean(),
            }
            rows.append(gain | over_seeds(left, right))
    return pd.DataFrame(rows)


def main(folder: str, out: str, seeds: str = "5") -> None:
    pairs = pg.read_pairs(Path(folder, "qqp", "qqp_natural.tsv.gz"))
    train, test = part(pairs[pairs["label"].notna()], train=0.7, test=0.1)
    [test] = part(test, test=0.1)
    path = Path(out, "contrastive")
    judged = judged_pairs(Path(folder, "qqp"), 200)
    scores = contrastive(train, test, judged, seeds=range(int(seeds)), results=path)
    for name, table in (("", scores), (".differences", differences(scores))):
        table.round(6).to_csv(f"{path}{name}.tsv", sep="\t", index=False)
        print(table.to_string())


if __name__ == "__main__":
    main(*sys.argv[1:])
