"""Conflicts to decide without a widget: as a sheet, or as tasks of Label Studio and Prodigy; and the answers.

A sheet has one row per line of a conflict, its negative first, then the positives on the path between its sentences;
a pair that is stated both ways, or a sentence that is stated to differ from itself, is one row. A line of several
conflicts appears once. Answers say whether the two sentences of each line mean the same, as in an audit.

Formats: Label Studio's tasks and its export JSON (https://labelstud.io/guide/tasks, .../guide/export); Prodigy's
interface "choice" and what ``db-out`` writes (https://prodi.gy/docs/api-interfaces#choice).
"""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from ..files import PairsError
from ..files.content import load, open_unpacked
from ..files.errors import as_pairs_error
from ..files.json_lines import each_once, json_objects
from ..files.outputs import atomic_write
from ..files.tables import write_table
from ..graph import ParaphraseGraph
from ..graph.conflicts import contradictions
from ..pairs.evidence import read_table
from ..pairs.tools import CHOICE, tool_records
from .record import NUMBERS, SAME, Answer, DecisionError, name_of, shortest_json, time_text

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
_COLUMNS = ("question1", "question2", "label", "stated", "about", "written", "same")
_WRITTEN = re.compile(r"([\d-]{10}T[\d:.]{12}Z)(?:, (\d+) lines)?")
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
    all_conflicts = contradictions(graph)
    numbers = {}  # of each conflict: one inside a cluster may be direct besides
    lines = {}  # each once: its nodes, its edge, its conflicts
    pairs = zip(*all_conflicts.ends.tolist(), strict=True)
    edges = all_conflicts.edges.tolist()
    for pair, edge, path, steps in zip(
        pairs, edges, all_conflicts.paths, all_conflicts.steps, strict=True
    ):
        if pair in numbers:
            continue
        numbers[pair] = f"#{len(numbers) + 1}"
        for nodes, step in zip([pair, *pairwise(path)], [edge, *steps], strict=True):
            line = lines.setdefault(frozenset(nodes), (nodes, step, []))
            line[2].append(pair)
    texts = {pair: graph.texts(pair) for pair in numbers}
    written = f"{time_text(datetime.now(UTC))}, {len(lines)} lines"
    rows = []
    for nodes, edge, conflicts in lines.values():
        row = _line(graph, *nodes, edge)
        row["conflicts"] = " ".join(numbers[pair] for pair in conflicts)
        row["about"] = shortest_json([texts[pair] for pair in conflicts])
        rows.append(row | {"written": written, "same": ""})
    return pd.DataFrame(rows, columns=["conflicts", *_COLUMNS[:3], "rows", *_COLUMNS[3:]])


def _line(graph: ParaphraseGraph, a: int, b: int, edge: int) -> dict[str, Any]:
    """A line of a sheet about two nodes, or one node twice, by their edge or -1."""
    rows = graph.rows_between(a, b) if edge < 0 else graph.rows_of(edge)
    words = graph.own_words or (0, 1)
    labels = (graph.row_sign[rows] > 0).astype(int).tolist()
    origins = []
    names = graph.row_names(rows)
    for row, name, label in zip(rows.tolist(), names, labels, strict=True):
        origin = str(name)
        if graph.annotators is not None:
            origin = f"{origin} {graph.annotators[row]}".strip()
        if len(set(labels)) > 1:
            origin += f" ({words[label]})"
        origins.append(origin)
    stated = int(edge >= 0 and graph.edge_sign[edge] > 0)
    return {
        "question1": graph.text(a),
        "question2": graph.text(b),
        "label": words[stated],
        "rows": ", ".join(origins),
        "stated": stated,
    }


def write_sheet(table: pd.DataFrame, path: str | PathLike, spreadsheet_safe: bool = False) -> None:
    """Write a sheet: .tsv, .csv, tasks of Prodigy (.jsonl) or of Label Studio (.json; see `write_interface`)."""
    path = Path(path)
    tasks = table.drop(columns="same").to_dict("records")
    with atomic_write(path) as part:
        if path.suffix == ".json":
            text = json.dumps([{"data": task} for task in tasks], ensure_ascii=False, indent=1)
            part.write_text(text, "utf-8")
        elif path.suffix == ".jsonl":
            options = [{"id": same, "text": answer} for answer, same in ANSWERS.items()]
            lines = ""
            for task in tasks:
                text = f"{task['question1']}\n\n{task['question2']}"
                lines += shortest_json(task | {"text": text, "options": options}) + "\n"
            part.write_bytes(lines.encode())
        else:
            write_table(table, part, spreadsheet_safe)


def write_interface(tasks: Path) -> None:
    """Write Label Studio's labelling interface for tasks beside their file, with the ending .xml."""
    with atomic_write(
        tasks.parent, folder=True
    ) as stage:  # a link of that name, which nobody gave, is not followed
        (stage / f"{tasks.stem}.xml").write_text(CONFIG, "utf-8")


