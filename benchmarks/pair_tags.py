"""Tags learnt from pair labels alone: are they evidence for whether two sentences mean the same?

``python -m benchmarks.pair_tags DATA_FOLDER [SCALE]`` prints a table. A pair is no paraphrase if any word is lacked:
with P(1) of each word, the probability of a paraphrase is the product of all 1 − P (noisy-or). A small network on
the columns of the alignment tagger learns P so from labelled pairs of Quora and PAWS, without a tag. Its log-odds of
the pair and of the worst word then stand beside the columns of `repairs.sameness` (cosine, worst match, word
differences) in a logistic regression fitted on other pairs. Each dataset is divided by component into three: for the
network, for the regression, for the AUC. MQP only tests. Intervals of the gain in AUC: 200 draws of test components.

Measured: the gain is .027 [.018, .037] on Quora, .092 [.069, .118] on PAWS, .156 [.140, .171] on MQP (there the
columns alone have .698, for the regression learnt from PAWS to distrust them). On the 573 judged pairs of
``qqp/judged.tsv``, where labels are wrong by nature, it is nothing: .713 with `cosine` and `worst`, .713 with the
two columns beside them (ten repeats of ten folds by group). So they are no columns of `repairs.sameness`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import paragraph as pg
from paragraph.graph.arrays import connected
from paragraph.graph.identity import identify
from paragraph.repairs.sameness import sameness

#: Pairs for the network, the regression and the test.
SIZES = {"qqp": (4000, 2000, 3000), "paws": (4000, 1500, 1500), "mqp": (0, 0, 3000)}
FILES = {"qqp": "qqp/qqp_natural.tsv.gz", "paws": "paws/paws_wiki_dev.csv", "mqp": "mqp/mqp.csv"}
DRAWS, EPOCHS, BATCH = 200, 12, 64


def parts_of(pairs: pd.DataFrame, sizes: tuple[int, ...], seed: int) -> list[pd.DataFrame]:
    """Whole components at random, some so many pairs in each part; a column `component`."""
    pairs = pairs[pairs["label"].notna() & (pairs["text_a"] != pairs["text_b"])].reset_index(drop=True)
    found = identify(pairs)
    component = connected(len(found.texts), found.a, found.b)[found.a]
    rank = np.random.default_rng(seed).permutation(component.max() + 1)[component]
    order = np.argsort(rank, kind="stable")
    behind = np.cumsum(np.bincount(rank, minlength=component.max() + 1))
    before = behind[rank[order]] - np.bincount(rank)[rank[order]]  # pairs in the components that come first
    part = np.searchsorted(np.cumsum(sizes), before, side="right")
    table = pairs.iloc[order].assign(component=component[order])
    return [table[part == i][["text_a", "text_b", "label", "component"]] for i in range(len(sizes))]


def words_of(pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """The tagger's columns of all words, and the pair of each."""
    tagger = pg.learn.make_tagger("alignment", progress=False)
    columns = [
        each for each, _ in tagger._columns(pg.tags.untagged(pairs[["text_a", "text_b"]].reset_index(drop=True)))
    ]
    return np.concatenate(columns), np.repeat(np.arange(len(columns)), [len(each) for each in columns])


def noisy_or(x: np.ndarray, pair: np.ndarray, label: np.ndarray, seed: int = 0):
    """A network for the log-odds of each word, fitted to labels of pairs."""
    import torch

    torch.manual_seed(seed)
    mean, sd = x.mean(axis=0), x.std(axis=0) + 1e-6
    net = torch.nn.Sequential(torch.nn.Linear(x.shape[1], 32), torch.nn.ReLU(), torch.nn.Linear(32, 1))
    torch.nn.init.constant_(net[2].bias, -3.0)  # most words have a counterpart
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    first = np.searchsorted(pair, np.arange(len(label) + 1))
    values = torch.tensor((x - mean) / sd, dtype=torch.float32)
    rng = np.random.default_rng(seed)
    for _ in range(EPOCHS):
        for rows in np.array_split(rng.permutation(len(label)), max(1, len(label) // BATCH)):
            of = np.concatenate([np.arange(first[i], first[i + 1]) for i in rows])
            owner = torch.tensor(np.repeat(np.arange(len(rows)), first[rows + 1] - first[rows]))
            softplus = torch.nn.functional.softplus(net(values[of]).ravel())
            log_p = -torch.zeros(len(rows)).index_add(0, owner, softplus)  # of a paraphrase
            same = torch.tensor(label[rows], dtype=torch.float32)
            log_not = torch.log(-torch.expm1(log_p.clamp(max=-1e-6)))
            loss = -(same * log_p + (1 - same) * log_not).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    def log_odds(other: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            return net(torch.tensor((other - mean) / sd, dtype=torch.float32)).ravel().numpy()

    return log_odds


def evidence(log_odds: np.ndarray, pair: np.ndarray, n: int) -> np.ndarray:
    """Of each pair: the log-probability of a paraphrase, and the worst word."""
    total, worst = np.zeros(n), np.full(n, -20.0)
    np.add.at(total, pair, -np.logaddexp(0, log_odds))
    np.maximum.at(worst, pair, log_odds)
    return np.column_stack([np.maximum(total, -20), worst])


def auc(label: np.ndarray, score: np.ndarray, weight: np.ndarray) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(label, score, sample_weight=weight))


def main(folder: Path, scale: float = 1.0) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    sets = {}
    for name, sizes in SIZES.items():
        pairs = pg.read_pairs(folder / FILES[name])
        sets[name] = parts_of(pairs, tuple(int(scale * size) for size in sizes), seed=0)
    teach = pd.concat([parts[0] for parts in sets.values()], ignore_index=True)
    log_odds = noisy_or(*words_of(teach), teach["label"].to_numpy(dtype=float))

    def columns(pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        x, pair = words_of(pairs)
        base = sameness(pairs["text_a"].tolist(), pairs["text_b"].tolist(), "minilm", progress=False)
        return base.to_numpy(dtype=float), evidence(log_odds(x), pair, len(pairs))

    fitted = [part for part in (parts[1] for parts in sets.values()) if len(part)]
    rest, label = pd.concat(fitted, ignore_index=True), np.concatenate([part["label"] for part in fitted]).astype(int)
    base, more = columns(rest)
    models = [make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)) for _ in range(2)]
    for model, x in zip(models, (base, np.hstack([base, more])), strict=True):
        model.fit(x, label)
    rows = []
    for name, parts in sets.items():
        test = parts[2].reset_index(drop=True)
        base, more = columns(test)
        truth, unit = test["label"].to_numpy(dtype=int), pd.factorize(test["component"])[0]
        scores = [
            model.decision_function(x) for model, x in zip(models, (base, np.hstack([base, more])), strict=True)
        ]
        rng, gains = np.random.default_rng(0), []
        for _ in range(DRAWS):
            weight = rng.poisson(1, unit.max() + 1)[unit].astype(float)
            gains.append(auc(truth, scores[1], weight) - auc(truth, scores[0], weight))
        one = np.ones(len(test))
        rows.append({
            "test": name, "pairs": len(test), "noisy-or alone": auc(truth, more[:, 0], one),
            "without": auc(truth, scores[0], one), "with": auc(truth, scores[1], one),
            "gain": auc(truth, scores[1], one) - auc(truth, scores[0], one),
            "low": np.quantile(gains, 0.025), "high": np.quantile(gains, 0.975),
        })  # fmt: skip
    print(pd.DataFrame(rows).to_string(index=False, float_format="{:.4f}".format))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(float, sys.argv[2:]))
