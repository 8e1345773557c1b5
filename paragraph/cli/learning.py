"""Commands of learning, of labels on pairs and tags on words: train, evaluate, experiment."""

from __future__ import annotations

import warnings
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import paragraph as pg

from ..learn.pairs import MODELS
from ..pairs import PairsError
from ..pairs.outputs import all_or_none, write_described, write_json
from .files import Output, flat, the_pairs, the_tags
from .options import ALL, CLUSTERS, MRPC, PAIRS, SEED, TRAINED, command

TAGGERS = ("alignment", "cross-encoder")
TASK = f"--task pairs|tags  labels of pairs, or tags on words (default pairs)\n{MRPC}"
ENCODER = "--encoder NAME  the encoder in it: a hub id or a folder (default: minilm)"
DEV = "--dev DEV  labelled pairs for early stopping"
MODEL, ANY = (f"--model {'|'.join(of)}  what is trained" for of in (MODELS, [*MODELS, TAGGERS[0]]))


@command(
    "train", TRAINED, TASK, ENCODER, DEV, SEED, f"{ANY} (default: embedding; of tags: alignment)", called="train"
)
def train(args):
    """Train a model on labelled pairs.

    more MORE*  further files of pairs, read in the same way
    -o --output FOLDER!  for the model
    """
    args.model = args.model or ("embedding" if args.task == "pairs" else "alignment")
    if args.model not in (known := MODELS if args.task == "pairs" else TAGGERS):
        raise PairsError(f"--model {args.model} is not one of {', '.join(known)}, which learn {args.task}")
    # What a model's folder holds depends on the model; so no input may lie in it
    out = Output(args, Path(args.output).absolute().rglob("*"))
    from ..learn.labels import SEEN, pair_hashes

    model, *tables = _fitted_tagger(args) if args.task == "tags" else _fitted(args)
    n, hashes = len(tables[0]), np.unique(np.concatenate([pair_hashes(table) for table in tables]))
    with all_or_none(args.output) as folder:
        model.save(folder)
        np.save(folder / SEEN, hashes)
        write_described(out.record(pairs=n), folder / "record.json")
    things = "pairs" if args.task == "pairs" else "tagged pairs"
    out.say(f"{model.name}, trained on {n:,} {things}, written to {args.output}", *_seen(model))


def _fitted(args: Namespace) -> tuple[Any, ...]:
    """Fit a model to the labelled pairs of all files; return it, these pairs, and those of --dev."""
    from ..learn.labels import training_labels

    tables = [the_pairs(args, path) for path in (args.file, *args.more)]
    for table in tables:
        if table["label"].isna().any():
            training_labels(table)  # here the error can still name the file
    pairs = pd.concat(tables, ignore_index=True) if len(tables) > 1 else tables[0]
    dev = the_pairs(args, args.dev) if args.dev else None
    return _maker(args)(args.seed).fit(pairs, dev), pairs, *([] if dev is None else [dev])


def _fitted_tagger(args: Namespace) -> tuple[Any, pd.DataFrame]:
    """Fit a tagger to the tagged pairs of all files; return it and these pairs."""
    if args.dev is not None:
        raise PairsError("--dev is for models of pairs, not for taggers")
    table = pd.concat([the_tags(args, path) for path in (args.file, *args.more)], ignore_index=True)
    options = {"model": args.encoder} if args.encoder else {}
    return pg.learn.make_tagger(args.model, args.seed, progress=not args.quiet, **options).fit(table), table


def _maker(args: Namespace) -> Callable[[int], Any]:
    """Return a function from a seed to the model that the options name."""
    options: dict[str, Any] = {} if args.model == "tfidf" else {"progress": not args.quiet}
    if args.encoder and args.model == "tfidf":
        raise PairsError("--encoder is for models that have one: embedding, dense, cosine, cross-encoder, adapter")
    options |= {"model": args.encoder} if args.encoder else {}
    return partial(pg.learn.make_model, args.model, **options)


def _seen(model: Any) -> list[str]:
    """Data that the pretrained weights of a model have seen, as a line to print, where there are any."""
    return [f"what its weights have seen: {model.trained_on}"] if model.trained_on else []


@command("evaluate", PAIRS, TASK)
def evaluate(args):
    """Score a trained model on labelled pairs.

    --model FOLDER!  what `paragraph train` wrote
    -o --output SCORES.json  the scores, with a record
    """
    from ..learn.labels import count_seen

    args.called = args.task
    out = Output(args)
    model, found, table = _tagger_scores(args) if args.task == "tags" else _scores(args)
    if known := count_seen(args.model, table):
        said = f"{known:,} of {len(table):,} pairs are among those that the model was trained on"
        warnings.warn(f"{said}: scores on them do not say how it does on new pairs", stacklevel=2)
    undefined = found.attrs["undefined"]
    counts = ("n", "positives")
    values = {k: None if k in undefined else int(v) if k in counts else float(v) for k, v in found.items()}
    if args.output:
        about = {"model": model.name, "trained on": model.trained_on, "scores": values, "undefined": undefined}
        write_json(about | {"pairs it was trained on": known, "record": out.record()}, args.output)
    for name, value in values.items():
        shown = "–" if value is None else f"{value:,}" if name in counts else f"{value:.4f}"
        out.say(f"{name:<18}{shown:>10}" + (f"  ({undefined[name]})" if name in undefined else ""))
    out.say(*_seen(model))


