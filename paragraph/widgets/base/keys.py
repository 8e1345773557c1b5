"""The keys of all benches: one key, one meaning. Help, hints on buttons and a test are made from this table."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, TypeVar

__all__ = ["KEYS", "MOUSE", "Key", "help_of", "naming_keys", "review_help", "with_keys"]


class Key(NamedTuple):
    """One or more keys, as a browser names them, and their meaning; `{one}` and `{many}` name the listed items."""

    keys: tuple[str, ...]
    means: str


KEYS = {
    "yes": Key(("y",), "Yes, to the question in the title"),
    "no": Key(("n",), "No, to the question in the title"),
    "flip": Key(("f",), "Flip, wrong: the label should be the other one"),
    "cut": Key(("c",), "Cut: a positive on the path is wrong"),
    "keep": Key(("k",), "Keep: the label is as it should be"),
    "ambiguous": Key(("a",), "Ambiguous: nobody can say"),
    "questionable": Key(("q",), "Questionable: neither right nor wrong"),
    "skip": Key(("s",), "Skip: it comes back later"),
    "number": Key(tuple("123456789"), "what has this number"),
    "mark": Key((" ",), "mark the word, or clear it"),
    "every": Key(("e",), "mark every word of the sentence, or clear them"),
    "other": Key(("o",), "the other sentence"),
    "undo": Key(("u",), "undo, to any depth"),
    "note": Key(("w",), "write a note: Enter saves, Esc does not"),
    "reveal": Key(("r",), "reveal what is hidden"),
    "go on": Key(("Enter",), "go on: the next undecided {one}"),
    "step": Key(("ArrowUp", "ArrowDown"), "the {one} before, the next one"),
    "page": Key(("PageUp", "PageDown"), "a page of {many} back, on"),
    "move": Key(("ArrowLeft", "ArrowRight"), "one place to the left, to the right"),
    "first": Key(("Home",), "the first {one}"),
    "insert": Key(("i",), "insert a node"),
    "remove": Key(("Delete",), "remove the chosen nodes"),
    "time": Key((".",), "a step forward in time"),
    "play": Key(("p",), "play to the end"),
    "view": Key(("v",), "one cluster, or cluster of clusters"),
    "search": Key(("/",), "search"),
    "zoom": Key(("+", "-", "0"), "zoom in, out, show all"),
    "back": Key(("Escape",), "back"),
    "help": Key(("?",), "this help"),
}

SHOWN = {"ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", "PageUp": "PgUp", "PageDown": "PgDn",
         "Escape": "Esc", " ": "Space", "-": "−", "1": "1 … 9"}  # fmt: skip


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
    return re.sub("{(" + "|".join(KEYS) + ")}", lambda name: _shown(KEYS[name[1]].keys[:1]), text)


def naming_keys(bench: Bench) -> Bench:
    """Fill in the keys that the docstring of a class names."""
    if bench.__doc__:
        bench.__doc__ = with_keys(bench.__doc__)
    return bench


def _shown(keys: tuple[str, ...]) -> str:
    """Keys as they are written."""
    return " ".join(SHOWN.get(key, key) for key in keys)


def help_of(
    names: dict[str, str | None], mouse: dict[str, str], one: str = "one", many: str = "them"
) -> dict[str, list[list[Any]]]:
    """Return the trait `shortcuts` of a bench: its keys by name, in the order of the help, and the mouse.

    A name has its own meaning here, or (None) that of the table.

    >>> help_of({"undo": None, "search": "search the queue"}, {})["keys"]
    [['undo', ['u'], 'u', 'undo, to any depth'], ['search', ['/'], '/', 'search the queue']]
    """
    rows = []
    for name, meaning in names.items():
        keys = KEYS[name].keys
        shown = _shown(keys[:1] if name == "number" else keys)
        rows.append([name, list(keys), shown, (meaning or KEYS[name].means).format(one=one, many=many)])
    return {"keys": rows, "mouse": [[what, does] for what, does in mouse.items()]}


def review_help(words: dict[str, Any]) -> dict[str, list[list[Any]]]:
    """Return the trait `shortcuts` of a review: the keys that mark, those that decide, and those of every review."""
    rows = words.get("marks", {}) | {
        key: f"{text.replace('…', '')}: {hint[0].lower()}{hint[1:]}" for key, _, text, hint in words["decide"]
    }
    cuts = "cut" in rows
    rest = {"number": with_keys("after {cut}: the positive that is wrong, as numbered")} if cuts else {}
    rest |= {
        "go on": None, "undo": None, "note": None, "reveal": f"reveal {words['reveal']}", "step": None, "page": None,
        "search": "search the list; #12 goes to the 12th", "view": None, "zoom": None,
        "back": f"back: help, note, {'cut, ' if cuts else ''}search, selection", "help": None,
    }  # fmt: skip
    if "marks" in words:
        del rest["view"], rest["zoom"]  # there is no picture
    return help_of(rows | rest | rows, words.get("mouse", MOUSE), words["one"], words["many"])
