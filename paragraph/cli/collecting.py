"""Commands of collection: simulate, collect, all-pairs."""

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
from .files import Output, lines_of, sentences_of, the_graph, the_pairs, the_table, what_was_read
from .options import PAIRS, SAFE, SEED, choice, command, one_of, option, output, whole

#: As files call the columns.
SPELT = {"text_a": "question1", "text_b": "question2", "label": "is_duplicate"}
NEIGHBOURS = whole("--neighbours", "of each sentence, among which to choose", 100)
ENCODER = option("--encoder", "what is trained: bow (words), minilm, a hub id, a folder", "NAME", default="bow")


@command("simulate", PAIRS, ENCODER, NEIGHBOURS, SAFE)
@option("--strategies", "which, by commas", "S,…", default="random,static,uncertainty")
@option("--dev", "labelled pairs of other sentences, to tune on", "DEV")
@option("--test", "labelled pairs of other sentences, to test on", "TEST")
@whole("--sentences", "take whole components of FILE, so many sentences a part (default: 50, 25 and 25 %% of all)")
@whole("--split-seed", "of the parts", 0)
@whole("--first", "questions of the first round; each further one asks half as many more", 512)
@whole("--rounds", "how many", 4)
@whole("--seeds", "runs of each strategy", 3)
@choice("--begin", "the first round of the others", "static", "stated")
@option("--lr", "learning rate", "X", type=float)
@output("RES.tsv", "for the results; the questions go beside it, to RES.asked.tsv")
def simulate(args: argparse.Namespace) -> None:
    from ..collection.simulation import simulate

    asked, place = Path(args.output).with_suffix(".asked.tsv").name, Path(args.output).absolute()
    out = Output(args, "train")
    Output(args, "train", [place.with_name(asked)])
    names = ("encoder", "rounds", "first", "neighbours", "seeds", "begin", "lr")
    options = {name: getattr(args, name) for name in names}
    strategies = args.strategies.split(",")
    run = simulate(_parts(args), strategies, **options, progress=not args.quiet)

    def write(part: Path) -> None:
        write_table(run.table, part)
        write_table(run.asked.rename(columns=SPELT), part.with_name(asked), args.spreadsheet_safe)

    out.write(write, {"strategies": strategies}, **{"trained on": run.trained_on})
    last = run.table.groupby(["strategy", "seed"], sort=False).tail(1)
    shown = last.groupby("strategy", sort=False)[["asked", "positives", "ap_dev", "ap_test", "p20_test"]].mean()
    out.say(shown.to_string(float_format="{:.4g}".format))


def _parts(args: argparse.Namespace) -> Any:
    """Read the parts of a simulation: files of their own, or parts of the one file."""
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


@command("collect", ENCODER, NEIGHBOURS, SEED, SAFE)
@option("texts", "sentences, one a line", "TEXTS.txt")
@option("--others", "a second side: pairs are of a sentence of either file", "OTHERS.txt")
@option("--judged", "labelled pairs, as earlier batches filled in", "L.tsv", nargs="+")
@choice("--strategy", "which pairs", "uncertainty", "random", "static", "adaptive")
@whole("-n", "how many pairs", 200)
@output("BATCH.tsv", "for the pairs, with an empty column for their labels")
def collect(args: argparse.Namespace) -> None:
    from ..collection.learner import Learner

    out = Output(args)
    texts = sentences_of(args.texts, args.quiet)
    others = sentences_of(args.others, args.quiet) if args.others else []
    known = [read_pairs(path, unlabelled="skip")[["text_a", "text_b", "label"]] for path in args.judged or []]
    judged = pd.concat(known, ignore_index=True) if known else None
    options = {"seed": args.seed, "neighbours": args.neighbours, "progress": not args.quiet}
    learner = Learner(texts, args.encoder, judged, others=others, **options)
    batch = learner.query(args.n, args.strategy)
    facts = {"known": len(learner.known), "trained on": learner.model.trained_on}
    out.table(batch.assign(label="").rename(columns=SPELT), **facts)
    out.say(
        f"{len(batch):,} of {learner.world.size:,} pairs to label, {len(learner.known):,} known",
        f"Fill the column is_duplicate in {args.output}: 1 where the two mean the same, else 0. Then add",
        f"{args.output} to --judged for the next batch.",
    )


