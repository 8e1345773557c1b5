"""The verb tag, and what train and evaluate do with tags on words."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import Any

import pandas as pd

from ..pairs import PairsError
from ..pairs.outputs import beside, spare
from ..pairs.provenance import write_record
from ..tags.sources import INPUTS, read_any
from ..tags.table import untagged, write
from .common import add_command, learning, record_of, the_pairs, with_record

__all__ = ["add", "add_mrpc", "files_of", "fitted_tagger", "tagger_scores"]


def tag(args: argparse.Namespace) -> None:
    inputs = files_of(args, {"pairs": args.file})
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


def fitted_tagger(args: argparse.Namespace) -> Any:
    """A tagger fitted to the tagged pairs of all files, and these pairs."""
    from ..learn import make_tagger

    if args.dev is not None:
        raise PairsError("--dev is for models of pairs, not for taggers")
    tags = pd.concat([the_tags(args, path) for path in (args.file, *args.more)], ignore_index=True)
    options = {"model": args.encoder} if args.encoder else {}
    return make_tagger(args.model, args.seed, progress=not args.quiet, **options).fit(tags), tags


def tagger_scores(args: argparse.Namespace) -> tuple[Any, pd.Series, pd.DataFrame]:
    """A tagger, its scores over the words of tagged pairs, and these pairs."""
    from ..learn import load_tagger
    from ..measure import tag_scores

    tags = the_tags(args, args.file)
    if "tags_a" not in tags:
        raise PairsError(f"{Path(args.file).name}: has no tags to compare with (tags_a, tags_b)")
    tagger = load_tagger(args.model)
    tagger.progress = not args.quiet
    found = tagger.tag(tags)
    truth, p = (
        [value for side in "ab" for each in table[f"{name}_{side}"] for value in each]
        for table, name in ((tags, "tags"), (found, "p"))
    )
    return tagger, tag_scores(truth, p, tagger.threshold), tags


def the_tags(args: argparse.Namespace, path: str) -> pd.DataFrame:
    """The tag table of a file or folder: tags, MultiMWA, ETPC, or pairs in any format that other commands read."""
    if args.input in ("auto", *INPUTS) and not (args.columns or args.labels or args.on_error or args.encoding):
        found = read_any(
            path, None if args.input == "auto" else args.input, args.mrpc, max_unpacked=args.max_unpacked
        )
    else:
        as_pairs = vars(args) | {"input": "auto" if args.input == "pairs" else args.input}
        found = untagged(the_pairs(argparse.Namespace(**as_pairs | {"unlabelled": args.unlabelled or "keep"}), path))
    if unmatched := len(found.attrs.get("unmatched", ())):
        warnings.warn(
            f"{Path(path).name}: {unmatched:,} scopes do not lead to their text and tag nothing", stacklevel=2
        )
    return found


def files_of(args: argparse.Namespace, inputs: dict[str, str]) -> dict[str, str]:
    """The inputs of a record: in place of a folder its files, MRPC's among them where it is read too."""
    found = {}
    for name, path in (inputs | ({"MRPC": args.mrpc} if args.mrpc else {})).items():
        files = sorted(filter(Path.is_file, Path(path).iterdir())) if Path(path).is_dir() else []
        found |= {f"{name}, {file.name}": str(file) for file in files} or {name: path}
    return found


def add_mrpc(sub: Any) -> None:
    sub.add_argument("--mrpc", metavar="DIR", help="the folder of MRPC, whose sentences ETPC's tags are on")


def add(commands: Any) -> None:
    """The command of this file, with its options."""
    sub = add_command(commands, tag, "tag the words that the other sentence cannot paraphrase")
    sub.add_argument("--model", metavar="DIR", help="what `paragraph train --task tags` wrote (default: what ships)")
    add_mrpc(sub)
    sub.add_output("OUT.jsonl", "the pairs in their order: words_*, tags_* and p_*, P(1) of each word")
