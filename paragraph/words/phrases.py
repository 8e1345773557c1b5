"""Phrases that take each other's place in sentences which mean the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from difflib import SequenceMatcher
from itertools import combinations, pairwise

from .differences import words_of
from .lexicon import FUNCTION_WORDS

__all__ = ["Phrases", "replaced"]

#: Words of the longest phrase, votes of the rarest, and changes of one sentence that are tried together.
LONGEST, LEAST, TRIED = 5, 1, 5
#: First and last character of a phrase, what stands there, and what takes its place.
Change = tuple[int, int, str, str]


class Phrases:
    """Pairs of phrases, by the votes of labelled pairs of sentences.

    A pair of sentences that differ in k places gives 1/k of its vote to each two phrases that stand in one of them.
    Sentences of a cluster are not independent: of its votes for two phrases, or against them, the weightiest counts.
    Phrases stay that have `LEAST` votes in all, and that both hold more than words of grammar.

    Parameters
    ----------
    pairs : iterable of (str, str, float, hashable)
        Two sentences, the vote (above 0 for paraphrases, below 0 for others), and who votes: the cluster.

    Examples
    --------
    >>> phrases = Phrases([("How do I buy tea?", "How do I purchase tea?", 1, 0),
    ...                    ("Is tea hot?", "Is tea cold?", -1, 1)])
    >>> phrases.substitutions("Buy hot soup!")
    [('Purchase hot soup!', [['Buy', 'Purchase']])]
    """

    def __init__(self, pairs: Iterable[tuple[str, str, float, Hashable]]):
        votes: defaultdict[tuple[str, ...], dict] = defaultdict(dict)
        written: defaultdict[str, Counter[str]] = defaultdict(Counter)  # how a phrase is spelt: names have capitals
        for left, right, vote, voter in pairs:
            found, k = replaced(left, right)
            for spelt in found:
                phrases = [phrase.casefold() for phrase in spelt]
                if not any(FUNCTION_WORDS.issuperset(phrase.split()) for phrase in phrases):
                    mine, who = votes[tuple(sorted(phrases))], (voter, vote > 0)
                    mine[who] = max(mine.get(who, 0), vote / k, key=abs)
                    for phrase, spelling in zip(phrases, spelt, strict=True):
                        written[phrase][spelling] += 1
        self._others: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
        for (one, other), mine in votes.items():
            if (total := sum(mine.values())) >= LEAST:
                self._others[one].append((total, written[other].most_common(1)[0][0]))
                self._others[other].append((total, written[one].most_common(1)[0][0]))

    def __len__(self) -> int:
        return sum(map(len, self._others.values())) // 2

    def substitutions(self, text: str) -> list[tuple[str, list[list[str]]]]:
        """The sentence with one or two changes, of those with most votes, and what stood there before and after."""
        words, places = _places(text)
        found: list[tuple[float, Change]] = []
        for i in range(len(words)):
            for j in range(i + 1, min(i + LONGEST, len(words)) + 1):
                begin, end = places[i][0], places[j - 1][1]
                for votes, new in self._others.get(" ".join(words[i:j]).casefold(), ()):
                    new = new[0].upper() + new[1:] if i == 0 and text[begin].isupper() else new
                    found.append((-votes, (begin, end, text[begin:end], new)))
        best = [change for _, change in sorted(found)[:TRIED]]
        changed: dict[str, list[list[str]]] = {}
        for some in [*combinations(best, 1), *combinations(best, 2)]:
            some = sorted(some)
            if all(x[1] <= y[0] and x[2].casefold() != y[3].casefold() for x, y in pairwise(some)):
                parts, done = [], 0
                for begin, end, _, new in some:
                    parts += [text[done:begin], new]
                    done = end
                changed.setdefault("".join([*parts, text[done:]]), [[old, new] for _, _, old, new in some])
        return list(changed.items())


def replaced(left: str, right: str) -> tuple[list[tuple[str, str]], int]:
    """Phrases that stand in the same place of two sentences, case aside, and in how many places those differ.

    A capital that opens a sentence is made small. None where the two have less than half of their words in common:
    then words meet by chance.

    >>> replaced("How can I buy a car in Rome?", "How do I purchase a car?")
    ([('can', 'do'), ('buy', 'purchase')], 3)
    """
    a, b = _places(left)[0], _places(right)[0]
    matcher = SequenceMatcher(None, [x.casefold() for x in a], [y.casefold() for y in b], autojunk=False)
    found = [block for block in matcher.get_opcodes() if block[0] != "equal"]
    a, b = ([word[:1].lower() + word[1:] for word in words[:1]] + words[1:] for words in (a, b))
    if 2 * sum(a2 - a1 + b2 - b1 for _, a1, a2, b1, b2 in found) > len(a) + len(b):
        return [], len(found)
    sides = [(a[a1:a2], b[b1:b2]) for kind, a1, a2, b1, b2 in found if kind == "replace"]
    return [
        (" ".join(x), " ".join(y))
        for x, y in sides
        if max(len(x), len(y)) <= LONGEST and all(word[0].isalpha() for word in x + y)
    ], len(found)


def _places(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The words of a text, and where each begins and ends."""
    words, places, at = [], [], 0
    for word in words_of(text):
        if not word.isspace():
            words.append(word)
            places.append((at, at + len(word)))
        at += len(word)
    return words, places
