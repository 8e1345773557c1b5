"""The data verbs: summary, clusters, sample, augment, conflicts, explain, split, fetch, export."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from ..graph import closure as inference
from ..graph import export as exporting
from ..graph import proof, variants
from ..graph.identity import column
from ..measure import splits
from ..pairs import PairsError
from ..pairs.fetch import fetch as fetched
from ..pairs.opening import UNPACKED
from ..pairs.outputs import together, write_record
from ..pairs.showing import printable
from ..pairs.write import LabelWriter
from .common import Output, assignments, count_of, is_stored, the_graph, the_pairs, weigh, what_was_read
from .options import add_command, sentence

__all__ = ["add"]


def summary(args: argparse.Namespace) -> None:
    graph = the_graph(args)
    table = graph.summary()
    if not graph.bipartite:
        for rule in ("all", "clusters"):
            counts = inference.infer(graph, negatives=rule).counts()
            table["inferred positive"] = counts["positive"]  # by either rule
            table[f"inferred negative (rule {rule!r})"] = counts["negative"]
    if args.json:
        print(json.dumps({name: int(value) for name, value in table.items()}, indent=2))
        return
    for name, value in table.items():
        print(f"{value:>12,}  {name}")
    if args.clusters and not graph.bipartite:
        largest = graph.clusters().head(args.clusters)
        texts = largest.select_dtypes("str")
        largest = largest.assign(**{name: texts[name].map(printable) for name in texts})
        print(f"\n{largest.to_string(index=False, max_colwidth=60)}")


def augment(args: argparse.Namespace) -> None:
    limits = ("negatives", "max_distance", "distance", "max_cluster_size", "max_per_cluster", "seed")
    parts = {"train": args.file} | ({"test": args.test} if args.test else {})
    files = [*(f"{name}.{args.format}" for name in variants.NAMES), "conflicts.tsv"]
    output = Output(args, parts, [*(Path(name, file) for name in parts for file in files), "report.json"])
    # Both are read before either is written: a bad test file stops both
    graphs = {name: the_graph(args, path) for name, path in parts.items()}
    options = {name: getattr(args, name) for name in limits}
    closures = {name: inference.infer(graph, **options) for name, graph in graphs.items()}
    safe, report = {"spreadsheet_safe": args.spreadsheet_safe}, {}
    with output.folder(report) as out:
        weigh(args, closures.values())
        for name, graph in graphs.items():
            report[name] = variants.write_datasets(
                graph, out / name, closures[name], args.format, progress=not args.quiet, **safe
            )
            proof.write_conflicts(proof.conflicts(graph), out / name / "conflicts.tsv", **safe)
        report["record"] = {"read": {name: what_was_read(graph.report) for name, graph in graphs.items()}}
    if not args.quiet:
        for part in parts:
            print(f"{part:<20}{'positive':>12}{'negative':>12}{'positive %':>12}")
            for name, count in report[part].items():
                share = 100 * count["positive"] / max(1, count["positive"] + count["negative"])
                print(f"  {name:<18}{count['positive']:>12,}{count['negative']:>12,}{share:>12.2f}")


def conflicts(args: argparse.Namespace) -> None:
    _put(args, proof.conflicts, lambda found: count_of(found["kind"]))


def clusters(args: argparse.Namespace) -> None:
    listed = lambda graph: graph.clusters(min_size=args.min_size, negatives=args.negatives)  # noqa: E731
    _put(args, listed, lambda found: f"{len(found):,} clusters")


def sample(args: argparse.Namespace) -> None:
    drawn = lambda graph: inference.infer(graph, negatives=args.negatives).sample(args.n, args.seed)  # noqa: E731
    _put(args, drawn, lambda found: f"{len(found):,} labels")


def _put(args: argparse.Namespace, make: Callable[..., Any], said: Callable[..., str]) -> None:
    """Make a table of the graph and write it: to the output with its record, or to standard output."""
    output = Output(args, {"pairs": args.file})
    table = make(the_graph(args))
    if args.output == "-":
        # Not by the name /dev/stdout: to open that anew would empty a file that is appended to.
        proof.write_conflicts(table, os.dup(sys.stdout.fileno()), args.spreadsheet_safe)
        return
    output.write(lambda out: proof.write_conflicts(table, out, args.spreadsheet_safe))
    if not args.quiet:
        print(said(table))


def explain(args: argparse.Namespace) -> None:
    found = proof.explain(the_graph(args), args.sentence1, args.sentence2, args.negatives)
    # What JSON leaves as it is could still steer a terminal; written out it is the same JSON
    lines = json.dumps(found.to_dict(), indent=2, ensure_ascii=False).split("\n") if args.json else [str(found)]
    print(*(map(printable, lines) if args.json else lines), sep="\n")


def split(args: argparse.Namespace) -> None:
    shares = assignments(args.shares, "--shares", float)
    for name in shares:
        if not re.fullmatch(r"\w[\w.-]{,99}", name):
            raise PairsError(f"--shares: {name!r} names no file: letters, digits, _, . and - do, a letter first")
    output = Output(args, {"pairs": args.file}, [*(f"{name}.tsv" for name in shares), "report.json"])
    options = {"by": args.by, "seed": args.seed, "count": args.count}
    if is_stored(args):
        graph = the_graph(args)
        if graph.report["generated"]:
            raise PairsError("some rows were generated from others and take their side; name one file, and no engine")
        found, rows = splits.split(graph.codes(), shares, **options), graph.row_parts()
    else:
        found = splits.split(the_pairs(args), shares, identity=args.identity, **options)
        rows = [(found,)]
    of = found["split"].to_numpy(dtype=object)
    with output.folder({"split": found.attrs["split_report"]}, shares=shares) as out, ExitStack() as opened:
        safe = args.spreadsheet_safe
        files = {name: opened.enter_context(LabelWriter(out / f"{name}.tsv", safe)) for name in shares}
        for pairs, *_ in rows:
            here, of = of[: len(pairs)], of[len(pairs) :]
            for name, file in files.items():
                part = pairs[here == name]
                file.write(*(file.prepare(column(part, text)) for text in ("text_a", "text_b")), part["label"])
    for name, file in () if args.quiet else files.items():
        print(f"{sum(file.counts().values()):>12,}  {output.path / f'{name}.tsv'}")


def fetch(args: argparse.Namespace) -> None:
    options = {"accept": args.yes, "accept_changed": args.accept_changed, "progress": not args.quiet}
    options["max_unpacked"] = args.max_unpacked or UNPACKED
    print(*fetched(args.name, args.output, **options), sep="\n")


def export(args: argparse.Namespace) -> None:
    place = Path(args.output).absolute()
    files = (place, f"{place}.record.json", *(place / table for table in exporting.TABLES))
    output = Output(args, {"pairs": args.file}, files)
    graph = the_graph(args)
    with together(place.parent) as stage:
        edges = exporting.export(graph, stage / place.name, args.cluster, args.format)
        write_record(stage / place.name, output.record())
    if not args.quiet:
        print(f"{edges:,} edges written to {args.output}")


def add(commands: Any) -> None:
    """The commands of this file, with their options."""
    command = partial(add_command, commands)

    sub = command(summary, "count rows, sentences, clusters, conflicts and inferred labels", engines=True)
    sub.add_argument("--json", action="store_true", help="the counts as a JSON object")
    sub.add_whole("--clusters", "show the N largest clusters (default 5)", 5)

    sub = command(augment, "write the four datasets: original and augmented, as given and flipped", "TRAIN", True)
    sub.add_argument("--test", metavar="TEST", help="a test file, closed on its own")
    sub.add_output("DIR", "for train/, test/ and report.json")
    sub.add_negatives()
    sub.add_whole("--max-distance", "leave out labels further than this")
    sub.add_argument("--distance", default="rounds", choices=("rounds", "hops"), help="how distance is counted")
    sub.add_whole("--max-cluster-size", "infer nothing from larger clusters")
    sub.add_whole("--max-per-cluster", "at most so many labels of each sign from one cluster")
    sub.add_whole("--seed", "for --max-per-cluster", 0)
    sub.add_yes()
    sub.add_argument("--format", default="tsv", choices=("tsv", "parquet"), help="of the four datasets")
    sub.add_spreadsheet_safe()

    about = "list the labels that contradict each other, with the path that shows it"
    tables = [command(conflicts, about, engines=True)]
    tables.append(sub := command(clusters, "list the clusters, largest first", engines=True))
    sub.add_whole("--min-size", "of at least so many sentences (default 2)", 2)
    sub.add_negatives()
    tables.append(sub := command(sample, "draw labels that follow, with their distance", engines=True))
    sub.add_whole("-n", "so many (default 1000)", 1000)
    sub.add_whole("--seed", "of the draw (default 0)", 0)
    sub.add_negatives()
    for sub in tables:
        sub.add_output("OUT.tsv", "- for standard output")
        sub.add_spreadsheet_safe()

    sub = command(explain, "why two sentences count as paraphrases, or not: verdict and proof", engines=True)
    sub.add_argument("sentence1", type=sentence, help="as it stands in FILE")
    sub.add_argument("sentence2", type=sentence, help="likewise")
    sub.add_argument("--json", action="store_true", help="verdict and proof as a JSON object")
    sub.add_negatives()

    sub = command(split, "split the pairs so that no two parts share a sentence", engines=True)
    sub.add_output("DIR", "for one file a part, and report.json")
    sub.add_spreadsheet_safe()
    sub.add_argument("--shares", default="train=.8,dev=.1,test=.1", metavar="NAME=SHARE,…", help="which add up to 1")
    sub.add_by("what is kept whole")
    sub.add_argument("--count", default="rows", choices=("rows", "sentences"), help="what the shares are of")
    sub.add_whole("--seed", "decides between components of equal size", 0)

    sub = command(fetch, "download a public dataset from its source", None)
    sub.add_argument("name", help="qqp, mrpc, paws, sick, jsick, …")
    sub.add_argument(
        "-o", "--output", metavar="DIR", help="where to (default: $PARAGRAPH_DATA, else ~/.cache/paragraph)"
    )
    sub.add_argument("--yes", action="store_true", help="accept the dataset's terms without being asked")
    sub.add_unpacked()
    sub.add_argument("--accept-changed", action="store_true", help="take a download that has changed")

    sub = command(export, "write the graph, or one cluster, for other tools")
    sub.add_output("OUT", "a file; for Parquet a folder")
    sub.add_whole("--cluster", "only this cluster", metavar="ID")
    sub.add_argument("--format", choices=("graphml", "gexf", "parquet"), help="default: by the ending of OUT")
