"""Errors planted in public files: how soon does `pg.suspects` list them, by words alone?

``python -m benchmarks.suspects DATA_FOLDER SET SEED`` prints the figures of one file and seed, as JSON. Nothing is
fitted on planted errors: their design gives them away. Labels that were wrong before count as right, so scores are
lower bounds.

Designs
-------
uniform
    2 % of the labels of either sign turned.
families
    2 % as many wrong positives as there are labels, two to five at a time (fewer where there is no room) between two
    clusters that a negative keeps apart. The negative stays.
mixture
    Errors of three kinds, as many of each, 2 % in all: labels turned at random, labels turned among the fifth of
    their sign of which words tell least, and families.
positives, negatives, both
    6 % of the labels of one sign turned, or 3 % of either.
half near
    As *both*; half of the errors are among the fifth of their sign of which words tell least.

Who
---
rule
    A negative inside a cluster is wrong, and nothing else.
own opinion
    The file's own evidence against the label (`own.own_opinion`).
cleanlab
    Label quality (self-confidence) by cleanlab, of a logistic regression on the columns of `differences`, out of
    fold by component.
suspects
    `p_wrong` of `pg.suspects`, by what other files have.
suspects, audit
    The same after an audit of 100, drawn by `pg.audit` and answered from the key. What the audit found counts.
learning
    A review of the list without an audit: its first hundred answers, from the key.

Measured: average precision, and the share of errors among the first 100 and 500.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import average_precision_score

import paragraph as pg
from paragraph.doubts.shipped import compared, own_opinion
from paragraph.doubts.suspects import belief_of
from paragraph.graph.arrays import connected
from paragraph.learn.logistic import fit_logistic
from paragraph.papers.experiments.sets import plant_errors

from .judged_labels import File
from .repair import by_score, cleanlab, of_edges
from .yields import reviewed

SETS = {
    "mqp": ["mqp/mqp.csv"],
    "mrpc": ["mrpc/msr_paraphrase_train.txt", "mrpc/msr_paraphrase_test.txt"],
    "paws": ["paws/paws_wiki_dev.csv"],
    "sick": ["sick/SICK_train.txt", "sick/SICK_trial.txt", "sick/SICK_test_annotated.txt"],
    "qqp_natural": ["qqp/qqp_natural.tsv.gz"],
    "qqp_all": ["qqp/qqp_all.tsv.gz"],
}
#: What is planted, one after the other: the kind, and the share of positives and of negatives.
DESIGNS = {
    "uniform": [("random", 0.02, 0.02)],
    "families": [("families", 0.02, 0.02)],
    "mixture": [(kind, 0.02 / 3, 0.02 / 3) for kind in ("families", "random", "near")],
    "positives": [("random", 0.06, 0.0)],
    "negatives": [("random", 0.0, 0.06)],
    "both": [("random", 0.03, 0.03)],
    "half near": [("random", 0.015, 0.015), ("near", 0.015, 0.015)],
}
FOLDS, ROOM = 5, 5000
FIRST = (100, 500)
#: The part of a sign's labels that is near the boundary.
NEAR = 0.2


def read(folder: Path, name: str) -> pd.DataFrame:
    parts = [pg.read_pairs(folder / file)[["text_a", "text_b", "label"]] for file in SETS[name]]
    pairs = pd.concat(parts, ignore_index=True)
    return pairs[pairs["label"].notna()].reset_index(drop=True)


def planted(pairs: pd.DataFrame, design: str, seed: int) -> tuple[pg.ParaphraseGraph, np.ndarray]:
    """The graph of the pairs with errors, and flags of its wrong edges."""
    texts, keys = ["text_a", "text_b"], []
    for i, (kind, *shares) in enumerate(DESIGNS[design]):
        free = np.ones(len(pairs), dtype=bool)  # what is wrong already is not turned back
        if keys:
            done = set(map(frozenset, pd.concat(keys)[texts].to_numpy().tolist()))
            free = np.array(
                [frozenset(pair) not in done for pair in pairs[texts].to_numpy().tolist()]
            )
        if kind == "families":
            pairs, key = families(pairs, shares[0], seed + i)
        else:
            if kind == "near":
                free[free] = near(pairs[free])
                shares = [share / NEAR for share in shares]
            part, key = plant_errors(pairs[free], tuple(shares), seed + i)
            pairs = pairs.assign(label=part["label"].reindex(pairs.index).fillna(pairs["label"]))
        keys.append(key)
    graph, key = pg.ParaphraseGraph.from_pairs(pairs), pd.concat(keys)
    wrong = np.zeros(len(graph.edge_a), dtype=bool)
    wrong[graph.edge_index.places(*graph.pair_nodes(key))] = True
    return graph, wrong


def near(pairs: pd.DataFrame) -> np.ndarray:
    """Flags of the rows whose words tell least of their label, a fifth of either sign."""
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    doubt, found = np.abs(own_opinion(graph)), np.zeros(len(graph.edge_a) + 1, dtype=bool)
    for rows in (np.flatnonzero(graph.edge_sign == sign) for sign in (1, -1)):
        found[rows] = doubt[rows] <= np.quantile(doubt[rows], NEAR)
    return found[graph.row_edge] & graph.row_labelled


def families(pairs: pd.DataFrame, share: float, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The pairs with wrong positives between clusters that a negative keeps apart, and these."""
    graph, rng = pg.ParaphraseGraph.from_pairs(pairs), np.random.default_rng(seed)
    added, taken = [], set()
    for edge in rng.permutation(
        np.flatnonzero((graph.edge_sign < 0) & ~graph.negatives_inside)
    ).tolist():
        if len(added) >= round(share * len(graph.edge_a)):
            break
        clusters = [int(graph.cluster_of[end[edge]]) for end in (graph.edge_a, graph.edge_b)]
        x, y = (graph.members(cluster).tolist() for cluster in clusters)
        if taken & {*clusters} or not 2 <= len(x) * len(y) <= ROOM:
            continue
        free = [(i, j) for i in x for j in y if graph.edge_between(i, j) < 0]
        if free:
            taken |= {*clusters}
            count = min(len(free), int(rng.integers(2, 6)))
            added += [free[i] for i in rng.choice(len(free), count, replace=False)]
    a, b = zip(*added, strict=True)
    wrong = pd.DataFrame({"text_a": graph.texts(a), "text_b": graph.texts(b), "label": 1})
    return pd.concat([pairs, wrong], ignore_index=True).astype({"label": "Int8"}), wrong


