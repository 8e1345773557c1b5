"""The widgets of a notebook as pages that live without Python; runs in the notebook's kernel, after its cells."""

from __future__ import annotations

from pathlib import Path

from ipywidgets.widgets.widget import _instances

import paragraph as pg
from paragraph.lesson.lab import contents


def save_pages(folder: str) -> None:
    """Write each widget that a cell displays to ``folder/MODEL_ID.html``, as it stands at the end of the notebook."""
    contents.SHEETS = 1  # nobody hands in here: a page holds the sheet of its cell
    for key, widget in list(_instances.items()):
        shown = live_of(widget)
        if shown is not None:
            shown.save(Path(folder, f"{key}.html"))


def live_of(widget: object) -> pg.Explorer | pg.Atlas | pg.TriadLab | None:
    """Return what can be saved as a live page: a review is an Explorer that opens at the item on screen."""
    if getattr(widget, "_twin", None) is None:
        return None
    if isinstance(widget, pg.Explorer | pg.Atlas | pg.TriadLab):
        return widget
    nodes = getattr(widget, "case", {}).get("nodes")
    if not nodes:
        return None
    explorer = pg.Explorer(widget.graph)
    explorer.selection = nodes[:2]
    if isinstance(widget, pg.ConflictReview):
        explorer.query |= {"bounds": {"conflicts": [1, None]}}
    return explorer
