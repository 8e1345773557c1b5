"""The verbs of learning: train, evaluate, experiment."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..measure.splits import split
from ..pairs import PairsError
from ..pairs.outputs import together, write_json
from .common import Output, learning, seen, the_pairs
from .options import Command, add_command
from .tagging import add_mrpc, fitted_tagger, tagger_scores

__all__ = ["add"]

MODELS = ("tfidf", "embedding", "dense", "cosine", "cross-encoder")
TAGGERS = ("alignment", "cross-encoder")


def train(args: argparse.Namespace) -> None:
    args.model = args.model or ("embedding" if args.task == "pairs" else "alignment")
    if args.model not in (known := MODELS if args.task == "pairs" else TAGGERS):
        raise PairsError(f"--model {args.model} is not one of {', '.join(known)}, which learn {args.task}")
    inputs = {"train": args.file} | {f"train {i}": path for i, path in enumerate(args.more, 2)}
    # What a model's folder holds depends on the model; so no input may lie in it
    inside = Path(args.output).absolute().rglob("*")
    encoder = Path(args.encoder).rglob("*") if args.encoder else ()
    output = Output(args, inputs | {"dev": args.dev, "MRPC": args.mrpc}, inside, encoder)
    with learning():
        from ..learn.labels import SEEN, pair_hashes

        model, *tables = fitted_tagger(args) if args.task == "tags" else _fitted(args)
        n, hashes = len(tables[0]), np.unique(np.concatenate([pair_hashes(table) for table in tables]))
        with together(args.output) as out:
            model.save(out)
            np.save(out / SEEN, hashes)
            write_json(output.record(pairs=n), out / "record.json")
    if not args.quiet:
        pairs = "pairs" if args.task == "pairs" else "tagged pairs"
        print(f"{model.name}, trained on {n:,} {pairs}, written to {args.output}")
        seen(model)


def _fitted(args: argparse.Namespace) -> tuple[Any, ...]:
    """A model fitted to the labelled pairs of all files, these pairs, and those of --dev if there are any."""
    from ..learn.labels import training_labels

    parts = [the_pairs(args, path) for path in (args.file, *args.more)]
    for part in parts:
        if part["label"].isna().any():
            training_labels(part)  # here the error can still name the file
    pairs = pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
    dev = the_pairs(args, args.dev) if args.dev else None
    return maker(args)(args.seed).fit(pairs, dev), pairs, *([] if dev is None else [dev])


def evaluate(args: argparse.Namespace) -> None:
    output = Output(args, {args.task: args.file, "MRPC": args.mrpc}, spared=Path(args.model).rglob("*"))
    with learning():
        from ..learn.labels import count_seen

        model, found, table = tagger_scores(args) if args.task == "tags" else _scores(args)
        known = count_seen(args.model, table)
    if known:
        warnings.warn(
            f"{known:,} of {len(table):,} pairs are among those that the model was trained on: scores on them do not "
            "say how it does on new pairs",
            stacklevel=2,
        )
    undefined = found.attrs["undefined"]
    counts = ("n", "positives")
    values = {k: None if k in undefined else int(v) if k in counts else float(v) for k, v in found.items()}
    if args.output:
        about = {"model": model.name, "trained on": model.trained_on, "scores": values, "undefined": undefined}
        about["pairs it was trained on"] = known
        write_json(about | {"record": output.record()}, args.output)
    if args.quiet:
        return
    for name, value in values.items():
        shown = "–" if value is None else f"{value:,}" if name in counts else f"{value:.4f}"
        print(f"{name:<18}{shown:>10}" + (f"  ({undefined[name]})" if name in undefined else ""))
    seen(model)


def _scores(args: argparse.Namespace) -> tuple[Any, pd.Series, pd.DataFrame]:
    """A model, its scores on labelled pairs, and these pairs."""
    from ..learn.pairs import load_model
    from ..measure.scoring import scores

    pairs = the_pairs(args)
    pairs = pairs[pairs["label"].notna()]
    model = load_model(args.model)
    return model, scores(pairs["label"], model.predict_proba(pairs)), pairs


def four_by_four(args: argparse.Namespace) -> None:
    from ..experiments import four_by_four

    options = {"remove_leaks": not args.keep_leaks, "planted": args.planted}
    found = rerun(four_by_four, args, ("train", "test"), dev=args.dev, **options)
    if args.quiet:
        return
    for metric in ("accuracy", "F1"):
        print(f"{metric} × 100\n{found.layout(metric).to_string()}\n")
    print(*(f"- {note}" for note in found.notes()), sep="\n")


def distance_grid(args: argparse.Namespace) -> None:
    from ..experiments import distance_grid

    found = rerun(distance_grid, args, ("train", "dev", "test"))
    if args.quiet:
        return
    for metric in ("accuracy", "weighted F1"):
        print(f"{metric}, baseline {found.baseline(metric)[0]:.4f}\n{found.layout(metric).to_string()}\n")
    table = found.differences()[["train_set", "difference", "low", "high", "p", "detectable", "significant_over"]]
    print(f"{table.to_string(index=False, float_format='{:.4f}'.format)}\n")
    print(*(f"- {note}" for note in found.notes()), sep="\n")


def rerun(experiment: Callable, args: argparse.Namespace, parts: tuple[str, ...], **options: Any) -> Any:
    """The results of an experiment on the parts that the arguments name."""
    pairs = divided(args, parts)
    with learning():
        if options.get("dev"):
            options["dev"] = the_pairs(args, options["dev"])
        return experiment(
            *pairs, maker(args), args.seeds, negatives=args.negatives, max_train=args.max_train,
            results=args.output, progress=not args.quiet, **options,
        )  # fmt: skip


def maker(args: argparse.Namespace) -> Any:
    """From a seed to the model that the options name."""
    from ..learn.pairs import make_model

    options: dict[str, Any] = {} if args.model == "tfidf" else {"progress": not args.quiet}
    if args.encoder:
        if args.model == "tfidf":
            raise PairsError("--encoder is for models that have one: embedding, dense, cosine, cross-encoder")
        options["model"] = args.encoder
    return partial(make_model, args.model, **options)


def divided(args: argparse.Namespace, names: tuple[str, ...]) -> list[pd.DataFrame]:
    """The parts of an experiment: files of their own, or shares of the one file."""
    held_out = {name: getattr(args, name) for name in names[1:]}
    place = Path(args.output).absolute()
    files = [f"{place}.parquet", f"{place}.record.json", *Path(f"{place}.cells").glob("*")]
    Output(args, {"train": args.file, "dev": args.dev} | held_out, files)
    if all(held_out.values()) and args.share is None:
        return [the_pairs(args), *(the_pairs(args, path) for path in held_out.values())]
    if any(held_out.values()) or args.share is None:
        files = " and ".join(f"--{name}" for name in held_out)
        raise PairsError(f"give {files}, or --share to take {'it' if len(held_out) == 1 else 'both'} from FILE")
    rest = 1 - args.share * len(held_out)
    pairs = split(the_pairs(args), {"train": rest} | dict.fromkeys(held_out, args.share), args.by, args.split_seed)
    return [pairs[(pairs["split"] == name).fillna(False)] for name in names]


def add(commands: Any) -> None:
    """The commands of this file, with their options."""

    def task(sub: Command) -> None:
        sub.add_argument(
            "--task", default="pairs", choices=("pairs", "tags"), help="labels of pairs, or tags on words"
        )
        add_mrpc(sub)

    def model(sub: Command, default: str | None, choices: tuple[str, ...] = MODELS) -> None:
        about = f"default {default}" if default else "default embedding; for tags: alignment or cross-encoder"
        sub.add_argument("--model", default=default, choices=choices, help=f"what is trained ({about})")
        encoder = "the pretrained encoder in it: a hub id or a folder (default minilm)"
        sub.add_argument("--encoder", metavar="NAME", help=encoder)
        sub.add_argument("--dev", metavar="DEV", help="labelled pairs for early stopping")

    sub = add_command(commands, train, "train a model on labelled pairs", "TRAIN")
    sub.add_argument("more", nargs="*", metavar="MORE", help="further files of pairs, read in the same way")
    task(sub)
    model(sub, None, (*MODELS, TAGGERS[0]))
    sub.add_whole("--seed", "of whatever is random in it", 0)
    sub.add_output("FOLDER", "for the model")

    sub = add_command(commands, evaluate, "score a trained model on labelled pairs")
    task(sub)
    sub.add_argument("--model", required=True, metavar="FOLDER", help="what `paragraph train` wrote")
    sub.add_argument("-o", "--output", metavar="SCORES.json", help="the scores, with a record")

    about = "re-run an experiment of the literature; the same command again continues where it stopped"
    experiments = commands.add_parser("experiment", help=about, description=about)
    inner = experiments.add_subparsers(metavar="EXPERIMENT", required=True, help="which")

    def experiment(run: Callable, help: str, default: str, negatives: str) -> Command:
        sub = add_command(inner, run, help, "TRAIN")
        model(sub, default)
        sub.add_argument("--test", metavar="TEST", help="labelled pairs to test on")
        sub.add_argument("--share", type=float, metavar="X", help="or: take this share of FILE, component-wise")
        sub.add_by("what --share keeps whole")
        sub.add_whole("--split-seed", "for --share", 0)
        sub.add_whole("--seeds", "rounds of training (default 5)", 5)
        sub.add_negatives(negatives)
        sub.add_whole("--max-train", "sample larger training sets")
        sub.add_output("RESULTS", "for RESULTS.parquet and its record")
        return sub

    four = "four training sets by four test sets (Chen et al. 2020)"
    sub = experiment(four_by_four, four, "embedding", "clusters")
    sub.add_argument("--planted", type=float, default=0.0, metavar="X", help="flip this share of the labels first")
    sub.add_argument("--keep-leaks", action="store_true", help="train also on pairs that the test set holds")

    experiment(distance_grid, "labels inferred at growing distance (Jurišić et al. 2023)", "dense", "all")
