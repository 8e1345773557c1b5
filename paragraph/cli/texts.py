"""Commands on texts and on their words: generate, score, meta-evaluate, shuffle, tag, annotate, agreement."""

from __future__ import annotations

import shlex
from argparse import Namespace
from pathlib import Path
from typing import Any

import pandas as pd

import paragraph as pg

from ..pairs import PairsError
from ..pairs.formats import recognise
from ..pairs.opening import Opened, json_objects
from ..pairs.read import read_table
from ..papers import tags
from ..papers.japanese.shuffle import shuffled_sentences
from ..papers.tags.sources import kind_of
from .files import Output, assignments, flat, sentences_of, the_pairs, the_tagger, the_tags, write_filled
from .options import MRPC, PAIRS, SEED, TSV, command

#: Why a pair is not worth tagging: see `tags.candidates`.
WHY = {"short": "too short", "lengths": "of too unequal length", "bleu": "with BLEU up to 5 or from 20"}
METRICS = "rouge1,rouge2,rougeL,bleu,cosine,bertscore,matching"
SCORES = f"""
scores:
--metrics A,B  by comma, of {METRICS} (default: all)
--tagger DIR | default  matching: the tagger (default: what ships)
--encoder NAME  cosine, bertscore: a hub id or a folder (default minilm)
--layer N  bertscore: whose vectors (default: the middle one)
-o --output OUT.tsv!  for the scores
"""


@command("generate", PAIRS, SEED, TSV)
def generate(args, progress):
    """Make paraphrases: from clusters, or written by a model.

    --texts TEXTS.txt  sentences, one a line (default: those of FILE)
    --by cluster|seq2seq  other members of a cluster, or a model that writes (default cluster)
    --tagger DIR | default | none  refuses by words (default: none for clusters, else what ships)
    --theta X  most of the words tagged (default 0.05)
    -n N  of each sentence at most (default 3)
    --model DIR | HUB  for seq2seq; it learns from the paraphrases of FILE first
    --epochs N  of this learning; 0: as the model is (default 3)
    --save DIR  for the model that has learnt
    """
    if (args.by == "seq2seq") != bool(args.model):
        raise PairsError("--by seq2seq and --model go together: a folder, or a hub id such as facebook/bart-base")
    args.tagger = args.tagger or ("none" if args.by == "cluster" else "default")
    out = Output(args)
    table, bars = the_pairs(args), {"progress": progress}
    graph = pg.ParaphraseGraph.from_pairs(table, args.identity)
    texts = sentences_of(args.texts, args.quiet) if args.texts else graph.texts(range(graph.n))
    tagger = the_tagger(args)
    if args.by == "cluster":
        maker = pg.ClusterParaphraser(graph, tagger, args.theta)
    else:
        maker = pg.Seq2SeqParaphraser(args.model, tagger, args.theta, epochs=args.epochs, seed=args.seed)
        if args.epochs:
            maker.fit(table, **bars)
        if args.save:
            maker.save(args.save)
    made = maker.paraphrases(texts, args.n, **bars)
    counts = made.attrs | {"sentences": len(texts), "without": len(made.attrs["without"])}
    seen = {type(one).__name__: one.trained_on for one in (tagger, maker) if hasattr(one, "trained_on")}
    out.table(made, **{"found": counts, "trained on": seen})
    diversity = f"mean ROUGE-2 F {counts['rouge2']:.3f}; " if len(made) else ""
    out.say(
        "{0:,} paraphrases, {without:,} of {sentences:,} sentences without one".format(len(made), **counts),
        diversity + "left out: {copies:,} copies, {tagged:,} tagged".format(**counts),
    )


@command("score", SCORES, metrics=METRICS, tagger="default", called="texts")
def score(args, out):
    """Score generated texts against their references.

    file IN.jsonl  JSON Lines: {"candidate": text, "references": [text, …]}; counted from 0
    --several max|mean  of several references (default max)
    """
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
    found = [pg.score(cands, refs, metric, several=args.several, **options) for metric in metrics]
    table = pd.concat([one.table for one in found], ignore_index=True)
    out.table(table, {"metrics": {one.metric.name: one.hash for one in found}})
    out.say(table.groupby("metric", sort=False)[["P", "R", "F"]].mean().round(4).to_string())


