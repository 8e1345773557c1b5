"""Sets that models of sentences are trained and tested on, with sentence-transformers or by chat."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ..pairs import PairsError
from ..pairs.errors import whole
from ..pairs.tables import canonical
from ..words.tokens import stem, words_of
from .closure import Closure
from .core import ParaphraseGraph

__all__ = ["Sets", "cluster_batches", "evaluation_sets", "training_sets"]

#: What a chat model is asked, and the choices of a task for Label Studio.
ASKED = "Do these two sentences mean the same? Answer yes or no.\n1. {}\n2. {}"
VIEW = """<View><Text name="a" value="$text_a"/><Text name="b" value="$text_b"/>
<Choices name="same" toName="a"><Choice value="same"/><Choice value="different"/></Choices></View>
"""


class Sets(NamedTuple):
    """Training sets, each a DataFrame with the columns that losses take, in their order; and where rows are from."""

    pair_class: pd.DataFrame  #: sentence1, sentence2, label
    pair: pd.DataFrame  #: anchor, positive
    triplet: pd.DataFrame  #: anchor, positive, negative
    n_tuple: pd.DataFrame  #: anchor, positive, negative_1, negative_2 …
    origins: dict[str, pd.DataFrame]  #: `origin` and `cluster` of each row of a set
    clusters: pd.DataFrame  #: `text`, its `cluster`, and `joined`: the clusters that stated negatives join to it

    def datasets(self) -> dict[str, Any]:
        """The four sets as `datasets.Dataset`."""
        from datasets import Dataset

        return {name: Dataset.from_pandas(getattr(self, name), preserve_index=False) for name in self._fields[:4]}

    def write(self, folder: str | PathLike) -> dict[str, int]:
        """Write each set as Parquet, its origins beside it, and the clusters; the rows of each."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name in self._fields[:4]:
            getattr(self, name).to_parquet(folder / f"{name}.parquet", index=False)
            self.origins[name].to_parquet(folder / f"{name}.origins.parquet", index=False)
        self.clusters.to_parquet(folder / "clusters.parquet", index=False)
        with (folder / "chat.jsonl").open("w", encoding="utf-8") as file:
            for a, b, label in self.pair_class.itertuples(index=False, name=None):
                said = {"user": ASKED.format(a, b), "assistant": "yes" if label else "no"}
                messages = [{"role": role, "content": text} for role, text in said.items()]
                file.write(json.dumps({"messages": messages}, ensure_ascii=False) + "\n")
        return {name: len(getattr(self, name)) for name in self._fields[:4]}


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
    """The training sets of a graph, or of a closure with the labels that follow (`infer`, `trust`).

    Parameters
    ----------
    source : ParaphraseGraph or Closure
        Stated labels; those of a closure too. Labels in a conflict are left out.
    negatives : int
        Negatives of an anchor in `n_tuple`, the hardest first.
    per_anchor, per_cluster : int
        At most so many positives of one anchor, and labels of each sign that follow in one cluster.
    vectors : array, optional
        Of the sentences of the graph in their order: the hardest negative is the nearest. Default: the one that
        shares most words.
    suspects : DataFrame, optional
        As `paragraph.suspects` gives it: stated labels whose `p_wrong` is `doubt` or more are left out, and clusters
        between which such a negative stands count as one in `clusters`.

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
    if not isinstance(source, ParaphraseGraph | Closure):
        raise PairsError(
            f"training_sets takes a graph, or a closure as pg.infer gives it, not {type(source).__name__}"
        )
    for name, value in (("negatives", negatives), ("per_anchor", per_anchor), ("per_cluster", per_cluster)):
        whole(name, value)
    graph = source.graph if isinstance(source, Closure) else source
    rng, doubted = np.random.default_rng(seed), _doubted(graph, suspects, doubt)
    labels = _labels(graph, source, doubted, per_cluster)
    groups = _groups(graph, doubted)
    labels = labels[(labels["label"] == 1) | (groups[labels["a"]] != groups[labels["b"]])]
    labels = labels.iloc[rng.permutation(len(labels))]
    turn = rng.random(len(labels)) < 0.5
    labels["a"], labels["b"] = np.where(turn, labels["b"], labels["a"]), np.where(turn, labels["a"], labels["b"])
    positive = labels[labels["label"] == 1]
    positive = positive[positive.groupby("a").cumcount() < per_anchor]
    hard = _hardest(graph, labels[labels["label"] == 0], positive["a"].unique(), negatives, vectors)
    texts = np.array(graph.texts(np.arange(graph.n)), object)

    def table(names: list[str], rows: pd.DataFrame, *nodes: np.ndarray) -> tuple[pd.DataFrame, pd.DataFrame]:
        columns = {name: texts[node] for name, node in zip(names, nodes, strict=False)}
        columns |= {"label": rows["label"].to_numpy()} if "label" in names else {}
        origins = pd.DataFrame({"origin": rows["origin"].to_numpy(), "cluster": groups[rows["a"]]})
        return pd.DataFrame(columns), origins

    few = labels.groupby(["a", "label"]).cumcount() < per_anchor
    named = {"pair_class": (["sentence1", "sentence2", "label"], labels[few], labels["a"][few], labels["b"][few])}
    named["pair"] = ["anchor", "positive"], positive, positive["a"], positive["b"]
    for name, count in (("triplet", 1), ("n_tuple", negatives)):
        rows = positive[[len(hard.get(a, ())) >= count for a in positive["a"]]]
        found = np.array([hard[a][:count] for a in rows["a"]], np.int64).reshape(-1, count)
        which = ["negative"] if name == "triplet" else [f"negative_{i}" for i in range(1, count + 1)]
        named[name] = ["anchor", "positive", *which], rows, rows["a"], rows["b"], *found.T
    made = {name: table(*given) for name, given in named.items()}
    return Sets(
        **{name: sets for name, (sets, _) in made.items()},
        origins={name: origins for name, (_, origins) in made.items()},
        clusters=pd.DataFrame({"text": texts, "cluster": groups, "joined": _joined(graph, groups)}),
    )


def _doubted(graph: ParaphraseGraph, suspects: pd.DataFrame | None, doubt: float) -> np.ndarray:
    """A mask of the edges whose stated label is in doubt."""
    doubted = np.zeros(len(graph.edge_a), bool)
    if suspects is not None:
        some = canonical(suspects, "a list of suspects")
        some = some[some["p_wrong"] >= doubt]
        ends = ([graph.node(text) for text in some[side]] for side in ("text_a", "text_b"))
        doubted[graph.edge_index.places(*(np.array(nodes, np.int64) for nodes in ends))] = True
    return doubted


def _groups(graph: ParaphraseGraph, doubted: np.ndarray) -> np.ndarray:
    """The cluster of each sentence; clusters that a doubted negative alone holds apart are one."""
    apart = doubted & (graph.edge_sign < 0)
    ends = graph.cluster_of[graph.edge_a[apart]], graph.cluster_of[graph.edge_b[apart]]
    count = len(graph.cluster_sizes)
    joined = coo_array((np.ones(len(ends[0]), np.int8), ends), shape=(count, count))
    return connected_components(joined, directed=False)[1][graph.cluster_of]


def _joined(graph: ParaphraseGraph, groups: np.ndarray) -> list[list[int]]:
    """For each sentence the clusters that stated negatives join to its own."""
    found: dict[int, set[int]] = {}
    apart = graph.edge_sign < 0
    for a, b in zip(groups[graph.edge_a[apart]].tolist(), groups[graph.edge_b[apart]].tolist(), strict=True):
        if a != b:
            found.setdefault(a, set()).add(b)
            found.setdefault(b, set()).add(a)
    return [sorted(found.get(group, ())) for group in groups.tolist()]


def _labels(graph: ParaphraseGraph, source: Any, doubted: np.ndarray, per_cluster: int) -> pd.DataFrame:
    """All labels with nodes `a`, `b`, `label` and `origin`, but those in a conflict or in doubt."""
    edges = np.flatnonzero(~graph.conflicting & ~doubted)
    rows = ["row " + ", ".join(map(str, graph.source_rows(edge))) for edge in edges.tolist()]
    label = (graph.edge_sign[edges] > 0).astype(np.int8)
    found = [pd.DataFrame({"a": graph.edge_a[edges], "b": graph.edge_b[edges], "label": label, "origin": rows})]
    if isinstance(source, Closure):
        few = per_cluster if source.max_per_cluster is None else min(per_cluster, source.max_per_cluster)
        reader = getattr(source, "reader", None)
        for batch in replace(source, max_per_cluster=few).batches(distances=True):
            origin = [f"follows, distance {far}" for far in batch.distance.tolist()]
            if reader is not None:
                origin = [f"{text}, right with {p:.2f}" for text, p in zip(origin, reader(batch), strict=True)]
            found.append(pd.DataFrame({"a": batch.a, "b": batch.b, "label": batch.label, "origin": origin}))
    return pd.concat(found, ignore_index=True)


def _hardest(
    graph: ParaphraseGraph, negative: pd.DataFrame, anchors: np.ndarray, count: int, vectors: np.ndarray | None
) -> dict[int, list[int]]:
    """The hardest negatives of each anchor, the hardest first."""
    a, b = (np.concatenate([negative[one], negative[other]]) for one, other in ("ab", "ba"))
    wanted = np.isin(a, anchors)
    a, b = a[wanted], b[wanted]
    if vectors is not None:
        unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        near = np.einsum("ij,ij->i", unit[a], unit[b])
    else:
        nodes = np.unique([a, b])
        texts = zip(nodes.tolist(), graph.texts(nodes), strict=True)
        words = {
            node: {stem(word.casefold()) for word in words_of(text) if word[0].isalnum()} for node, text in texts
        }
        ends = zip(a.tolist(), b.tolist(), strict=True)
        near = [len(words[i] & words[j]) / max(1, len(words[i] | words[j])) for i, j in ends]
    table = pd.DataFrame({"a": a, "b": b, "near": near}).sort_values("near", ascending=False, kind="stable")
    return table[table.groupby("a").cumcount() < count].groupby("a")["b"].agg(list).to_dict()


def evaluation_sets(source: ParaphraseGraph | Closure) -> dict[str, dict[str, Any]]:
    """The arguments of three evaluators of sentence-transformers, by `mining`, `retrieval` and `binary`.

    ``ParaphraseMiningEvaluator(**sets["mining"])``: all pairs of one cluster are duplicates.
    ``InformationRetrievalEvaluator(**sets["retrieval"])``: a sentence of each cluster asks for the others.
    ``BinaryClassificationEvaluator(**sets["binary"])``: stated labels, but those in a conflict.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c"], "text_b": ["b", "c", "x"], "label": [1, 1, 0]})
    >>> evaluation_sets(ParaphraseGraph.from_pairs(pairs))["mining"]["duplicates_list"]
    [['0', '1'], ['0', '2'], ['1', '2']]
    """
    graph = source.graph if isinstance(source, Closure) else source
    texts = {str(node): text for node, text in enumerate(graph.texts(np.arange(graph.n)))}
    duplicates, asked, relevant = [], {}, {}
    for cluster in np.flatnonzero(graph.cluster_sizes > 1).tolist():
        first, *others = map(str, np.sort(graph.members(cluster)).tolist())
        asked[first], relevant[first] = texts[first], others
        nodes = [first, *others]
        duplicates += ([one, other] for i, one in enumerate(nodes) for other in nodes[i + 1 :])
    edges = np.flatnonzero(~graph.conflicting)
    binary = {f"sentences{i}": graph.texts(ends[edges]) for i, ends in enumerate((graph.edge_a, graph.edge_b), 1)}
    corpus = {node: text for node, text in texts.items() if node not in asked}
    return {
        "mining": {"sentences_map": texts, "duplicates_list": duplicates},
        "retrieval": {"queries": asked, "corpus": corpus, "relevant_docs": relevant},
        "binary": binary | {"labels": (graph.edge_sign[edges] > 0).astype(int).tolist()},
    }


def tasks(suspects: pd.DataFrame, n: int = 100) -> list[dict[str, Any]]:
    """The `n` pairs that are most worth a look (the first of `paragraph.suspects`), as tasks of Label Studio."""
    shown = suspects.head(n)[["text_a", "text_b", "label"]].to_dict("records")
    return [{"data": {**row, "label": int(row["label"])}} for row in shown]


def cluster_batches(clusters: pd.DataFrame | str | PathLike, hard: bool = False) -> type:
    """A batch sampler for sentence-transformers: no two rows of a batch have texts of one cluster.

    So no paraphrase is a negative of its batch: ``SentenceTransformerTrainingArguments(batch_sampler=…)``.

    Parameters
    ----------
    clusters : DataFrame or path
        `Sets.clusters`, or the ``clusters.parquet`` that is written. A text that is unknown is a cluster of its own.
    hard : bool
        Batches are of clusters that negatives join, as far as there are any.
    """
    from sentence_transformers.base.sampler import DefaultBatchSampler

    table = clusters if isinstance(clusters, pd.DataFrame) else pd.read_parquet(clusters)
    known = dict(zip(table["text"], table["cluster"], strict=True))
    joined = dict(zip(table["cluster"], table["joined"], strict=True)) if hard else {}

    class ClusterBatches(DefaultBatchSampler):
        """Batches of rows whose clusters all differ."""

        def __init__(self, dataset: Any, *args: Any, **options: Any):
            super().__init__(dataset, *args, **options)
            names = {*dataset.column_names} - {"label", "labels", "score", "scores", "dataset_name"}
            rows = zip(*(dataset[name] for name in names), strict=True)
            self.rows, self.made = [{known.get(text, text) for text in row} for row in rows], {}

        def __iter__(self) -> Iterator[list[int]]:
            return iter(self._batches())

        def __len__(self) -> int:
            return len(self._batches())

        def _batches(self) -> list[list[int]]:
            epoch = getattr(self, "epoch", 0)
            if epoch not in self.made:
                order = np.random.default_rng([self.seed or 0, epoch]).permutation(len(self.rows)).tolist()
                found = batches_of(self.rows, order, self.batch_size, joined)
                self.made = {epoch: [one for one in found if len(one) == self.batch_size or not self.drop_last]}
            return self.made[epoch]

    return ClusterBatches


def batches_of(
    rows: list[set], order: list[int], size: int, joined: Mapping[int, Iterable[int]] | None = None, look: int = 256
) -> Iterator[list[int]]:
    """Put rows into batches of which no two share a cluster, first those of clusters `joined` to ones in the batch.

    Of the rows that wait, in their order, so many are looked at: a batch may be short where none of them fits.

    >>> [*batches_of([{1}, {1}, {2}, {2}], [0, 1, 2, 3], 2)]
    [[0, 2], [1, 3]]
    """
    of: dict[Any, list[int]] = {}
    for row in order if joined else ():
        for cluster in rows[row]:
            of.setdefault(cluster, []).append(row)
    left, start = set(order), 0
    while left:
        batch, used, near = [], set(), []
        while len(batch) < size:
            while start < len(order) and order[start] not in left:
                start += 1
            some = chain((row for cluster in near for row in of.get(cluster, ())), order[start : start + look])
            row = next((row for row in some if row in left and not used & rows[row]), None)
            if row is None:
                break
            left.remove(row)
            batch.append(row)
            used |= rows[row]
            near += [other for cluster in rows[row] for other in (joined or {}).get(cluster, ())]
        yield batch
