"""The verbs of texts: generate, score, meta-evaluate, shuffle."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from ..graph import ParaphraseGraph
from ..japanese.parse import Parses
from ..japanese.shuffle import RULES, augment_by_shuffling, shuffled_sentences
from ..pairs import PairsError
from ..pairs.formats import choose_by_names
from ..pairs.opening import json_objects
from ..pairs.read import read_table
from .common import Output, assignments, learning, sentences_of, the_pairs, the_tagger
from .options import Command, add_command

__all__ = ["add"]


def generate(args: argparse.Namespace) -> None:
    if args.by == "substitution":
        raise PairsError("--by substitution is gone: use --by cluster, or --by seq2seq with a model")
    if (args.by == "seq2seq") != bool(args.model):
        raise PairsError("--by seq2seq and --model go together: a folder, or a hub id such as facebook/bart-base")
    if args.tagger is None:
        args.tagger = "none" if args.by == "cluster" else "default"
    folders = [path for path in (args.model, args.tagger) if path and Path(path).is_dir()]
    inside = [file for folder in folders for file in Path(folder).rglob("*")]
    output = Output(args, {"pairs": args.file, "texts": args.texts}, spared=inside)
    pairs, bars = the_pairs(args), {"progress": not args.quiet}
    graph = ParaphraseGraph.from_pairs(pairs, args.identity)
    texts = sentences_of(args.texts, args.quiet) if args.texts else graph.texts(range(graph.n))
    with learning():
        from .. import learn

        tagger = the_tagger(args)
        if args.by == "cluster":
            maker = learn.ClusterParaphraser(graph, tagger, args.theta)
        else:
            maker = learn.Seq2SeqParaphraser(args.model, tagger, args.theta, epochs=args.epochs, seed=args.seed)
            if args.epochs:
                maker.fit(pairs, **bars)
            if args.save:
                maker.save(args.save)
        found = maker.paraphrases(texts, args.n, **bars)
    counts = found.attrs | {"sentences": len(texts), "without": len(found.attrs["without"])}
    seen = {type(one).__name__: one.trained_on for one in (tagger, maker) if hasattr(one, "trained_on")}
    output.table(found, **{"found": counts, "trained on": seen})
    if not args.quiet:
        print("{0:,} paraphrases, {without:,} of {sentences:,} sentences without one".format(len(found), **counts))
        diversity = f"mean ROUGE-2 F {counts['rouge2']:.3f}; " if len(found) else ""
        print(diversity + "left out: {copies:,} copies, {tagged:,} tagged".format(**counts))


def score(args: argparse.Namespace) -> None:
    output = Output(args, {"texts": args.file})
    cands, refs = _texts(args.file)
    with learning():
        from ..learn.text.scores import score

        options = {"several": args.several, "progress": not args.quiet} | _options(args)
        found = [score(cands, refs, metric, combine=args.combine, **options) for metric in _names(args)]
    hashes = {one.metric.name: one.hash for one in found}
    table = pd.concat([one.table for one in found], ignore_index=True)
    output.write(lambda out: _write(table, out), {"metrics": hashes})
    if not args.quiet:
        print(table.groupby("metric", sort=False)[["P", "R", "F"]].mean().round(4).to_string())


def meta_evaluate(args: argparse.Namespace) -> None:
    with learning():
        from ..experiments.meta_evaluation import judged_files, layout, meta_evaluate

        output = Output(args, {name: str(path) for name, path in judged_files(args.judgements).items()})
        options = {"draws": args.draws, "seed": args.seed, "progress": not args.quiet} | _options(args)
        found = meta_evaluate(args.judgements, _names(args), **options)
    output.write(lambda out: _write(found, out), {"metrics": found.attrs["hashes"]})
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
    tagger = None if args.tagger == "default" else args.tagger
    return {"encoder": args.encoder, "layer": args.layer, "tagger": tagger, "generator": args.generator}


def _write(table: pd.DataFrame, path: Path) -> None:
    table.to_csv(path, sep="\t", index=False, lineterminator="\n")


def shuffle(args: argparse.Namespace) -> None:
    if (args.file is None) == (args.texts is None):
        raise PairsError("name a file of pairs, or sentences with --sentences T.txt")
    output = Output(args, {name: getattr(args, name) for name in ("file", "texts", "parses")})
    parses, options = Parses(args.parses, not args.quiet), {"n": args.n, "seed": args.seed, "rule": args.rule}
    options |= {"parses": parses, "reparse": args.reparse}
    if args.texts:
        made = shuffled_sentences(sentences_of(args.texts, args.quiet), **options)
        report = {"shuffled": len(made), "dropped": made.attrs["dropped"]}
    else:
        made, report = _shuffled_pairs(args, options)
    output.table(made, shuffling=report)
    if not args.quiet:
        said = [f"{count:,} {side}" for side, count in report.get("made", {}).items()]
        out = [f"{count:,} {why}" for why, count in report["dropped"].items() if count]
        said += [f"left out: {', '.join(out)}"] if out else []
        print(f"{len(made):,} rows; {'; '.join(said)}")


def _shuffled_pairs(args: argparse.Namespace, options: dict[str, Any]) -> tuple[pd.DataFrame, dict]:
    """Pairs with all their columns, and after them those in another order, which name the row they are from."""
    columns = assignments(args.columns, "--columns", str) if args.columns else {}
    table, name = read_table(args.file, columns=columns), Path(args.file).name
    role = choose_by_names(list(table), "auto", columns, name, "tsv").columns
    texts = {role["text_a"]: "text_a", role["text_b"]: "text_b"}
    for column in texts:
        if blank := table.index[table[column].str.strip() == ""].tolist():
            raise PairsError(f"{name}, row {blank[0]}: {column} is empty")
    label = role.get("entailment") or role.get("label")
    made = augment_by_shuffling(table.rename(columns=texts), label=label, **options)
    report = made.attrs["shuffling"]
    rows = ["" if place is pd.NA else str(table.index[place]) for place in made["from_row"]]
    return made.assign(from_row=rows).rename(columns={ours: theirs for theirs, ours in texts.items()}), report


def add(commands: Any) -> None:
    """The commands of this file, with their options."""
    sub = add_command(commands, generate, "make paraphrases: from clusters, or written by a model")
    sub.add_argument("--texts", metavar="TEXTS.txt", help="sentences, one a line (default: those of FILE)")
    about, known = "other members of a cluster, or a model that writes (default cluster)", "cluster | seq2seq"
    choices = ("cluster", "seq2seq", "substitution")
    sub.add_argument("--by", default="cluster", choices=choices, metavar=known, help=about)
    tags = "refuses by words: a folder, default (which ships) or none (default: none for clusters, else default)"
    sub.add_argument("--tagger", metavar="DIR | default | none", help=tags)
    sub.add_argument("--theta", type=float, default=0.05, metavar="X", help="most of the words tagged (default 0.05)")
    sub.add_whole("-n", "of each sentence at most (default 3)", 3)
    sub.add_argument("--model", metavar="DIR | HUB", help="for seq2seq; it learns from the paraphrases of FILE first")
    sub.add_whole("--epochs", "of this learning (default 3; 0: as the model is)", 3)
    sub.add_whole("--seed", "of this learning (default 0)", 0)
    sub.add_argument("--save", metavar="DIR", help="for the model that has learnt")
    sub.add_spreadsheet_safe()
    sub.add_output("OUT.tsv", "its record goes beside it")

    def scoring(run: Any, help: str) -> Command:
        sub = add_command(commands, run, help, file=None)
        every = "rouge1,rouge2,rougeL,bleu,cosine,bertscore,matching"
        of = "by comma, of rouge1, rouge2, rougeL, bleu, cosine, bertscore, matching, generation"
        sub.add_argument("--metrics", default=every, metavar="A,B", help=f"{of} (default {every})")
        tags = "matching: the tagger (default: the one that ships)"
        sub.add_argument("--tagger", default="default", metavar="DIR | default", help=tags)
        sub.add_argument("--generator", metavar="NAME", help="generation: an encoder-decoder, a hub id or a folder")
        encoder = "cosine, bertscore: a hub id or a folder (default minilm)"
        sub.add_argument("--encoder", default="minilm", metavar="NAME", help=encoder)
        sub.add_whole("--layer", "bertscore: whose vectors (default: the middle one)")
        sub.add_output("OUT.tsv", "for the scores")
        return sub

    sub = scoring(score, "score generated texts against their references")
    about = 'JSON Lines: {"candidate": text, "references": [text, …]}; row and reference are counted from 0'
    sub.add_argument("file", metavar="IN.jsonl", help=about)
    sub.add_argument("--combine", default="mean", choices=("mean", "harmonic"), help="generation: F of P and R")
    sub.add_argument("--several", default="max", choices=("max", "mean"), help="of several references")

    sub = scoring(meta_evaluate, "how well such scores agree with people: tables 4 to 6 of Wang et al. (2022)")
    judged = "judged texts, in the layouts of BARTScore: *.json, *.json.gz"
    sub.add_argument("judgements", metavar="DIR", help=judged)
    sub.add_whole("--draws", "for the intervals (default 1000)", 1000)
    sub.add_whole("--seed", "of the draws (default 0)", 0)

    about = "Japanese: paraphrases by phrases in another order, dependencies kept"
    sub = add_command(commands, shuffle, about, None)
    pairs = "pairs, with a header: CSV or TSV, .gz too; all columns stay"
    sub.add_argument("file", metavar="FILE", nargs="?", help=pairs)
    sub.add_argument("--sentences", dest="texts", metavar="T.txt", help="instead of pairs, sentences, one a line")
    sub.add_argument("--columns", metavar="text_a=…,text_b=…", help="which columns of FILE hold the sentences")
    about = "which orders: those people would say; all that keep the dependencies; any of phrases; any of words"
    sub.add_argument("--rule", default="strict", choices=RULES, help=f"{about} (default strict)")
    sub.add_argument("--parses", metavar="P.jsonl", help="parses to use before GiNZA's: text, phrases, heads, pinned")
    sub.add_argument("--reparse", action="store_true", help="only orders that GiNZA parses as it does the sentence")
    sub.add_whole("-n", "other orders of each sentence (default 1)", 1)
    sub.add_whole("--seed", "(default 0)", 0)
    sub.add_spreadsheet_safe()
    sub.add_output("OUT.tsv", "its record goes beside it, with what was dropped by reason")
