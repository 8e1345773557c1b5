"""The verbs of scoring generated text: score, meta-evaluate."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from ..pairs import PairsError
from ..pairs.jsonl import json_objects
from ..pairs.outputs import beside, spare
from ..pairs.provenance import make_record, write_record
from .common import Command, add_command, with_record
from .learning import learning

__all__ = ["add"]


def score(args: argparse.Namespace) -> None:
    spare([args.file], *with_record(args.output))
    cands, refs = _texts(args.file)
    with learning():
        from ..learn.text.scores import score

        options = {"several": args.several, "progress": not args.quiet} | _options(args)
        found = [score(cands, refs, metric, combine=args.combine, **options) for metric in _names(args)]
    hashes = {one.metric.name: one.hash for one in found}
    table = pd.concat([one.table for one in found], ignore_index=True)
    _write(table, args, make_record({"texts": args.file}, metrics=hashes, several=args.several))
    if not args.quiet:
        print(table.groupby("metric", sort=False)[["P", "R", "F"]].mean().round(4).to_string())


def meta_evaluate(args: argparse.Namespace) -> None:
    with learning():
        from ..experiments.meta_evaluation import judged_files, layout, meta_evaluate

        files = judged_files(args.folder)
        spare(files.values(), *with_record(args.output))
        options = {"draws": args.draws, "seed": args.seed, "progress": not args.quiet} | _options(args)
        found = meta_evaluate(args.folder, _names(args), **options)
    _write(found, args, make_record(files, metrics=found.attrs["hashes"], draws=args.draws, seed=args.seed))
    if not args.quiet:
        print(layout(found).round(3).to_string())


def _texts(path: str) -> tuple[list[str], list[list[str]]]:
    """Candidates and their references, of JSON Lines."""
    cands, refs = [], []
    for row, item in json_objects(path):
        text, several = item.get("candidate"), item.get("references")
        if not isinstance(text, str):
            raise PairsError(f"{Path(path).name}, row {row}: candidate is {text!r}, not a text")
        if not isinstance(several, list) or not several or not all(isinstance(one, str) for one in several):
            raise PairsError(f"{Path(path).name}, row {row}: references is {several!r}, not a list of texts")
        cands.append(text)
        refs.append(several)
    if not cands:
        raise PairsError(f"{Path(path).name}: holds no texts")
    return cands, refs


def _names(args: argparse.Namespace) -> list[str]:
    return list(dict.fromkeys(name.strip() for name in args.metrics.split(",")))


def _options(args: argparse.Namespace) -> dict[str, Any]:
    return {"encoder": args.encoder, "layer": args.layer, "tagger": args.model, "generator": args.generator}


def _write(table: pd.DataFrame, args: argparse.Namespace, record: dict[str, Any]) -> None:
    with beside(args.output) as out:
        table.to_csv(out, sep="\t", index=False, lineterminator="\n")
        write_record(out, record)


def add(commands: Any) -> None:
    """The commands of this file, with their options."""

    def command(run: Any, help: str, metrics: str) -> Command:
        sub = add_command(commands, run, help, file=None)
        of = "by comma, of rouge1, rouge2, rougeL, bleu, cosine, bertscore, matching, generation"
        sub.add_argument("--metrics", default=metrics, metavar="A,B", help=f"{of} (default {metrics})")
        sub.add_argument("--model", metavar="DIR", help="matching: the tagger (default: the one that ships)")
        sub.add_argument("--generator", metavar="NAME", help="generation: an encoder-decoder, a hub id or a folder")
        encoder = "cosine, bertscore: a hub id or a folder (default minilm)"
        sub.add_argument("--encoder", default="minilm", metavar="NAME", help=encoder)
        sub.add_whole("--layer", "bertscore: whose vectors (default: the middle one)")
        sub.add_output("OUT.tsv", "for the scores")
        return sub

    every = "rouge1,rouge2,rougeL,bleu,cosine,bertscore,matching"
    sub = command(score, "score generated texts against their references", every)
    about = 'JSON Lines: {"candidate": text, "references": [text, …]}; row and reference are counted from 0'
    sub.add_argument("file", metavar="IN.jsonl", help=about)
    sub.add_argument("--combine", default="mean", choices=("mean", "harmonic"), help="generation: F of P and R")
    sub.add_argument("--several", default="max", choices=("max", "mean"), help="of several references")

    sub = command(meta_evaluate, "how well such scores agree with people: tables 4 to 6 of Wang et al. (2022)", every)
    sub.add_argument("folder", metavar="DIR", help="judged texts, in the layouts of BARTScore: *.json, *.json.gz")
    sub.add_whole("--draws", "for the intervals (default 1000)", 1000)
    sub.add_whole("--seed", "of the draws (default 0)", 0)
