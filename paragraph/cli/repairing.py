"""The repair verbs: repair, suspects, apply."""

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
from ..pairs import PairsError
from ..pairs.columns import canonical
from ..pairs.opening import UNPACKED
from ..pairs.outputs import beside, spare, together
from ..pairs.provenance import write_json, write_record
from ..pairs.tables import read_table
from .auditing import read_judged
from .common import Command, add_command, count_of, record_of, the_graph, weigh, what_was_read, with_record
from .generating import the_tagger

__all__ = ["add"]

#: What asking a model takes: the extra "learn".
LEARN = ("torch", "transformers", "sklearn")
NO_CONFLICT = "not needed: there is no conflict"


def repair(args: argparse.Namespace) -> None:
    from ..learn.pairs import MODELS
    from ..repairs.propose import repair
    from ..repairs.same import delta_in_words

    unused = [name for name in ("evidence", "audit", "model") if getattr(args, name) not in (None, "none")]
    if args.method == "flip_all" and unused:
        raise PairsError(f"--method flip_all flips every conflict; leave out --{' and --'.join(unused)}")
    # One that is trained already reads the sentences in conflict; one that learns from the pairs is asked about all.
    own = args.model not in ("none", *MODELS) and not args.evidence and args.method == "map"
    graph, evidence, write = _with_evidence(args, args.method == "map" and not own, in_conflict=True)
    model, source = _reader(args, graph) if own else (None, None)
    audit = read_judged(args.audit, args.max_unpacked) if args.audit else None
    table = repair(graph, evidence, method=args.method, model=model, audit=audit, progress=not args.quiet)
    delta = table.attrs.get("delta")
    write(table, method=args.method, **({"evidence": source} if own else {}), **({"delta": delta} if delta else {}))
    if not args.quiet:
        print(count_of(table["proposal"]))
        if delta:
            print(delta_in_words(delta))


def suspects(args: argparse.Namespace) -> None:
    from ..repairs.suspects import suspects

    graph, evidence, write = _with_evidence(args)
    audit = read_judged(args.audit, args.max_unpacked) if args.audit else None
    tagger = the_tagger(args)
    table = suspects(graph, evidence, audit=audit, tagger=tagger, progress=not args.quiet)
    write(table, error_rates=table.attrs["rates"])
    if not args.quiet:
        likely = int((table["p_wrong"] > 0.5).sum())
        print(f"{len(table):,} stated pairs, of which {likely:,} are more probably wrong than right")
        if tagger is not None:
            print(f"{int(table['untagged'].sum()):,} are labelled not, yet no word is tagged")


def _with_evidence(
    args: argparse.Namespace, wanted: bool = True, in_conflict: bool = False
) -> tuple[ParaphraseGraph, pd.DataFrame | None, Callable[..., None]]:
    """The graph, the evidence about its pairs, and a function that writes a table with its record.

    Where only pairs `in_conflict` matter and there are none, no model is asked.
    """
    given = {"evidence": args.evidence, "audit": args.audit}
    inputs = {"pairs": args.file} | {name: path for name, path in given.items() if path}
    spare(inputs.values(), *with_record(args.output))
    if args.evidence and args.model not in (None, "none"):
        raise PairsError("--evidence and --model are two sources of evidence; give one")
    graph, evidence, source = the_graph(args), None, "not needed"
    if wanted and args.evidence:
        evidence, source = _read_evidence(args.evidence, args.max_unpacked), "file"
    elif wanted and args.model == "none":
        source = "none asked for"
    elif wanted and in_conflict and not graph.within.any():
        source = NO_CONFLICT
    elif wanted:
        evidence, source = _opinions(args, graph)
    if wanted and not args.evidence and not args.quiet:
        print(f"note: evidence of a model: {source}", file=sys.stderr)

    def write(table: pd.DataFrame, **options: Any) -> None:
        from ..repairs.propose import write_repairs

        record = record_of(args, inputs, **({"evidence": source} | options))
        with beside(args.output) as out:
            write_repairs(table, out, args.spreadsheet_safe)
            write_record(out, record | {"read": what_was_read(graph.pairs)})

    return graph, evidence, write


def _reader(args: argparse.Namespace, graph: ParaphraseGraph) -> tuple[str | None, str]:
    """The model that reads the sentences of conflicts, where there are conflicts and a model; and what it is."""
    missing = [name for name in LEARN if find_spec(name) is None]
    if missing and args.model:
        raise PairsError(f"--model {args.model} needs {', '.join(missing)}: pip install 'paragraph-workbench[learn]'")
    model, source = None, NO_CONFLICT
    if graph.within.any() and missing:
        source = f"none (not installed: {', '.join(missing)})"
    elif graph.within.any():
        model = args.model or "minilm"
        if model == "minilm":
            source = "minilm, of the sentences in conflict"
        else:
            from ..learn.pairs.folds import ready

            told = _told(model, ready(model, progress=not args.quiet)[1])
            source = f"{told}; asked about the sentences in conflict alone"
    if not args.quiet:
        print(f"note: evidence of a model: {source}; --model none goes without", file=sys.stderr)
    return model, source


