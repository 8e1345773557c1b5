"""Sets for training and testing models of sentences, with sentence-transformers or by chat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations, islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import taken, whole
from ..graph import ParaphraseGraph
from ..graph.arrays import connected
from ..graph.closure import Closure
from ..pairs.tables import canonical
from ..words.tokens import stems

__all__ = ["Sets", "cluster_batches", "evaluation_sets", "training_sets"]

BATCH = 32  #: clusters, below which batches of different ones are too small for a ranking loss
#: The question to a chat model.
ASKED = "Do these two sentences mean the same? Answer yes or no.\n1. {}\n2. {}"


class Sets(NamedTuple):
    """Training sets, each with the columns that losses take, in their order; and the origins of their rows."""

    pair_class: pd.DataFrame  #: sentence1, sentence2, label
    pair: pd.DataFrame  #: anchor, positive
    triplet: pd.DataFrame  #: anchor, positive, negative
    n_tuple: pd.DataFrame  #: anchor, positive, negative_1, negative_2 …
    origins: dict[str, pd.DataFrame]  #: `origin` and `cluster` of each row of a set
    clusters: pd.DataFrame  #: `text` and its `cluster`

    @property
    def choice(self) -> dict[str, str]:
        """The `set` to train on, its `loss`, and `why`; `PairsError` if no set has a row that a model learns from.

        A ranking loss learns most from a positive; it needs batches whose rows are of different clusters. Hard
        negatives help if most positives have them.
        """
        positives, clusters = len(self.pair), self.origins["pair"]["cluster"].nunique()
        if not positives:
            raise PairsError("there is no positive to train on")
        if clusters < BATCH:
            few = f"the positives lie in {clusters:,} clusters, too few for batches of {BATCH} different ones"
            return {"set": "pair_class", "loss": "OnlineContrastiveLoss", "why": few}
        hard = {"n_tuple": f"{self.n_tuple.shape[1] - 2} hard negatives", "triplet": "a hard negative"}
        of = {
            name: f"{len(getattr(self, name)):,} of {positives:,} positives have {what}"
            for name, what in hard.items()
        }
        name = next((name for name in hard if 2 * len(getattr(self, name)) >= positives), "pair")
        why = of.get(name, f"{of['triplet']}, so the other rows of a batch are the negatives")
        return {"set": name, "loss": "MultipleNegativesRankingLoss", "why": why}

    def write(self, folder: str | PathLike) -> dict[str, int]:
        """Write each set that has rows as Parquet, its origins beside it, the clusters, and chats; count the rows."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        rows = {name: len(origins) for name, origins in self.origins.items()}
        for name, origins in self.origins.items():
            for table, path in ((getattr(self, name), f"{name}.parquet"), (origins, f"{name}.origins.parquet")):
                if len(table):
                    table.to_parquet(folder / path, index=False)
                else:  # nor may an earlier one stay
                    (folder / path).unlink(missing_ok=True)
        self.clusters.to_parquet(folder / "clusters.parquet", index=False)
        chats = [
            [{"role": "user", "content": ASKED.format(a, b)}, {"role": "assistant", "content": ["no", "yes"][label]}]
            for a, b, label in self.pair_class.itertuples(index=False)
        ]
        chats = pd.DataFrame({"messages": chats})
        chats.to_json(folder / "chat.jsonl", orient="records", lines=True, force_ascii=False)
        return rows


