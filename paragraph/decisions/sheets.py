"""Conflicts to decide without a widget: as a sheet, or as tasks of Label Studio and Prodigy; and the answers.

A sheet has one row per line of a conflict, its negative first, then the positives on the path between its sentences;
a pair that is stated both ways, or a sentence that is stated to differ from itself, is one row. A line of several
conflicts appears once. Answers say whether the two sentences of each line mean the same, as in an audit.

Formats: Label Studio's tasks and its export JSON (https://labelstud.io/guide/tasks, .../guide/export); Prodigy's
interface "choice" and what ``db-out`` writes (https://prodi.gy/docs/api-interfaces#choice).
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from ..files import PairsError
from ..files.content import load, opened
from ..files.errors import as_pairs_error
from ..files.json_lines import each_once, json_objects
from ..files.outputs import atomic_write
from ..files.tables import write_table
from ..graph import ParaphraseGraph
from ..graph.conflicts import contradictions
from ..pairs.read import read_table
from ..pairs.tables import refuse, row_name
from .record import SAME, Answer, DecisionError, name_of, pair_of, shortest_json, time_text

__all__ = ["CONFIG", "is_sheet", "read_sheet", "sheet", "write_interface", "write_sheet"]

#: The answers that the tools offer, and their form in a sheet.
ANSWERS = {words: same for same, words in SAME.items() if same != "later"}
#: Label Studio's labelling interface for the tasks.
CONFIG = f"""<View>
  <Text name="question1" value="$question1"/>
  <Text name="question2" value="$question2"/>
  <Choices name="same" toName="question1" choice="single-radio">
    {"".join(f'<Choice value="{words}"/>' for words in ANSWERS)}
  </Choices>
</View>
"""
_OTHER = "it is not an export of these tasks"
_COLUMNS = ("question1", "question2", "label", "stated", "about", "written", "same")
#: Endings of sheets, and of files that people take for one; a log has another.
SHEETS = (".csv", ".tsv", ".txt", ".json", ".xlsx", ".xls", ".ods")
FIRST_LINE = 1 << 16  # bytes of a file that tell what it is


def sheet(graph: ParaphraseGraph) -> pd.DataFrame:
    """List the lines of all conflicts, with the empty column `same` to fill in.

    Columns: `conflicts` (the numbers of the conflicts of the line), `question1`, `question2`, `label` (in the file's
    own word, if it is one), `rows` (the origin of the label; with the label of each row if they differ), `stated`
    (the label as 1 or 0), `about` (the pairs of these conflicts as JSON: a line says by itself what it is about),
    `written` (the time, and the number of lines), `same` (1: the two mean the same; 0: they do not; ?: nobody can
    say; empty: not answered).

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
    >>> sheet(ParaphraseGraph.from_pairs(pairs)).drop(columns=["rows", "stated", "about", "written", "same"])
      conflicts question1 question2  label
    0        #1         a         c      0
    1        #1         a         b      1
    2        #1         b         c      1
    """
    found, lines = contradictions(graph), {}
    numbers: dict[tuple[int, ...], str] = {}  # a conflict inside a cluster may be direct besides
    ends = zip(*found.ends.tolist(), strict=True)
    for pair, edge, path, steps in zip(ends, found.edges.tolist(), found.paths, found.steps, strict=True):
        if pair in numbers:
            continue
        numbers[pair] = f"#{len(numbers) + 1}"
        for nodes, step in [(pair, edge), *zip(pairwise(path), steps, strict=True)]:
            if (line := frozenset(nodes)) not in lines:
                lines[line] = [], _line(graph, *nodes, step)
            lines[line][0].append(pair)
    more = {"written": f"{time_text(datetime.now(UTC))}, {len(lines)} lines", "same": ""}
    rows = []
    texts = {pair: graph.texts(pair) for pair in numbers}
    for whose, line in lines.values():
        about = shortest_json([texts[pair] for pair in whose])
        rows.append({"conflicts": " ".join(map(numbers.get, whose))} | line | {"about": about} | more)
    return pd.DataFrame(rows, columns=["conflicts", *_COLUMNS[:3], "rows", *_COLUMNS[3:]])


def _line(graph: ParaphraseGraph, a: int, b: int, edge: int) -> dict[str, Any]:
    """A line of a sheet about two nodes, or one node twice, by their edge or -1."""
    rows, words = graph.rows_between(a, b) if edge < 0 else graph.rows_of(edge), graph.own_words or (0, 1)
    signs = graph.row_sign[rows] > 0
    origins = [str(row) for row in graph.row_names(rows)]
    if graph.annotators is not None:
        people = graph.annotators[rows].tolist()
        origins = [f"{row} {who}".strip() for row, who in zip(origins, people, strict=True)]
    if signs.any() and not signs.all():
        origins = [f"{row} ({words[sign]})" for row, sign in zip(origins, signs.astype(int), strict=True)]
    stated = int(edge >= 0 and graph.edge_sign[edge] > 0)
    line = {"question1": graph.text(a), "question2": graph.text(b), "label": words[stated]}
    return line | {"rows": ", ".join(origins), "stated": stated}


def write_sheet(table: pd.DataFrame, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
    """Write a sheet: .tsv, .csv, tasks of Prodigy (.jsonl) or of Label Studio (.json; see `write_interface`)."""
    path, tasks = Path(path), table.drop(columns="same").to_dict("records")
    with atomic_write(path) as part:
        if path.suffix == ".json":
            part.write_text(json.dumps([{"data": task} for task in tasks], ensure_ascii=False, indent=1), "utf-8")
        elif path.suffix == ".jsonl":
            options = [{"id": same, "text": answer} for answer, same in ANSWERS.items()]
            shown = ({"text": f"{task['question1']}\n\n{task['question2']}", "options": options} for task in tasks)
            lines = [shortest_json(task | more) + "\n" for task, more in zip(tasks, shown, strict=True)]
            part.write_bytes("".join(lines).encode())
        else:
            write_table(table, part, spreadsheet_safe)


def write_interface(tasks: Path) -> None:
    """Write Label Studio's labelling interface for tasks beside their file, with the ending .xml."""
    with atomic_write(tasks.parent, folder=True) as stage:  # a link of that name, which nobody gave, is not followed
        (stage / f"{tasks.stem}.xml").write_text(CONFIG, "utf-8")