def _opinions(args: argparse.Namespace, graph: ParaphraseGraph) -> tuple[pd.DataFrame | None, str]:
    """What a model thinks of each pair; nothing where there is no model, unless it was asked for by name."""
    missing = [name for name in LEARN if find_spec(name) is None]
    if not missing:
        from ..learn import pair_opinions

        model = args.model or "embedding"
        if not args.quiet:
            pairs = f"{len(graph.pairs):,} pairs of {graph.n:,} sentences"
            print(f"note: {model} is asked about {pairs}; --model none goes without", file=sys.stderr)
        try:
            found = pair_opinions(graph.pairs, model, progress=not args.quiet)
        except PairsError as error:
            if args.model:
                raise
            return None, f"none ({error})"
        return found, _told(model, found.attrs)
    if args.model:
        raise PairsError(f"--model {args.model} needs {', '.join(missing)}: pip install 'paragraph-workbench[learn]'")
    return None, f"none (not installed: {', '.join(missing)})"


def _told(model: str, about: dict[str, Any]) -> str:
    """What a model is, for a record, which holds no path."""
    own = about.get("out_of_fold", False)
    name, reads = Path(model).name if os.path.exists(model) else model, about["reads"]
    seen = f"; {'its encoder' if own else 'it'} has seen: {about['trained_on']}" * bool(about["trained_on"])
    return f"{name}, {'out of fold' if own else f'not out of fold; {reads}'}{seen}"


def _read_evidence(path: str, max_unpacked: int | None) -> pd.DataFrame:
    """A table of evidence: the texts of pairs, and columns of numbers, empty where nothing is known."""
    table = canonical(read_table(path, max_unpacked or UNPACKED), Path(path).name)
    for name in table.columns.difference(["text_a", "text_b"], sort=False):
        given = table[name].str.strip()
        numbers = pd.to_numeric(given.where(given != ""), errors="coerce")
        odd = numbers.isna() & (given != "") | numbers.isin([float("inf"), float("-inf")])
        if odd.any():
            row = odd.idxmax()
            raise PairsError(f"{Path(path).name}, row {row}: {name} {table[name][row]!r} is not a number")
        table[name] = numbers
    return table.reset_index(drop=True)


def apply(args: argparse.Namespace) -> None:
    from ..decisions.files import digest
    from ..decisions.log import records_of
    from ..decisions.replay import replay

    folder, names = Path(args.output), ("corrected", "changes", "not_applied", "unstated", *variants.NAMES)
    files = (folder / f"{name}.tsv" for name in names)
    spare([args.file, args.log], *files, folder / "report.json")
    graph, records = the_graph(args), records_of(args.log)
    found = replay(records, graph, reviewer=args.reviewer, cut=args.cut)
    closure = infer(found.graph)
    safe = {"spreadsheet_safe": args.spreadsheet_safe}
    record = record_of(args, {"pairs": args.file}, reviewer=args.reviewer, cut=args.cut)
    record["read"] = what_was_read(graph.pairs)
    # The bytes of a log vary with how it was filled; those of its export do not.
    log = {"file": Path(args.log).name, "records": len(records), "sha256 of its JSONL export": digest(records)}
    report = {"applied": len(found.changes), "not_applied": len(found.not_applied), "unstated": len(found.unstated)}
    with together(folder) as out:
        weigh(args, [closure])
        found.write(out, **safe)
        counts = variants.write_datasets(found.graph, out, closure, progress=not args.quiet, kept=found.kept, **safe)
        write_json(report | {"datasets": counts, "record": record | {"log": log}}, out / "report.json")
    if not args.quiet:
        print(found)


def add(commands: Any) -> None:
    """The commands of this file, with their options."""

    def evidence(run: Callable, help: str) -> Command:
        sub = add_command(commands, run, help)
        sub.add_output("OUT.tsv", "its record goes beside it")
        sub.add_spreadsheet_safe()
        columns = "question1, question2 (or text_a, text_b) and columns of numbers about the pair"
        sub.add_argument("--evidence", metavar="COLUMNS.tsv", help=columns)
        judged = "pairs that somebody judged: an audit that is filled in, or a log of decisions"
        sub.add_argument("--audit", metavar="AUDIT.tsv", help=judged)
        of_pairs = (
            "embedding, tfidf, dense or cross-encoder, which learn from the other pairs; a classifier (DIR or HUB)"
        )
        reads = "minilm, which reads the sentences in conflict alone; " if run is repair else ""
        default = "minilm" if run is repair else "embedding"
        sub.add_argument(
            "--model", metavar="NAME | DIR | HUB",
            help=f"{reads}{of_pairs}, which is asked as it is; or none (default: {default}, where it is installed)",
        )  # fmt: skip
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
