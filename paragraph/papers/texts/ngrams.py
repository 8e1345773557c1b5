"""Words and runs of words that a text shares with a reference: ROUGE and BLEU."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

__all__ = ["ROUGE", "Overlap", "WordShare", "bleu", "bleu_signature", "porter_stem", "rouge", "rouge_overlap"]

ROUGE = ("rouge1", "rouge2", "rougeL")
#: Where a word begins and ends in its text, and its part in a score.
WordShare = tuple[int, int, float]

_WORD = re.compile("[A-Za-z0-9]+")
_Word = tuple[int, int, str]  # where it begins and ends, its stem


class Overlap(NamedTuple):
    """The words and n-grams that a candidate shares with a reference."""

    precision: float
    recall: float
    f: float
    candidate: list[WordShare]  #: its words, each with the share of its n-grams that count as shared
    reference: list[WordShare]


def rouge(candidates: Sequence[str], references: Sequence[str], kind: str = "rouge1") -> np.ndarray:
    """Precision, recall and F of each candidate against the reference in the same place: float64, (n, 3).

    The figures of ROUGE-1.5.5 with the options ``-n 2 -a -m``, less its list of irregular words: lower case, words
    of a–z and 0–9, those of more than three letters stemmed (`porter_stem`), sentences split at " . ". Precision
    and recall are rounded to five decimals, F is computed from them and rounded again, so that two texts tie where
    they tie there. A text without words scores 0.

    Parameters
    ----------
    kind : {"rouge1", "rouge2", "rougeL"}
        Shared words; shared pairs of neighbours; the words on longest common subsequences of sentences (the union
        over the candidate's sentences, for each of the reference).

    References
    ----------
    Lin (2004), "ROUGE: a package for automatic evaluation of summaries".

    Examples
    --------
    >>> rouge(["The cats sat .", "Sat the cat"], ["A cat sat down", "A cat sat down"]).tolist()
    [[0.66667, 0.5, 0.57143], [0.66667, 0.5, 0.57143]]
    >>> rouge(["The cats sat .", "Sat the cat"], ["A cat sat down", "A cat sat down"], "rougeL")[:, 1].tolist()
    [0.5, 0.25]
    """
    found = [rouge_overlap(a, b, kind)[:3] for a, b in zip(candidates, references, strict=True)]
    return np.array(found, dtype=np.float64).reshape(-1, 3)


def rouge_overlap(candidate: str, reference: str, kind: str = "rouge1") -> Overlap:
    """One candidate against one reference, with the words that count.

    Examples
    --------
    >>> rouge_overlap("a cat, a hat", "a cat").candidate
    [(0, 1, 1.0), (2, 5, 1.0), (7, 8, 0.0), (9, 12, 0.0)]
    """
    if kind not in ROUGE:
        raise ValueError(f"kind={kind!r} is not one of {', '.join(ROUGE)}")
    texts, order = (_read(candidate), _read(reference)), 2 if kind == "rouge2" else 1
    words = [list(chain(*text)) for text in texts]
    grams = [list(zip(*([stem for *_, stem in side[i:]] for i in range(order)), strict=False)) for side in words]
    shared, on = Counter(grams[0]) & Counter(grams[1]), ((), ())
    if kind == "rougeL":  # a word counts as often as the union has it, and both texts hold it
        on = _union(*texts)
        shared &= Counter((stem,) for begin, _, stem in words[1] if begin in on[1])
    precision, recall = (float(f"{shared.total() / len(side):.5f}") if side else 0.0 for side in grams)
    f = precision * recall / (0.5 * precision + 0.5 * recall) if precision + recall > 0 else 0.0
    sides = (_word_shares(*side, shared) for side in zip(words, grams, on, strict=True))
    return Overlap(precision, recall, float(f"{f:.5f}"), *sides)


@lru_cache(maxsize=1 << 14)
def _read(text: str) -> list[list[_Word]]:
    """The words of each sentence."""
    sentences, at = [], 0
    for sentence in text.split(" . "):
        found = [(at + hit.start(), at + hit.end(), hit[0].lower()) for hit in _WORD.finditer(sentence)]
        sentences.append([(a, b, porter_stem(word) if len(word) > 3 else word) for a, b, word in found])
        at += len(sentence) + 3
    return sentences


def _word_shares(
    words: list[_Word], grams: list[tuple[str, ...]], first: Collection[int], shared: Counter
) -> list[WordShare]:
    """Each word with the share of its n-grams that are shared: of equal ones those in `first`, then the earliest."""
    left, hit = shared.copy(), np.zeros(len(grams))
    for i in sorted(range(len(grams)), key=lambda i: (words[i][0] not in first, i)):
        if left[grams[i]] > 0:
            left[grams[i]] -= 1
            hit[i] = 1
    order = len(words) - len(grams) + 1
    parts = (hit[max(0, i - order + 1) : i + 1] for i in range(len(words)))
    return [(a, b, float(part.mean()) if len(part) else 0.0) for (a, b, _), part in zip(words, parts, strict=True)]


def _union(candidate: list[list[_Word]], reference: list[list[_Word]]) -> tuple[set[int], set[int]]:
    """Find the words on a longest common subsequence of two sentences, by their first characters in either text."""
    found = [
        (other[j][0], line[i][0])
        for line in reference
        for other in candidate
        for i, j in _subsequence([stem for *_, stem in line], [stem for *_, stem in other])
    ]
    return {begin for begin, _ in found}, {begin for _, begin in found}


def _subsequence(rows: list[str], columns: list[str]) -> Iterator[tuple[int, int]]:
    """The matches of one longest common subsequence, from the end: where several are, the one ROUGE-1.5.5 finds.

    Bit-parallel (Hyyrö 2004): bit j of ``steps[i]`` says that the subsequence of the first i rows grows at column j.
    """
    where: dict[str, int] = defaultdict(int)
    for j, word in enumerate(columns):
        where[word] |= 1 << j
    full = rest = (1 << len(columns)) - 1
    steps = [0]
    for word in rows:
        match = rest & where.get(word, 0)
        rest = ((rest + match) | (rest & ~match)) & full
        steps.append(full & ~rest)
    i, j = len(rows), len(columns)
    while i and j:
        upto = (1 << j) - 1
        if rows[i - 1] == columns[j - 1]:
            i, j = i - 1, j - 1
            yield i, j
        elif (steps[i] & upto).bit_count() == (steps[i - 1] & upto).bit_count():
            i -= 1
        else:
            j -= 1


# ---------------------------------------------------------------- stems

_VOWELS, _CONSONANTS = "[aeiouy][aeiou]*", "[^aeiou][^aeiouy]*"
_HAS_VOWEL = re.compile(f"({_CONSONANTS})?[aeiouy]")
_M0 = re.compile(f"({_CONSONANTS})?{_VOWELS}{_CONSONANTS}")  # measure above 0
_M1 = re.compile(_M0.pattern + _VOWELS + _CONSONANTS)  # above 1
_SHORT = re.compile(f"{_CONSONANTS}[aeiouy][^aeiouwxy]$")  # consonants, vowel, consonant, as in hop
_E = re.compile(f"{_M1.pattern}|(?!{_SHORT.pattern}){_M0.pattern}({_VOWELS})?$")  # what can do without its e

#: Steps 1c to 5: what the rest of the word must begin with, and the endings; of those that fit the longest counts.
_STEPS = (
    (_HAS_VOWEL, "y>i"),
    (_M0, "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous "
          "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive "
          "biliti>ble logi>log"),
    (_M0, "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>"),
    (_M1, "al> ance> ence> er> ic> able> ible> ant> ement> ou> ism> ate> iti> ous> ive> ize>"),
    (_M1, "ment>"),
    (_M1, "ent> (?<=[st])ion>"),
    (_E, "e>"),
)  # fmt: skip
_RULES = [
    (begins, [(re.compile(f"{ending}$"), by) for ending, by in (rule.split(">") for rule in rules.split())])
    for begins, rules in _STEPS
]


@lru_cache(maxsize=1 << 16)
def porter_stem(word: str) -> str:
    """The stem of a word in lower case; words of up to two letters stay.

    Porter (1980), "An algorithm for suffix stripping", Program 14(3), with the departures of the stemmer inside
    ROUGE-1.5.5: *-bli* and *-logi* in step 2, and in step 4 *-ment* and *-ent* each tried in their turn. It has no
    exceptions: *was* becomes *wa*.

    Examples
    --------
    >>> [porter_stem(word) for word in "caresses ponies hopping relational generalizations sky".split()]
    ['caress', 'poni', 'hop', 'relat', 'gener', 'sky']
    """
    if len(word) < 3:
        return word
    first, word = word[0], word.replace("y", "Y", word[0] == "y")  # at the beginning y is a consonant
    word = re.sub("(?<=ss)es$|(?<=i)es$|(?<=[^s])s$", "", word)
    if word.endswith("eed"):
        word = word[:-1] if _M0.match(word[:-3]) else word
    elif (rest := re.sub("(ed|ing)$", "", word)) != word and _HAS_VOWEL.match(rest):
        e = re.search("(at|bl|iz)$", rest) or _SHORT.match(rest)
        word = f"{rest}e" if e else re.sub(r"([^aeiouylsz])\1$", r"\1", rest)
    for begins, rules in _RULES:
        found = [(hit.start(), by) for ending, by in rules if (hit := ending.search(word))]
        if found and begins.match(word[: min(found)[0]]):
            word = word[: min(found)[0]] + min(found)[1]
    if word.endswith("ll") and _M1.match(word):
        word = word[:-1]
    return first + word[1:]


def bleu(candidates: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """The BLEU of each candidate against the reference in the same place, from 0 to 100: float64, (n,).

    Moses tokens (sacremoses), scored one by one as a corpus of one sentence by sacrebleu (Post 2018). It counts what
    of the candidate is in the reference: it is not symmetric. Of a candidate of fewer than four words, runs of words
    count only up to its length (sacrebleu's effective order); without that, "a cat" against itself would score 0.

    Examples
    --------
    >>> bleu(["The cat sat on the mat."] * 2, ["The cat sat on the mat.", "The cat sat on a mat."]).round(1).tolist()
    [100.0, 48.9]
    """
    pairs = zip(candidates, references, strict=True)
    scores = [_tools()[0].corpus_score([_moses(a)], [[_moses(b)]]).score for a, b in pairs]
    return np.array(scores, dtype=np.float64)


def bleu_signature() -> str:
    """sacrebleu's signature: its options and version."""
    bleu(["a"], ["a"])  # before its first score it does not know
    return f"{_tools()[0].get_signature()}|moses"


@lru_cache(maxsize=1 << 14)
def _moses(text: str) -> str:
    return _tools()[1].tokenize(text, return_str=True)


@cache
def _tools() -> tuple[Any, Any]:
    from sacrebleu.metrics import BLEU
    from sacremoses import MosesTokenizer

    # force: that tokens stand apart is meant
    return BLEU(force=True, effective_order=True), MosesTokenizer(lang="en")
