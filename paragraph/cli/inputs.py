"""Files that a command reads, as its options say."""

from __future__ import annotations

import re
import warnings
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.names import is_pattern
from ..files.outputs import is_stream
from ..files.spelling import reading_flags
from ..graph import ParaphraseGraph
from ..pairs import read_pairs
from ..pairs.evidence import read_table
from ..pairs.remembered import left_to_say, remember
from ..pairs.tables import canonical

#: Arguments that name an input file.
INPUTS = ("file", "test", "answers")
#: Options of `read_pairs` that the shell takes as they are.
AS_GIVEN = ("unlabelled", "on_error", "encoding", "ids")


def check_files(args: Namespace) -> None:
    """Refuse standard input and pipes: files are read more than once."""
    for name in INPUTS:
        path = getattr(args, name, None)
        if path and (path == "-" or is_stream(path)):
            raise PairsError(f"{path}: a command reads files; save what comes from there as one")


# -- options -------------------------------------------------------------------------------------------------


def reading_options(args: Namespace) -> dict[str, Any]:
    """Options of `read_pairs` and `open_pairs`, as the arguments give them."""
    options = {"format": args.input}
    for name in AS_GIVEN:
        value = getattr(args, name)
        if value:
            options[name] = value
    for name in ("header", "quoting"):
        value = getattr(args, name)
        if value:
            options[name] = value == "yes"
    if args.leave_out:
        options["leave_out"] = tuple(item.strip() for item in items_of(args.leave_out))
    if args.columns:
        options["columns"] = _columns(args.columns)
    if args.labels:
        options["labels"] = _labels(args.labels)
    return options


def _labels(text: str) -> dict[str, int | None] | tuple[float, float]:
    """The signs of labels, or two thresholds of a score."""
    if "=" in text:
        return assignments(text, "--labels", lambda value: int(value) if value else None)
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise PairsError(
            f"--labels {text!r} is neither yes=1,no=0 nor two thresholds LOW,HIGH"
        ) from None
    return low, high


def _columns(text: str) -> dict[str, Any]:
    """The columns of roles; a name without a role is a further column of a set.

    >>> _columns("text_a=text,set=id,language"), _columns("text_a=0,label=2")
    ({'text_a': 'text', 'set': ['id', 'language']}, {'text_a': 0, 'label': 2})
    """
    with_role = []
    further = []
    for item in items_of(text, quotes=True):
        is_set = with_role and with_role[-1].lstrip('"').startswith("set=")
        if is_set and "=" not in item:
            further.append(item.strip('"'))
        else:
            with_role.append(item)
    columns = assignments(
        ",".join(with_role), "--columns", lambda name: int(name) if name.isdecimal() else name
    )
    if further:
        columns["set"] = [columns["set"], *further]
    return columns


def items_of(text: str, quotes: bool = False) -> list[str]:
    """The items of a list with commas, without the quotes around those that hold one, unless these shall stay."""
    items = re.findall(r'(?:[^,"]|"(?:[^"]|"")*")+', text)
    if quotes:
        return items
    return [
        re.sub(r'"((?:[^"]|"")*)"', lambda quoted: quoted[1].replace('""', '"'), item)
        for item in items
    ]


def assignments(text: str, option: str, convert: Callable[[str], Any]) -> dict[str, Any]:
    """The names and values of an option like ``a=1,b=2``; values with a comma are in quotes.

    >>> assignments('"yes, the same=1",a=b=0', "--labels", int)
    {'yes, the same': 1, 'a=b': 0}
    >>> assignments('text_a="first, cleaned",text_b=x=y', "--columns", str)
    {'text_a': 'first, cleaned', 'text_b': 'x=y'}
    """
    # What has a "=" of its own: a label, before the value; a column, after its role
    divide = str.rpartition if option == "--labels" else str.partition
    parts = [divide(item, "=") for item in items_of(text)]
    try:
        if text.count('"') % 2 or not all(mark for _, mark, _ in parts):
            raise ValueError
        values = {name.strip(): convert(value.strip()) for name, _, value in parts}
    except ValueError:
        if "…" in text:
            raise PairsError(f"{option} {text!r} has a …: write 1, 0 or nothing there") from None
        raise PairsError(f"{option} {text!r} is not a list like a=1,b=2") from None
    if len(values) < len(parts):
        raise PairsError(f"{option} {text!r} names one thing twice")
    return values


