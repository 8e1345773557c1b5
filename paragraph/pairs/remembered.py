"""The layout of a file, which is said once: ``my.csv.layout.json`` has the options that read ``my.csv``."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

from ..files.errors import PairsError, as_pairs_error
from ..files.outputs import is_stream, write_json
from ..files.spelling import USUAL, reading_flags

__all__ = ["USUAL", "completed", "kept_options", "layout_file", "left_to_say", "remember"]

#: The options that are kept: all except `identity`, which is about the graph.
KEPT = [name for name in USUAL if name != "identity"]


def layout_file(path: str | PathLike) -> Path:
    """The place of the layout of a file."""
    return Path(f"{Path(path)}.layout.json")


def completed(source: Any, given: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The options for a source: those that are given, else those kept beside the file; and a note on the latter."""
    kept = _read(source)
    columns = kept.get("columns", {})
    asked = given.get("columns") or columns
    # The kept meaning of labels holds for their column alone; read_pairs refuses `columns` that are no dict
    if isinstance(asked, dict) and asked.get("label") != columns.get("label"):
        kept.pop("labels", None)
    unsaid = [name for name in kept if given.get(name) in (None, "auto", (), [])]
    used = {name: kept[name] for name in unsaid}
    if not used:
        return given, ""
    return given | used, f"as {layout_file(source).name} says, read with{reading_flags(used)}"


def left_to_say(path: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options that a command still has to say, as the layout kept beside its source differs in them."""
    kept = _read(path)
    return {
        name: value for name, value in options.items() if name not in kept or kept[name] != value
    }


def _read(source: Any) -> dict[str, Any]:
    """The options that are kept beside a source; empty if it is no file, or has none."""
    if not isinstance(source, str | Path) or "\0" in str(source) or is_stream(source):
        return {}
    place = layout_file(source)
    if not place.is_file():
        return {}
    with as_pairs_error(place, "delete it, and say the layout anew"):
        kept = json.loads(place.read_text(encoding="utf-8"))
        for name in kept.keys() - {*KEPT}:
            raise ValueError(f"{name!r} is no option")
        if not isinstance(kept.get("leave_out", []), list):
            raise ValueError("leave_out is no list of texts")
        if not isinstance(kept.get("columns", {}), dict):
            raise ValueError("columns is no object")
    if isinstance(kept.get("labels"), list):
        kept["labels"] = tuple(kept["labels"])
    return kept


def kept_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a report that differ from the usual ones, as JSON holds them."""
    return {
        name: options[name] for name in KEPT if options[name] not in (USUAL[name], None, (), [])
    }


def remember(path: str | PathLike, options: dict[str, Any]) -> str:
    """Keep the layout of a file that was read, if it is not the usual one; say where, or why it cannot be kept.

    `options` are those of the report. Returns the empty text if there is nothing to keep, or it is kept already.
    """
    kept = kept_options(options)
    if not kept:
        return ""
    place = layout_file(path)
    try:
        if place.is_file() and json.loads(place.read_text(encoding="utf-8")) == kept:
            return ""
        write_json(kept, place)
    except (OSError, ValueError, PairsError) as error:
        why = getattr(error, "strerror", None) or error
        return f"{place.name} cannot be written ({why}): say the flags again"
    return f"how to read {Path(path).name} is kept in {place.name}; later commands need no flags"
