"""Are phrases in another order good training data? (Takahagi and Shinnou 2023, in miniature.)

``python -m benchmarks.shuffling rte DATA_FOLDER OUT [MODEL] [AUGMENTATIONS]`` trains on JSICK. MODEL is a hub id, a
folder, or a small network: ``order``, on GiNZA's vectors; ``words``, which also
tells words apart; ``bag``, the same but blind to order. ``topics`` trains on livedoor news: 10 articles of each
category, and a copy of each with every sentence in another order; an article is a pair, its title and its body.
Parses are those of ``jsick/parses.jsonl`` in DATA_FOLDER, else GiNZA's. What is finished stays in OUT.cells; the
table goes to OUT.tsv, the differences from no augmentation, with intervals, to OUT.differences.tsv.
"""

from __future__ import annotations

import re
import sys
import tarfile
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import torch

from benchmarks.fine_tuned import Entailment
from benchmarks.order_model import OrderModel
from benchmarks.reordering import compare, gains_over_none
from paragraph.files.errors import as_pairs_error
from paragraph.papers.japanese import parse as japanese
from paragraph.papers.japanese.parse import Parses
from paragraph.papers.japanese.shuffle import shuffled, stratified

NAMES = {"sentence_A_Ja": "text_a", "sentence_B_Ja": "text_b", "entailment_label_Ja": "entailment"}
NAMES["sentence_A_Ja_origin"] = "original"
OPENING, CLOSING = "「『（(【〈《［“", "」』）)】〉》］”"


def jsick(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, pd.DataFrame]]:
    """JSICK's training and test pairs, and JSICK-stress, as `compare` takes them.

    `ga_de`, `ga_ni`: the premise scrambled, labels as before; by people the labels of `o`, scrambled, `c`, particles
    swapped, and `d`, particles left out. PairsError where a file is missing or another.
    """

    def read(name: str) -> pd.DataFrame:
        path = folder / "jsick" / f"{name}.tsv.gz"
        return pd.read_csv(path, sep="\t", dtype="str", keep_default_na=False, quoting=3).rename(
            columns=NAMES
        )

    with as_pairs_error(folder / "jsick", "fetch JSICK with JSICK-stress anew"):
        train, test = read("train"), read("test")
        rephrased = {name: read(f"stress/scrum_{name}") for name in ("ga_de", "ga_ni")}
        # Their origin has swapped particles; the premise before the scramble is in the test pair of the same letters.
        before = {(b, *sorted(a)): a for a, b in zip(test["text_a"], test["text_b"], strict=True)}
        for table in rephrased.values():
            table["original"] = [
                before[b, *sorted(a)] for a, b in zip(table["text_a"], table["text_b"], strict=True)
            ]
        people = dict(list(read("stress/all-annotations").groupby("rephrase_type")))
        return train, test, rephrased | {kind: people[kind] for kind in "ocd"}


def livedoor(path: Path) -> pd.DataFrame:
    """Articles: the title is `text_a`, the body `text_b`, the category `entailment`, what is to be told."""
    rows = []
    with as_pairs_error(path, "fetch the corpus anew"), tarfile.open(path) as archive:
        for one in archive:
            if one.isfile() and re.fullmatch(
                r".*/(.+)/\1-\d+\.txt", one.name
            ):  # the licence stands beside them
                _, _, title, *body = archive.extractfile(one).read().decode("utf-8").split("\n")
                rows.append((title, "\n".join(body), Path(one.name).parent.name))
    return pd.DataFrame(rows, columns=["text_a", "text_b", "entailment"])


def sentences(text: str) -> list[str]:
    """Split a document into sentences: each ends with a line, or with 。, ！ or ？ outside of quotation marks.

    Joined they are the document.

    >>> sentences("雨だ。「行くな。」と言った。\\n")
    ['雨だ。', '「行くな。」と言った。', '\\n']
    """
    found, depth, begin = [], 0, 0
    for end, sign in enumerate(text, 1):
        depth = max(0, depth + (sign in OPENING) - (sign in CLOSING)) if sign != "\n" else 0
        if sign == "\n" or (
            not depth and sign in "。！？" and text[end : end + 1] not in {*"。！？", *CLOSING}
        ):
            body = text[begin:end].rstrip("\n")
            found += [part for part in (body, text[begin + len(body) : end]) if part]
            begin = end
    return [*found, text[begin:]] if begin < len(text) else found


