"""The repair verbs: apply."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from .common import add_command, reading, spare, the_graph
from .data import READ

__all__ = ["add"]


def apply(args: argparse.Namespace) -> None:
    from ..contradictions import write_conflicts
    from ..decision_files import digest
    from ..decisions import records_of
    from ..inference import infer
    from ..pairs import write_pairs
    from ..record import make_record, write_json
    from ..replaying import replay
    from ..variants import NAMES, write_datasets

    graph, records = the_graph(args), records_of(args.log)
    found = replay(records, graph, reviewer=args.reviewer, cut=args.cut)
    closure = infer(found.graph)
    folder, tables = Path(args.output), {"changes": found.changes, "not_applied": found.not_applied}
    spare({"pairs": args.file, "log": args.log}, *(folder / f"{name}.tsv" for name in ("corrected", *tables, *NAMES)))
    folder.mkdir(parents=True, exist_ok=True)
    write_pairs(found.pairs, folder / "corrected.tsv")
    for name, table in tables.items():
        write_conflicts(table, folder / f"{name}.tsv")
    counts = write_datasets(found.graph, folder, closure, progress=not args.quiet, kept=found.kept)
    record = make_record({"pairs": args.file}, reviewer=args.reviewer, cut=args.cut, **reading(args))
    record["read"] = {key: graph.pairs.attrs["report"][key] for key in READ}
    # The bytes of a log vary with how it was filled; those of its export do not.
    record["log"] = {
        "file": Path(args.log).name,
        "records": len(records),
        "sha256 of its JSONL export": digest(records),
    }
    report = {"applied": len(found.changes), "not_applied": len(found.not_applied), "datasets": counts}
    write_json(report | {"record": record}, folder / "report.json")
    if not args.quiet:
        print(f"{len(found.changes):>12,}  decisions applied")
        for why, count in found.not_applied["why"].str.split(r"[:(]").str[0].str.strip().value_counts().items():
            print(f"{count:>12,}  not applied: {why}")


def add(commands: Any) -> None:
    """The commands of this file, with their options."""
    command = partial(add_command, commands)

    sub = command(apply, "apply a log of decisions: write the corrected dataset and its four variants")
    sub.add_argument("log", metavar="LOG", help="a log of decisions, or its export as .jsonl or .tsv")
    sub.add_argument("-o", "--output", required=True, metavar="DIR", help="for corrected.tsv and what goes with it")
    sub.add_argument("--reviewer", metavar="NAME", help="whose decisions (default: those on which all agree)")
    sub.add_argument(
        "--cut", default="drop", choices=("drop", "negative"), help="rows of a cut pair are dropped, or become 0"
    )
