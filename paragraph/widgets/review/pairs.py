"""The review of any table of pairs: is the label right? A list of suspects learns from answers what to ask next."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ...decisions.log import Log
from ...decisions.pair_queue import LearningQueue, PairQueue, PairTable, pair_table
from ...doubts.audit import error_rates
from ...doubts.proposals import BIPARTITE
from ...doubts.suspects import belief_of, suspects
from ...files import PairsError
from ...files.errors import check_type
from ...graph import ParaphraseGraph
from ...graph.core import checked_graph
from ...graph.proof import explain
from ..base.keys import naming_keys
from ..base.records import Plain
from .desk import Review
from .evidence import estimate_of, facts_of, share_right
from .questions import QUESTIONS, RIGHT, SAME

__all__ = ["PairReview"]

#: The reason why an audit shows so little.
HIDDEN = "Label and cluster are hidden, so that you judge the two sentences alone. The button Reveal shows them."
ASKED = "Do the two sentences mean the same? Where nobody can say, say so: the pair is left out."
JUDGED = "All is judged. By your answers so many labels are wrong in the whole data:"
#: Said of a question whose pair is not the most suspicious one.
RANDOM = "drawn at random, to learn how the others are"


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
    `answered` returns the answers, and ``paragraph.error_rates(graph, review)`` the report, which the page shows when
    all is judged.

    A list of `paragraph.suspects` learns, in whole or in part, also when read from its file: after each answer, the
    probability that each label is wrong is computed again (`belief.Belief`), and the next pair is drawn accordingly.
    The first pairs are drawn at random, three of each sign, because the top of a list tells little of the other
    labels; the page says so. Answers of an audit stand in for them. The list keeps its numbers.

    The line under the progress says how many labels of each sign among those read were wrong, and how many of the
    next hundred probably are; after twenty answers about pairs drawn at random, also how many of all others. Once
    reading on is hardly worth it, it says that you may stop. All this follows from the list, `seed` and this
    reviewer's answers in the log, on any machine: undo takes back what was learnt, too. Other tables keep their
    order, and so does an audit, whose rates hold because it was drawn at random. They teach `suspects`, whose
    argument `answers` takes any log.

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
        graph, its stated labels, as `suspects` lists them by words alone, so that the first pair comes at once; the
        log is then the second argument: ``pg.PairReview(graph, "mine.db", reviewer="Ada")``.
    graph : ParaphraseGraph, optional
        The graph of the data. Without it, one is made from the rows of the table.
    seed : int
        Decides which pairs are drawn at random.
    log, reviewer, blind, second, settle, show, height
        As for `ConflictReview`; the two may share a log.
    question : {"right", "same", "say"}
        Is the label right, or do the two mean the same? The columns determine the default. With "same", neither a
        label nor a graph is needed. "say": would you say the second, given the first? ``{yes}`` good,
        ``{questionable}`` awkward, ``{no}`` wrong.

    Raises
    ------
    PairsError
        A table that does not fit: see `pair_queue.pair_table`, `suspects.belief_of`; an audit that is filled in.

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
        seed: int = 0,
        **options: Any,
    ):
        if question not in ("", *QUESTIONS):
            raise PairsError(f"question {question!r} is not one of {', '.join(QUESTIONS)}")
        self._seed = seed
        if isinstance(table, ParaphraseGraph):
            if table.bipartite:
                raise PairsError(BIPARTITE)
            self._question = QUESTIONS[question or "right"]
            super().__init__(table, log if graph is None else graph, reviewer, **options)
            listed = suspects(table, judge=None)
            self._given = (listed, table, self.decision_log), self._given[1]
            self._list(pair_table(listed, table))
            return
        check_type(
            table, pd.DataFrame, "PairReview", "a table", "PairReview(pg.suspects(graph), graph)"
        )
        if graph is not None:
            checked_graph(graph, "PairReview")
        is_audit = "same" in table and "label" not in table
        self._question = QUESTIONS[question or ("same" if is_audit else "right")]
        if is_audit and self._question is SAME:
            if graph is None and not question:
                raise PairsError("an audit needs the graph of its data: PairReview(sample, graph)")
            if table["same"].replace("", None).notna().any():
                raise PairsError(
                    "the column same is filled in already: give a sample whose same is empty"
                )
            table = table.drop(columns="same")
        made = pair_table(table, graph, blank=question == "same")
        super().__init__(made.graph, log, reviewer, **options)
        self._list(made, is_audit)

    def _list(self, table: PairTable, is_audit: bool = False) -> None:
        """Start with the pairs of a table; with a belief about them, the list learns."""
        belief = None
        if self._question is RIGHT and not is_audit:
            belief = belief_of(table.facts, table.label)
        self._table = table
        self._repeats = table.repeats
        pairs = self._session.answers.pairs_at(*table.nodes.T)
        wanted = self._session.wanted
        asked = [i for i, pair in enumerate(pairs) if wanted is None or pair in wanted]
        question = self._question
        given = (table.texts, table.label, asked, pairs, question.of, question.states)
        if belief is None or question is not RIGHT:
            self._start(PairQueue(*given, is_audit))
            return
        self._start(LearningQueue(*given, belief=belief, seed=self._seed))

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
        if self._queue.belief is not None:
            facts["p_wrong"] = self._queue.belief.p_wrong[items]
        return table.join(facts.drop(columns=[*table], errors="ignore"))

    def answered(self) -> pd.DataFrame:
        """Return the answers in the form for `paragraph.error_rates`.

        Columns `text_a`, `text_b`; `same` (1, 0, or missing); `random`: was the pair drawn at random?
        """
        table = super().queue[["text_a", "text_b"]]
        rows = [self._queue.rows.get(item) for item in self._queue.items]
        same = [int(row.same) if row and row.same in ("0", "1") else None for row in rows]
        random = [row is not None and row.random for row in rows]
        return table.assign(same=pd.array(same, dtype="Int8"), random=random)

    # -- decisions -----------------------------------------------------------------------------------------

    def _choose(self, decision: str, edge: int | None) -> None:
        at = self._item
        label = int(self._table.label[at])
        same = {
            "same": 1,
            "different": 0,
            "keep": label,
            "flip": 1 - label,
            "ambiguous": "?",
            "skip": "later",
        }
        stated = None
        if self._table.stated[at]:
            stated = str(self._table.known[at])
        pair = dict(zip(("text_a", "text_b"), self._queue.pair[at], strict=True))
        answer = {
            "same": same[decision],
            "stated": stated,
            "about": self._session.views(at),
            "shown": self._shown(),
        }
        if self._keep([pair | answer]):
            self._go(self._queue.next(at))

    def _shown(self) -> Plain:
        return super()._shown() | self._queue.chosen(self._item)

    # -- what is shown -------------------------------------------------------------------------------------

    def _facts(self, item: int) -> Plain:
        """The other columns of a row; for a list of suspects, with the current `p_wrong` and not its origin."""
        facts = self._table.facts.iloc[item].to_dict()
        belief = self._queue.belief
        if belief is None:
            return facts
        for name in (*belief.evidence, "answer", "random", "p_wrong"):
            facts.pop(name, None)
        if belief.speaks:
            facts["p_wrong"] = float(belief.p_wrong[item])
        return facts

    @property
    def _can_reveal(self) -> bool:
        return self._question is SAME or len(self._table.facts.columns) > 0

    @property
    def _hidden(self) -> str:
        """The reason why only the two sentences are shown, or the empty text."""
        return HIDDEN if self._question is SAME and not self._revealed else ""

    def _nodes(self, item: int) -> list[int]:
        nodes = self._table.nodes[item].tolist()
        if not self.graph.bipartite:
            for step in explain(self.graph, *nodes[:2]).steps:
                nodes += step.nodes
        return nodes

    def _case(self) -> Plain:
        if self._hidden:
            return {}
        case = {"label": None, "stated": self._origin()}
        if not self._table.blank[self._item]:
            case["label"] = int(self._table.label[self._item])
        if self._item in self._queue.random:
            case["stated"] += f"; {RANDOM}"
        a, b = self._table.nodes[self._item].tolist()
        if a == b:
            case["rows"] = self._rows.alone(a)
        return case

    def _origin(self) -> str:
        """The label to judge, and its origin."""
        if self._table.blank[self._item]:
            return "no label, and none follows"
        label = int(self._table.label[self._item])
        known = int(self._table.known[self._item])
        named = self._named(label)
        if "labels" not in self.words:
            named += f", {self.graph.words[label]}"
        how = "stated" if self._table.stated[self._item] else "inferred"
        if known == label:
            return f"{named}: {how}"
        if known < 0:
            return f"{named}: by the table; nothing follows"
        return f"{named}: by the table; the graph has {self._named(known)}, {how}"

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
        answers = self.answered()
        if self._table.blank.any() or answers["same"].isna().all():
            return {}
        report = error_rates(self.graph, answers)
        facts = []
        for row in report.itertuples():
            share = "no answer"
            if row.answered:
                share = f"{row.share:.0%} ({row.low:.0%} to {row.high:.0%})"
            facts.append([row.kind, share])
        found = super()._summary(audit=True)
        found |= {"title": "Audit", "text": JUDGED, "facts": facts, "note": report.attrs["note"]}
        return found

    def _beside(self, item: int) -> dict[str, str]:
        if self._question is SAME:
            return super()._beside(item)
        return {"aside": self._named(self._table.label[item]), "hint": "the label to judge"}

    def _estimate(self) -> list[str]:
        """The running estimate; none in an audit, as it would give away labels."""
        if self._question is SAME:
            return []
        if self._queue.belief is not None:
            return estimate_of(self._queue)
        return share_right(self._queue, self._question.states["keep"][0].capitalize())
