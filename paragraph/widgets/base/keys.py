"""The keys of all benches: one key, one meaning. Help, hints on buttons and a test are made from this table."""

from __future__ import annotations

import re
from typing import Any, TypeVar

from ...draw.shared import NUMBERED

__all__ = ["KEYS", "MOUSE", "deciding", "help_of", "naming_keys", "review_help", "shown_keys", "with_keys"]


#: By name: keys, as a browser names them, with their meanings; `{one}` and `{many}` stand for what is listed.
KEYS = {
    "yes": {"y": "yes, to the question in the title"},
    "no": {"n": "no, to the question in the title"},
    "flip": {"f": "flip, wrong: the label should be the other one"},
    "cut": {"c": "cut: a positive on the path is wrong"},
    "keep": {"k": "keep: the label is as it should be"},
    "ambiguous": {"a": "ambiguous: nobody can say"},
    "questionable": {"q": "questionable: neither right nor wrong"},
    "skip": {"s": "skip: it comes back later"},
    "number": {str(number): "what has this number" for number in range(1, NUMBERED + 1)},
    "mark": {" ": "mark the word, or clear it"},
    "every": {"e": "mark every word of the sentence, or clear them"},
    "other": {"o": "the other sentence"},
    "undo": {"u": "take back the last answer"},
    "note": {"w": "write a note: Enter saves, Esc does not"},
    "reveal": {"r": "reveal what is hidden"},
    "go on": {"Enter": "go on: the next undecided {one}"},
    "step": {"ArrowUp": "the {one} before", "ArrowDown": "the next {one}"},
    "page": {"PageUp": "previous page of {many}", "PageDown": "next page of {many}"},
    "move": {"ArrowLeft": "one place to the left", "ArrowRight": "one place to the right"},
    "first": {"Home": "the first {one}"},
    "insert": {"i": "insert a node"},
    "remove": {"Delete": "remove the chosen nodes"},
    "time": {".": "a step forward in time"},
    "play": {"p": "play to the end"},
    "view": {"v": "one cluster, or cluster of clusters"},
    "search": {"/": "search"},
    "zoom": {"+": "zoom in", "-": "zoom out", "0": "show all"},
    "back": {"Escape": "back"},
    "help": {"?": "keys"},
}

#: Keys that are written otherwise than a browser names them.
SHOWN = {
    "ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", "PageUp": "PgUp", "PageDown": "PgDn",
    "Escape": "Esc", " ": "Space", "-": "−",
}  # fmt: skip

#: What the mouse does in a picture.
MOUSE = {
    "Click": "a sentence or a line, to ask why",
    "Double click": "a neighbouring cluster, to see its sentences; again, to close it",
    "Ctrl or Shift click": "one more sentence",
    "Shift and drag": "choose a region",
    "Drag": "a sentence, to arrange; the ground, to move the picture",
    "Ctrl and the wheel": "zoom",
}


Bench = TypeVar("Bench", bound=type)


def with_keys(text: str) -> str:
    """Fill in the keys that a text names: ``{flip}`` stands for the first key of this name.

    >>> with_keys("{flip} wrong, {keep} right, {go on} the next one")
    'f wrong, k right, Enter the next one'
    """
    return re.sub("{(" + "|".join(KEYS) + ")}", lambda name: shown_keys(name[1])[0], text)


def naming_keys(bench: Bench) -> Bench:
    """Fill in the keys that the docstring of a class names."""
    if bench.__doc__:
        bench.__doc__ = with_keys(bench.__doc__)
    return bench


def shown_keys(name: str) -> list[str]:
    """Return the keys of a name as they are written."""
    return [SHOWN.get(key, key) for key in KEYS[name]]


def help_of(
    names: dict[str, str | None], mouse: dict[str, str], one: str = "one", many: str = "them"
) -> dict[str, list[list[Any]]]:
    """Return the trait `shortcuts` of a bench: its keys by name, in the order of the help, and the mouse.

    A row has a name, its keys, how each is written, and the meaning of each. A name has one meaning of its own here,
    or (None) those of the table.

    >>> help_of({"undo": None, "search": "search the queue"}, {})["keys"]
    [['undo', ['u'], ['u'], ['take back the last answer']], ['search', ['/'], ['/'], ['search the queue']]]
    """
    rows = []
    for name, meaning in names.items():
        means = list(KEYS[name].values()) if meaning is None else [meaning]
        means = [text.format(one=one, many=many) for text in means]
        rows.append([name, list(KEYS[name]), shown_keys(name), means])
    return {"keys": rows, "mouse": [[what, does] for what, does in mouse.items()]}


def deciding(choices: list[list[str]]) -> dict[str, str]:
    """Return the meanings of the keys that decide, as their buttons say them."""
    return {key: f"{text.replace('…', '')}: {hint[0].lower()}{hint[1:]}" for key, _, text, hint in choices}


def review_help(words: dict[str, Any]) -> dict[str, list[list[Any]]]:
    """Return the trait `shortcuts` of a review: the keys that mark, those that decide, and those of every review."""
    names = words.get("marks", {}) | deciding(words["decide"])
    cuts = "cut" in names
    back = "back: help, note, search, selection"
    if cuts:
        names["number"] = with_keys("after {cut}: the positive that is wrong, as numbered")
        back = "back: help, note, cut, search, selection"
    names |= {"go on": names.get("go on"), "undo": None, "note": None, "reveal": f"reveal {words['reveal']}"}
    names |= {"step": None, "page": None, "search": "search, or #12"}
    if "marks" not in words:  # there is a picture
        names |= {"view": None, "zoom": None}
    names |= {"back": back, "help": None}
    return help_of(names, words.get("mouse", MOUSE), words["one"], words["many"])
