"""The verb audit: draw pairs to judge by hand, and say from them how many labels are wrong."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from ..measure.audit import NAMES, audited
from ..measure.audit import audit as drawn
from ..measure.strata import KINDS, Strata, allocation
from ..pairs import PairsError
from ..pairs.columns import canonical
from ..pairs.opening import UNPACKED
from ..pairs.outputs import beside, spare
from ..pairs.provenance import write_record
from ..pairs.tables import read_table
from ..pairs.write import write_table
from .common import add_command, record_of, the_graph, what_was_read, with_record

__all__ = ["add", "read_judged"]


def audit(args: argparse.Namespace) -> None:
    (_report if args.judged else _draw)(args)


def _draw(args: argparse.Namespace) -> None:
    if not args.output:
        raise PairsError("where is the sample to go? -o audit.tsv (or, filled in: --judged audit.tsv)")
    inputs = {"pairs": args.file}
    spare(inputs.values(), *with_record(args.output))
    _spare_judgements(args.output)
    graph = the_graph(args)
    sample = drawn(graph, args.n, args.seed)
    numbers = allocation(Strata(graph).counts, args.n).sum(axis=1).tolist()
    kinds = {name: number for name, number in zip(KINDS, numbers, strict=True) if number}
    record = record_of(args, inputs, n=args.n, seed=args.seed) | {"drawn": kinds, "read": what_was_read(graph.pairs)}
    with beside(args.output) as out:
        write_table(sample.assign(same=""), out, args.spreadsheet_safe)
        write_record(out, record)
    if not args.quiet:
        each = ", ".join(f"{number:,} {NAMES[name]}" for name, number in kinds.items())
        print(f"{len(sample):,} pairs drawn: {each}")
        print(f"Fill the column same in {args.output}: 1 where the two sentences mean the same, 0 where they do not,")
        print(f"empty where nobody can say. Then: paragraph audit {args.file} --judged {args.output}")


def _spare_judgements(path: str) -> None:
    """Refuse to write over a sample in which somebody has judged pairs."""
    if Path(path).is_file():
        try:
            filled = read_judged(path).get("same", pd.Series(dtype="str")).astype("str").str.strip().fillna("")
        except PairsError:
            return
        if count := int((filled != "").sum()):
            raise PairsError(f"{path} holds {count:,} judged pairs, which would be lost; name another output")


def _report(args: argparse.Namespace) -> None:
    inputs = {"pairs": args.file, "judged": args.judged}
    if args.output:
        spare(inputs.values(), *with_record(args.output))
    graph = the_graph(args)
    report = audited(graph, read_judged(args.judged, args.max_unpacked))
    print(report)
    if args.output:
        record = record_of(args, inputs) | {"read": what_was_read(graph.pairs), "note": report.note}
        with beside(args.output) as out:
            write_table(report.table.astype(object).where(report.table.notna(), ""), out)
            write_record(out, record)


def read_judged(path: str, max_unpacked: int | None = None) -> pd.DataFrame:
    """A table of judged pairs (`text_a`, `text_b`, `same`), or what a log of decisions or its export says."""
    from ..decisions.log import records_of
    from ..decisions.records import standing
    from ..decisions.verdicts import verdicts

    with open(path, "rb") as file:
        database = file.read(16) == b"SQLite format 3\0"
    if database or path.endswith(".jsonl"):
        return verdicts(standing(records_of(path)))
    table = canonical(read_table(path, max_unpacked or UNPACKED), Path(path).name)
    if {"decision", "reviewer"} <= {*table}:
        return verdicts(standing(records_of(path)))
    table = table.assign(row=table.index)
    table.attrs["report"] = {"source": Path(path).name}
    return table


def add(commands: Any) -> None:
    """The command of this file, with its options."""
    sub = add_command(commands, audit, "draw pairs to judge by hand, and say how many labels of each kind are wrong")
    sub.add_argument("-o", "--output", metavar="AUDIT.tsv", help="the sample, or with --judged the report")
    sub.add_whole("-n", "how many pairs to draw (default: 100)", 100)
    sub.add_whole("--seed", "of the drawing (default: 0)", 0)
    sub.add_spreadsheet_safe()
    judged = "the sample, its column same filled in with 1, 0 or nothing (or a log of decisions on it)"
    sub.add_argument("--judged", metavar="AUDIT.tsv", help=judged)
