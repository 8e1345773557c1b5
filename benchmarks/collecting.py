"""Which way of collecting labels is worth what on all pairs? (Mussmann, Jia and Liang 2020, in miniature.)

``python -m benchmarks.collecting qqp DATA_FOLDER OUT SEEDS LR [STRATEGIES]`` simulates on whole components of
``qqp_all``, 8,000 sentences for each of train, dev and test; 512 questions at first, 4 rounds, 100 neighbours, a bag
of words. ``minilm`` does the same on MiniLM's vectors. SEEDS is a list like 0,1,2; LR a
number, or strategy=number by commas. The tables go to OUT. ``python -m benchmarks.collecting join OUT TABLE``
puts together what runs have left in OUT; ``data/results/collecting.tsv`` is what *Collecting labels* reads.
``python -m benchmarks.collecting gap DATA_FOLDER TABLE`` scores two models, trained on the stated pairs of train, on
the stated pairs of test and on all pairs of test, the latter from near pairs and 200,000 random ones.

Learning rates are chosen for each strategy by the average precision on dev after the last round with seed 0.
Intervals of a difference are by component: both scores are drawn anew with the same Poisson weights, 200 times.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import paragraph as pg
from paragraph.graph.arrays import connected
from paragraph.graph.identity import identify
from paragraph.papers.collection.all_pairs import AllPairs

SENTENCES, FIRST, ROUNDS, NEIGHBOURS = 8000, 512, 4, 100
PARTS = ("train", "dev", "test")
STRATEGIES = ("random", "static", "adaptive", "uncertainty")


def parts_of(folder: Path) -> pd.DataFrame:
    return miniature(pg.read_pairs(folder / "qqp/qqp_all.tsv.gz"), SENTENCES)


def miniature(pairs: pd.DataFrame, sentences: int, seed: int = 0) -> pd.DataFrame:
    """Draw whole components, about this many sentences for each of train, dev and test: the column `split`."""
    found = identify(pairs)
    component = connected(len(found.texts), found.a, found.b)
    size = np.bincount(component)
    order = np.random.default_rng(seed).permutation(len(size))
    part = np.full(len(size), -1)
    part[order] = np.minimum((np.cumsum(size[order]) - 1) // max(1, sentences), len(PARTS))
    place = part[component[found.a]]
    names = np.array([*PARTS, ""], dtype=object)[place]
    return pairs.assign(split=names)[place < len(PARTS)].reset_index(drop=True)


def draws(scores: list[AllPairs], count: int = 200, seed: int = 0) -> np.ndarray:
    """The average precisions of several scores of one world under the same draws of components: (count, scores)."""
    found = np.empty((count, len(scores)))
    for column, score in enumerate(scores):
        rng, table = np.random.default_rng(seed), score.sample.sort_values("score", ascending=False)
        units = score.world.unit
        a, b = (units[nodes] for nodes in score.world.ends(table["rank"].to_numpy()))
        positive, weight = table["positive"].to_numpy(), table["weight"].to_numpy()
        last = np.append(np.flatnonzero(np.diff(table["score"])), len(table) - 1)
        for row in range(count):
            times = rng.poisson(1, int(units.max()) + 1)
            often = weight * np.where(a == b, times[a], times[a] * times[b])
            hits, pairs = np.cumsum(often * positive)[last], np.cumsum(often)[last]
            found[row, column] = (
                np.diff(hits, prepend=0) @ (hits / np.maximum(pairs, 1e-9)) / max(hits[-1], 1e-9)
            )
    return found


def run(
    what: str,
    folder: Path,
    out: Path,
    seeds: list[int],
    lr: dict[str, float],
    strategies: list[str],
) -> None:
    options = {"encoder": "minilm" if what == "minilm" else "bow", "rounds": ROUNDS, "first": FIRST}
    found = pg.simulate(
        parts_of(folder), strategies, seeds=seeds, lr=lr, neighbours=NEIGHBOURS, **options
    )
    found.table["lr"] = found.table["strategy"].map(lr)
    rates = "-".join(f"{value:g}" for value in sorted({*lr.values()}))
    stem = f"{what}-{'-'.join(strategies)}-{'-'.join(map(str, seeds))}-{rates}"
    found.table.assign(world=what).to_csv(out / f"{stem}.runs.tsv", sep="\t", index=False)
    rows = []
    for seed in seeds:
        scores = {strategy: found.scores[strategy, seed] for strategy in strategies}
        drawn = draws([*scores.values()])
        for at, (one, score) in enumerate(scores.items()):
            rows.append((what, seed, one, "", score.ap, *np.percentile(drawn[:, at], [2.5, 97.5])))
            for to, (other, less) in enumerate(scores.items()):
                if to < at:
                    ends = np.percentile(drawn[:, at] - drawn[:, to], [2.5, 97.5])
                    rows.append((what, seed, one, other, score.ap - less.ap, *ends))
    columns = ["world", "seed", "strategy", "less", "ap_test", "low", "high"]
    pd.DataFrame(rows, columns=columns).to_csv(out / f"{stem}.intervals.tsv", sep="\t", index=False)


def gap(folder: Path, table: Path) -> None:
    parts, rows = parts_of(folder), []
    train, test = (
        pg.ParaphraseGraph.from_pairs(parts[parts["split"] == name]) for name in ("train", "test")
    )
    near = {"vectors": pg.learn.encode(test.sentences.to_pylist()), "near": 50, "random": 200_000}
    for name in ("tfidf", "embedding"):
        score = pg.papers.all_pairs(
            test, scores=pg.papers.make_model(name).fit(train.pairs).predict_proba, **near
        )
        label, said = score.stated()
        sure = score.sample[score.sample["score"] >= 0.5]
        precision = label[said >= 0.5].mean(), np.average(sure["positive"], weights=sure["weight"])
        stated = score.balanced()["average precision"]
        rarity = score.world.size, len(score.world.positives)
        rows.append((name, *rarity, stated, score.ap, score.low, score.high, *precision))
    columns = [
        "model",
        "pairs",
        "positives",
        "AP, stated",
        "AP, all",
        "low",
        "high",
        "right, stated",
        "right, all",
    ]
    pd.DataFrame(rows, columns=columns).round(3).to_csv(table, sep="\t", index=False)


def joined(out: Path, table: Path) -> None:
    for kind in ("runs", "intervals"):
        every = [pd.read_csv(path, sep="\t") for path in sorted(out.glob(f"*.{kind}.tsv"))]
        found = pd.concat(every, ignore_index=True).drop_duplicates()
        found.round(5).to_csv(table.with_suffix(f".{kind}.tsv"), sep="\t", index=False)


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    if what == "join":
        joined(*map(Path, rest))
    elif what == "gap":
        gap(*map(Path, rest))
    else:
        folder, out, seeds, rate, *named = rest
        chosen = named[0].split(",") if named else list(STRATEGIES)
        rates = (
            dict(part.split("=") for part in rate.split(","))
            if "=" in rate
            else dict.fromkeys(chosen, rate)
        )
        rates = {name: float(value) for name, value in rates.items()}
        run(what, Path(folder), Path(out), [int(seed) for seed in seeds.split(",")], rates, chosen)
