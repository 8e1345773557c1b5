"""Commands for data: summary, augment, conflicts, clusters, sample, explain, split, fetch, export."""

from __future__ import annotations

import json
import re
import shlex
from argparse import Namespace

import paragraph as pg

from ..files import PairsError
from ..files.outputs import write_json
from ..files.shown import shown
from ..files.tables import write_table
from ..graph import variants
from ..graph.closure import SIGNS, summary_with_inferred
from ..graph.clusters import placeholders
from ..graph.export import as_written
from ..pairs.back import clean_name
from .inputs import (
    about_logs,
    assignments,
    conflicts_of,
    in_shell,
    keep_layout,
    reading_report,
    the_graph,
    the_pairs,
)
from .options import ALL, PAIRS, SAFE, SEED, STORED, TABLE, command
from .outputs import Output, announce_size, refuse_lost_answers

#: The next step with a sheet to decide conflicts in.
FILL = "Fill the column same: 1 for the same meaning, 0 for another, ? if nobody can say."


@command("summary", STORED)
def summary(args, graph):
    """Count rows, sentences, clusters, conflicts and inferred labels.

    --json  the counts as a JSON object
    --clusters N  show the N largest clusters (default 5)
    """
    keep_layout(args, graph)
    counts = {name: int(value) for name, value in summary_with_inferred(graph).items()}
    if args.json:
        print(json.dumps(counts, indent=2))
        return
    for name, count in counts.items():
        print(f"{count:>12,}  {name}")
    for text, pairs in placeholders(graph):
        leave_out = shlex.join(["--leave-out", text])
        print(
            f"\n{shown(text)!r} stands in {pairs:,} pairs, and shares no word with the other sentence of any. "
        )
        print(f"If it is a placeholder, leave its rows out: {leave_out}")
    if args.clusters:
        _print_clusters(graph, args.clusters)
    if graph.report.get("turned"):
        print(f"\n{graph.report['turned']}")


def _print_clusters(graph: pg.ParaphraseGraph, count: int) -> None:
    """Print a table of the largest clusters."""
    largest = graph.clusters().head(count)
    if graph.bipartite:
        largest = largest.drop(columns=["inferred_positive", "inferred_negative"])
    if largest.empty:
        print("\nThere is no cluster.")
        return
    texts = largest.select_dtypes(exclude="number").columns
    largest[texts] = largest[texts].map(shown)
    print(f"\n{largest.to_string(index=False, max_colwidth=60)}")


