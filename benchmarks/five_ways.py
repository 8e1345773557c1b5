"""Does it help an encoder of sentences that its batches, or its negatives, know the clusters?"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from itertools import chain, count, islice
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch.nn.functional import cross_entropy, normalize

from paragraph.doubts.trust import trust
from paragraph.graph import ParaphraseGraph
from paragraph.graph.arrays import connected
from paragraph.graph.closure import infer
from paragraph.learn.encoder import describe, load, load_tokenizer
from paragraph.learn.tokens import Tokens
from paragraph.learn.training import training_sets
from paragraph.learn.vectors import pool, unit
from paragraph.papers.collection.all_pairs import all_pairs
from paragraph.papers.experiments.runs import run_cells, table_hash
from paragraph.papers.experiments.sets import labelled
from paragraph.papers.models import training

__all__ = ["apart", "contrastive"]

#: The upper layers that are drawn anew and trained alone, their learning rate, and the scale of cosines (that of
#: MultipleNegativesRankingLoss of sentence-transformers).
FRESH, LR, SCALE = 2, 3e-4, 20


def apart(train: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """Return the training rows with a label whose component holds no judged sentence."""
    train = train[train["label"].notna()].reset_index(drop=True)
    graph = ParaphraseGraph.from_pairs(pd.concat([train, labelled(judged)], ignore_index=True))
    component = connected(graph.n, graph.row_a, graph.row_b)[graph.row_a]
    return train[~np.isin(component[: len(train)], component[len(train) :])].reset_index(drop=True)


def contrastive(
    train: pd.DataFrame,
    test: pd.DataFrame,
    judged: pd.DataFrame,
    seeds: Sequence[int] = range(5),
    *,
    steps: int = 40,
    batch_size: int = 32,
    reader: Any = "minilm",
    sure: float = 0.9,
    results: str | PathLike | None = None,
    progress: bool = True,
) -> pd.DataFrame:
    """Train MiniLM in five ways on positives, where the other rows of a batch are the negatives.

    *random*: stated positives in random batches. *no duplicates*: no text occurs twice in a batch. *clusters*: nor
    does a cluster. *friends*: as *clusters*, with positives that follow and are probably right. *hard*: as
    *clusters*, and each row has the hardest stated negative of its anchor, where there is one. All start from the
    same weights, the upper two layers drawn anew, and take the same number of steps; a seed draws the batches. A
    component of the training graph that holds a sentence of `test` or `judged` is left out.

    Parameters
    ----------
    test, judged : DataFrame
        Pairs whose sentences are ranked, each with each; pairs with their true label.
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
    rest = apart(train, pd.concat([test, judged]))
    graph, tested = ParaphraseGraph.from_pairs(rest), ParaphraseGraph.from_pairs(test)
    sets, of = _ways(graph, reader, sure, progress)
    asked = judged[["text_a", "text_b"]].to_numpy(object)
    shown = pd.Index([*tested.sentences.to_pylist(), *asked.ravel()]).unique()
    texts = shown.append(of.index).unique()
    cluster = np.append(of.reindex(texts, fill_value=-1), -1)  # −1 for no text
    tokens, start = (
        Tokens(load_tokenizer("minilm"), [*texts], max_length=64),
        load("minilm").requires_grad_(False),
    )
    with training.own_randomness(0):
        for part in start.encoder.layer[-FRESH:].requires_grad_().modules():
            getattr(part, "reset_parameters", int)()

    def compute(cell: str) -> dict[str, np.ndarray]:
        way, seed = cells[cell].values()
        rows, encoder, rng = (
            _places(texts, sets[way]),
            copy.deepcopy(start),
            np.random.default_rng(seed),
        )
        keys = {"random": np.arange(len(rows))[:, None], "no duplicates": rows}.get(
            way, cluster[rows]
        )
        keys = [{*row} - {-1} for row in keys.tolist()]
        epochs = (
            batches_of(keys, rng.permutation(len(keys)).tolist(), batch_size) for _ in count()
        )
        full = (batch for batch in chain.from_iterable(epochs) if len(batch) == batch_size)
        batches = [*islice(full, steps)]

        def vectors(nodes: np.ndarray) -> torch.Tensor:
            """Mean vectors, read in four parts of about one length: there is little padding in these."""
            order = np.argsort(tokens.lengths[nodes], kind="stable")
            parts = (
                pool(encoder, tokens.batch(nodes[part]), "mean")
                for part in np.array_split(order, 4)
            )
            return torch.cat([*parts])[np.argsort(order)]

        def loss(batch: np.ndarray) -> torch.Tensor:
            nodes, right = rows[batch].T.ravel(), torch.arange(len(batch))
            found = normalize(vectors(nodes[nodes >= 0]))
            return cross_entropy(SCALE * found[right] @ found[len(batch) :].T, right)

        optimizer = torch.optim.AdamW(
            [value for value in encoder.parameters() if value.requires_grad], LR
        )
        options = {"history": [], "seed": seed, "warmup": 0.1, "clip": 1.0, "progress": False}
        training.train(
            encoder, optimizer, loss, [(1, np.array(batch)) for batch in batches], **options
        )
        with torch.inference_mode():
            parts = np.array_split(np.arange(len(shown)), len(shown) // 512 + 1)
            found = unit(torch.cat([*map(vectors, parts)]).numpy().astype(float))
        a, b = found[_places(texts, asked).T]
        cosine, same, group = (
            (a * b).sum(1),
            judged["label"].to_numpy() == 1,
            cluster[rows[batches, 0]],
        )
        return {
            "rows": np.array(len(rows)),
            "average precision": np.array(
                all_pairs(tested, vectors=found[: tested.n], progress=False).ap
            ),
            "AUC": (np.sign(cosine[same, None] - cosine[~same]).mean() + 1) / 2,
            "same cluster": ((group[:, :, None] == group[:, None]).mean() * batch_size - 1)
            / (batch_size - 1),
        }

    plan = {"steps": steps, "batch_size": batch_size, "reader": str(reader), "sure": sure}
    plan |= {
        "model": describe("minilm").fingerprint,
        "data": [*map(table_hash, (rest, test, judged))],
    }
    cells = {f"{way} {seed}": {"way": way, "seed": seed} for seed in seeds for way in sets}
    done = run_cells([*cells], compute, plan, results, progress=progress)
    return pd.DataFrame(
        cells[cell] | {name: v.item() for name, v in found.items()} for cell, found in done.items()
    )


def _ways(
    graph: ParaphraseGraph, reader: Any, sure: float, progress: bool
) -> tuple[dict, pd.Series]:
    """The rows of each way: anchor, positive, and a negative or none; and the cluster of each text."""
    stated = training_sets(graph)
    friends = training_sets(trust(infer(graph), reader, sure=sure, progress=progress)).pair
    hard = stated.pair.merge(stated.triplet, "left", ["anchor", "positive"])
    sets = dict.fromkeys(("random", "no duplicates", "clusters"), stated.pair)
    clusters = pd.Series(graph.cluster_of, graph.sentences.to_pylist())
    return sets | {"friends": friends, "hard": hard}, clusters


def _places(texts: pd.Index, table: Any) -> np.ndarray:
    """The places of the texts of a table among `texts`, −1 for none."""
    return texts.get_indexer(np.ravel(table)).reshape(np.shape(table))


def batches_of(
    rows: list[set], order: list[int], size: int, look: int = 256
) -> Iterator[list[int]]:
    """Put rows into batches in which no two share a cluster.

    The first `look` waiting rows are tried in order: a batch is short if none of them fits.

    >>> [*batches_of([{1}, {1}, {2}, {2}], [0, 1, 2, 3], 2)]
    [[0, 2], [1, 3]]
    """
    left = dict.fromkeys(order)
    while left:
        batch, used = [], set()
        for row in [*islice(left, look + size)]:
            if len(batch) < size and not used & rows[row]:
                del left[row]
                batch.append(row)
                used |= rows[row]
        yield batch