@command("meta-evaluate", SCORES, SEED, metrics=METRICS, tagger="default")
def meta_evaluate(args):
    """Tell how well such scores agree with people: tables 4 to 6 of Wang et al. (2022).

    judgements DIR  judged texts, in the layouts of BARTScore: *.json, *.json.gz
    --draws N  for the intervals (default 1000)
    """
    from ..papers.texts.meta_evaluation import judged_files, layout, meta_evaluate

    out = Output(args, inputs={name: str(path) for name, path in judged_files(args.judgements).items()})
    metrics, options = _metrics(args)
    found = meta_evaluate(args.judgements, metrics, draws=args.draws, seed=args.seed, **options)
    out.table(found, {"metrics": found.attrs["hashes"]})
    out.say(layout(found).round(3).to_string())


def _metrics(args: Namespace) -> tuple[list[str], dict[str, Any]]:
    """The names of metrics, each once, and the options of those that take some."""
    tagger = None if args.tagger == "default" else args.tagger
    options = {"encoder": args.encoder, "layer": args.layer, "tagger": tagger}
    names = [name.strip() for name in args.metrics.split(",")]
    return list(dict.fromkeys(names)), options | {"progress": not args.quiet}


@command("shuffle", SEED, TSV, called="file")
def shuffle(args):
    """Make Japanese paraphrases by phrases in another order, dependencies kept.

    file FILE?  pairs, with a header: CSV or TSV, .gz too; all columns stay
    --texts --sentences T.txt  instead of pairs, sentences, one a line
    --columns text_a=…,text_b=…  which columns of FILE hold the sentences
    --rule strict|paper|phrases|words  those people would say; all that keep the dependencies; any
        (default strict)
    --parses P.jsonl  parses to use before GiNZA's: text, phrases, heads, pinned
    --reparse  only orders that GiNZA parses as it does the sentence
    -n N  other orders of each sentence (default 1)
    """
    if (args.file is None) == (args.texts is None):
        raise PairsError("name a file of pairs, or sentences with --sentences T.txt")
    out = Output(args)
    parses = pg.Parses(args.parses, not args.quiet)
    options = {"n": args.n, "seed": args.seed, "rule": args.rule, "parses": parses, "reparse": args.reparse}
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


def _shuffled_pairs(args: Namespace, options: dict[str, Any]) -> tuple[pd.DataFrame, dict]:
    """Pairs with all their columns, and after them those in another order, which name the row they are from."""
    columns = assignments(args.columns, "--columns", str) if args.columns else {}
    table, name = read_table(args.file, columns=columns), Path(args.file).name
    role = recognise(Opened(name, "tsv", table, list(table)), "auto", columns)[0].columns
    texts = {role["text_a"]: "text_a", role["text_b"]: "text_b"}
    for column in texts:
        if blank := table.index[table[column].str.strip() == ""].tolist():
            raise PairsError(f"{name}, row {blank[0]}: {column} is empty")
    label = role.get("entailment") or role.get("label")
    made = pg.augment_by_shuffling(table.rename(columns=texts), label=label, **options)
    report = made.attrs["shuffling"]
    rows = ["" if place is pd.NA else str(table.index[place]) for place in made["from_row"]]
    return made.assign(from_row=rows).rename(columns={ours: theirs for theirs, ours in texts.items()}), report


@command("tag", PAIRS, MRPC, tagger="default")
def tag(args, out):
    """Tag the words that the other sentence cannot paraphrase.

    --tagger DIR | default  what `paragraph train` wrote (default: what ships)
    -o --output OUT.jsonl!  the pairs in their order: words_*, tags_* and p_*, P(1) of each word
    """
    pairs, tagger = the_tags(args, args.file), the_tagger(args)
    found = tagger.tag(pairs)
    out.write(lambda part: tags.write(found, part), {"threshold": tagger.threshold}, rows=len(found))
    marks = flat(found, "tags")
    out.say(f"{len(found):,} pairs, {len(marks):,} words, {sum(marks):,} of them tagged, written to {args.output}")


