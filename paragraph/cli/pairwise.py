"""The verb all-pairs: what a score is worth on all pairs of the sentences of a file."""

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
from ..pairs import PairsError
from ..pairs.errors import intact
from ..pairs.opening import UNPACKED
from ..pairs.outputs import beside, spare
from ..pairs.provenance import write_json, write_record
from ..pairs.tables import read_table
from .common import add_command, lines_of, record_of, the_graph, what_was_read, with_record
from .learning import learning

__all__ = ["add"]


def all_pairs(args: argparse.Namespace) -> None:
    given = {name: getattr(args, name) for name in ("scores", "vectors", "texts", "others")}
    inputs = {"pairs": args.file} | {name: path for name, path in given.items() if path}
    spare(inputs.values(), *with_record(args.output))
    if bool(args.vectors) != bool(args.texts):
        raise PairsError("--vectors needs --texts, the sentence of each row, one a line; and the other way round")
    graph, options = the_graph(args), {"random": args.random, "seed": args.seed, "progress": not args.quiet}
    if args.random is not None and not args.scores:
        options["near"] = args.near
    others = lines_of(args.others) if args.others else []
    with learning():
        found = measured(graph, others=others, **_score(args), **options)
    values = found.summary()
    record = record_of(args, inputs, model=args.model, near=args.near, random=args.random, seed=args.seed)
    with beside(args.output) as out:
        write_json(values, out)
        write_record(out, record | {"read": what_was_read(graph.pairs)})
    if not args.quiet:
        for name, value in values.items():
            print(f"{name:<12}{value if isinstance(value, str) else f'{value:,.4f}'.removesuffix('.0000'):>16}")


def _score(args: argparse.Namespace) -> dict[str, Any]:
    """What `measure.all_pairs` scores with: a table, vectors, an encoder, or a trained model in a folder."""
    if args.scores:
        table = read_table(args.scores, args.max_unpacked or UNPACKED)
        table = table.assign(row=table.index)
        table.attrs["report"] = {"source": Path(args.scores).name}
        return {"scores": table}
    if args.vectors:
        return {"vectors": _lookup(args.vectors, args.texts, "text" if args.identity == "id" else args.identity)}
    from ..learn import encode
    from ..learn.pairs import holds_model, load_model
    from ..learn.pairs.cosine import BagOfWords

    if args.model == "bow":  # of these sentences alone, and of none of their labels
        return {"vectors": lambda texts: BagOfWords.of(texts)(texts)}
    encoder = partial(encode, progress=not args.quiet)
    if not holds_model(args.model):
        return {"vectors": partial(encoder, model=args.model)}
    model = load_model(args.model)
    if hasattr(model, "vectors"):
        return {"vectors": model.vectors}
    # A model of pairs has no vectors that would tell what is near.
    return {"scores": model.predict_proba} | ({"vectors": encoder} if args.random else {})


def _lookup(path: str, texts: str, identity: str) -> Callable[[list[str]], np.ndarray]:
    """From sentences to their vectors, which a file holds in the order of another file's lines."""
    if not Path(path).is_file():
        raise PairsError(f"{path}: there is no such file")
    with intact(path, "give an array of numbers as numpy.save writes it"):
        # Mapped at first: a header may promise more than the file holds, or the memory.
        vectors = np.load(path, mmap_mode="r", allow_pickle=False)
    lines = lines_of(texts)
    if not isinstance(vectors, np.ndarray) or vectors.ndim != 2 or len(vectors) != len(lines):
        shape = getattr(vectors, "shape", "several arrays")
        raise PairsError(f"{path} holds {shape}; {texts} has {len(lines):,} lines, and each needs one row")
    vectors = np.array(vectors)
    if vectors.dtype.kind not in "fiub":
        raise PairsError(f"{path} holds {vectors.dtype}, not numbers")
    if (odd := ~np.isfinite(vectors).all(axis=1)).any():
        raise PairsError(f"{path}, row {int(np.argmax(odd)) + 1}: the vector is not finite ({odd.sum():,} such rows)")
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


def add(commands: Any) -> None:
    """The command of this file, with its options."""
    sub = add_command(commands, all_pairs, "what a score is worth on all pairs of the sentences: average precision")
    score = sub.add_mutually_exclusive_group(required=True)
    score.add_argument("--scores", metavar="S.tsv", help="question1, question2, score: every unordered pair once")
    score.add_argument("--vectors", metavar="V.npy", help="a row a sentence; the score is the cosine")
    sub.add_argument("--texts", metavar="T.txt", help="the sentence of each row, one a line")
    score.add_argument(
        "--model", metavar="NAME", help="minilm, bow, a folder or a hub id: an encoder, or a trained model"
    )
    others = "further sentences, one a line, which no row names (where there are two sides, on the second)"
    sub.add_argument("--others", metavar="TEXTS.txt", help=others)
    sub.add_whole("--random", "estimate: score so many random pairs, not all (default: all, exactly)")
    sub.add_whole("--near", "with --random: neighbours of each sentence that are scored besides (default 100)", 100)
    sub.add_whole("--seed", "of random pairs and of the interval (default 0)", 0)
    sub.add_output("OUT.json", "for the figures")
