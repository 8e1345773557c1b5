"""The same verbs from a shell: ``paragraph summary``, ``augment``, ``conflicts``, ``explain`` and so on."""

from __future__ import annotations

import argparse
import io
import json
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .datasets import FetchError
from .pairs import PairsError, read_pairs

if TYPE_CHECKING:
    import pandas as pd

    from .graph import ParaphraseGraph

__all__ = ["main"]


def main(argv: list[str] | None = None) -> int:
    """Run one command; exit status 0, or 2 with the error on stderr."""
    args = parser().parse_args(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):  # UTF-8 like the files, whatever the terminal's own
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        with warnings.catch_warnings(), _copied(args):
            warnings.showwarning = lambda message, *_, **__: args.quiet or print(f"note: {message}", file=sys.stderr)
            warnings.simplefilter("always")
            args.run(args)
        sys.stdout.flush()
        return 0
    except BrokenPipeError:  # the reader of our output has gone: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (PairsError, FetchError, OSError) as error:
        print(f"paragraph: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("paragraph: interrupted", file=sys.stderr)
        return 2


#: What a record keeps of how a file was read.
READ = ("format", "rows", "kept", "notes")

# -- commands --------------------------------------------------------------------------------------------


def summary(args: argparse.Namespace) -> None:
    from .inference import infer

    graph = _graph(args)
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
    from .contradictions import conflicts, write_conflicts
    from .inference import infer
    from .record import make_record, write_json
    from .variants import NAMES, write_datasets

    limits = ("negatives", "max_distance", "distance", "max_cluster_size", "max_per_cluster", "seed")
    options = {name: getattr(args, name) for name in limits}
    report: dict[str, Any] = {}
    inputs = {"train": args.file} | ({"test": args.test} if args.test else {})
    graphs = {
        name: _graph(args, path) for name, path in inputs.items()
    }  # a bad test file stops before any is written
    read = {name: {key: graph.pairs.attrs["report"][key] for key in READ} for name, graph in graphs.items()}
    for name, graph in graphs.items():
        folder = Path(args.output) / name
        _spare(inputs, *(folder / f"{dataset}.{args.format}" for dataset in NAMES))
        report[name] = write_datasets(graph, folder, infer(graph, **options), args.format, not args.quiet)
        write_conflicts(conflicts(graph), folder / "conflicts.tsv")
    record = make_record(inputs, **options, format=args.format, **_reading(args)) | {"read": read}
    write_json(report | {"record": record}, Path(args.output) / "report.json")
    if not args.quiet:
        for part, datasets in report.items():
            print(f"{part:<20}{'positive':>12}{'negative':>12}{'positive %':>12}")
            for name, count in datasets.items():
                total = max(1, count["positive"] + count["negative"])
                share = 100 * count["positive"] / total
                print(f"  {name:<18}{count['positive']:>12,}{count['negative']:>12,}{share:>12.2f}")


def conflicts(args: argparse.Namespace) -> None:
    from .contradictions import conflicts, write_conflicts
    from .record import make_record, write_record

    found = conflicts(_graph(args))
    if args.output == "-":
        # Not by the name /dev/stdout: to open that anew would empty a file that is appended to.
        write_conflicts(found, os.dup(sys.stdout.fileno()))
        return
    inputs = {"pairs": args.file}
    _spare(inputs, args.output)
    write_conflicts(found, args.output)
    write_record(args.output, make_record(inputs, **_reading(args)))
    if not args.quiet:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in found["kind"].value_counts().items())
        print(f"{len(found):,} conflict{'s' * (len(found) != 1)}{': ' * bool(kinds)}{kinds}")


def explain(args: argparse.Namespace) -> None:
    from .proof import explain

    found = explain(_graph(args), args.sentence1, args.sentence2, args.negatives)
    print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) if args.json else found)


def split(args: argparse.Namespace) -> None:
    from .pairs import write_pairs
    from .record import make_record, write_json
    from .splits import split

    shares = _assignments(args.shares, "--shares", float)
    pairs = split(_pairs(args), shares, by=args.by, seed=args.seed, identity=args.identity)
    folder, inputs = Path(args.output), {"pairs": args.file}
    _spare(inputs, *(folder / f"{name}.tsv" for name in shares))
    folder.mkdir(parents=True, exist_ok=True)
    for name in shares:
        write_pairs(pairs[(pairs["split"] == name).fillna(False)], folder / f"{name}.tsv")
    report = pairs.attrs["split_report"]
    record = make_record(inputs, shares=shares, by=args.by, seed=args.seed, **_reading(args))
    write_json({"split": report, "record": record}, folder / "report.json")
    if not args.quiet:
        for name in shares:
            print(f"{int((pairs['split'] == name).sum()):>12,}  {folder / name}.tsv")


