"""The layout of a file, said once: ``my.csv.layout.json`` beside ``my.csv`` has the options that read it."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

from ..files.errors import PairsError, as_pairs_error
from ..files.outputs import is_stream, write_json
from ..files.spelling import USUAL, reading_flags

__all__ = ["USUAL", "completed", "kept_options", "layout_file", "left_to_say", "remember"]

#: The options that are kept; `identity` is about the graph.
KEPT = [name for name in USUAL if name != "identity"]


def layout_file(path: str | PathLike) -> Path:
    """The place of the layout of a file."""
    return Path(f"{Path(path)}.layout.json")


def completed(source: Any, given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The options for a source: those that are given, else those beside the file; and what was used, in words.

    The meaning of labels is that of their column: where another one is given, it is to be said anew.
    """
    known = _read(source)
    columns = given.get("columns") or known.get("columns", {})
    is_dict = isinstance(columns, dict)  # read_pairs refuses anything else
    if is_dict and columns.get("label") != known.get("columns", {}).get("label"):
        known.pop("labels", None)
    used = {
        name: value for name, value in known.items() if given.get(name) in (None, "auto", (), [])
    }
    if not used:
        return given, ""
    return given | used, f"as {layout_file(source).name} says, read with{reading_flags(used)}"


def left_to_say(path: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options that a command has to say, as the file beside its source does not have them."""
    known = _read(path)
    return {
        name: value for name, value in options.items() if name not in known or known[name] != value
    }


def _read(source: Any) -> dict[str, Any]:
    if not isinstance(source, str | Path) or "\0" in str(source) or is_stream(source):
        return {}
    place = layout_file(source)
    if not place.is_file():
        return {}
    with as_pairs_error(place, "delete it, and say the layout anew"):
        known = json.loads(place.read_text(encoding="utf-8"))
        for name in known.keys() - {*KEPT}:
            raise ValueError(f"{name!r} is no option")
        if not isinstance(known.get("leave_out", []), list):
            raise ValueError("leave_out is no list of texts")
        if not isinstance(known.get("columns", {}), dict):
            raise ValueError("columns is no object")
    if isinstance(known.get("labels"), list):
        known["labels"] = tuple(known["labels"])
    return known


def kept_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a report that differ from the usual ones, as JSON holds them."""
    return {
        name: options[name] for name in KEPT if options[name] not in (USUAL[name], None, (), [])
    }


def remember(path: str | PathLike, options: dict[str, Any]) -> str:
    """Keep the layout of a file that was read, if it is not the usual one; say where, or why not, in words.

    `options` are those of the report. The empty text if there is nothing to keep, or it is kept already.
    """
    kept = kept_options(options)
    place = layout_file(path)
    try:
        if not kept or (place.is_file() and json.loads(place.read_text(encoding="utf-8")) == kept):
            return ""
        write_json(kept, place)
    except (OSError, ValueError, PairsError) as error:
        return f"{place.name} cannot be written ({getattr(error, 'strerror', None) or error}): say the flags again"
    return f"how to read {Path(path).name} is kept in {place.name}; later commands need no flags"