def training_sets(
    source: ParaphraseGraph | Closure,
    *,
    negatives: int = 3,
    per_anchor: int = 4,
    per_cluster: int = 1000,
    vectors: np.ndarray | None = None,
    suspects: pd.DataFrame | None = None,
    doubt: float = 0.5,
    seed: int = 0,
) -> Sets:
    """Make the training sets of a graph, or of a closure with the labels that follow (`infer`, `trust`).

    Parameters
    ----------
    source : ParaphraseGraph or Closure
        A graph gives its stated labels, a closure also its inferred ones. Labels in a conflict are left out.
    negatives : int
        Negatives of an anchor in `n_tuple`, the hardest first.
    per_anchor, per_cluster : int
        The most positives of one anchor, and the most inferred labels of each sign in one cluster.
    vectors : array, optional
        One per sentence of the graph, in order: the hardest negative is then the nearest. Default: the one that
        shares the most words.
    suspects : DataFrame, optional
        The table of `paragraph.suspects`: stated labels whose `p_wrong` is `doubt` or more are left out, and clusters
        that such a negative separates count as one in `clusters`.

    Raises
    ------
    PairsError
        The source is neither a graph nor a closure; an option out of range.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0]})
    >>> from paragraph.graph.closure import infer
    >>> sets = training_sets(infer(ParaphraseGraph.from_pairs(pairs)))
    >>> sets.triplet.sort_values(["anchor", "positive"]).values.tolist()
    [['a', 'b', 'x'], ['a', 'c', 'x'], ['b', 'c', 'x']]
    >>> sorted(sets.origins["pair"]["origin"])
    ['follows, distance 1', 'row 0', 'row 1']
    """
    taken(source, ParaphraseGraph | Closure, "training_sets", "a graph, or a closure from pg.infer")
    for name, value in (("negatives", negatives), ("per_anchor", per_anchor), ("per_cluster", per_cluster)):
        whole(name, value)
    graph, rng = getattr(source, "graph", source), np.random.default_rng(seed)
    wrong = []
    if suspects is not None:
        table = canonical(suspects[suspects["p_wrong"] >= doubt], "a list of suspects")
        wrong = [graph.edge_between(*map(graph.node, pair)) for pair in table[["text_a", "text_b"]].to_numpy()]
    doubted = np.isin(np.arange(len(graph.edge_a)), wrong)
    # Clusters that are separated only by a doubted negative count as one
    home, away = (side[doubted & (graph.edge_sign < 0)] for side in graph.edge_clusters)
    groups = connected(len(graph.cluster_sizes), home, away)[graph.cluster_of]
    labels = _labels(graph, source, doubted, per_cluster)
    labels["cluster"] = groups[labels["a"]]
    labels = labels[(labels["label"] == 1) | (labels["cluster"] != groups[labels["b"]])]
    labels = labels.sample(frac=1, random_state=rng)
    turned = rng.random(len(labels)) < 0.5
    labels.loc[turned, ["a", "b"]] = labels.loc[turned, ["b", "a"]].to_numpy()
    few = labels[labels.groupby(["a", "label"]).cumcount() < per_anchor].reset_index(drop=True)
    positive = few["label"] == 1
    hard = _hardest(graph, labels[labels["label"] == 0], few["a"][positive], negatives, vectors)
    texts = np.array([*graph.sentences.to_pylist(), None], object)
    rows = pd.DataFrame(texts[np.column_stack([few[["a", "b"]], hard[few["a"]]])])
    rows.columns = ["anchor", "positive", *(f"negative_{i}" for i in range(1, negatives + 1))]
    sets = {
        "pair_class": rows.iloc[:, :2].set_axis(["sentence1", "sentence2"], axis=1).assign(label=few["label"]),
        "pair": rows[positive].iloc[:, :2],
        "triplet": rows[positive].iloc[:, :3].dropna().rename(columns={"negative_1": "negative"}),
        "n_tuple": rows[positive].dropna(),
    }
    return Sets(
        *(table.reset_index(drop=True) for table in sets.values()),
        {name: few.loc[table.index, ["origin", "cluster"]].reset_index(drop=True) for name, table in sets.items()},
        pd.DataFrame({"text": texts[:-1], "cluster": groups}),
    )


def _labels(graph: ParaphraseGraph, source: Any, doubted: np.ndarray, per_cluster: int) -> pd.DataFrame:
    """All labels except those in a conflict or in doubt: nodes `a`, `b`, `label` and `origin`."""
    stated = graph.edge_table(np.flatnonzero(~graph.conflicting & ~doubted))
    origin = ["row " + ", ".join(map(str, rows)) for rows in stated["rows"]]
    found = [stated[["a", "b"]].assign(label=stated["sign"] > 0, origin=origin)]
    if isinstance(source, Closure):
        few, reader = min(per_cluster, source.max_per_cluster or per_cluster), getattr(source, "reader", None)
        for batch in replace(source, max_per_cluster=few).batches(distances=True):
            origin = [f"follows, distance {far}" for far in batch.distance.tolist()]
            if reader is not None:
                origin = [f"{text}, right with {p:.2f}" for text, p in zip(origin, reader(batch), strict=True)]
            found.append(pd.DataFrame({"a": batch.a, "b": batch.b, "label": batch.label, "origin": origin}))
    return pd.concat(found, ignore_index=True).astype({"label": np.int8})


