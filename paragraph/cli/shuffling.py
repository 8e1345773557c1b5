"""The verb shuffle: Japanese sentences and pairs with their phrases in another order."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from ..japanese.shuffle import RULES, augment_by_shuffling, shuffled_sentences
from ..japanese.store import Parses
from ..pairs import PairsError
from ..pairs.formats import choose_by_names
from ..pairs.outputs import beside, spare
from ..pairs.provenance import make_record, write_record
from ..pairs.tables import read_table
from ..pairs.write import write_table
from .collecting import sentences_of
from .common import add_command, assignments, with_record

__all__ = ["add"]


def shuffle(args: argparse.Namespace) -> None:
    if (args.file is None) == (args.texts is None):
        raise PairsError("name a file of pairs, or sentences with --sentences T.txt")
    inputs = {name: path for name in ("file", "texts", "parses") if (path := getattr(args, name))}
    spare(inputs.values(), *with_record(args.output))
    parses, options = Parses(args.parses, not args.quiet), {"n": args.n, "seed": args.seed, "rule": args.rule}
    if args.texts:
        made = shuffled_sentences(
            sentences_of(args.texts, args.quiet), parses=parses, reparse=args.reparse, **options
        )
        report = {"shuffled": len(made), "dropped": made.attrs["dropped"]}
    else:
        made, report = _pairs(args, parses, options)
    record = options | {"spreadsheet_safe": args.spreadsheet_safe}
    with beside(args.output) as out:
        write_table(made, out, args.spreadsheet_safe)
        write_record(out, make_record(inputs, **record, reparse=args.reparse) | {"shuffling": report})
    if not args.quiet:
        print(f"{len(made):,} rows; {'; '.join(_said(report))}")


def _pairs(args: argparse.Namespace, parses: Parses, options: dict[str, Any]) -> tuple[Any, dict]:
    columns = assignments(args.columns, "--columns", str) if args.columns else {}
    table, name = read_table(args.file, columns=columns), Path(args.file).name
    role = choose_by_names(list(table), "auto", columns, name, "tsv").columns
    texts = {role["text_a"]: "text_a", role["text_b"]: "text_b"}
    for column in texts:
        if blank := table.index[table[column].str.strip() == ""].tolist():
            raise PairsError(f"{name}, row {blank[0]}: {column} is empty")
    label = role.get("entailment") or role.get("label")
    made = augment_by_shuffling(
        table.rename(columns=texts), parses=parses, reparse=args.reparse, label=label, **options
    )
    rows = ["" if place is pd.NA else str(table.index[place]) for place in made["from_row"]]
    new = {"from_row": rows, "side": made["side"].fillna(""), "order": made["order"].fillna("")}
    return made.assign(**new).rename(columns={ours: theirs for theirs, ours in texts.items()}), made.attrs[
        "shuffling"
    ]


def _said(report: dict) -> list[str]:
    said = [f"{count:,} {side}" for side, count in report.get("made", {}).items()]
    out = [f"{count:,} {why}" for why, count in report["dropped"].items() if count]
    return said + [f"left out: {', '.join(out)}"] * bool(out)


def add(commands: Any) -> None:
    """The command of this file, with its options."""
    sub = add_command(commands, shuffle, "Japanese: paraphrases by phrases in another order, dependencies kept", None)
    sub.add_argument(
        "file", metavar="FILE", nargs="?", help="pairs, with a header: CSV or TSV, .gz too; all columns stay"
    )
    sub.add_argument("--sentences", dest="texts", metavar="T.txt", help="instead of pairs, sentences, one a line")
    sub.add_argument("--columns", metavar="text_a=…,text_b=…", help="which columns of FILE hold the sentences")
    about = "which orders: those people would say; all that keep the dependencies; any of phrases; any of words"
    sub.add_argument("--rule", default="strict", choices=RULES, help=f"{about} (default strict)")
    sub.add_argument("--parses", metavar="P.jsonl", help="parses to use before GiNZA's: text, phrases, heads, pinned")
    sub.add_argument("--reparse", action="store_true", help="only orders that GiNZA parses as it does the sentence")
    sub.add_whole("-n", "other orders of each sentence (default 1)", 1)
    sub.add_whole("--seed", "(default 0)", 0)
    sub.add_spreadsheet_safe()
    sub.add_output("OUT.tsv", "its record goes beside it, with what was dropped by reason")
