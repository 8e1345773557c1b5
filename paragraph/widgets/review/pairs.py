"""The review of any table of pairs: is the label right? A list of suspects learns from answers what to ask next."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from ...decisions.pair_queue import LearningQueue, PairQueue, PairTable, pair_table, verdict
from ...decisions.session import Log
from ...doubts.audit import audited, share_interval
from ...doubts.belief import Belief
from ...doubts.proposals import BIPARTITE
from ...doubts.questions import ENOUGH, Ahead, may_stop, outlook, summary
from ...doubts.suspects import believed, suspected
from ...files import PairsError
from ...files.errors import check_type
from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ...graph.proof import explain
from ..base.keys import naming_keys
from ..base.records import Plain
from .desk import Review
from .evidence import facts_of
from .questions import QUESTIONS, RIGHT, SAME

__all__ = ["PairReview"]

#: The reason why an audit shows so little.
HIDDEN = "Label and cluster are hidden, so that you judge the two sentences alone. The button Reveal shows them."
ASKED = "Do the two sentences mean the same? Where nobody can say, say so: the pair is left out."
#: Said of a question whose pair is not the most suspicious one.
RANDOM = "drawn at random, to learn how the others are"
#: The message once reading on is hardly worth it.
STOP = "You may stop here: of the next {first:,}, probably at most {high:.0f} are wrong"
INTERVAL = "95 % interval, by the answers so far"
BEFORE_ANSWERS = "95 % interval, by what was wrong in other files"
#: What would make an interval narrower.
FEW = "An audit, which asks about labels drawn at random, says more of those that you have not read."
#: The message if a list was not read to its end, and cannot be read here.
UNABLE = "Pairs that the judge has not read stay where words put them: {}"


@naming_keys
class PairReview(Review):
    """Judge the labels of any pairs, one key per pair: is it right? Or, in an audit: do the two mean the same?

    Use it for labels that may be wrong (``pg.PairReview(pg.suspects(graph), graph, reviewer="Ada")``), for inferred
    labels drawn at random (``pg.infer(graph).sample(200)``), or for pairs on which two reviewers disagree. The pair
    is drawn with its cluster or clusters and, if its label is inferred, with the proof. ``{flip}`` the label is
    wrong, ``{keep}`` it is right, ``{ambiguous}`` ambiguous, ``{skip}`` skip, ``{undo}`` undo, ``{note}`` note,
    ``{reveal}`` reveal what else the table says, ``{go on}`` the next undecided one, ``{help}`` all keys.

    A table with an empty column `same` is a sample of `paragraph.audit`. Then label, cluster and proof are hidden,
    and the keys say what the two sentences mean: ``{yes}`` the same, ``{no}`` different, ``{ambiguous}`` nobody can
    say, ``{skip}`` later.
    `answered` returns the answers, and ``paragraph.audited(graph, review)`` the report, which the page shows when all
    is judged.

    A list of `paragraph.suspects` learns, in whole or in part, also when read from its file: after each answer, the
    probability that each label is wrong is computed again (`belief.Belief`), and the next pair is drawn accordingly.
    The first pairs are drawn at random, three of each sign, because the top of a list tells little of the other
    labels; the page says so. Answers of an audit stand in for them. The list keeps its numbers.

    The line under the progress says how many labels of each sign among those read were wrong, and how many of the
    next hundred probably are; after twenty answers about pairs drawn at random, also how many of all others. Once
    reading on is hardly worth it, it says that you may stop. All this follows from the list, `seed` and this
    reviewer's answers in the log, on any machine: undo takes back what was learnt, too. Pairs near the top that the
    `judge` has not read are read meanwhile; the log holds the results (`shown`, with the answer after which they
    count). If it is not available, the line says so. Other tables keep their order, and so does an audit, whose rates
    hold because it was drawn at random. They teach `suspects`, whose argument `answers` takes any log.

    With ``question="same"``, the review asks the same about pairs that nobody has labelled yet, for example those of
    `Learner.query`.

    For other tables, the estimate under the progress is the share of right labels, with its 95 % interval. It holds
    for the whole table if the judged part is random: judge all of it, or shuffle it (``table.sample(frac=1)``),
    because a sample of inferred labels has its positives first.

    Parameters
    ----------
    table : DataFrame or ParaphraseGraph
        Columns `text_a`, `text_b`; `label` (0, 1), by default that of the graph. Other columns (`probability`,
        `reason`, …) are hidden until revealed. A repeated pair is left out, and counted. For an audit: `same`. Of a
        graph, its stated labels, as `suspects` lists them for the `judge`, which reads on in the review; the log is
        then the second argument: ``pg.PairReview(graph, "mine.db", reviewer="Ada")``. They are read behind the page,
        and Python waits for them where it needs the list.
    graph : ParaphraseGraph, optional
        The graph of the data. Without it, one is made from the rows of the table.
    seed : int
        Decides which pairs are drawn at random.
    log, reviewer, blind, second, settle, show, height
        As for `ConflictReview`; the two may share a log.
    judge : optional
        Who goes on reading a list of suspects that it has read in part: the one that was named to `suspects`.
    question : {"right", "same", "say"}
        Is the label right, or do the two mean the same? The columns determine the default. With "same", neither a
        label nor a graph is needed. "say": would you say the second, given the first? ``{yes}`` good,
        ``{questionable}`` awkward, ``{no}`` wrong.

    Raises
    ------
    PairsError
        A table that does not fit: see `pair_queue.pair_table`, `suspects.believed`; an audit that is filled in.

    Notes
    -----
    The log holds whether the two sentences mean the same, and the stated label, if any. So answers about stated pairs
    replay on the data; answers about other pairs change nothing, and `replay` lists them. If an inferred label is
    wrong, so is a stated one of its proof; that takes its own answer. With each answer in a list that learns, the log
    holds (`shown`) the assumed probability that the label was wrong (`p_wrong`), whether the pair was `drawn` or
    opened by hand, whether it was drawn at `random`, `after` how many answers, and the `seed`: enough to
    draw it again.

    Examples
    --------
    >>> import paragraph as pg, pathlib, tempfile
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "decisions.db"
    >>> sample = pg.infer(graph).sample(20, seed=1).sample(frac=1, random_state=1)
    >>> review = pg.PairReview(sample, graph, path, reviewer="Ada")
    >>> for decision in ["keep", "keep", "flip", "ambiguous", "keep"]:
    ...     review.decide(decision)
    >>> review.listing["estimate"][0]
    'Label right: 3 of 4, 75 % (19–99 %)'
    """

    _queue: PairQueue
    _called = "Pair Review"

    def __init__(
        self,
        table: pd.DataFrame | ParaphraseGraph,
        graph: ParaphraseGraph | None = None,
        log: Log = "decisions.db",
        *,
        reviewer: str | None = None,
        question: str = "",
        judge: Any = None,
        seed: int = 0,
        **options: Any,
    ):
        if question not in ("", *QUESTIONS):
            raise PairsError(f"question {question!r} is not one of {', '.join(QUESTIONS)}")
        self._judge, self._seed = judge, seed
        if isinstance(table, ParaphraseGraph):
            if table.bipartite:
                raise PairsError(BIPARTITE)
            self._question = QUESTIONS[question or "right"]
            super().__init__(table, log if graph is None else graph, reviewer, **options)
            self._start_behind(partial(suspected, table, judge=judge, first=0, progress=False))
            return
        check_type(table, pd.DataFrame, "PairReview", "a table", "PairReview(pg.suspects(graph), graph)")
        if graph is not None:
            checked_graph(graph, "PairReview")
        audit = "same" in table and "label" not in table
        self._question = QUESTIONS[question or ("same" if audit else "right")]
        if self._question is SAME and audit:
            if graph is None and not question:
                raise PairsError("an audit needs the graph of its data: PairReview(sample, graph)")
            if table["same"].replace("", None).notna().any():
                raise PairsError("the column same is filled in already: give a sample whose same is empty")
            table = table.drop(columns="same")
        made = pair_table(table, graph, blank=question == "same")
        super().__init__(made.graph, log, reviewer, **options)
        belief = None
        if self._question is RIGHT and not audit:
            belief = believed(made.facts, made.label)
        self._list(made, belief, audit)

    def _begin(self, made: tuple[pd.DataFrame, Belief]) -> None:
        table, belief = made
        self._given = (table, self.graph, self.decision_log), self._given[1]
        learns = self._question is RIGHT
        self._list(pair_table(table, self.graph), belief if learns else None)

    def _list(self, table: PairTable, belief: Belief | None, audit: bool = False) -> None:
        """Start with the pairs of a table; with a belief about them, the list learns."""
        self._table = table
        self._repeats = table.repeats
        wanted = self._session.wanted
        pairs = self._session.answers.pairs_at(*table.nodes.T)
        asked = [i for i, pair in enumerate(pairs) if wanted is None or pair in wanted]
        known = zip(table.known.tolist(), table.stated.tolist(), strict=True)
        self._stated = [str(label) if stated else "" for label, stated in known]
        given = table.texts, table.label, asked, pairs, self._question.of, self._question.states
        if belief is None:
            self._start(PairQueue(*given, audit))
            return
        onward = None
        if self._judge is not None and "judge" in belief.evidence:
            against = belief.evidence["judge"].to_numpy()
            onward = Ahead(self._judge, table.texts, table.label, against)
        self._start(LearningQueue(*given, belief=belief, seed=self._seed, onward=onward))

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def queue(self) -> pd.DataFrame:
        """All pairs in their order: `number`, `text_a`, `text_b`, `label`, `state` (one of "open", "flip",
        "keep", "ambiguous", "skip"), and the other columns of the table. Of an audit without the label; the state is
        "same" or "different"."""
        table = super().queue
        items = self._queue.items
        if self._question is not SAME:
            table.insert(3, "label", self._table.label[items])
        facts = self._table.facts.iloc[items].reset_index(drop=True)
        if (belief := self._queue.belief) is not None:
            facts = facts.assign(p_wrong=belief.p_wrong[items])
        return table.join(facts.drop(columns=[*table], errors="ignore"))

    def answered(self) -> pd.DataFrame:
        """Return the answers in the form for `paragraph.audited`.

        Columns `text_a`, `text_b`; `same` (1, 0, or missing); `random`: was the pair drawn at random?
        """
        self._wait()
        same, random = [], []
        for item in self._queue.items:
            one = self._queue.standing(item)
            same.append(None if one is None else {"1": 1, "0": 0}.get(one.same))
            random.append(one is not None and one.random)
        return super().queue[["text_a", "text_b"]].assign(same=pd.array(same, dtype="Int8"), random=random)

    # -- decisions -----------------------------------------------------------------------------------------

    def _choose(self, decision: str, edge: int | None) -> None:
        at, label = self._item, int(self._table.label[self._item])
        same = {"same": 1, "different": 0, "keep": label, "flip": 1 - label, "ambiguous": "?", "skip": "later"}[
            decision
        ]
        (a, b), shown = self._queue.pair[at], self._shown()
        given = {"text_a": a, "text_b": b, "same": same, "stated": self._stated[at] or None, "shown": shown}
        given |= {"about": self._session.views(at)}
        records = [given]
        read = self._queue.read_meanwhile()
        if read:
            records.append({"text_a": a, "text_b": b, "shown": {"read": read}})
        if self._keep(records):
            self._go(self._queue.next(at))

    def _shown(self) -> Plain:
        return super()._shown() | self._queue.chosen(self._item)

    # -- what is shown -------------------------------------------------------------------------------------

    def _facts(self, item: int) -> Plain:
        """The other columns of a row; for a list of suspects, with the current `p_wrong` and not its origin."""
        facts = self._table.facts.iloc[item].to_dict()
        if (belief := self._queue.belief) is None:
            return facts
        origin = {*belief.evidence, "answer", "random", "p_wrong"}
        facts = {name: value for name, value in facts.items() if name not in origin}
        if belief.speaks:
            facts["p_wrong"] = float(belief.p_wrong[item])
        return facts

    @property
    def _can_reveal(self) -> bool:
        return self._question is SAME or bool(len(self._table.facts.columns))

    @property
    def _hidden(self) -> str:
        """The reason why only the two sentences are shown, or the empty text."""
        return HIDDEN if self._question is SAME and not self._revealed else ""

    def _nodes(self, item: int) -> list[int]:
        a, b = self._table.nodes[item].tolist()
        steps = [] if self.graph.bipartite else explain(self.graph, a, b).steps
        return [a, b, *(node for step in steps for node in step.nodes)]

    def _case(self) -> Plain:
        if self._hidden:
            return {}
        label = None if self._table.blank[self._item] else int(self._table.label[self._item])
        drawn = RANDOM if self._item in self._queue.random else ""
        case = {"label": label, "stated": "; ".join(filter(None, [self._origin(), drawn]))}
        a, b = self._table.nodes[self._item].tolist()
        if a == b:
            case["rows"] = self._rows.alone(a)
        return case

    def _origin(self) -> str:
        """The label to judge, and its origin."""
        if self._table.blank[self._item]:
            return "no label, and none follows"
        label, stated, known = (
            int(each[self._item]) for each in (self._table.label, self._table.stated, self._table.known)
        )
        what = self._named(label) + f", {self.graph.words[label]}" * ("labels" not in self.words)
        how = "stated" if stated else "inferred"
        if known == label:
            return f"{what}: {how}"
        return f"{what}: by the table; " + (
            f"the graph has {self._named(known)}, {how}" if known >= 0 else "nothing follows"
        )

    def _named(self, label: int) -> str:
        """A label by the word of the file, if its labels are words."""
        return f"label {self.words.get('labels', (0, 1))[label]}"

    def _why(self) -> Plain:
        if self._hidden:
            return {"text": ASKED}
        if self._revealed and len(self._table.facts.columns):
            return {"proposal": facts_of(self._facts(self._item))}
        return {}

    def _summary(self) -> Plain:
        """The report of a finished audit, or the next steps."""
        if self._question is not SAME:
            return super()._summary()
        if self._table.blank.any() or not self.answered()["same"].notna().any():
            return {}
        report = audited(self.graph, self.answered())
        wrong = [
            [row.kind, f"{row.share:.0%} ({row.low:.0%} to {row.high:.0%})" if row.answered else "no answer"]
            for row in report.itertuples()
        ]
        text = "All is judged. By your answers so many labels are wrong in the whole data:"
        return super()._summary(audit=True) | {
            "title": "Audit",
            "text": text,
            "facts": wrong,
            "note": report.attrs["note"],
        }

    def _beside(self, item: int) -> dict[str, str]:
        label = {"aside": self._named(self._table.label[item]), "hint": "the label to judge"}
        return super()._beside(item) if self._question is SAME else label

    def _estimate(self) -> list[str]:
        """The running estimate in words, its meaning, and a hint; none in an audit, as it would give away labels."""
        if self._making is not None:
            return []
        if (belief := self._queue.belief) is not None:
            known = outlook(belief, [100])
            about = []
            if self._queue.answered and may_stop(known):
                about.append(STOP.format(**known["expected"][0]))
            if known["expected"]:
                read = sum(count for count, _ in known["answered"].values())
                about.append(INTERVAL if read else BEFORE_ANSWERS)
            if self._queue.onward and self._queue.onward.failed:
                about.append(UNABLE.format(self._queue.onward.failed))
            hint = FEW if known["expected"] and known["random"] < ENOUGH else ""
            return [summary(known).capitalize(), ". ".join(about), hint]
        states = [verdict(self._queue.standing(item), self._table.label[item]) for item in self._queue.answered]
        right, wrong = states.count("keep"), states.count("flip")
        if self._question is SAME or not right + wrong:
            return []
        good, left = self._question.states["keep"][0].capitalize(), len(states) - right - wrong
        share, low, high = (
            f"{100 * p:.0f}" for p in (right / (right + wrong), *share_interval(right, right + wrong))
        )
        return [
            f"{good}: {right:,} of {right + wrong:,}, {share} % ({low}–{high} %)",
            "95 % interval" + (f"; {left:,} ambiguous or skipped left out" if left else ""),
            "It holds for all pairs if those judged are a random part of them.",
        ]
