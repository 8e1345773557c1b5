"""Errors planted in five datasets: is `pg.suspects` ever worse than something simpler?

``python -m benchmarks.suspects DATA_FOLDER SET SEED`` prints the scores of one set and seed as JSON; a fourth
argument names a folder in which the model's opinions are kept. Nothing is fitted on planted errors, and without an
audit nobody can know their rates: `benchmarks.yields` comes first. Labels that were wrong before count as right, so
scores are lower bounds.

Errors
------
uniform
    2 % of the labels of either sign turned.
families
    2 % as many wrong positives as there are labels, two to five at a time (fewer where there is no room) between two
    clusters that a negative keeps apart. The negative stays.

Evidence
--------
*words*: none is given. *minilm*: opinions out of fold on MiniLM's vectors, with the errors in place
(`learn.pair_opinions`; MiniLM has seen Quora's duplicates, not the other sets).

Who
---
rule
    A negative inside a cluster is wrong, and nothing else.
evidence
    The log-odds of the own evidence against the label (`evidence.evidence_log_odds`).
cleanlab
    Label quality (self-confidence) by cleanlab: of the opinions; for words of a logistic regression on the columns
    of `differences`, out of fold by component.
rule, then evidence
    What the rule flags first, and within both parts by evidence.
suspects, no audit
    `p_wrong` of `pg.suspects`, by what other files have.
suspects
    The same after an audit of 100, drawn by `pg.audit` and answered from the key.

Measured: average precision, and precision at the number of errors. `write` compares `suspects` to each of the others,
paired by seed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import paragraph as pg
from paragraph.graph.arrays import connected
from paragraph.learn.logistic import fit_logistic, sigmoid
from paragraph.papers.experiments.sets import plant_errors
from paragraph.repairs.evidence import evidence, evidence_log_odds

from .repair import by_score, cleanlab, of_edges

SETS = {
    "mqp": ["mqp/mqp.csv"],
    "mrpc": ["mrpc/msr_paraphrase_train.txt", "mrpc/msr_paraphrase_test.txt"],
    "paws": ["paws/paws_wiki_dev.csv"],
    "sick": ["sick/SICK_train.txt", "sick/SICK_trial.txt", "sick/SICK_test_annotated.txt"],
    "qqp_natural": ["qqp/qqp_natural.tsv.gz"],
    "qqp_all": ["qqp/qqp_all.tsv.gz"],
}
SHARE, FOLDS, ROOM = 0.02, 5, 5000
OTHERS = ("rule", "evidence", "cleanlab", "rule, then evidence", "suspects, no audit")
MEASURES = ("average precision", "precision")


def read(folder: Path, name: str) -> pd.DataFrame:
    parts = [pg.read_pairs(folder / file)[["text_a", "text_b", "label"]] for file in SETS[name]]
    pairs = pd.concat(parts, ignore_index=True)
    return pairs[pairs["label"].notna()].reset_index(drop=True)


def uniform(pairs: pd.DataFrame, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The pairs with errors, and the errors."""
    return plant_errors(pairs, SHARE, seed)


