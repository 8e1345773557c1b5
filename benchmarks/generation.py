"""Paraphrases to order, and pairs labelled *not* in which a tagger finds nothing.

``python -m benchmarks.generation DATA_FOLDER`` prints three tables. *queue*: judged pairs of Quora, by stated label;
of those in which the tagger tags no word, how many did two blind readings call the same? *ways*: sentences drawn from
Quora and MRPC, and how many paraphrases each way makes. *miniature*: a classifier on some training pairs of MRPC,
with and without paraphrases of their sentences, on its test part, five seeds.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from paragraph import ParaphraseGraph, read_pairs
from paragraph.experiments.augmentation import augmentation
from paragraph.learn.generation.cluster import ClusterParaphraser
from paragraph.learn.generation.paraphraser import shares
from paragraph.learn.tagging.named import default_tagger, load_tagger


def queue(folder: Path, tagger) -> pd.DataFrame:
    """Judged pairs by what is stated of them and whether a word is tagged: how many there are, and are the same."""
    pairs = pd.read_csv(folder / "qqp" / "judged.tsv", sep="\t", keep_default_na=False)
    first, second = (pairs[name].str.upper() for name in ("reading1", "reading2"))
    pairs = pairs[(first == second) & first.isin(["S", "D"])]
    tags = tagger.tag(pairs.rename(columns={"question1": "text_a", "question2": "text_b"})[["text_a", "text_b"]])
    pairs = pairs.assign(untagged=shares(tags) == 0, same=pairs["reading1"].str.upper() == "S")
    return pairs.groupby(["stated", "untagged"])["same"].agg(["size", "sum", "mean"])


def ways(folder: Path, graphs: dict[str, ParaphraseGraph], tagger, count: int) -> pd.DataFrame:
    rows = []
    for name, graph in graphs.items():
        drawn = graph.texts(np.random.default_rng(0).choice(graph.n, count, replace=False))
        makers = {"cluster": ClusterParaphraser(graph), "cluster, tagged": ClusterParaphraser(graph, tagger)}
        for way, maker in makers.items():
            found = maker.paraphrases(drawn, progress=False)
            counts = {key: value for key, value in found.attrs.items() if key != "without"}
            made = {"sentences": found["text"].nunique(), "paraphrases": len(found)}
            rows.append({"set": name, "way": way} | made | counts)
            print(found.sample(min(5, len(found)), random_state=0)[["text", "paraphrase", "why"]].to_string())
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tagger", help="a folder (default: the one that ships)")
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--model", default="embedding")
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("parts", nargs="*", default=["queue", "ways", "miniature"])
    args = parser.parse_args()
    tagger = load_tagger(args.tagger) if args.tagger else default_tagger()
    if "queue" in args.parts:
        print(queue(args.folder, tagger).to_string())
    if {"ways", "miniature"} & {*args.parts}:
        quora, train, test = (
            read_pairs(args.folder / name)
            for name in ("qqp/qqp_natural.tsv.gz", "mrpc/msr_paraphrase_train.txt", "mrpc/msr_paraphrase_test.txt")
        )
    if "ways" in args.parts:
        graphs = {"Quora": ParaphraseGraph.from_pairs(quora), "MRPC": ParaphraseGraph.from_pairs(train)}
        print(ways(args.folder, graphs, tagger, args.sentences).to_string(float_format="{:.3f}".format))
    if "miniature" in args.parts:
        graph = ParaphraseGraph.from_pairs(train)
        makers = {"cluster": ClusterParaphraser(graph), "cluster, tagged": ClusterParaphraser(graph, tagger)}
        found = augmentation(train, test, makers, args.model, args.rows, progress=False)
        print(found.to_string(float_format="{:.4f}".format))


if __name__ == "__main__":
    main()
