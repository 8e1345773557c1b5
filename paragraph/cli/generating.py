"""The verb generate: paraphrases to order."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..graph import ParaphraseGraph
from ..pairs import PairsError
from ..pairs.outputs import beside, spare
from ..pairs.provenance import write_record
from .collecting import sentences_of
from .common import add_command, learning, record_of, the_pairs, with_record

__all__ = ["add", "the_tagger"]


def generate(args: argparse.Namespace) -> None:
    from ..repairs.propose import write_repairs

    if args.by == "substitution":
        raise PairsError("--by substitution is gone: use --by cluster, or --by seq2seq with a model")
    if (args.by == "seq2seq") != bool(args.model):
        raise PairsError("--by seq2seq and --model go together: a folder, or a hub id such as facebook/bart-base")
    if args.tagger is None:
        args.tagger = "none" if args.by == "cluster" else "default"
    inputs = {"pairs": args.file} | ({"texts": args.texts} if args.texts else {})
    folders = [Path(path) for path in (args.model or "", args.tagger) if Path(path).is_dir() and path]
    spare([*inputs.values(), *(file for each in folders for file in each.rglob("*"))], *with_record(args.output))
    pairs, bars = the_pairs(args), {"progress": not args.quiet}
    graph = ParaphraseGraph.from_pairs(pairs, args.identity)
    texts = sentences_of(args.texts, args.quiet) if args.texts else graph.texts(range(graph.n))
    with learning():
        from .. import learn

        tagger = the_tagger(args)
        if args.by == "cluster":
            maker = learn.ClusterParaphraser(graph, tagger, args.theta)
        else:
            maker = learn.Seq2SeqParaphraser(args.model, tagger, args.theta, epochs=args.epochs, seed=args.seed)
            if args.epochs:
                maker.fit(pairs, **bars)
            if args.save:
                maker.save(args.save)
        found = maker.paraphrases(texts, args.n, **bars)
    counts = found.attrs | {"sentences": len(texts), "without": len(found.attrs["without"])}
    options = {name: getattr(args, name) for name in ("by", "n", "theta", "epochs", "seed")}
    options |= {name: Path(value).name for name in ("model", "tagger") if (value := getattr(args, name))}
    with beside(args.output) as out:
        write_repairs(found, out, args.spreadsheet_safe)
        seen = {type(one).__name__: one.trained_on for one in (tagger, maker) if hasattr(one, "trained_on")}
        write_record(out, record_of(args, inputs, **options) | {"found": counts, "trained on": seen})
    if not args.quiet:
        print("{0:,} paraphrases, {without:,} of {sentences:,} sentences without one".format(len(found), **counts))
        diversity = f"mean ROUGE-2 F {counts['rouge2']:.3f}; " if len(found) else ""
        print(diversity + "left out: {copies:,} copies, {tagged:,} tagged".format(**counts))


def the_tagger(args: argparse.Namespace) -> Any:
    """The tagger that the arguments name: a folder, "default" (the one that ships) or "none"."""
    if args.tagger == "none":
        return None
    with learning():
        from .. import learn

        found = learn.default_tagger() if args.tagger == "default" else learn.load_tagger(args.tagger)
    found.progress = not args.quiet
    return found


def add(commands: Any) -> None:
    """The command of this file, with its options."""
    sub = add_command(commands, generate, "make paraphrases: from clusters, or written by a model")
    sub.add_argument("--texts", metavar="TEXTS.txt", help="sentences, one a line (default: those of FILE)")
    about = "other members of a cluster, or a model that writes (default cluster)"
    sub.add_argument(
        "--by",
        default="cluster",
        choices=("cluster", "seq2seq", "substitution"),
        metavar="cluster | seq2seq",
        help=about,
    )
    tags = "refuses by words: a folder, default (which ships) or none (default: none for clusters, else default)"
    sub.add_argument("--tagger", metavar="DIR | default | none", help=tags)
    sub.add_argument("--theta", type=float, default=0.05, metavar="X", help="most of the words tagged (default 0.05)")
    sub.add_whole("-n", "of each sentence at most (default 3)", 3)
    sub.add_argument("--model", metavar="DIR | HUB", help="for seq2seq; it learns from the paraphrases of FILE first")
    sub.add_whole("--epochs", "of this learning (default 3; 0: as the model is)", 3)
    sub.add_whole("--seed", "of this learning (default 0)", 0)
    sub.add_argument("--save", metavar="DIR", help="for the model that has learnt")
    sub.add_spreadsheet_safe()
    sub.add_output("OUT.tsv", "its record goes beside it")
