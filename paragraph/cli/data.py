"""The data verbs: summary, augment, conflicts, explain, split, fetch, export."""

from __future__ import annotations

import argparse
import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from .common import add_command, assignments, reading, sentence, spare, the_graph, the_pairs, whole

__all__ = ["add"]

#: What a record keeps of how a file was read.
READ = ("format", "rows", "kept", "notes")


def summary(args: argparse.Namespace) -> None:
    from ..graph.inference import infer

    graph = the_graph(args)
    table = graph.summary()
    if not graph.bipartite:
        for rule in ("all", "clusters"):
            counts = infer(graph, negatives=rule).counts()
            if rule == "all":
                table["inferred positive"] = counts["positive"]
            table[f"inferred negative (rule {rule!r})"] = counts["negative"]
    if args.json:
        print(json.dumps({name: int(value) for name, value in table.items()}, indent=2))
        return
    for name, value in table.items():
        print(f"{value:>12,}  {name}")
    if args.clusters and not graph.bipartite:
        largest = graph.clusters().head(args.clusters)
        print(f"\n{largest.to_string(index=False, max_colwidth=60)}")


def augment(args: argparse.Namespace) -> None:
    from ..graph.contradictions import conflicts, write_conflicts
    from ..graph.inference import infer
    from ..graph.variants import NAMES, write_datasets
    from ..pairs.provenance import make_record, write_json

    limits = ("negatives", "max_distance", "distance", "max_cluster_size", "max_per_cluster", "seed")
    options = {name: getattr(args, name) for name in limits}
    report: dict[str, Any] = {}
    inputs = {"train": args.file} | ({"test": args.test} if args.test else {})
    graphs = {
        name: the_graph(args, path) for name, path in inputs.items()
    }  # a bad test file stops before any is written
    read = {name: {key: graph.pairs.attrs["report"][key] for key in READ} for name, graph in graphs.items()}
    for name, graph in graphs.items():
        folder = Path(args.output) / name
        spare(inputs, *(folder / f"{dataset}.{args.format}" for dataset in NAMES))
        report[name] = write_datasets(graph, folder, infer(graph, **options), args.format, not args.quiet)
        write_conflicts(conflicts(graph), folder / "conflicts.tsv")
    record = make_record(inputs, **options, format=args.format, **reading(args)) | {"read": read}
    write_json(report | {"record": record}, Path(args.output) / "report.json")
    if not args.quiet:
        for part, datasets in report.items():
            print(f"{part:<20}{'positive':>12}{'negative':>12}{'positive %':>12}")
            for name, count in datasets.items():
                total = max(1, count["positive"] + count["negative"])
                share = 100 * count["positive"] / total
                print(f"  {name:<18}{count['positive']:>12,}{count['negative']:>12,}{share:>12.2f}")


def conflicts(args: argparse.Namespace) -> None:
    from ..graph.contradictions import conflicts, write_conflicts
    from ..pairs.provenance import make_record, write_record

    found = conflicts(the_graph(args))
    if args.output == "-":
        # Not by the name /dev/stdout: to open that anew would empty a file that is appended to.
        write_conflicts(found, os.dup(sys.stdout.fileno()))
        return
    inputs = {"pairs": args.file}
    spare(inputs, args.output)
    write_conflicts(found, args.output)
    write_record(args.output, make_record(inputs, **reading(args)))
    if not args.quiet:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in found["kind"].value_counts().items())
        print(f"{len(found):,} conflict{'s' * (len(found) != 1)}{': ' * bool(kinds)}{kinds}")


def explain(args: argparse.Namespace) -> None:
    from ..graph.proof import explain

    found = explain(the_graph(args), args.sentence1, args.sentence2, args.negatives)
    print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) if args.json else found)


def split(args: argparse.Namespace) -> None:
    from ..measure.splits import split
    from ..pairs import write_pairs
    from ..pairs.provenance import make_record, write_json

    shares = assignments(args.shares, "--shares", float)
    pairs = split(the_pairs(args), shares, by=args.by, seed=args.seed, identity=args.identity)
    folder, inputs = Path(args.output), {"pairs": args.file}
    spare(inputs, *(folder / f"{name}.tsv" for name in shares))
    folder.mkdir(parents=True, exist_ok=True)
    for name in shares:
        write_pairs(pairs[(pairs["split"] == name).fillna(False)], folder / f"{name}.tsv")
    report = pairs.attrs["split_report"]
    record = make_record(inputs, shares=shares, by=args.by, seed=args.seed, **reading(args))
    write_json({"split": report, "record": record}, folder / "report.json")
    if not args.quiet:
        for name in shares:
            print(f"{int((pairs['split'] == name).sum()):>12,}  {folder / name}.tsv")


