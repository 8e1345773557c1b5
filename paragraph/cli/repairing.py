"""Commands that find and correct wrong labels: audit, repair, suspects, apply, agreement."""

from __future__ import annotations

import os
import shlex
import warnings
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import paragraph as pg

from ..doubts.questions import summary
from ..doubts.suspects import ADVICE
from ..files import PairsError
from ..files.names import is_table_name, sibling
from ..graph import variants
from ..graph.proof import as_written
from .files import (
    Output,
    announce_size,
    conflicts_of,
    read_answers,
    spare_judgements,
    the_graph,
    what_was_read,
)
from .options import PAIRS, SAFE, SEED, TSV, command

#: What using a model requires: the extra "learn".
LEARN = ("torch", "transformers", "sklearn")
JUDGED = f"""{PAIRS}
{TSV}
--answers AUDIT.tsv  judged pairs: a filled-in audit, or a log of decisions
"""
JUDGE = "--judge NAME | DIR"
TRAINED = "the folder of a trained adapter; none"


@command("audit", PAIRS, SEED, SAFE)
def audit(args):
    """Draw pairs to judge by hand, and say how many labels of each kind are wrong.

    -o --output OUT.tsv  the sample, or with --answers the report
    -n N  the number of pairs to draw (default 100)
    --answers AUDIT.tsv  the sample, its column same filled in with 1, 0 or nothing (or a log)
    """
    if not (args.output or args.answers):
        raise PairsError("name a file for the sample: -o audit.tsv (or, filled in: --answers audit.tsv)")
    out = Output(args)
    if args.answers:
        graph = the_graph(args)
        report = pg.audited(graph, read_answers(args, args.answers))
        print(report.round(3).to_string(index=False), report.attrs["note"], sep="\n")
        if args.output:
            out.table(report, read=what_was_read(graph), note=report.attrs["note"])
        return
    spare_judgements(args)
    graph = the_graph(args)
    sample = pg.audit(graph, args.n, args.seed)
    out.table(sample.assign(same=""), read=what_was_read(graph))
    out.say(
        f"{len(sample):,} pairs drawn.",
        f"Fill the column same in {args.output}: 1 where the two sentences mean the same, 0 where they do not,",
        f"empty where nobody can say. Then: paragraph audit {args.file} --answers {args.output}",
    )


@command("repair", JUDGED, f"{JUDGE}  minilm (default: reads the sentences in conflict); {TRAINED}")
def repair(args, out, graph, progress):
    """Show the evidence of each conflict; with a model, propose which label is wrong: flip the negative, or cut."""
    model, source = judge_from(args, graph)
    table = pg.repair(graph, judge=model, answers=read_answers(args, args.answers), progress=progress)
    delta = table.attrs.get("delta")
    options = {"evidence": source} | ({"delta": delta} if delta else {})
    out.table(as_written(table, graph), options, read=what_was_read(graph))
    direct = int((graph.labelled_twice & ~graph.negatives_inside).sum()) + len(graph.self_negatives)
    more = [f"for {direct:,}, own rows contradict each other: decide these (review, conflicts --to-decide)"]
    proposed = ", ".join(f"{count:,} {kind}" for kind, count in table["proposal"].value_counts().items())
    out.say(conflicts_of(graph), f"proposals: {proposed or 'none'}", *more * bool(direct))
    if delta:
        out.say("δ {value:.2f} (95 %: {low:.2f} to {high:.2f}; conflicts answered: {answered:,})".format(**delta))


@command("suspects", JUDGED, f"{JUDGE}  minilm (default, where it is installed); {TRAINED}")
def suspects(args, out, graph, progress):
    """List all stated pairs, the most probably wrong labels first.

    --first N  let the model read about the first N labels of each sign; words predict the others (default 1000);
        0: as soon as possible, and `paragraph review --pairs` reads on
    """
    model, source = judge_from(args, graph, all_pairs=True)
    answers = read_answers(args, args.answers)
    table = pg.suspects(graph, judge=model, answers=answers, first=args.first, progress=progress)
    options = {
        "evidence": source,
        "first": args.first,
        "expected": table.attrs["expected"],
        "answered": table.attrs["answered"],
    }
    out.table(as_written(table, graph), options, read=what_was_read(graph))
    out.say(f"{len(table):,} stated pairs: {summary(table.attrs)}")
    if answers is None:
        out.say(ADVICE)


