"""A sentence as words and what stands between them, as stems, and as the reader sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from . import lexicon

__all__ = [
    "UNSPACED", "Sentence", "join_thousands", "only_words", "plain_number", "read", "stem", "stems", "words_of",
]  # fmt: skip

# Names of a letter and a sign, as C++ and C#; words; single characters where a script puts no spaces between words;
# everything else one by one.
WORD = (
    r"\b[^\W\d_](?:\+\+|#)(?!\w)|"
    r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]|"
    r"[^\W\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’][^\W\d_]+)?|\s+|."
)
UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]"
)


def words_of(text: str) -> list[str]:
    """A text cut into words, runs of white space, and single other characters; joined, they give the text.

    >>> words_of("Don't panic, 3 times!")
    ["Don't", ' ', 'panic', ',', ' ', '3', ' ', 'times', '!']
    >>> words_of("C++, not C#")
    ['C++', ',', ' ', 'not', ' ', 'C#']
    >>> words_of("犬が走る")
    ['犬', 'が', '走', 'る']
    """
    # compiled when first used: that takes as long as reading a small file
    return re.findall(WORD, text, re.DOTALL)


#: Endings, the least length of a word that they are cut from, and what takes their place.
_ENDINGS = (("ies", 5, "y"), ("ing", 6, ""), ("ed", 5, ""), ("ly", 6, ""), ("es", 5, ""))


def stem(word: str) -> str:
    """A word without its commonest English endings, so that its number and tense do not count."""
    for ending, least, instead in _ENDINGS:
        if word.endswith(ending) and len(word) >= least:
            word = word.removesuffix(ending) + instead
            break
    else:
        plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
        if plural and len(word) > 3:
            word = word[:-1]
    doubled = len(word) > 3 and word[-1] == word[-2]
    if doubled and word[-1] not in "aeiousl":
        word = word[:-1]  # running, run
    if len(word) > 3:
        word = word.removesuffix("e")
    return word


def stems(text: str) -> set[str]:
    """The stems of the words and numbers of a text.

    >>> sorted(stems("Running, he runs 3 times!"))
    ['3', 'he', 'run', 'tim']
    """
    return {stem(word.casefold()) for word in only_words(text)}


def only_words(text: str) -> list[str]:
    """The words and numbers of a text, as written."""
    return [word for word in words_of(text) if word[0].isalnum()]


def join_thousands(text: str) -> str:
    """A text without the commas in its numbers: 1,000 and 1000 are one number."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


def plain_number(digits: str) -> str:
    """A number without leading zeros."""
    return digits.lstrip("0") or "0"


# -- the reader ----------------------------------------------------------------------------------------------


class Sentence(NamedTuple):
    """A sentence as the reader sees it; words are normal forms, in order."""

    content: tuple[str, ...]  #: words that carry the meaning, cut to a stem
    surface: dict[str, str]  #: how a word is written
    #: content words that open with a capital although they do not open the sentence
    capitals: frozenset[str]
    numbers: frozenset[str]
    words: tuple[str, ...]  #: all words, as written but for case
    negations: int
    kind: str  #: of question


def read(text: str) -> Sentence:
    """Read a sentence into normal forms of its words."""
    words = []
    content = []
    surface = {}
    capitals = set()
    numbers = set()
    negations = 0
    for place, word in enumerate(only_words(join_thousands(text))):
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
    return Sentence(
        content=tuple(content),
        surface=surface,
        capitals=frozenset(capitals),
        numbers=frozenset(numbers),
        words=tuple(words),
        negations=negations,
        kind=_kind(words),
    )


@lru_cache(maxsize=1 << 16)
def _parts(word: str) -> list[tuple[str, str, str]]:
    """The parts of a word in lower case, each with its value if it holds a number, and its stem if it has meaning."""
    low = word.replace("’", "'")
    found = []
    for part in lexicon.CONTRACTIONS.get(low, (low.removesuffix("'s"),)):
        value = cut = ""
        number = re.fullmatch(r"(\d+)(?:st|nd|rd|th)?", part)
        if number:
            value = plain_number(number[1])
        elif part in lexicon.NUMBERS:
            value = lexicon.NUMBERS[part]
        elif part not in lexicon.FUNCTION_WORDS:
            cut = part if UNSPACED.match(part) else stem(part)
            if any(map(str.isdigit, part)):
                value = part  # 3g, a320: a name and a number in one
        found.append((part, value, cut))
    return found


def _kind(words: Sequence[str]) -> str:
    """Tell the kind of a question: how, how much, why, what, who, when, where, whether; "" if it asks nothing."""
    follows = lexicon.QUESTION
    after_each = [*words[1:], ""]
    for i, (word, after) in enumerate(zip(words, after_each, strict=False)):
        if word == "how" and after in follows["how"]:
            return "how much"
        if word == "how" and after != "come":
            return "how"
        if word in ("how", "why"):
            return "why"
        if word in ("what", "which"):
            return _kind_of_what(after, words[i + 1 : i + 7])
        if word in ("who", "whom", "whose"):
            return "who"
        if word in ("when", "where"):
            return word
    if words and words[0] in follows["whether"]:
        return "whether"
    if lexicon.WAYS.isdisjoint(words[:4]):
        return ""
    return "how"


def _kind_of_what(after: str, words: Sequence[str]) -> str:
    if not lexicon.QUESTION["why"].isdisjoint(words[:4]):
        return "why"
    if after == "time":
        return "when"
    if after == "if":
        return "what if"
    if lexicon.WAYS.isdisjoint(words):
        return "what"
    return "how"