def families(pairs: pd.DataFrame, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    graph, rng = pg.ParaphraseGraph.from_pairs(pairs), np.random.default_rng(seed)
    added, taken = [], set()
    for edge in rng.permutation(np.flatnonzero((graph.edge_sign < 0) & ~graph.within)).tolist():
        if len(added) >= round(SHARE * len(graph.edge_a)):
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


ERRORS = {"uniform": uniform, "families": families}


def opinions(pairs: pd.DataFrame, kept: Path | None) -> pd.DataFrame:
    """A model's opinions, worked out once where a file is named that keeps them."""
    if kept is None or not kept.exists():
        from paragraph.learn import pair_opinions

        found = pair_opinions(pairs, progress=False)[["model", "cosine"]].to_numpy()
        if kept is not None:
            np.save(kept, found)
    else:
        found = np.load(kept)
    return pairs[["text_a", "text_b"]].assign(model=found[:, 0], cosine=found[:, 1])


def out_of_fold(graph: pg.ParaphraseGraph, columns: np.ndarray, seed: int) -> np.ndarray:
    """P(positive) of each edge by logistic regression on the other folds; a component stays in one."""
    component = connected(graph.n, graph.edge_a, graph.edge_b)
    fold = np.random.default_rng(seed).integers(0, FOLDS, component.max() + 1)[component[graph.edge_a]]
    found = np.empty(len(fold))
    for k in range(FOLDS):
        model = fit_logistic(columns[fold != k].copy(), (graph.edge_sign > 0)[fold != k])
        found[fold == k] = model.probability(columns[fold == k])
    return found


def audit_of(graph: pg.ParaphraseGraph, wrong: np.ndarray, seed: int) -> pd.DataFrame:
    """An audit of 100, answered from the key: stated labels but the errors are right, of others it says nothing."""
    sample = pg.audit(graph, n=100, seed=seed)
    a, b = (np.array([graph.node(text) for text in sample[end]]) for end in ("text_a", "text_b"))
    edge = graph.edge_index.places(a, b)
    sample["same"] = np.where(edge >= 0, (graph.edge_sign[edge] > 0) != wrong[edge], None)
    return sample


def ranked(
    graph: pg.ParaphraseGraph, given: pd.DataFrame | None, wrong: np.ndarray, seed: int
) -> dict[str, np.ndarray]:
    """How suspicious each label is, to each of `OTHERS` and to `suspects`."""
    log_odds = evidence_log_odds(graph, given, progress=False)
    against = -graph.edge_sign * log_odds
    table = evidence(graph, given, progress=False)
    p = out_of_fold(graph, table.to_numpy(float), seed) if given is None else sigmoid(table["model"].to_numpy())
    return {
        "rule": graph.within.astype(float),
        "evidence": against,
        "cleanlab": cleanlab(graph.edge_sign, p),
        "rule, then evidence": graph.within + sigmoid(against),
        "suspects, no audit": of_edges(graph, pg.suspects(graph, given, progress=False)),
        "suspects": of_edges(graph, pg.suspects(graph, given, judged=audit_of(graph, wrong, seed), progress=False)),
    }


def main(folder: str, name: str, seed: str = "0", keep: str | None = None) -> None:
    from sklearn.metrics import average_precision_score

    rows = []
    for errors, plant in ERRORS.items():
        pairs, planted = plant(read(Path(folder), name), int(seed))
        graph = pg.ParaphraseGraph.from_pairs(pairs)
        ends = (graph.node(text) for column in ("text_a", "text_b") for text in planted[column])
        a, b = np.fromiter(ends, np.int64).reshape(2, -1)
        wrong = np.zeros(len(graph.edge_a), dtype=bool)
        wrong[graph.edge_index.places(a, b)] = True
        kept = Path(keep, f"{name}-{errors}-{seed}.npy") if keep else None
        for given in ("words", "minilm"):
            scores = ranked(graph, opinions(pairs, kept) if given == "minilm" else None, wrong, int(seed))
            for who, score in scores.items():
                first = by_score(score)[: wrong.sum()]
                found = dict(zip(MEASURES, (average_precision_score(wrong, score), wrong[first].mean()), strict=True))
                known = {"set": name, "errors": errors, "evidence": given, "seed": int(seed), "who": who}
                rows.append(known | {measure: float(value) for measure, value in found.items()})
    print(json.dumps(rows))


def write(found: list[list[dict]], folder: Path) -> pd.DataFrame:
    """What the runs printed as a table: means over seeds; how much better `suspects` is, and its standard error."""
    folder.mkdir(parents=True, exist_ok=True)
    runs = pd.DataFrame([row for run in found for row in run])
    rows = []
    for keys, part in runs.groupby(["set", "errors", "evidence"], sort=False):
        for measure in MEASURES:
            by = part.pivot(index="seed", columns="who", values=measure)
            for who in OTHERS:
                by_both = by[["suspects", who]].dropna()  # of the seeds that were run for both
                more = by_both["suspects"] - by_both[who]
                error = more.std() / len(more) ** 0.5 if len(more) > 1 else np.nan
                figures = by_both["suspects"].mean(), by_both[who].mean(), more.mean(), error
                verdict = "" if np.isnan(error) else "✓" if more.mean() >= -error else "✗"
                rows.append((*keys, measure, who, *np.round(figures, 4), len(more), verdict))
    names = ["set", "errors", "evidence", "measure", "other", "suspects", "other's", "difference", "error", "seeds"]
    table = pd.DataFrame(rows, columns=[*names, "verdict"])
    table.to_csv(folder / "suspects.tsv", sep="\t", index=False)
    return table


if __name__ == "__main__":
    main(*sys.argv[1:])
