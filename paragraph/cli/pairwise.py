"""The verb all-pairs: what a score is worth on all pairs of the sentences of a file."""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ..graph.identity import sentence_keys
from ..measure.all_pairs import all_pairs as measured
from ..pairs import PairsError
from ..pairs.outputs import beside, spare
from ..pairs.provenance import write_json, write_record
from ..pairs.tables import read_table
from ..pairs.unpacking import UNPACKED
from .common import add_command, record_of, the_graph, what_was_read, with_record
from .learning import learning

__all__ = ["add"]


def all_pairs(args: argparse.Namespace) -> None:
    given = {name: path for name in ("scores", "vectors", "texts", "others") if (path := getattr(args, name))}
    inputs = {"pairs": args.file} | given
    spare(inputs.values(), *with_record(args.output))
    if len({*given, *(["model"] if args.model else [])} & {"scores", "vectors", "model"}) != 1:
        raise PairsError("what is measured? One of --scores, --vectors (with --texts) and --model")
    if ("vectors" in given) != ("texts" in given):
        raise PairsError("--vectors needs --texts, the sentence of each row, one a line; and the other way round")
    graph = the_graph(args)
    options: dict[str, Any] = {"near": args.near, "random": args.random, "seed": args.seed}
    if args.others:
        options["others"] = _lines(args.others)
    if args.scores:
        table = read_table(args.scores, args.max_unpacked or UNPACKED)
        table = table.assign(row=table.index)
        table.attrs["report"] = {"source": Path(args.scores).name}
        found = measured(graph, scores=table, **options)
    elif args.vectors:
        vectors = _lookup(args.vectors, args.texts, "text" if args.identity == "id" else args.identity)
        found = measured(graph, vectors=vectors, progress=not args.quiet, **options)
    else:
        with learning():
            found = measured(graph, **_model(args.model, not args.quiet, args.random), **options)
    values = found.summary()
    numbers = {name: None if isinstance(x, float) and not math.isfinite(x) else x for name, x in values.items()}
    record = record_of(args, inputs, model=args.model, near=args.near, random=args.random, seed=args.seed)
    with beside(args.output) as out:
        write_json(numbers, out)
        write_record(out, record | {"read": what_was_read(graph.pairs)})
    if not args.quiet:
        for name, value in values.items():
            shown = f"{value:,}" if isinstance(value, int) else value if isinstance(value, str) else f"{value:.4f}"
            print(f"{name:<12}{shown:>14}")


def _lines(path: str) -> list[str]:
    """The sentences of a file, one a line."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise PairsError(f"{path}: byte {error.start} is not UTF-8") from None
    return text.removesuffix("\n").split("\n") if text else []


def _lookup(path: str, texts: str, identity: str) -> Callable[[list[str]], np.ndarray]:
    """From sentences to their vectors, which a file holds in the order of another file's lines."""
    try:
        vectors = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise PairsError(f"{path} is no array as numpy.save writes it: {error}") from None
    lines = _lines(texts)
    if not isinstance(vectors, np.ndarray) or vectors.ndim != 2 or len(vectors) != len(lines):
        shape = getattr(vectors, "shape", "several arrays")
        raise PairsError(f"{path} holds {shape}; {texts} has {len(lines):,} lines, and each needs one row")
    keys = pd.Index(_keys(lines, identity))
    if again := int((twice := keys.duplicated()).sum()):
        warnings.warn(
            f"{again:,} lines of {texts} repeat a sentence in some spelling; its first vector counts", stacklevel=2
        )

    def of(sentences: list[str]) -> np.ndarray:
        place = keys[~twice].get_indexer(_keys(sentences, identity))
        if (gone := place < 0).any():
            first = sentences[int(np.argmax(gone))]
            raise PairsError(f"{gone.sum():,} of {len(place):,} sentences are not in {texts}, as {first!r}")
        return vectors[~twice][place]

    return of


def _keys(texts: list[str], identity: str) -> list[str]:
    return sentence_keys(pa.array(texts, pa.large_string()), identity).to_pylist()


def _model(name: str, progress: bool, random: int | None) -> dict[str, Any]:
    """What `measure.all_pairs` scores with: an encoder, or a trained model in a folder."""
    from ..learn import encode
    from ..learn.naming import holds_model, load_model

    if not holds_model(name):
        return {"vectors": partial(encode, model=name, progress=progress), "progress": progress}
    model = load_model(name)
    if hasattr(model, "vectors"):
        return {"vectors": model.vectors, "progress": progress}
    # A model of pairs has no vectors that would tell what is near.
    return {"scores": model.predict_proba} | ({"vectors": partial(encode, progress=progress)} if random else {})


def add(commands: Any) -> None:
    """The command of this file, with its options."""
    sub = add_command(commands, all_pairs, "what a score is worth on all pairs of the sentences: average precision")
    sub.add_argument("--scores", metavar="S.tsv", help="question1, question2, score: every unordered pair once")
    sub.add_argument("--vectors", metavar="V.npy", help="a row a sentence; the score is the cosine")
    sub.add_argument("--texts", metavar="T.txt", help="the sentence of each row, one a line")
    sub.add_argument(
        "--model", metavar="NAME", help="minilm, bow, a folder or a hub id: an encoder, or a trained model"
    )
    others = "further sentences, one a line, which no row names (where there are two sides, on the second)"
    sub.add_argument("--others", metavar="TEXTS.txt", help=others)
    sub.add_whole("--random", "estimate: score so many random pairs, not all (default: all, exactly)")
    sub.add_whole("--near", "neighbours of each sentence that an estimate scores besides (default 100)")
    sub.add_whole("--seed", "of random pairs and of the interval (default 0)", 0)
    sub.add_output("OUT.json", "for the figures")
