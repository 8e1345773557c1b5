"""Commands for data: summary, augment, conflicts, clusters, sample, explain, split, fetch, export."""

from __future__ import annotations

import json
import re
import shlex
from argparse import Namespace

import paragraph as pg

from ..files import PairsError
from ..files.outputs import refuse_overwrite, write_json
from ..files.shown import shown
from ..files.tables import write_table
from ..graph import variants
from ..graph.closure import SIGNS
from ..graph.export import as_written
from ..graph.known import summary_with_inferred
from ..graph.placeholders import placeholders
from .files import (
    Output,
    announce_size,
    assignments,
    clean_file,
    conflicts_of,
    in_shell,
    settle_layout,
    spare_judgements,
    the_graph,
    the_pairs,
    what_was_read,
)
from .options import ALL, PAIRS, SAFE, SEED, STORED, TABLE, command


@command("summary", STORED)
def summary(args, graph):
    """Count rows, sentences, clusters, conflicts and inferred labels.

    --json  the counts as a JSON object
    --clusters N  show the N largest clusters (default 5)
    """
    settle_layout(args, graph)
    table = summary_with_inferred(graph)
    if args.json:
        print(json.dumps({name: int(value) for name, value in table.items()}, indent=2))
        return
    for name, value in table.items():
        print(f"{value:>12,}  {name}")
    for text, pairs in placeholders(graph):
        leave_out = shlex.join(["--leave-out", text])
        print(f"\n{shown(text)!r} stands in {pairs:,} pairs, and shares no word with the other sentence of any. ")
        print(f"If it is a placeholder, leave its rows out: {leave_out}")
    if args.clusters:
        largest = graph.clusters().head(args.clusters)
        if graph.bipartite:
            largest = largest.drop(columns=["inferred_positive", "inferred_negative"])
        largest = largest.map(lambda cell: shown(cell) if isinstance(cell, str) else cell)
        table = largest.to_string(index=False, max_colwidth=60) if len(largest) else "There is no cluster."
        print(f"\n{table}")
    if turned := graph.report.get("turned"):
        print(f"\n{turned}")


@command("augment", STORED, ALL, SEED, SAFE, called="train")
def augment(args):
    """Write the four datasets: original and augmented, as given and flipped.

    --yes  write even more than 100 million rows
    --test TEST  a test file, closed separately
    -o --output DIR!  for train/, test/ and report.json
    --max-distance N  leave out labels at a greater distance
    --distance rounds|hops  the unit of distance (default rounds)
    --max-cluster-size N  infer nothing from larger clusters
    --max-per-cluster N  infer at most N labels of each sign from one cluster
    --format tsv|parquet  of the four datasets (default tsv)
    --sure LEVEL  leave out inferred labels whose probability of being right is lower
    --judge minilm | DIR  with --sure: the reader of the two sentences (default: minilm)
    """
    if args.judge and args.sure is None:
        raise PairsError("--judge goes with --sure: it judges whether inferred labels are right")
    parts = {"train": args.file} | ({"test": args.test} if args.test else {})
    out = Output(args, folder=True)
    # Both are read before either is written: a bad test file stops both
    graphs = {name: the_graph(args, path) for name, path in parts.items()}
    limits = ("negatives", "max_distance", "distance", "max_cluster_size", "max_per_cluster", "seed")
    options = {name: getattr(args, name) for name in limits}
    closures = {name: pg.infer(graph, **options) for name, graph in graphs.items()}
    safe, bars, report, stay = args.spreadsheet_safe, {"progress": not args.quiet}, {}, {}
    if args.sure is not None:
        asked = {"judge": args.judge or "minilm", "sure": args.sure, **bars}
        closures = {name: pg.trust(closure, **asked) for name, closure in closures.items()}
        stay = {name: closure.levels([0, args.sure]).to_dict("records") for name, closure in closures.items()}
    with out.folder(report) as folder:
        announce_size(args, closures.values())
        for name, closure in closures.items():
            place = folder / name
            report[name] = variants.write_datasets(closure, place, args.format, spreadsheet_safe=safe, **bars)
            write_table(as_written(pg.conflicts(closure.graph)), place / "conflicts.tsv", safe)
        report |= {"sure": stay} if stay else {}
        report["record"] = {"read": {name: what_was_read(graph) for name, graph in graphs.items()}}
    for part in parts:
        out.say(f"{part:<20}{'positive':>12}{'negative':>12}{'positive %':>12}")
        for name, count in report[part].items():
            share = 100 * count["positive"] / max(1, count["positive"] + count["negative"])
            out.say(f"  {name:<18}{count['positive']:>12,}{count['negative']:>12,}{share:>12.2f}")
        for sign in SIGNS if part in stay else ():
            (follow, _), (left, right) = ((row[sign], row[f"{sign}_right"]) for row in stay[part])
            out.say(f"  {left:,} of {follow:,} inferred {sign}s stay, of which {right:,.0f} are probably right")


