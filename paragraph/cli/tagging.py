"""The verbs of tags on words: tag, annotate, agreement (of decisions too); what train and evaluate do with tags."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import pandas as pd

from .. import tags
from ..pairs import PairsError
from ..pairs.outputs import beside
from ..pairs.write import write_table
from ..tags.sources import INPUTS, kind_of, read_any
from ..tags.table import untagged
from .common import Output, learning, the_pairs, the_tagger
from .options import add_command, share

__all__ = ["add", "add_mrpc", "fitted_tagger", "tagger_scores"]

#: Why a pair is not worth tagging: see `tags.candidates`.
WHY = {"short": "too short", "lengths": "of too unequal length", "bleu": "with BLEU up to 5 or from 20"}


def tag(args: argparse.Namespace) -> None:
    output = Output(args, {"pairs": args.file, "MRPC": args.mrpc})
    table = the_tags(args, args.file)
    tagger = the_tagger(args)
    with learning():
        found = tagger.tag(table)
    output.write(lambda out: tags.write(found, out), {"threshold": tagger.threshold, "pairs": len(found)})
    if not args.quiet:
        marks = [mark for side in "ab" for each in found[f"tags_{side}"] for mark in each]
        words, ones = len(marks), sum(marks)
        print(f"{len(found):,} pairs, {words:,} words, {ones:,} of them tagged, written to {args.output}")


def annotate(args: argparse.Namespace) -> None:
    args.output = args.output or str(Path(args.log).with_suffix(".jsonl"))
    output = Output(args, {"pairs": args.file, "MRPC": args.mrpc}, spared=[args.log])
    table = the_tags(args, args.file).drop(columns=["tags_a", "tags_b"], errors="ignore")
    every, said = len(table), {}
    if not args.all:
        table = tags.candidates(table, progress=not args.quiet)
        said = {"bleu": table.attrs["bleu"], "left out": table.attrs["left_out"]}
    if args.n is not None and args.n < len(table):
        table = table.sample(args.n, random_state=args.seed)
    output.write(lambda out: tags.write(table, out), said)
    if not args.quiet:
        why = "".join(f"; {count:,} {WHY[rule]}" for rule, count in said.get("left out", {}).items() if count)
        print(f"{len(table):,} of {every:,} pairs are in {args.output}{why}. In a notebook:")
        opened = f"pg.TagReview(pg.tags.read({args.output!r}), {args.log!r}, {args.annotator!r})"
        print(f"import paragraph as pg; {opened}")


def agreement(args: argparse.Namespace) -> None:
    from ..decisions.log import records_of
    from ..decisions.records import is_of_words, tag_table

    path = Path(args.log)
    if args.output:
        Output(args, {"log": args.log}, [Path(args.output).absolute()])
    if path.suffix in (".jsonl", ".gz") and kind_of(path) == "tags":
        return _of_tags(args, tags.read(path))
    records = records_of(path)
    if any(map(is_of_words, records)):
        return _of_tags(args, tag_table(records))
    return _of_decisions(args)


def _of_tags(args: argparse.Namespace, table: pd.DataFrame) -> None:
    """Print the agreement of two annotators on words; write the pairs on which they differ most."""
    found = tags.agreement(table, args.annotators, args.seed)
    queue = tags.disagreements(table, args.annotators, args.below)
    if args.output:
        tags.write(queue, args.output)
    if args.quiet:
        return
    pairs, words = (f"{found[name]:,} {name}" for name in ("pairs", "words"))
    print(f"{found['first']}, {found['second']}: {pairs}, {words} tagged by both")
    kappa = found["why"] or f"{found['kappa']:>6.3f}  [{found['low']:.3f}, {found['high']:.3f}]"
    print(f"{'κ of words':<16}{kappa}")
    for name, key in (("accuracy", "accuracy"), ("F1 of the 1s", "f1"), ("F1 of spans, IO", "span_f1")):
        print(f"{name:<16}{found[key]:>6.3f}")
    print(f"{'to talk about':<16}{len(queue):>6,}  (F1 below {args.below:g})")


def _of_decisions(args: argparse.Namespace) -> None:
    """Print the agreement of reviewers in their decisions; write the pairs that they decided otherwise."""
    from ..decisions.agreement import agreement as agreement_of

    found = agreement_of(args.log, args.annotators, seed=args.seed)
    queue = found.disagreements
    if args.output:
        named = queue.rename(columns={"text_a": "question1", "text_b": "question2"})
        with beside(args.output) as out:
            write_table(named.astype(object).where(named.notna(), ""), out)
    if not args.quiet:
        print(found)


def fitted_tagger(args: argparse.Namespace) -> tuple[Any, pd.DataFrame]:
    """A tagger fitted to the tagged pairs of all files, and these pairs."""
    from ..learn import make_tagger

    if args.dev is not None:
        raise PairsError("--dev is for models of pairs, not for taggers")
    table = pd.concat([the_tags(args, path) for path in (args.file, *args.more)], ignore_index=True)
    options = {"model": args.encoder} if args.encoder else {}
    return make_tagger(args.model, args.seed, progress=not args.quiet, **options).fit(table), table


def tagger_scores(args: argparse.Namespace) -> tuple[Any, pd.Series, pd.DataFrame]:
    """A tagger, its scores over the words of tagged pairs, and these pairs."""
    from ..learn import load_tagger
    from ..measure import tag_scores

    table = the_tags(args, args.file)
    if "tags_a" not in table:
        raise PairsError(f"{Path(args.file).name}: has no tags to compare with (tags_a, tags_b)")
    tagger = load_tagger(args.model, progress=not args.quiet)
    found = tagger.tag(table)
    truth, p = (
        [value for side in "ab" for each in source[f"{name}_{side}"] for value in each]
        for source, name in ((table, "tags"), (found, "p"))
    )
    return tagger, tag_scores(truth, p, tagger.threshold), table


def the_tags(args: argparse.Namespace, path: str) -> pd.DataFrame:
    """The tag table of a file or folder: tags, MultiMWA, ETPC, or pairs in any format that other commands read."""
    if args.input in ("auto", *INPUTS) and not (args.columns or args.labels or args.on_error or args.encoding):
        kind = None if args.input == "auto" else args.input
        found = read_any(path, kind, args.mrpc, max_unpacked=args.max_unpacked)
    else:
        own = {"input": "auto" if args.input == "pairs" else args.input, "unlabelled": args.unlabelled or "keep"}
        found = untagged(the_pairs(argparse.Namespace(**vars(args) | own), path))
    if unmatched := len(found.attrs.get("unmatched", ())):
        warnings.warn(
            f"{Path(path).name}: {unmatched:,} scopes do not lead to their text and tag nothing", stacklevel=2
        )
    return found


def add_mrpc(sub: Any) -> None:
    sub.add_argument("--mrpc", metavar="DIR", help="the folder of MRPC, whose sentences ETPC's tags are on")


def add(commands: Any) -> None:
    """The commands of this file, with their options."""
    sub = add_command(commands, tag, "tag the words that the other sentence cannot paraphrase")
    trained = "what `paragraph train --task tags` wrote, or default: what ships"
    sub.add_argument("--tagger", default="default", metavar="DIR | default", help=trained)
    add_mrpc(sub)
    sub.add_output("OUT.jsonl", "the pairs in their order: words_*, tags_* and p_*, P(1) of each word")

    sub = add_command(commands, annotate, "choose pairs whose words are worth tagging, and say how to tag them")
    sub.add_argument("--log", required=True, metavar="L.db", help="the log of decisions that the tags go to")
    add_mrpc(sub)
    sub.add_argument("--all", action="store_true", help="all pairs, not only those with BLEU between 5 and 20")
    sub.add_whole("-n", "so many of them, drawn at random")
    sub.add_whole("--seed", "of the draw (default 0)", 0)
    sub.add_argument("--annotator", default="your name", metavar="NAME", help="who will tag")
    sub.add_argument("-o", "--output", metavar="OUT.jsonl", help="for the pairs (default: beside the log)")

    about = "how far people agree, in decisions or in tags on words, and what they should talk about"
    sub = add_command(commands, agreement, about, None)
    sub.add_argument("log", metavar="LOG", help="a log of decisions or its export; or tags as JSON Lines")
    sub.add_argument("--annotators", nargs=2, metavar="NAME", help="which two, where there are more")
    below = "tags: how alike a pair need not be discussed (default 0.4)"
    sub.add_argument("--below", type=share, default=0.4, metavar="F1", help=below)
    sub.add_whole("--seed", "of the interval (default 0)", 0)
    sub.add_argument(
        "-o", "--output", metavar="QUEUE", help="for the pairs to talk about: JSON Lines of tags, else TSV"
    )