def is_sheet(path: Path) -> bool:
    """Return True for a sheet or an export of the tools, False for a log and its export."""
    if path.suffix != ".jsonl":
        return path.suffix in SHEETS
    with opened(path) as file:
        return b'"options":' in file.readline(FIRST_LINE)  # of a choice: Prodigy keeps them with the answer


def read_sheet(path: str | PathLike, encoding: str | None = None, reviewer: str = "") -> list[Answer]:
    """Read the answers in a filled-in sheet, or in an export of Label Studio (JSON) or Prodigy (JSON Lines).

    The reviewer is the given one, or the annotator that the export names, or a column `reviewer`, or else the file
    name (``ada.csv`` is Ada's: "ada"). The time is that of the answers, which the tools note, or else the time when
    the sheet was written, which it contains: whatever happens to the file, its answers are the same. Lines without an
    answer may be missing.

    Raises
    ------
    PairsError
        Naming the row: an unknown answer, two answers for one pair, or a missing text. Also if nothing is answered.

    Warns
    -----
    UserWarning
        Lines are missing: they were not answered in the tool, or the file was cut off.
    """
    path = Path(path)
    if not path.is_file():
        raise DecisionError(f"there is no file {path}")
    if path.suffix in (".json", ".jsonl"):
        with as_pairs_error(path.name, _OTHER):
            table = pd.DataFrame(list(_label_studio(path) if path.suffix == ".json" else _prodigy(path)))
        if table.empty:
            raise DecisionError(f"{path.name}: nothing is answered yet")
    else:
        table = read_table(path, encoding=_encoding(path, encoding)).rename_axis("row").reset_index()
    if missing := [name for name in _COLUMNS if name not in table]:
        has = ", ".join(map(str, table.columns.drop("row")))
        raise DecisionError(
            f"{path.name}: no column {missing[0]}, only {has}; fill in what `conflicts --to-decide` wrote"
        )
    table.attrs["report"] = {"source": path.name}
    if "annotation_id" in table:  # whose annotators and times have columns of their own
        raise DecisionError(f"{path.name} is a table of Label Studio; export its answers as JSON")
    parts = table["written"].astype("str").str.extract(r"^([\d-]{10}T[\d:.]{12}Z)(?:, (\d+) lines)?$")
    table["time"] = table.get("answered", parts[0]).fillna(parts[0])
    like = "is not like 2026-01-31T12:00:00.000Z, 12 lines"
    refuse(table, table["time"].isna(), lambda row: f"written {row['written']!r} {like}")
    for name in ("question1", "question2"):
        odd = [not isinstance(text, str) or not text.strip() for text in table[name]]
        refuse(table, odd, lambda row, name=name: f"{name} {row[name]!r} is not a sentence")
    stated = table["stated"].astype("str").str.strip()
    refuse(table, ~stated.isin(["0", "1"]), lambda row: f"stated {row['stated']!r} is not 1 or 0")
    same = table["same"].fillna("").astype("str").str.strip().replace(ANSWERS)
    known = ", ".join(ANSWERS.values())
    refuse(table, ~same.isin(["", *ANSWERS.values()]), lambda row: f"same {row['same']!r} is not {known} or empty")
    named = table.get("reviewer", pd.Series(None, table.index, dtype=object))
    people = [name_of(path.stem if pd.isna(who) else str(who)) for who in named]
    answers, first = [], {}
    for i, who in enumerate(named):
        sure = reviewer or (isinstance(who, str) and not who.strip().isdecimal())
        whose, pair = name_of(reviewer) or people[i], (table["question1"][i], table["question2"][i])
        if not same[i]:
            continue
        before = first.setdefault((whose, table["time"][i], pair_of(*pair)), i)
        if same[before] != same[i]:
            raise DecisionError(
                f"{row_name(table, i)}: an earlier row answers differently for this pair; keep one of them"
            )
        if before == i:
            content = {"about": str(table["about"][i]).strip(), "shown": "{}" if sure else '{"named":false}'}
            try:
                answers.append(Answer(table["time"][i], whose, *pair, same[i], stated[i], **content))
            except DecisionError as error:
                raise DecisionError(f"{row_name(table, i)}: {error}") from None
    if not answers:
        raise DecisionError(
            f"{path.name}: nothing is answered yet; put 1 (the same), 0 (different) or ? (nobody can say) into the "
            "column same"
        )
    wanted = parts[1].astype(float).max()
    for whose, count in Counter(people).items():
        if count < wanted:
            warnings.warn(
                f"{path.name}: {count:,} of {wanted:,.0f} lines are there; the rest of {whose}'s is not answered, or "
                "cut off",
                stacklevel=3,
            )
    return answers


