"""Exercises in the Triad Lab: a question, an answer by clicks or words, a grade and hints; one after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import networkx as nx

from ...draw.lettering import oneline, shorten
from ...pairs import PairsError
from . import sentences, summary, table

if TYPE_CHECKING:
    from ...balance.exercises import Exercise, Grade
    from .widget import TriadLab

__all__ = ["Attempt", "answer", "clear", "click_edge", "click_node", "draws", "go", "panel", "step", "way"]

#: How an exercise of a kind is answered.
HOW = {
    "choice": "Choose an answer below.",
    "number": "Type a number, then Check.",
    "edges": "Click lines in the picture, then Check. A second click takes a line back.",
    "cycle": "Click the lines of the cycle in the picture, then Check. A second click takes a line back.",
    "camps": "Click the nodes: each click puts one in the next camp, by colour. Then Check. (Or type the camps.)",
    "turn": "Click lines to turn their signs, then Check.",
    "away": "Click lines to take them away, then Check. Undo brings them back.",
    "draw": "Click one node, then another, to join them by +. Click a line to make it −, again to take it away. Then "
    "Check.",
}
ASKED = {"number": "a number", "camps": "camps, such as A B | C D"}
MOST = 8  # camps that a click can reach: as many as there are colours


@dataclass
class Attempt:
    """An exercise on the table, as its reader left it."""

    one: Exercise
    graph: nx.Graph
    picked: list[frozenset] = field(default_factory=list)
    camps: dict[Any, int] = field(default_factory=dict)
    typed: str = ""
    grade: Grade | None = None


def go(lab: TriadLab, number: int) -> None:
    """Put an exercise on the table as it was left; 0 is free play, and one past the last is the summary."""
    last = len(lab.sheet.titles())
    if not 0 <= number <= last + 1:
        raise PairsError(f"there is no exercise {number}; they are numbered from 1 to {last}")
    if lab._attempt is not None:
        lab._attempt.graph = lab.graph
    lab._attempt, lab._summary, lab._hidden = None, number > last, False
    if not number:
        table.lay(lab, "the four triads")
        return
    if lab._summary:
        table.lay(lab, nx.Graph())
        return
    if number not in lab._attempts:
        one = lab.sheet.exercise(number)
        lab._attempts[number] = Attempt(one, one.graph)
    attempt = lab._attempts[number]
    lab._cycle_none = attempt.one.touch == "draw"
    lab._attempt = attempt
    table.lay(lab, attempt.graph)
    lab._message = ""
    lab._show()


def step(lab: TriadLab, by: int) -> None:
    """The exercise after this one, or before."""
    if lab.sheet is not None:
        go(lab, max(1, min(_place(lab) + by, len(lab.sheet.titles()) + 1)))


def draws(lab: TriadLab) -> bool:
    """Is a graph to be drawn for an answer?"""
    return lab._attempt is not None and lab._attempt.one.kind == "graph"


# -- what stands around the picture ----------------------------------------------------------------------


def way(lab: TriadLab) -> list[dict[str, Any]]:
    """The controls that lead through the sheet: back, the menu with ✓ at what is solved, next, and how far one is."""
    titles, solved, place = lab.sheet.titles(), set(lab.sheet.solved), _place(lab)
    options = [[str(n), f"{'✓ ' if n in solved else ''}{n}. {title}"] for n, title in titles]
    options = [["0", "free play"], *options, [str(len(titles) + 1), "summary"]]
    found = [
        {"kind": "button", "name": "before", "text": "‹ Back", "key": "ArrowLeft", "hint": "The exercise before (←)",
         "disabled": place <= 1},
        {"kind": "select", "name": "exercise", "text": "exercise", "value": str(place), "options": options},
        {"kind": "button", "name": "next", "text": "Next ›", "key": "ArrowRight", "hint": "The next exercise (→)",
         "disabled": place > len(titles)},
    ]  # fmt: skip
    count = f"{place} / {len(titles)} · " if lab._attempt is not None else ""
    return [*found, {"kind": "text", "name": "place", "text": f"{count}{len(solved)} solved"}]


def panel(lab: TriadLab) -> dict[str, Any]:
    """The question, how to answer, what was chosen, the grade, the hints taken, and the sentences in full."""
    if lab._summary:
        return summary.panel(lab.sheet)
    attempt, done = lab._attempt, lab.sheet.progress(lab._attempt.one.number)
    one, facts = attempt.one, []
    actions = [
        {"text": choice, "intent": "answer", "content": {"answer": choice}, "pressed": choice == attempt.typed}
        for choice in one.choices
    ]
    if one.kind in ("edges", "cycle", "graph"):
        actions = [{"text": "Check", "intent": "answer", "content": {}}]
    if attempt.picked or attempt.camps or (draws(lab) and not _same(lab._graph, one.graph)):
        actions.append(_control("Start again", "clear"))
    if done.hints < len(one.hints):
        actions.append({"text": f"Hint {done.hints + 1} of {len(one.hints)}", "intent": "hint", "content": {}})
    if done.solved:
        actions.append(_control("Next ›", "next"))
    if attempt.picked:
        names = ("–".join(sorted(_names(lab, pair))) for pair in attempt.picked)
        facts.append(["chosen", ", ".join(names)])
    found = {
        "title": f"Exercise {one.number}, level {one.level}", "text": one.question, "actions": actions,
        "facts": facts, "how": HOW[one.touch or one.kind], "hints_title": "Hints",
        "hints": list(one.hints[: done.hints]),
    }  # fmt: skip
    if done.solved or done.shown:
        found["done"] = f"✓ solved at try {done.tries}" if done.solved else "solution shown"
    if one.kind in ASKED:
        found["ask"] = {"hint": ASKED[one.kind], "value": attempt.typed}
    if attempt.grade is not None:
        badge = "right" if attempt.grade.correct else "not yet"
        found["grade"] = {"badge": badge, "text": attempt.grade.message}
    listed = sentences.listed(lab._graph, {node: lab._key(node) for node in lab._graph})
    if listed:
        found |= {"pairs_title": "The sentences", "pairs": listed}
    return found | _highlight(lab)


def _highlight(lab: TriadLab) -> dict[str, Any]:
    """What was chosen is thick; a triad or cycle that shows the grade is on yellow, with the signs it speaks of."""
    attempt = lab._attempt
    edges = [[lab._key(node) for node in pair] for pair in attempt.picked]
    marks = attempt.grade.marks if attempt.grade is not None else ()
    halo = [[lab._key(a), lab._key(b), sign] for a, b, sign in marks if a in lab._graph and b in lab._graph]
    if not edges and not halo:
        return {}
    keys = [key for pair in edges for key in pair] + [key for mark in halo for key in mark[:2]]
    return {"highlight": {"nodes": list(dict.fromkeys(keys)), "edges": edges, "soft": True, "halo": halo}}


# -- what a person does ----------------------------------------------------------------------------------


def click_edge(lab: TriadLab, a: Any, b: Any) -> None:
    """Choose an edge or choose it no more; where a graph is drawn, turn it or take it away."""
    attempt, pair = lab._attempt, frozenset((a, b))
    if attempt.one.kind in ("edges", "cycle"):
        attempt.grade = None
        if pair in attempt.picked:
            attempt.picked.remove(pair)
        else:
            attempt.picked.append(pair)
        lab._show()
    elif attempt.one.kind == "graph":
        sign = lab._graph.edges[a, b]["sign"]
        gone = attempt.one.touch == "away" or (lab._cycle_none and sign < 0)
        lab.set_sign(a, b, 0 if gone else -sign)


def click_node(lab: TriadLab, node: Any) -> None:
    """Put a node in the next camp: those that are in use, then a new one."""
    attempt = lab._attempt
    attempt.grade = None
    camps = attempt.camps
    others = {camp for other, camp in camps.items() if other != node}
    used = 1 + max(others, default=-1)  # camps 0 … used - 1 are there, and one more may be opened
    camps[node] = (camps.get(node, -1) + 1) % min(used + 1, MOST)
    attempt.typed = _spelled(lab, camps)
    lab._show()


def clear(lab: TriadLab) -> None:
    """Begin the answer again; tries and hints stay counted."""
    if lab._attempt is not None:
        one = lab._attempt.one
        lab._attempt = lab._attempts[one.number] = Attempt(one, one.graph)
        table.lay(lab, one.graph)
        lab._message = ""
        lab._show()


def answer(lab: TriadLab, typed: Any) -> None:
    """Grade what was chosen, typed, clicked or drawn."""
    if lab._attempt is None:
        raise PairsError("no exercise is on the table")
    attempt, kind = lab._attempt, lab._attempt.one.kind
    if typed is not None:
        attempt.typed = str(typed)[:2000]
    given: Any = typed
    if kind in ("edges", "cycle"):
        given = [tuple(pair) for pair in attempt.picked]
    elif kind == "graph":
        given = lab.graph
    elif kind == "camps":
        names = {lab._text(node): node for node in lab._graph}
        given = [{names.get(word, word) for word in part.split()} for part in attempt.typed.split("|")]
        attempt.camps = {node: camp for camp, nodes in enumerate(given) for node in nodes if node in lab._graph}
    attempt.grade = lab.sheet.check(attempt.one.number, given)
    lab._show()


def hint(lab: TriadLab) -> None:
    """The next hint."""
    if lab._attempt is None:
        raise PairsError("no exercise is on the table")
    lab.sheet.hint(lab._attempt.one.number)
    lab._show()


def _spelled(lab: TriadLab, camps: dict[Any, int]) -> str:
    """Camps as one may type them; a camp that lost its last node is left out."""
    rows = ([lab._text(node) for node in lab._graph if camps.get(node) == camp] for camp in range(MOST))
    return " | ".join(" ".join(row) for row in rows if row)


def _place(lab: TriadLab) -> int:
    """Where one is in the sheet: 0 in free play, one past the last in the summary."""
    if lab._summary:
        return len(lab.sheet.titles()) + 1
    return lab._attempt.one.number if lab._attempt is not None else 0


def _same(one: nx.Graph, other: nx.Graph) -> bool:
    signs = [{frozenset((a, b)): sign for a, b, sign in graph.edges(data="sign")} for graph in (one, other)]
    return signs[0] == signs[1]


def _names(lab: TriadLab, pair: frozenset) -> list[str]:
    """What the ends of an edge are called in the picture: sentences by number."""
    numbers = {node: str(number) for number, node in enumerate(lab._graph, 1)}
    return [numbers[node] if "text" in lab._graph.nodes[node] else shorten(oneline(str(node)), 24) for node in pair]


def _control(text: str, name: str) -> dict[str, Any]:
    return {"text": text, "intent": "control", "content": {"name": name, "value": True}}
