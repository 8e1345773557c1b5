"""The difference of two sentences, in short phrases for a reader."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain

from .lexicon import FUNCTION_WORDS, NEGATION, PREPOSITIONS, QUESTION
from .matching import compare, inversions
from .tokens import Sentence, join_thousands, plain_number, read, words_of

__all__ = ["reasons"]

#: Phrases quoted of one side that a reader compares at a glance.
MOST_PHRASES = 2
#: Their characters together.
MOST_CHARACTERS = 32
_ASKING = {"how", "why", "what", "which", "who", "whom", "whose", "when", "where"}
#: Words that open a question whose kind the reader sees at once.
OPENERS = QUESTION["whether"] | _ASKING


def reasons(a: str, b: str, english: bool = True) -> list[str]:
    """Say how two sentences differ, in short phrases, the most important first; none if no difference was found.

    Only what a reader sees at once is said; where more differs, the phrase is "many words differ". Negations and
    kinds of questions are recognised only in English; `english` False leaves them out.

    Examples
    --------
    >>> reasons("Can I fly with 3 bags?", "Can I not fly with 5 bags in India?")
    ["number differs: '3' / '5'", "negation on one side: 'not'", "only one side: 'in India'"]
    >>> reasons("Shares rose 2% in Paris on Friday after a bank had said it would sell", "Paris gained 3% by noon")
    ["number differs: '2' / '3'", 'many words differ']
    """
    x = read(a)
    y = read(b)
    left, right, _ = compare(x, y)
    phrases = []
    numbers = [_numbers(a, x, b, y), _numbers(b, y, a, x)]
    if all(numbers) and max(map(len, numbers)) <= MOST_PHRASES:
        phrases.append(f"number differs: {' / '.join(map(_quoted, numbers))}")
    sides = []
    for text, s, o, words in ((a, x, y, left), (b, y, x, right)):
        words = [word for word in words if word not in s.numbers - o.numbers]
        if words:
            sides.append(_phrases(text, s, words))
    if any(map(_is_long, sides)):
        return [*phrases, "many words differ"]
    digits = [number for number in chain(*numbers) if number[0].isdigit()]
    if not phrases and 0 < len(digits) <= MOST_PHRASES:
        phrases.append(f"number on one side: {_quoted(digits)}")
    if english and x.negations % 2 != y.negations % 2:
        more = max(x, y, key=lambda s: s.negations)
        word = next(word for word in more.words if word in NEGATION)
        phrases.append(f"negation on one side: {_quoted([more.surface[word]])}")
    if english and _other_question(x, y):
        phrases.append(f"another question: {x.kind} / {y.kind}")
    if sides:
        kind = "differs" if len(sides) == 2 else "only one side"
        phrases.append(f"{kind}: {' / '.join(map(_quoted, sides))}")
    signs = _other_signs(a, b)
    if signs:
        phrases.append(signs)
    if not phrases and inversions(x.content, y.content):
        phrases.append("same words, another order")
    if not phrases and inversions(_digits(a), _digits(b)):
        phrases.append("same numbers, another order")
    return phrases


def _other_signs(a: str, b: str) -> str:
    """Name the signs that only one side has; the empty text if there is none."""
    left = sorted(_signs(a) - _signs(b))
    right = sorted(_signs(b) - _signs(a))
    if left and right:
        return f"sign differs: {_quoted(left)} / {_quoted(right)}"
    if left or right:
        return f"sign on one side: {_quoted(left or right)}"
    return ""


def _signs(text: str) -> set[str]:
    """The signs that carry meaning: of money, of mathematics, per cent; a minus only before a number."""
    found = {sign for sign in text if sign in "%‰°" or unicodedata.category(sign) in ("Sc", "Sm")}
    found.discard("−")
    if re.search(r"(?<![\w.,)])[-−](?=[.,]?\d)", text):
        found.add("-")
    return found


def _digits(text: str) -> list[str]:
    """The runs of digits of a text in order, without leading zeros."""
    return [*map(plain_number, re.findall(r"\d+", text))]


def _is_long(phrases: list[str]) -> bool:
    return len(phrases) > MOST_PHRASES or sum(map(len, phrases)) > MOST_CHARACTERS


def _other_question(x: Sentence, y: Sentence) -> bool:
    """Say whether both ask, and clearly something else."""
    for sentence in (x, y):
        if not sentence.kind or sentence.words[0] not in OPENERS:
            return False
    return x.kind != y.kind and {x.kind, y.kind} != {"how", "what"}


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _numbers(text: str, sentence: Sentence, other_text: str, other: Sentence) -> list[str]:
    """The numbers that the other sentence lacks, as written; 3.05 is one number."""
    decimals = _decimals(text)
    own = sentence.numbers - other.numbers - {*_digits(" ".join(decimals))}
    whole = {sentence.surface["#" + number] for number in own}
    found = whole | (decimals - _decimals(other_text))
    return sorted(found, key=lambda number: (text.find(number), number))


def _decimals(text: str) -> set[str]:
    """The numbers of a text that a point or comma divides, but not before thousands."""
    return set(re.findall(r"\d+(?:[.,]\d+)+", join_thousands(text)))


def _phrases(text: str, sentence: Sentence, words: list[str]) -> list[str]:
    """The words as they stand in the text, in runs; each includes the preposition before it."""
    pieces = words_of(text)
    surfaces = {sentence.surface[word] for word in words}
    runs = []
    for i, piece in enumerate(pieces):
        if piece not in surfaces:
            continue
        between = pieces[runs[-1][1] + 1 : i] if runs else []
        if runs and all(map(_is_small, between)):
            runs[-1][1] = i
        else:
            runs.append([i, i])
    if not runs:
        return [sentence.surface[word] for word in words]
    phrases = []
    for first, last in runs:
        if first >= 2 and pieces[first - 2].casefold() in PREPOSITIONS:
            first -= 2
        phrases.append("".join(pieces[first : last + 1]))
    return phrases


def _is_small(piece: str) -> bool:
    return piece.isspace() or piece.casefold() in FUNCTION_WORDS
