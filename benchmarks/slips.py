"""Which pairs of words are one word with a slip in it, and which are two? Ways to tell, and the list that ships.

``python -m benchmarks.slips SCOWL_FOLDER DATA_FOLDER`` prints the errors of each way on pairs of words that differ by
a letter or two (``benchmarks/slips.txt``); ``--ship`` also writes ``paragraph/words/known.txt``.

The pairs of words were met in pairs of sentences of Quora Question Pairs, at most once each, and sorted by eye into
slips and spellings of one word, forms of one word, and two words; in some of the last, one is a slip for the other
("noble prize"), which no list can tell. ``chosen``: pairs that came to mind, sought to be hard. SCOWL is
Debian's package ``scowl``.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Container, Iterable
from itertools import combinations, groupby
from pathlib import Path

import pandas as pd

from paragraph import read_pairs
from paragraph.learn.encoder import describe
from paragraph.words import lexicon
from paragraph.words.matching import is_typo
from paragraph.words.tokens import read, stem

PAIRS = Path(__file__).with_name("slips.txt")
SHIPPED = Path(lexicon.__file__).with_name("known.txt")
WORDS = ("english-words", "american-words")
NAMES = ("english-upper", "american-upper", "english-proper-names", "american-proper-names")
#: Forms of a verb or noun that its endings do not tell; forms that are words of their own, too ("left") are known.
IRREGULAR = (
    "became began begun bred broke built burnt chose dealt dreamt drank driven drove drunk flung forgot forgotten "
    "froze grew hung knew learnt meant rang sang sank sent shook shrank spelt spent spoken stole sung swam swum "
    "swung threw women written wrote"
)
HEAD = """\
# Stems of English words and names, those with another one a slip away, by `python -m benchmarks.slips --ship`.
# Words of SCOWL's American lists to size 35, and names to size 50 that MiniLM's tokenizer has for words, too.
# SCOWL: Copyright 2000-2011 by Kevin Atkinson. Permission to use, copy, modify, distribute and sell these word lists,
# the associated scripts, the output created from the scripts, and its documentation for any purpose is hereby granted
# without fee, provided that the above copyright notice appears in all copies and that both that copyright notice and
# this permission notice appear in supporting documentation. Kevin Atkinson makes no representations about the
# suitability of this array for any purpose. It is provided "as is" without express or implied warranty.
"""


def stems(words: Iterable[str]) -> set[str]:
    words = {word.strip().casefold().removesuffix("'s") for word in words}
    forms = {word + "s" for word in words} | {*IRREGULAR.split()}
    return {stem(word) for word in words - forms if word.isalpha()} - {
        stem(word) for word in IRREGULAR.split()
    }


def scowl(folder: Path, kinds: Iterable[str], size: int) -> set[str]:
    files = (folder / f"{kind}.{n}" for kind in kinds for n in range(10, size + 1, 5))
    return stems(
        line for file in files if file.exists() for line in file.read_text("latin-1").splitlines()
    )


def with_neighbours(known: set[str]) -> set[str]:
    """The words that are a slip away from another one, no form of theirs."""
    found = set()
    for _, words in groupby(sorted(known), key=lambda word: word[0]):
        for x, y in combinations(words, 2):
            if not {x, y} <= found and one_word(x, y, ()) and not one_word(x, y, (x, y)):
                found |= {x, y}
    return found


def one_word(x: str, y: str, known: Container[str]) -> bool:
    lexicon.KNOWN = known
    return is_typo(x, y)


def judged() -> list[tuple[str, str, str]]:
    """Kind, and two stems."""
    lines = (line.split(": ") for line in PAIRS.read_text(encoding="utf-8").splitlines())
    return [(kind, *map(stem, pair.split("/"))) for kind, pairs in lines for pair in pairs.split()]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.slips", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "scowl", type=Path, help="the lists of SCOWL, such as /usr/share/dict/scowl"
    )
    parser.add_argument("folder", type=Path, help="holds qqp/qqp_all.tsv.gz")
    parser.add_argument("--ship", action="store_true", help="write the list that ships")
    args = parser.parse_args()
    shipped = lexicon.KNOWN
    rows = read_pairs(args.folder / "qqp" / "qqp_all.tsv.gz")
    texts = pd.unique(rows[["text_a", "text_b"]].to_numpy().ravel())
    held = Counter(word for text in texts for word in set(read(text).content))
    vocabulary = stems(
        (describe("minilm").folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    )
    words = scowl(args.scowl, WORDS, 35)
    names = sorted(scowl(args.scowl, NAMES, 50) & vocabulary)
    names = {
        re.sub(r"(.)\1", r"\1", name): name for name in names
    }.values()  # of Hilary and Hillary one
    known = words.union(names)
    ways: dict[str, Container[str]] = {"none known": ()}
    ways |= {
        f"in {n} sentences of the file": {w for w, count in held.items() if count >= n}
        for n in (10, 50, 200)
    }
    ways |= {
        f"SCOWL {n}, words and names": scowl(args.scowl, WORDS + NAMES, n) for n in (20, 35, 50)
    }
    ways |= {"vocabulary of MiniLM": vocabulary, "SCOWL 35, and names of both": known}
    ways["the same, or in 200 sentences"] = known | ways["in 200 sentences of the file"]
    ways["shipped"] = shipped
    table = {name: Counter() for name in ways}
    for kind, x, y in judged():
        for name, way in ways.items():
            table[name][kind] += one_word(x, y, way) == (kind in ("other", "chosen"))
    shown = pd.DataFrame(table).T.fillna(0).astype(int)
    print(
        "Errors: slips and forms taken for two words; two words taken for one\n", shown.to_string()
    )
    print("of", dict(Counter(kind for kind, *_ in judged())))
    if args.ship:
        lines = (
            " ".join(words)
            for _, words in groupby(sorted(with_neighbours(known)), lambda word: word[:2])
        )
        SHIPPED.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
