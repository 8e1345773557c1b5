"""New pairs labelled by hand: a learner chooses, a person answers, inferred labels are never asked."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from functools import lru_cache, partial
from os import PathLike
from typing import TYPE_CHECKING, Any

import pandas as pd

from ...collection.answers import Answers
from ...collection.rounds import LAST, Round, Rounds, when_to_stop
from ...decisions.log import DecisionLog
from ...decisions.records import pair_of, says, standing
from ...graph import ParaphraseGraph
from ...measure.pool.worlds import World
from ...pairs import PairsError, write_pairs
from ...pairs.errors import whole
from ..base.live import held
from ..base.scene import Scene
from ..base.why import why_pair
from .case import why_they_differ
from .desk import JudgingBench
from .questions import COLLECT
from .screen import KEPT

if TYPE_CHECKING:
    from ...collection.learner import Learner

__all__ = ["PairLabeler"]

TRAINED = 10_000  # labels that follow, and train besides those answered, at most
DRAWN = 40  # sentences of a cluster, the nearest
BUTTONS = 9  # that lead to other answers


class PairLabeler(JudgingBench):
    """Label pairs that a learner chooses, one key each; it trains in the background on what was answered.

    Do the two sentences mean the same? ``y`` yes, ``n`` no, ``a`` nobody can say, ``s`` skip, ``u`` undo, ``w`` write
    a note, ``r`` reveal what the model thinks and why, ``Enter`` the next undecided pair, ``?`` all keys. What
    follows from earlier answers is not asked: it is in the list with its proof, trains as well and costs nothing of
    the budget. An answer that is taken back takes along what followed from it. Where answers contradict one another,
    or what follows, the pair is a conflict in the list, with what everybody says of it.

    Every `batch` answers the learner trains on all labels and chooses the next pairs, while the questions go on. An
    answer is in the log before the next pair is shown: a bench with the same log goes on where the last one ended.

    Parameters
    ----------
    learner : Learner
        With its sentences, and the labels that are known before.
    budget : int
        Answers after which nothing is asked. Skipped pairs, notes and what follows cost nothing.
    log, reviewer, blind, seed, height, limit
        As of `PairReview`, which can share the log. Answers of others count as labels.
    strategy : str
        How pairs are chosen: see `Learner.query`.
    batch : int
        Pairs chosen at a time, asked in the order of similarity.
    dev : ParaphraseGraph, optional
        Labelled pairs, none of them asked, on which each round is measured.

    Attributes
    ----------
    rounds : DataFrame
        One row a round of training: `asked`, `labels` (asked, given and inferred), `dev_ap`.
    conflicts : DataFrame
        See `collection.answers.Answers.conflicts`.

    Notes
    -----
    In the log, a pair without a label counts as a 0, as it does in an evaluation on all pairs: yes is a *flip*, no a
    *keep*, and `shown` says ``"stated": false``. So `PairReview` of false positives, `replay` (which lists them as
    `unstated`), `agreement` and `DecisionLog.judged` read the same answers.

    Examples
    --------
    >>> import paragraph as pg, pathlib, tempfile
    >>> texts = ["How do I learn to swim?", "How can I learn to swim?", "How can I learn to swim fast?", "Why tea?"]
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "labels.db"
    >>> bench = pg.PairLabeler(pg.Learner(texts, progress=False), 100, path, "Ada")  # shows itself at a cell's end
    >>> bench.decide("same")
    >>> bench.decide("same")
    >>> bench.labels(inferred=10)[["label", "source"]].values.tolist()
    [[1, 'asked'], [1, 'asked'], [1, 'inferred']]
    """

    _queue: Answers
    _called, _question = "Pair Labeler", COLLECT

    def __init__(
        self,
        learner: Learner,
        budget: int = 500,
        log: str | PathLike | DecisionLog = "labels.db",
        reviewer: str | None = None,
        *,
        strategy: str = "uncertainty",
        batch: int = 25,
        dev: ParaphraseGraph | None = None,
        **options: Any,
    ):
        for name, value in (("budget", budget), ("batch", batch)):
            whole(name, value)
        if not hasattr(learner, "query"):
            raise PairsError(f"a Learner of the sentences is expected, not {type(learner).__name__}")
        if dev is not None and not len(World(dev).positives):
            raise PairsError("dev: no pair is positive, so nothing can be measured on it")
        super().__init__(None, log, reviewer, COLLECT.words, **{"limit": DRAWN} | options)
        self._rounds, self._done = Rounds(learner, strategy, batch, dev), []
        self._p: dict[frozenset[str], float] = {}
        self._dry, self._trained = False, []
        self._graph_of = lru_cache(KEPT)(self._graph_of)
        self._queue = queue = Answers(learner.texts, learner.labels, not learner.world.two_sided, budget)
        self._hear()
        queue.read(self._mine.standing)
        self._ask(self._rounds.choose(self._seen(), queue.is_known))
        self._start(queue)
        self._advance()

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def rounds(self) -> pd.DataFrame:
        """One row a round of training."""
        return pd.DataFrame(self._done, columns=["asked", "labels", "dev_ap"]).astype({"dev_ap": float})

    @property
    def conflicts(self) -> pd.DataFrame:
        """The pairs whose answers contradict each other."""
        return self._queue.conflicts()

    def labels(self, inferred: int = 0) -> pd.DataFrame:
        """List the labels that stand, and at most so many that follow: see `collection.answers.Answers.labels`."""
        return self._queue.labels(whole("inferred", inferred, 0))

    def export(self, path: str | PathLike, inferred: int = 0) -> None:
        """Write `labels` as `read_pairs` reads them."""
        write_pairs(self.labels(inferred), path)

    def wait(self) -> None:
        """Wait until the round in the background is through, and show what it chose."""
        self._arrive(wait=True)

    def decide(self, decision: str) -> None:
        """Answer the pair on screen as a key does: "same", "different", "ambiguous" or "skip"."""
        super().decide(decision)
        self._advance()

    # -- rounds --------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Lay out the next pair while the reviewer reads this one, and train when it is time."""
        following = self._queue.next(self._item)
        if following is not None:
            self._lay_out(following)
        self._advance()

    def _advance(self) -> None:
        """Ask the pairs of the last round, and start the next if there is enough to learn, or too little to ask."""
        self._arrive()
        answers = [record.id for record in self._queue.asked]
        new = len({*answers} ^ {*self._trained})
        few = sum(self._queue.state(item) == "open" for item in self._queue.items) <= self._rounds.size
        if self._rounds.busy or not (new >= self._rounds.size or (few and (new or not self._dry))):
            return
        self._trained = answers
        done = bool  # without a loop, what was chosen is taken with the next answer
        with suppress(RuntimeError):
            done = partial(asyncio.get_running_loop().call_soon_threadsafe, self._arrive)
        # The thread asks what is known beside new answers: at worst, a pair more or less is chosen.
        self._rounds.start(self._queue.labels(TRAINED), self._seen(), self._queue.is_known, done)

    @held
    def _arrive(self, wait: bool = False) -> None:
        """Ask the pairs that the finished round chose."""
        found = self._rounds.take(wait)
        if found is None:
            return
        if isinstance(found, Round):
            if found.labels is not None:
                self._done.append((len(self._trained), found.labels, found.dev_ap))
            self._hear()
            self._ask(found.pairs)
        else:
            self._error = f"The round of training failed; no answer is lost. {type(found).__name__}: {found}"
        if self._item is None:
            self._go(self._queue.next())
        else:
            self._tell()
            self._list_page(self.listing.get("page", 0))

    def _hear(self) -> None:
        """Take the answers of others as labels."""
        self._queue.hear(standing(one for one in self.decision_log.records() if one.reviewer != self.reviewer))

    def _ask(self, pairs: pd.DataFrame) -> None:
        texts = list(zip(pairs["text_a"], pairs["text_b"], strict=True))
        self._queue.renew(texts, self._item)
        self._dry = not texts
        self._p |= {pair_of(*pair): p for pair, p in zip(texts, pairs["p"].tolist(), strict=True)}

    def _seen(self) -> list[tuple[str, str]]:
        """List the pairs not to be chosen: all of the queue but the open ones, which the next round takes out."""
        queue, here = self._queue, self._item
        return [queue.pair[item] for item in queue.items if item == here or queue.state(item) != "open"]

    # -- what is shown -------------------------------------------------------------------------------------

    @property
    def _chance(self) -> float | None:
        """The probability that the two on screen mean the same, by the model; None where it was not asked."""
        p = self._p.get(pair_of(*self._queue.pair[self._item]), math.nan)
        return None if math.isnan(p) else p

    @property
    def _can_reveal(self) -> bool:
        return self._chance is not None

    @property
    def _label(self) -> tuple[int, bool]:
        """The given label, or 0: a pair without a label counts as 0."""
        given = self._queue.given(self._item)
        return (0, False) if given is None else (given, True)

    def _shown(self) -> dict[str, Any]:
        shown = super()._shown() | {"chosen": self._rounds.strategy}
        return shown | {"p": round(self._chance, 3)} if self._revealed and self._can_reveal else shown

    def _draw(self) -> None:
        if self._item is not None:
            self.graph, self._laid_out = self._lay_out(self._item)
        super()._draw()

    def _ends(self, item: int) -> tuple[int, int]:
        a, b = map(self._queue.node, self._queue.pair[item])
        return a, b

    def _lay_out(self, item: int) -> tuple[ParaphraseGraph, tuple[int, Scene]]:
        """Lay out the labels around a pair: their graph, whose first two sentences these are, and its picture."""
        known, (a, b) = self._queue.known, self._ends(item)
        nodes = [node for end in (a, b) for node in known.members(known.home(end))]
        rows = ((a, b, None), *known.among(nodes))
        graph = self._graph_of(rows)
        wanted = ["n0", "n1", *why_pair(graph, 0, 1)["highlight"]["nodes"]]
        return graph, self._pictures.of(graph, [int(key[1:]) for key in wanted], rows)

    def _graph_of(self, rows: tuple[tuple[int, int, int | None], ...]) -> ParaphraseGraph:
        texts = self._queue.texts
        table = [(texts[i], texts[j], label) for i, j, label in rows]
        pairs = pd.DataFrame(table, columns=["text_a", "text_b", "label"]).astype({"label": "Int8"})
        pairs.attrs["bipartite"] = not self._queue.known.closes
        return ParaphraseGraph.from_pairs(pairs)

    def _scene_with(self, wanted: list[int]) -> tuple[int, Scene]:
        return self._laid_out

    def _lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Add the line of the question, or of the label that follows."""
        if any({line["from"], line["to"]} == {"n0", "n1"} for line in lines):
            return lines
        return [*lines, self._judged_line(0, 1, self._sign, "follows" if self._sign else "?")]

    @property
    def _sign(self) -> int:
        """The sign of the pair on screen, or 0."""
        return {1: 1, 0: -1, None: 0}[self._queue.known.follows(*self._ends(self._item))]

    def _case(self) -> dict[str, Any]:
        case, state = {"keys": ["n0", "n1"], "sign": self._sign}, self._queue.state(self._item)
        if state in ("conflict", "ambiguous"):
            case["stated"] = self._queue.who(*self._ends(self._item))
        return case | ({"sign": 0} if state == "ambiguous" else {})

    def _evidence(self) -> dict[str, Any]:
        queue, state = self._queue, self._queue.state(self._item)
        why: dict[str, Any] = {"highlight": {"nodes": ["n0", "n1"], "edges": []}}
        if state not in ("open", "skip", "ambiguous"):
            why = self._by_people(self._why(0, 1))
        elif len(self.graph) > 2 and queue.known.closes:
            here, there = (len(queue.known.members(queue.known.home(node))) for node in self._ends(self._item))
            yes, no = f"joins {here:,} + {there:,} sentences", f"keeps them apart: {here * there:,} pairs"
            why["facts"] = [["a yes", yes], ["a no", no]]
        if self._revealed and self._can_reveal:
            text = f"The model says yes with probability {self._chance:.0%}."
            why["proposal"] = {"badge": "model", "text": text, "reasons": why_they_differ(*queue.pair[self._item])}
        steps = {step["item"]: "Answer" for step in why.get("steps", [])}
        torn = {item: "Conflict" for item in queue.items if queue.state(item) == "conflict"}
        why["actions"] = [
            {"text": f"{name} #{queue.number[item]}", "intent": "open", "content": {"item": queue.number[item]}}
            for item, name in (steps | torn).items()
            if item not in (None, self._item)
        ][:BUTTONS]
        return why | self._summary() | {"title": f"Pair #{self.current}"}

    def _by_people(self, why: dict[str, Any]) -> dict[str, Any]:
        """Name people and answers in an explanation, in place of rows of a file."""
        for one in [*why.get("steps", []), *why.get("pairs", [])]:
            texts = one["texts"] if len(one["texts"]) == 2 else [why["sentence"], *one["texts"]]
            a, b = map(self._queue.node, texts)
            item = one["item"] = self._queue.item_between(a, b)
            one["said"] = " · ".join(filter(None, [item and f"#{self._queue.number[item]}", self._queue.who(a, b)]))
        return why | {"rows": []}

    def _aside(self, explanation: dict[str, Any]) -> None:
        super()._aside(self._by_people(explanation))

    def _progress(self) -> tuple[list[int | None], list[float]]:
        """The answers so far, and the worth of each round on the development set."""
        answers = [says(record).get(record.pair) for record in self._queue.asked]
        return answers, [ap for *_, ap in self._done if ap is not None]

    def _summary(self) -> dict[str, Any]:
        """Tabulate how many of each fifty answers were yes, and the worth of each round."""
        answers, dev = self._progress()
        parts = {first: answers[first : first + LAST] for first in range(0, len(answers), LAST)}
        rows = [[f"{first + 1}–{first + len(part)}", f"{part.count(1)}"] for first, part in parts.items()]
        chart = {"chart": {"title": "Average precision on the development set", "points": dev}} if dev else {}
        return {"table": {"title": "So far", "head": ["answers", "yes"], "rows": rows}} | chart

    def _title(self) -> str:
        left = self._queue.left
        if self._item is not None:
            return f"Pair #{self.current:,}: {self._question.asks} {left:,} answers left"
        if left and self._rounds.busy:
            return "The next pairs are being chosen …"
        return "Nothing is left to ask." if left else "The budget is used up."

    def _estimate(self) -> list[str]:
        """Say what is left of the budget, what was gained, and when to stop."""
        queue, (answers, dev) = self._queue, self._progress()
        last, saved = answers[-LAST:], sum(queue.state(item) == "settled" for item in queue.items)
        gained = [f"{last.count(1)} of the last {len(last)} are yes"] if last else []
        gained += [f"{saved} of {saved + len(answers)} questions saved"] if saved else []
        gained += ["dev AP " + " → ".join(f"{100 * ap:.1f}" for ap in dev[-3:]) + " %"] if dev else []
        advice = when_to_stop(answers, dev, queue.left)
        return [f"{queue.left:,} of {queue.budget:,} answers left", *filter(None, [" · ".join(gained), advice])]