def fetch(args: argparse.Namespace) -> None:
    from .datasets import fetch

    options = {"accept": args.yes, "accept_changed": args.accept_changed, "progress": not args.quiet}
    print(*fetch(args.name, args.folder, **options), sep="\n")


def export(args: argparse.Namespace) -> None:
    from .export import export
    from .record import make_record, write_record

    graph, inputs = _graph(args), {"pairs": args.file}
    _spare(inputs, args.output)
    edges = export(graph, args.output, args.cluster, args.format)
    write_record(args.output, make_record(inputs, cluster=args.cluster, **_reading(args)))
    if not args.quiet:
        print(f"{edges:,} edges written to {args.output}")


# -- arguments -------------------------------------------------------------------------------------------


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(
        prog="paragraph",
        description="Paraphrase datasets as signed graphs: what follows, what contradicts what.",
        epilog="Every command takes --help. FILE may be -, for standard input.",
    )
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    def command(run: Any, help: str, file: str | None = "FILE") -> argparse.ArgumentParser:
        sub = commands.add_parser(run.__name__, help=help, description=help)
        sub.set_defaults(run=run)
        sub.add_argument("-q", "--quiet", action="store_true", help="no notes, no progress")
        if file:
            sub.add_argument("file", metavar=file, help="labelled pairs: CSV, TSV, JSONL, Parquet; .gz too")
            reading = sub.add_argument_group("how to read the file")
            reading.add_argument("--input", default="auto", metavar="FORMAT", help="its format (default: look at it)")
            reading.add_argument(
                "--columns",
                metavar="text_a=…,text_b=…,label=…",
                help="which columns hold what; where there is no header, numbers from 0",
            )
            reading.add_argument("--labels", metavar="yes=1,no=0 | LOW,HIGH", help="label map, or two thresholds")
            reading.add_argument("--unlabelled", choices=("error", "keep", "skip"), help="rows without a label")
            reading.add_argument("--on-error", choices=("error", "skip"), help="bad rows: stop, or skip and count")
            reading.add_argument(
                "--identity",
                default="text",
                choices=("text", "normal", "id"),
                help="when two spellings are one",
            )
        return sub

    def rule(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--negatives", default="all", choices=("all", "clusters"),
            help="carry negatives to every pair of the two clusters, or only where both have two or more sentences",
        )  # fmt: skip

    sub = command(summary, "count rows, sentences, clusters, conflicts and the labels that follow")
    sub.add_argument("--json", action="store_true", help="the counts as a JSON object")
    sub.add_argument(
        "--clusters", type=_whole, default=5, metavar="N", help="show the N largest clusters (default 5)"
    )

    sub = command(augment, "write the four datasets: original and augmented, as given and flipped", "TRAIN")
    sub.add_argument("--test", metavar="TEST", help="a test file, closed on its own")
    sub.add_argument("-o", "--output", required=True, metavar="DIR", help="for train/, test/ and report.json")
    rule(sub)
    sub.add_argument("--max-distance", type=_whole, metavar="N", help="leave out labels further than this")
    sub.add_argument("--distance", default="rounds", choices=("rounds", "hops"), help="how distance is counted")
    sub.add_argument("--max-cluster-size", type=_whole, metavar="N", help="larger clusters contribute nothing")
    sub.add_argument("--max-per-cluster", type=_whole, metavar="N", help="labels of each sign from one cluster")
    sub.add_argument("--seed", type=_whole, default=0, help="for --max-per-cluster")
    sub.add_argument("--format", default="tsv", choices=("tsv", "parquet"), help="of the four datasets")

    sub = command(conflicts, "list the labels that contradict each other, with the path that says so")
    sub.add_argument("-o", "--output", required=True, metavar="OUT.tsv", help="- for standard output")

    sub = command(explain, "why two sentences count as paraphrases, or not: verdict and proof")
    sub.add_argument("sentence1", type=_sentence, help="as it stands in FILE")
    sub.add_argument("sentence2", type=_sentence, help="likewise")
    sub.add_argument("--json", action="store_true", help="verdict and proof as a JSON object")
    rule(sub)

    sub = command(split, "split so that no sentence stands on two sides")
    sub.add_argument("-o", "--output", required=True, metavar="DIR", help="for a file a share, and report.json")
    sub.add_argument("--shares", default="train=.8,dev=.1,test=.1", metavar="NAME=SHARE,…", help="adding up to 1")
    sub.add_argument("--by", default="pairs", choices=("pairs", "clusters"), help="what is kept whole")
    sub.add_argument("--seed", type=_whole, default=0, help="decides between components of equal size")

    sub = command(fetch, "download a public dataset from its source", None)
    sub.add_argument("name", help="qqp, mrpc, paws, sick, jsick, …")
    sub.add_argument("--folder", help="where to (default: $PARAGRAPH_DATA, else ~/.cache/paragraph)")
    sub.add_argument("--yes", action="store_true", help="accept the dataset's terms without being asked")
    sub.add_argument("--accept-changed", action="store_true", help="take a download that has changed")

    sub = command(export, "write the graph, or one cluster, for other tools")
    sub.add_argument("-o", "--output", required=True, metavar="OUT", help="a file; for Parquet a folder")
    sub.add_argument("--cluster", type=_whole, metavar="ID", help="only this cluster")
    sub.add_argument("--format", choices=("graphml", "gexf", "parquet"), help="default: by the ending of OUT")
    return top


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _sentence(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"{text!r} is not UTF-8") from None
    return text


