"""Wrong labels planted in qqp_all, so that it is known which labels are wrong.

Labels that were wrong before count as right. Planted errors only check: nothing that ships was fitted on them, for
their design gives them away (one wrong positive joins two clusters, where real ones come in families).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from paragraph import ParaphraseGraph, read_pairs
from paragraph.graph.arrays import connected
from paragraph.graph.bridges import blocks
from paragraph.graph.paths import disjoint_paths

#: Wrong positives planted at once between two clusters, at most.
MOST_CUT = 8
#: Look-alikes planted at once around a negative, at most.
MOST_ALIKE = 5


class Planted(NamedTuple):
    """A graph with planted errors; `wrong` marks them, one entry an edge."""

    graph: ParaphraseGraph
    wrong: np.ndarray


class Corpus:
    def __init__(self, path: str):
        self.graph = ParaphraseGraph.from_pairs(read_pairs(path))
        self.component = connected(self.graph.n, self.graph.edge_a, self.graph.edge_b)

    def planted(self, turned: np.ndarray, added: np.ndarray) -> Planted:
        """Some edges with the other sign, and pairs of nodes added as positives, all of them wrong."""
        g, k = self.graph, len(added)
        wrong = np.zeros(len(g.edge_a) + k, dtype=bool)
        wrong[turned], wrong[len(wrong) - k :] = True, True
        sign = np.append(g.edge_sign, np.ones(k, dtype=np.int8))
        sign[turned] = -sign[turned]
        a, b = (
            np.append(end, added.reshape(-1, 2)[:, i]) for i, end in enumerate((g.edge_a, g.edge_b))
        )
        graph = ParaphraseGraph(a, b, sign, g.n, g.sentences)
        if len(graph.edge_a) != len(a):
            raise SystemExit("benchmark failed: a planted pair was stated already")
        return Planted(graph, wrong)

    # -- anywhere ------------------------------------------------------------------------------------------

    def random(self, rng) -> Planted:
        """2 % of the labels of either sign turned round."""
        sign = self.graph.edge_sign
        alike = (np.flatnonzero(sign == each) for each in (1, -1))
        drawn = [rng.choice(edges, round(0.02 * len(edges)), replace=False) for edges in alike]
        return self.planted(np.concatenate(drawn), np.empty((0, 2), dtype=np.int64))

    def queue(self, rng, each: int = 1200) -> Planted:
        """Positives on a cycle of positives turned negative, and as many wrong ones where a negative says no."""
        turned = rng.choice(np.flatnonzero(self.on_cycle), each, replace=False)
        added = {}
        for edge in rng.permutation(self.separated).tolist():
            free = self.unstated(edge)
            if free and len(added) < each:
                added[tuple(sorted(free[rng.integers(len(free))]))] = None
        return self.planted(turned, np.array(list(added)))

    @cached_property
    def on_cycle(self) -> np.ndarray:
        """Positives on a cycle of positives: bool, one entry an edge."""
        g, found = self.graph, np.zeros(len(self.graph.edge_a), dtype=bool)
        positive = np.flatnonzero(g.edge_sign > 0)
        found[positive[blocks(g.n, g.edge_a[positive], g.edge_b[positive]) >= 0]] = True
        return found

    @cached_property
    def separated(self) -> np.ndarray:
        """Negatives between clusters that hold more than one pair between them."""
        g = self.graph
        a, b = g.edge_clusters
        room = g.cluster_sizes[a].astype(np.int64) * g.cluster_sizes[b] > 1
        return np.flatnonzero((g.edge_sign < 0) & ~g.negatives_inside & room)

    def unstated(self, edge: int) -> list[tuple[int, int]]:
        """Pairs without a label between the two clusters of a negative."""
        g = self.graph
        x, y = (g.members(g.cluster_of[end[edge]]).tolist() for end in (g.edge_a, g.edge_b))
        return [(i, j) for i in x for j in y if g.edge_between(i, j) < 0]

    # -- one conflict a component --------------------------------------------------------------------------

    def conflicts(self, rng, each: int) -> tuple[Planted, pd.DataFrame]:
        """Conflicts of four kinds, `each` of a kind (flips four times as many), no two in one component; and a table.

        flip: a positive on a cycle turned negative. cut: one to `MOST_CUT` wrong positives between the clusters of a
        negative. family: a negative whose sentences differ in one word, and sentences that have yet another word
        there, all of them joined to both: wrong positives that look alike and support each other. shared: one of
        two negatives between the same clusters turned positive.

        Columns of the table: kind, edge (the negative), positives (planted, as a set of sets of two sentences),
        paths (that share no step) and size (of the cluster), both with the errors in place.
        """
        g, taken, cases = self.graph, set(), []
        draws = {"family": self._families(rng), "shared": self._shared(rng), "cut": self._cuts(rng)}
        draws["flip"] = (
            (edge, [edge], []) for edge in rng.permutation(np.flatnonzero(self.on_cycle)).tolist()
        )
        for kind, drawn in draws.items():
            most = 4 * each if kind == "flip" else each  # so that `matched` has a choice
            for edge, turned, added in drawn:
                nodes = {
                    g.edge_a[edge],
                    *(g.edge_a[e] for e in turned),
                    *(node for pair in added for node in pair),
                }
                components = {int(self.component[node]) for node in nodes}
                if not components & taken:
                    taken |= components
                    cases.append((kind, edge, turned, added))
                if sum(case[0] == kind for case in cases) == most:
                    break
        turned = np.array([edge for case in cases for edge in case[2]])
        added = np.array([pair for case in cases for pair in case[3]])
        planted = self.planted(turned, added)
        table = pd.DataFrame(
            {"kind": [case[0] for case in cases], "edge": [case[1] for case in cases]}
        )
        ends = [
            [(g.edge_a[e], g.edge_b[e]) for e in case[2] if case[0] != "flip"] + case[3]
            for case in cases
        ]
        table["positives"] = [{frozenset(g.texts(pair)) for pair in pairs} for pairs in ends]
        table = table[planted.graph.negatives_inside[table["edge"]]].reset_index(drop=True)
        a, b = (end[table["edge"]] for end in (planted.graph.edge_a, planted.graph.edge_b))
        table["paths"] = disjoint_paths(planted.graph, a, b)
        table["size"] = planted.graph.cluster_sizes[planted.graph.cluster_of[a]]
        return planted, table

    def _cuts(self, rng) -> Iterator[tuple[int, list, list]]:
        for edge in rng.permutation(self.separated).tolist():
            free, k = self.unstated(edge), int(rng.integers(1, MOST_CUT + 1))
            if len(free) >= k:
                yield edge, [], [free[i] for i in rng.choice(len(free), k, replace=False)]

    def _shared(self, rng) -> Iterator[tuple[int, list, list]]:
        link = pd.Series(self.graph.link_index.places(*self.graph.edge_clusters))
        alike = link[link >= 0].groupby(link).groups.values()
        alike = [edges.tolist() for edges in alike if len(edges) > 1]
        for i in rng.permutation(len(alike)).tolist():
            edge, turned = rng.choice(alike[i], 2, replace=False).tolist()
            yield edge, [turned], []

    def _families(self, rng) -> Iterator[tuple[int, list, list]]:
        g = self.graph
        texts = np.array(g.sentences.to_pylist(), dtype=object)
        words = [tuple(re.findall(r"\w+", text.casefold())) for text in texts]
        frames: dict[tuple, list[int]] = {}
        for node, of in enumerate(words):
            for i in range(len(of)) if 4 <= len(of) <= 20 else ():
                frames.setdefault((of[:i], of[i + 1 :]), []).append(node)
        for edge in rng.permutation(
            np.flatnonzero((g.edge_sign < 0) & ~g.negatives_inside)
        ).tolist():
            a, b = int(g.edge_a[edge]), int(g.edge_b[edge])
            apart = [i for i, (x, y) in enumerate(zip(words[a], words[b], strict=False)) if x != y]
            if len(words[a]) != len(words[b]) or len(apart) != 1:
                continue
            frame = words[a][: apart[0]], words[a][apart[0] + 1 :]
            of_slot = {words[c][apart[0]]: c for c in frames.get(frame, ())}  # one sentence a word
            others = [
                c
                for word, c in of_slot.items()
                if word not in (words[a][apart[0]], words[b][apart[0]])
            ]
            others = [c for c in others if g.edge_between(a, c) < 0 and g.edge_between(b, c) < 0]
            if others:
                yield edge, [], [(end, c) for c in others[:MOST_ALIKE] for end in (a, b)]


def matched(cases: pd.DataFrame, rng) -> pd.DataFrame:
    """Cuts and flips in pairs: the same number of paths, clusters of about the same size (a quarter more or less)."""
    flips = cases[cases["kind"] == "flip"].sample(frac=1, random_state=rng)
    flips = dict(list(flips.groupby("paths")))
    kept = []
    for i, cut in cases[cases["kind"] == "cut"].iterrows():
        alike = flips.get(cut["paths"], cases.iloc[:0])
        alike = alike[(alike["size"] / cut["size"]).between(0.8, 1.25)]
        if len(alike):
            kept += [i, alike.index[0]]
            flips[cut["paths"]] = flips[cut["paths"]].drop(alike.index[0])
    return cases.loc[kept]
