"""The verbs of collection: simulate, collect, all-pairs."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..graph.identity import sentence_keys
from ..measure.pool.all_pairs import all_pairs as measured
from ..measure.splits import split
from ..pairs import PairsError, read_pairs
from ..pairs.errors import intact
from ..pairs.outputs import write_json
from ..pairs.write import write_table
from .common import Output, learning, lines_of, sentences_of, the_graph, the_pairs, the_table, what_was_read
from .options import add_command

__all__ = ["add"]

#: As files call the columns.
SPELT = {"text_a": "question1", "text_b": "question2", "label": "is_duplicate"}


def simulate(args: argparse.Namespace) -> None:
    inputs = {"train": args.file, "dev": args.dev, "test": args.test}
    asked, place = Path(args.output).with_suffix(".asked.tsv").name, Path(args.output).absolute()
    output = Output(args, inputs)
    Output(args, inputs, [place.with_name(asked)])
    with learning():
        from ..collection.simulation import simulate

        names = ("encoder", "rounds", "first", "neighbours", "seeds", "begin", "lr")
        options = {name: getattr(args, name) for name in names}
        strategies = args.strategies.split(",")
        run = simulate(_parts(args), strategies, **options, progress=not args.quiet)

    def write(out: Path) -> None:
        write_table(run.table, out)
        write_table(run.asked.rename(columns=SPELT), out.with_name(asked), args.spreadsheet_safe)

    output.write(write, {"strategies": strategies}, **{"trained on": run.trained_on})
    if not args.quiet:
        last = run.table.groupby(["strategy", "seed"], sort=False).tail(1)
        shown = last.groupby("strategy", sort=False)[["asked", "positives", "ap_dev", "ap_test", "p20_test"]].mean()
        print(shown.to_string(float_format="{:.4g}".format))


def _parts(args: argparse.Namespace) -> Any:
    """The parts of a simulation: files of their own, or parts of the one file."""
    from ..collection.simulation import miniature

    pairs = the_pairs(args)
    held_out = {name: the_pairs(args, path) for name in ("dev", "test") if (path := getattr(args, name))}
    if args.sentences is not None:
        return miniature(pairs, args.sentences, args.split_seed)
    if held_out:
        return {"train": pairs} | held_out
    if "split" in pairs:
        return pairs
    return split(pairs, {"train": 0.5, "dev": 0.25, "test": 0.25}, seed=args.split_seed, count="sentences")


def collect(args: argparse.Namespace) -> None:
    judged = args.judged or []
    inputs = {"texts": args.texts, "others": args.others}
    output = Output(args, inputs | {f"judged {i}": path for i, path in enumerate(judged, 1)})
    texts = sentences_of(args.texts, args.quiet)
    others = sentences_of(args.others, args.quiet) if args.others else []
    known = [read_pairs(path, unlabelled="skip")[["text_a", "text_b", "label"]] for path in judged]
    with learning():
        from ..collection.learner import Learner

        learner = Learner(
            texts, args.encoder, pd.concat(known, ignore_index=True) if known else None, others=others,
            seed=args.seed, neighbours=args.neighbours, progress=not args.quiet,
        )  # fmt: skip
        batch = learner.query(args.n, args.strategy)
    facts = {"known": len(learner.known), "trained on": learner.model.trained_on}
    output.table(batch.assign(label="").rename(columns=SPELT), **facts)
    if not args.quiet:
        print(f"{len(batch):,} of {learner.world.size:,} pairs to label, {len(learner.known):,} known")
        print(f"Fill the column is_duplicate in {args.output}: 1 where the two mean the same, else 0. Then add")
        print(f"{args.output} to --judged for the next batch.")


def all_pairs(args: argparse.Namespace) -> None:
    inputs = {name: getattr(args, name) for name in ("scores", "vectors", "texts", "others")}
    output = Output(args, {"pairs": args.file} | inputs)
    if bool(args.vectors) != bool(args.texts):
        raise PairsError("--vectors needs --texts, the sentence of each row, one a line; and the other way round")
    graph, options = the_graph(args), {"random": args.random, "seed": args.seed, "progress": not args.quiet}
    if args.random is not None and not args.scores:
        options["near"] = args.near
    others = lines_of(args.others) if args.others else []
    with learning():
        found = measured(graph, others=others, **_score(args), **options)
    values = found.summary()
    output.write(lambda out: write_json(values, out), read=what_was_read(graph.pairs))
    if not args.quiet:
        for name, value in values.items():
            print(f"{name:<12}{value if isinstance(value, str) else f'{value:,.4f}'.removesuffix('.0000'):>16}")


def _score(args: argparse.Namespace) -> dict[str, Any]:
    """The scores of `measure.all_pairs`: of a table, vectors, an encoder, or a trained model in a folder."""
    if args.scores:
        return {"scores": the_table(args, args.scores)}
    if args.vectors:
        return {"vectors": _lookup(args.vectors, args.texts, "text" if args.identity == "id" else args.identity)}
    from ..learn import encode, load_model
    from ..learn.pairs.cosine import BagOfWords

    encoder = partial(encode, progress=not args.quiet)
    if args.encoder == "bow":  # of these sentences alone, and of none of their labels
        return {"vectors": lambda texts: BagOfWords.of(texts)(texts)}
    if args.encoder:
        return {"vectors": partial(encoder, model=args.encoder)}
    model = load_model(args.model)
    if hasattr(model, "vectors"):
        return {"vectors": model.vectors}
    # A model of pairs has no vectors that would tell what is near.
    return {"scores": model.predict_proba} | ({"vectors": encoder} if args.random else {})


def _lookup(path: str, texts: str, identity: str) -> Callable[[list[str]], np.ndarray]:
    """A function from sentences to their vectors, which a file holds in the order of another file's lines."""
    vectors, lines = _vectors(path), lines_of(texts)
    if len(vectors) != len(lines):
        raise PairsError(f"{path} holds {vectors.shape}; {texts} has {len(lines):,} lines, and each needs one row")

    def keys_of(sentences: list[str]) -> list[str]:
        return sentence_keys(pa.array(sentences, pa.large_string()), identity).to_pylist()

    keys = pd.Index(keys_of(lines))
    if again := int((twice := keys.duplicated()).sum()):
        warnings.warn(
            f"{again:,} lines of {texts} repeat a sentence in some spelling; its first vector counts", stacklevel=2
        )

    def of(sentences: list[str]) -> np.ndarray:
        place = keys[~twice].get_indexer(keys_of(sentences))
        if (gone := place < 0).any():
            first = sentences[int(np.argmax(gone))]
            raise PairsError(f"{gone.sum():,} of {len(place):,} sentences are not in {texts}, as {first!r}")
        return vectors[~twice][place]

    return of


