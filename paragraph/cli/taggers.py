"""The verb tag, and what train and evaluate do with tags on words."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from ..pairs import PairsError
from ..pairs.outputs import beside, spare, together
from ..pairs.provenance import write_json, write_record
from ..pairs.tag_sources import INPUTS, read_any
from ..pairs.tagged import untagged, write
from .common import add_command, learning, record_of, seen, the_pairs, with_record

__all__ = ["add", "add_mrpc", "evaluate_tagger", "train_tagger"]


def tag(args: argparse.Namespace) -> None:
    inputs = files_of(args, [args.file])
    spare(inputs.values(), *with_record(args.output))
    table = the_tags(args, args.file)
    with learning():
        from ..learn import default_tagger, load_tagger

        tagger = load_tagger(args.model) if args.model else default_tagger()
        tagger.progress = not args.quiet
        found = tagger.tag(table)
    name = Path(args.model).name if args.model else "default"
    with beside(args.output) as out:
        write(found, out)
        write_record(out, record_of(args, inputs, model=name, threshold=tagger.threshold, pairs=len(found)))
    if not args.quiet:
        tags = [tag for side in "ab" for each in found[f"tags_{side}"] for tag in each]
        words, ones = len(tags), sum(tags)
        print(f"{len(found):,} pairs, {words:,} words, {ones:,} of them tagged, written to {args.output}")


def train_tagger(args: argparse.Namespace) -> None:
    """Fit a tagger to tagged pairs, and write it to a folder."""
    for option in ("hard", "dev"):
        if getattr(args, option) is not None:
            raise PairsError(f"--{option} is for models of pairs, not for taggers")
    paths, folder = [args.file, *args.more], Path(args.output)
    inputs = files_of(args, paths)
    spare([*inputs.values(), *(Path(args.encoder).rglob("*") if args.encoder else ())], *folder.rglob("*"))
    tags = pd.concat([the_tags(args, path) for path in paths], ignore_index=True)
    with learning():
        from ..learn import make_tagger

        options = {"model": args.encoder} if args.encoder else {}
        tagger = make_tagger(args.model, args.seed, progress=not args.quiet, **options).fit(tags)
        record = record_of(args, inputs, model=args.model, encoder=args.encoder, seed=args.seed, pairs=len(tags))
        with together(folder) as out:
            tagger.save(out)
            write_json(record | {"threshold": tagger.threshold}, out / "record.json")
    if not args.quiet:
        about = f"trained on {len(tags):,} tagged pairs, threshold {tagger.threshold:.3f}"
        print(f"{tagger.name}, {about}, written to {args.output}")
        seen(tagger)


def evaluate_tagger(args: argparse.Namespace) -> None:
    """Score a tagger on tagged pairs."""
    from ..measure.tag_scoring import tag_scores

    inputs = files_of(args, [args.file])
    if args.output:
        spare([*inputs.values(), *Path(args.model).rglob("*")], args.output)
    tags = the_tags(args, args.file)
    if "tags_a" not in tags:
        raise PairsError(f"{Path(args.file).name}: has no tags to compare with (tags_a, tags_b)")
    with learning():
        from ..learn import load_tagger

        tagger = load_tagger(args.model)
        tagger.progress = not args.quiet
        found = tagger.tag(tags)
    words = [
        [x for side in "ab" for each in table[f"{kind}_{side}"] for x in each]
        for table, kind in ((tags, "tags"), (found, "p"))
    ]
    scores = tag_scores(*words, tagger.threshold)
    undefined = scores.attrs["undefined"]
    values = {k: None if k in undefined else int(v) if k == "n" else float(v) for k, v in scores.items()}
    if args.output:
        about = {
            "model": tagger.name,
            "trained on": tagger.trained_on,
            "threshold": tagger.threshold,
            "pairs": len(tags),
        }
        about |= {"scores": values, "undefined": undefined}
        write_json(about | {"record": record_of(args, inputs, model=Path(args.model).name)}, args.output)
    if args.quiet:
        return
    for name, value in values.items():
        shown = "–" if value is None else f"{value:,}" if name == "n" else f"{value:.4f}"
        print(f"{name:<18}{shown:>10}" + (f"  ({undefined[name]})" if name in undefined else ""))
    seen(tagger)


def the_tags(args: argparse.Namespace, path: str) -> pd.DataFrame:
    """The tag table of a file or folder: tags, MultiMWA, ETPC, or pairs in any format that other commands read."""
    if args.input in ("auto", *INPUTS) and not (args.columns or args.labels or args.on_error):
        found = read_any(path, None if args.input == "auto" else args.input, args.mrpc)
    else:
        as_pairs = vars(args) | {"input": "auto" if args.input == "pairs" else args.input}
        found = untagged(the_pairs(argparse.Namespace(**as_pairs | {"unlabelled": args.unlabelled or "keep"}), path))
    if unmatched := len(found.attrs.get("unmatched", ())):
        warnings.warn(
            f"{Path(path).name}: {unmatched:,} scopes do not lead to their text and tag nothing", stacklevel=2
        )
    return found


def files_of(args: argparse.Namespace, paths: Iterable[str]) -> dict[str, str]:
    """The files that are read, by what a record calls them: a folder stands for its files."""
    given = [file for path in (*paths, *filter(None, [args.mrpc])) for file in _files(path)]
    return {f"file {i}": file for i, file in enumerate(given, 1)}


def _files(path: str) -> list[str]:
    return sorted(str(file) for file in Path(path).iterdir() if file.is_file()) if Path(path).is_dir() else [path]


def add_mrpc(sub: Any) -> None:
    sub.add_argument("--mrpc", metavar="DIR", help="the folder of MRPC, whose sentences ETPC's tags are on")


def add(commands: Any) -> None:
    """The command of this file, with its options."""
    sub = add_command(commands, tag, "tag the words that the other sentence cannot paraphrase")
    sub.add_argument("--model", metavar="DIR", help="what `paragraph train --task tags` wrote (default: what ships)")
    add_mrpc(sub)
    sub.add_output("OUT.jsonl", "the pairs in their order: words_*, tags_* and p_*, P(1) of each word")