def in_other_orders(articles: pd.DataFrame, seed: int, rule: str, parses: Parses) -> pd.DataFrame:
    """The articles, and a copy of each with every sentence in another order that is Japanese and has one."""
    parts = [[sentences(text) for text in articles[side]] for side in ("text_a", "text_b")]
    every = dict.fromkeys(one for side in parts for text in side for one in text)
    usable = [
        one for one in every if japanese.JAPANESE.search(one) and len(one) <= japanese.LONGEST
    ]
    parsed = parses.of(usable)
    found = shuffled(parsed, 1, seed, rule)
    new = {
        one: one.replace(parse.text, other[0].text)
        for one, parse, other in zip(usable, parsed, found, strict=True)
        if other
    }
    sides = [["".join(new.get(one, one) for one in text) for text in side] for side in parts]
    copies = articles.assign(text_a=sides[0], text_b=sides[1])
    return pd.concat([articles, copies], ignore_index=True)


@cache
def ginza():
    import spacy

    return spacy.load(japanese.MODEL, exclude=["ner", "compound_splitter"])


def words_of(text: str) -> list[str]:
    """The words of any text, without a parse: some 5,000 sentences a second."""
    parts = sentences(text)
    return [token.text for part in parts for token in ginza().tokenizer(part) if not token.is_space]


def vector_of(word: str) -> np.ndarray:
    """GiNZA's vector of a word, else of its lemma, else zeros: float32, (300,)."""
    vocab = ginza().vocab
    names = (
        [word]
        if vocab.has_vector(word)
        else [token.lemma_ for token in ginza().tokenizer(word)] or [word]
    )
    return np.mean([vocab.get_vector(name) for name in names], axis=0)


def word_vectors(
    texts: Sequence[str], own: int = 0, raw: Callable = vector_of, words: Callable = words_of
):
    """From a text to vectors of its words, (words, d): 100 principal components over the words of `texts`.

    And `own` random ones, fixed for each word: they tell those apart that share a vector or have none, as many do.
    """
    found = np.array(
        [raw(word) for word in sorted({word for text in texts for word in words(text)})]
    )
    mean, axes = (
        found.mean(axis=0),
        np.linalg.svd(found - found.mean(axis=0), full_matrices=False)[2][:100].T,
    )
    axes = axes / (((found - mean) @ axes).std() or 1.0)

    @cache
    def vector(word: str) -> np.ndarray:
        random = np.random.default_rng(zlib.crc32(word.encode())).normal(size=own)
        return np.hstack([(raw(word) - mean) @ axes, random]).astype(np.float32)

    return cache(
        lambda text: torch.from_numpy(np.array([vector(word) for word in words(text) or [""]]))
    )


def order(seed: int, texts: list[str]) -> Entailment:
    return OrderModel(seed=seed, vectors=word_vectors(texts))


def words(seed: int, texts: list[str]) -> Entailment:
    return OrderModel(seed=seed, vectors=word_vectors(texts, own=50), updates=800)


def bag(seed: int, texts: list[str]) -> Entailment:
    return OrderModel(seed=seed, vectors=word_vectors(texts, own=50), updates=800, blind=True)


def article(seed: int, texts: list[str]) -> Entailment:
    """Of long texts the first words, and few updates: there are 90."""
    every = word_vectors(texts)
    return OrderModel(seed=seed, vectors=lambda text: every(text)[:128], updates=150)


NETWORKS = {"order": order, "words": words, "bag": bag}


def main(what: str, folder: Path, out: Path, model: str = "order", augmentations: str = "") -> None:
    stored = folder / "jsick" / "parses.jsonl"
    options = {"parses": Parses(stored if stored.is_file() else None), "path": out}
    if augmentations:
        options["augmentations"] = augmentations.split(",")
    if what == "rte":
        train, test, rephrased = jsick(folder)
        found = compare(train, test, NETWORKS.get(model, model), rephrased, **options)
    else:
        articles = livedoor(next((folder / "livedoor").glob("*.tar.gz")))
        sizes = dict.fromkeys(articles["entailment"].unique(), 100)  # Table 1
        pairs, test = stratified(articles, 0, sizes)
        options = {
            "augmentations": ("none", "paper"),
            "sizes": sizes,
            "augment": in_other_orders,
        } | options
        found = compare(pairs, test, article if model == "order" else model, **options)
    found.round(5).to_csv(f"{out}.tsv", sep="\t", index=False)
    gains_over_none(found).round(5).to_csv(f"{out}.differences.tsv", sep="\t", index=False)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:])