@command("conflicts", STORED, TABLE)
def conflicts(args, out):
    """List the labels that contradict each other, with the path that shows it.

    --to-decide  write a sheet with an empty column, for `apply`; .json for Label Studio, .jsonl for Prodigy
    """
    if args.to_decide:
        from ..decisions.sheets import sheet, write_interface, write_sheet

        if is_tasks := out.path.suffix == ".json":
            refuse_overwrite([args.file], out.path.with_suffix(".xml"))

        graph = the_graph(args)
        table = sheet(graph)
        if args.output == "-":
            return out.table(table)
        spare_judgements(args)
        out.write(lambda part: write_sheet(table, part, args.spreadsheet_safe))
        if is_tasks:
            write_interface(out.path)
        if table.empty:
            return out.say("No label contradicts another: there is nothing to decide.")
        kind, fill = (
            out.path.suffix,
            "Fill the column same: 1 for the same meaning, 0 for another, ? if nobody can say.",
        )
        tasks = {
            ".json": "Import it into Label Studio, with its .xml as labelling interface; export as JSON.",
            ".jsonl": f"Run: prodigy mark NAME {args.output} --view-id choice; prodigy db-out NAME > answers.jsonl.",
        }
        filled = shlex.join([args.file, f"answers{kind}" if kind in tasks else args.output])
        clean = shlex.quote(clean_file(args, graph))
        out.say(f"{args.output}: {len(table):,} lines; {conflicts_of(graph)}", tasks.get(kind, fill))
        return out.say(f"Then: paragraph apply {filled}{in_shell(args)} -o {clean}")
    graph = the_graph(args)
    out.table(as_written(pg.conflicts(graph)))
    out.say(conflicts_of(graph))


@command("clusters", STORED, ALL, TABLE)
def clusters(out, graph, min_size, negatives):
    """List the clusters, largest first.

    --min-size N  only clusters of at least N sentences (default 2)
    """
    found = graph.clusters(min_size=min_size, negatives=negatives)
    out.table(found)
    out.say(f"{len(found):,} clusters")


@command("sample", STORED, SEED, ALL, TABLE)
def sample(out, graph, negatives, n, seed):
    """Draw inferred labels, with their distance.

    -n N  number of labels (default 1000)
    """
    found = pg.infer(graph, negatives=negatives).sample(n, seed)
    out.table(as_written(found, graph))
    out.say(f"{len(found):,} labels")


@command("explain", STORED, ALL)
def explain(args, graph):
    """Say why two sentences count as paraphrases, or not: verdict and proof.

    sentence1  a sentence as in FILE
    sentence2  another one
    --json  verdict and proof as a JSON object
    """
    found = pg.explain(graph, args.sentence1, args.sentence2, args.negatives)
    print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) if args.json else found)


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

    -o --output OUT!  a file that ends in .graphml; with --for, a folder
    --cluster ID  only this cluster
    --for sentence-transformers  instead: training and test sets, with inferred labels, and clusters for a sampler
    --sure LEVEL  with --for: leave out inferred labels whose probability of being right is lower
    --judge minilm | DIR  with --sure: the reader of the two sentences (default: minilm)
    --held-out LEVEL  with --for: the share for testing, which shares no sentence with the rest (default .1)
    --by components|clusters  with --for: the units that are kept whole; a cut between clusters loses rows (default
        components)
    """
    if getattr(args, "for"):
        return _for_training(args)
    out, graph = Output(args), the_graph(args)
    edges = out.write(lambda part: pg.export(graph, part, args.cluster))
    out.say(f"{edges:,} edges written to {args.output}")


def _for_training(args: Namespace) -> None:
    """Write training sets and files for evaluators; the parts share no sentence."""
    from ..learn import training

    if getattr(args, "for") != "sentence-transformers":
        raise PairsError(f"--for {getattr(args, 'for')!r}: only sentence-transformers is known")
    out, pairs = Output(args, folder=True), the_pairs(args)
    shares = {"train": 1 - args.held_out, "test": args.held_out}
    of = pg.split(pairs, shares, by=args.by, seed=args.seed, identity=args.identity)["split"]
    train, test = (pg.ParaphraseGraph.from_pairs(pairs[of == name], args.identity) for name in shares)
    friends, report = pg.infer(train), {}
    if args.sure is not None:
        friends = pg.trust(friends, args.judge or "minilm", sure=args.sure, progress=not args.quiet)
    sets, tests = training.training_sets(friends, seed=args.seed), training.evaluation_sets(test)
    report["use"] = use = sets.choice
    with out.folder(report) as folder:
        report["rows"] = sets.write(folder)
        for name, given in tests.items():
            write_json(given, folder / f"test.{name}.json")
    for name, rows in report["rows"].items():
        out.say(f"{rows:>12,}  {out.path / name}.parquet" + " is not written: it has no row" * (not rows))
    if gone := [name for name in training.EVALUATORS if name not in tests]:
        out.say(f"{'':14}not written, for the test part has too few labels: test.{', test.'.join(gone)}")
    out.say(f"Train on {use['set']}.parquet with {use['loss']}: {use['why']}.")
