"""Word-level difference of two sentences."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

__all__ = ["Span", "word_diff", "words_of"]

#: A piece of text, and whether the other sentence lacks it.
Span = tuple[str, bool]

# Words, or single characters where a script puts no spaces between words; everything else one by one.
WORD = re.compile(
    r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]|"
    r"[^\W\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’][^\W\d_]+)?|\s+|.",
    re.DOTALL,
)


def words_of(text: str) -> list[str]:
    """A text cut into words, runs of white space, and single other characters; joined they give it back.

    >>> words_of("Don't panic, 3 times!")
    ["Don't", ' ', 'panic', ',', ' ', '3', ' ', 'times', '!']
    >>> words_of("犬が走る")
    ['犬', 'が', '走', 'る']
    """
    return WORD.findall(text)


def word_diff(left: str, right: str) -> tuple[list[Span], list[Span]]:
    """Both sentences as spans, those the other lacks marked; case aside. Joined, the spans give the sentence back.

    Examples
    --------
    >>> left, right = word_diff("Is it open today?", "Is it closed today?")
    >>> left
    [('Is it ', False), ('open', True), (' today?', False)]
    """
    a, b = words_of(left), words_of(right)
    matcher = SequenceMatcher(None, [w.casefold() for w in a], [w.casefold() for w in b], autojunk=False)
    spans: tuple[list[Span], list[Span]] = ([], [])
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        for side, words in zip(spans, (a[a1:a2], b[b1:b2]), strict=True):
            if words:
                side.append(("".join(words), tag != "equal"))
    return tuple(_joined(side) for side in spans)


def _joined(spans: list[Span]) -> list[Span]:
    """White space between two marked words is marked with them, so that a changed phrase is one piece."""
    merged: list[Span] = []
    for i, (text, marked) in enumerate(spans):
        between = text.isspace() and 0 < i < len(spans) - 1 and spans[i - 1][1] and spans[i + 1][1]
        marked = marked or between
        if merged and merged[-1][1] == marked:
            merged[-1] = (merged[-1][0] + text, marked)
        else:
            merged.append((text, marked))
    return merged
