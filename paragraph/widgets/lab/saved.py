"""The Lab as one page without a kernel, for a class: its table, every start, and sheets of exercises."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tqdm.auto import tqdm

from ...balance.exercises import SHEETS, Sheet
from ..base.records import Plain
from ..base.widget import Bench
from ..pages import page_of
from .sheets import known

__all__ = ["lab_page"]

NOTE = "Play with signed graphs, or type your name and solve exercises."
PHONE = (
    "This page is one file; once it is open it needs no network. On an Android phone, save the file and open it with "
    "a browser. An iPhone only previews a file, and buttons do not work in a preview: ask your teacher for a link. "
    "Teachers: upload the file to your learning platform or school website, and give the class its address."
)


def lab_page(lab: Bench, kernel: tuple[Path, ...], own: Plain | None, sheet: Sheet, work: Plain) -> str:
    """Return the page of a Lab as HTML: its own table first, and eight sheets, including that of a seed.

    A name selects one of them, the one of `Sheet(student=name)` if they are sheets 0 to 7.
    """
    first = sheet.seed - sheet.seed % SHEETS
    seeds = range(first, first + SHEETS)
    sheets = (Sheet(seed, graph=sheet.graph) for seed in seeds)
    data = known(tqdm(sheets, "drawing sheets", len(seeds), unit=" sheets", delay=2, leave=False), sheet.seed)
    if own is not None:
        data["starts"] = [own, *(start for start in data["starts"] if start["name"] != own["name"])]
    data |= {"page": True, "graph": json.loads(sheet.to_json())["graph"], "phone": PHONE}
    data["id"] = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:12]
    traits = {name: getattr(lab, name) for name in ("layers", "name", "height")}
    traits |= {"work": work, "table": {}, "changes": [], "progress": {}}
    blank = {"ack": 0, "placed": {}, "selected": [], "why": {}, "controls": [], "shortcuts": {}}
    blank |= {"listing": {}, "dress": {}}
    return page_of("Triad Lab", NOTE, lab, kernel, traits | blank, data)