@command("augment", STORED, ALL, SEED, SAFE, called="train")
def augment(args):
    """Write the four datasets: original and augmented, as given and flipped.

    --yes  write even more than 100 million rows
    --test TEST  a test file, closed separately
    --log LOG+  people's answers about FILE, which are applied first; a label that somebody found right is not flipped
    -o --output DIR!  for train/, test/ and report.json
    --max-distance N  leave out labels at a greater distance
    --distance rounds|hops  the unit of distance (default rounds)
    --max-per-cluster N  infer at most N labels of each sign from one cluster
    --format tsv|parquet  of the four datasets (default tsv)
    --sure LEVEL  leave out inferred labels whose probability of being right is lower
    --judge minilm | DIR  with --sure: the reader of the two sentences (default: minilm)
    """
    from ..decisions.log import records_of

    if args.judge and args.sure is None:
        raise PairsError("--judge goes with --sure: it judges whether inferred labels are right")
    files = {"train": args.file}
    if args.test:
        files["test"] = args.test
    out = Output(args, folder=True)
    # Both are read before either is written: a bad test file stops both
    graphs = {part: the_graph(args, path) for part, path in files.items()}
    kept = {}
    about = {}
    if args.log:
        records = records_of(args.log)
        about["log"] = about_logs(args.log, records)
        replayed = pg.replay(records, graphs["train"])
        graphs["train"] = replayed.graph
        kept["train"] = replayed.kept
    limits = (
        "negatives",
        "max_distance",
        "distance",
        "max_per_cluster",
        "seed",
    )
    options = {name: getattr(args, name) for name in limits}
    progress = not args.quiet
    closures = {}
    report = {}
    sure = {}
    for part, graph in graphs.items():
        closures[part] = pg.infer(graph, **options)
        if args.sure is not None:
            closures[part] = pg.trust(
                closures[part], args.judge or "minilm", sure=args.sure, progress=progress
            )
            sure[part] = closures[part].levels([0, args.sure]).to_dict("records")
    with out.folder(report) as folder:
        announce_size(args, closures.values())
        for part, closure in closures.items():
            place = folder / part
            safe = args.spreadsheet_safe
            report[part] = variants.write_datasets(
                closure,
                place,
                args.format,
                progress=progress,
                kept=kept.get(part),
                spreadsheet_safe=safe,
            )
            write_table(as_written(pg.conflicts(closure.graph)), place / "conflicts.tsv", safe)
        if sure:
            report["sure"] = sure
        read = {part: reading_report(graph) for part, graph in graphs.items()}
        report["record"] = {"read": read, **about}
    for part in files:
        out.say(f"{part:<20}{'positive':>12}{'negative':>12}{'positive %':>12}")
        for name, count in report[part].items():
            share = 100 * count["positive"] / max(1, count["positive"] + count["negative"])
            out.say(f"  {name:<18}{count['positive']:>12,}{count['negative']:>12,}{share:>12.2f}")
        for sign in SIGNS if sure else ():
            every, stay = sure[part]
            right = f"of which {stay[f'{sign}_right']:,.0f} are probably right"
            out.say(f"  {stay[sign]:,} of {every[sign]:,} inferred {sign}s stay, {right}")


@command("conflicts", STORED, TABLE)
def conflicts(args, out):
    """List the labels that contradict each other, with the path that shows it.

    --to-decide  write a sheet with an empty column, for `apply`
    """
    graph = the_graph(args)
    if args.to_decide:
        _write_sheet(args, out, graph)
        return
    out.table(as_written(pg.conflicts(graph)))
    out.say(conflicts_of(graph))


def _write_sheet(args: Namespace, out: Output, graph: pg.ParaphraseGraph) -> None:
    """Write a sheet to decide conflicts in, and say the next steps."""
    from ..decisions.sheets import sheet

    table = sheet(graph)
    refuse_lost_answers(args.output)
    out.table(table)
    if table.empty:
        out.say("No label contradicts another: there is nothing to decide.")
        return
    files = shlex.join([args.file, args.output])
    out.say(f"{args.output}: {len(table):,} lines; {conflicts_of(graph)}", FILL)
    if graph.report.get("path"):
        clean = shlex.quote(clean_name(graph.report))
        out.say(f"Then: paragraph apply {files}{in_shell(args)} -o {clean}")


@command("clusters", STORED, ALL, TABLE)
def clusters(out, graph, min_size, negatives):
    """List the clusters, largest first.

    --min-size N  only clusters of at least N sentences (default 2)
    """
    table = graph.clusters(min_size=min_size, negatives=negatives)
    out.table(table)
    out.say(f"{len(table):,} clusters")


@command("sample", STORED, SEED, ALL, TABLE)
def sample(out, graph, negatives, n, seed):
    """Draw inferred labels, with their distance.

    -n N  number of labels (default 1000)
    """
    labels = pg.infer(graph, negatives=negatives).sample(n, seed)
    out.table(as_written(labels, graph))
    out.say(f"{len(labels):,} labels")


@command("explain", STORED, ALL)
def explain(args, graph):
    """Say why two sentences count as paraphrases, or not: verdict and proof.

    sentence1  a sentence as in FILE
    sentence2  another one
    --json  verdict and proof as a JSON object
    """
    explanation = pg.explain(graph, args.sentence1, args.sentence2, args.negatives)
    if args.json:
        explanation = json.dumps(explanation.to_dict(), indent=2, ensure_ascii=False)
    print(explanation)