def _encoding(path: Path, encoding: str | None) -> str:
    """The encoding of a sheet: spreadsheets write UTF-16 with a mark, UTF-8, or that of the file of pairs."""
    with opened(path) as file:
        data = file.read()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        return data.decode() and "utf-8"
    except UnicodeDecodeError:
        if encoding is None:
            raise DecisionError(f"{path.name}: is not UTF-8; save it as “CSV UTF-8”") from None
        return encoding


def _label_studio(path: Path) -> Iterator[dict[str, Any]]:
    """Yield one row per annotation of each task; a skipped task says nothing."""
    tasks = json.loads(load(path), object_pairs_hook=each_once)
    for row, task in enumerate(tasks if isinstance(tasks, list) else [tasks], 1):
        with as_pairs_error(f"{path.name}, row {row}", _OTHER):
            json.dumps(task, ensure_ascii=False).encode()  # fails on half a surrogate pair
            if not isinstance(task, dict) or not isinstance(task.get("annotations"), list):
                raise PairsError(f"{path.name}, row {row}: no annotations; export them as JSON (not JSON-MIN)")
            for annotation in task["annotations"]:
                who = annotation.get("completed_by")
                who = who.get("email") or who["id"] if isinstance(who, dict) else who
                choices = [each["value"]["choices"] for each in annotation["result"] if each["from_name"] == "same"]
                chosen = []
                if choices and not annotation.get("was_cancelled"):
                    chosen = [] + choices[-1]  # which fails for what is no list
                when = annotation.get("updated_at") or annotation.get("created_at")
                when = when and datetime.fromisoformat(when)
                yield task["data"] | _answer(path, row, chosen, when, who)


def _prodigy(path: Path) -> Iterator[dict[str, Any]]:
    """Yield one row per answer; rejected or ignored tasks say nothing."""
    for row, task in json_objects(path):
        with as_pairs_error(f"{path.name}, row {row}", _OTHER):
            chosen = task["accept"] if task["answer"] == "accept" else []
            who = task.get("_annotator_id") or task.get("_session_id")
            when = task.get("_timestamp")
            when = when and datetime.fromtimestamp(when, UTC)
            yield task | _answer(path, row, list(map(str, chosen)), when, who)


def _answer(path: Path, row: int, chosen: list[str], when: datetime | None, who: Any) -> dict[str, Any]:
    """The columns of an answer in an export: the choice, as a tool calls it or as a sheet does, or none."""
    if odd := [one for one in chosen if one not in {*ANSWERS, *ANSWERS.values()}]:
        raise PairsError(f"{path.name}, row {row}: the choice {odd[0]!r} is none of {', '.join(ANSWERS)}")
    if len(set(chosen)) > 1:
        raise PairsError(f"{path.name}, row {row}: more than one choice is ticked: {', '.join(chosen)}; keep one")
    same = ANSWERS.get(chosen[0], chosen[0]) if chosen else ""
    time = when and time_text(when.astimezone(UTC))
    return {"row": row, "same": same, "answered": time, "reviewer": None if who is None else str(who)}
