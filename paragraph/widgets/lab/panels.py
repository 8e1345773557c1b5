"""The right-hand side of the Triad Lab: the verdict or a vote on it, the question of an exercise, the summary."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...balance import Balance, Sheet
from ...balance.exercises.sheet import PATIENCE
from ...balance.exercises.sketch import steps, symbol
from ...draw.text import oneline, shorten
from . import sentences
from .board import Board
from .work import Attempt, Work

__all__ = ["ANSWERS", "HIDDEN", "chart", "question", "spoken", "summary", "verdict", "vote"]

HIDDEN = "hidden until the vote is closed"
ANSWERS = [(kind, answer) for kind in ("strong", "weak") for answer in ("balanced", "not balanced")]

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

# -- free play -----------------------------------------------------------------------------------------------


def verdict(board: Board) -> dict[str, Any]:
    """Return both verdicts, with an unbalanced cycle where there is one."""
    facts = [[f"{kind} balance", spoken(one)] for kind, one in board.verdicts.items()]
    strong, weak = board.verdicts["strong"], board.verdicts["weak"]
    for one in (strong, weak):
        if not one and (one is strong or one.cycle != strong.cycle):
            facts.append([f"unbalanced cycle ({one.kind})", _product(board, one)])
    if strong:
        camps = "One camp" if len(np.unique(strong.camps)) == 1 else "Two camps"
        text = f"{camps}: every cycle has an even number of negatives."
    elif weak:
        text = "More than two camps: friends of friends are friends, but enemies of enemies need not be."
    else:
        text = "A path of positives is contradicted by one negative: no camps agree with every edge."
    panel = {"title": "Verdict", "facts": facts, "text": text, "note": "Click a line to turn its sign."}
    if board.unbalanced is not None:
        keys = list(map(board.key, board.unbalanced.cycle))
        panel["highlight"] = {"nodes": keys, "edges": [list(one) for one in steps(keys)], "soft": True}
    return panel


def vote(board: Board) -> dict[str, Any]:
    """Return what the class can vote for, with the votes so far."""
    actions = [
        _action(f"{kind}: {answer} ({board.votes.get((kind, answer), 0)})", "vote", kind=kind, answer=answer)
        for kind, answer in ANSWERS
    ]
    actions.append(_control("Reveal the verdict (r)", "reveal"))
    return {"title": "Vote", "text": f"Is this graph balanced? The verdict is {HIDDEN}.", "actions": actions}


def chart(board: Board) -> dict[str, Any]:
    """Return the share of balanced triads while dynamics plays; without a triad there is no share."""
    shares = board.dynamics.balanced_shares if board.dynamics is not None else []
    if not np.isfinite(shares).all() or not shares:
        return {}
    return {"chart": {"points": shares, "title": "Share of balanced triads, step by step"}}


def spoken(verdict: Balance) -> str:
    """Return a verdict in a few words."""
    if not verdict:
        return "✗ not balanced"
    camps = len(np.unique(verdict.camps))
    return f"✓ balanced, {camps} camp{'s' * (camps != 1)}"


def _product(board: Board, verdict: Balance) -> str:
    names = [shorten(oneline(board.text(node)), 18) for node in verdict.cycle]
    signs = " · ".join(map(symbol, verdict.cycle_signs))
    return f"{' – '.join([*names, names[0]])}: {signs} = {symbol(np.prod(verdict.cycle_signs))}"


# -- exercises -----------------------------------------------------------------------------------------------


def question(board: Board, work: Work) -> dict[str, Any]:
    """Return the question, how to answer, what was chosen, the grade, the hints taken, the sentences in full."""
    now, done = work.now, work.sheet.progress(work.place)
    one = now.one
    found = {
        "title": f"Exercise {one.number}, level {one.level}", "text": one.question,
        "choices": [_action(choice, "answer", answer=choice) | {"pressed": choice == now.typed}
                    for choice in one.choices],
        "actions": _actions(board, work), "facts": [], "how": HOW[one.touch or one.kind],
        "hints_title": "Hints", "hints": list(one.hints[: done.hints]),
    }  # fmt: skip
    if now.picked:
        names = ("–".join(sorted(_names(board, pair))) for pair in now.picked)
        found["facts"] = [["chosen", ", ".join(names)]]
    if done.solved or done.shown:
        found["done"] = f"✓ solved at try {done.tries}" if done.solved else "solution shown"
    if one.kind in ASKED:
        found["ask"] = {"hint": ASKED[one.kind], "value": now.typed}
    if now.grade is not None:
        badge = "right" if now.grade.correct else "not yet"
        found["grade"] = {"badge": badge, "text": now.grade.message}
    if listed := sentences.listed(board.graph, {node: board.key(node) for node in board.graph}):
        found |= {"pairs_title": "The sentences", "pairs": listed}
    return found | _highlight(board, now)


def _actions(board: Board, work: Work) -> list[dict[str, Any]]:
    now, done = work.now, work.sheet.progress(work.place)
    actions = [_action("Check", "answer")] if now.picks or work.draws else []
    changed = work.draws and board.graph.adj != now.one.graph.adj
    if now.picked or now.camps or changed:
        actions.append(_control("Start again", "clear"))
    if done.hints < len(now.one.hints):
        actions.append(_action(f"Hint {done.hints + 1} of {len(now.one.hints)}", "hint"))
    if now.grade is not None and not now.grade.correct and (done.solved or done.tries >= PATIENCE):
        actions.append(_control("Show a solution", "solve"))
    if done.solved or done.shown:
        actions.append(_control("Next ›", "next"))
    return actions


def _highlight(board: Board, now: Attempt) -> dict[str, Any]:
    """Return edges to draw thick, those chosen, and to draw on yellow: a triad or cycle that shows the grade."""
    edges = [list(map(board.key, pair)) for pair in now.picked]
    marks = now.grade.marks if now.grade is not None else ()
    halo = [[board.key(a), board.key(b), sign] for a, b, sign in marks if a in board.graph and b in board.graph]
    if not edges and not halo:
        return {}
    keys = [key for pair in edges for key in pair] + [key for mark in halo for key in mark[:2]]
    return {"highlight": {"nodes": list(dict.fromkeys(keys)), "edges": edges, "soft": True, "halo": halo}}


def _names(board: Board, pair: frozenset) -> list[str]:
    """Return what the ends of an edge are called in the picture: sentences by number."""
    numbers = {node: str(number) for number, node in enumerate(board.graph, 1)}
    texts = board.graph.nodes(data="text")
    return [shorten(oneline(str(node)), 24) if texts[node] is None else numbers[node] for node in pair]


def summary(sheet: Sheet) -> dict[str, Any]:
    """Return a table of the exercises, the line of the report, and the way to the first open exercise."""
    report = sheet.report()
    rows = [
        [str(row.number), row.title, "✓" if row.solved else "shown" if row.shown else "", str(row.tries or ""),
         str(row.hints or "")]
        for row in report.itertuples()
    ]  # fmt: skip
    left = report.loc[~report["solved"], "number"]
    found = {
        "title": "Summary", "text": "All exercises are solved.", "actions": [],
        "facts": [["solved", f"{report['solved'].sum()} of {len(report)}"],
                  ["at the first try", str(report["first_right"].sum())]],
        "copy": {"title": "For your teacher: copy this line", "text": report.line},
        "table": {"title": "Exercise by exercise", "head": ["", "exercise", "", "tries", "hints"], "rows": rows},
        "note": "sheet.report() gives the same as a table. It is what your own notebook says, and no proof.",
    }  # fmt: skip
    if len(left):
        found["text"] = f"{len(left)} are left, the first is {left.min()}."
        found["actions"] = [_control(f"To exercise {left.min()}", "exercise", str(left.min()))]
    return found


def _action(text: str, intent: str, **content: Any) -> dict[str, Any]:
    return {"text": text, "intent": intent, "content": content}


def _control(text: str, name: str, value: Any = True) -> dict[str, Any]:
    return _action(text, "control", name=name, value=value)
