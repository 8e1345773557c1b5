"""Sets for training and testing models of sentences with sentence-transformers."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_int, check_type
from ..files.outputs import atomic_write, refuse_overwrite
from ..graph import ParaphraseGraph
from ..graph.closure import Closure
from ..words.tokens import stems

__all__ = ["Sets", "evaluation_sets", "training_sets"]

#: The most inferred labels of each sign in one cluster, unless the closure has fewer.
PER_CLUSTER = 1000
BATCH = 32  #: clusters, below which batches of different ones are too small for a ranking loss


class Sets(NamedTuple):
    """Training sets, each with the columns that losses take, in their order; and the origins of their rows."""

    pair_class: pd.DataFrame  #: sentence1, sentence2, label
    pair: pd.DataFrame  #: anchor, positive
    triplet: pd.DataFrame  #: anchor, positive, negative
    origins: dict[str, pd.DataFrame]  #: `origin` and `cluster` of each row of a set
    inputs: tuple[str, ...] = ()  #: the file that the pairs come from

    @property
    def choice(self) -> dict[str, str]:
        """The `set` to train on, its `loss`, and `why`; `PairsError` if no set has a row that a model learns from.

        A ranking loss learns most from a positive; it needs batches whose rows are of different clusters. Hard
        negatives help if most positives have them.
        """
        positives = len(self.pair)
        clusters = self.origins["pair"]["cluster"].nunique()
        if not positives:
            raise PairsError("there is no positive to train on")
        why = f"{positives:,} positives in {clusters:,} clusters, {len(self.triplet):,} with a hard negative"
        if clusters < BATCH:
            return {"set": "pair_class", "loss": "OnlineContrastiveLoss", "why": why}
        name = "triplet" if 2 * len(self.triplet) >= positives else "pair"
        return {"set": name, "loss": "MultipleNegativesRankingLoss", "why": why}

    def write(self, folder: str | PathLike) -> dict[str, int]:
        """Write each set that has rows as Parquet, its origins beside it; count the rows."""
        folder = Path(folder)
        counts = {name: len(table) for name, table in self.origins.items()}
        empty = []
        for name, count in counts.items():
            if not count:
                empty += [folder / f"{name}.parquet", folder / f"{name}.origins.parquet"]
        refuse_overwrite(self.inputs, *empty)
        with atomic_write(folder, folder=True, inputs=self.inputs) as stage:
            for name, origins in self.origins.items():
                if counts[name]:
                    getattr(self, name).to_parquet(stage / f"{name}.parquet", index=False)
                    origins.to_parquet(stage / f"{name}.origins.parquet", index=False)
        for path in empty:  # an earlier one may not stay
            path.unlink(missing_ok=True)
        return counts


def training_sets(source: ParaphraseGraph | Closure, *, per_anchor: int = 4, seed: int = 0) -> Sets:
    """Make the training sets of a graph, or of a closure with the labels that follow (`infer`, `trust`).

    Parameters
    ----------
    source : ParaphraseGraph or Closure
        A graph gives its stated labels, a closure also its inferred ones. Labels in a conflict are left out.
    per_anchor : int
        The most positives, and the most negatives, of one anchor.

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
    check_type(
        source, ParaphraseGraph | Closure, "training_sets", "a graph, or a closure from pg.infer"
    )
    check_int("per_anchor", per_anchor)
    graph = getattr(source, "graph", source)
    rng = np.random.default_rng(seed)
    home = dict(zip(graph.sentences.to_pylist(), graph.cluster_of.tolist(), strict=True))
    labels = _labels(graph, source)
    labels["cluster"] = labels["text_a"].map(home)
    across = labels["cluster"] != labels["text_b"].map(home)
    labels = labels[(labels["label"] == 1) | across]
    labels = labels.sample(frac=1, random_state=rng)
    turned = rng.random(len(labels)) < 0.5
    sides = ["text_a", "text_b"]
    other_way = labels.loc[turned, sides[::-1]]
    labels.loc[turned, sides] = other_way.to_numpy()
    place = labels.groupby(["text_a", "label"]).cumcount()
    few = labels[place < per_anchor].reset_index(drop=True)
    pair_class = few[[*sides, "label"]]
    pair = few.loc[few["label"] == 1, sides].set_axis(["anchor", "positive"], axis=1)
    hardest = _hardest(labels[labels["label"] == 0], pair["anchor"])
    sets = {
        "pair_class": pair_class.set_axis(["sentence1", "sentence2", "label"], axis=1),
        "pair": pair,
        "triplet": pair.assign(negative=pair["anchor"].map(hardest)).dropna(),
    }
    origins = {}
    for name, table in sets.items():
        origin = few.loc[table.index, ["origin", "cluster"]]
        origins[name] = origin.reset_index(drop=True)
        sets[name] = table.reset_index(drop=True)
    return Sets(**sets, origins=origins, inputs=tuple(graph.inputs))