def _scores(args: Namespace) -> tuple[Any, pd.Series, pd.DataFrame]:
    """A model, its scores on labelled pairs, and these pairs."""
    pairs = the_pairs(args)
    pairs = pairs[pairs["label"].notna()]
    model = pg.learn.load_model(args.model)
    return model, pg.measure.scores(pairs["label"], model.predict_proba(pairs)), pairs


def _tagger_scores(args: Namespace) -> tuple[Any, pd.Series, pd.DataFrame]:
    """A tagger, its scores over the words of tagged pairs, and these pairs."""
    table = the_tags(args, args.file)
    if "tags_a" not in table:
        raise PairsError(f"{Path(args.file).name}: has no tags to compare with (tags_a, tags_b)")
    tagger = pg.learn.load_tagger(args.model, progress=not args.quiet)
    truth, p = flat(table, "tags"), flat(tagger.tag(table), "p")
    return tagger, pg.measure.tag_scores(truth, p, tagger.threshold), table


EXPERIMENT = f"""{TRAINED}
{ENCODER}
{DEV}
--test TEST  labelled pairs to test on
--share X  or: take this share of FILE, component-wise
--by components|clusters  what --share keeps whole (default components)
--split-seed N  for --share (default 0)
--seeds N  rounds of training (default 5)
--max-train N  sample larger training sets
-o --output RESULTS!  for RESULTS.parquet and its record
"""


@command("experiment four-by-four", EXPERIMENT, CLUSTERS, f"{MODEL} (default embedding)", called="train")
def four_by_four(args):
    """Four training sets by four test sets (Chen et al. 2020).

    --planted X  flip this share of the labels first (default 0.0)
    --keep-leaks  train also on pairs that the test set holds
    """
    options = {"remove_leaks": not args.keep_leaks, "planted": args.planted}
    out, found = _rerun(pg.experiments.four_by_four, args, ("train", "test"), **options)
    for metric in ("accuracy", "F1"):
        out.say(f"{metric} × 100\n{found.layout(metric).to_string()}\n")
    out.say(*(f"- {note}" for note in found.notes()))


@command("experiment distance-grid", EXPERIMENT, ALL, f"{MODEL} (default dense)", called="train")
def distance_grid(args):
    """Labels inferred at growing distance (Jurišić et al. 2023)."""
    out, found = _rerun(pg.experiments.distance_grid, args, ("train", "dev", "test"))
    for metric in ("accuracy", "weighted F1"):
        out.say(f"{metric}, baseline {found.baseline(metric)[0]:.4f}\n{found.layout(metric).to_string()}\n")
    shown = ["train_set", "difference", "low", "high", "p", "detectable", "significant_over"]
    table = found.score_differences()[shown]
    out.say(f"{table.to_string(index=False, float_format='{:.4f}'.format)}\n")
    out.say(*(f"- {note}" for note in found.notes()))


def _rerun(experiment: Callable, args: Namespace, names: tuple[str, ...], **options: Any) -> Any:
    """Run an experiment on its parts: files of their own, or shares of the one file."""
    held_out = {name: getattr(args, name) for name in names[1:]}
    place = Path(args.output).absolute()
    out = Output(args, [f"{place}.parquet", f"{place}.record.json", *Path(f"{place}.cells").glob("*")])
    if all(held_out.values()) and args.share is None:
        tables = [the_pairs(args), *(the_pairs(args, path) for path in held_out.values())]
    elif any(held_out.values()) or args.share is None:
        files = " and ".join(f"--{name}" for name in held_out)
        raise PairsError(f"give {files}, or --share to take {'it' if len(held_out) == 1 else 'both'} from FILE")
    else:
        shares = {"train": 1 - args.share * len(held_out)} | dict.fromkeys(held_out, args.share)
        pairs = pg.split(the_pairs(args), shares, args.by, args.split_seed)
        tables = [pairs[(pairs["split"] == name).fillna(False)] for name in names]
    if "dev" not in names and args.dev:
        options["dev"] = the_pairs(args, args.dev)
    options |= {"negatives": args.negatives, "max_train": args.max_train}
    options |= {"results": args.output, "progress": not args.quiet}
    return out, experiment(*tables, _maker(args), args.seeds, **options)