def judge_from(args: Namespace, graph: pg.ParaphraseGraph, *, all_pairs: bool = False) -> tuple[Any, str]:
    """Return the model or judge that reads sentences, or None, and its source in words.

    It reads sentences in conflict, or those of `all_pairs`. If a model cannot be used, the default one is left out,
    but one that the user named is an error.
    """
    model = None
    name = args.judge or "minilm"
    missing = ", ".join(package for package in LEARN if find_spec(package) is None)
    if name == "none":
        source = "none asked for"
    elif not all_pairs and not graph.negatives_inside.any():
        source = "not needed: there is no conflict"
    elif missing and args.judge:
        raise PairsError(f"--judge {args.judge} needs {missing}: pip install '.[learn]' in your copy of paragraph")
    elif missing:
        source = f"none (not installed: {missing})"
    else:
        from ..doubts.judges import judge_of

        judge = judge_of(name, progress=not args.quiet)
        model = name if name == "minilm" else judge
        named = Path(name).name if os.path.exists(name) else name  # a record holds no path
        source = f"{named}: {judge.about}"
    warnings.warn(f"evidence of a model: {source}" + ("; --judge none does without" if model else ""), stacklevel=2)
    return model, source


@command("apply", PAIRS, SAFE)
def apply(args):
    """Apply people's answers: write the file itself, corrected, or a folder with its variants.

    log LOG+  a log or its export, or a filled-in sheet; one per reviewer (Ada=sheet.csv names its author)
    -o --output CLEAN.csv | DIR!  with an ending, FILE itself, corrected; else a folder for
        corrected.tsv and its variants
    --yes  write even more than 100 million rows
    --cut drop|negative  rows of a wrong positive are dropped, or become 0, as always where a column
        decided says it (default drop)
    """
    from ..decisions.log import digest, file_of, records_of
    from ..decisions.record import SAME
    from ..decisions.replay import cut_choice

    if args.output == "-":
        raise PairsError("apply writes a file or a folder, not standard output; name it: -o clean.csv")
    own = is_table_name(args.output)
    out = Output(args, folder=not own)
    graph, records = the_graph(args), records_of(args.log, args.encoding)
    replayed = pg.replay(records, graph, cut=args.cut)
    # The bytes of a log depend on how it was filled; those of its export do not.
    names = ", ".join(Path(file_of(path)).name for path in args.log)
    log = {"file": names, "records": len(records), "sha256 of its JSONL export": digest(records)}
    outcomes = replayed.counts
    unknown = outcomes.get("not in these data", 0)
    answered = sum(outcomes.values()) - outcomes.get("in conflict", 0)
    if 2 * unknown > answered:
        warnings.warn(
            f"no row states {unknown:,} of {answered:,} answered pairs: are they about this file?", stacklevel=2
        )
    facts = {"read": what_was_read(graph), "log": log}
    dropped = replayed.outcome("dropped")["same"]
    choice = [cut_choice(graph)] if (dropped == SAME["0"]).any() else []
    if own:
        count = out.write(lambda part: replayed.write(part, args.spreadsheet_safe), outcomes=outcomes, **facts)
        rows = "1 row" if count == 1 else f"{count:,} rows"
        out.say(replayed, *choice, f"{rows} left out: {sibling(args.output, 'left_out')}")
        if graph.report.get("back"):
            out.say(f"In {args.output}: {graph.report['back']}.")
        return
    closure = pg.infer(replayed.graph)
    options = {"kept": replayed.kept, "spreadsheet_safe": args.spreadsheet_safe, "progress": not args.quiet}
    report = {"outcomes": outcomes, "record": facts}
    with out.folder(report) as folder:
        announce_size(args, [closure])
        replayed.write(folder, spreadsheet_safe=args.spreadsheet_safe)
        report["datasets"] = variants.write_datasets(closure, folder, **options)
    out.say(replayed, *choice)


@command("agreement", SEED)
def agreement(args):
    """Measure how far people agree in their answers about pairs, and list the pairs to talk about, with notes.

    log LOG+  a log or its export, or a filled-in sheet, per reviewer or for all (Ada=sheet.csv names its author)
    -o --output OUT.tsv  for the pairs to talk about
    """
    out = Output(args)
    found = pg.agreement(*args.log, seed=args.seed)
    if args.output:
        out.table(as_written(found.disagreements))
    named = shlex.join(args.log)
    next_ = f"review FILE … --reviewer NAME --log settled.db --settle {named}" if len(found.disagreements) else ""
    out.say(found, f"Next: paragraph {next_ or f'apply FILE … {named} -o clean.csv'}")
