"""Conflicts to decide without a widget: as a sheet, or as tasks of Label Studio and Prodigy; and the answers.

A sheet has a row for each line of a conflict, its negative first, then the positives on the path between its
sentences; a line of several conflicts stands there once. Answers say of each line if its two sentences mean the same,
as in an audit, and decisions follow (`decided`).

Formats: Label Studio's tasks and its export "JSON" (https://labelstud.io/guide/tasks, .../guide/export); Prodigy's
interface "choice" and what ``db-out`` writes (https://prodi.gy/docs/api-interfaces#choice).
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.identity import refuse, row_name
from ..graph.proof import conflicts
from ..measure.judged import judged_table
from ..pairs.errors import intact
from ..pairs.opening import json_objects, load, opened
from ..pairs.outputs import beside
from ..pairs.read import read_table
from ..pairs.write import write_table
from .records import FOR, Decision, DecisionError, pair_of, shortest_json, time_text

__all__ = ["decided", "is_sheet", "read_sheet", "sheet", "write_sheet"]

#: The answers that the tools offer, and what they are in a sheet.
ANSWERS = {"the same": "1", "different": "0"}
#: Label Studio's labelling interface for the tasks.
CONFIG = """<View>
  <Text name="question1" value="$question1"/>
  <Text name="question2" value="$question2"/>
  <Choices name="same" toName="question1" choice="single-radio">
    <Choice value="the same"/>
    <Choice value="different"/>
  </Choices>