def options_to_say(args: Namespace) -> dict[str, Any]:
    """The options for reading FILE that the file beside it does not have."""
    return left_to_say(args.file, reading_options(args))


def in_shell(args: Namespace) -> str:
    """The options that tell the next command how to read FILE, each after a space."""
    return reading_flags(options_to_say(args) | {"identity": args.identity})


def keep_layout(args: Namespace, graph: ParaphraseGraph) -> None:
    """Keep how FILE was read, if flags said it, and say what becomes of its labels where they do not take answers."""
    report = graph.report
    if not report.get("path"):
        return
    messages = []
    if any(value not in ("auto", None) for value in reading_options(args).values()):
        messages.append(remember(args.file, report["options"]))
    if report["back"]:
        messages.append(f"when answers are written back: {report['back']}")
    for message in filter(None, messages):
        warnings.warn(message, stacklevel=2)


# -- what is read --------------------------------------------------------------------------------------------


def the_pairs(args: Namespace, path: str | None = None) -> pd.DataFrame:
    """The pairs of a file, by default of FILE, read as the arguments say."""
    return read_pairs(path or args.file, **reading_options(args))


def the_graph(args: Namespace, path: str | None = None) -> ParaphraseGraph:
    """The graph of a file, or of one or many files coded by an engine."""
    if "engine" in args and (args.engine or args.folder or is_pattern(args.file)):
        from .. import open_pairs  # of a wing

        options = reading_options(args) | {"identity": args.identity, "progress": not args.quiet}
        return open_pairs(
            path or args.file, args.engine or "auto", args.memory, args.folder, **options
        ).graph
    return ParaphraseGraph.from_pairs(the_pairs(args, path), args.identity)


def the_table(args: Namespace, path: str) -> pd.DataFrame:
    """Read a table with pairs: `text_a`, `text_b`, further columns as text, `row`; a report names the file."""
    table = canonical(read_table(path), Path(path).name)
    table = table.assign(row=table.index)
    table.attrs["report"] = {"source": Path(path).name}
    return table


def read_answers(args: Namespace) -> Any:
    """Read answers about pairs from a table (`text_a`, `text_b`, `same`), a log, or what a saved page wrote."""
    from ..decisions.answers import Answers
    from ..decisions.log import records_of

    path = args.answers
    if path is None:
        return None
    with open(path, "rb") as file:
        is_log = file.read(16) == b"SQLite format 3\0" or path.endswith(".jsonl")
    return Answers(records_of(path)) if is_log else the_table(args, path)


def about_logs(paths: list[str], records: list) -> dict[str, Any]:
    """The part of a record that tells which answers were applied."""
    from ..decisions.record import digest

    names = ", ".join(Path(path).name for path in paths)
    # The bytes of a log depend on how it was filled; the ids of its records do not.
    return {"file": names, "records": len(records), "sha256 of their ids": digest(records)}


def reading_report(graph: ParaphraseGraph) -> dict[str, Any]:
    """The part of a graph's report that goes into a record."""
    return {key: graph.report[key] for key in ("format", "rows", "kept", "notes")}


def conflicts_of(graph: ParaphraseGraph) -> str:
    """Count the conflicts of a graph by kind; a pair may contradict others in two ways."""
    counts = {
        "inside a cluster": np.count_nonzero(graph.negatives_inside),
        "stated both ways": np.count_nonzero(graph.labelled_twice),
        "sentences stated to differ from themselves": len(graph.self_negatives),
    }
    if graph.annotators is not None:
        counts["of these, annotators differ"] = np.count_nonzero(graph.annotators_differ)
    return "conflicts: " + ", ".join(f"{kind}: {count:,}" for kind, count in counts.items())