@command("all-pairs", PAIRS, SEED)
@one_of(
    option("--scores", "question1, question2, score: every unordered pair once", "S.tsv"),
    option("--vectors", "a row a sentence; the score is the cosine", "V.npy"),
    option("--encoder", "the cosine of: minilm, bow, a folder or a hub id", "NAME"),
    option("--model", "what `paragraph train` wrote", "DIR"),
)
@option("--texts", "for --vectors: the sentence of each row, one a line", "T.txt")
@option("--others", "further sentences, one a line, which no row names (of the second side)", "TEXTS.txt")
@whole("--random", "estimate: score so many random pairs, not all (default: all, exactly)")
@whole("--near", "with --random: neighbours of each sentence that are scored besides", 100)
@output("OUT.json", "for the figures")
def all_pairs(args: argparse.Namespace) -> None:
    out = Output(args)
    if bool(args.vectors) != bool(args.texts):
        raise PairsError("--vectors needs --texts, the sentence of each row, one a line; and the other way round")
    graph, options = the_graph(args), {"random": args.random, "seed": args.seed, "progress": not args.quiet}
    if args.random is not None and not args.scores:
        options["near"] = args.near
    others = lines_of(args.others) if args.others else []
    values = measured(graph, others=others, **_score(args), **options).summary()
    out.write(lambda part: write_json(values, part), read=what_was_read(graph.pairs))
    for name, value in values.items():
        out.say(f"{name:<12}{value if isinstance(value, str) else f'{value:,.4f}'.removesuffix('.0000'):>16}")


def _score(args: argparse.Namespace) -> dict[str, Any]:
    """Return the scores for `measure.all_pairs`: of a table, vectors, an encoder, or a trained model in a folder."""
    if args.scores:
        return {"scores": the_table(args, args.scores)}
    if args.vectors:
        return {"vectors": _lookup(args.vectors, args.texts, "text" if args.identity == "id" else args.identity)}
    from ..learn import encode, load_model
    from ..learn.pairs import holds_model
    from ..learn.pairs.cosine import BagOfWords

    encoder = partial(encode, progress=not args.quiet)
    if args.encoder == "bow":  # of these sentences alone, and of none of their labels
        return {"vectors": lambda texts: BagOfWords.of(texts)(texts)}
    if args.encoder:
        return {"vectors": partial(encoder, model=args.encoder)}
    if not holds_model(args.model):
        raise PairsError(f"--model {args.model} is no folder that `paragraph train` wrote; is it an --encoder?")
    model = load_model(args.model)
    if hasattr(model, "vectors"):
        return {"vectors": model.vectors}
    # A model of pairs has no vectors that would tell what is near.
    return {"scores": model.predict_proba} | ({"vectors": encoder} if args.random else {})


def _lookup(path: str, texts: str, identity: str) -> Callable[[list[str]], np.ndarray]:
    """Return a function from sentences to their vectors, the rows of one file in the order of another's lines."""
    lines = lines_of(texts)
    with intact(path, "give an array of numbers as numpy.save writes it"):
        # Mapped at first: a header may promise more than the file holds, or the memory.
        vectors = np.load(path, mmap_mode="r", allow_pickle=False)
    shape = getattr(vectors, "shape", ())
    if len(shape) != 2 or len(vectors) != len(lines) or vectors.dtype.kind not in "fiub":
        found = f"{vectors.dtype}, {shape}" if shape else "no array"
        raise PairsError(
            f"{path} holds {found}; it needs a row of numbers for each of the {len(lines):,} lines of {texts}"
        )
    vectors = np.array(vectors)
    if (odd := ~np.isfinite(vectors).all(axis=1)).any():
        raise PairsError(f"{path}, row {int(np.argmax(odd)) + 1}: the vector is not finite ({odd.sum():,} such rows)")

    def keys_of(sentences: list[str]) -> list[str]:
        return sentence_keys(pa.array(sentences, pa.large_string()), identity).to_pylist()

    row_of = pd.Series(np.arange(len(lines)), keys_of(lines))
    first = row_of[~row_of.index.duplicated()]
    if again := len(row_of) - len(first):
        said = f"{again:,} lines of {texts} repeat a sentence in some spelling; its first vector counts"
        warnings.warn(said, stacklevel=2)

    def of(sentences: list[str]) -> np.ndarray:
        rows = first.reindex(keys_of(sentences)).to_numpy()
        if (gone := np.isnan(rows)).any():
            missing = sentences[int(np.argmax(gone))]
            raise PairsError(f"{gone.sum():,} of {len(rows):,} sentences are not in {texts}, as {missing!r}")
        return vectors[rows.astype(int)]

    return of
