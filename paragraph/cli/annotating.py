"""The verbs of tags given by people: annotate, agreement."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .. import tags
from ..pairs.outputs import beside, spare
from ..pairs.provenance import write_record
from ..tags.sources import kind_of
from .common import add_command, has_folder, record_of, with_record
from .taggers import add_mrpc, files_of, the_tags

__all__ = ["add"]

#: Why a pair is not worth tagging: see `tags.candidates`.
WHY = {"short": "too short", "lengths": "of too unequal length", "bleu": "with BLEU up to 5 or from 20"}


def annotate(args: argparse.Namespace) -> None:
    out, inputs = args.output or str(Path(args.log).with_suffix(".jsonl")), files_of(args, {"pairs": args.file})
    spare([*inputs.values(), args.log], *with_record(out))
    table = the_tags(args, args.file).drop(columns=["tags_a", "tags_b"], errors="ignore")
    every, said = len(table), {}
    if not args.all:
        table = tags.candidates(table, progress=not args.quiet)
        said = {"bleu": table.attrs["bleu"], "left out": table.attrs["left_out"]}
    if args.n is not None and args.n < len(table):
        table = table.sample(args.n, random_state=args.seed)
    with beside(out) as part:
        tags.write(table, part)
        write_record(part, record_of(args, inputs, n=args.n, seed=args.seed, all=args.all, **said))
    if not args.quiet:
        why = "".join(f"; {count:,} {WHY[rule]}" for rule, count in said.get("left out", {}).items() if count)
        print(f"{len(table):,} of {every:,} pairs are in {out}{why}. In a notebook:")
        opened = f"pg.TagReview(pg.tags.read({out!r}), {args.log!r}, {args.annotator!r})"
        print(f"import paragraph as pg; {opened}")


def agreement(args: argparse.Namespace) -> None:
    from ..decisions.log import records_of
    from ..decisions.tagging import tag_table

    path = Path(args.log)
    is_table = path.suffix in (".jsonl", ".gz") and kind_of(path) == "tags"
    table = tags.read(path) if is_table else tag_table(records_of(path))
    found = tags.agreement(table, args.annotators, args.seed)
    queue = tags.disagreements(table, args.annotators, args.below)
    if args.output:
        has_folder(args.output)
        spare([path], args.output)
        tags.write(queue, args.output)
    if not args.quiet:
        pairs, words = (f"{found[name]:,} {name}" for name in ("pairs", "words"))
        print(f"{found['first']}, {found['second']}: {pairs}, {words} tagged by both")
        kappa = found["why"] or f"{found['kappa']:>6.3f}  [{found['low']:.3f}, {found['high']:.3f}]"
        print(f"{'κ of words':<16}{kappa}")
        for name, key in (("accuracy", "accuracy"), ("F1 of the 1s", "f1"), ("F1 of spans, IO", "span_f1")):
            print(f"{name:<16}{found[key]:>6.3f}")
        print(f"{'to talk about':<16}{len(queue):>6,}  (F1 below {args.below:g})")


def share(text: str) -> float:
    try:
        if 0 <= (found := float(text)) <= 1:
            return found
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")


def add(commands: Any) -> None:
    """The commands of this file, with their options."""
    sub = add_command(commands, annotate, "choose pairs whose words are worth tagging, and say how to tag them")
    sub.add_argument("--log", required=True, metavar="L.db", help="the log of decisions that the tags go to")
    add_mrpc(sub)
    sub.add_argument("--all", action="store_true", help="all pairs, not only those with BLEU between 5 and 20")
    sub.add_whole("-n", "so many of them, drawn at random")
    sub.add_whole("--seed", "of the draw (default 0)", 0)
    sub.add_argument("--annotator", default="your name", metavar="NAME", help="who will tag")
    sub.add_argument("-o", "--output", metavar="OUT.jsonl", help="for the pairs (default: beside the log)")

    sub = add_command(
        commands, agreement, "how far two annotators agree on words, and what they should talk about", None
    )
    sub.add_argument("log", metavar="LOG", help="a log of decisions or its export; or tags as JSON Lines")
    sub.add_argument("--annotators", nargs=2, metavar="NAME", help="which two, where there are more")
    sub.add_argument("--below", type=share, default=0.4, metavar="F1", help="of pairs to talk about (default 0.4)")
    sub.add_whole("--seed", "of the interval (default 0)", 0)
    sub.add_argument("-o", "--output", metavar="QUEUE.jsonl", help="for the pairs to talk about")