def _labels(graph: ParaphraseGraph, source: Any) -> pd.DataFrame:
    """All labels except those in a conflict: `text_a`, `text_b`, `label` and `origin`."""
    stated = np.flatnonzero(~graph.conflicting)
    rows = [map(str, graph.source_rows(edge)) for edge in stated]
    labels = graph.pair_texts(*graph.ends(stated))
    labels["label"] = graph.edge_sign[stated] > 0
    labels["origin"] = ["row " + ", ".join(of_edge) for of_edge in rows]
    if isinstance(source, Closure):
        few = min(PER_CLUSTER, source.max_per_cluster or PER_CLUSTER)
        follow = replace(source, max_per_cluster=few).to_frame()
        origin = [f"follows, distance {far}" for far in follow["distance"]]
        if "p_right" in follow:
            right = [f"right with {p:.2f}" for p in follow["p_right"]]
            origin = list(map(", ".join, zip(origin, right, strict=True)))
        follow = follow[["text_a", "text_b", "label"]].assign(origin=origin)
        labels = pd.concat([labels, follow], ignore_index=True)
    return labels.astype({"label": np.int8})


def _hardest(negative: pd.DataFrame, anchors: pd.Series) -> dict[str, str]:
    """The hardest negative of each anchor: the one that shares the most words."""
    words = {text: stems(text) for text in {*negative[["text_a", "text_b"]].to_numpy().flat}}
    wanted = {*anchors}
    nearest = {}
    hardest = {}
    for a, b in [
        *negative[["text_a", "text_b"]].to_numpy(),
        *negative[["text_b", "text_a"]].to_numpy(),
    ]:
        near = len(words[a] & words[b]) / max(1, len(words[a] | words[b]))
        if a in wanted and near > nearest.get(a, -1):
            nearest[a] = near
            hardest[a] = b
    return hardest


#: The sets for testing, and of each the part that must hold something.
EVALUATORS = {"mining": "duplicates_list", "binary": "labels"}


def evaluation_sets(source: ParaphraseGraph | Closure) -> dict[str, dict[str, Any]]:
    """Make the arguments of two evaluators of sentence-transformers, by `mining` and `binary`.

    ``ParaphraseMiningEvaluator(**sets["mining"])``: all pairs of one cluster are duplicates.
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
    duplicates = []
    for cluster in np.flatnonzero(graph.cluster_sizes > 1).tolist():
        members = [str(node) for node in sorted(graph.members(cluster))]
        duplicates += map(list, combinations(members, 2))
    stated = ~graph.conflicting
    left, right = map(graph.texts, graph.ends(stated))
    labels = (graph.edge_sign[stated] > 0).astype(int).tolist()
    if len({*labels}) < 2:
        labels = []
    found = {
        "mining": {"sentences_map": texts, "duplicates_list": duplicates},
        "binary": {"sentences1": left, "sentences2": right, "labels": labels},
    }
    return {name: part for name, part in found.items() if part[EVALUATORS[name]]}
