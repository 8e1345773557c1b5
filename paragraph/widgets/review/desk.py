"""What every review shares: a queue, one pair of it above its picture, one key a decision, all of it in a log."""

from __future__ import annotations

import asyncio
import json
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import traitlets

from ...decisions.log import DecisionLog
from ...decisions.queue import DECIDED, Items
from ...decisions.records import AGAIN, Decision, pair_of, standing
from ...draw.style import Line
from ...draw.view import View
from ...graph import ParaphraseGraph
from ...pairs import PairsError
from ..base.scene import Scene, make_scene, still_view
from ..base.why import why_pair, why_sentence
from ..base.widget import LAYERS, PAGE, ListBench
from .heat import heated, heats_of
from .questions import review_help

__all__ = ["DIMMED", "ReviewBench", "reviewer_of"]

DIMMED = 30  # in clusters with more sentences, what is not of the item is dimmed
SHOWN = ("all", "open", "decided", "settled")
NOTHING = Scene()
KEPT = 20  # pictures kept, of clusters seen last
NAMED = 5  # items named in a message
REVEALED = "revealed"  # the note that remembers it
AFTER = 0.05  # seconds after an answer, so that it is on its way, before the next picture is laid out


def reviewer_of(positional: tuple[str, ...], reviewer: str | None) -> str | None:
    """Return the name of the reviewer, which could be given by its place before version 0.3."""
    if not positional:
        return reviewer
    if len(positional) > 1 or reviewer is not None:
        raise PairsError("too many arguments by their place; give reviewer= and what follows by name")
    warnings.warn("give the reviewer by name: reviewer=…", FutureWarning, stacklevel=3)
    return positional[0]