def _vectors(path: str) -> np.ndarray:
    """The vectors of a file, one a row, checked to be finite numbers."""
    if not Path(path).is_file():
        raise PairsError(f"{path}: there is no such file")
    with intact(path, "give an array of numbers as numpy.save writes it"):
        # Mapped at first: a header may promise more than the file holds, or the memory.
        vectors = np.load(path, mmap_mode="r", allow_pickle=False)
    if not isinstance(vectors, np.ndarray) or vectors.ndim != 2:
        shape = getattr(vectors, "shape", "several arrays")
        raise PairsError(f"{path} holds {shape}; it needs one row for each line of --texts")
    vectors = np.array(vectors)
    if vectors.dtype.kind not in "fiub":
        raise PairsError(f"{path} holds {vectors.dtype}, not numbers")
    if (odd := ~np.isfinite(vectors).all(axis=1)).any():
        raise PairsError(f"{path}, row {int(np.argmax(odd)) + 1}: the vector is not finite ({odd.sum():,} such rows)")
    return vectors


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
    sub.add_argument("--judged", nargs="+", metavar="L.tsv", help="labelled pairs, as earlier batches filled in")
    choices = ("random", "static", "adaptive", "uncertainty")
    sub.add_argument("--strategy", default="uncertainty", choices=choices, help="(default uncertainty)")
    sub.add_argument("--encoder", default="bow", metavar="NAME", help=encoder)
    sub.add_whole("-n", "how many pairs (default 200)", 200)
    sub.add_whole("--neighbours", "of each sentence, among which to choose (default 100)", 100)
    sub.add_whole("--seed", "of random pairs and of training (default 0)", 0)
    sub.add_spreadsheet_safe()
    sub.add_output("BATCH.tsv", "for the pairs, with an empty column for their labels")

    about = "what a score is worth on all pairs of the sentences: average precision"
    sub = add_command(commands, all_pairs, about)
    score = sub.add_mutually_exclusive_group(required=True)
    score.add_argument("--scores", metavar="S.tsv", help="question1, question2, score: every unordered pair once")
    score.add_argument("--vectors", metavar="V.npy", help="a row a sentence; the score is the cosine")
    score.add_argument("--encoder", metavar="NAME", help="the cosine of: minilm, bow, a folder or a hub id")
    score.add_argument("--model", metavar="DIR", help="what `paragraph train` wrote")
    sub.add_argument("--texts", metavar="T.txt", help="for --vectors: the sentence of each row, one a line")
    others = "further sentences, one a line, which no row names (where there are two sides, on the second)"
    sub.add_argument("--others", metavar="TEXTS.txt", help=others)
    sub.add_whole("--random", "estimate: score so many random pairs, not all (default: all, exactly)")
    sub.add_whole("--near", "with --random: neighbours of each sentence that are scored besides (default 100)", 100)
    sub.add_whole("--seed", "of random pairs and of the interval (default 0)", 0)
    sub.add_output("OUT.json", "for the figures")
