"""The keys of all benches: one key, one meaning. Help, hints on buttons and a test are made from ``keys.json``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, TypeVar

__all__ = [
    "KEYS",
    "MOUSE",
    "deciding",
    "help_of",
    "naming_keys",
    "review_help",
    "shown_keys",
    "with_keys",
]

TABLE = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
#: By name: keys, as a browser names them, with their meanings; `{one}` and `{many}` stand for what is listed.
KEYS: dict[str, dict[str, str]] = TABLE["keys"]
#: Keys that are written otherwise than a browser names them.
WRITTEN: dict[str, str] = TABLE["written"]
#: What the mouse does in a picture.
MOUSE: dict[str, str] = TABLE["mouse"]

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
    return [WRITTEN.get(key, key) for key in KEYS[name]]


def help_of(
    names: dict[str, str | list[str] | None],
    mouse: dict[str, str],
    one: str = "one",
    many: str = "them",
) -> dict[str, list[list[Any]]]:
    """Return the trait `shortcuts` of a bench: its keys by name, in the order of the help, and the mouse.

    A row has a name, its keys, how each is written, and the meaning of each. A name has a meaning of its own here, or
    one for each key, or (None) those of the table.

    >>> help_of({"undo": None, "search": "search the queue"}, {})["keys"]
    [['undo', ['u'], ['u'], ['take back the last answer']], ['search', ['/'], ['/'], ['search the queue']]]
    """
    rows = []
    for name, meaning in names.items():
        means = list(KEYS[name].values()) if meaning is None else meaning
        if isinstance(means, str):
            means = [means]
        means = [text.format(one=one, many=many) for text in means]
        rows.append([name, list(KEYS[name]), shown_keys(name), means])
    return {"keys": rows, "mouse": [[what, does] for what, does in mouse.items()]}


def deciding(choices: list[list[str]]) -> dict[str, str]:
    """Return the meanings of the keys that decide, as their buttons say them."""
    return {
        key: f"{text.replace('…', '')}: {hint[0].lower()}{hint[1:]}"
        for key, _, text, hint in choices
    }


def review_help(words: dict[str, Any]) -> dict[str, list[list[Any]]]:
    """Return the trait `shortcuts` of a review: the keys that mark, those that decide, and those of every review."""
    names = words.get("marks", {}) | deciding(words["decide"])
    cuts = "cut" in names
    back = "back: help, note, search, selection"
    if cuts:
        names["number"] = with_keys("after {cut}: the positive that is wrong, as numbered")
        back = "back: help, note, cut, search, selection"
    names |= {
        "go on": names.get("go on"),
        "undo": None,
        "note": None,
        "reveal": f"reveal {words['reveal']}",
    }
    names |= {"step": None, "page": None, "search": "search, or #12"}
    if "marks" not in words:  # there is a picture
        names |= {"view": None, "zoom": None}
    names |= {"back": back, "help": None}
    return help_of(names, words.get("mouse", MOUSE), words["one"], words["many"])
