"""The Lab as one page without a kernel, for a class: what is on its table, every start, and sheets of exercises."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tqdm.auto import tqdm

from ...balance import Sheet
from ..base.why import Plain
from ..base.widget import Bench
from ..pages import page_of
from .sheets import known

__all__ = ["SHEETS", "lab_page"]

SHEETS = 8  #: a pupil's name chooses one of so many
NOTE = "Click a line to turn its sign: both verdicts change. Or give your name, and solve exercises."
PHONE = (
    "This file needs no network. Many phones open no such file: on a computer, run “python -m http.server” in the "
    "folder of this file; on each phone, open “http://”, the computer's address, “:8000/” and the name of this file."
)


def lab_page(lab: Bench, kernel: tuple[Path, ...], own: Plain | None, sheet: Sheet, work: Plain) -> str:
    """Return the page of a Lab as HTML: its own table first, and `SHEETS` sheets from the seed of a sheet on."""
    seeds = range(sheet.seed, sheet.seed + SHEETS)
    sheets = (Sheet(seed, graph=sheet.graph) for seed in seeds)
    data = known(tqdm(sheets, "drawing sheets", SHEETS, unit=" sheets", delay=2, leave=False), sheet.seed)
    if own is not None:
        data["starts"] = [own, *(start for start in data["starts"] if start["name"] != own["name"])]
    data |= {"page": True, "graph": json.loads(sheet.to_json())["graph"], "phone": PHONE}
    data["id"] = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:12]
    traits = {name: getattr(lab, name) for name in ("layers", "listing", "dress", "name", "height")}
    traits |= {"work": work, "table": {}, "changes": [], "progress": {}}
    blank = {"ack": 0, "placed": {}, "selected": [], "why": {}, "controls": [], "shortcuts": {}}
    return page_of("Triad Lab", NOTE, lab, kernel, traits | blank, data)