@command("split", PAIRS, SEED, SAFE)
def split(args):
    """Split the pairs so that no two parts share a sentence.

    -o --output DIR!  for one file per part, and report.json
    --shares NAME=SHARE,…  must add up to 1 (default train=.8,dev=.1,test=.1)
    --by components|clusters  the units that are kept whole (default components)
    """
    shares = assignments(args.shares, "--shares", float)
    for name in shares:
        if not re.fullmatch(r"\w[\w.-]{,99}", name):
            raise PairsError(
                f"--shares: {name!r} cannot name a file: use letters, digits, _, . and -, a letter first"
            )
    out = Output(args, folder=True)
    parted = pg.split(the_pairs(args), shares, by=args.by, seed=args.seed, identity=args.identity)
    parts = {name: parted[parted["split"] == name] for name in shares}
    with out.folder({"split": parted.attrs["split_report"]}, shares=shares) as folder:
        for name, part in parts.items():
            pg.write_pairs(part, folder / f"{name}.tsv", args.spreadsheet_safe)
    for name, part in parts.items():
        out.say(f"{len(part):>12,}  {out.path / f'{name}.tsv'}")


@command("fetch")
def fetch(args, progress):
    """Download a public dataset from its source.

    name  qqp, mrpc, paws, sick, jsick, …
    -o --output DIR  the target (default: $PARAGRAPH_DATA, else ~/.cache/paragraph)
    --yes  accept the dataset's terms, which are shown
    """
    print(*pg.fetch(args.name, args.output, accept=args.yes, progress=progress), sep="\n")


@command("export", PAIRS, SEED)
def export(args):
    """Write the graph, or one cluster, for other tools.

    -o --output OUT!  a file that ends in .graphml; for sentence-transformers, a folder
    --cluster ID  only this cluster
    --for graphml|sentence-transformers  the graph (default graphml), or training and test sets, with inferred labels,
        and clusters for a sampler; the options below are for these
    --sure LEVEL  leave out inferred labels whose probability of being right is lower
    --judge minilm | DIR  with --sure: the reader of the two sentences (default: minilm)
    --held-out LEVEL  the share for testing, which shares no sentence with the rest (default .1)
    --by components|clusters  the units that are kept whole; a cut between clusters loses rows (default
        components)
    """
    if getattr(args, "for") == "sentence-transformers":
        _write_sets(args)
        return
    out = Output(args)
    graph = the_graph(args)
    edges = out.write(lambda part: pg.export(graph, part, args.cluster))
    out.say(f"{edges:,} edges written to {args.output}")


def _write_sets(args: Namespace) -> None:
    """Write training sets and files for evaluators; the parts share no sentence."""
    from ..learn import training

    out = Output(args, folder=True)
    pairs = the_pairs(args)
    shares = {"train": 1 - args.held_out, "test": args.held_out}
    part = pg.split(pairs, shares, by=args.by, seed=args.seed, identity=args.identity)["split"]
    train, test = (
        pg.ParaphraseGraph.from_pairs(pairs[part == name], args.identity) for name in shares
    )
    friends = pg.infer(train)
    if args.sure is not None:
        friends = pg.trust(friends, args.judge or "minilm", sure=args.sure, progress=not args.quiet)
    sets = training.training_sets(friends, seed=args.seed)
    tests = training.evaluation_sets(test)
    use = sets.choice
    report = {"use": use}
    with out.folder(report) as folder:
        report["rows"] = sets.write(folder)
        for name, content in tests.items():
            write_json(content, folder / f"test.{name}.json")
    for name, rows in report["rows"].items():
        note = "" if rows else " is not written: it has no row"
        out.say(f"{rows:>12,}  {out.path / name}.parquet{note}")
    missing = [f"test.{name}" for name in training.EVALUATORS if name not in tests]
    if missing:
        out.say(f"{'':14}not written, for the test part has too few labels: {', '.join(missing)}")
    out.say(f"Train on {use['set']}.parquet with {use['loss']}: {use['why']}.")
