"""A sentence as words and what stands between them; stems of words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["UNSPACED", "stem", "stems", "tagged_shares", "words_of"]

# Names of a letter and a sign, as C++ and C#; words; single characters where a script puts no spaces between words;
# everything else one by one.
WORD = re.compile(
    r"\b[^\W\d_](?:\+\+|#)(?!\w)|"
    r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]|"
    r"[^\W\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’][^\W\d_]+)?|\s+|.",
    re.DOTALL,
)
UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")


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
