"""Audits of 100 pairs: do their intervals hold, and does what they teach help?

``python -m benchmarks.audit DATA_FOLDER`` prints JSON. Everything goes through `audit`, `audited` and `repair`.

The graph is that of qqp_all, with the judged pairs of qqp/judged.tsv that nobody states put in as stated negatives:
then there are some 600 conflicts.

*Coverage*: labels made wrong at random at rates like those that readers found (`RATES`), and 1,000 audits in all of
three such truths. How often does the 95 % interval hold the true share? Which pairs are wrong is a hash of the pair,
so that unstated pairs, too, have one truth.

*Brier*: fifty audits, each 100 judged pairs of random components; δ is learned from the conflicts among them. The
Brier score of p_flip for the judged conflicts of all other components, against that without an audit, with words
alone. Twice: as they are (66 % the same), and with so many of those that are the same left out that half are, which
is exactly what δ supposes without an audit, so that learning can only cost.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from paragraph import ParaphraseGraph, audit, audited, read_pairs
from paragraph.graph.arrays import connected
from paragraph.graph.inference import infer
from paragraph.measure.strata import KINDS, Strata
from paragraph.repairs.proposals import Proposals

#: Shares of wrong labels by kind and size of cluster (≤ 2, 3–4, 5–9, ≥ 10).
RATES = {
    "positive": (0.04, 0.06, 0.10, 0.24), "negative": (0.01, 0.02, 0.04, 0.04), "conflict": (0, 0.6, 0.5, 0.4),
    "unstated": (0, 0.2, 0.3, 0.4),
}  # fmt: skip
AUDITS, DRAWN = 50, 100


def hashed(a: np.ndarray, b: np.ndarray, n: int, seed: int) -> np.ndarray:
    """A number in 0..1 for each unordered pair of nodes, the same whenever it is asked for (splitmix64)."""
    x = np.minimum(a, b).astype(np.uint64) * np.uint64(n) + np.maximum(a, b).astype(np.uint64)
    x = x + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return (x ^ (x >> np.uint64(31))).astype(float) / 2.0**64


class Truth:
    """Which labels of a graph are wrong: each pair by its kind's and size's rate, and its hash."""

    def __init__(self, graph: ParaphraseGraph, seed: int):
        self.graph, self.seed, self.strata = graph, seed, Strata(graph)
        self._rates = np.array(list(RATES.values()))
        self._node = {text: node for node, text in enumerate(graph.sentences.to_pylist())}

    def wrong(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        kind, size = self.strata.of(a, b)
        return hashed(a, b, self.graph.n, self.seed) < self._rates[kind, size]

    def shares(self) -> dict[str, float]:
        """The true share of wrong labels of each kind."""
        kind, _ = self.strata.of(self.graph.edge_a, self.graph.edge_b)
        wrong = self.wrong(self.graph.edge_a, self.graph.edge_b)
        found = {name: float(wrong[kind == k].mean()) for k, name in enumerate(KINDS) if (kind == k).any()}
        inferred = [self.wrong(batch.a, batch.b) for batch in infer(self.graph).batches() if batch.label[:1].any()]
        return found | {"unstated": float(np.concatenate(inferred).mean()), "all stated labels": float(wrong.mean())}

    def judge(self, sample: pd.DataFrame) -> pd.DataFrame:
        """The sample with true answers."""
        a, b = (sample[name].map(self._node).to_numpy() for name in ("text_a", "text_b"))
        label = np.array(list(KINDS.values()), dtype=bool)[self.strata.of(a, b)[0]]
        return sample.assign(same=(label ^ self.wrong(a, b)).astype(int))


def coverage(graph: ParaphraseGraph, audits: int) -> dict[str, dict[str, float]]:
    """By kind: the true share, how often the interval holds it, and its mean width."""
    rows = []
    for truth in (Truth(graph, seed) for seed in range(3)):
        shares = truth.shares()
        for seed in range(truth.seed, audits, 3):
            for row in audited(graph, truth.judge(audit(graph, DRAWN, seed))).table.itertuples():
                held = row.low - 1e-9 <= shares[row.kind] <= row.high + 1e-9
                rows.append((row.kind, shares[row.kind], held, row.high - row.low, row.share - shares[row.kind]))
            if seed % 100 == 0:
                print(f"{seed} of {audits}", file=sys.stderr, flush=True)
    table = pd.DataFrame(rows, columns=["kind", "share", "held", "width", "bias"])
    return table.groupby("kind", sort=False).mean().to_dict("index")


def judged_table(folder: Path) -> pd.DataFrame:
    """The pairs on which both readings agree: `text_a`, `text_b`, `same`, `stated`."""
    pairs = pd.read_csv(folder / "qqp" / "judged.tsv", sep="\t", keep_default_na=False)
    read = pairs[["reading1", "reading2"]].apply(lambda column: column.str.upper())
    agreed = (read["reading1"] == read["reading2"]) & read["reading1"].isin(["S", "D"])
    pairs = pairs.assign(same=(read["reading1"] == "S").astype(int))[agreed]
    pairs = pairs.rename(columns={"question1": "text_a", "question2": "text_b"})
    return pairs[["text_a", "text_b", "same", "stated"]].reset_index(drop=True)


def with_conflicts(pairs: pd.DataFrame, texts: pd.DataFrame) -> ParaphraseGraph:
    """The graph of some pairs, and of those judged that nobody states, as negatives."""
    stated = texts.loc[texts["stated"] == "", ["text_a", "text_b"]].assign(label=0)
    return ParaphraseGraph.from_pairs(pd.concat([pairs[["text_a", "text_b", "label"]], stated], ignore_index=True))


def brier(graph: ParaphraseGraph, texts: pd.DataFrame, half: bool) -> dict[str, float]:
    """The mean Brier score on other components without an audit and with one, and how many audits made it worse."""
    known = set(graph.sentences.to_pylist())
    texts = texts[texts["text_a"].isin(known) & texts["text_b"].isin(known)]
    if half:  # of those that are conflicts; others teach nothing of δ
        same = texts.index[(texts["stated"] == "") & (texts["same"] == 1)]
        surplus = 2 * len(same) - int((texts["stated"] == "").sum())
        texts = texts.drop(np.random.default_rng(0).choice(same, surplus, replace=False))
    texts = texts.reset_index(drop=True)
    ends = [np.array([graph.node(text) for text in texts[name]]) for name in ("text_a", "text_b")]
    component = connected(graph.n, graph.edge_a, graph.edge_b)[ends[0]]
    edge = graph.edge_index.places(*ends)
    usable = edge >= 0  # the rest is stated in another file
    conflict = (texts["stated"] == "").to_numpy() & usable & graph.within[edge]
    plain = Proposals(graph).p_flip()
    found, judged = [], texts.drop(columns="stated")
    for seed in range(AUDITS):
        rng = np.random.default_rng(seed)
        order = rng.permutation(np.unique(component))
        rank = np.empty(component.max() + 1, dtype=np.int64)
        rank[order] = np.arange(len(order))
        first = np.argsort(rank[component], kind="stable")
        drawn = first[usable[first]][:DRAWN]
        others = conflict & ~np.isin(component, component[drawn])
        proposals = Proposals(graph, audit=judged.iloc[drawn])
        truth = texts["same"].to_numpy()[others]
        scores = [np.mean((p[edge[others]] - truth) ** 2) for p in (plain, proposals.p_flip())]
        found.append((*scores, proposals.delta.value, proposals.delta.judged))
    without, after, delta, count = np.array(found).T
    change = after - without
    return {
        "without": without.mean(), "with an audit": after.mean(), "change": change.mean(),
        "standard deviation of the change": change.std(ddof=1), "worse": float((change > 0).sum()),
        "delta": delta.mean(), "judged conflicts": count.mean(),
    }  # fmt: skip


def write(found: dict[str, dict], folder: Path) -> None:
    """Keep what was measured."""
    folder.mkdir(parents=True, exist_ok=True)
    rounded = json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 4))
    (folder / "audit.json").write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.audit", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="holds qqp/judged.tsv and qqp/qqp_all.tsv.gz")
    parser.add_argument("--audits", type=int, default=1000, help="simulated audits (default: 1,000)")
    args = parser.parse_args()
    texts = judged_table(args.folder)
    graph = with_conflicts(read_pairs(args.folder / "qqp" / "qqp_all.tsv.gz"), texts)
    found = {
        "coverage": coverage(graph, args.audits),
        "Brier score, as they are": brier(graph, texts, half=False),
        "Brier score, half the same": brier(graph, texts, half=True),
    }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