class ReviewBench(ListBench):
    """A queue of pairs of sentences that one person decides, with the log and the picture that go with it.

    A subclass makes the queue and calls `_start`. Its methods say what is drawn of an item (`_nodes`, `_lines`), what
    is written beside it (`_case`, `_evidence`, `_title`), and what a decision puts into the log (`on_decide`).
    """

    _css = ListBench._css + Path(__file__).with_name("style.css").read_text(encoding="utf-8")

    case = traitlets.Dict().tag(sync=True)  #: the pair on screen, and how the last action went
    words = traitlets.Dict().tag(sync=True)  #: what an item is called, and the keys that decide it

    _entry = "item"
    _can_reveal = True  #: whether something of the item on screen is hidden
    _queue: Items

    def __init__(
        self,
        graph: ParaphraseGraph,
        log: str | PathLike | DecisionLog,
        reviewer: str | None,
        name: str,
        words: dict[str, Any],
        layer: str,
        *,
        blind: bool = True,
        seed: int = 0,
        height: int = 680,
        limit: int = 120,
        tagger: Any = None,
    ):
        if not isinstance(graph, ParaphraseGraph | None):
            raise PairsError("a review takes a graph: ParaphraseGraph.from_pairs(pairs)")
        if not isinstance(log, DecisionLog):
            log = DecisionLog(log, reviewer)
        self.reviewer = reviewer or log.reviewer or ""
        if not self.reviewer.strip():
            raise PairsError('whose decisions will these be? Say reviewer="your name"')
        self._layers = LAYERS | {layer: True}
        super().__init__(name=name, words=words, shortcuts=review_help(words), layers=self._layers, height=height)
        self.graph, self.decision_log, self.blind, self.seed, self.limit = graph, log, blind, seed, limit
        self._records = log.records()
        self._mine = [record for record in self._records if record.reviewer == self.reviewer]
        self._revealed_pairs = {record.pair for record in self._mine if record.saw.get("blind") is False}
        self._words, self._show = "", "all"
        self.tagger, self._heats = tagger, {}  # by item
        self._found: list[int] = []
        self._item: int | None = None
        self._revealed = False
        self._error = self._message = ""
        self._scene = NOTHING
        self._scenes: dict[tuple[int, ...], tuple[int, Scene]] = {}  # by clusters
        self._number = 0
        self._began = time.monotonic()

    def _start(self, queue: Items) -> None:
        """Show the first item of the queue that is open."""
        self._queue = queue
        self._found = list(queue.items)
        with self.hold_sync():
            self._go(queue.next())

    # -- back to Python ------------------------------------------------------------------------------------

    @property
    def current(self) -> int | None:
        """Number of the item on screen."""
        return None if self._item is None else self._queue.number[self._item]

    @current.setter
    def current(self, number: int) -> None:
        with self.hold_sync():
            self.on_open(number)

    @property
    def queue(self) -> pd.DataFrame:
        """All items in their order: `number`, `text_a`, `text_b`, `state`."""
        items, queue = self._queue.items, self._queue
        table = pd.DataFrame([queue.pair[item] for item in items], columns=["text_a", "text_b"], dtype="str")
        table.insert(0, "number", np.arange(1, len(items) + 1))
        return table.assign(state=pd.array([queue.state(item) for item in items], dtype="str"))

    @property
    def decisions(self) -> pd.DataFrame:
        """This reviewer's decisions that stand, of this queue and others: see `DecisionLog.current`."""
        return self.decision_log.current(self.reviewer)

    def _decide(self, decision: str, **content: Any) -> None:
        """Decide the item on screen as a key does; what cannot be written is an error."""
        if self._item is None:
            one = self.words["one"]
            raise PairsError(f"there is nothing to decide: set `current` to the number of a {one}")
        with self.hold_sync():
            self.on_decide(self.current, decision, **content)
        if self._error:
            raise PairsError(self._error)

    # -- intents -------------------------------------------------------------------------------------------

    def on_decide(self, item: int, decision: str, edge: str | None = None) -> None:
        """A decision on the item that the page shows."""
        raise NotImplementedError

    def on_next(self) -> None:
        """Show the next item that is open; where none is, the next skipped one."""
        following = self._queue.next(self._item)
        self._message = "" if following is not None else "Nothing is left to decide."
        if following is None:
            return self._tell()
        self._go(following)

    def on_undo(self) -> None:
        """Take back the last decision of this queue that stands, and show its item."""
        last = self._last()
        if last is None:
            self._message = "Nothing is left to undo."
            return self._tell()
        if self._write(lambda log: log.undo(self.reviewer, last.id)):
            before = self._last()
            if before and json.loads(before.shown).get(AGAIN):  # made by the same key
                self._write(lambda log: log.undo(self.reviewer, before.id))
            item = self._queue.item_of(last)
            self._message = f"Taken back: {self._name_of(last)} of #{self._queue.number[item]}"
            self._go(item)

    def on_note(self, item: int, text: str) -> None:
        """A note on the item that the page shows."""
        if not isinstance(text, str):
            raise PairsError(f"a note is text, not {text!r}")
        if item != self.current or not text.strip():
            return
        a, b = self._queue.pair[self._item]
        if self._write(lambda log: log.add(a, b, "note", note=text.strip(), reviewer=self.reviewer)):
            self._message = "Noted."
            self._tell()

    def on_reveal(self, item: int) -> None:
        """Show what was hidden; it stays visible while this item is on screen, and the log remembers that it was."""
        if item != self.current or self._revealed:
            return
        try:
            self._prepare_reveal()
        except PairsError as error:
            self._error = f"There is no proposal. {error}"
            return self._tell()
        if self._is_blind(self._item) and self._can_reveal:
            a, b = self._queue.pair[self._item]
            note = {"note": REVEALED, "shown": {"blind": False}, "reviewer": self.reviewer}
            if not self._write(lambda log: log.add(a, b, "note", **note)):
                return
            self._revealed_pairs.add(pair_of(a, b))
        self._revealed = True
        self._draw()
        self._tell()
        self._update_twin()

    def on_open(self, item: int) -> None:
        """An item of the list, by its number."""
        one = self.words["one"]
        if isinstance(item, bool) or not isinstance(item, int | np.integer):
            raise PairsError(f"{item!r} is not the number of a {one}")
        if not 1 <= item <= len(self._queue.items):
            raise PairsError(f"{one} {item} is not one of 1 .. {len(self._queue.items)}")
        self._message = ""
        self._go(self._queue.items[item - 1])

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

    def on_select(self, keys: list[str]) -> None:
        """Sentences clicked: one or two are explained, none brings the item back."""
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
        """A double click does nothing here."""

    # -- what a subclass says ------------------------------------------------------------------------------

    def _nodes(self, item: int) -> list[int]:
        """The sentences that the picture of an item must show, its two ends first; none where there is no picture."""
        return []

    def _lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The lines of the picture, those marked that matter to the item on screen."""
        return lines

    def _case(self) -> dict[str, Any]:
        """The pair on screen."""
        raise NotImplementedError

    def _evidence(self) -> dict[str, Any]:
        """The right-hand side, for the item on screen."""
        raise NotImplementedError

    def _title(self) -> str:
        raise NotImplementedError

    def _special(self) -> dict[str, Line]:
        """How lines are drawn in the still picture that no other picture has, by their text."""
        raise NotImplementedError

    def _aside_of(self, item: int) -> tuple[str, str]:
        """In the list, beside the state of an item: a word or two, and what they mean."""
        return "", ""

    def _prepare_reveal(self) -> None:
        """Work out what is about to be revealed."""

    def _name_of(self, record: Decision) -> str:
        return record.decision

    def _summary(self) -> dict[str, Any]:
        """What the right-hand side shows besides when all is decided."""
        return {}

    def _estimate(self) -> list[str]:
        """What stands under the progress, and a smaller line below it."""
        return []

    def _listing_note(self) -> str:
        odd, one = self._queue.elsewhere, self.words["one"]
        if not odd:
            return ""
        return f"{odd} decision{'s' * (odd > 1)} of the log {'are' if odd > 1 else 'is'} about no {one} of these."

    # -- how it is done ------------------------------------------------------------------------------------

    def _last(self) -> Decision | None:
        """The last decision of this queue that stands: the log may hold those of other queues."""
        mine = (record for record in reversed(standing(self._mine)) if self._queue.item_of(record) is not None)
        return next(mine, None)

    def _decided_before(self, item: int) -> str:
        """The decision on an item that another one would replace, in words; empty where there is none."""
        return self._queue.description(item) if self._queue.state(item) in DECIDED else ""

    def _changed(self, now: str, before: str) -> str:
        """A decision in words, and the one that it replaced."""
        return f"{now}, changed from {before}" if before and before != now else now

    def _write(self, act: Callable[[DecisionLog], Decision]) -> bool:
        """Do something to the log and to the queue; an error is shown, and then nothing is done."""
        self._message = ""
        try:
            if self._catch_up():
                return False
            self._mine.append(act(self.decision_log))
        except PairsError as error:
            self._error = f"Not decided. {error}"
            self._tell()
            return False
        self._error = ""
        self._queue.read(standing(self._mine))
        return True

    def _catch_up(self) -> bool:
        """Read what another review of the same reviewer wrote to the log; tell it where it changes items here."""
        news = self.decision_log.records(self.reviewer, self._mine[-1].time if self._mine else "")
        if not news:
            return False
        queue, before = self._queue, self._states()
        self._mine += news
        self._revealed_pairs |= {record.pair for record in news if record.saw.get("blind") is False}
        queue.read(standing(self._mine))
        after = self._states()
        changed = [f"#{queue.number[item]}" for item in queue.items if before[item] != after[item]]
        if changed:
            named = ", ".join(changed[:NAMED]) + ", …" * (len(changed) > NAMED)
            self._error = (
                f"Nothing was written: another review of {self.reviewer} has changed {named} in this log meanwhile. "
                "All is shown here now; decide again."
            )
            self._go(self._item, known=True)
        return bool(changed)

    def _states(self) -> dict[int, tuple[str, Decision | None]]:
        """The state of each item, and the decision behind it."""
        return {item: (self._queue.state(item), self._queue.standing(item)) for item in self._queue.items}

    def _is_blind(self, item: int) -> bool:
        """Whether the reviewer has never seen what is hidden of an item, in this session or an earlier one."""
        seen_now = item == self._item and self._revealed and self._can_reveal
        return not seen_now and pair_of(*self._queue.pair[item]) not in self._revealed_pairs

    def _go(self, item: int | None, known: bool = False) -> None:
        """Show an item, or that none is left; `known`: what was revealed of it stays so."""
        self._item = item
        if not known:
            self._revealed = not self.blind
            self._began = time.monotonic()
        with self.hold_sync():
            self.selected = []
            self._draw()
            self._tell()
            self._found = self._queue.find(self._words, self._show)
            place = self._found.index(item) if item in self._found else None
            self._list_page(self.listing.get("page", 0) if place is None else place // PAGE)
        self._update_twin()  # last: it is drawn from what is shown

    def _draw(self) -> None:
        """The clusters of the item, as decisions have left them."""
        number = 0
        self._scene = NOTHING
        if self._item is not None:
            number, scene = self._scene_with(self._nodes(self._item))
            self._scene = replace(scene, edges=self._lines(scene.edges))
        self.picture = {
            "scene": number, "view": "cluster", "title": self._title(), "note": self._scene.note,
            "nodes": self._scene.nodes, "edges": self._scene.edges, "inferred": [], "farthest": 1,
        }  # fmt: skip

    def _scene_with(self, wanted: list[int]) -> tuple[int, Scene]:
        """The picture of the clusters of some sentences, with these in it, and a number that it keeps."""
        if not wanted:
            return 0, NOTHING
        clusters = tuple(dict.fromkeys(self.graph.cluster_of[wanted].tolist()))
        number, scene = self._scenes.pop(clusters, (0, NOTHING))
        if not set(wanted) <= set(scene.sentences.tolist()):
            self._number += 1
            number, nodes = self._number, tuple(dict.fromkeys(wanted))
            scene = make_scene(self.graph, clusters, (), self.limit, self.seed, nodes, neighbours=0)
        self._scenes[clusters] = number, scene  # the last used is the last
        if len(self._scenes) > KEPT:
            del self._scenes[next(iter(self._scenes))]
        return number, scene

    def _prepare(self) -> None:
        """While the reviewer reads this item, lay out the next."""
        following = self._queue.next(self._item) if self._item is not None else None
        if following is not None and following != self._item:
            self._scene_with(self._nodes(following))

    def _answer(self, *message: Any) -> None:
        super()._answer(*message)
        with suppress(RuntimeError):  # no loop: nobody is waiting
            asyncio.get_running_loop().call_later(AFTER, self._prepare)

    def _tell(self) -> None:
        case = {"item": None, "error": self._error, "message": self._message}
        if self._item is not None:
            pair = pair_of(*self._queue.pair[self._item])
            case |= self._case() | {"item": self.current}
            if self.tagger is not None and "pair" in case:
                case["pair"] = self._with_heat(case["pair"])
            case.setdefault("revealed", self._revealed)
            case["notes"] = [
                record.note
                for record in self._mine
                if record.decision == "note" and record.pair == pair and record.saw.get("blind") is not False
            ]
        self.case = case | {"off": self._off(case)}
        self._explain()

    def _with_heat(self, sides: list[list[tuple[str, bool]]]) -> list[list[tuple]]:
        if self._item not in self._heats:
            self._heats[self._item] = heats_of(self.tagger, self._queue.pair[self._item])
        return [heated(spans, heats) for spans, heats in zip(sides, self._heats[self._item], strict=True)]

    def _off(self, case: dict[str, Any]) -> dict[str, str]:
        """The keys that do nothing now, and why."""
        one, keys = self.words["one"], [name for _, name, *_ in self.words["decide"]]
        off = {} if self._last() else {"undo": "Nothing is left to undo."}
        if self._item is None:
            return off | dict.fromkeys([*keys, "note", "reveal"], f"No {one} is on screen: choose one in the list.")
        if "cut" in keys and not case["path"]:
            off["cut"] = "No positive path joins the two any more: there is nothing to cut."
        if case["revealed"]:
            off["reveal"] = "It is shown already." if self._revealed else f"Nothing else is known of this {one}."
        return off

    def _explain(self) -> None:
        if self._item is None:
            done = self._queue.progress()
            explanation = {"title": "Nothing to decide", "text": self._title()}
            if done["total"]:
                explanation["facts"] = [
                    [name, str(done[name])] for name in ("total", "decided", "settled", "skipped")
                ]
                explanation |= self._summary()
        else:
            explanation = self._evidence()
            explanation["highlight"]["soft"] = len(self._scene.nodes) <= DIMMED
        self._show_why(explanation)

    def _aside(self, explanation: dict[str, Any]) -> None:
        """Something else than the item, on the right; Esc brings the item back."""
        back = {"text": f"Back to the {self.words['one']} (Esc)", "intent": "select", "content": {"keys": []}}
        self._show_why(explanation | {"actions": [back]})

    def _list_page(self, page: int) -> None:
        self._send_list(
            self._found, page, current=self.current, words=self._words, show=self._show,
            progress=self._queue.progress(), estimate=self._estimate(), note=self._listing_note(),
        )  # fmt: skip

    def _rows(self, found: list[int]) -> list[dict[str, Any]]:
        return [self._row(item) for item in found]

    def _row(self, item: int) -> dict[str, Any]:
        aside, hint = self._aside_of(item)
        return {
            "item": self._queue.number[item],
            "texts": list(self._queue.pair[item]),
            "state": self._queue.state(item),
            "description": self._queue.description(item),
            "aside": aside,
            "hint": hint,
        }

    def _still(self) -> View:
        nodes = self._scene.nodes
        spots = {node["key"]: tuple(self.placed.get(node["key"], (node["x"], node["y"]))) for node in nodes}
        view, special = still_view(self._scene, self._title(), self.layers, [], spots), self._special()
        return view._replace(edges=[edge._replace(line=special.get(edge.why, edge.line)) for edge in view.edges])
