"""The verbs of collection: simulate, collect."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd

from ..measure.splits import split
from ..pairs import PairsError, read_pairs
from ..pairs.outputs import beside, spare
from ..pairs.provenance import write_record
from ..pairs.write import write_table
from .common import add_command, lines_of, record_of, the_pairs, with_record
from .learning import learning

__all__ = ["add", "sentences_of"]

#: As files call the columns.
SPELT = {"text_a": "question1", "text_b": "question2", "label": "is_duplicate"}


def simulate(args: argparse.Namespace) -> None:
    held_out = {"dev": args.dev, "test": args.test}
    inputs = {"train": args.file} | {name: path for name, path in held_out.items() if path}
    asked = Path(args.output).with_suffix(".asked.tsv")
    spare(inputs.values(), *with_record(args.output), asked)
    pairs = the_pairs(args)
    with learning():
        from ..collection.simulation import miniature, simulate

        parts: Any = {"train": pairs} | {name: the_pairs(args, path) for name, path in held_out.items() if path}
        if args.sentences is not None:
            parts = miniature(pairs, args.sentences, args.split_seed)
        elif not any(held_out.values()):
            parts = pairs
            if "split" not in pairs:
                shares = {"train": 0.5, "dev": 0.25, "test": 0.25}
                parts = split(pairs, shares, seed=args.split_seed, count="sentences")
        options = {
            name: getattr(args, name) for name in ("encoder", "rounds", "first", "neighbours", "seeds", "begin")
        }
        strategies = args.strategies.split(",")
        run = simulate(parts, strategies, **options, lr=args.lr, progress=not args.quiet)
    options |= {"encoder": Path(args.encoder).name, "strategies": strategies, "lr": args.lr}
    record = record_of(args, inputs, **options, sentences=args.sentences, split_seed=args.split_seed)
    with beside(args.output) as out:
        write_table(run.table, out)
        write_table(run.asked.rename(columns=SPELT), out.with_name(asked.name), args.spreadsheet_safe)
        write_record(out, record | {"trained on": run.trained_on})
    if not args.quiet:
        last = run.table.groupby(["strategy", "seed"], sort=False).tail(1)
        shown = last.groupby("strategy", sort=False)[["asked", "positives", "ap_dev", "ap_test", "p20_test"]].mean()
        print(shown.to_string(float_format="{:.4g}".format))


def collect(args: argparse.Namespace) -> None:
    labels = args.labels or []
    files = {"texts": args.texts, **({"others": args.others} if args.others else {})}
    files |= {f"labels {i}": path for i, path in enumerate(labels, 1)}
    spare(files.values(), *with_record(args.output))
    texts = sentences_of(args.texts, args.quiet)
    others = sentences_of(args.others, args.quiet) if args.others else []
    known = [read_pairs(path, unlabelled="skip")[["text_a", "text_b", "label"]] for path in labels]
    with learning():
        from ..collection.learner import Learner

        learner = Learner(
            texts, args.encoder, pd.concat(known, ignore_index=True) if known else None, others=others,
            seed=args.seed, neighbours=args.neighbours, progress=not args.quiet,
        )  # fmt: skip
        batch = learner.query(args.n, args.strategy)
    told = batch["p"].astype(object).where(batch["p"].notna(), "")
    options = {"encoder": Path(args.encoder).name, "strategy": args.strategy, "n": args.n, "seed": args.seed}
    record = record_of(args, files, **options, neighbours=args.neighbours)
    with beside(args.output) as out:
        write_table(batch.assign(p=told, label="").rename(columns=SPELT), out, args.spreadsheet_safe)
        write_record(out, record | {"known": len(learner.known), "trained on": learner.model.trained_on})
    if not args.quiet:
        print(f"{len(batch):,} of {learner.world.size:,} pairs to label, {len(learner.known):,} known")
        print(f"Fill the column is_duplicate in {args.output}: 1 where the two mean the same, else 0. Then add")
        print(f"{args.output} to --labels for the next batch.")


def sentences_of(path: str, quiet: bool) -> list[str]:
    """The different sentences of a file, one a line."""
    lines = lines_of(path)
    counts = Counter(line.strip() for line in lines)
    blank = counts.pop("", 0)
    if not counts:
        raise PairsError(f"{path} holds no sentence")
    again = len(lines) - blank - len(counts)
    if (again or blank) and not quiet:
        print(f"{path}: {len(counts):,} sentences; left out: {again:,} lines that repeat one, {blank:,} blank")
    return list(counts)


def add(commands: Any) -> None:
    """The commands of this file, with their options."""
    encoder = "what is trained: bow (a bag of words), minilm, a hub id, a folder (default bow)"

    sub = add_command(commands, simulate, "compare strategies of collecting labels, on labelled pairs")
    sub.add_argument("--strategies", default="random,static,uncertainty", metavar="S,…", help="which, by commas")
    sub.add_argument("--encoder", default="bow", metavar="NAME", help=encoder)
    sub.add_argument("--dev", metavar="DEV", help="labelled pairs of other sentences, to tune on")
    sub.add_argument("--test", metavar="TEST", help="labelled pairs of other sentences, to test on")
    about = "take whole components of FILE, so many sentences for each part (default: 50, 25 and 25 %% of all)"
    sub.add_whole("--sentences", about)
    sub.add_whole("--split-seed", "of the parts (default 0)", 0)
    sub.add_whole("--first", "questions of the first round; each further one asks half as many more", 512)
    sub.add_whole("--rounds", "how many (default 4)", 4)
    sub.add_whole("--neighbours", "of each sentence, among which to choose (default 100)", 100)
    sub.add_whole("--seeds", "runs of each strategy (default 3)", 3)
    sub.add_argument("--begin", default="static", choices=("static", "stated"), help="the first round of the others")
    sub.add_argument("--lr", type=float, metavar="X", help="learning rate")
    sub.add_spreadsheet_safe()
    sub.add_output("RES.tsv", "for the results; the questions go beside it, to RES.asked.tsv")

    sub = add_command(commands, collect, "choose the pairs to label next among all pairs of some sentences", None)
    sub.add_argument("texts", metavar="TEXTS.txt", help="sentences, one a line")
    sub.add_argument("--others", metavar="OTHERS.txt", help="a second side: pairs are of a sentence of either file")
    sub.add_argument("--labels", nargs="+", metavar="L.tsv", help="labelled pairs, as earlier batches filled in")
    choices = ("random", "static", "adaptive", "uncertainty")
    sub.add_argument("--strategy", default="uncertainty", choices=choices, help="(default uncertainty)")
    sub.add_argument("--encoder", default="bow", metavar="NAME", help=encoder)
    sub.add_whole("-n", "how many pairs (default 200)", 200)
    sub.add_whole("--neighbours", "of each sentence, among which to choose (default 100)", 100)
    sub.add_whole("--seed", "of random pairs and of training (default 0)", 0)
    sub.add_spreadsheet_safe()
    sub.add_output("BATCH.tsv", "for the pairs, with an empty column for their labels")
