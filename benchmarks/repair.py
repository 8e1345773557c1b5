"""Which label is wrong: errors planted in qqp_all, and who finds them.

``python -m benchmarks.repair FILE SEED SIZE`` runs one seed.
With a fourth argument: ``ship`` fits the weights that ship with the package; ``develop`` stays within the first half.

The connected components of the graph are dealt out into two halves, once and for all. Errors are planted in each half
by itself. Whatever has parameters is fitted on the first half; only the second is reported. Errors
that were there before count as right labels, so precision is a lower bound.

Tasks
-----
random
    2 % of the positives and 2 % of the negatives turned round; all pairs ranked.
queue
    In each half 600 positives that lie on a cycle of positives turned negative, and 600 false positives put between
    clusters that a true negative keeps apart (drawn from all unstated pairs between the two); all pairs ranked.
flip or cut
    Such conflicts, one at a time: 1,000 in which the negative is the wrong label (flip), 1,000 in which the added
    positive is (cut). Each stands in a copy of its component. For the fit two kinds more, so that neither a single
    wrong positive nor an unstated one is taken for the rule: a stated negative turned positive, with a negative put
    elsewhere between the two clusters ("hard"), and two to eight false positives at once ("several").
shared
    Every real negative that shares its two clusters with another, turned positive: in one conflict with the other.
    Cut must be proposed, while 85 % of the flips of the task before are right: as proposed, and with the border put
    where exactly so many are.

Who
---
paper's rule
    A negative inside a cluster is wrong, and nothing else.
cleanlab
    Label quality (self-confidence) by cleanlab, from the model's probabilities. A conflict is a cut if the worst
    positive of the easiest cut (`sides`, without evidence) has a worse label than the negative.
rule, then model
    What the rule flags first, and within both parts by the model's probability of the stated label.
prototype
    The posterior over multicuts (`posterior`) with error rates of 5 % and the model's log-odds.
ours
    `suspicion.p_wrong`, `sides.flip_or_cut`.

*Model*: logistic regression on MiniLM embeddings, out of fold, trained on the labels with errors
(`learn.pair_opinions`). MiniLM's own training has seen Quora's duplicates.
"""

from __future__ import annotations

import json
import sys
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from paragraph import ParaphraseGraph, read_pairs
from paragraph.balance.blocks import blocks
from paragraph.graph.arrays import connected
from paragraph.measure.weights import SHIPPED, Weights, fit
from paragraph.repairs.evidence import SUREST, weights_for
from paragraph.repairs.posterior import posterior
from paragraph.repairs.sides import COLUMNS as SIDES
from paragraph.repairs.sides import LABEL, flip_or_cut, sides
from paragraph.repairs.suspicion import COLUMNS as SUSPICION
from paragraph.repairs.suspicion import DEGREES, fit_suspicion, p_wrong, suspicion
from paragraph.words.differences import COLUMNS as WORDS
from paragraph.words.differences import Vocabulary, differences

WHO = ("paper's rule", "cleanlab", "rule, then model", "prototype", "ours")


class Planted:
    """A graph with planted errors: `wrong` marks them; node i stands for sentence `origin[i]` of the corpus."""

    def __init__(self, a, b, sign, wrong, n, origin=None):
        self.graph = ParaphraseGraph(a, b, sign, n)
        if len(self.graph.edge_a) != len(a):
            raise SystemExit("benchmark failed: a planted pair was stated already")
        self.wrong, self.origin = wrong, np.arange(n) if origin is None else origin

    @property
    def ends(self):
        return self.origin[self.graph.edge_a], self.origin[self.graph.edge_b]


