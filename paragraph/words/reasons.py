"""Reasons why two sentences differ, in short phrases."""

from __future__ import annotations

from collections.abc import Iterable

from .difference import compare, turned
from .lexicon import COMPARISON, FUNCTION_WORDS, NEGATION, PREPOSITIONS
from .tokens import Sentence, read, words_of

__all__ = ["reasons", "seems_english"]


def seems_english(texts: Iterable[str]) -> bool:
    """Return True if one word in four is an English function word, or if fewer than 100 words cannot tell.

    >>> seems_english(["Wie kann ich in einer Nacht lernen, so dass es gut ist?"] * 20)
    False
    """
    words = [word.casefold() for word in words_of("\n".join(texts)) if word[0].isalpha()]
    return len(words) < 100 or sum(word in FUNCTION_WORDS for word in words) > len(words) / 4


def reasons(a: str, b: str, english: bool = True) -> list[str]:
    """Say how two sentences differ, in short phrases, the most important first; none if no difference was found.

    Negations, kinds of questions and comparisons are recognised only in English; `english` False leaves them out.

    Examples
    --------
    >>> reasons("Can I fly with 3 bags?", "Can I not fly with 5 bags in India?")
    ["number differs: '3' / '5'", "negation on one side: 'not'", "only one side: 'in India'"]
    """
    x, y = read(a), read(b)
    left, right, opposites = compare(x, y)
    phrases = []
    numbers = [[s.surface["#" + n] for n in sorted(s.numbers - o.numbers)] for s, o in ((x, y), (y, x))]
    if numbers[0] and numbers[1]:
        phrases.append(f"number differs: {_quoted(numbers[0])} / {_quoted(numbers[1])}")
    elif numbers[0] or numbers[1]:
        phrases.append(f"number on one side: {_quoted(numbers[0] or numbers[1])}")
    if english and x.negations % 2 != y.negations % 2:
        more = max(x, y, key=lambda s: s.negations)
        phrases.append(
            f"negation on one side: {_quoted([more.surface[next(w for w in more.words if w in NEGATION)]])}"
        )
    for one, other in opposites:
        phrases.append(f"opposites: {_quoted([x.surface[one]])} / {_quoted([y.surface[other]])}")
    if english and x.kind != y.kind:
        phrases.append(f"another question: {x.kind or 'none'} / {y.kind or 'none'}")
    number_like = {w for side in numbers for w in side}
    left, right = (
        [w for w in words if s.surface[w] not in number_like and w not in {o for pair in opposites for o in pair}]
        for words, s in ((left, x), (right, y))
    )
    if left and right:
        names = any(w in x.capitals for w in left) and any(w in y.capitals for w in right)
        what = "name differs" if names else "differs"
        phrases.append(f"{what}: {_phrase(a, x, left)} / {_phrase(b, y, right)}")
    elif left or right:
        text, sentence, words = (a, x, left) if left else (b, y, right)
        phrases.append(f"only one side: {_phrase(text, sentence, words)}")
    if english and (compared := (set(x.words) ^ set(y.words)) & COMPARISON):
        phrases.append(f"compares: {_quoted(sorted(compared))}")
    if not left and not right and not phrases and turned(x.content, y.content):
        phrases.append("same words, another order")
    return phrases


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _phrase(text: str, sentence: Sentence, words: list[str]) -> str:
    """The words as they stand in the text; a single run of them includes the preposition before it."""
    pieces = words_of(text)
    surfaces = {sentence.surface[word] for word in words}
    spots = [i for i, piece in enumerate(pieces) if piece in surfaces]
    if not spots:
        return _quoted(sentence.surface[word] for word in words)
    runs: list[list[int]] = []
    for i in spots:
        if runs and all(p.isspace() or p.casefold() in FUNCTION_WORDS for p in pieces[runs[-1][1] + 1 : i]):
            runs[-1][1] = i
        else:
            runs.append([i, i])
    for run in runs:
        if run[0] >= 2 and pieces[run[0] - 2].casefold() in PREPOSITIONS:
            run[0] -= 2
    return ", ".join("'" + "".join(pieces[first : last + 1]) + "'" for first, last in runs)
