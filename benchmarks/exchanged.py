"""Questions in which two things change places, made of real ones, to teach a model that order counts.

*What do cats think of dogs?* and *What do dogs think of cats?* differ; *Which is better, tea or coffee?* and
*Which is better, coffee or tea?* do not. Two words, or two names, of one sentence change places where each was seen
beside its new neighbours, and where both keep company with the same words (so that the sentence stays one). On both
sides of *and*, *or*, *versus* or a comma of a list the meaning stays, elsewhere it changes. That rule is right in
most sentences, not in all. `moved` adds questions whose last phrase comes first, which mean the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, diags_array

from paragraph.words.lexicon import FUNCTION_WORDS

__all__ = ["Company", "exchanged", "moved"]

WORD = re.compile(r"\w+(?:[-'’.]\w+)*|[^\w\s]")
JOINED = r"(?:and|or|vs\.?|versus|&|/)"
#: Between two things that may change places.
BESIDE = re.compile(rf"\s*,?\s*{JOINED}\s*(?:a|an|the|in|to|of|is|on|for|being|with)?\s*", re.I)
#: The same, where both have one head: "a civil engineer and a mechanical engineer".
HEAD = re.compile(rf"(\s+[\w' -]+?)\s*,?\s*{JOINED}\s+(?:a |an |the |is )?", re.I)
LISTED = re.compile(rf"\s*(?:,|{JOINED})", re.I)
LAST = re.compile(
    r"(.*\S)\s+((?:in|at|for|as|during|after|before|without|if|with|on)\s+[\w' -]{2,40})(\?|\.)",
    re.I,
)
#: Words that keep company as alike as this may change places; names, ten hundredths less.
ALIKE = 0.12
#: Words seen so often have a company.
SEEN = 5


class Company(NamedTuple):
    """The neighbours of words in a corpus."""

    pairs: Counter  #: of two words side by side
    place: dict[str, int]
    #: one row per word: positive pointwise mutual information with words before and after, length 1
    vectors: csr_array

    @classmethod
    def of(cls, texts: Iterable[str]) -> Company:
        pairs = Counter(two for text in texts for two in zip(*_framed(text), strict=True))
        count = Counter()
        for (word, _), times in pairs.items():
            count[word] += times
        place = {
            word: i for i, word in enumerate(word for word, times in count.items() if times >= SEEN)
        }
        rows, columns, values = [], [], []
        for (a, b), times in pairs.items():
            told = np.log(times * count.total() / (count[a] * max(count[b], 1)))
            if times > 1 and told > 0 and a in place and b in place:
                rows += [place[a], place[b]]
                columns += [place[b], len(place) + place[a]]
                values += [told, told]
        table = csr_array((values, (rows, columns)), shape=(len(place), 2 * len(place)))
        length = np.sqrt(table.multiply(table).sum(axis=1))
        return cls(pairs, place, csr_array(diags_array(1 / np.maximum(length, 1e-9)) @ table))

    def alike(self, a: str, b: str) -> float:
        """Cosine of two words, 0 where one is rare."""
        i, j = self.place.get(a.casefold()), self.place.get(b.casefold())
        return (
            0.0
            if i is None or j is None
            else float((self.vectors[[i]] @ self.vectors[[j]].T).toarray()[0, 0])
        )


def _framed(text: str) -> tuple[list[str], list[str]]:
    words = ["^", *(word.casefold() for word in WORD.findall(text)), "$"]
    return words[:-1], words[1:]


def _things(words: Sequence[re.Match]) -> list[tuple[int, int, bool]]:
    """Content words after the first, and names as a whole: from, to, whether a name."""
    found, at = [], 1
    while at < len(words):
        end, word = at + 1, words[at][0]
        if word[0].isalnum() and len(word) > 1 and word.casefold() not in FUNCTION_WORDS:
            name = word[0].isupper()
            while name and end < len(words) and words[end][0][0].isupper():
                end += 1
            found.append((at, end, name))
        at = end
    return found


def exchanged(texts: Iterable[str], company: Company) -> pd.DataFrame:
    """At most one pair a text: `text_a`, `text_b`, `label` (1 where the meaning stays)."""
    rows = []
    for text in texts:
        words = list(WORD.finditer(text))
        if not 5 <= len(words) <= 30:
            continue
        framed, best = ["^", *(word[0].casefold() for word in words), "$"], (ALIKE, None)
        things = _things(words)
        for i, (a, b, name) in enumerate(things):
            for c, d, other in things[i + 1 :]:
                if c == b or name != other or framed[a + 1 : b + 1] == framed[c + 1 : d + 1]:
                    continue
                alike = company.alike(words[b - 1][0], words[d - 1][0]) + 0.1 * name
                beside = [(a, c + 1), (d, b + 1), (c, a + 1), (b, d + 1)]
                seen = sum(company.pairs[framed[left], framed[right]] > 0 for left, right in beside)
                if alike > best[0] and seen >= 4 - name:
                    best = alike, (a, b, c, d)
        if best[1]:
            a, b, c, d = best[1]
            first, second = (
                (words[a].start(), words[b - 1].end()),
                (words[c].start(), words[d - 1].end()),
            )
            between, after = text[first[1] : second[0]], text[second[1] :]
            turned = text[: first[0]] + text[slice(*second)] + between + text[slice(*first)] + after
            rows.append((text, turned, int(_stays(between, after))))
    return pd.DataFrame(rows, columns=["text_a", "text_b", "label"])


def _stays(between: str, after: str) -> bool:
    """Tell whether two things that stand so are side by side."""
    if BESIDE.fullmatch(between) or (between.strip() == "," and LISTED.match(after)):
        return True
    head = HEAD.fullmatch(between)
    return bool(head) and after.casefold().startswith(head[1].casefold())


def moved(texts: Iterable[str], count: int, rng: np.random.Generator) -> pd.DataFrame:
    """So many pairs, all of label 1: a question, and the same with its last phrase first."""
    rows = []
    for text in texts:
        parts = LAST.fullmatch(text)
        if parts and len(parts[1].split()) >= 4 and len(rows) < count:
            head, last, end = parts.groups()
            comma = ", " if rng.random() < 0.7 else " "
            rows.append(
                (text, last[0].upper() + last[1:] + comma + head[0].lower() + head[1:] + end, 1)
            )
    return pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
