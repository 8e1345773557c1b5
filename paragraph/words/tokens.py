"""A sentence as words, and marks on words as spans of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["UNSPACED", "places", "spans", "stem", "stems", "tagged_shares", "tags_of", "words", "words_of"]

# Names of a letter and a sign, as C++ and C#; words; single characters where a script puts no spaces between words;
# everything else one by one.
WORD = re.compile(
    r"\b[^\W\d_](?:\+\+|#)(?!\w)|"
    r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]|"
    r"[^\W\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’][^\W\d_]+)?|\s+|.",
    re.DOTALL,
)
UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")


# The Penn Treebank's rules in the order of its script; each puts spaces around what is a word of its own. Quotation
# marks stay as they are written (the script makes `` and '' of them), and the last rule here is not the Treebank's.
_RULES = [
    (r'^"', r'" '), (r"``", r" `` "), (r"([ (\[{<])(\"|'')", r"\1 \2 "), (r"([:,])(\D)", r" \1 \2"),
    (r"([:,])$", r" \1 "), (r"\.\.\.", r" ... "), (r"[;@#$%&]", r" \g<0> "),
    (r"([^.])(\.)([\])}>\"']*)\s*$", r"\1 \2\3 "), (r"[?!]", r" \g<0> "), (r"([^'])' ", r"\1 ' "),
    (r"[\]\[(){}<>]", r" \g<0> "), (r"--", r" -- "), (UNSPACED.pattern, r" \g<0> "),
]  # fmt: skip
_IN_SPACES = [
    (r"''|\"", r" \g<0> "), (r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'re|'ve|n't|'LL|'RE|'VE|N'T) ", r"\1 \2 "),
    (r"(?i)\b(can)(not)\b|\b(d)('ye)\b|\b(gim)(me)\b|\b(gon)(na)\b", r" \1\3\5\7 \2\4\6\8 "),
    (r"(?i)\b(got)(ta)\b|\b(lem)(me)\b|\b(more)('n)\b|\b(wan)(na)(?=\s)", r" \1\3\5\7 \2\4\6\8 "),
    (r"(?i) ('t)(is|was)\b", r" \1 \2 "),
]  # fmt: skip
_QUOTES = ('"', "``", "''")  # ways in which tokenizers write a quotation mark


def words(text: str) -> list[str]:
    """The words of a sentence as the Penn Treebank cuts them (R. MacIntyre's script, 1995), each as it is written.

    Contractions are two words, punctuation marks are words, a full stop is one only where it ends the text. Scripts
    without spaces are cut into characters.

    Examples
    --------
    >>> words('He didn\\'t pay "$2.5 billion", Mr. Fox said.')
    ['He', 'did', "n't", 'pay', '"', '$', '2.5', 'billion', '"', ',', 'Mr.', 'Fox', 'said', '.']
    """
    for pattern, by in _RULES:
        text = re.sub(pattern, by, text)
    text = f" {text} "
    for pattern, by in _IN_SPACES:
        text = re.sub(pattern, by, text)
    return text.split()


def places(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Locate each word in the text: its first character, and the one behind its last.

    ValueError where a word is not in the text behind the word before it. What tokenizers write for quotation marks is
    found again.

    Examples
    --------
    >>> places('"Buy" or sell', ["``", "Buy", "''", "or", "sell"])
    [(0, 1), (1, 4), (4, 5), (6, 8), (9, 13)]
    """
    found, end = [], 0
    for word in words:
        forms = _QUOTES if word in _QUOTES else (word,)
        hits = [(at, -len(form)) for form in forms if form and (at := text.find(form, end)) >= 0]
        if not hits:
            raise ValueError(f"word {word!r} is not in the sentence after its character {end}")
        begin, length = min(hits)
        end = begin - length
        found.append((begin, end))
    return found


def spans(tags: Sequence[int]) -> list[tuple[int, int]]:
    """The runs of 1s: the first word of each, and the word behind its last.

    >>> spans([0, 1, 1, 0, 1])
    [(1, 3), (4, 5)]
    """
    edges = [i for i, (a, b) in enumerate(zip([0, *tags], [*tags, 0], strict=True)) if bool(a) != bool(b)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def tags_of(spans: Iterable[tuple[int, int]], n: int) -> list[int]:
    """One 0 or 1 for each of n words: 1 for those in a span; ValueError where one is not within the n words.

    >>> tags_of([(1, 3), (4, 5)], 5)
    [0, 1, 1, 0, 1]
    """
    tags = [0] * n
    for first, end in spans:
        if not 0 <= first < end <= n:
            raise ValueError(f"span ({first}, {end}) is not within {n} words")
        tags[first:end] = [1] * (end - first)
    return tags


def tagged_shares(tags: pd.DataFrame) -> np.ndarray:
    """The share of 1s among the words of each pair of a tag table.

    >>> import pandas as pd
    >>> tagged_shares(pd.DataFrame({"tags_a": [[0, 1], []], "tags_b": [[0, 0], []]}))
    array([0.25, 0.  ])
    """
    both = [[*a, *b] for a, b in zip(tags["tags_a"], tags["tags_b"], strict=True)]
    return np.array([sum(one) / max(len(one), 1) for one in both], dtype=np.float64)


def words_of(text: str) -> list[str]:
    """A text cut into words, runs of white space, and single other characters; joined they give it back.

    >>> words_of("Don't panic, 3 times!")
    ["Don't", ' ', 'panic', ',', ' ', '3', ' ', 'times', '!']
    >>> words_of("C++, not C#")
    ['C++', ',', ' ', 'not', ' ', 'C#']
    >>> words_of("犬が走る")
    ['犬', 'が', '走', 'る']
    """
    return WORD.findall(text)


def stem(word: str) -> str:
    """A word less its commonest English endings, so that number and tense of a word do not count."""
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
