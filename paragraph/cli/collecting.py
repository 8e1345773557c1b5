"""Commands of collection: simulate, collect, all-pairs."""

from __future__ import annotations

import warnings
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

import paragraph as pg

from ..graph.identity import sentence_keys
from ..pairs import PairsError
from ..pairs.errors import intact
from ..pairs.outputs import write_json
from ..pairs.write import write_table
from .files import Output, lines_of, sentences_of, the_graph, the_pairs, the_table, what_was_read
from .options import PAIRS, SAFE, SEED, command

#: As files call the columns.
SPELT = {"text_a": "question1", "text_b": "question2", "label": "is_duplicate"}
NEIGHBOURS = "--neighbours N  of each sentence, among which to choose (default 100)"
ENCODER = "--encoder NAME  what is trained: bow (words), minilm, a hub id, a folder (default bow)"


@command("simulate", PAIRS, ENCODER, NEIGHBOURS, SAFE, called="train")
def simulate(args, out, progress):
    """Compare strategies of collecting labels, on labelled pairs.

    --strategies S,…  which, by commas (default random,static,uncertainty)
    --dev DEV  labelled pairs of other sentences, to tune on
    --test TEST  labelled pairs of other sentences, to test on
    --sentences N  take whole components of FILE, so many sentences a part (default: 50, 25 and 25 %% of all)
    --split-seed N  of the parts (default 0)
    --first N  questions of the first round; each further one asks half as many more (default 512)
    --rounds N  how many (default 4)
    --seeds N  runs of each strategy (default 3)
    --begin static|stated  the first round of the others (default static)
    --lr X  learning rate
    -o --output RES.tsv!  for the results; the questions go beside it, to RES.asked.tsv
    """
    asked, place = Path(args.output).with_suffix(".asked.tsv").name, Path(args.output).absolute()
    Output(args, [place.with_name(asked)])
    names = ("encoder", "rounds", "first", "neighbours", "seeds", "begin", "lr")
    options = {name: getattr(args, name) for name in names}
    strategies = args.strategies.split(",")
    run = pg.simulate(_parts(args), strategies, **options, progress=progress)

    def write(part: Path) -> None:
        write_table(run.table, part)
        write_table(run.asked.rename(columns=SPELT), part.with_name(asked), args.spreadsheet_safe)

    out.write(write, {"strategies": strategies}, **{"trained on": run.trained_on})
    last = run.table.groupby(["strategy", "seed"], sort=False).tail(1)
    shown = last.groupby("strategy", sort=False)[["asked", "positives", "ap_dev", "ap_test", "p20_test"]].mean()
    out.say(shown.to_string(float_format="{:.4g}".format))


def _parts(args: Namespace) -> Any:
    """Read the parts of a simulation: files of their own, or parts of the one file."""
    from ..papers.collection.simulation import miniature

    pairs = the_pairs(args)
    held_out = {name: the_pairs(args, path) for name in ("dev", "test") if (path := getattr(args, name))}
    if args.sentences is not None:
        return miniature(pairs, args.sentences, args.split_seed)
    if held_out:
        return {"train": pairs} | held_out
    if "split" in pairs:
        return pairs
    return pg.split(pairs, {"train": 0.5, "dev": 0.25, "test": 0.25}, seed=args.split_seed, count="sentences")


@command("collect", ENCODER, NEIGHBOURS, SEED, SAFE)
def collect(args, out, progress):
    """Choose the pairs to label next among all pairs of some sentences.

    texts TEXTS.txt  sentences, one a line
    --others OTHERS.txt  a second side: pairs are of a sentence of either file
    --judged L.tsv+  labelled pairs, as earlier batches filled in
    --strategy uncertainty|random|static|adaptive  which pairs (default uncertainty)
    -n N  how many pairs (default 200)
    -o --output BATCH.tsv!  for the pairs, with an empty column for their labels
    """
    texts = sentences_of(args.texts, args.quiet)
    others = sentences_of(args.others, args.quiet) if args.others else []
    known = [pg.read_pairs(path, unlabelled="skip")[[*SPELT]] for path in args.judged or []]
    judged = pd.concat(known, ignore_index=True) if known else None
    options = {"seed": args.seed, "neighbours": args.neighbours, "progress": progress}
    learner = pg.Learner(texts, args.encoder, judged, others=others, **options)
    batch = learner.query(args.n, args.strategy)
    facts = {"known": len(learner.known), "trained on": learner.model.trained_on}
    out.table(batch.assign(label="").rename(columns=SPELT), **facts)
    out.say(
        f"{len(batch):,} of {learner.world.size:,} pairs to label, {len(learner.known):,} known",
        f"Fill the column is_duplicate in {args.output}: 1 where the two mean the same, else 0. Then add",
        f"{args.output} to --judged for the next batch.",
    )


@command("all-pairs", PAIRS, SEED)
def all_pairs(args, out, progress):
    """Estimate the average precision of a score on all pairs of the sentences.

    one of:
    --scores S.tsv  question1, question2, score: every unordered pair once
    --vectors V.npy  a row a sentence; the score is the cosine
    --encoder NAME  the cosine of: minilm, bow, a folder or a hub id
    --model DIR  what `paragraph train` wrote

    --texts T.txt  for --vectors: the sentence of each row, one a line
    --others TEXTS.txt  further sentences, one a line, which no row names (of the second side)
    --random N  estimate: score so many random pairs, not all (default: all, exactly)
    --near N  with --random: neighbours of each sentence that are scored besides (default 100)
    -o --output OUT.json!  for the figures
    """
    if bool(args.vectors) != bool(args.texts):
        raise PairsError("--vectors needs --texts, the sentence of each row, one a line; and the other way round")
    graph, options = the_graph(args), {"random": args.random, "seed": args.seed, "progress": progress}
    if args.random is not None and not args.scores:
        options["near"] = args.near
    others = lines_of(args.others) if args.others else []
    values = pg.measure.all_pairs(graph, others=others, **_score(args), **options).summary()
    out.write(lambda part: write_json(values, part), read=what_was_read(graph.pairs))
    for name, value in values.items():
        out.say(f"{name:<12}{value if isinstance(value, str) else f'{value:,.4f}'.removesuffix('.0000'):>16}")


def _score(args: Namespace) -> dict[str, Any]:
    """Return the scores for `measure.all_pairs`: of a table, vectors, an encoder, or a trained model in a folder."""
    if args.scores:
        return {"scores": the_table(args, args.scores)}
    if args.vectors:
        return {"vectors": _lookup(args.vectors, args.texts, "text" if args.identity == "id" else args.identity)}
    from ..learn.pairs import holds_model

    encoder = partial(pg.learn.encode, progress=not args.quiet)
    if args.encoder == "bow":  # of these sentences alone, and of none of their labels
        return {"vectors": lambda texts: pg.learn.BagOfWords.of(texts)(texts)}
    if args.encoder:
        return {"vectors": partial(encoder, model=args.encoder)}
    if not holds_model(args.model):
        raise PairsError(f"--model {args.model} is no folder that `paragraph train` wrote; is it an --encoder?")
    model = pg.learn.load_model(args.model)
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
