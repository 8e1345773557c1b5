"""The bar above the picture of the Triad Lab, and its right-hand side: verdict, vote, exercise, summary."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...balance import Balance, Sheet, census
from ...balance.exercises.sheet import HEAD, PATIENCE
from ...balance.exercises.sketch import steps, symbol
from ...draw.text import oneline, shorten
from ..base.keys import button, help_of
from .board import Board
from .picture import HIDDEN, listed, spoken
from .work import Attempt, Work

__all__ = ["ANSWERS", "HELP", "bar", "chart", "helped", "question", "summary", "verdict", "vote"]

ANSWERS = [(kind, answer) for kind in ("strong", "weak") for answer in ("balanced", "not balanced")]

HELP = help_of(
    {
        "insert": None, "remove": None, "undo": None, "time": None, "play": "play the dynamics to the end",
        "move": "the exercise before, the next one", "zoom": None, "back": "back: help, chosen nodes", "help": None,
    },
    {
        "Click": "a line: its sign turns; in an exercise, as it says",
        "Click, then click": "two nodes: join them, where a click may add and remove edges",
        "Ctrl or Shift click": "one more node",
        "Drag": "a node, to arrange; the ground, to move the picture",
        "Ctrl and the wheel": "zoom",
    },
)  # fmt: skip
ALWAYS = ("zoom", "back", "help")
LEGEND = {"kind": "legend", "entries": [["positive", "+ positive"], ["negative", "− negative"]]}
GAP = {"kind": "gap"}

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
ASKED = {"number": "a number", "camps": "camps, such as A B | C D | E"}

# -- free play -----------------------------------------------------------------------------------------------


def verdict(board: Board) -> dict[str, Any]:
    """Return both verdicts, with an unbalanced cycle where there is one."""
    facts = [[f"{kind} balance", spoken(one)] for kind, one in board.verdicts.items()]
    strong, weak = board.verdicts["strong"], board.verdicts["weak"]
    for one in (strong, weak):
        if not one and (one is strong or one.cycle != strong.cycle):
            facts.append([f"unbalanced ({one.kind})", _product(board, one)])
    counts = (f"{kind}: {count}" for kind, count in census(board.graph).items())
    facts.append(["triads", ", ".join(counts).replace("-", "−")])
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
        names = ("–".join(sorted(_name(board, node) for node in pair)) for pair in now.picked)
        found["facts"] = [["chosen", ", ".join(names)]]
    if done.solved or done.shown:
        found["done"] = f"✓ solved at try {done.tries}" if done.solved else "solution shown"
    if one.kind in ASKED:
        found["ask"] = {"hint": ASKED[one.kind], "value": now.typed}
    if now.grade is not None:
        badge = "right" if now.grade.correct else "not yet"
        found["grade"] = {"badge": badge, "text": now.grade.message}
    if pairs := listed(board.graph, {node: board.key(node) for node in board.graph}):
        found |= {"pairs_title": "The sentences", "pairs": pairs}
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


def _name(board: Board, node: Any) -> str:
    """Return what a node is called in the picture: a sentence by its number."""
    is_sentence = board.graph.nodes[node].get("text") is not None
    return str(list(board.graph).index(node) + 1) if is_sentence else shorten(oneline(str(node)), 24)


def summary(sheet: Sheet) -> dict[str, Any]:
    """Return a table of the exercises, the line of the report, and the way to the first open exercise."""
    report = sheet.report()
    rows = [list(map(str, row)) for row in sheet.overview()]
    left = report.loc[~report["solved"], "number"]
    found = {
        "title": "Summary", "text": "All exercises are solved.", "actions": [],
        "facts": [["solved", f"{report['solved'].sum()} of {len(report)}"],
                  ["at the first try", str(report["first_right"].sum())]],
        "copy": {"title": "For your teacher: copy this line", "text": report.line},
        "table": {"title": "Exercise by exercise", "head": HEAD, "rows": rows},
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


# -- the bar -------------------------------------------------------------------------------------------------


def bar(board: Board, work: Work, chosen: bool) -> list[dict[str, Any]]:
    """Return the trait `controls`: the way through the exercises, and what may be done to the graph."""
    controls = [] if work.sheet is None else _way(work)
    if work.free:
        controls += [GAP] if controls else []
        names = [board.name] * (board.name not in board.starts) + list(board.starts)
        controls += [
            _select("start", "start", board.name, [[name, name] for name in names]),
            button("node", "+ node", "insert", "Add a node"),
            button("remove", "remove", "remove", "Remove the chosen nodes", disabled=not chosen),
            _toggle("none", "click: + / − / none", board.removes,
                    "A third click removes the edge; two chosen nodes without an edge get one"),
        ]  # fmt: skip
    if work.free or work.draws:
        controls.append(button("undo", "undo", "undo", "Undo", disabled=not board.history))
    if work.free:
        rules = [["local", "local triad"], ["constrained", "constrained"]]
        moving = board.dynamics
        controls += [
            GAP,
            _select("rule", "dynamics", board.rule, rules) | {"hint": "Antal, Krapivsky and Redner (2005)"},
            button("back", "◀", "time", "A step back", disabled=moving is None or not moving.history),
            button("step", "▶", "time", "A step forward", 1),
            button("play", "▶▶", "play", "Play to the end"),
            GAP,
            _toggle("hide", "predict first", board.hidden, "Hide the verdict until the class has voted"),
        ]
    return controls if work.summary else [*controls, GAP, LEGEND]


def helped(controls: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the trait `shortcuts`: the keys of the controls that are there now, and those of every picture."""
    there = {control.get("key") for control in controls}
    return HELP | {"keys": [row for row in HELP["keys"] if row[0] in ALWAYS or there & {*row[1]}]}


def _way(work: Work) -> list[dict[str, Any]]:
    """Return the controls that lead through the sheet: back, the menu with ✓ at what is solved, next, the count."""
    titles, solved, place = work.sheet.titles(), set(work.sheet.solved), work.place
    options = [[str(n), f"{'✓ ' if n in solved else ''}{n}. {title}"] for n, title in titles]
    options = [["0", "free play"], *options, [str(len(titles) + 1), "summary"]]
    count = f"{place} / {len(titles)} · " if work.now is not None else ""
    return [
        button("before", "‹ Back", "move", "The exercise before", disabled=place <= 1),
        _select("exercise", "exercise", str(place), options),
        button("next", "Next ›", "move", "The next exercise", 1, disabled=place > len(titles)),
        {"kind": "text", "name": "place", "text": f"{count}{len(solved)} solved"},
    ]


def _toggle(name: str, text: str, value: bool, hint: str) -> dict[str, Any]:
    return {"kind": "toggle", "name": name, "text": text, "value": value, "hint": hint}


def _select(name: str, text: str, value: str, options: list[list[str]]) -> dict[str, Any]:
    return {"kind": "select", "name": name, "text": text, "value": value, "options": options}
