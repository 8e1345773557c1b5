"""Commands that find and correct wrong labels: audit, repair, suspects, apply, agreement."""

from __future__ import annotations

import shlex
import warnings
from argparse import Namespace
from pathlib import Path
from typing import Any

import paragraph as pg

from ..doubts.judges import default_judge, judge_of
from ..doubts.suspects import ADVICE, summary
from ..files import PairsError
from ..files.names import sibling
from ..files.shown import counting
from ..graph.export import as_written
from .inputs import about_logs, conflicts_of, read_answers, reading_report, the_graph
from .options import PAIRS, SAFE, SEED, TSV, command
from .outputs import Output, refuse_lost_answers

DOUBTS = f"""{PAIRS}
{TSV}
--answers AUDIT.tsv  answers about pairs: a filled-in audit, or a log of decisions
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
        raise PairsError(
            "name a file for the sample: -o audit.tsv (or, filled in: --answers audit.tsv)"
        )
    out = Output(args)
    if args.output and not args.answers:
        refuse_lost_answers(args.output)
    graph = the_graph(args)
    if args.answers:
        report = pg.error_rates(graph, read_answers(args))
        print(report.round(3).to_string(index=False), report.attrs["note"], sep="\n")
        if args.output:
            out.table(report, read=reading_report(graph), note=report.attrs["note"])
        return
    sample = pg.audit(graph, args.n, args.seed)
    out.table(sample.assign(same=""), read=reading_report(graph))
    out.say(
        f"{len(sample):,} pairs drawn.",
        f"Fill the column same in {args.output}: 1 where the two sentences mean the same, 0 where they do not,",
        f"empty where nobody can say. Then: paragraph audit {args.file} --answers {args.output}",
    )


@command("repair", DOUBTS, f"{JUDGE}  minilm (default: where it is installed); {TRAINED}")
def repair(args, out, graph, progress):
    """Show the evidence of each conflict; with a judge, propose which label is wrong: flip the negative, or cut."""
    judge, source = judge_from(args, graph)
    table = pg.repair(graph, judge=judge, answers=read_answers(args), progress=progress)
    options = {"evidence": source}
    delta = table.attrs.get("delta")
    if delta:
        options["delta"] = delta
    out.table(as_written(table, graph), options, read=reading_report(graph))
    proposals = [f"{count:,} {kind}" for kind, count in table["proposal"].value_counts().items()]
    out.say(conflicts_of(graph), f"proposals: {', '.join(proposals) or 'none'}")
    if delta:
        out.say(
            "δ {value:.2f} (95 %: {low:.2f} to {high:.2f}; conflicts answered: {answered:,})".format(
                **delta
            )
        )


@command("suspects", DOUBTS, f"{JUDGE}  minilm (default: where it is installed); {TRAINED}")
def suspects(args, out, graph, progress):
    """List all stated pairs, the most probably wrong labels first.

    --first N  let the judge read about the first N labels of each sign; words predict the others (default 1000);
        0: it reads conflicts and a few at random
    """
    judge, source = judge_from(args, graph, all_pairs=True)
    answers = read_answers(args)
    table = pg.suspects(graph, judge=judge, answers=answers, first=args.first, progress=progress)
    options = {name: table.attrs[name] for name in ("expected", "answered")}
    options |= {"evidence": source, "first": args.first}
    out.table(as_written(table, graph), options, read=reading_report(graph))
    out.say(f"{len(table):,} stated pairs: {summary(table.attrs)}")
    if answers is None:
        out.say(ADVICE)


def judge_from(
    args: Namespace, graph: pg.ParaphraseGraph, *, all_pairs: bool = False
) -> tuple[Any, str]:
    """Return the judge of sentences in conflict, or of all pairs, or None; and in words for a record who it is."""
    if args.judge == "none":
        return None, "none asked for"
    if not all_pairs and not graph.negatives_inside.any():
        warnings.warn("no judge is needed: there is no conflict", stacklevel=2)
        return None, "none needed: there is no conflict"
    name = args.judge or default_judge()
    if name is None:
        return None, "none is installed"
    judge = judge_of(name, progress=not args.quiet)
    source = f"{Path(name).name}: {judge.about}"  # a record holds no path
    warnings.warn(f"the judge is {source}; --judge none does without", stacklevel=2)
    if name == "minilm":
        judge = name
    return judge, source


@command("apply", PAIRS)
def apply(args):
    """Apply people's answers: write a copy of the file, corrected.

    log LOG+  a log, a filled-in sheet (named after its reviewer), or what a saved page wrote
    -o --output CLEAN.csv!  with the ending of FILE; what was left out, and all decisions, go beside it
    --cut drop|negative  rows of a wrong positive are dropped, or become 0, as always where a column
        decided says it (default drop)
    """
    from ..decisions.log import records_of
    from ..decisions.replay import cut_choice

    out = Output(args)
    graph = the_graph(args)
    records = records_of(args.log)
    replayed = pg.replay(records, graph, cut=args.cut)
    outcomes = replayed.counts
    log = about_logs(args.log, records)
    count = out.write(replayed.write, read=reading_report(graph), log=log, outcomes=outcomes)
    out.say(replayed)
    if "dropped" in outcomes:
        out.say(cut_choice(graph))
    out.say(f"{counting(count, 'row')} left out: {sibling(args.output, 'left_out')}")
    if graph.report.get("back"):
        out.say(f"In {args.output}: {graph.report['back']}.")


@command("agreement")
def agreement(args):
    """Measure how far people agree in their answers about pairs, and list the pairs to talk about, with notes.

    log LOG+  logs, filled-in sheets (each named after its reviewer), or what saved pages wrote
    -o --output OUT.tsv  for the pairs to talk about
    """
    out = Output(args)
    agreed = pg.agreement(*args.log)
    if args.output:
        out.table(as_written(agreed.disagreements))
    logs = shlex.join(args.log)
    follows = f"apply FILE {logs} -o CLEAN"
    if agreed.disputes:
        follows = f"review FILE --reviewer NAME --settle {logs}"
    out.say(agreed, f"Next: paragraph {follows}")
