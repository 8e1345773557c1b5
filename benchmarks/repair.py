"""Which label is wrong: errors planted in qqp_all (`benchmarks.planting`), and who finds them.

``python -m benchmarks.repair FILE SEED SIZE`` runs one seed: `pg.repair` and `pg.suspects`, called as a user calls
them. Nothing is fitted on planted errors. (`benchmarks.sameness` has the figures on pairs that people judged.)

Tasks
-----
random, queue
    All pairs ranked by how suspicious their labels are: 2 % of them turned; or 1,200 + 1,200 errors in conflicts.
matched
    Flip or cut where the number of paths and the size of the cluster say nothing: each cut has its flip.
cut, family, shared
    Conflicts in which a positive is wrong; see `planting.Corpus.conflicts`. Is a cut proposed, and does it name
    (`edge1`, `edge2`) a planted positive?

Who
---
rule
    A negative inside a cluster is wrong, and nothing else (Chen, Ji and Evans 2020).
words, minilm
    `repair` without and with the model; `suspects` without and with a model's opinions out of fold, for MiniLM's
    vectors (`folds.out_of_fold`; MiniLM has seen Quora's duplicates).
cleanlab
    Label quality (self-confidence) by cleanlab, from the same opinions.
rule, then cleanlab
    What the rule flags first, and within both parts by cleanlab.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import paragraph as pg
from benchmarks.planting import Corpus, Planted, matched
from paragraph.doubts.judges import judge_of
from paragraph.doubts.suspects import suspects

#: Numbers of pairs read, among which the wrong ones are counted.
READ = (500, 1000)


def opinions(graph: pg.ParaphraseGraph) -> pd.DataFrame:
    """A model's opinion on each edge, in their order."""
    from .folds import out_of_fold

    table = pd.DataFrame({"text_a": graph.texts(graph.edge_a), "text_b": graph.texts(graph.edge_b)})
    table["label"] = pd.array(graph.edge_sign > 0, dtype="Int8")
    return out_of_fold(table, progress=False)


def cleanlab(sign: np.ndarray, p: np.ndarray) -> np.ndarray:
    """How suspicious each label is, by cleanlab."""
    from cleanlab.rank import get_label_quality_scores

    p = np.column_stack([1 - p, p])
    return 1 - get_label_quality_scores((sign > 0).astype(int), p, method="self_confidence")


def of_edges(graph: pg.ParaphraseGraph, listed: pd.DataFrame) -> np.ndarray:
    """`p_wrong` of a list of suspects, in the order of the edges."""
    places = {text: i for i, text in enumerate(graph.sentences.to_pylist())}
    a, b = (listed[end].map(places).to_numpy(np.int64) for end in ("text_a", "text_b"))
    found = np.full(len(graph.edge_a), np.nan)
    found[graph.edge_index.places(a, b)] = listed["p_wrong"]
    return found


def ranked(planted: Planted) -> dict[str, np.ndarray]:
    """How suspicious each label is, to each."""
    graph, evidence = planted.graph, opinions(planted.graph)
    lab = cleanlab(graph.edge_sign, evidence["model"].to_numpy())
    p = {frozenset(pair): p for *pair, p in evidence.itertuples(index=False, name=None)}

    def by_table(left: list[str], right: list[str]) -> list[float]:
        return [p[frozenset(pair)] for pair in zip(left, right, strict=True)]

    return {
        "rule": graph.negatives_inside.astype(float),
        "cleanlab": lab,
        "rule, then cleanlab": graph.negatives_inside + lab,
        "words": of_edges(graph, suspects(graph, judge=None, progress=False)),
        "minilm": of_edges(graph, suspects(graph, judge=by_table, first=None, progress=False)),
    }


def by_score(score: np.ndarray) -> np.ndarray:
    """Highest first; ties in an order drawn once, for that of the file knows what was planted."""
    return np.lexsort((np.random.default_rng(0).permutation(len(score)), -score))


def score_ranked(task: str, wrong: np.ndarray, scores: dict[str, np.ndarray]) -> dict[str, float]:
    from sklearn.metrics import average_precision_score

    found = {}
    for who, score in scores.items():
        found[f"{task} / average precision / {who}"] = average_precision_score(wrong, score)
        for k in READ:
            found[f"{task} / precision at {k:,} / {who}"] = wrong[by_score(score)[:k]].mean()
    return found


def score_conflicts(planted: Planted, cases: pd.DataFrame, rng) -> dict[str, float]:
    """Shares of right proposals; an unsure one counts as the more probable of the two."""
    graph, found = planted.graph, {}
    tables = {
        "rule": pg.repair(graph, method="flip_all", progress=False).assign(p_flip=1.0),
        # words propose nothing by themselves: this says why
        "words": pg.repair(graph, judge=judge_of(None, progress=False), progress=False),
        "minilm": pg.repair(graph, judge="minilm", progress=False),
    }
    place = np.cumsum(graph.negatives_inside) - 1  # a row per conflict, in the order of the edges
    cases, pairs = cases.reset_index(drop=True), matched(cases, rng).index
    for who, table in tables.items():
        table = table.iloc[place[cases["edge"]]].reset_index(drop=True)
        flip = (table["p_flip"] > 0.5).to_numpy()
        named = zip(table["edge1"], table["edge2"], cases["positives"], strict=True)
        hit = np.array([frozenset((a, b)) in positives for a, b, positives in named])
        right = flip == (cases["kind"] == "flip").to_numpy()
        for kind in ("flip", "cut"):
            found[f"matched / {kind}s right / {who}"] = right[pairs][
                cases["kind"][pairs] == kind
            ].mean()
        found[f"matched / balanced accuracy / {who}"] = right[pairs].mean()
        for kind in ("cut", "family", "shared"):
            of_kind = (cases["kind"] == kind).to_numpy()
            found[f"{kind} / cut proposed / {who}"] = (~flip[of_kind]).mean()
            if (~flip[of_kind]).any():
                found[f"{kind} / planted positive named, of cuts / {who}"] = hit[
                    of_kind & ~flip
                ].mean()
    return found | {"matched / pairs of conflicts / all": len(pairs) / 2}


def main(path: str, seed: str = "0", size: str = "150") -> None:
    corpus, rng = Corpus(path), np.random.default_rng(int(seed))
    scores = score_conflicts(*corpus.conflicts(rng, int(size)), rng)
    for task in ("random", "queue"):
        planted = getattr(corpus, task)(rng)
        scores |= score_ranked(task, planted.wrong, ranked(planted))
    rows = [
        {"seed": int(seed), "what": what, "value": round(float(value), 4)}
        for what, value in scores.items()
    ]
    print(json.dumps(rows))


def write(found: list[list[dict]], folder: Path) -> pd.DataFrame:
    """Write the figures that runs of several seeds printed, and return them as a table."""
    folder.mkdir(parents=True, exist_ok=True)
    by = pd.DataFrame([row for run in found for row in run]).groupby("what", sort=False)["value"]
    table = (
        pd.DataFrame({"mean": by.mean(), "sd": by.std(), "seeds": by.count()})
        .round(4)
        .reset_index()
    )
    table[["task", "measure", "who"]] = table.pop("what").str.split(" / ", expand=True)
    table = table[["task", "measure", "who", "mean", "sd", "seeds"]]
    table.to_csv(folder / "repair.tsv", sep="\t", index=False)
    return table


if __name__ == "__main__":
    main(*sys.argv[1:])
