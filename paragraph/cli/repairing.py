"""Commands that find and mend wrong labels: audit, repair, suspects, apply, agreement."""

from __future__ import annotations

import os
import shlex
import warnings
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

import paragraph as pg

from ..graph import variants
from ..graph.proof import WRITTEN
from ..measure.audit import NAMES, allocation
from ..measure.judged import KINDS, Strata
from ..pairs import PairsError
from ..pairs.corrected import beside_corrected, is_table_name
from ..pairs.outputs import all_or_none, spare, write_record
from ..repairs.known import said_of
from .files import (
    Output,
    count_of,
    read_judged,
    spare_judgements,
    the_graph,
    the_table,
    weigh,
    what_was_read,
    write_filled,
)
from .options import PAIRS, SAFE, SEED, TSV, command

#: What asking a model takes: the extra "learn".
LEARN = ("torch", "transformers", "sklearn")
EVIDENCE = f"""{PAIRS}
{TSV}
--evidence COLUMNS.tsv  question1, question2, and columns of numbers about the pair
--audit AUDIT.tsv  pairs that somebody judged: an audit filled in, or a log of decisions
"""
MODEL = "--model NAME | DIR | HUB"
TRAINED = "a trained adapter or classifier; none"


@command("audit", PAIRS, SEED, SAFE)
def audit(args):
    """Draw pairs to judge by hand, and say how many labels of each kind are wrong.

    -o --output AUDIT.tsv  the sample, or with --judged the report
    -n N  how many pairs to draw (default 100)
    --judged AUDIT.tsv  the sample, its column same filled in with 1, 0 or nothing (or a log)
    --model NAME | DIR | HUB | none  with --judged: say how far p_wrong of `suspects --model` can be trusted
    """
    if not (args.output or args.judged):
        raise PairsError("name a file for the sample: -o audit.tsv (or, filled in: --judged audit.tsv)")
    out = Output(args)
    if args.judged:
        graph, predicted = the_graph(args), None
        if args.model:
            evidence, model, _ = opinions(args, graph, all_pairs=True)
            predicted = pg.suspects(graph, evidence, model=model, progress=not args.quiet)
        report = pg.audited(graph, read_judged(args, args.judged), predicted)
        print(report)
        if args.output:
            out.table(report.table, read=what_was_read(graph.pairs), note=report.note)
        return
    if args.model:
        raise PairsError("--model goes with --judged: it compares predictions with what was judged")
    spare_judgements(args)
    graph = the_graph(args)
    sample = pg.audit(graph, args.n, args.seed)
    numbers = allocation(Strata(graph).counts, args.n).sum(axis=1).tolist()
    kinds = {name: number for name, number in zip(KINDS, numbers, strict=True) if number}
    out.table(sample.assign(same=""), drawn=kinds, read=what_was_read(graph.pairs))
    each = ", ".join(f"{number:,} {NAMES[name]}" for name, number in kinds.items())
    out.say(
        f"{len(sample):,} pairs drawn: {each}",
        f"Fill the column same in {args.output}: 1 where the two sentences mean the same, 0 where they do not,",
        f"empty where nobody can say. Then: paragraph audit {args.file} --judged {args.output}",
    )


@command(
    "repair",
    EVIDENCE,
    "--method weigh|flip_all  weigh the evidence, or flip all, as the paper does (default weigh)",
    f"{MODEL}  minilm (default: reads the sentences in conflict); {TRAINED}",
)
def repair(args, out, progress):
    """Show the evidence of each conflict; with a model, propose which label is wrong: flip the negative, or cut."""
    from ..repairs.delta import delta_in_words

    unused = [name for name in ("evidence", "audit", "model") if getattr(args, name) not in (None, "none")]
    if args.method == "flip_all" and unused:
        raise PairsError(f"--method flip_all flips every conflict; leave out --{' and --'.join(unused)}")
    graph, evidence, model, source = the_graph(args), None, None, "not needed"
    if args.method == "weigh":
        evidence, model, source = opinions(args, graph)
    audit = read_judged(args, args.audit)
    table = pg.repair(graph, evidence, method=args.method, model=model, audit=audit, progress=progress)
    delta = table.attrs.get("delta")
    options = {"evidence": source} | ({"delta": delta} if delta else {})
    out.table(table.rename(columns=WRITTEN), options, read=what_was_read(graph.pairs))
    direct = int(graph.both_ways.sum()) + len(graph.denied)
    more = [f"and {direct:,} whose own rows contradict each other: decide these (review, conflicts --to-decide)"]
    out.say(count_of(table["proposal"]), *more * bool(direct), *([delta_in_words(delta)] if delta else []))
    if (table["proposal"] == "none").any():
        out.say("Nothing is proposed where no model read the sentences; the rows show the evidence.")


@command("suspects", EVIDENCE, f"{MODEL}  minilm (default, where it is installed); {TRAINED}")
def suspects(args, out, graph, progress):
    """List all stated pairs, those first whose label is most probably wrong.

    --first N  let the model read about the first N labels of either sign; words tell of the others (default 1000);
        0: as soon as possible, and `paragraph review --pairs` reads on
    """
    evidence, model, source = opinions(args, graph, all_pairs=True)
    audit = read_judged(args, args.audit)
    table = pg.suspects(graph, evidence, model=model, judged=audit, first=args.first, progress=progress)
    options = {
        "evidence": source,
        "first": args.first,
        "expected": table.attrs["expected"],
        "judged": table.attrs["judged"],
    }
    out.table(table.rename(columns=WRITTEN), options, read=what_was_read(graph.pairs))
    out.say(f"{len(table):,} stated pairs: {said_of(table.attrs)}")
    if "advice" in table.attrs:
        out.say(table.attrs["advice"])


