"""The verbs that mend labels: audit, repair, suspects, apply."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from ..graph import ParaphraseGraph, variants
from ..graph.closure import infer
from ..graph.proof import WRITTEN
from ..measure.audit import NAMES, allocation, audited
from ..measure.audit import audit as drawn
from ..measure.judged import KINDS, Strata
from ..pairs import PairsError
from .common import Output, count_of, read_judged, the_graph, the_table, the_tagger, weigh, what_was_read
from .options import Command, add_command

__all__ = ["add"]

#: What asking a model takes: the extra "learn".
LEARN = ("torch", "transformers", "sklearn")
NO_CONFLICT = "not needed: there is no conflict"


def audit(args: argparse.Namespace) -> None:
    (_report if args.judged else _draw)(args)


def _draw(args: argparse.Namespace) -> None:
    """Draw pairs to judge."""
    if not args.output:
        raise PairsError("where is the sample to go? -o audit.tsv (or, filled in: --judged audit.tsv)")
    output = Output(args, {"pairs": args.file})
    _spare_judgements(args)
    graph = the_graph(args)
    sample = drawn(graph, args.n, args.seed)
    numbers = allocation(Strata(graph).counts, args.n).sum(axis=1).tolist()
    kinds = {name: number for name, number in zip(KINDS, numbers, strict=True) if number}
    output.table(sample.assign(same=""), drawn=kinds, read=what_was_read(graph.pairs))
    if not args.quiet:
        each = ", ".join(f"{number:,} {NAMES[name]}" for name, number in kinds.items())
        print(f"{len(sample):,} pairs drawn: {each}")
        print(f"Fill the column same in {args.output}: 1 where the two sentences mean the same, 0 where they do not,")
        print(f"empty where nobody can say. Then: paragraph audit {args.file} --judged {args.output}")


def _spare_judgements(args: argparse.Namespace) -> None:
    """Refuse to write over a sample in which somebody has judged pairs."""
    if not Path(args.output).is_file():
        return
    try:
        filled = read_judged(args, args.output).get("same", pd.Series(dtype="str"))
    except PairsError:
        return
    if count := int((filled.astype("str").str.strip().fillna("") != "").sum()):
        raise PairsError(f"{args.output} holds {count:,} judged pairs, which would be lost; name another output")


def _report(args: argparse.Namespace) -> None:
    """Say from judged pairs how many labels are wrong."""
    output = Output(args, {"pairs": args.file, "judged": args.judged})
    graph = the_graph(args)
    report = audited(graph, read_judged(args, args.judged))
    print(report)
    if args.output:
        output.table(report.table, read=what_was_read(graph.pairs), note=report.note)


def repair(args: argparse.Namespace) -> None:
    from ..learn.pairs import MODELS
    from ..repairs.propose import repair
    from ..repairs.same import delta_in_words

    unused = [name for name in ("evidence", "audit", "model") if getattr(args, name) not in (None, "none")]
    if args.method == "flip_all" and unused:
        raise PairsError(f"--method flip_all flips every conflict; leave out --{' and --'.join(unused)}")
    # A trained model reads the sentences in conflict; one that learns from the pairs is asked about all of them
    reads = args.method == "map" and args.model not in ("none", *MODELS) and not args.evidence
    output, graph = _begun(args)
    model = evidence = None
    if reads:
        model, source = _reader(args, graph)
    elif args.method == "map":
        evidence, source = _evidence(args, graph, NO_CONFLICT if not graph.within.any() else "")
    else:
        source = "not needed"
    audit = read_judged(args, args.audit)
    table = repair(graph, evidence, method=args.method, model=model, audit=audit, progress=not args.quiet)
    delta = table.attrs.get("delta")
    _write(output, table, graph, evidence=source, **({"delta": delta} if delta else {}))
    if not args.quiet:
        print(count_of(table["proposal"]))
        if delta:
            print(delta_in_words(delta))


def suspects(args: argparse.Namespace) -> None:
    from ..repairs.suspects import suspects

    output, graph = _begun(args)
    evidence, source = _evidence(args, graph)
    audit, tagger = read_judged(args, args.audit), the_tagger(args)
    table = suspects(graph, evidence, audit=audit, tagger=tagger, progress=not args.quiet)
    _write(output, table, graph, evidence=source, error_rates=table.attrs["rates"])
    if not args.quiet:
        likely = int((table["p_wrong"] > 0.5).sum())
        print(f"{len(table):,} stated pairs, of which {likely:,} are more probably wrong than right")
        if tagger is not None:
            print(f"{int(table['untagged'].sum()):,} are labelled not, yet no word is tagged")


def _begun(args: argparse.Namespace) -> tuple[Output, ParaphraseGraph]:
    """The output, and the graph whose labels are doubted."""
    output = Output(args, {"pairs": args.file, "evidence": args.evidence, "audit": args.audit})
    if args.evidence and args.model not in (None, "none"):
        raise PairsError("--evidence and --model are two sources of evidence; give one")
    return output, the_graph(args)


def _write(output: Output, table: pd.DataFrame, graph: ParaphraseGraph, **options: Any) -> None:
    output.table(table.rename(columns=WRITTEN), options, read=what_was_read(graph.pairs))


def _reader(args: argparse.Namespace, graph: ParaphraseGraph) -> tuple[str | None, str]:
    """The model that reads the sentences of conflicts, where there are conflicts and a model; and what it is."""
    missing, model, source = _missing(args), None, NO_CONFLICT
    if graph.within.any() and missing:
        source = missing
    elif graph.within.any():
        model = args.model or "minilm"
        source = "minilm, of the sentences in conflict"
        if model != "minilm":
            from ..learn.pairs.opinions import ready

            about = ready(model, progress=not args.quiet)[1]
            source = f"{_told(model, about)}; asked about the sentences in conflict alone"
    _note(args, f"evidence of a model: {source}; --model none goes without")
    return model, source


def _evidence(args: argparse.Namespace, graph: ParaphraseGraph, needless: str = "") -> tuple[Any, str]:
    """The evidence about each pair, of a file or a model, if there is any; and where it comes from."""
    if args.evidence:
        return _read_evidence(args), "file"
    found, source = None, needless or "none asked for"
    if args.model != "none" and not needless:
        found, source = _opinions(args, graph)
    _note(args, f"evidence of a model: {source}")
    return found, source


def _opinions(args: argparse.Namespace, graph: ParaphraseGraph) -> tuple[pd.DataFrame | None, str]:
    """What a model thinks of each pair; nothing where there is no model, unless it was asked for by name."""
    if missing := _missing(args):
        return None, missing
    from ..learn import pair_opinions

    model = args.model or "embedding"
    _note(
        args, f"{model} is asked about {len(graph.pairs):,} pairs of {graph.n:,} sentences; --model none goes without"
    )
    try:
        found = pair_opinions(graph.pairs, model, progress=not args.quiet)
    except PairsError as error:
        if args.model:
            raise
        return None, f"none ({error})"
    return found, _told(model, found.attrs)


def _missing(args: argparse.Namespace) -> str:
    """Say which packages are missing, if any; an error where a model was asked for by name."""
    missing = ", ".join(name for name in LEARN if find_spec(name) is None)
    if missing and args.model:
        raise PairsError(f"--model {args.model} needs {missing}: pip install 'paragraph-workbench[learn]'")
    return f"none (not installed: {missing})" if missing else ""


def _note(args: argparse.Namespace, text: str) -> None:
    if not args.quiet:
        print(f"note: {text}", file=sys.stderr)


def _told(model: str, about: dict[str, Any]) -> str:
    """What a model is, for a record, which holds no path."""
    name = Path(model).name if os.path.exists(model) else model
    own = about.get("out_of_fold", False)
    said = f"{name}, out of fold" if own else f"{name}, not out of fold; {about['reads']}"
    return (
        f"{said}; {'its encoder' if own else 'it'} has seen: {about['trained_on']}" if about["trained_on"] else said
    )


def _read_evidence(args: argparse.Namespace) -> pd.DataFrame:
    """A table of evidence: the texts of pairs, and columns of numbers, empty where nothing is known."""
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


def apply(args: argparse.Namespace) -> None:
    from ..decisions.log import digest, records_of
    from ..decisions.replay import replay

    names = ("corrected", "changes", "not_applied", "unstated", *variants.NAMES)
    files = [*(f"{name}.tsv" for name in names), "report.json"]
    output = Output(args, {"pairs": args.file}, files, spared=[args.log])
    graph, records = the_graph(args), records_of(args.log)
    found = replay(records, graph, reviewer=args.reviewer, cut=args.cut)
    closure = infer(found.graph)
    # The bytes of a log vary with how it was filled; those of its export do not.
    log = {"file": Path(args.log).name, "records": len(records), "sha256 of its JSONL export": digest(records)}
    report = {"applied": len(found.changes), "not_applied": len(found.not_applied), "unstated": len(found.unstated)}
    report["record"] = {"read": what_was_read(graph.pairs), "log": log}
    safe = {"spreadsheet_safe": args.spreadsheet_safe}
    with output.folder(report) as out:
        weigh(args, [closure])
        found.write(out, **safe)
        report["datasets"] = variants.write_datasets(
            found.graph, out, closure, progress=not args.quiet, kept=found.kept, **safe
        )
    if not args.quiet:
        print(found)


def add(commands: Any) -> None:
    """The commands of this file, with their options."""
    sub = add_command(commands, audit, "draw pairs to judge by hand, and say how many labels of each kind are wrong")
    sub.add_argument("-o", "--output", metavar="AUDIT.tsv", help="the sample, or with --judged the report")
    sub.add_whole("-n", "how many pairs to draw (default: 100)", 100)
    sub.add_whole("--seed", "of the drawing (default: 0)", 0)
    sub.add_spreadsheet_safe()
    judged = "the sample, its column same filled in with 1, 0 or nothing (or a log of decisions on it)"
    sub.add_argument("--judged", metavar="AUDIT.tsv", help=judged)

    def evidence(run: Callable, help: str) -> Command:
        sub = add_command(commands, run, help)
        sub.add_output("OUT.tsv", "its record goes beside it")
        sub.add_spreadsheet_safe()
        columns = "question1, question2 (or text_a, text_b) and columns of numbers about the pair"
        sub.add_argument("--evidence", metavar="COLUMNS.tsv", help=columns)
        judged = "pairs that somebody judged: an audit that is filled in, or a log of decisions"
        sub.add_argument("--audit", metavar="AUDIT.tsv", help=judged)
        reads = "minilm, which reads the sentences in conflict alone; " if run is repair else ""
        learns = (
            "embedding, tfidf, dense or cross-encoder, which learn from the other pairs; a classifier (DIR or HUB)"
        )
        default = f"(default: {'minilm' if run is repair else 'embedding'}, where it is installed)"
        about = f"{reads}{learns}, which is asked as it is; or none {default}"
        sub.add_argument("--model", metavar="NAME | DIR | HUB", help=about)
        return sub

    sub = evidence(repair, "propose which label of each conflict is wrong: flip the negative, or cut a positive")
    methods = "by evidence, or flip all, as the paper does"
    sub.add_argument("--method", default="map", choices=("map", "flip_all"), help=methods)

    sub = evidence(suspects, "list all stated pairs, those first whose label is most probably wrong")
    marks = "mark the pairs labelled not in which it finds no word that the other sentence cannot paraphrase"
    sub.add_argument("--tagger", default="none", metavar="DIR | default", help=f"{marks} (default: none is asked)")

    sub = add_command(commands, apply, "apply a log of decisions: write the corrected dataset and its four variants")
    sub.add_argument("log", metavar="LOG", help="a log of decisions, or its export as .jsonl or .tsv")
    sub.add_output("DIR", "for corrected.tsv and what goes with it")
    sub.add_spreadsheet_safe()
    sub.add_argument("--reviewer", metavar="NAME", help="whose decisions (default: those on which all agree)")
    sub.add_yes()
    cuts = "rows of a cut pair are dropped, or become 0"
    sub.add_argument("--cut", default="drop", choices=("drop", "negative"), help=cuts)
