"""Which words differ: the tagger against two simple rules, on human tags; and the tagger that ships.

``python -m benchmarks.tagging DATA`` prints the table, one row per way and test set. Everything is chosen on the
training part (thresholds by cross-validation over its sentences): MultiMWA's *train* for its *dev*, and ETPC's pairs
up to 4,076 (MRPC's training part) for those after. ``--ship`` writes the tagger that ships, fitted to ETPC's training
part. (Fitted to all three parts it has a word F1 of .870
on MultiMWA's wiki, .595 on its mtref and .739 on ETPC, but leaves "2.5" and "1.8" untagged: MultiMWA aligns them.)

The rules: a word is 1 where no word of the other sentence has the same stem (Porter's); and where its best cosine in
the other sentence, at MiniLM's third layer, lies below a threshold. Speed is of one process, encoding included.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

import paragraph as pg
from benchmarks.human_tags import read_etpc, read_multimwa
from paragraph.papers import best_threshold, tag_scores
from paragraph.papers.tags.pieces import WordReader
from paragraph.papers.tags.tagger import SHIPPED, flat, sentences
from paragraph.papers.texts.ngrams import stem

#: Pairs of ETPC up to this number are MRPC's training part.
LAST_TRAINING_PAIR = 4076


def parts(folder: Path) -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Of each set, the training part and the test part."""
    found = {
        name: tuple(
            read_multimwa(folder / "multimwa" / f"{name}-{part}.tsv.gz")
            for part in ("train", "dev")
        )
        for name in ("wiki", "mtref")
    }
    etpc = read_etpc(folder / "etpc", folder / "mrpc")
    early = etpc["pair_id"] <= LAST_TRAINING_PAIR
    return found | {
        "etpc": (etpc[early].reset_index(drop=True), etpc[~early].reset_index(drop=True))
    }


def no_equal_stem(table: pd.DataFrame) -> np.ndarray:
    """1 for each word whose stem is not one of the other sentence's."""
    stems = [
        [[stem(word.lower()) for word in words] for words in table[side]]
        for side in ("words_a", "words_b")
    ]
    pairs = zip(*stems, strict=True)
    return flat(([x not in set(b) for x in a], [y not in set(a) for y in b]) for a, b in pairs)


def greedy(table: pd.DataFrame) -> np.ndarray:
    """How far each word is from its nearest one in the other sentence: (1 − cosine) / 2, at the third layer."""
    reader, found = WordReader("minilm", [3]), []
    for a, b in zip(*sentences(table), strict=True):
        left, right = reader([a, b])
        alike = left[0] @ right[0].T
        found.append(((1 - alike.max(axis=1)) / 2, (1 - alike.max(axis=0)) / 2))
    return np.clip(flat(found), 0, 1)


def rows(name: str, train: pd.DataFrame, test: pd.DataFrame) -> list[pd.Series]:
    """The scores of both rules and of the tagger on one test part."""
    truth, found = flat(zip(test["tags_a"], test["tags_b"], strict=True)), []

    def add(what: str, p: np.ndarray, threshold: float, **more: float) -> None:
        scores = tag_scores(truth, p, threshold)
        found.append(pd.Series({"set": name, "way": what, **scores, **more}))

    add("no equal stem", no_equal_stem(test), 0.5)
    before = best_threshold(flat(zip(train["tags_a"], train["tags_b"], strict=True)), greedy(train))
    add("greedy cosine", greedy(test), before)
    began = time.perf_counter()
    tagger = pg.papers.Tagger().fit(train)
    fitted = time.perf_counter()
    tagged = tagger.tag(test)
    speed = len(truth) / (time.perf_counter() - fitted)
    p = flat(zip(tagged["p_a"], tagged["p_b"], strict=True))
    add("alignment", p, tagger.threshold, **{"fit s": fitted - began, "words/s": speed})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DATA")
    parser.add_argument(
        "--ship", action="store_true", help="write the tagger that ships, and nothing else"
    )
    args = parser.parse_args()
    sets = parts(args.folder)
    if args.ship:
        pg.papers.Tagger().fit(sets["etpc"][0]).save(SHIPPED)
        return
    table = pd.DataFrame(
        [row for name, (train, test) in sets.items() for row in rows(name, train, test)]
    )
    print(table.to_string(index=False, float_format="{:.4g}".format))


if __name__ == "__main__":
    main()
