"""Any table of pairs reviewed: is the label right? With a running estimate of how many are."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...decisions.log import DecisionLog
from ...decisions.queue import Items
from ...decisions.records import Decision, standing
from ...decisions.table import pair_table
from ...draw.style import NEGATIVE, POSITIVE, QUIET, Line
from ...measure.audit import audited
from ...measure.scoring import wilson
from ...pairs import PairsError
from ...words.shared import word_diff
from ..base.scene import Scene
from ..base.why import SHARED, why_pair
from .case import said_of
from .desk import ReviewBench, reviewer_of
from .questions import RIGHT, SAME, Question, verdict

if TYPE_CHECKING:
    from ...graph import ParaphraseGraph

__all__ = ["PairReview"]

JUDGED = {
    1: Line("to judge: a paraphrase", POSITIVE, 1.8),
    -1: Line("to judge: not a paraphrase", NEGATIVE, 1.8, (3, 3)),
    0: Line("asked: do the two mean the same?", QUIET, 1.2, (2, 4)),
}
#: Why an audit shows so little.
HIDDEN = "Label and cluster are hidden, so that you judge the two sentences alone. r shows them."
ASKED = "Do the two sentences mean the same? Where nobody can say, say so: the pair is left out."


class Pairs(Items):
    """The pairs of a table, numbered from 1 in the order in which they are to be decided."""

    def __init__(
        self,
        texts: Sequence[tuple[str, str]],
        label: Sequence[int],
        question: Question,
        order: Sequence[int],
        records: Iterable[Decision] = (),
    ):
        super().__init__(order, (texts[i] for i in order))
        self.label, self.question = label, question
        self.read(records)

    def read(self, records: Iterable[Decision]) -> None:
        """The last decision on a pair counts; one on another label than that of the table says nothing of it."""
        self._standing, self.elsewhere = {}, 0
        for record in records:
            item = self.item_of(record)
            if item is None:
                self.elsewhere += 1
            else:
                self._standing[item] = record

    def item_of(self, record: Decision) -> int | None:
        """The pair that a decision was made on."""
        item = super().item_of(record)
        return item if item is not None and record.label == self.label[item] else None

    def state(self, item: int) -> str:
        """One of the states of the question."""
        return self.question.of(self._standing[item]) if item in self._standing else "open"

    @property
    def judged(self) -> list[int]:
        """The pairs that have a decision."""
        return list(self._standing)

    def description(self, item: int, long: bool = False) -> str:
        """The state of a pair in words."""
        return self.question.states[self.state(item)][long]


class JudgingBench(ReviewBench):
    """A review of pairs that asks one question about each label, and answers by keys."""

    _question: Question | None = None
    _repeats = 0  #: rows that named a pair again

    def _in_order(self, count: int, order: str) -> list[int]:
        """Items as they are given, or shuffled by the seed."""
        if order not in ("given", "random"):
            raise PairsError(f"order {order!r} is not one of given, random")
        rng = np.random.default_rng(self.seed)
        return rng.permutation(count).tolist() if order == "random" else list(range(count))

    def _listing_note(self) -> str:
        repeats = self._repeats
        again = f"Left out: {repeats:,} row{'s' * (repeats > 1)} naming a pair again." if repeats else ""
        return " ".join(filter(None, [again, super()._listing_note()]))

    def decide(self, decision: str) -> None:
        """Decide the pair on screen as a key does, by the name of the choice: "flip", "keep", "ambiguous" or "skip";
        where it is asked what the two mean, "same", "different", "ambiguous" or "skip"."""
        self._decide(decision)

    def on_decide(self, item: int, decision: str, edge: str | None = None) -> None:
        """A decision on the label of the pair that the page shows."""
        if decision not in self._question.choices:
            raise PairsError(f"{decision!r} is not one of {', '.join(self._question.choices)}")
        if item != self.current:
            return  # a second press, made before the page showed what the first had done
        at, (label, stated) = self._item, self._label_of(self._item)
        before = self._decided_before(at)
        pair, decision = self._queue.pair[at], self._question.decision(decision, label)
        cut = pair if decision == "flip" and label else None
        shown = self._shown(at) | ({} if stated else {"stated": False})
        content = {"label": label, "edge": cut, "seconds": time.monotonic() - self._began, "shown": shown}
        decided = "cut" if cut else decision
        if not self._write(lambda log: log.add(*pair, decided, **content, reviewer=self.reviewer)):
            return
        self._message = f"#{item}: {self._changed(self._queue.description(at), before)}"
        self._go(self._queue.next(at))

    def _label_of(self, item: int) -> tuple[int, bool]:
        """The label that is judged, and whether the data state it."""
        raise NotImplementedError

    def _shown(self, item: int) -> dict[str, Any]:
        """What the reviewer saw, for the log."""
        return {"blind": self._is_blind(item)}

    def _special(self) -> dict[str, Line]:
        return {kind.name: kind for kind in JUDGED.values()}

    def _name_of(self, record: Decision) -> str:
        return self._question.states[self._question.of(record)][0]

    def _judged_line(self, a: int, b: int, sign: int, tag: str) -> dict[str, Any]:
        """A line for a label that is judged, and that no line shows."""
        return {
            "id": "judged", "from": f"n{a}", "to": f"n{b}", "a": a, "b": b, "sign": sign, "layer": "judged",
            "count": 1, "tag": tag, "text": f"{JUDGED[sign].name}. Click to see why.",
        }  # fmt: skip


class PairReview(JudgingBench):
    """Judge the labels of any pairs, one key each: is it right? Or, in an audit: do the two mean the same?

    For the most suspicious labels (``pg.PairReview(pg.suspects(graph).head(100), graph, reviewer="Ada")``), inferred
    labels drawn at random (``pg.infer(graph).sample(200)``), the pairs on which two reviewers disagree. The pair is
    drawn with its cluster or
    clusters, and where its label is inferred with the proof. ``f`` the label is wrong, ``k`` it is right, ``a``
    ambiguous, ``s`` skip, ``u`` undo, ``w`` note, ``r`` reveal what else the table says, ``Enter`` the next undecided
    one, ``?`` all keys.

    A table with an empty column `same` is a sample of `paragraph.audit`. Then label, cluster and proof are hidden,
    and the keys say what the two sentences mean: ``y`` the same, ``n`` different, ``a`` nobody can say, ``s`` later.
    `judged` gives the answers, and ``paragraph.audited(graph, review)`` the report, which the page shows when all is
    judged.

    The estimate under the progress is of the share of right labels, with its 95 % interval (`precision`). It holds
    for the whole table if what was judged is a random part of it: judge all of it, or set ``order="random"``, for a
    sample of inferred labels has its positives first.

    Parameters
    ----------
    table : DataFrame
        Columns `text_a`, `text_b`; `label` (0, 1), where missing that of the graph. Other columns (`probability`,
        `reason`, …) are hidden until revealed. A pair named again is left out, and counted. Of an audit: `same`.
    graph : ParaphraseGraph, optional
        Of the data that the pairs are about. Without it, one is made from the rows of the table.
    log, reviewer, blind, seed, height, limit, tagger
        As of `ConflictReview`; the two may share a log.
    order : {"given", "random"}
        That of the table, or shuffled by `seed`.

    Raises
    ------
    PairsError
        A table that does not fit: see `decisions.table.pair_table`; an audit that is filled in already.

    Notes
    -----
    In the log, a wrong 0 is a *flip*, a wrong 1 a *cut* of the pair itself, a right label a *keep*, each with the
    label judged. So decisions on stated pairs replay on the data; those on inferred ones change nothing, and `replay`
    lists them as `unstated`. Where an inferred label is wrong, so is a stated one of its proof; that is a decision of
    its own.

    Examples
    --------
    >>> import paragraph as pg, pathlib, tempfile
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "decisions.db"
    >>> sample = pg.infer(graph).sample(20, seed=1)
    >>> review = pg.PairReview(sample, graph, path, reviewer="Ada", order="random")
    >>> for decision in ["keep", "keep", "flip", "ambiguous", "keep"]:
    ...     review.decide(decision)
    >>> review.precision().round(2).to_dict()
    {'right': 3.0, 'wrong': 1.0, 'left out': 1.0, 'precision': 0.75, 'low': 0.3, 'high': 0.95}
    """

    _queue: Pairs
    _title_of = "Pair Review"
    _again = 0  #: rows that a subclass left out, besides those that `pair_table` does

    def __init__(
        self,
        table: pd.DataFrame,
        graph: ParaphraseGraph | None = None,
        log: str | PathLike | DecisionLog = "decisions.db",
        *positional: str,
        reviewer: str | None = None,
        order: str = "given",
        **options: Any,
    ):
        reviewer = reviewer_of(positional, reviewer)
        self._question = self._question or (SAME if "same" in table and "label" not in table else RIGHT)
        if self._question is SAME:
            if graph is None:
                raise PairsError("an audit needs the graph of its data: PairReview(sample, graph)")
            if table["same"].replace("", None).notna().any():
                raise PairsError("the column same is filled in already: give a sample whose same is empty")
            table = table.drop(columns="same")
        self._table = pair_table(table, graph)
        super().__init__(self._table.graph, log, reviewer, self._title_of, self._question.words, "judged", **options)
        self._repeats, items = self._table.repeats + self._again, self._in_order(len(self._table.texts), order)
        self._start(self._pairs(items))

    def _pairs(self, items: list[int]) -> Pairs:
        return Pairs(self._table.texts, self._table.label, self._question, items, standing(self._mine))

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def queue(self) -> pd.DataFrame:
        """All pairs in their order: `number`, `text_a`, `text_b`, `label`, `state` (one of "open", "flip",
        "keep", "ambiguous", "skip"), and the other columns of the table. Of an audit without the label; the state is
        "same" or "different"."""
        items, table = self._queue.items, super().queue
        if self._question is RIGHT:
            table.insert(3, "label", self._table.label[items])
        facts = self._table.facts.iloc[items].reset_index(drop=True)
        return table.join(facts.drop(columns=[*table], errors="ignore"))

    def precision(self) -> pd.Series:
        """Return `right`, `wrong` and `left out` labels, and the share of right ones: `precision`, `low`, `high`.

        The 95 % interval is that of Wilson; `left out` are the labels judged ambiguous or skipped.
        """
        states = [verdict(self._queue.standing(item)) for item in self._queue.judged]
        right, wrong = states.count("keep"), states.count("flip")
        low, high = wilson(right, right + wrong)
        share = right / (right + wrong) if right + wrong else np.nan
        found = {"right": right, "wrong": wrong, "left out": len(states) - right - wrong, "precision": share}
        return pd.Series(found | {"low": low, "high": high}, dtype=float)

    def judged(self) -> pd.DataFrame:
        """What was judged, as `paragraph.audited` reads it: `text_a`, `text_b`, `same` (1, 0, or missing)."""
        items, same = self._queue.items, {"same": 1, "different": 0}
        table = pd.DataFrame([self._queue.pair[item] for item in items], columns=["text_a", "text_b"], dtype="str")
        records = map(self._queue.standing, items)
        answers = [None if record is None else same.get(SAME.of(record)) for record in records]
        return table.assign(same=pd.array(answers, dtype="Int8"))

    # -- what is shown -------------------------------------------------------------------------------------

    def _label_of(self, item: int) -> tuple[int, bool]:
        return int(self._table.label[item]), bool(self._table.stated[item])

    @property
    def _can_reveal(self) -> bool:
        return self._question is not RIGHT or bool(len(self._table.facts.columns))

    @property
    def _hidden(self) -> bool:
        """Whether nothing may be shown but the two sentences."""
        return self._question is not RIGHT and not self._revealed

    def _scene_with(self, wanted: list[int]) -> tuple[int, Scene]:
        return (0, Scene(note=self.words.get("hidden", HIDDEN))) if self._hidden else super()._scene_with(wanted)

    def _nodes(self, item: int) -> list[int]:
        a, b = self._table.nodes[item].tolist()
        if self._hidden:
            return [a, b]
        proof = why_pair(self.graph, a, b)["highlight"]["nodes"]
        return [a, b, *(int(key[1:]) for key in proof)]

    def _lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Lines with the label to judge: a question mark on its own line, or on one drawn for it."""
        if self._hidden:
            return []
        a, b = self._table.nodes[self._item].tolist()
        edge, sign = self.graph.edge_between(a, b), self._sign(self._item)
        if edge >= 0 and self.graph.edge_sign[edge] == sign:
            return [line | {"tag": "?"} if line["id"] == f"e{edge}" else line for line in lines]
        return [*lines, self._judged_line(a, b, sign, "?")]

    def _case(self) -> dict[str, Any]:
        item, table = self._item, self._table
        return {
            "pair": list(word_diff(*self._queue.pair[item], SHARED)),
            "keys": [f"n{node}" for node in table.nodes[item]],
            "sign": 0 if self._hidden else self._sign(item),
            "stated": "" if self._hidden else self._origin(item),
            "state": self._queue.state(item),
            "description": self._queue.description(item, long=True),
            "path": [],
            "revealed": self._revealed or not self._can_reveal,
        }

    def _origin(self, item: int) -> str:
        """The label to judge, and where it comes from."""
        label, known, stated = (
            int(column[item]) for column in (self._table.label, self._table.known, self._table.stated)
        )
        what = f"label {label}, {'a paraphrase' if label else 'not a paraphrase'}"
        how = "stated" if stated else "inferred"
        if known == label:
            return f"{what}: {how}"
        return f"{what}: by the table; " + (f"the graph has {known}, {how}" if known >= 0 else "nothing follows")

    def _evidence(self) -> dict[str, Any]:
        if self._hidden:
            text, title = self.words.get("hidden", ASKED), f"{self.words['one'].capitalize()} #{self.current}"
            return {"title": title, "text": text, "highlight": {"nodes": [], "edges": []}}
        a, b = self._table.nodes[self._item].tolist()
        explanation = why_pair(self.graph, a, b)
        del explanation["pair"]  # stands above the picture
        clusters = dict.fromkeys(self.graph.cluster_of[[a, b]].tolist())
        sizes = [f"{cluster}, of {int(self.graph.cluster_sizes[cluster]):,}" for cluster in clusters]
        explanation["title"] = f"Pair #{self.current}"
        explanation["facts"] = [["clusters" if len(sizes) > 1 else "cluster", "; ".join(sizes)]]
        explanation["highlight"] = {name: explanation["highlight"][name] for name in ("nodes", "edges")}
        if self._revealed and len(self._table.facts.columns):
            explanation["proposal"] = said_of(self._table.facts.iloc[self._item].to_dict())
        return explanation

    def _sign(self, item: int) -> int:
        return 1 if self._table.label[item] else -1

    def _title(self) -> str:
        total = len(self._queue.items)
        if self._item is not None:
            return f"{self.words['one'].capitalize()} #{self.current:,} of {total:,}: {self._question.asks}"
        return ". ".join(["All is decided", *self._estimate()[:1]]) if total else "The table has no pairs."

    def _summary(self) -> dict[str, Any]:
        """Of an audit that is done, its report."""
        if self._question is RIGHT or not self.judged()["same"].notna().any():
            return {}
        report = audited(self.graph, self.judged())
        wrong = [[name, share] for name, *_, share, _ in report.lines()[1:]]
        text = "All is judged. By your answers so many labels are wrong in the whole data:"
        return {"title": "Audit", "text": text, "facts": wrong, "note": report.note}

    def _aside_of(self, item: int) -> tuple[str, str]:
        return ("", "") if self._question is not RIGHT else (f"label {self._table.label[item]}", "the label to judge")

    def _estimate(self) -> list[str]:
        """The running estimate in words, and what it is; in an audit it would tell the labels."""
        if self._question is not RIGHT:
            return []
        found = self.precision()
        right, wrong, left = (int(found[name]) for name in ("right", "wrong", "left out"))
        if not right + wrong:
            return []
        share, low, high = (f"{100 * found[name]:.0f}" for name in ("precision", "low", "high"))
        return [
            f"Label right: {right:,} of {right + wrong:,}, {share} % ({low}–{high} %)",
            "95 % interval (Wilson)" + f"; {left:,} ambiguous or skipped left out" * bool(left),
        ]