def out_of_fold(graph: pg.ParaphraseGraph, columns: np.ndarray, seed: int) -> np.ndarray:
    """P(positive) of each edge by logistic regression on the other folds; a component stays in one."""
    component = connected(graph.n, graph.edge_a, graph.edge_b)
    fold = np.random.default_rng(seed).integers(0, FOLDS, component.max() + 1)[
        component[graph.edge_a]
    ]
    found = np.empty(len(fold))
    for k in range(FOLDS):
        model = fit_logistic(columns[fold != k].copy(), (graph.edge_sign > 0)[fold != k])
        found[fold == k] = model.probability(columns[fold == k])
    return found


def audit_of(graph: pg.ParaphraseGraph, wrong: np.ndarray, seed: int) -> pd.DataFrame:
    """An audit of 100, answered from the key: stated labels but the errors are right, of others it says nothing."""
    sample = pg.audit(graph, n=100, seed=seed)
    edge = graph.edge_index.places(*graph.pair_nodes(sample))
    return sample.assign(same=np.where(edge >= 0, (graph.edge_sign[edge] > 0) != wrong[edge], None))


def ranked(graph: pg.ParaphraseGraph, wrong: np.ndarray, seed: int) -> dict[str, np.ndarray]:
    """How suspicious each label is, to each."""
    p = out_of_fold(graph, compared(graph, progress=False)[0].to_numpy(float), seed)
    judged, before = audit_of(graph, wrong, seed), pg.suspects(graph, judge=None, progress=False)
    return {
        "rule": graph.negatives_inside.astype(float),
        "own opinion": -graph.edge_sign * own_opinion(graph),
        "cleanlab": cleanlab(graph.edge_sign, p),
        "suspects": of_edges(graph, before),
        "suspects, audit": of_edges(
            graph, pg.suspects(graph, judge=None, answers=judged, progress=False)
        ),
        "learning": first_read(graph, before, wrong, seed),
    }


def first_read(
    graph: pg.ParaphraseGraph, listed: pd.DataFrame, wrong: np.ndarray, seed: int
) -> np.ndarray:
    """The labels that a review of the list asks about, the first highest; 0 for the others."""
    edge = graph.edge_index.places(*graph.pair_nodes(listed))
    belief = belief_of(listed, listed["label"].to_numpy())
    # a sentence paired with itself and labelled 0 is wrong
    answers = np.where(edge < 0, 1.0, wrong[edge])
    file = File(listed, answers, answers, np.ones(len(answers), dtype=bool))
    asked = edge[reviewed(belief, file, seed, FIRST[0]).rows]
    found = np.zeros(len(wrong))
    found[asked[asked >= 0]] = np.arange(len(asked), 0, -1)[asked >= 0]
    return found


def main(folder: str, name: str, seed: str = "0", *designs: str) -> None:
    rows = []
    for design in designs or DESIGNS:
        graph, wrong = planted(read(Path(folder), name), design, int(seed))
        for who, score in ranked(graph, wrong, int(seed)).items():
            order = by_score(score)
            found = {f"first {n}": wrong[order[:n]].mean() for n in FIRST}
            found |= {"average precision": average_precision_score(wrong, score)}
            if who == "learning":
                found = {"first 100": found["first 100"]}
            known = {
                "set": name,
                "design": design,
                "seed": int(seed),
                "errors": int(wrong.sum()),
                "who": who,
            }
            rows.append(
                known | {measure: round(float(value), 4) for measure, value in found.items()}
            )
    print(json.dumps(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
