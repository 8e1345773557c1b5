"""A sentence as words, and marks on words as spans of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .differences import UNSPACED

__all__ = ["places", "spans", "tags_of", "words"]

# The Penn Treebank's rules in the order of its script; each puts spaces around what is a word of its own. Quotation
# marks stay as they are written: the script makes `` and '' of them, which the sentence does not hold.
_BEFORE_QUOTES = [
    (r'^"', r'" '),
    (r"``", r" `` "),
    (r"([ (\[{<])(\"|'')", r"\1 \2 "),
    (r"([:,])(\D)", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.\.\.", r" ... "),
    (r"[;@#$%&]", r" \g<0> "),
    (r"([^.])(\.)([\])}>\"']*)\s*$", r"\1 \2\3 "),  # only a full stop at the end is a word of its own
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"[\]\[(){}<>]", r" \g<0> "),
    (r"--", r" -- "),
    (UNSPACED.pattern, r" \g<0> "),  # not the Treebank's: scripts that put no spaces between words
]
_IN_SPACES = [
    (r"''|\"", r" \g<0> "),
    (r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'re|'ve|n't|'LL|'RE|'VE|N'T) ", r"\1 \2 "),
    (r"(?i)\b(can)(not)\b|\b(d)('ye)\b|\b(gim)(me)\b|\b(gon)(na)\b", r" \1\3\5\7 \2\4\6\8 "),
    (r"(?i)\b(got)(ta)\b|\b(lem)(me)\b|\b(more)('n)\b|\b(wan)(na)(?=\s)", r" \1\3\5\7 \2\4\6\8 "),
    (r"(?i) ('t)(is|was)\b", r" \1 \2 "),
]
_BEFORE_QUOTES, _IN_SPACES = ([(re.compile(p), by) for p, by in rules] for rules in (_BEFORE_QUOTES, _IN_SPACES))

#: Ways in which tokenizers write a quotation mark.
_QUOTES = ('"', "``", "''")


def words(text: str) -> list[str]:
    """The words of a sentence as the Penn Treebank cuts them; each stands in the sentence as it is written here.

    Contractions are two words, punctuation marks are words, and a full stop is one at the end of the text only.
    Scripts without spaces are cut into characters.

    References
    ----------
    R. MacIntyre, *Treebank tokenization* (a sed script), University of Pennsylvania, 1995.

    Examples
    --------
    >>> words('He didn\\'t pay "$2.5 billion", Mr. Fox said.')
    ['He', 'did', "n't", 'pay', '"', '$', '2.5', 'billion', '"', ',', 'Mr.', 'Fox', 'said', '.']
    >>> words("犬が走る。")
    ['犬', 'が', '走', 'る', '。']
    """
    for pattern, by in _BEFORE_QUOTES:
        text = pattern.sub(by, text)
    text = f" {text} "
    for pattern, by in _IN_SPACES:
        text = pattern.sub(by, text)
    return text.split()


def places(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Where each word stands in the text: its first character, and the one behind its last.

    The marks that tokenizers write for quotation marks are found again as well.

    Raises
    ------
    ValueError
        A word is not in the text behind the word before it.

    Examples
    --------
    >>> places('"Buy" or sell', ["``", "Buy", "''", "or", "sell"])
    [(0, 1), (1, 4), (4, 5), (6, 8), (9, 13)]
    """
    found, end = [], 0
    for word in words:
        forms = (word, *_QUOTES) if word in _QUOTES else (word,)
        hits = [(at, -len(form)) for form in forms if form and (at := text.find(form, end)) >= 0]
        if not hits:
            raise ValueError(f"word {word!r} is not in the sentence after its character {end}")
        begin, length = min(hits)
        end = begin - length
        found.append((begin, end))
    return found


def spans(tags: Sequence[int]) -> list[tuple[int, int]]:
    """The runs of 1s: the first word of each, and the word behind its last.

    Examples
    --------
    >>> spans([0, 1, 1, 0, 1])
    [(1, 3), (4, 5)]
    """
    edges = [i for i, (a, b) in enumerate(zip([0, *tags], [*tags, 0], strict=True)) if bool(a) != bool(b)]
    return list(zip(edges[::2], edges[1::2], strict=True))


def tags_of(spans: Iterable[tuple[int, int]], n: int) -> list[int]:
    """One 0 or 1 for each of n words; those in a span have 1.

    Raises
    ------
    ValueError
        A span is not within the n words.

    Examples
    --------
    >>> tags_of([(1, 3), (4, 5)], 5)
    [0, 1, 1, 0, 1]
    """
    tags = [0] * n
    for first, end in spans:
        if not 0 <= first < end <= n:
            raise ValueError(f"span ({first}, {end}) is not within {n} words")
        tags[first:end] = [1] * (end - first)
    return tags
