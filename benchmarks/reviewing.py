"""Errors removed a decision: a simulated reviewer goes down the queue of a review, or a list of suspicious pairs.

``python -m benchmarks.reviewing FILE SEED`` prints what one seed gives, as JSON.

Errors are planted in all of qqp_all (`benchmarks.planting`): 2 % of the labels of either sign turned round
("random"), or 1,200 positives turned negative and 1,200 false positives, all in conflicts ("queue"). Labels that were
there before count as right. Of the reviewer every decision takes one step:

- In the queue of conflicts (`queue.Queue`, in the orders of `order.ordered`) the negative is flipped if
  it is planted, else the first planted positive of the path shown is cut, else both labels are kept. As in the
  review, what a decision settles leaves the queue, and a conflict that another path still joins is shown again.
- In a list of all pairs one pair is read and its label, if planted, turned back. Lists: by cleanlab's label quality,
  and `suspects` with the model's opinion as evidence.

A careless reviewer decides wrongly one time in ten: something else than what is right, drawn evenly among flip, cut
(of a positive of the path, drawn evenly) and keep; in a list, the label is turned where it should stay and stays
where it should be turned.

Measured after each 50 decisions: planted errors that no longer stand, less right labels that were changed; and how
many pairs of sentences are no longer wrongly together in a cluster or wrongly apart, inferred pairs included.

The orders "margin" and "effect, by model" take their probabilities from `pg.repair`'s proposals with the model's
opinions as evidence, the same model as cleanlab's. Nothing is fitted on planted errors.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from paragraph.decisions.order import ordered
from paragraph.decisions.queue import FOR, Queue
from paragraph.decisions.records import Decision
from paragraph.graph.arrays import connected
from paragraph.repairs.proposals import Proposals
from paragraph.repairs.suspicion import suspects

from .planting import Corpus, Planted
from .repair import by_score, cleanlab, of_edges, opinions

WHO = ("effect", "effect, by model", "margin", "size", "random", "cleanlab", "suspects")
TASKS = ("random", "queue")
MOST, STEP, AT = 1000, 50, (100, 300, 1000)
CARELESS = 0.1
MEASURES = ("errors", "pairs")


class Task:
    """A graph with planted errors, and what an ideal reviewer knows of it."""

    def __init__(self, planted: Planted):
        self.graph, self.wrong = planted
        self.evidence = opinions(self.graph)
        sign = self.graph.edge_sign
        self.true = self._clusters(np.where(self.wrong, -sign, sign))
        self.before = self._misplaced(sign)

    def _clusters(self, sign: np.ndarray) -> np.ndarray:
        joined = sign > 0
        return connected(self.graph.n, self.graph.edge_a[joined], self.graph.edge_b[joined])

    def _misplaced(self, sign: np.ndarray) -> int:
        """Pairs of sentences that are in one cluster and should not be, or should be and are not."""
        now = self._clusters(sign)
        both = now.astype(np.int64) * self.graph.n + self.true

        def pairs(of: np.ndarray) -> int:
            sizes = np.unique(of, return_counts=True)[1]
            return int((sizes * (sizes - 1) // 2).sum())

        return pairs(now) + pairs(self.true) - 2 * pairs(both)

    def removed(self, sign: np.ndarray) -> dict[str, int]:
        """What changed labels have put right, less what they have put wrong."""
        changed = sign != self.graph.edge_sign
        errors = int(np.count_nonzero(changed & self.wrong) - np.count_nonzero(changed & ~self.wrong))
        return {"errors": errors, "pairs": self.before - self._misplaced(sign)}

    def judgement(self, edge: int, path: list[int]) -> tuple[str, int | None]:
        """What is right to decide of a conflict, and the positive to cut."""
        if self.wrong[edge]:
            return "flip", None
        planted = [one for one in path if self.wrong[one] and self.graph.edge_sign[one] > 0]
        return ("cut", planted[0]) if planted else ("keep", None)

    def slip(self, right: tuple[str, int | None], path: list[int], rng) -> tuple[str, int | None]:
        """Another decision than the right one."""
        others = [one for one in path if self.graph.edge_sign[one] > 0 and ("cut", one) != right]
        kinds = [kind for kind in ("flip", "keep") if kind != right[0]] + ["cut"] * bool(others)
        kind = kinds[rng.integers(len(kinds))]
        return kind, others[rng.integers(len(others))] if kind == "cut" else None

    def reviewed(self, order: list[int], careless: float, rng) -> Iterator[np.ndarray]:
        """The labels as they stand after each decision on a queue of conflicts: 1, -1, or 0 where set aside."""
        graph, queue = self.graph, Queue(self.graph, order)
        records: list[Decision] = []
        passed: set[int] = set()
        edge = queue.next()
        while edge is not None:
            path = queue.decided.path(int(graph.edge_a[edge]), int(graph.edge_b[edge]), queue.before(edge))
            path = queue.decided.path_edges(path)
            decision, cut = self.judgement(edge, path)
            if rng.random() < careless:
                decision, cut = self.slip((decision, cut), path, rng)
            further = queue.standing(edge) is not None  # a cut that left another path
            if further and decision == "keep":
                passed.add(edge)  # as a decision on the same pair, it would take the cut back
            else:
                records.append(self._record(edge, decision, cut, further))
                queue.read(records)
            yield self._labels(queue)
            stays = decision == "cut" and queue.state(edge) == "open"
            edge = edge if stays else _next(queue, edge, passed)

    def _record(self, edge: int, decision: str, cut: int | None, further: bool) -> Decision:
        """The record that the review writes."""
        pair, positive, shown = self._texts(edge), ("", ""), {}
        if cut is not None:
            positive = self._texts(cut)
            if further:
                pair, shown = positive, {FOR: pair}
        told = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        return Decision("2026-01-31T12:00:00.000Z", "simulated", *pair, decision, 0, *positive, shown=told)

    def _texts(self, edge: int) -> list[str]:
        return self.graph.texts([self.graph.edge_a[edge], self.graph.edge_b[edge]])

    def _labels(self, queue: Queue) -> np.ndarray:
        sign = self.graph.edge_sign.copy()
        for changes in queue.decided.changes.values():
            sign[list(changes.flipped)] = 1
            sign[list(changes.gone)] = 0
        return sign

    def read(self, order: np.ndarray, careless: float, rng) -> Iterator[np.ndarray]:
        """The labels as they stand after each pair of a list."""
        sign = self.graph.edge_sign.copy()
        for edge in order.tolist():
            if self.wrong[edge] != (rng.random() < careless):
                sign[edge] = -sign[edge]
            yield sign

    def orders(self, seed: int) -> dict[str, tuple[Callable, list[int] | np.ndarray]]:
        """For each of `WHO` how its order is gone through, and the order."""
        graph = self.graph
        conflicts = np.flatnonzero(graph.within)
        p_flip = Proposals(graph, self.evidence).p_flip()
        found = {
            name: (self.reviewed, ordered(graph, conflicts, name, seed)) for name in ("effect", "size", "random")
        }
        found["effect, by model"] = self.reviewed, ordered(graph, conflicts, "effect", p_flip=p_flip)
        found["margin"] = self.reviewed, ordered(graph, conflicts, "margin", p_flip=p_flip)
        found["cleanlab"] = self.read, by_score(cleanlab(graph.edge_sign, self.evidence["model"].to_numpy()))
        listed = suspects(graph, self.evidence, progress=False)
        found["suspects"] = self.read, by_score(of_edges(graph, listed))
        return found


def _next(queue: Queue, edge: int, passed: set[int]) -> int | None:
    """The next open conflict that was not passed over."""
    seen: set[int | None] = set()
    following = queue.next(edge)
    while following in passed and following not in seen:
        seen.add(following)
        following = queue.next(following)
    return None if following in passed else following


def main(path: str, seed: str = "0") -> None:
    corpus, rng = Corpus(path), np.random.default_rng(int(seed))
    rows = []
    for name in TASKS:
        task = Task(getattr(corpus, name)(rng))
        for who, (go, order) in task.orders(int(seed)).items():
            for careless in (0.0, CARELESS):
                known = {"task": name, "who": who, "careless": careless, "seed": int(seed)}
                after = go(order, careless, np.random.default_rng(int(seed)))
                for made, sign in zip(range(1, MOST + 1), after, strict=False):
                    if made % STEP == 0:
                        rows.append({**known, "decisions": made, **task.removed(sign)})
    print(json.dumps(rows))


def write(found: list[list[dict]], folder: Path) -> pd.DataFrame:
    """What the runs of several seeds printed, as a table (per 100 decisions) and a picture; returns the table."""
    folder.mkdir(parents=True, exist_ok=True)
    runs = pd.DataFrame([row for run in found for row in run])
    keys = ["task", "careless", "who", "decisions"]
    per = runs[runs["decisions"].isin(AT)].copy()
    for measure in MEASURES:
        per[measure] *= 100 / per["decisions"]
    by = per.groupby(keys, sort=False)
    table = pd.concat(
        [by[name].agg(**{name: "mean", f"{name}_sd": "std"}) for name in MEASURES] + [by.size().rename("seeds")],
        axis=1,
    )
    table = table.round(1).reset_index()
    table.to_csv(folder / "reviewing.tsv", sep="\t", index=False)
    _draw(runs, folder / "reviewing.png")
    return table


#: Orders of the queue are solid, lists of all pairs dashed (Okabe–Ito colours).
LINES = dict(
    zip(
        WHO,
        [("#D55E00", "-"), ("#E69F00", "-"), ("#0072B2", "-"), ("#56B4E9", "-"), ("#999999", "-"),
         ("#000000", "--"), ("#009E73", "--")],
        strict=True,
    )
)  # fmt: skip


def _draw(runs: pd.DataFrame, path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    titles = {"random": "2 % of labels turned round", "queue": "1,200 + 1,200 errors that make conflicts"}
    told = {"errors": "wrong labels removed", "pairs": "misplaced pairs of sentences put right"}
    figure, axes = plt.subplots(len(told), len(titles), figsize=(10, 7.5), sharex=True, layout="constrained")
    perfect = runs[runs["careless"] == 0]
    for row, (measure, label) in zip(axes, told.items(), strict=True):
        for axis, (task, title) in zip(row, titles.items(), strict=True):
            for who, (colour, style) in LINES.items():
                one = perfect[(perfect["task"] == task) & (perfect["who"] == who)].groupby("decisions")[measure]
                mean, least, most = (np.append(0, x) for x in (one.mean(), one.min(), one.max()))
                made = np.append(0, list(one.groups))
                axis.plot(made, mean, color=colour, linestyle=style, label=who, linewidth=1.6)
                axis.fill_between(made, least, most, color=colour, alpha=0.15, linewidth=0)
            if measure == "errors":
                axis.plot([0, MOST], [0, MOST], color="#cccccc", linewidth=1, zorder=0)
                axis.set_title(title)
            else:
                axis.set_xlabel("decisions")
            axis.set_xlim(0, MOST)
            axis.yaxis.set_major_formatter("{x:,.0f}")
            axis.spines[["top", "right"]].set_visible(False)
        row[0].set_ylabel(label)
    axes[0, 0].legend(frameon=False)
    figure.savefig(path, dpi=150)
    plt.close(figure)


if __name__ == "__main__":
    main(*sys.argv[1:])