def opinions(
    args: Namespace, graph: pg.ParaphraseGraph, *, all_pairs: bool = False
) -> tuple[pd.DataFrame | None, Any, str]:
    """Return evidence about pairs, the model or judge that reads sentences (None for either), and their sources.

    Sentences in conflict are read, or those of `all_pairs`. Where a model cannot be asked, the default one is gone
    without, but one that the user named is an error.
    """
    given = getattr(args, "evidence", None)
    if given and args.model not in (None, "none"):
        raise PairsError("--evidence and --model are two sources of evidence; give one")
    if given:
        return _read_evidence(args), None, "file"
    model = None
    name = args.model or "minilm"
    which = "the stated pairs that may be wrong" if all_pairs else "the sentences in conflict alone"
    missing = ", ".join(package for package in LEARN if find_spec(package) is None)
    if name == "none":
        source = "none asked for"
    elif not all_pairs and not graph.within.any():
        source = "not needed: there is no conflict"
    elif missing and args.model:
        raise PairsError(f"--model {args.model} needs {missing}: pip install '.[learn]' in your copy of paragraph")
    elif missing:
        source = f"none (not installed: {missing})"
    else:
        from ..learn.opinions import judge_of

        judge = judge_of(name, progress=not args.quiet)
        model = name if name == "minilm" else judge
        named = Path(name).name if os.path.exists(name) else name  # a record holds no path
        source = f"{named}, of {which}: {judge.about['reads']}; it has seen: {judge.about['trained_on'] or 'nothing'}"
    warnings.warn(f"evidence of a model: {source}" + ("; --model none goes without" if model else ""), stacklevel=2)
    return None, model, source


def _read_evidence(args: Namespace) -> pd.DataFrame:
    """Read a table of evidence: the texts of pairs, and columns of numbers, empty where nothing is known."""
    table = the_table(args, args.evidence)
    for name in table.columns.difference(["text_a", "text_b", "row"], sort=False):
        given = table[name].str.strip()
        numbers = pd.to_numeric(given.where(given != ""), errors="coerce")
        odd = numbers.isna() & (given != "") | numbers.isin([float("inf"), float("-inf")])
        if odd.any():
            row = odd.idxmax()
            raise PairsError(f"{Path(args.evidence).name}, row {row}: {name} {table[name][row]!r} is not a number")
        table[name] = numbers
    return table.drop(columns="row").reset_index(drop=True)


@command("apply", PAIRS, SAFE)
def apply(args):
    """Apply what people answered: the file itself, corrected, or a folder with its variants.

    log LOG+  a log or its export, or a sheet filled in; one of each reviewer (Ada=sheet.csv says whose)
    -o --output CLEAN.csv | DIR!  with an ending, FILE itself, corrected; else a folder for
        corrected.tsv and its variants
    --reviewer NAME  whose answers (default: of all, but for pairs on which they differ)
    --yes  write even more than 100 million rows
    --cut drop|negative  rows of a positive that is wrong are dropped, or become 0 (default drop)
    """
    from ..decisions.log import digest, file_of, records_of

    own, names = is_table_name(args.output), ("corrected", "decisions", *variants.NAMES)
    out = Output(args, files=None if own else [*(f"{name}.tsv" for name in names), "report.json"])
    spare(
        [args.file, *map(file_of, args.log)],
        *(beside_corrected(args.output, name) for name in ("", "decisions.tsv") if own),
    )
    graph, records = the_graph(args), records_of(args.log, args.encoding)
    replayed = pg.replay(records, graph, reviewer=args.reviewer, cut=args.cut)
    # The bytes of a log vary with how it was filled; those of its export do not.
    names = ", ".join(Path(file_of(path)).name for path in args.log)
    log = {"file": names, "records": len(records), "sha256 of its JSONL export": digest(records)}
    report: dict[str, Any] = {"outcomes": replayed.decisions["outcome"].value_counts(sort=False).to_dict()}
    report["record"] = {"read": what_was_read(graph.pairs), "log": log}
    if own:
        with all_or_none(out.path.parent, out.path) as stage:
            replayed.write(stage / out.path.name, spreadsheet_safe=args.spreadsheet_safe)
            write_record(stage / out.path.name, out.record() | report.pop("record") | report)
        count = len(replayed.before.pairs) - len(replayed.pairs)
        out.say(replayed, f"{count:,} row{'s' * (count != 1)} left out: {beside_corrected(args.output)}")
        return
    closure = pg.infer(replayed.graph)
    options = {"kept": replayed.kept, "spreadsheet_safe": args.spreadsheet_safe, "progress": not args.quiet}
    with out.folder(report) as folder:
        weigh(args, [closure])
        replayed.write(folder, spreadsheet_safe=args.spreadsheet_safe)
        report["datasets"] = variants.write_datasets(closure, folder, **options)
    out.say(replayed)


@command("agreement", SEED)
def agreement(args):
    """Tell how far people agree in their answers to pairs, and what they should talk about, with their notes.

    log LOG+  a log or its export, or a sheet filled in, of each reviewer or of all (Ada=sheet.csv says whose)
    --annotators NAME2  which two, where there are more
    -o --output PAIRS.tsv  for the pairs to talk about
    """
    out = Output(args, files=[Path(args.output or "-").absolute()])
    found = pg.agreement(*args.log, reviewers=args.annotators, seed=args.seed)
    if args.output:
        named = found.disagreements.rename(columns={"text_a": "question1", "text_b": "question2"})
        write_filled(named, args.output)
    named = shlex.join(args.log)
    next_ = f"review FILE … --reviewer NAME --log settled.db --settle {named}" if len(found.disagreements) else ""
    out.say(found, f"Next: paragraph {next_ or f'apply FILE … {named} -o clean.csv'}")