@command("annotate", PAIRS, MRPC, SEED)
def annotate(args, progress):
    """Choose pairs whose words are worth tagging, and say how to tag them.

    --log L.db!  the log of decisions that the tags go to
    --all  all pairs, not only those with BLEU between 5 and 20
    -n N  so many of them, drawn at random
    --annotator NAME  who will tag (default your name)
    -o --output OUT.jsonl  for the pairs (default: beside the log)
    """
    if not args.output and (beside := Path(args.log).with_suffix(".jsonl")).is_symlink():
        raise PairsError(f"{beside} is a link; name the file for the pairs with -o")
    args.output = args.output or str(Path(args.log).with_suffix(".jsonl"))
    out = Output(args)
    table = the_tags(args, args.file).drop(columns=["tags_a", "tags_b"], errors="ignore")
    every, said = len(table), {}
    if not args.all:
        table = tags.candidates(table, progress=progress)
        said = {"bleu": table.attrs["bleu"], "left out": table.attrs["left_out"]}
    if args.n is not None and args.n < len(table):
        table = table.sample(args.n, random_state=args.seed)
    out.write(lambda part: tags.write(table, part), said, rows=len(table))
    why = "".join(f"; {count:,} {WHY[rule]}" for rule, count in said.get("left out", {}).items() if count)
    opened = f"pg.TagReview(pg.tags.read({args.output!r}), {args.log!r}, {args.annotator!r})"
    out.say(f"{len(table):,} of {every:,} pairs are in {args.output}{why}. In a notebook:")
    out.say(f"import paragraph as pg; {opened}")


@command("agreement", SEED)
def agreement(args):
    """Tell how far people agree, in answers to pairs or in tags on words, and what they should talk about.

    log LOG+  a log or its export, or a sheet filled in, of each reviewer or of all (Ada=sheet.csv says whose);
        or tags as JSON Lines
    --annotators NAME2  which two, where there are more
    --below F1  how alike tags need no discussion (default 0.4)
    -o --output PAIRS  for the pairs to talk about: JSON Lines of tags, else TSV
    """
    from ..decisions.log import file_of, records_of
    from ..papers.tags.logged import is_of_words, tag_table

    paths = [Path(file_of(log)) for log in args.log]
    out = Output(args, files=[Path(args.output or "-").absolute()])
    if all(path.suffix in (".jsonl", ".gz") and kind_of(path) == "tags" for path in paths):
        return _of_tags(out, pd.concat(map(tags.read, paths), ignore_index=True))
    records = records_of(args.log)
    if any(map(is_of_words, records)):
        return _of_tags(out, tag_table(records))
    found = pg.agreement(*args.log, reviewers=args.annotators, seed=args.seed)
    if args.output:
        named = found.disagreements.rename(columns={"text_a": "question1", "text_b": "question2"})
        write_filled(named, args.output)
    named = shlex.join(args.log)
    next_ = f"review FILE … --reviewer NAME --log settled.db --settle {named}" if len(found.disagreements) else ""
    out.say(found, f"Next: paragraph {next_ or f'apply FILE … {named} -o clean.csv'}")


def _of_tags(out: Output, table: pd.DataFrame) -> None:
    """Print the agreement of two annotators on words; write the pairs on which they differ most."""
    args = out.args
    agreed = tags.agreement(table, args.annotators, args.seed)
    queue = tags.disagreements(table, args.annotators, args.below)
    if args.output:
        tags.write(queue, args.output)
    pairs, words = (f"{agreed[name]:,} {name}" for name in ("pairs", "words"))
    kappa = agreed["why"] or f"{agreed['kappa']:>6.3f}  [{agreed['low']:.3f}, {agreed['high']:.3f}]"
    shown = {"accuracy": "accuracy", "F1 of the 1s": "f1", "F1 of spans, IO": "span_f1"}
    out.say(
        f"{agreed['first']}, {agreed['second']}: {pairs}, {words} tagged by both",
        f"{'κ of words':<16}{kappa}",
        *(f"{name:<16}{agreed[key]:>6.3f}" for name, key in shown.items()),
        f"{'to talk about':<16}{len(queue):>6,}  (F1 below {args.below:g})",
    )
