"""Japanese sentences as phrases (bunsetsu) and their heads, by GiNZA.

Matsuda, Wakasa, Omura, Asahara (2019), "GiNZA: Japanese NLP based on Universal Dependencies". Installed as the extra
``ja``; it loads when the first sentence is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from .orders import ADVERB, FREE, TIED, WALL, Parse

__all__ = ["MODEL", "model_version", "parses", "sentences", "vector", "words"]

MODEL = "ja_ginza"
#: Verbs that say little without their noun: ポーズをとる is posing, not taking.
LIGHT = {
    "を": "する やる 行う 行なう とる 取る かける 掛ける つく 付く 立てる 上げる 浴びる 組む 決める",
    "に": "する なる",
}
#: Words of quantity that say nothing without the negation at the end.
NONE_OF = re.compile(r"(一.{1,2}|ひとり|ひとつ|(誰|だれ|何|なに|どこ|どれ)(に|へ|と|から)?)も$")
TOGETHER = re.compile(r"一緒|いっしょ|共に|ともに|お?互い|それぞれ")
#: A phrase that ends in one of these says itself what it is to the predicate. と does so too, but before another noun
#: it would be "and".
CASE = ("が", "は", "も", "を", "に", "で", "へ", "から", "まで", "より")
LONGEST = 10_000
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-鿿]")
OPENING, CLOSING = "「『（(【〈《［“", "」』）)】〉》］”"


@cache
def _model() -> Any:
    import spacy

    # Names of people and places play no part, nor do compounds as one word.
    return spacy.load(MODEL, exclude=["ner", "compound_splitter"])


def model_version() -> str:
    """Name and version of the model: parses of another one differ. PackageNotFoundError where there is none."""
    return f"{MODEL}-{version(MODEL)}"


def parses(texts: Iterable[str]) -> Iterator[Parse]:
    """The parses of sentences, in their order; about 90 a second on one core.

    Raises
    ------
    ValueError
        A sentence is not Japanese (elsewhere the order of phrases is meaning: dog bites man), or very long.
    ModuleNotFoundError
        GiNZA is not installed.
    """
    for doc in _model().pipe(map(_japanese, texts), batch_size=64):
        yield _parse(doc)


def _japanese(text: str) -> str:
    if not JAPANESE.search(text):
        raise ValueError(
            f"{text!r} is not Japanese: only there do particles say which phrase is what, wherever it stands; "
            "in English, say, another order is another meaning (dog bites man)"
        )
    if len(text) > LONGEST:
        raise ValueError(f"{text[:40]!r} … has {len(text):,} characters, GiNZA takes {LONGEST:,}; give sentences")
    return text.strip()


def sentences(text: str) -> list[str]:
    """The sentences of a document: each ends with a line, or with 。, ！ or ？ outside of quotation marks.

    Joined they are the document.

    >>> sentences("雨だ。「行くな。」と言った。\\n")
    ['雨だ。', '「行くな。」と言った。', '\\n']
    """
    found, depth, begin = [], 0, 0
    for end, sign in enumerate(text, 1):
        depth = max(0, depth + (sign in OPENING) - (sign in CLOSING)) if sign != "\n" else 0
        if sign == "\n" or (not depth and sign in "。！？" and text[end : end + 1] not in {*"。！？", *CLOSING}):
            body = text[begin:end].rstrip("\n")
            found += [part for part in (body, text[begin + len(body) : end]) if part]
            begin = end
    return found + [text[begin:]] * (begin < len(text))


def words(text: str) -> list[str]:
    """The words of any text, without a parse: some 5,000 sentences a second."""
    return [token.text for part in sentences(text) for token in _model().tokenizer(part) if not token.is_space]


def vector(word: str) -> Any:
    """GiNZA's vector of a word, else of its lemma, else zeros: float32, (300,)."""
    vocab = _model().vocab
    names = [word] if vocab.has_vector(word) else [token.lemma_ for token in _model().tokenizer(word)] or [word]
    return sum(map(vocab.get_vector, names)) / len(names)


def _parse(doc: Any) -> Parse:
    from ginza import bunsetu_spans

    spans = bunsetu_spans(doc)
    place = {token.i: k for k, span in enumerate(spans) for token in span}
    roots = [span.root for span in spans]
    heads = tuple(-1 if root.head.i == root.i else place[root.head.i] for root in roots)
    phrases = _cut(doc, [span.start for span in spans])
    marks = _marks(phrases, [list(span) for span in spans], roots, heads)
    return Parse(doc.text, phrases, heads, (len(spans) - 1,), tuple(marks), _cut(doc, range(len(doc))))


def _cut(doc: Any, starts: Sequence[int]) -> tuple[str, ...]:
    """The text in pieces that begin with some tokens."""
    at = [doc[i].idx for i in starts] + [len(doc.text)]
    return tuple(doc.text[begin:end] for begin, end in zip([0, *at[1:]], at[1:], strict=False))


def _marks(phrases: Sequence[str], spans: list[list], roots: list, heads: Sequence[int]) -> Iterator[str]:
    """What the rule "strict" must know of the phrases that depend on the predicate."""
    last, depth = len(phrases) - 1, 0
    for i, phrase in enumerate(phrases):
        depth += sum(sign in OPENING for sign in phrase) - sum(sign in CLOSING for sign in phrase)
        quoted = TIED if depth > 0 else ""  # what is quoted stays in its quotation marks
        yield FREE if i == last or heads[i] != last else quoted or _mark(i, spans[i], roots, heads)


def _mark(i: int, span: list, roots: list, heads: Sequence[int]) -> str:
    root, bare = roots[i], i not in heads[:i]
    said = [token for token in span if token.pos_ != "PUNCT"] or span
    end, text = said[-1], "".join(token.text for token in said)
    if len(said) < len(span) or root.pos_ == "CCONJ" or root.dep_ == "dislocated":
        return WALL
    if NONE_OF.search(text) or TOGETHER.match(text) or root.pos_ == "NUM":
        return TIED
    if (root.pos_ == "ADV" and end.text not in CASE) or (root.pos_ == "ADJ" and end.text in ("に", root.text)):
        return ADVERB if bare else WALL
    if text.endswith(("により", "によって")):
        return FREE
    if root.pos_ in ("VERB", "AUX", "ADJ") or end.pos_ in ("VERB", "AUX", "SCONJ"):
        return WALL
    if end.text not in CASE:
        return TIED
    if end.text == "が" and any(other.dep_ == "nsubj" and other.head == root.head for other in roots[:i]):
        return TIED
    light = heads[i] == i + 1 and roots[i + 1].lemma_ in LIGHT.get(end.text, "").split()
    return TIED if bare and light else FREE
