"""A sentence as words and what stands between them, as stems, as the reader sees it, and as a vector."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from . import lexicon

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["UNSPACED", "Sentence", "read", "stem", "stems", "tfidf", "words_of"]

# Names of a letter and a sign, as C++ and C#; words; single characters where a script puts no spaces between words;
# everything else one by one.
WORD = (
    r"\b[^\W\d_](?:\+\+|#)(?!\w)|"
    r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]|"
    r"[^\W\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’][^\W\d_]+)?|\s+|."
)
UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")


def words_of(text: str) -> list[str]:
    """A text cut into words, runs of white space, and single other characters; joined, they give the text.

    >>> words_of("Don't panic, 3 times!")
    ["Don't", ' ', 'panic', ',', ' ', '3', ' ', 'times', '!']
    >>> words_of("C++, not C#")
    ['C++', ',', ' ', 'not', ' ', 'C#']
    >>> words_of("犬が走る")
    ['犬', 'が', '走', 'る']
    """
    return re.findall(WORD, text, re.DOTALL)  # compiled when first used: that takes as long as reading a small file


def stem(word: str) -> str:
    """A word without its commonest English endings, so that its number and tense do not count."""
    for ending, least, instead in (("ies", 5, "y"), ("ing", 6, ""), ("ed", 5, ""), ("ly", 6, ""), ("es", 5, "")):
        if word.endswith(ending) and len(word) >= least:
            word = word.removesuffix(ending) + instead
            break
    else:
        if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]  # running, run
    return word.removesuffix("e") if len(word) > 3 else word


def stems(text: str) -> set[str]:
    """The stems of the words and numbers of a text.

    >>> sorted(stems("Running, he runs 3 times!"))
    ['3', 'he', 'run', 'tim']
    """
    return {stem(word.casefold()) for word in words_of(text) if word[0].isalnum()}


# -- the reader ----------------------------------------------------------------------------------------------


class Sentence(NamedTuple):
    """A sentence as the reader sees it; words are normal forms, in order."""

    content: tuple[str, ...]  #: words that carry the meaning, cut to a stem
    surface: dict[str, str]  #: how a word is written
    capitals: frozenset[str]  #: content words that open with a capital although they do not open the sentence
    numbers: frozenset[str]
    words: tuple[str, ...]  #: all words, as written but for case
    negations: int
    kind: str  #: of question


def read(text: str) -> Sentence:
    """Read a sentence into normal forms of its words."""
    if "," in text:
        text = re.sub(r"(?<=\d),(?=\d{3})", "", text)  # 1,000 and 1000 are one number
    written = [word for word in words_of(text) if word[0].isalnum()]
    words: list[str] = []
    content: list[str] = []
    surface: dict[str, str] = {}
    capitals: set[str] = set()
    numbers: set[str] = set()
    negations = 0
    for place, word in enumerate(written):
        for part, value, cut in _parts(word.casefold()):
            words.append(part)
            if part in lexicon.NEGATION:
                negations += 1
                surface.setdefault(part, word)  # can't, for not
            if cut:
                content.append(cut)
                surface.setdefault(cut, word)
                if place and word[0].isupper():
                    capitals.add(cut)
            if value:
                numbers.add(value)
                surface.setdefault("#" + value, word)
    sets = frozenset(capitals), frozenset(numbers)
    return Sentence(tuple(content), surface, *sets, tuple(words), negations, _kind(words))


@lru_cache(maxsize=1 << 16)
def _parts(word: str) -> list[tuple[str, str, str]]:
    """The parts of a word in lower case, each with its value if it holds a number, and its stem if it has meaning."""
    low, found = word.replace("’", "'"), []
    for part in lexicon.CONTRACTIONS.get(low, (low.removesuffix("'s"),)):
        value = cut = ""
        if number := re.fullmatch(r"(\d+)(?:st|nd|rd|th)?", part):
            value = number[1].lstrip("0") or "0"
        elif part in lexicon.NUMBERS:
            value = lexicon.NUMBERS[part]
        elif part not in lexicon.FUNCTION_WORDS:
            cut = part if UNSPACED.match(part) else stem(part)
            value = part * any(map(str.isdigit, part))  # 3g, a320: a name and a number in one
        found.append((part, value, cut))
    return found


def _kind(words: Sequence[str]) -> str:
    """Tell the kind of a question: how, how much, why, what, who, when, where, whether; "" if it asks nothing."""
    follows = lexicon.QUESTION
    for i, word in enumerate(words):
        after = words[i + 1] if i + 1 < len(words) else ""
        if word == "how" and after != "come":
            return "how much" if after in follows["how"] else "how"
        if word in ("how", "why"):
            return "why"
        if word in ("what", "which"):
            if not follows["why"].isdisjoint(words[i + 1 : i + 5]):
                return "why"
            if after in ("time", "if"):
                return "when" if after == "time" else "what if"
            return "how" if not lexicon.WAYS.isdisjoint(words[i + 1 : i + 7]) else "what"
        if word in ("who", "whom", "whose"):
            return "who"
        if word in ("when", "where"):
            return word
    if words and words[0] in follows["whether"]:
        return "whether"
    return "how" if not lexicon.WAYS.isdisjoint(words[:4]) else ""


def tfidf(texts: Sequence[str], group: np.ndarray | None = None) -> csr_array:
    """Return TF-IDF vectors of words, of unit length or 0: one row per text, or per group of texts.

    `group` is the number of each text's group, from 0.

    Examples
    --------
    >>> vectors = tfidf(["cats purr", "why do cats purr", "rain falls"])
    >>> (vectors @ vectors.T).toarray()[0].round(2).tolist()
    [1.0, 0.38, 0.0]
    """
    from scipy.sparse import csr_array, diags_array

    group = np.arange(len(texts)) if group is None else group
    words = [[word.casefold() for word in words_of(text) if word[0].isalnum()] for text in texts]
    rows = np.repeat(group, [len(some) for some in words])
    columns, vocabulary = pd.factorize(pd.Series([word for some in words for word in some], dtype=object))
    n = int(group.max(initial=-1)) + 1
    counts = csr_array((np.ones(len(columns)), (rows, columns)), shape=(n, max(len(vocabulary), 1)))
    counts.sum_duplicates()
    held = np.bincount(counts.indices, minlength=counts.shape[1])
    weighted = counts.log1p() @ diags_array(np.log((1 + n) / (1 + held)))
    return diags_array(1 / np.maximum(np.sqrt(weighted.multiply(weighted).sum(axis=1)), 1e-12)) @ weighted
