"""The question of an exercise in the Triad Lab: how to answer, the grade, the hints, and the way to the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from ...balance.exercises.sheet import PATIENCE
from ...draw.text import oneline, shorten
from ..bench.keys import button
from . import exercises, sentences, summary

if TYPE_CHECKING:
    from .widget import TriadLab

__all__ = ["panel", "way"]

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


def way(lab: TriadLab) -> list[dict[str, Any]]:
    """The controls that lead through the sheet: back, the menu with ✓ at what is solved, next, and how far one is."""
    titles, solved, place = lab.sheet.titles(), set(lab.sheet.solved), exercises.place(lab)
    options = [[str(n), f"{'✓ ' if n in solved else ''}{n}. {title}"] for n, title in titles]
    options = [["0", "free play"], *options, [str(len(titles) + 1), "summary"]]
    found = [
        button("before", "‹ Back", "move", "The exercise before", disabled=place <= 1),
        {"kind": "select", "name": "exercise", "text": "exercise", "value": str(place), "options": options},
        button("next", "Next ›", "move", "The next exercise", 1, disabled=place > len(titles)),
    ]  # fmt: skip
    count = f"{place} / {len(titles)} · " if lab._attempt is not None else ""
    return [*found, {"kind": "text", "name": "place", "text": f"{count}{len(solved)} solved"}]


def panel(lab: TriadLab) -> dict[str, Any]:
    """The question, how to answer, what was chosen, the grade, the hints taken, and the sentences in full."""
    if lab._summary:
        return summary.panel(lab.sheet)
    attempt, done = lab._attempt, lab.sheet.progress(lab._attempt.one.number)
    one, facts = attempt.one, []
    choices = [
        {"text": choice, "intent": "answer", "content": {"answer": choice}, "pressed": choice == attempt.typed}
        for choice in one.choices
    ]
    check = [{"text": "Check", "intent": "answer", "content": {}}]
    actions = check if one.kind in ("edges", "cycle", "graph") else []
    if attempt.picked or attempt.camps or (exercises.draws(lab) and not _same(lab._graph, one.graph)):
        actions.append(_control("Start again", "clear"))
    if done.hints < len(one.hints):
        actions.append({"text": f"Hint {done.hints + 1} of {len(one.hints)}", "intent": "hint", "content": {}})
    if attempt.grade is not None and not attempt.grade.correct and (done.solved or done.tries >= PATIENCE):
        actions.append(_control("Show a solution", "solve"))
    if done.solved or done.shown:
        actions.append(_control("Next ›", "next"))
    if attempt.picked:
        names = ("–".join(sorted(_names(lab, pair))) for pair in attempt.picked)
        facts.append(["chosen", ", ".join(names)])
    found = {
        "title": f"Exercise {one.number}, level {one.level}", "text": one.question, "choices": choices,
        "actions": actions, "facts": facts, "how": HOW[one.touch or one.kind], "hints_title": "Hints",
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


def _same(one: nx.Graph, other: nx.Graph) -> bool:
    signs = [{frozenset((a, b)): sign for a, b, sign in graph.edges(data="sign")} for graph in (one, other)]
    return signs[0] == signs[1]


def _names(lab: TriadLab, pair: frozenset) -> list[str]:
    """What the ends of an edge are called in the picture: sentences by number."""
    numbers = {node: str(number) for number, node in enumerate(lab._graph, 1)}
    return [numbers[node] if "text" in lab._graph.nodes[node] else shorten(oneline(str(node)), 24) for node in pair]


def _control(text: str, name: str) -> dict[str, Any]:
    return {"text": text, "intent": "control", "content": {"name": name, "value": True}}