def is_sheet(path: Path) -> bool:
    """Return True for a sheet or an export of the tools, False for a log and its export."""
    if path.suffix != ".jsonl":
        return path.suffix in SHEETS
    with open_unpacked(path) as file:
        # of a choice: Prodigy keeps them with the answer
        return b'"options":' in file.readline(FIRST_LINE)


def read_sheet(
    path: str | PathLike, encoding: str | None = None, reviewer: str = ""
) -> list[Answer]:
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
        rows = list(_exported(path))
    else:
        table = read_table(path, encoding=_encoding(path, encoding))
        if "annotation_id" in table:  # whose annotators and times have columns of their own
            raise DecisionError(
                f"{path.name} is a table of Label Studio; export its answers as JSON"
            )
        _check_columns(path, table)
        rows = list(zip(table.index.tolist(), table.to_dict("records"), strict=True))
    answers = {}
    count = Counter()  # of the lines of each person
    lines = 0  # that were written
    for row, values in rows:
        where = f"{path.name}, row {row}"
        written = _WRITTEN.fullmatch(str(values["written"]))
        if not written:
            like = "is not like 2026-01-31T12:00:00.000Z, 12 lines"
            raise DecisionError(f"{where}: written {values['written']!r} {like}")
        lines = max(lines, int(written[2] or 0))
        who = values.get("reviewer")
        person = name_of(reviewer or str(who or path.stem))
        count[person] += 1
        same = str(values["same"]).strip()
        if not same:
            continue
        is_named = bool(reviewer) or (isinstance(who, str) and not who.strip().isdecimal())
        try:
            stated = str(values["stated"]).strip()
            if stated not in NUMBERS:
                raise DecisionError(f"stated {stated!r} is not 1 or 0")
            answer = Answer(
                time=values.get("answered") or written[1],
                reviewer=person,
                text_a=values["question1"],
                text_b=values["question2"],
                same=ANSWERS.get(same, same),
                stated=stated,
                about=str(values["about"]).strip(),
                shown="{}" if is_named else '{"named":false}',
            )
        except DecisionError as error:
            raise DecisionError(f"{where}: {error}") from None
        answers[answer.id] = answer
    if not answers:
        raise DecisionError(
            f"{path.name}: nothing is answered yet; put 1 (the same), 0 (different) or ? (nobody can say) into the "
            "column same"
        )
    for person, number in count.items():
        if number < lines:
            warnings.warn(
                f"{path.name}: {number:,} of {lines:,} lines are there; the rest of {person}'s is not answered, or "
                "cut off",
                stacklevel=3,
            )
    return list(answers.values())


def _check_columns(path: Path, names: Iterable[str]) -> None:
    for name in _COLUMNS:
        if name not in names:
            has = ", ".join(map(str, names))
            raise DecisionError(
                f"{path.name}: no column {name}, only {has}; fill in what `conflicts --to-decide` wrote"
            )


def _encoding(path: Path, encoding: str | None) -> str:
    """The encoding of a sheet: spreadsheets write UTF-16 with a mark, UTF-8, or that of the file of pairs."""
    with open_unpacked(path) as file:
        data = file.read()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        data.decode()
    except UnicodeDecodeError:
        if encoding is None:
            raise DecisionError(f"{path.name}: is not UTF-8; save it as “CSV UTF-8”") from None
        return encoding
    return "utf-8"


def _exported(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the row of a task and one person's answer to it, with the columns of a sheet; none is an empty `same`."""
    tasks = json_objects(path)
    otherwise = "it is not an export of these tasks"
    if path.suffix == ".json":
        with as_pairs_error(path.name, otherwise):
            tasks = enumerate(json.loads(load(path), object_pairs_hook=each_once), 1)
    for row, task in tasks:
        with as_pairs_error(f"{path.name}, row {row}", otherwise):
            answers = tool_records(task)
            if answers is None:
                raise PairsError(
                    f"{path.name}, row {row}: no annotations; export them as JSON (not JSON-MIN)"
                )
            for values, annotation in zip(answers, task.get("annotations", [{}]), strict=False):
                when = annotation.get("updated_at") or annotation.get("created_at")
                if when:
                    values["answered"] = _time(datetime.fromisoformat(when))
                elif "_timestamp" in values:
                    values["answered"] = _time(datetime.fromtimestamp(values["_timestamp"], UTC))
                who = (
                    values.get("annotator")
                    or values.get("_annotator_id")
                    or values.get("_session_id")
                )
                choice = values.get(f"{CHOICE}same", values.get("choice"))
                if isinstance(choice, list):
                    raise PairsError(
                        f"{path.name}, row {row}: more than one choice is ticked; keep one"
                    )
                if choice not in (None, *ANSWERS, *ANSWERS.values()):
                    known = ", ".join(ANSWERS)
                    raise PairsError(
                        f"{path.name}, row {row}: the choice {choice!r} is none of {known}"
                    )
                values |= {"reviewer": who, "same": choice or ""}
                _check_columns(path, values)
                yield row, values


def _time(moment: datetime) -> str:
    return time_text(moment.astimezone(UTC))