def _hardest(
    graph: ParaphraseGraph, negative: pd.DataFrame, anchors: pd.Series, count: int, vectors: np.ndarray | None
) -> np.ndarray:
    """The hardest negatives of each anchor, the hardest first: (nodes, count), −1 for none."""
    both = pd.concat([negative, negative.rename(columns={"a": "b", "b": "a"})])[["a", "b"]]
    both = both[both["a"].isin(anchors)]
    a, b = both.to_numpy().T
    if vectors is not None:
        unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        near = np.einsum("ij,ij->i", unit[a], unit[b])
    else:
        words = [*map(stems, graph.sentences.to_pylist())]
        near = [len(words[i] & words[j]) / max(1, len(words[i] | words[j])) for i, j in zip(a, b, strict=True)]
    both = both.assign(near=near).sort_values("near", ascending=False, kind="stable")
    place, found = both.groupby("a").cumcount(), np.full((graph.n, count), -1)
    first = place < count
    found[both["a"][first], place[first]] = both["b"][first]
    return found


#: The sets for testing, and of each the part that must hold something.
EVALUATORS = {"mining": "duplicates_list", "retrieval": "queries", "binary": "labels"}


def evaluation_sets(source: ParaphraseGraph | Closure) -> dict[str, dict[str, Any]]:
    """Make the arguments of three evaluators of sentence-transformers, by `mining`, `retrieval` and `binary`.

    ``ParaphraseMiningEvaluator(**sets["mining"])``: all pairs of one cluster are duplicates.
    ``InformationRetrievalEvaluator(**sets["retrieval"])``: one sentence of each cluster is the query for the others.
    ``BinaryClassificationEvaluator(**sets["binary"])``: stated labels, except those in a conflict.
    One that would have nothing to compare is left out.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0]})
    >>> evaluation_sets(ParaphraseGraph.from_pairs(pairs))["mining"]["duplicates_list"]
    [['0', '1'], ['0', '2'], ['1', '2']]
    """
    graph = getattr(source, "graph", source)
    texts = {str(node): text for node, text in enumerate(graph.sentences.to_pylist())}
    clusters = np.flatnonzero(graph.cluster_sizes > 1).tolist()
    members = [[*map(str, sorted(graph.members(cluster)))] for cluster in clusters]
    asked = {first: others for first, *others in members}
    stated = ~graph.conflicting
    sides, labels = map(graph.texts, graph.ends(stated)), (graph.edge_sign[stated] > 0).astype(int).tolist()
    found = {
        "mining": {
            "sentences_map": texts,
            "duplicates_list": [[*pair] for nodes in members for pair in combinations(nodes, 2)],
        },
        "retrieval": {
            "queries": {node: texts[node] for node in asked},
            "corpus": {node: text for node, text in texts.items() if node not in asked},
            "relevant_docs": asked,
        },
        "binary": dict(zip(("sentences1", "sentences2"), sides, strict=True))
        | {"labels": labels if len({*labels}) == 2 else []},
    }
    return {name: given for name, given in found.items() if given[EVALUATORS[name]]}


def cluster_batches(clusters: pd.DataFrame | str | PathLike) -> Callable[..., Any]:
    """Make a batch sampler for sentence-transformers: no two rows of a batch have texts of one cluster.

    So no paraphrase is a negative of its batch: ``SentenceTransformerTrainingArguments(batch_sampler=…)``.

    Parameters
    ----------
    clusters : DataFrame or path
        `Sets.clusters`, or the ``clusters.parquet`` that is written. A text that is unknown is a cluster of its own.
    """
    table = clusters if isinstance(clusters, pd.DataFrame) else pd.read_parquet(clusters)
    # A trainer pickles it beside each checkpoint, as it could not a class
    return partial(_sampler, dict(table[["text", "cluster"]].to_numpy()))


def _sampler(known: Mapping[str, int], dataset: Any, *args: Any, **options: Any):
    """A sampler of sentence-transformers whose batches have no cluster twice."""
    from sentence_transformers.base.sampler import DefaultBatchSampler

    class ClusterBatches(DefaultBatchSampler):
        """Batches of rows whose clusters all differ."""

        def __iter__(self) -> Iterator[list[int]]:
            rows = zip(*(self.sampler[name] for name in self.sampler.column_names), strict=True)
            rows = [{known.get(text, text) for text in row if isinstance(text, str)} for row in rows]
            order = np.random.default_rng([self.seed or 0, self.epoch]).permutation(len(rows)).tolist()
            found = batches_of(rows, order, self.batch_size)
            return (batch for batch in found if len(batch) == self.batch_size or not self.drop_last)

        @lru_cache(1)  # noqa: B019  # a sampler lives as long as its training
        def _count(self, epoch: int) -> int:
            return sum(1 for _ in self)

        def __len__(self) -> int:
            return self._count(self.epoch)

    return ClusterBatches(dataset, *args, **options)


def batches_of(rows: list[set], order: list[int], size: int, look: int = 256) -> Iterator[list[int]]:
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
