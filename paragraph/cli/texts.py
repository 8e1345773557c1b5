"""Commands on texts and on their words: generate, score, meta-evaluate, shuffle, tag, annotate, agreement."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import Any

import pandas as pd

from .. import tags
from ..graph import ParaphraseGraph
from ..japanese.parse import Parses
from ..japanese.shuffle import RULES, augment_by_shuffling, shuffled_sentences
from ..pairs import PairsError
from ..pairs.formats import recognise
from ..pairs.opening import Opened, json_objects
from ..pairs.read import read_table
from ..tags.sources import kind_of
from .files import Output, assignments, flat, sentences_of, the_pairs, the_tagger, the_tags, write_filled
from .options import MRPC, PAIRS, SEED, TSV, choice, command, flag, group, number, option, output, whole

#: Why a pair is not worth tagging: see `tags.candidates`.
WHY = {"short": "too short", "lengths": "of too unequal length", "bleu": "with BLEU up to 5 or from 20"}
METRICS = "rouge1,rouge2,rougeL,bleu,cosine,bertscore,matching"
SCORES = group(
    "scores",
    option("--metrics", f"by comma, of {METRICS} (default: all)", "A,B", default=METRICS),
    option("--tagger", "matching: the tagger (default: what ships)", "DIR | default", default="default"),
    option("--encoder", "cosine, bertscore: a hub id or a folder", "NAME", default="minilm"),
    whole("--layer", "bertscore: whose vectors (default: the middle one)"),
    output("OUT.tsv", "for the scores"),
)


@command("generate", PAIRS, SEED, TSV)
@option("--texts", "sentences, one a line (default: those of FILE)", "TEXTS.txt")
@choice("--by", "other members of a cluster, or a model that writes", "cluster", "seq2seq")
@option("--tagger", "refuses by words (default: none for clusters, else what ships)", "DIR | default | none")
@option("--theta", "most of the words tagged", "X", type=float, default=0.05)
@whole("-n", "of each sentence at most", 3)
@option("--model", "for seq2seq; it learns from the paraphrases of FILE first", "DIR | HUB")
@whole("--epochs", "of this learning; 0: as the model is", 3)
@option("--save", "for the model that has learnt", "DIR")
def generate(args: argparse.Namespace) -> None:
    from .. import learn

    if (args.by == "seq2seq") != bool(args.model):
        raise PairsError("--by seq2seq and --model go together: a folder, or a hub id such as facebook/bart-base")
    args.tagger = args.tagger or ("none" if args.by == "cluster" else "default")
    out = Output(args)
    table, bars = the_pairs(args), {"progress": not args.quiet}
    graph = ParaphraseGraph.from_pairs(table, args.identity)
    texts = sentences_of(args.texts, args.quiet) if args.texts else graph.texts(range(graph.n))
    tagger = the_tagger(args)
    if args.by == "cluster":
        maker = learn.ClusterParaphraser(graph, tagger, args.theta)
    else:
        maker = learn.Seq2SeqParaphraser(args.model, tagger, args.theta, epochs=args.epochs, seed=args.seed)
        if args.epochs:
            maker.fit(table, **bars)
        if args.save:
            maker.save(args.save)
    found = maker.paraphrases(texts, args.n, **bars)
    counts = found.attrs | {"sentences": len(texts), "without": len(found.attrs["without"])}
    seen = {type(one).__name__: one.trained_on for one in (tagger, maker) if hasattr(one, "trained_on")}
    out.table(found, **{"found": counts, "trained on": seen})
    diversity = f"mean ROUGE-2 F {counts['rouge2']:.3f}; " if len(found) else ""
    out.say(
        "{0:,} paraphrases, {without:,} of {sentences:,} sentences without one".format(len(found), **counts),
        diversity + "left out: {copies:,} copies, {tagged:,} tagged".format(**counts),
    )


@command("score", SCORES)
@option("file", 'JSON Lines: {"candidate": text, "references": [text, …]}; counted from 0', "IN.jsonl")
@choice("--several", "of several references", "max", "mean")
def score(args: argparse.Namespace) -> None:
    from ..learn.text.scores import score

    out = Output(args, "texts")
    cands, refs = [], []
    for row, item in json_objects(args.file):
        text, several = item.get("candidate"), item.get("references")
        if not isinstance(text, str):
            raise PairsError(f"{Path(args.file).name}, row {row}: candidate is {text!r}, not a text")
        if not isinstance(several, list) or not several or not all(isinstance(one, str) for one in several):
            raise PairsError(f"{Path(args.file).name}, row {row}: references is {several!r}, not a list of texts")
        cands.append(text)
        refs.append(several)
    if not cands:
        raise PairsError(f"{Path(args.file).name}: holds no texts")
    metrics, options = _metrics(args)
    found = [score(cands, refs, metric, several=args.several, **options) for metric in metrics]
    table = pd.concat([one.table for one in found], ignore_index=True)
    out.table(table, {"metrics": {one.metric.name: one.hash for one in found}})
    out.say(table.groupby("metric", sort=False)[["P", "R", "F"]].mean().round(4).to_string())


@command("meta-evaluate", SCORES, SEED)
@option("judgements", "judged texts, in the layouts of BARTScore: *.json, *.json.gz", "DIR")
@whole("--draws", "for the intervals", 1000)
def meta_evaluate(args: argparse.Namespace) -> None:
    from ..experiments.meta_evaluation import judged_files, layout, meta_evaluate

    out = Output(args, inputs={name: str(path) for name, path in judged_files(args.judgements).items()})
    metrics, options = _metrics(args)
    found = meta_evaluate(args.judgements, metrics, draws=args.draws, seed=args.seed, **options)
    out.table(found, {"metrics": found.attrs["hashes"]})
    out.say(layout(found).round(3).to_string())


def _metrics(args: argparse.Namespace) -> tuple[list[str], dict[str, Any]]:
    """The names of metrics, each once, and the options of those that take some."""
    tagger = None if args.tagger == "default" else args.tagger
    options = {"encoder": args.encoder, "layer": args.layer, "tagger": tagger}
    names = [name.strip() for name in args.metrics.split(",")]
    return list(dict.fromkeys(names)), options | {"progress": not args.quiet}


@command("shuffle", SEED, TSV)
@option("file", "pairs, with a header: CSV or TSV, .gz too; all columns stay", "FILE", nargs="?")
@option("--sentences", "instead of pairs, sentences, one a line", "T.txt", dest="texts")
@option("--columns", "which columns of FILE hold the sentences", "text_a=…,text_b=…")
@option("--rule", "those people would say; all that keep the dependencies; any", default="strict", choices=RULES)
@option("--parses", "parses to use before GiNZA's: text, phrases, heads, pinned", "P.jsonl")
@flag("--reparse", "only orders that GiNZA parses as it does the sentence")
@whole("-n", "other orders of each sentence", 1)
def shuffle(args: argparse.Namespace) -> None:
    if (args.file is None) == (args.texts is None):
        raise PairsError("name a file of pairs, or sentences with --sentences T.txt")
    out = Output(args, "file")
    parses, options = Parses(args.parses, not args.quiet), {"n": args.n, "seed": args.seed, "rule": args.rule}
    options |= {"parses": parses, "reparse": args.reparse}
    if args.texts:
        made = shuffled_sentences(sentences_of(args.texts, args.quiet), **options)
        report = {"shuffled": len(made), "dropped": made.attrs["dropped"]}
    else:
        made, report = _shuffled_pairs(args, options)
    out.table(made, shuffling=report)
    said = [f"{count:,} {side}" for side, count in report.get("made", {}).items()]
    left = [f"{count:,} {why}" for why, count in report["dropped"].items() if count]
    said += [f"left out: {', '.join(left)}"] if left else []
    out.say(f"{len(made):,} rows; {'; '.join(said)}")


def _shuffled_pairs(args: argparse.Namespace, options: dict[str, Any]) -> tuple[pd.DataFrame, dict]:
    """Pairs with all their columns, and after them those in another order, which name the row they are from."""
    columns = assignments(args.columns, "--columns", str) if args.columns else {}
    table, name = read_table(args.file, columns=columns), Path(args.file).name
    role = recognise(Opened(name, "tsv", table, list(table)), "auto", columns)[0].columns
    texts = {role["text_a"]: "text_a", role["text_b"]: "text_b"}
    for column in texts:
        if blank := table.index[table[column].str.strip() == ""].tolist():
            raise PairsError(f"{name}, row {blank[0]}: {column} is empty")
    label = role.get("entailment") or role.get("label")
    made = augment_by_shuffling(table.rename(columns=texts), label=label, **options)
    report = made.attrs["shuffling"]
    rows = ["" if place is pd.NA else str(table.index[place]) for place in made["from_row"]]
    return made.assign(from_row=rows).rename(columns={ours: theirs for theirs, ours in texts.items()}), report


@command("tag", PAIRS, MRPC)
@option("--tagger", "what `paragraph train` wrote (default: what ships)", "DIR | default", default="default")
@output("OUT.jsonl", "the pairs in their order: words_*, tags_* and p_*, P(1) of each word")
def tag(args: argparse.Namespace) -> None:
    out = Output(args)
    table, tagger = the_tags(args, args.file), the_tagger(args)
    found = tagger.tag(table)
    out.write(lambda part: tags.write(found, part), {"threshold": tagger.threshold}, rows=len(found))
    marks = flat(found, "tags")
    out.say(f"{len(found):,} pairs, {len(marks):,} words, {sum(marks):,} of them tagged, written to {args.output}")


@command("annotate", PAIRS, MRPC, SEED)
@option("--log", "the log of decisions that the tags go to", "L.db", required=True)
@flag("--all", "all pairs, not only those with BLEU between 5 and 20")
@whole("-n", "so many of them, drawn at random")
@option("--annotator", "who will tag", "NAME", default="your name")
@output("OUT.jsonl", "for the pairs (default: beside the log)", required=False)
def annotate(args: argparse.Namespace) -> None:
    args.output = args.output or str(Path(args.log).with_suffix(".jsonl"))
    out = Output(args)
    table = the_tags(args, args.file).drop(columns=["tags_a", "tags_b"], errors="ignore")
    every, said = len(table), {}
    if not args.all:
        table = tags.candidates(table, progress=not args.quiet)
        said = {"bleu": table.attrs["bleu"], "left out": table.attrs["left_out"]}
    if args.n is not None and args.n < len(table):
        table = table.sample(args.n, random_state=args.seed)
    out.write(lambda part: tags.write(table, part), said, rows=len(table))
    why = "".join(f"; {count:,} {WHY[rule]}" for rule, count in said.get("left out", {}).items() if count)
    opened = f"pg.TagReview(pg.tags.read({args.output!r}), {args.log!r}, {args.annotator!r})"
    out.say(f"{len(table):,} of {every:,} pairs are in {args.output}{why}. In a notebook:")
    out.say(f"import paragraph as pg; {opened}")


@command("agreement", SEED)
@option(
    "log", "a log of decisions or its export, of each reviewer or of all; or tags as JSON Lines", "LOG", nargs="+"
)
@option("--annotators", "which two, where there are more", "NAME", nargs=2)
@option("--below", "how alike tags need no discussion", "F1", type=number(1, "from 0 to 1"), default=0.4)
@output("PAIRS", "for the pairs to talk about: JSON Lines of tags, else TSV", required=False)
def agreement(args: argparse.Namespace) -> None:
    from ..decisions.agreement import agreement as agreement_of
    from ..decisions.log import records_of
    from ..decisions.records import is_of_words, tag_table

    paths = list(map(Path, args.log))
    out = Output(args, files=[Path(args.output or "-").absolute()])
    if all(path.suffix in (".jsonl", ".gz") and kind_of(path) == "tags" for path in paths):
        return _of_tags(out, pd.concat(map(tags.read, paths), ignore_index=True))
    records = records_of(paths)
    if any(map(is_of_words, records)):
        return _of_tags(out, tag_table(records))
    found = agreement_of(*paths, reviewers=args.annotators, seed=args.seed)
    if args.output:
        named = found.disagreements.rename(columns={"text_a": "question1", "text_b": "question2"})
        write_filled(named, args.output)
    named = shlex.join(args.log)
    next_ = f"review FILE … --reviewer NAME --log settled.db --settle {named}" if len(found.disagreements) else ""
    out.say(found, f"Next: paragraph {next_ or f'apply FILE … {named} -o clean.csv'}")


def _of_tags(out: Output, table: pd.DataFrame) -> None:
    """Print the agreement of two annotators on words; write the pairs on which they differ most."""
    args = out.args
    found = tags.agreement(table, args.annotators, args.seed)
    queue = tags.disagreements(table, args.annotators, args.below)
    if args.output:
        tags.write(queue, args.output)
    pairs, words = (f"{found[name]:,} {name}" for name in ("pairs", "words"))
    kappa = found["why"] or f"{found['kappa']:>6.3f}  [{found['low']:.3f}, {found['high']:.3f}]"
    shown = {"accuracy": "accuracy", "F1 of the 1s": "f1", "F1 of spans, IO": "span_f1"}
    out.say(
        f"{found['first']}, {found['second']}: {pairs}, {words} tagged by both",
        f"{'κ of words':<16}{kappa}",
        *(f"{name:<16}{found[key]:>6.3f}" for name, key in shown.items()),
        f"{'to talk about':<16}{len(queue):>6,}  (F1 below {args.below:g})",
    )
