"""The Conflict Review: one conflict after the other with its evidence, one key a decision, all of it in a log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import traitlets

from ..decision_records import DECISIONS, Decision, pair_of, standing
from ..decisions import DecisionLog
from ..draw.style import QUIET, Line
from ..draw.view import View
from ..pairs import PairsError
from .bench import HERE, Bench
from .review_case import case_of, evidence_of, said_of_state
from .review_order import ordered
from .review_proposals import Proposals
from .review_queue import FOR, Queue
from .scene import Scene, make_scene
from .still import still_view
from .why import why_pair, why_sentence

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["ConflictReview"]

PAGE = 50  # conflicts on one page of the list
DIMMED = 30  # in clusters with more sentences, what is not of the conflict is dimmed
LAYERS = {"positive": True, "negative": True, "conflicts": True, "cut": True, "inferred_positive": False,
          "inferred_negative": False, "distance": 1}  # fmt: skip
SHOWN = ("all", "open", "decided", "settled")
NOTHING = Scene((), (), np.empty(0, dtype=np.int64), [], [], "")
KEPT = 20  # pictures kept, of clusters seen last
AFTER = 0.05  # seconds after an answer, so that it is on its way, before the next picture is laid out
CUT = Line("cut: decided to be wrong", QUIET, 1.0, (1, 3))


class ConflictReview(Bench):
    """Decide by hand which label of each conflict is wrong, one key a decision.

    A conflict is a stated negative inside a cluster. Left the queue; in the middle the pair with its differing words,
    and its cluster with the negative and a shortest positive path; on the right the path step by step, what each
    decision would do, and the rows. ``f`` flip, ``c`` and a number cut, ``k`` keep, ``a`` ambiguous, ``s`` skip,
    ``u`` undo, ``n`` note, ``r`` reveal the proposal, ``?`` all keys.

    A decision is in the log before the next pair is shown. What it settles leaves the queue: where a cut divides a
    cluster, the other negatives between the two sides contradict nothing any more. Undo brings them back.

    Parameters
    ----------
    graph : ParaphraseGraph
    log : path or DecisionLog
        Made where there is none. A review goes on where the log stops.
    reviewer : str
        Whose decisions these are. Those of others in the same log are not shown.
    evidence : DataFrame or array, optional
        For the proposals: see `paragraph.repair`. They are worked out when the first is revealed; in large data that
        takes a while, unless the log-odds of all pairs (`paragraph.evidence.log_odds`) are given here.
    order : {"effect", "margin", "size", "random"}
        Of the queue: see `review_order.ordered`. "margin" computes all proposals first.
    blind : bool
        Hide the proposal, of which the weakest link is a part, until ``r`` is pressed. The log says what was shown.
    pairs : DataFrame, optional
        Only the conflicts between `question1` and `question2`: those on which two reviewers disagree, for example.
    second : bool or str
        Review what others (or this one) have decided, without seeing how.
    seed : int
        Of the random order and the layout.
    height, limit : int
        Pixels; most sentences drawn of a cluster.

    Attributes
    ----------
    current : int or None
        Number of the conflict on screen, from 1; set it to go there.
    queue : DataFrame
        All conflicts in their order: `number`, `question1`, `question2`, `cluster`, `state`, `settled_by`.
    decisions : DecisionLog
        The log.

    Examples
    --------
    >>> import paragraph as pg, pathlib, tempfile
    >>> graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "decisions.db"
    >>> review = pg.ConflictReview(graph, path, reviewer="Ada")  # shows itself at the end of a cell
    >>> review.decide("flip")
    >>> review.current, review.queue["state"].tolist()[:2]
    (2, ['flip', 'open'])
    >>> review.decisions.current()[["reviewer", "decision"]].values.tolist()
    [['Ada', 'flip']]
    """

    _css = Bench._css + (HERE / "review.css").read_text(encoding="utf-8")

    case = traitlets.Dict().tag(sync=True)  #: the pair on screen, and how the last action went

    def __init__(
        self,
        graph: ParaphraseGraph,
        log: str | PathLike | DecisionLog = "decisions.db",
        reviewer: str | None = None,
        *,
        evidence: pd.DataFrame | np.ndarray | None = None,
        order: str = "effect",
        blind: bool = True,
        pairs: pd.DataFrame | None = None,
        second: bool | str = False,
        seed: int = 0,
        height: int = 680,
        limit: int = 120,
    ):
        if not isinstance(log, DecisionLog):
            log = DecisionLog(log, reviewer)
        self.reviewer = reviewer or log.reviewer or ""
        if not self.reviewer.strip():
            raise PairsError('whose decisions will these be? Say reviewer="your name"')
        super().__init__(height=height, layers=dict(LAYERS), name="Conflict Review")
        self.graph, self.decisions, self.blind, self.seed, self.limit = graph, log, blind, seed, limit
        self._proposals = Proposals(graph, evidence)
        records = log.records()
        self._mine = [record for record in records if record.reviewer == self.reviewer]
        self._queue = Queue(graph, self._edges(records, pairs, second, order), standing(self._mine))
        self._words, self._show = "", "all"
        self._found = list(self._queue.edges)
        self._page = 0
        self._edge: int | None = None
        self._revealed = False
        self._error = self._told = ""
        self._scene = NOTHING
        self._scenes: dict[int, tuple[int, Scene]] = {}  # by cluster
        self._number = 0
        self._began = time.monotonic()
        with self.hold_sync():
            self._go(self._queue.next())

    def _edges(
        self, records: list[Decision], pairs: pd.DataFrame | None, second: bool | str, order: str
    ) -> list[int]:
        """The conflicts to decide, in their order."""
        within = np.empty(0, dtype=np.int64) if self.graph.bipartite else np.flatnonzero(self.graph.within)
        texts = zip(*(self.graph.texts(end[within]) for end in (self.graph.edge_a, self.graph.edge_b)), strict=True)
        named = [pair_of(*ends) for ends in texts]
        if pairs is not None:
            if not {"question1", "question2"} <= {*pairs}:
                raise PairsError("a table of pairs to review needs the columns question1, question2")
            wanted = {pair_of(*ends) for ends in zip(pairs["question1"], pairs["question2"], strict=True)}
            within = within[[pair in wanted for pair in named]]
            named = [pair for pair in named if pair in wanted]
        if second:
            theirs = self._decided_by(records, second)
            within = within[[pair in theirs for pair in named]]
        p_flip = self._proposals.p_flip() if order == "margin" else None
        return ordered(self.graph, within, order, self.seed, p_flip)

    def _decided_by(self, records: list[Decision], second: bool | str) -> set[frozenset[str]]:
        """The pairs that others, or one of them, have decided."""
        others = {record.reviewer for record in records} - {self.reviewer}
        if isinstance(second, str) and second not in others:
            known = ", ".join(sorted(others)) or "nobody else"
            raise PairsError(f"{second!r} has decided nothing in {self.decisions.path.name}; in it: {known}")
        others = {second} if isinstance(second, str) else others
        theirs = standing([record for record in records if record.reviewer in others])
        last = {(record.reviewer, pair_of(record.question1, record.question2)): record.decision for record in theirs}
        return {pair for (_, pair), decision in last.items() if decision != "skip"}

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def current(self) -> int | None:
        """Number of the conflict on screen."""
        return None if self._edge is None else self._queue.number[self._edge]

    @current.setter
    def current(self, number: int) -> None:
        with self.hold_sync():
            self.on_open(number)

    @property
    def queue(self) -> pd.DataFrame:
        """All conflicts in their order, with their states."""
        edges = self._queue.edges
        a, b = (
            pd.Series(self.graph.texts(end[edges]), dtype="str") for end in (self.graph.edge_a, self.graph.edge_b)
        )
        return pd.DataFrame(
            {
                "number": np.arange(1, len(edges) + 1),
                "question1": a,
                "question2": b,
                "cluster": pd.Series([self._queue.cluster[edge] for edge in edges], dtype="int64"),
                "state": pd.Series([self._queue.state(edge) for edge in edges], dtype="str"),
                "settled_by": pd.Series([self._queue.settled_by(edge) for edge in edges], dtype="Int64"),
            }
        )

    def decide(self, decision: str, cut: int | None = None) -> None:
        """Decide the conflict on screen as a key does; of a cut, `cut` is the number of the positive on the path."""
        if self._edge is None:
            raise PairsError("there is nothing to decide: set `current` to the number of a conflict")
        edge = None
        if decision == "cut":
            path = self.case["path"]
            if not isinstance(cut, int | np.integer) or not 1 <= cut <= len(path):
                raise PairsError(f"which positive is wrong? cut=1 to {len(path)}, as numbered on the path")
            edge = path[cut - 1]["edge"]
        with self.hold_sync():
            self.on_decide(self.current, decision, edge)
        if self._error:
            raise PairsError(self._error)

    # -- intents -------------------------------------------------------------------------------------------

    def on_decide(self, item: int, decision: str, edge: str | None = None) -> None:
        """A decision on the conflict that the page shows; for a cut, the line of the positive that is wrong."""
        if decision not in DECISIONS:
            raise PairsError(f"{decision!r} is not one of {', '.join(DECISIONS)}")
        if item != self.current:
            return  # a second press, made before the page showed what the first had done
        at, cut = self._edge, None
        if decision == "cut":
            cut = self._positive(edge)
            if cut is None:
                return
        pair = self._texts(at)
        content: dict[str, Any] = {"seconds": time.monotonic() - self._began, "shown": self._shown(at)}
        further = decision == "cut" and self._queue.state(at) == "open" and self._queue.standing(at) is not None
        if further:
            # One path of this conflict is cut already. That stands: this is a decision on the positive itself.
            content["shown"][FOR], pair = pair, list(cut)
        content |= {"label": int(further), "edge": cut, "reviewer": self.reviewer}
        if not self._write(lambda log: log.add(*pair, decision, **content)):
            return
        self._told = f"#{item}: {said_of_state(self._queue, at) or decision}"
        stays = decision == "cut" and self._queue.state(at) == "open"
        self._go(at if stays else self._queue.next(at), known=stays)

    def on_undo(self) -> None:
        """Take back the last decision that stands, and show its conflict."""
        left = standing(self._mine)
        if not left:
            self._told = "Nothing is left to undo."
            return self._tell()
        last = left[-1]
        if self._write(lambda log: log.undo(self.reviewer, last.id)):
            edge = self._queue.conflict_of(last)
            self._told = f"Taken back: {last.decision}" + f" of #{self._queue.number[edge]}" * (edge is not None)
            self._go(self._edge if edge is None else edge)

    def on_note(self, item: int, text: str) -> None:
        """A note on the conflict that the page shows."""
        if not isinstance(text, str):
            raise PairsError(f"a note is text, not {text!r}")
        if item != self.current or not text.strip():
            return
        a, b = self._texts(self._edge)
        if self._write(lambda log: log.add(a, b, "note", note=text.strip(), reviewer=self.reviewer)):
            self._told = "Noted."
            self._tell()

    def on_reveal(self, item: int) -> None:
        """Show the proposal and its reasons; for this conflict there is no going back to not having seen it."""
        if item != self.current or self._revealed:
            return
        try:
            self._proposals.of(self._edge)
        except PairsError as error:
            self._error = f"There is no proposal. {error}"
            return self._tell()
        self._revealed = True
        self._draw()
        self._tell()

    def on_open(self, item: int) -> None:
        """A conflict of the list, by its number."""
        if isinstance(item, bool) or not isinstance(item, int | np.integer):
            raise PairsError(f"{item!r} is not the number of a conflict")
        if not 1 <= item <= len(self._queue.edges):
            raise PairsError(f"conflict {item} is not one of 1 .. {len(self._queue.edges)}")
        self._told = ""
        self._go(self._queue.edges[item - 1])

    def on_query(self, words: str | None = None, show: str | None = None) -> None:
        """Search the queue, or show a part of it."""
        if not (words is None or isinstance(words, str)):
            raise PairsError(f"words to find are a string, not {words!r}")
        if show not in (None, *SHOWN):
            raise PairsError(f"{show!r} is not one of {', '.join(SHOWN)}")
        self._words = self._words if words is None else words
        self._show = self._show if show is None else show
        self._found = self._queue.find(self._words, self._show)
        self._list_page(0)

    def on_page(self, page: int, open: str | None = None) -> None:
        """Another page of the list; `open` its first or last conflict."""
        if open not in (None, "first", "last"):
            raise PairsError(f"{open!r} is not an end of a page")
        self._list_page(int(page))
        if open and self.listing["rows"]:
            self.on_open(self.listing["rows"][0 if open == "first" else -1]["item"])

    def on_select(self, keys: list[str]) -> None:
        """Sentences clicked: one is told of, none brings the conflict back."""
        drawn = {node["key"] for node in self._scene.nodes}
        keys = [key for key in dict.fromkeys(keys) if key in drawn]
        self.selected = keys
        if len(keys) == 1:
            self._aside(why_sentence(self.graph, int(keys[0][1:])))
        elif len(keys) == 2:
            self._aside(why_pair(self.graph, *(int(key[1:]) for key in keys)))
        else:
            self._explain()

    def on_show(self, key: str) -> None:
        """A sentence of the explanation: it is marked in the picture where it is drawn."""
        self.selected = [key] if any(node["key"] == key for node in self._scene.nodes) else []

    def on_edge(self, id: str) -> None:
        """A line clicked: its label and its rows."""
        line = next((line for line in self._scene.edges if line["id"] == id), None)
        if line is None:
            raise PairsError(f"no line is called {id!r}")
        self.selected = [line["from"], line["to"]]
        self._aside(why_pair(self.graph, line["a"], line["b"]))

    def on_expand(self, key: str) -> None:
        """A double click says nothing here."""

    # -- how it is done ------------------------------------------------------------------------------------

    def _texts(self, edge: int) -> list[str]:
        return self.graph.texts([self.graph.edge_a[edge], self.graph.edge_b[edge]])

    def _positive(self, line: str | None) -> tuple[str, str] | None:
        """The sentences of a stated positive that can be cut; of anything else nothing, and the page is told why."""
        edge = int(line[1:]) if isinstance(line, str) and line[:1] == "e" and line[1:].isdecimal() else -1
        if not 0 <= edge < len(self.graph.edge_sign):
            raise PairsError(f"no line is called {line!r}")
        here = self.graph.cluster_of[self.graph.edge_a[edge]] == self._queue.cluster[self._edge]
        if self.graph.edge_sign[edge] > 0 and here and edge not in self._queue.before(self._edge).gone:
            return tuple(self._texts(edge))
        flipped = edge in self._queue.decided.of(self._queue.cluster[self._edge]).flipped
        self._told = (
            "This line is a negative that you flipped: undo that first (u, or decide it anew)."
            if flipped
            else "Only a stated positive of this cluster can be cut: a solid blue line."
        )
        self._tell()
        return None

    def _write(self, act: Callable[[DecisionLog], Decision]) -> bool:
        """Do something to the log and to the queue; what cannot be written is told, and is not done."""
        self._told = ""
        try:
            self._mine.append(act(self.decisions))
        except PairsError as error:
            self._error = f"Not decided. {error}"
            self._tell()
            return False
        self._error = ""
        self._queue.read(standing(self._mine))
        return True

    def _shown(self, edge: int) -> dict[str, Any]:
        if not self._revealed:
            return {"blind": True}
        said = self._proposals.of(edge)
        return {"blind": False, "proposal": said.proposal, "margin": round(said.margin, 3)}

    def _go(self, edge: int | None, known: bool = False) -> None:
        """Show a conflict, or that none is left; `known`: what was revealed of it stays so."""
        self._edge = edge
        if not known:
            self._revealed = not self.blind
            self._began = time.monotonic()
        self.selected = []
        self._draw()
        self._tell()
        if self._words or self._show != "all":
            self._found = self._queue.find(self._words, self._show)
        place = self._found.index(edge) if edge in self._found else None
        self._list_page(self._page if place is None else place // PAGE)

    def _path(self, edge: int | None = None) -> list[int]:
        edge = self._edge if edge is None else edge
        a, b = int(self.graph.edge_a[edge]), int(self.graph.edge_b[edge])
        return self._queue.decided.path(a, b, self._queue.before(edge))

    def _draw(self) -> None:
        """The cluster of the conflict, as decisions have left it."""
        number = 0
        self._scene = NOTHING
        if self._edge is not None:
            path = self._path()
            number, scene = self._scene_with(self._edge, path)
            self._scene = replace(scene, edges=self._marked(scene.edges, path))
        self.picture = {
            "scene": number, "view": "cluster", "title": self._title(), "note": self._scene.note,
            "nodes": self._scene.nodes, "edges": self._scene.edges, "inferred": [], "farthest": 1,
        }  # fmt: skip
        self._update_twin()

    def _scene_with(self, edge: int, path: list[int]) -> tuple[int, Scene]:
        """The picture of a conflict's cluster, with the conflict and its path in it, and a number that it keeps."""
        wanted = [int(self.graph.edge_a[edge]), int(self.graph.edge_b[edge]), *path]
        cluster = self._queue.cluster[edge]
        number, scene = self._scenes.pop(cluster, (0, NOTHING))
        if not set(wanted) <= set(scene.sentences.tolist()):
            self._number += 1
            number = self._number
            wanted = tuple(dict.fromkeys(wanted))
            scene = make_scene(self.graph, (cluster,), (), self.limit, self.seed, wanted, neighbours=0)
        self._scenes[cluster] = number, scene  # the last used is the last
        if len(self._scenes) > KEPT:
            del self._scenes[next(iter(self._scenes))]
        return number, scene

    def _prepare(self) -> None:
        """While the reviewer reads this conflict, lay out the next."""
        following = self._queue.next(self._edge) if self._edge is not None else None
        if following is not None and following != self._edge:
            self._scene_with(following, self._path(following))

    def _answer(self, *message: Any) -> None:
        super()._answer(*message)
        with suppress(RuntimeError):  # no loop: nobody is waiting
            asyncio.get_running_loop().call_later(AFTER, self._prepare)

    def _marked(self, lines: list[dict[str, Any]], path: list[int]) -> list[dict[str, Any]]:
        """Lines with what was decided of them, the positives of the path numbered."""
        changes = self._queue.decided.of(self._queue.cluster[self._edge])
        number = {edge: i for i, edge in enumerate(self._queue.decided.path_edges(path), 1)}
        weakest = self._proposals.weakest(list(number)) if self._revealed else None
        marked = []
        for line in lines:
            edge = int(line["id"][1:])
            if edge in changes.flipped:
                line = line | {"sign": 1, "layer": "positive", "text": "a paraphrase: flipped by your decision"}
            elif edge in changes.gone:
                line = line | {"layer": "cut", "text": "set aside by your decision"}
            if edge in number:
                line = line | {"tag": f"{number[edge]}" + " weakest" * (edge == weakest)}
            marked.append(line)
        return marked

    def _title(self) -> str:
        if self._edge is not None:
            size = int(self.graph.cluster_sizes[self._queue.cluster[self._edge]])
            return f"Conflict #{self.current:,} of {len(self._queue.edges):,}, in a cluster of {size:,} sentences"
        done = self._queue.progress()
        if not done["total"]:
            return "No conflicts: no stated negative lies inside a cluster."
        return f"All is decided: {done['decided']} by you, {done['settled']} settled by these decisions."

    def _tell(self) -> None:
        case = {"item": None, "error": self._error, "told": self._told, "undo": bool(standing(self._mine))}
        if self._edge is not None:
            case |= case_of(self._queue, self._edge, self._path())
            case["revealed"] = self._revealed
            pair = pair_of(*self._texts(self._edge))
            case["notes"] = [
                record.note
                for record in self._mine
                if record.decision == "note" and pair_of(record.question1, record.question2) == pair
            ]
        self.case = case
        self._explain()

    def _explain(self) -> None:
        if self._edge is None:
            done = self._queue.progress()
            said = {"title": "Nothing to decide", "text": self._title()}
            if done["total"]:
                said["facts"] = [[name, str(done[name])] for name in ("total", "decided", "settled", "skipped")]
        else:
            path = self._path()
            said = evidence_of(self._queue, self._edge, path)
            said["highlight"]["soft"] = len(self._scene.nodes) <= DIMMED
            if self._revealed:
                said["proposal"] = self._proposals.told(self._edge, self._queue.decided.path_edges(path))
        self.why = said | {"n": self.why.get("n", 0) + 1}

    def _aside(self, said: dict[str, Any]) -> None:
        """Something else than the conflict, on the right; Esc brings the conflict back."""
        back = {"text": "Back to the conflict (Esc)", "intent": "select", "content": {"keys": []}}
        self.why = said | {"n": self.why.get("n", 0) + 1, "actions": [back]}

    def _list_page(self, page: int) -> None:
        pages = -(-len(self._found) // PAGE)
        self._page = max(0, min(page, pages - 1))
        edges = self._found[self._page * PAGE : (self._page + 1) * PAGE]
        self.listing = {
            "rows": [self._row(edge) for edge in edges],
            "total": len(self._found),
            "page": self._page,
            "pages": pages,
            "current": self.current,
            "words": self._words,
            "show": self._show,
            "progress": self._queue.progress(),
            "note": self._listing_note(),
        }

    def _row(self, edge: int) -> dict[str, Any]:
        cluster = self._queue.cluster[edge]
        return {
            "item": self._queue.number[edge], "texts": self._texts(edge), "state": self._queue.state(edge),
            "said": said_of_state(self._queue, edge), "size": int(self.graph.cluster_sizes[cluster]),
        }  # fmt: skip

    def _listing_note(self) -> str:
        odd = self._queue.elsewhere
        if not odd:
            return ""
        return f"{odd} decision{'s' * (odd > 1)} of the log {'are' if odd > 1 else 'is'} about no conflict of these."

    def _still(self) -> View:
        view = still_view(self._scene, self._title(), self.layers, [], self._spots())
        cut = {line["text"] for line in self._scene.edges if line["layer"] == "cut"}
        edges = [edge._replace(line=CUT) if edge.why in cut else edge for edge in view.edges]
        return view._replace(edges=edges)

    def _spots(self) -> dict[str, tuple[float, float]]:
        return {
            node["key"]: tuple(self.placed.get(node["key"], (node["x"], node["y"]))) for node in self._scene.nodes
        }
