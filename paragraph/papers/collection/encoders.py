"""Does it help an encoder of sentences that its batches, or its negatives, know the clusters?"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import count, islice
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import torch
from scipy.stats import mannwhitneyu
from torch import nn
from torch.nn import functional

from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ...graph.training import batches_of, training_sets
from ...learn.encoder import describe, load, load_tokenizer
from ...learn.tokens import Tokens, tokenize
from ...learn.vectors import pooled
from ...repairs.trust import trust
from ..experiments.runs import run_cells, table_hash
from ..experiments.sets import apart
from ..models import training
from .ranking import cosines, count_all, scaled
from .worlds import World

__all__ = ["contrastive"]

SCALE = 20  # of cosines, as MultipleNegativesRankingLoss of sentence-transformers has it


def contrastive(
    train: pd.DataFrame,
    test: pd.DataFrame,
    judged: pd.DataFrame,
    model: str | PathLike = "minilm",
    seeds: Sequence[int] = range(5),
    *,
    fresh: int = 2,
    steps: int = 40,
    batch_size: int = 32,
    lr: float = 3e-4,
    reader: Any = "minilm",
    sure: float = 0.9,
    results: str | PathLike | None = None,
    progress: bool = True,
) -> pd.DataFrame:
    """Train an encoder in five ways on positives, where the other rows of a batch are the negatives.

    *random*: stated positives in random batches. *no duplicates*: no text occurs twice in a batch. *clusters*: nor
    does a cluster. *friends*: as *clusters*, with positives that follow and are probably right. *hard*: as
    *clusters*, and each row has the hardest stated negative of its anchor, where there is one. All start from the
    same weights and take the same number of steps; a seed draws the batches. A component of the training graph that
    holds a sentence of `test` or `judged` is left out.

    Parameters
    ----------
    test, judged : DataFrame
        Pairs whose sentences are ranked, each with each; pairs with their true label.
    model : str or path
        A BERT, as for `learn.encode`.
    fresh : int
        How many of its upper layers are drawn anew and trained alone. 0: it is trained whole, as released.
    reader, sure
        Who reads the friends, and how probably right they are: as in `paragraph.trust`.
    results : path, optional
        Finished cells are kept beside it (`run_cells`), and read by the next call, with more seeds or fewer.

    Returns
    -------
    DataFrame
        One row per `way` and `seed`: the `rows` to train on, *average precision* on all pairs, *AUC* on judged pairs,
        and *same cluster*, the share of the negatives of batches that belong to the cluster of their anchor.
    """
    rest, world = apart(train, pd.concat([test, judged])), World(ParaphraseGraph.from_pairs(test))
    sets, clusters = _ways(ParaphraseGraph.from_pairs(rest), reader, sure, progress)
    tables = [world.graph.sentences.to_pandas().to_frame(), judged[["text_a", "text_b"]], *sets.values()]
    codes, texts = pd.factorize(np.concatenate([table.to_numpy(object).ravel() for table in tables]))
    parts = np.split(codes, np.cumsum([table.size for table in tables])[:-1])
    _, asked, *nodes = (part.reshape(table.shape) for part, table in zip(parts, tables, strict=True))
    nodes, cluster = dict(zip(sets, nodes, strict=True)), np.array([*(clusters.get(text, -1) for text in texts), -1])
    tokens, start = tokenize(load_tokenizer(model), list(texts), max_length=64), load(model)
    if fresh:
        with training.own_randomness(0):
            for part in start.requires_grad_(False).encoder.layer[-fresh:].requires_grad_().modules():
                getattr(part, "reset_parameters", int)()

    def compute(cell: str) -> dict[str, np.ndarray]:
        way, seed = cell.rsplit(" ", 1)
        rows = nodes[way]
        keys = {"random": np.arange(len(rows))[:, None], "no duplicates": rows}.get(way, cluster[rows])
        keys, rng = [{*row} - {-1} for row in keys.tolist()], np.random.default_rng(int(seed))
        epochs = (batches_of(keys, rng.permutation(len(keys)).tolist(), batch_size) for _ in count())
        full = (batch for epoch in epochs for batch in epoch if len(batch) == batch_size)
        batches = np.array([*islice(full, steps)])
        encoder, ask = copy.deepcopy(start), np.arange(max(world.n, asked.max() + 1))
        _train(encoder, tokens, rows, batches, lr, int(seed))
        with torch.inference_mode():
            parts = np.array_split(ask, len(ask) // 512 + 1)
            unit = scaled(torch.cat([_vectors(encoder, tokens, part) for part in parts]).numpy(), len(ask))
        of, cosine, same = cluster[rows[batches, 0]], cosines(unit, *asked.T), judged["label"].to_numpy() == 1
        found = {
            "rows": len(rows),
            "average precision": count_all(world, unit[: world.n])[0].average_precision()[0],
            "AUC": mannwhitneyu(cosine[same], cosine[~same]).statistic / (same.sum() * (~same).sum()),
            "same cluster": ((of[:, :, None] == of[:, None]).mean() * batch_size - 1) / (batch_size - 1),
        }
        return {name: np.array(value) for name, value in found.items()}

    plan = {"fresh": fresh, "steps": steps, "batch_size": batch_size, "lr": lr, "reader": str(reader), "sure": sure}
    data = {"train": rest, "test": test, "judged": judged}
    plan |= {"model": describe(model).fingerprint} | {name: table_hash(table) for name, table in data.items()}
    cells = {f"{way} {seed}": {"way": way, "seed": seed} for seed in seeds for way in sets}
    done = run_cells([*cells], compute, plan, results, progress=progress)
    return pd.DataFrame(cells[cell] | {name: v.item() for name, v in found.items()} for cell, found in done.items())


def _ways(graph: ParaphraseGraph, reader: Any, sure: float, progress: bool) -> tuple[dict, dict]:
    """The rows of each way: anchor, positive, and a negative or none; and the cluster of each text."""
    stated = training_sets(graph, negatives=1)
    friends = training_sets(trust(infer(graph), reader, sure=sure, progress=progress), negatives=1).pair
    hard = stated.pair.merge(stated.triplet, "left", ["anchor", "positive"])
    sets = dict.fromkeys(("random", "no duplicates", "clusters"), stated.pair)
    return sets | {"friends": friends, "hard": hard}, dict(stated.clusters[["text", "cluster"]].to_numpy())


def _train(encoder: nn.Module, tokens: Tokens, rows: np.ndarray, batches: np.ndarray, lr: float, seed: int) -> None:
    """Train an encoder in place on batches of rows of texts; −1 is none."""

    def loss(batch: np.ndarray) -> torch.Tensor:
        nodes, right = rows[batch].T.ravel(), torch.arange(len(batch))
        found = functional.normalize(_vectors(encoder, tokens, nodes[nodes >= 0]))
        return functional.cross_entropy(SCALE * found[right] @ found[len(batch) :].T, right)

    optimizer = torch.optim.AdamW([value for value in encoder.parameters() if value.requires_grad], lr)
    options = {"history": [], "seed": seed, "warmup": 0.1, "clip": 1.0, "progress": False}
    training.train(encoder, optimizer, loss, [(1, batch) for batch in batches], **options)


def _vectors(encoder: nn.Module, tokens: Tokens, nodes: np.ndarray) -> torch.Tensor:
    """The mean vectors of texts, read in four parts of about one length, for there is little padding in these."""
    order = np.argsort(tokens.lengths[nodes], kind="stable")
    parts = (tokens.batch(nodes[part]) for part in np.array_split(order, 4))
    return torch.cat([pooled(encoder, part, "mean") for part in parts])[np.argsort(order)]