class Corpus:
    def __init__(self, path: str, develop: bool = False):
        self.pairs = read_pairs(path)
        self.graph = ParaphraseGraph.from_pairs(self.pairs)
        self.texts = np.array(self.graph.sentences.to_pylist(), dtype=object)
        self.vocabulary = Vocabulary.of(self.texts)
        self.component = connected(self.graph.n, self.graph.edge_a, self.graph.edge_b)
        half = self._halves()
        if develop:  # within the first half: what is reported stays unseen
            half = np.where(half == 0, np.random.default_rng(1).integers(0, 2, len(half)), -1)
        self.half = half[self.component]  # of each sentence
        self.seen: dict[int, np.ndarray] = {}

    def _halves(self) -> np.ndarray:
        """Half 0 or 1 of each component: the 500 largest dealt out evenly, the rest drawn."""
        k = self.component.max() + 1
        rng = np.random.default_rng(0)
        size = np.bincount(self.component[self.graph.edge_a], minlength=k)
        order = np.lexsort((rng.random(k), -size))
        half, load = np.zeros(k, dtype=int), np.zeros(2)
        for c in order[:500]:
            half[c] = np.argmin(load)
            load[half[c]] += size[c]
        half[order[500:]] = rng.integers(0, 2, max(k - 500, 0))
        return half

    @cached_property
    def vectors(self) -> np.ndarray:
        from paragraph.learn import encode

        return encode(self.texts.tolist())

    def opinions(self, a, b, label) -> tuple[np.ndarray, np.ndarray]:
        """Model (log-odds, out of fold) and cosine of pairs, some without a label (-1)."""
        from paragraph.learn import out_of_fold
        from paragraph.learn.baselines import EmbeddingPairs

        corpus, places = self, {text: i for i, text in enumerate(self.texts)}
        lengths = np.linalg.norm(self.vectors, axis=1, keepdims=True)

        class InMemory(EmbeddingPairs):
            def _vectors(self, pairs):
                ends = [pairs[name].map(places).to_numpy() for name in ("text_a", "text_b")]
                return *ends, corpus.vectors / lengths

        table = pd.DataFrame({"text_a": self.texts[a], "text_b": self.texts[b]})
        table["label"] = pd.array(label, dtype="Int8")
        table.loc[label < 0, "label"] = pd.NA
        p = out_of_fold(table, lambda seed: InMemory(seed=seed), progress=False)
        cosine = (self.vectors[a] * self.vectors[b]).sum(axis=1) / (lengths[a] * lengths[b])[:, 0]
        return np.clip(np.log(p) - np.log1p(-p), -SUREST, SUREST), cosine

    def words(self, a, b) -> pd.DataFrame:
        """`differences` of pairs; each is worked out once."""
        key = np.minimum(a, b).astype(np.int64) * self.graph.n + np.maximum(a, b)
        new = np.array([k for k in np.unique(key).tolist() if k not in self.seen], dtype=np.int64)
        if len(new):
            found = differences(self.texts[new // self.graph.n], self.texts[new % self.graph.n], self.vocabulary)
            self.columns = list(found)
            self.seen.update(zip(new.tolist(), found.to_numpy(), strict=True))
        return pd.DataFrame(np.array([self.seen[k] for k in key.tolist()]), columns=self.columns)

    # -- planting ----------------------------------------------------------------------------------------

    def edges(self, half: int) -> np.ndarray:
        return np.flatnonzero(self.half[self.graph.edge_a] == half)

    def random(self, half: int, rng) -> Planted:
        edges = self.edges(half)
        sign = self.graph.edge_sign[edges]
        wrong = np.zeros(len(edges), dtype=bool)
        for each in (1, -1):
            alike = np.flatnonzero(sign == each)
            wrong[rng.choice(alike, round(0.02 * len(alike)), replace=False)] = True
        a, b = self.graph.edge_a[edges], self.graph.edge_b[edges]
        return Planted(a, b, np.where(wrong, -sign, sign).astype(np.int8), wrong, self.graph.n)

    @cached_property
    def on_cycle(self) -> np.ndarray:
        positive = np.flatnonzero(self.graph.edge_sign > 0)
        found = np.zeros(len(self.graph.edge_a), dtype=bool)
        block = blocks(self.graph.n, self.graph.edge_a[positive], self.graph.edge_b[positive])
        found[positive[block >= 0]] = True
        return found

    def separated(self, half: int) -> np.ndarray:
        """Negatives between clusters that hold more than one pair between them."""
        g = self.graph
        a, b = g.edge_clusters
        room = g.cluster_sizes[a].astype(np.int64) * g.cluster_sizes[b] > 1
        edges = self.edges(half)
        return edges[((g.edge_sign < 0) & ~g.within & room)[edges]]

    def unstated(self, edge: int) -> list[tuple[int, int]]:
        """Pairs without a label between the two clusters of a negative."""
        g = self.graph
        x, y = (g.members(g.cluster_of[end[edge]]).tolist() for end in (g.edge_a, g.edge_b))
        return [(i, j) for i in x for j in y if g.edge_between(i, j) < 0]

    def queue(self, half: int, rng, each: int) -> Planted:
        edges, g = self.edges(half), self.graph
        turned = rng.choice(edges[self.on_cycle[edges]], each, replace=False)
        added = {}
        for edge in rng.permutation(self.separated(half)).tolist():
            free = self.unstated(edge)
            if free and len(added) < each:
                added[tuple(sorted(free[rng.integers(len(free))]))] = None
        new = np.array(list(added))
        wrong = np.concatenate([np.isin(edges, turned), np.ones(len(new), dtype=bool)])
        sign = np.concatenate([np.where(wrong[: len(edges)], -1, 1) * g.edge_sign[edges], np.ones(len(new))])
        ends = (np.concatenate([end[edges], new[:, i]]) for i, end in enumerate((g.edge_a, g.edge_b)))
        return Planted(*ends, sign.astype(np.int8), wrong, g.n)

    def conflicts(self, half: int, rng, each: int) -> tuple[Planted, pd.DataFrame]:
        """Conflicts, each in a copy of its component; and a table `kind`, `edge` (the negative) of them."""
        g, edges = self.graph, self.edges(half)
        # Each case: kind, pairs turned round, pairs added with sign, the negative of the conflict.
        cases = []
        for e in rng.choice(edges[self.on_cycle[edges]], each, replace=False):
            cases.append(("flip", [e], [], (g.edge_a[e], g.edge_b[e])))
        separated = rng.permutation(self.separated(half)).tolist()
        kinds = ["cut"] * each + ["hard"] * (each // 2) + ["several"] * (each // 2)
        for kind, e in zip(kinds, separated, strict=False):
            free, stated = self.unstated(e), (g.edge_a[e], g.edge_b[e])
            if not free or (kind == "several" and len(free) < 3):
                continue
            if kind == "hard":
                other = free[rng.integers(len(free))]
                cases.append((kind, [e], [(*other, -1)], other))
            else:
                k = 1 if kind == "cut" else min(len(free), int(rng.integers(2, 9)))
                drawn = rng.choice(len(free), k, replace=False)
                cases.append((kind, [], [(*free[i], 1) for i in drawn], stated))
        link, count = g.edge_link, np.bincount(g.edge_link[g.edge_link >= 0])
        shared = [e for e in edges.tolist() if link[e] >= 0 and count[link[e]] > 1]
        for e in shared:
            other = next(o for o in shared if link[o] == link[e] and o != e)
            cases.append(("shared", [e], [], (g.edge_a[other], g.edge_b[other])))
        return self._copies(cases)

    def _copies(self, cases) -> tuple[Planted, pd.DataFrame]:
        g = self.graph
        order = np.argsort(self.component[g.edge_a], kind="stable")
        starts = np.searchsorted(self.component[g.edge_a][order], np.arange(self.component.max() + 2))
        a, b, sign, origin, wrong, negatives, n = [], [], [], [], [], [], 0
        for _, turned, added, negative in cases:
            c = self.component[negative[0]]
            edges = order[starts[c] : starts[c + 1]]
            turn = np.isin(edges, turned)
            ends = np.array([g.edge_a[edges], g.edge_b[edges]]).T
            signs = np.where(turn, -g.edge_sign[edges], g.edge_sign[edges])
            if added:
                ends = np.concatenate([ends, [x[:2] for x in added]])
                signs = np.concatenate([signs, [x[2] for x in added]])
                turn = np.concatenate([turn, [x[2] > 0 for x in added]])
            nodes, local = np.unique(ends, return_inverse=True)
            local = local.reshape(-1, 2) + n
            at = {frozenset(pair): i for i, pair in enumerate(ends.tolist())}[frozenset(map(int, negative))]
            negatives.append(at + sum(map(len, a)))
            a, b = [*a, local[:, 0]], [*b, local[:, 1]]
            sign, wrong, origin, n = [*sign, signs], [*wrong, turn], [*origin, nodes], n + len(nodes)
        a, b, sign, wrong, origin = map(np.concatenate, (a, b, sign, wrong, origin))
        planted = Planted(a, b, sign.astype(np.int8), wrong, n, origin)
        return planted, pd.DataFrame({"kind": [case[0] for case in cases], "edge": negatives})


def judged(corpus: Corpus, halves: list[Planted]) -> list[pd.DataFrame]:
    """The table of evidence of each half; the model has learnt from the planted labels of both."""
    a, b = (np.concatenate(x) for x in zip(*(half.ends for half in halves), strict=True))
    label = np.concatenate([half.graph.edge_sign > 0 for half in halves]).astype(int)
    model, cosine = corpus.opinions(a, b, label)
    return _parted(corpus.words(a, b).assign(model=model, cosine=cosine), halves)


def _parted(table: pd.DataFrame, halves: list[Planted]) -> list[pd.DataFrame]:
    sizes = [len(half.graph.edge_a) for half in halves]
    ends = zip(np.cumsum(sizes), sizes, strict=True)
    return [table.iloc[end - size : end].reset_index(drop=True) for end, size in ends]


def judged_one_at_a_time(
    corpus: Corpus, halves: list[Planted]
) -> tuple[list[pd.DataFrame], ParaphraseGraph, pd.DataFrame]:
    """As `judged`, and the first half of the corpus as it is, with its table of evidence.

    A single error does not bend a model that has not seen its component: models learn from the corpus as it is, and
    what was added has no label for them.
    """
    g = corpus.graph
    a, b = (np.concatenate(x) for x in zip(*(half.ends for half in halves), strict=True))
    key = np.minimum(a, b).astype(np.int64) * g.n + np.maximum(a, b)
    new = np.unique(key[[g.edge_between(i, j) < 0 for i, j in zip(a, b, strict=True)]])
    all_a, all_b = np.concatenate([g.edge_a, new // g.n]), np.concatenate([g.edge_b, new % g.n])
    label = np.concatenate([(g.edge_sign > 0).astype(int), np.full(len(new), -1)])
    model, cosine = corpus.opinions(all_a, all_b, label)
    keys = (np.minimum(all_a, all_b).astype(np.int64) * g.n + np.maximum(all_a, all_b)).tolist()
    place = {k: i for i, k in enumerate(keys)}
    at = np.array([place[k] for k in key.tolist()])
    tables = _parted(corpus.words(a, b).assign(model=model[at], cosine=cosine[at]), halves)
    edges = corpus.edges(0)
    first = ParaphraseGraph(g.edge_a[edges], g.edge_b[edges], g.edge_sign[edges], g.n)
    table = corpus.words(first.edge_a, first.edge_b)
    return tables, first, table.assign(model=model[edges], cosine=cosine[edges])


def of_labels(sign: np.ndarray, z: np.ndarray) -> np.ndarray:
    """The model's probability that a stated label is wrong."""
    return 1 / (1 + np.exp(sign * z))


def cleanlab(sign: np.ndarray, z: np.ndarray) -> np.ndarray:
    from cleanlab.rank import get_label_quality_scores

    p = 1 / (1 + np.exp(-z))
    return 1 - get_label_quality_scores((sign > 0).astype(int), np.column_stack([1 - p, p]), method="self_confidence")


def ranked(planted: list[Planted], tables: list[pd.DataFrame], flips: Weights) -> dict[str, np.ndarray]:
    """How suspicious each label of the second half is, to each."""
    graph, z = planted[1].graph, tables[1]["model"].to_numpy()
    model = of_labels(graph.edge_sign, z)
    return {
        "paper's rule": graph.within.astype(float),
        "cleanlab": cleanlab(graph.edge_sign, z),
        "rule, then model": graph.within + model,
        "prototype": posterior(graph, z + graph.edge_sign * LABEL, progress=False).p_wrong,
        "ours": ours(planted, columns_of(planted, tables, flips)),
    }


def columns_of(planted: list[Planted], tables: list[pd.DataFrame], flips: Weights) -> list[pd.DataFrame]:
    """The columns of suspicion of both halves, evidence weighed as on the first."""
    own = weights_for(planted[0].graph, tables[0])
    pairs = zip(planted, tables, strict=True)
    return [suspicion(each.graph, own.log_odds(table), flips) for each, table in pairs]


def ours(planted: list[Planted], columns: list[pd.DataFrame]) -> np.ndarray:
    """`p_wrong` of the second half, fitted on the first."""
    weights = fit_suspicion(planted[0].graph, columns[0], planted[0].wrong, "")
    return p_wrong(planted[1].graph, columns[1], weights)


#: Columns of ours left out together.
PARTS = {
    "model, cosine": ("model", "cosine"),
    "words": tuple(WORDS),
    "conflicts": ("conflict", "flip"),
    "structure": ("structure",),
    "support": ("support",),
    "degrees": tuple(DEGREES),
}


def ablation(
    corpus: Corpus, planted: list[Planted], tables: list[pd.DataFrame], flips: Weights, task: str
) -> list[dict]:
    """What leaving out columns costs in average precision, with a 95 % bootstrap interval over components."""
    from sklearn.metrics import average_precision_score

    wrong = planted[1].wrong
    columns = columns_of(planted, tables, flips)
    whole = ours(planted, columns)
    draws = _draws(corpus.component[planted[1].ends[0]])
    rows = []
    for name, part in PARTS.items():
        if "model" in part or "overlap" in part:
            fewer = columns_of(planted, [table.drop(columns=list(part)) for table in tables], flips)
        else:
            fewer = [table.drop(columns=[c for c in part if c != "conflict"]) for table in columns]
        if "conflict" in part:  # then no edge is of a kind of its own
            fewer = [table.assign(conflict=False) for table in fewer]
        less = ours(planted, fewer)
        lost = [
            average_precision_score(wrong, whole, sample_weight=d)
            - average_precision_score(wrong, less, sample_weight=d)
            for d in draws
        ]
        cost = average_precision_score(wrong, whole) - average_precision_score(wrong, less)
        low, high = np.quantile(lost, [0.025, 0.975])
        rows.append({"task": task, "without": name, "cost": cost, "low": low, "high": high})
    return rows


def ablation_of_sides(
    corpus: Corpus, planted, cases, tables, first: ParaphraseGraph, natural: pd.DataFrame
) -> list[dict]:
    """What leaving out a column costs in balanced accuracy of flip or cut, with intervals as in `ablation`."""
    parts = {name: (name,) for name in SIDES} | {name: PARTS[name] for name in ("model, cosine", "words")}

    def found(part: tuple) -> pd.DataFrame:
        own = weights_for(first, natural.drop(columns=[c for c in part if c in natural]))
        columns = [c for c in SIDES if c not in part]
        flips = fit_flips(planted[0], cases[0], own.log_odds(tables[0]), "", columns)
        joined = planted[1].graph.within[cases[1]["edge"]]
        found = flip_or_cut(planted[1].graph, own.log_odds(tables[1]), flips).set_index("edge")
        kept = cases[1][joined]
        node = planted[1].graph.edge_a[kept["edge"]]
        right = (found.loc[kept["edge"], "log_odds"].to_numpy() > 0) == (kept["kind"] == "flip").to_numpy()
        return kept.assign(right=right, component=corpus.component[planted[1].origin[node]])

    def balanced(table: pd.DataFrame, weight: np.ndarray) -> float:
        kind = table["kind"].to_numpy()
        return np.mean([np.average(table["right"][kind == k], weights=weight[kind == k]) for k in ("flip", "cut")])

    whole = found(())
    draws = _draws(whole["component"])
    one = np.ones(len(whole))
    rows = []
    for name, part in parts.items():
        less = found(part)
        low, high = np.quantile([balanced(whole, d) - balanced(less, d) for d in draws], [0.025, 0.975])
        cost = balanced(whole, one) - balanced(less, one)
        rows.append({"task": "flip or cut", "without": name, "cost": cost, "low": low, "high": high})
    return rows


def _draws(component: np.ndarray) -> list[np.ndarray]:
    """How often each row counts in each of 200 bootstrap samples of components."""
    _, group = np.unique(component, return_inverse=True)
    share = np.full(group.max() + 1, 1 / (group.max() + 1))
    rng = np.random.default_rng(0)
    return [rng.multinomial(len(share), share)[group] for _ in range(200)]


#: How much each kind of planted conflict counts in the fit; flips and cuts evenly.
SHARES = {"flip": 1.0, "cut": 0.65, "hard": 0.2, "several": 0.15}


#: Share of flips that must stay right where weights are fitted; the border is moved until they are.
FLIPS_RIGHT = 0.87


def fit_flips(
    planted: Planted, cases: pd.DataFrame, evidence: np.ndarray, fitted_on: str, columns=tuple(SIDES)
) -> Weights:
    found = sides(planted.graph, evidence).set_index("edge").reindex(cases["edge"])
    use = (cases["kind"].isin(list(SHARES)) & found["negative"].notna().to_numpy()).to_numpy()
    kind = cases["kind"][use]
    weight = kind.map(SHARES) / kind.map(kind.value_counts()) * len(kind) / 2
    group = planted.origin[planted.graph.edge_a[cases["edge"]]][use]
    found = found.loc[use, list(columns)]
    weights = fit(found, (kind == "flip").to_numpy(), group, fitted_on, weight.to_numpy())
    missing = -np.quantile(weights.log_odds(found)[kind == "flip"], 1 - FLIPS_RIGHT)
    return weights._replace(bias=weights.bias + max(missing, 0.0))


def flips_and_cuts(
    planted: Planted, cases: pd.DataFrame, table: pd.DataFrame, own: Weights, flips: Weights
) -> pd.DataFrame:
    """For each case what speaks for flip (log-odds or alike, the border at 0), to each."""
    graph, z = planted.graph, table["model"].to_numpy()
    joined = graph.within[cases["edge"]]  # a flip may have been the only way between its ends
    cases = cases[joined]
    edge = cases["edge"].to_numpy()
    plain = sides(graph, np.zeros(len(z))).set_index("edge").loc[edge]
    lab = cleanlab(graph.edge_sign, z)
    found = flip_or_cut(graph, own.log_odds(table), flips).set_index("edge").loc[edge]
    return pd.DataFrame(
        {
            "kind": cases["kind"].to_numpy(),
            "paper's rule": 1.0,
            "cleanlab": lab[edge] - [lab[cut].max() for cut in plain["positives"]],
            "rule, then model": 1.0,
            "prototype": posterior(graph, z + graph.edge_sign * LABEL, progress=False).log_odds[edge],
            "ours": found["log_odds"].to_numpy(),
            "right edge": [bool(planted.wrong[cut].any()) for cut in found["positives"]],
        }
    )


def score_conflicts(found: pd.DataFrame) -> dict[str, float]:
    scores = {}
    for who in WHO:
        flip, cut, shared = (found.loc[found["kind"] == kind, who] for kind in ("flip", "cut", "shared"))
        border = np.quantile(flip, 0.15, method="lower")
        scores[f"flip or cut / balanced accuracy / {who}"] = ((flip > 0).mean() + (cut <= 0).mean()) / 2
        scores[f"flip or cut / flips right / {who}"] = (flip > 0).mean()
        scores[f"shared / cut proposed / {who}"] = (shared <= 0).mean()
        scores[f"shared / cut at flips .85 / {who}"] = (shared < border).mean() if flip.nunique() > 1 else 0.0
    several = found.loc[found["kind"] == "several", "ours"]
    scores["flip or cut / cut of several wrong positives / ours"] = (several <= 0).mean()
    cut = found[(found["kind"] == "cut") & (found["ours"] <= 0)]
    scores["flip or cut / right positive named, of cuts / ours"] = cut["right edge"].mean()
    return scores


def by_score(score: np.ndarray) -> np.ndarray:
    """Highest first; ties in an order drawn once, for that of the file knows what was planted."""
    return np.lexsort((np.random.default_rng(0).permutation(len(score)), -score))


def score_ranked(task: str, wrong: np.ndarray, scores: dict[str, np.ndarray]) -> dict[str, float]:
    from sklearn.metrics import average_precision_score

    found = {}
    for who, score in scores.items():
        found[f"{task} / average precision / {who}"] = average_precision_score(wrong, score)
        if task == "queue":
            order = by_score(score)
            for k in (500, 1000):
                found[f"queue / precision at {k} / {who}"] = wrong[order[:k]].mean()
    return found


#: Curves: pairs read at most, and from point to point.
MOST, STEP = 3000, 25


def curve(wrong: np.ndarray, score: np.ndarray) -> list[int]:
    """Errors found among the first k pairs read."""
    return np.cumsum(wrong[by_score(score)])[:MOST:STEP].tolist()


def shipped(corpus: Corpus, conflicts: Planted, cases, tables, first: ParaphraseGraph, natural, rng) -> None:
    """Fit the weights that ship, on the first half alone, and write them.

    Suspicion outside conflicts is fitted on the task *random*, inside on planted conflicts with as many flips as
    cuts: only there is every label known, and only so is a conflict not taken for a flip beforehand.
    """
    what = f"one half of the components of a large part of Quora Question Pairs ({len(natural):,} stated pairs)"
    planted = corpus.random(0, rng)
    (table,) = judged(corpus, [planted])
    kept = {}
    for given in ([], ["model"], ["cosine"], ["model", "cosine"]):
        own = weights_for(first, natural[[*WORDS, *given]])
        kept["+".join(["evidence", *given])] = own._replace(fitted_on=what).figures()
        if len(given) == 1:
            continue
        model = "+model" * bool(given)
        flips = fit_flips(conflicts, cases, own.log_odds(tables), f"{len(cases):,} conflicts planted in {what}")
        kept["sides" + model] = flips.figures()
        columns = suspicion(planted.graph, own.log_odds(table), flips)[["conflict", *SUSPICION]]
        errors = f"{planted.wrong.sum():,} errors planted in {what}"
        found = fit_suspicion(planted.graph, columns, planted.wrong, errors)
        inside = suspicion(conflicts.graph, own.log_odds(tables), flips)[["conflict", *SUSPICION]]
        of_conflicts = fit_suspicion(conflicts.graph, inside, conflicts.wrong, flips.fitted_on)
        found |= {kind: of_conflicts[kind] for kind in of_conflicts if "conflict" in kind}
        kept |= {f"suspicion, {kind}{model}": weights.figures() for kind, weights in found.items()}
    SHIPPED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main(path: str, seed: str = "0", size: str = "1000", mode: str = "") -> None:
    corpus, each = Corpus(path, mode == "develop"), int(size)
    rng = np.random.default_rng(int(seed))
    planted, cases = zip(*(corpus.conflicts(half, rng, each) for half in (0, 1)), strict=True)
    tables, first, natural = judged_one_at_a_time(corpus, planted)
    if mode == "ship":
        return shipped(corpus, planted[0], cases[0], tables[0], first, natural, rng)
    own = weights_for(first, natural)
    flips = fit_flips(planted[0], cases[0], own.log_odds(tables[0]), "")
    scores = score_conflicts(flips_and_cuts(planted[1], cases[1], tables[1], own, flips))
    curves, costs = {}, []
    if seed == "0":
        costs += ablation_of_sides(corpus, planted, cases, tables, first, natural)
    for task in ("random", "queue"):
        extra = (each * 6 // 10,) if task == "queue" else ()
        planted = [getattr(corpus, task)(half, rng, *extra) for half in (0, 1)]
        tables = judged(corpus, planted)
        by = ranked(planted, tables, flips)
        scores |= score_ranked(task, planted[1].wrong, by)
        curves[task] = {who: curve(planted[1].wrong, by[who]) for who in WHO}
        if seed == "0":
            costs += ablation(corpus, planted, tables, flips, task)
    rows = [{"seed": int(seed), "what": what, "value": round(float(value), 4)} for what, value in scores.items()]
    print(json.dumps({"scores": rows, "curves": curves, "ablation": costs}))


def write(found: list[dict], folder: Path) -> pd.DataFrame:
    """What the runs of several seeds printed: tables of figures and the curves, as a picture; returns the scores."""
    folder.mkdir(parents=True, exist_ok=True)
    scores = pd.DataFrame([row for run in found for row in run["scores"]])
    by = scores.groupby("what", sort=False)["value"]
    table = pd.DataFrame({"mean": by.mean(), "sd": by.std(), "seeds": by.count()}).round(4).reset_index()
    table[["task", "measure", "who"]] = table.pop("what").str.split(" / ", expand=True)
    table = table[["task", "measure", "who", "mean", "sd", "seeds"]]
    table.to_csv(folder / "repair.tsv", sep="\t", index=False)
    costs = pd.DataFrame([row for run in found for row in run["ablation"]])
    costs.round(4).to_csv(folder / "repair_ablation.tsv", sep="\t", index=False)
    _draw(found[0]["curves"], folder / "repair.png")
    return table


def _draw(curves: dict, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    colours = dict(zip(WHO, ("#999999", "#E69F00", "#56B4E9", "#009E73", "#D55E00"), strict=True))
    titles = {"random": "2 % of labels turned round", "queue": "600 + 600 errors that make conflicts"}
    figure, axes = plt.subplots(1, len(curves), figsize=(10, 4), layout="constrained")
    for axis, (task, by) in zip(axes, curves.items(), strict=True):
        for who, found in by.items():
            axis.plot(np.arange(len(found)) * STEP + 1, found, color=colours[who], label=who, linewidth=1.8)
        most = max(map(max, by.values()))
        axis.plot([0, most], [0, most], color="#cccccc", linewidth=1, zorder=0)
        axis.set(title=titles[task], xlabel="pairs read", ylabel="wrong labels found", xlim=(0, MOST), ylim=(0, None))
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].legend(frameon=False)
    figure.savefig(path, dpi=150)
    plt.close(figure)


if __name__ == "__main__":
    main(*sys.argv[1:])