def fetch(args: argparse.Namespace) -> None:
    from ..pairs.fetching import fetch

    options = {"accept": args.yes, "accept_changed": args.accept_changed, "progress": not args.quiet}
    print(*fetch(args.name, args.folder, **options), sep="\n")


def export(args: argparse.Namespace) -> None:
    from ..graph.exporting import export
    from ..pairs.provenance import make_record, write_record

    graph, inputs = the_graph(args), {"pairs": args.file}
    spare(inputs, args.output)
    edges = export(graph, args.output, args.cluster, args.format)
    write_record(args.output, make_record(inputs, cluster=args.cluster, **reading(args)))
    if not args.quiet:
        print(f"{edges:,} edges written to {args.output}")


def add(commands: Any) -> None:
    """The commands of this file, with their options."""
    command = partial(add_command, commands)

    def rule(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--negatives", default="all", choices=("all", "clusters"),
            help="carry negatives to every pair of the two clusters, or only where both have two or more sentences",
        )  # fmt: skip

    sub = command(summary, "count rows, sentences, clusters, conflicts and the labels that follow")
    sub.add_argument("--json", action="store_true", help="the counts as a JSON object")
    sub.add_argument("--clusters", type=whole, default=5, metavar="N", help="show the N largest clusters (default 5)")

    sub = command(augment, "write the four datasets: original and augmented, as given and flipped", "TRAIN")
    sub.add_argument("--test", metavar="TEST", help="a test file, closed on its own")
    sub.add_argument("-o", "--output", required=True, metavar="DIR", help="for train/, test/ and report.json")
    rule(sub)
    sub.add_argument("--max-distance", type=whole, metavar="N", help="leave out labels further than this")
    sub.add_argument("--distance", default="rounds", choices=("rounds", "hops"), help="how distance is counted")
    sub.add_argument("--max-cluster-size", type=whole, metavar="N", help="larger clusters contribute nothing")
    sub.add_argument("--max-per-cluster", type=whole, metavar="N", help="labels of each sign from one cluster")
    sub.add_argument("--seed", type=whole, default=0, help="for --max-per-cluster")
    sub.add_argument("--format", default="tsv", choices=("tsv", "parquet"), help="of the four datasets")

    sub = command(conflicts, "list the labels that contradict each other, with the path that says so")
    sub.add_argument("-o", "--output", required=True, metavar="OUT.tsv", help="- for standard output")

    sub = command(explain, "why two sentences count as paraphrases, or not: verdict and proof")
    sub.add_argument("sentence1", type=sentence, help="as it stands in FILE")
    sub.add_argument("sentence2", type=sentence, help="likewise")
    sub.add_argument("--json", action="store_true", help="verdict and proof as a JSON object")
    rule(sub)

    sub = command(split, "split so that no sentence stands on two sides")
    sub.add_argument("-o", "--output", required=True, metavar="DIR", help="for a file a share, and report.json")
    sub.add_argument("--shares", default="train=.8,dev=.1,test=.1", metavar="NAME=SHARE,…", help="adding up to 1")
    sub.add_argument(
        "--by", default="components", choices=("components", "clusters", "pairs"), help="what is kept whole"
    )
    sub.add_argument("--seed", type=whole, default=0, help="decides between components of equal size")

    sub = command(fetch, "download a public dataset from its source", None)
    sub.add_argument("name", help="qqp, mrpc, paws, sick, jsick, …")
    sub.add_argument("--folder", help="where to (default: $PARAGRAPH_DATA, else ~/.cache/paragraph)")
    sub.add_argument("--yes", action="store_true", help="accept the dataset's terms without being asked")
    sub.add_argument("--accept-changed", action="store_true", help="take a download that has changed")

    sub = command(export, "write the graph, or one cluster, for other tools")
    sub.add_argument("-o", "--output", required=True, metavar="OUT", help="a file; for Parquet a folder")
    sub.add_argument("--cluster", type=whole, metavar="ID", help="only this cluster")
    sub.add_argument("--format", choices=("graphml", "gexf", "parquet"), help="default: by the ending of OUT")