@contextmanager
def _copied(args: argparse.Namespace) -> Iterator[None]:
    """Copies of inputs that can be read only once (standard input, pipes): they are read, then hashed."""
    given = {name: getattr(args, name, None) for name in ("file", "test")}
    if list(given.values()) == ["-", "-"]:
        raise PairsError("standard input holds one file: TRAIN or TEST, not both")
    with tempfile.TemporaryDirectory(prefix="paragraph-") as folder:
        for name, path in given.items():
            if path == "-" or Path(path or "").is_fifo():
                copy = Path(tempfile.mkdtemp(dir=folder), "standard input" if path == "-" else Path(path).name)
                setattr(args, name, str(copy))
                with (
                    open(0 if path == "-" else path, "rb", closefd=path != "-") as source,
                    copy.open("wb") as out,
                ):
                    shutil.copyfileobj(source, out)
        yield


def _spare(inputs: dict[str, str], *outputs: str | Path) -> None:
    """Refuse to write over what was read."""
    for path in outputs:
        if os.path.exists(path) and any(os.path.samefile(path, given) for given in inputs.values()):
            raise PairsError(f"{path} is the input and would be written over; name another output")


def _reading(args: argparse.Namespace) -> dict[str, Any]:
    return {
        name: value
        for name in ("input", "columns", "labels", "unlabelled", "on_error", "identity")
        if (value := getattr(args, name)) is not None
    }


def _pairs(args: argparse.Namespace, path: str | None = None) -> pd.DataFrame:
    options: dict[str, Any] = {"format": args.input}
    if args.columns:
        options["columns"] = _assignments(args.columns, "--columns", lambda v: int(v) if v.isdecimal() else v)
    if args.labels:
        if "=" in args.labels:
            options["labels"] = _assignments(args.labels, "--labels", lambda v: int(v) if v else None)
        else:
            try:
                low, high = map(float, args.labels.split(","))
            except ValueError:
                raise PairsError(
                    f"--labels {args.labels!r} is neither yes=1,no=0 nor two thresholds LOW,HIGH"
                ) from None
            options["labels"] = (low, high)
    if args.unlabelled:
        options["unlabelled"] = args.unlabelled
    if args.on_error:
        options["on_error"] = args.on_error
    return read_pairs(path or args.file, **options)


def _graph(args: argparse.Namespace, path: str | None = None) -> ParaphraseGraph:
    from .graph import ParaphraseGraph

    return ParaphraseGraph.from_pairs(_pairs(args, path), args.identity)


def _assignments(text: str, option: str, convert: Any) -> dict[str, Any]:
    try:
        return {
            name.strip(): convert(value.strip()) for name, value in (part.split("=", 1) for part in text.split(","))
        }
    except ValueError:
        raise PairsError(f"{option} {text!r} is not a list like a=1,b=2") from None