</View>
"""
_OTHER = "it is no export of these tasks"


def sheet(graph: ParaphraseGraph) -> pd.DataFrame:
    """List the lines of all conflicts inside clusters, with the empty column `same` to fill in.

    Columns: `conflicts` (the numbers of those that the line belongs to), `question1`, `question2`, `label`, `rows`
    (where the label comes from), `written` (when, and how many lines), `same` (1 the two mean the same, 0 they do
    not, empty not decided).

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> sheet(ParaphraseGraph.from_pairs(pairs)).drop(columns=["rows", "written", "same"])
      conflicts question1 question2  label
    0        #1         a         c      0
    1        #1         a         b      1
    2        #1         b         c      1
    """
    found, lines = conflicts(graph), {}
    for number, each in enumerate(found[found["kind"] == "within"].itertuples(), 1):
        steps = zip(pairwise(each.path), each.path_rows, strict=True)
        for i, ((a, b), rows) in enumerate([((each.text_a, each.text_b), each.rows), *steps]):
            told = {"question1": a, "question2": b, "label": int(i > 0), "rows": ", ".join(map(str, rows))}
            lines.setdefault(frozenset((a, b)), ([], told))[0].append(f"#{number}")
    more = {"written": f"{time_text(datetime.now(UTC))}, {len(lines)} lines", "same": ""}
    rows = [{"conflicts": " ".join(numbers)} | told | more for numbers, told in lines.values()]
    return pd.DataFrame(rows, columns=["conflicts", "question1", "question2", "label", "rows", *more])


def write_sheet(table: pd.DataFrame, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
    """Write a sheet: .tsv, .csv, tasks of Prodigy (.jsonl) or of Label Studio (.json, and .xml for its interface)."""
    path, tasks = Path(path), table.drop(columns="same").to_dict("records")
    with beside(path) as part:
        if path.suffix == ".json":
            part.write_text(json.dumps([{"data": task} for task in tasks], ensure_ascii=False, indent=1), "utf-8")
            part.with_suffix(".xml").write_text(CONFIG, "utf-8")
        elif path.suffix == ".jsonl":
            options = [{"id": same, "text": answer} for answer, same in ANSWERS.items()]
            shown = ({"text": f"{task['question1']}\n\n{task['question2']}", "options": options} for task in tasks)
            lines = [shortest_json(task | more) + "\n" for task, more in zip(tasks, shown, strict=True)]
            part.write_bytes("".join(lines).encode())
        else:
            write_table(table, part, spreadsheet_safe)


def is_sheet(path: Path) -> bool:
    """Return True for a sheet or an export of the tools, False for a log and its exports."""
    if path.suffix not in (".tsv", ".jsonl"):
        return path.suffix in (".csv", ".json")
    with opened(path) as file:
        first = file.readline()
    if path.suffix == ".jsonl":
        return b'"options":' in first  # of a choice: Prodigy keeps them with the answer
    return {b"conflicts", b"same"} <= {*first.split()}


def read_sheet(path: str | PathLike) -> list[Decision]:
    """The decisions in a sheet that is filled in, or in an export of Label Studio (JSON) or Prodigy (JSON Lines).

    The reviewer is the annotator that the export names, or a column `reviewer`, else the file (``ada.csv`` is Ada's:
    "ada"). The time is that of the answers, which the tools note, else that at which the sheet was written, which it
    holds: whatever becomes of the file, its decisions are the same.

    Raises
    ------
    PairsError
        Naming the row: an answer is not known, one pair has two, a text is none; nothing is decided.

    Warns
    -----
    UserWarning
        Lines are missing: they are not answered in the tool, or the file was cut off.
    """
    path = Path(path)
    if not path.is_file():
        raise DecisionError(f"there is no file {path}")
    if path.suffix in (".json", ".jsonl"):
        with intact(path.name, _OTHER):
            table = pd.DataFrame(list(_label_studio(path) if path.suffix == ".json" else _prodigy(path)))
    else:
        table = read_table(path).rename_axis("row").reset_index()
    if missing := {"conflicts", "question1", "question2", "label", "written", "same"} - {*table}:
        raise DecisionError(f"{path.name}: no column {sorted(missing)[0]}; is it what `conflicts --to-decide` wrote?")
    table.attrs["report"] = {"source": path.name}
    table["reviewer"] = table.get("reviewer", pd.Series(path.stem, table.index)).fillna(path.stem)
    found, parts = [], table["written"].astype("str").str.extract(r"^([\d-]{10}T[\d:.]{12}Z)(?:, (\d+) lines)?$")
    table["time"] = table.get("answered", parts[0]).fillna(parts[0])
    like = "is not like 2026-01-31T12:00:00.000Z, 12 lines"
    refuse(table, table["time"].isna(), lambda row: f"written {row['written']!r} {like}")
    for reviewer in table["reviewer"].unique():
        mine, wanted = table["reviewer"] == reviewer, parts[1].astype(float).max()
        found += decided(table.assign(**table[["same", "time"]].where(mine, "")), str(reviewer))
        if mine.sum() < wanted:
            warnings.warn(
                f"{path.name}: {mine.sum():,} of {wanted:,.0f} lines are there; the rest of {reviewer}'s is not "
                "answered, or cut off",
                stacklevel=3,
            )
    if not found:
        raise DecisionError(
            f"{path.name}: nothing is decided yet; put 1 (the same) or 0 (different) into the column same"
        )
    return found


def decided(table: pd.DataFrame, reviewer: str) -> list[Decision]:
    """The decisions that follow from a sheet filled in by one reviewer; its column `time` says when a line was.

    A negative whose sentences mean the same is a *flip*. Else each positive of its conflict whose sentences differ is
    a *cut*. Where the negative and all positives are found right, the conflict is a *keep*. Its time is that of its
    last line.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> filled = sheet(ParaphraseGraph.from_pairs(pairs)).assign(same=["0", "1", "0"])
    >>> filled["time"] = "2026-01-31T12:00:00.000Z"
    >>> [(each.decision, each.edge1, each.edge2) for each in decided(filled, "Ada")]
    [('cut', 'b', 'c')]
    """
    table, same = judged_table(table.reset_index(drop=True))
    label = pd.to_numeric(table["label"].astype(str), errors="coerce").to_numpy()
    refuse(table, (label != 0) & (label != 1), lambda row: f"label {row['label']!r} is not 1 or 0")
    said: dict[frozenset[str], float] = {}
    lines: dict[str, list[int]] = {}
    texts = list(zip(table["text_a"], table["text_b"], strict=True))
    odd = np.array([not (isinstance(a, str) and isinstance(b, str)) for a, b in texts])
    refuse(table, odd, lambda row: f"{row['text_a']!r} and {row['text_b']!r} are not two sentences")
    for i, pair in enumerate(texts):
        if not np.isnan(same[i]) and said.setdefault(pair_of(*pair), same[i]) != same[i]:
            raise DecisionError(
                f"{row_name(table, i)}: an earlier row answers otherwise for this pair; keep one of them"
            )
        for number in re.findall(r"#\d+", str(table["conflicts"].iloc[i])):
            lines.setdefault(number, []).append(i)
    found: list[Decision] = []
    cut: set[frozenset[str]] = set()

    def add(pair: tuple[str, str], decision: str, label: int, edge: tuple[str, str] = ("", ""), **shown: Any) -> None:
        found.append(Decision(time, reviewer, *pair, decision, label, *edge, shown=shortest_json(shown)))
        cut.add(pair_of(*edge))

    for each in lines.values():
        negative = next((texts[i] for i in each if not label[i]), None)
        if negative is None:
            raise DecisionError(
                f"{row_name(table, each[0])}: its conflict has no row with label 0; leave all rows in"
            )
        positives = [texts[i] for i in each if label[i]]
        wrong = [pair for pair in positives if said.get(pair_of(*pair)) == 0]
        own, pairs = said.get(pair_of(*negative)), {pair_of(*texts[i]) for i in each}
        time = table["time"][each].max()
        if own == 1:
            add(negative, "flip", 0)
        elif wrong:
            add(negative, "cut", 0, wrong.pop(0))
        elif pairs <= {*said} and len(frozenset().union(*pairs)) == len(pairs):  # a circle: no line is missing
            add(negative, "keep", 0)
        for pair in wrong:
            if pair_of(*pair) not in cut:
                add(pair, "cut", 1, pair, **({} if own == 1 else {FOR: list(negative)}))
    return found


def _label_studio(path: Path) -> Iterator[dict[str, Any]]:
    """Yield one row an annotation of each task; a skipped task says nothing."""
    for row, task in enumerate(json.loads(load(path)), 1):
        with intact(f"{path.name}, row {row}", _OTHER):
            json.dumps(task, ensure_ascii=False).encode()  # fails on half a surrogate pair
            for annotation in task["annotations"]:
                who = annotation.get("completed_by")
                who = who.get("email", who["id"]) if isinstance(who, dict) else who
                chosen = [each["value"]["choices"][0] for each in annotation["result"] if each["from_name"] == "same"]
                same = "" if annotation.get("was_cancelled") or not chosen else ANSWERS[chosen[-1]]
                when = annotation.get("updated_at") or annotation.get("created_at")
                when = when and time_text(datetime.fromisoformat(when).astimezone(UTC))
                who = None if who is None else str(who)
                yield task["data"] | {"row": row, "same": same, "reviewer": who, "answered": when}


def _prodigy(path: Path) -> Iterator[dict[str, Any]]:
    """Yield one row an answer; what was rejected or ignored says nothing."""
    for row, task in json_objects(path):
        with intact(f"{path.name}, row {row}", _OTHER):
            chosen = task["accept"] if task["answer"] == "accept" else []
            who = task.get("_annotator_id") or task.get("_session_id")
            same = str(chosen[0]) if chosen else ""
            when = (said := task.get("_timestamp")) and time_text(datetime.fromtimestamp(said, UTC))
            yield task | {"row": row, "same": same, "reviewer": who and str(who), "answered": when}
