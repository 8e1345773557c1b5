"""The verb generate: paraphrases to order."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..graph import ParaphraseGraph
from ..pairs import PairsError
from ..pairs.outputs import beside, spare, together
from ..pairs.provenance import write_record
from .collecting import lines_of
from .common import add_command, record_of, the_pairs, with_record
from .learning import learning

__all__ = ["add"]

WAYS = ("cluster", "substitution", "seq2seq")


def generate(args: argparse.Namespace) -> None:
    from ..repairs.proposals import write_repairs

    inputs = {"pairs": args.file} | ({"texts": args.texts} if args.texts else {})
    model = [path for path in (args.model, args.tagger) if path and Path(path).is_dir()]
    spare([*inputs.values(), *(file for folder in model for file in Path(folder).rglob("*"))], *with_record(args.output))
    if (args.by == "seq2seq") != bool(args.model):
        raise PairsError("--model is for --by seq2seq, which needs one: a folder, or a hub id such as facebook/bart-base")
    pairs = the_pairs(args)
    graph = ParaphraseGraph.from_pairs(pairs, args.identity)
    texts = lines_of(args.texts, args.quiet) if args.texts else graph.texts(range(graph.n))
    with learning():
        from ..learn import ClusterParaphraser, Seq2SeqParaphraser, SubstitutionParaphraser, default_tagger, load_tagger

        tagger = None if args.tagger == "none" else load_tagger(args.tagger) if args.tagger else default_tagger()
        if args.by == "seq2seq":
            maker = Seq2SeqParaphraser(args.model, tagger, args.theta, epochs=args.epochs, seed=args.seed)
            if args.epochs:
                maker.fit(pairs, progress=not args.quiet)
            if args.save:
                with together(Path(args.save)) as out:
                    maker.save(out)
        elif args.by == "cluster":
            maker = ClusterParaphraser(graph, tagger, args.theta)
        else:
            maker = SubstitutionParaphraser(graph, tagger, args.theta, progress=not args.quiet)
        found = maker.paraphrases(texts, args.n, progress=not args.quiet)
    counts = found.attrs | {"without": len(found.attrs["without"])}
    options = {name: getattr(args, name) for name in ("by", "n", "theta", "epochs", "seed")}
    options |= {name: Path(value).name for name in ("model", "tagger") if (value := getattr(args, name))}
    with beside(args.output) as out:
        write_repairs(found, out, args.spreadsheet_safe)
        write_record(out, record_of(args, inputs, **options) | {"found": counts})
    if not args.quiet:
        print(f"{len(found):,} paraphrases of {len(set(texts)) - counts['without']:,} of {len(set(texts)):,} sentences, "
              f"mean ROUGE-2 F {counts['rouge2']:.3f}; left out: {counts['copies']:,} copies, {counts['tagged']:,} tagged")


def add(commands: Any) -> None:
    """The command of this file, with its options."""
    sub = add_command(commands, generate, "paraphrases of sentences: from clusters, by substitution, or written by a model")
    sub.add_argument("--texts", metavar="TEXTS.txt", help="the sentences, one a line (default: those of FILE)")
    about = "members of their cluster, phrases of clusters put in each other's place, or a model (default cluster)"
    sub.add_argument("--by", default="cluster", choices=WAYS, help=about)
    sub.add_argument("--tagger", metavar="DIR | none", help="what says which words have no paraphrase (default: shipped)")
    sub.add_argument("--theta", type=float, default=0.05, metavar="X", help="most of the words tagged (default 0.05)")
    sub.add_whole("-n", "of each sentence at most (default 3)", 3)
    sub.add_argument("--model", metavar="DIR | HUB", help="for seq2seq; it learns from the paraphrases of FILE first")
    sub.add_whole("--epochs", "of this learning (default 3; 0: the model as it is)", 3)
    sub.add_whole("--seed", "of this learning (default 0)", 0)
    sub.add_argument("--save", metavar="DIR", help="for the model that has learnt")
    sub.add_spreadsheet_safe()
    sub.add_output("OUT.tsv", "its record goes beside it")
