"""Japanese sentences as phrases (bunsetsu) and their heads, by GiNZA.

Matsuda, Wakasa, Omura, Asahara (2019), "GiNZA: Japanese NLP based on Universal Dependencies". Installed as the extra
``ja``; it loads when the first sentence is parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm

from ...files.content import HELD, load
from ...files.errors import PairsError, check_type, excerpt
from ...files.json_lines import parse_object
from ...files.outputs import atomic_write

__all__ = ["MODEL", "Parse", "Parses", "parses", "read_parses"]


@dataclass(frozen=True)
class Parse:
    """A sentence cut into phrases, the last of which is the predicate; ValueError where that is not what is given."""

    text: str  #: the phrases joined, white space around them aside
    phrases: tuple[str, ...]
    #: the phrase that each depends on, from 0; -1, or the phrase itself, for a root
    heads: tuple[int, ...]
    pinned: tuple[int, ...] = ()  #: phrases that hold their place; the last always does
    words: tuple[str, ...] | None = None  #: of the sentence; only "words" needs them

    def __post_init__(self):
        n = len(self.phrases)
        if not n or not all(self.phrases):
            raise ValueError("there are no phrases, or one is empty")
        self._check_joined("phrases", self.phrases)
        if self.words is not None:
            self._check_joined("words", self.words)
        if len(self.heads) != n:
            raise ValueError(f"{len(self.heads)} heads for {n} phrases")
        self._check_places("the head", self.heads, range(-1, n))
        self._check_places("the pinned phrase", self.pinned, range(n))

    def _check_joined(self, name: str, parts: tuple[str, ...]) -> None:
        if "".join(parts) != self.text.strip():
            raise ValueError(
                f"the {name} are not the text when they are joined: {'|'.join(parts)!r}"
            )

    def _check_places(self, name: str, places: tuple[int, ...], among: range) -> None:
        for place in places:
            if place not in among:
                raise ValueError(f"{name} {place} is none of the phrases 0 to {among[-1]}")


MODEL = "ja_ginza"
LONGEST = 10_000
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-鿿]")


@cache
def _model() -> Any:
    import spacy

    # Names of people and places play no part, nor do compounds as one word.
    return spacy.load(MODEL, exclude=["ner", "compound_splitter"])


def parses(texts: Iterable[str]) -> Iterator[Parse]:
    """Parse sentences, in their order; about 90 a second on one core.

    ValueError where a sentence is very long, or not Japanese: elsewhere the order of phrases is meaning.
    """
    japanese = map(_japanese, texts)
    for doc in _model().pipe(japanese, batch_size=64):
        yield _parse(doc)


def _japanese(text: str) -> str:
    if not JAPANESE.search(text):
        raise ValueError(
            f"{text!r} is not Japanese: only there do particles say which phrase is what, wherever it stands; "
            "in English, say, another order is another meaning (dog bites man)"
        )
    if len(text) > LONGEST:
        raise ValueError(
            f"{text[:40]!r} … has {len(text):,} characters, GiNZA takes {LONGEST:,}; give sentences"
        )
    return text.strip()


def _parse(doc: Any) -> Parse:
    from ginza import bunsetu_spans

    spans = bunsetu_spans(doc)
    place = {}
    for k, span in enumerate(spans):
        for token in span:
            place[token.i] = k
    heads = []
    for span in spans:
        root = span.root
        is_root = root.head.i == root.i
        heads.append(-1 if is_root else place[root.head.i])
    phrases = _cut(doc, [span.start for span in spans])
    words = _cut(doc, range(len(doc)))
    pinned = (len(spans) - 1,)
    return Parse(doc.text, phrases, tuple(heads), pinned, words)


def _cut(doc: Any, starts: Sequence[int]) -> tuple[str, ...]:
    """The text in pieces that begin with some tokens."""
    inner = [doc[i].idx for i in starts[1:]]
    edges = [0, *inner, len(doc.text)]
    return tuple(doc.text[begin:end] for begin, end in pairwise(edges))


#: What a parse lists beside its text, and of what type.
_LISTS = {"phrases": str, "heads": int, "pinned": int, "words": str}


def read_parses(path: str | PathLike) -> dict[str, Parse]:
    """Read the parses of a JSON Lines file, packed or not, by their text without white space around it.

    Each line is an object with ``text``, ``phrases`` (list of str), ``heads`` (list of int, from 0; -1, null or the
    phrase itself for a root) and, as far as they are known, ``pinned`` (list of int) and ``words`` (list of str): see
    `Parse`. Other keys are left alone.
    A `PairsError` names file and row of what is no parse, or a second one of a text.
    """
    name = Path(path).name
    found = {}
    lines = load(path, most=HELD).split(b"\n")
    for row, line in enumerate(lines, 1):
        try:
            parse = _parse_of(line)
            if parse and found.setdefault(parse.text, parse) != parse:
                raise ValueError("another parse of this text stands further up")
        except ValueError as error:
            raise PairsError(f"{name}, row {row}: {error}: {excerpt(line)}") from None
    return found


def _parse_of(line: bytes) -> Parse | None:
    """Return the parse that a line holds, None for a blank one; ValueError says what is wrong."""
    record = parse_object(line)
    if not record:
        return None
    for key in ("text", "phrases", "heads"):
        if key not in record:
            raise ValueError(f"there is no {key!r}")
    text = record["text"]
    if not isinstance(text, str):
        raise ValueError(f"'text' is {text!r}")
    text.encode()  # half a surrogate pair is a ValueError
    values = {}
    for key, kind in _LISTS.items():
        listed = record.get(key)
        if listed is None:
            continue
        wanted = (int, type(None)) if key == "heads" else kind
        if not isinstance(listed, list) or not all(isinstance(one, wanted) for one in listed):
            raise ValueError(f"{key!r} is {listed!r}, not a list of {kind.__name__}")
        values[key] = tuple(-1 if one is None else one for one in listed)
    return Parse(text.strip(), **values)


def _line(parse: Parse) -> str:
    record = {}
    for key in ("text", *_LISTS):
        value = getattr(parse, key)
        if value is not None:
            record[key] = value
    return json.dumps(record, ensure_ascii=False) + "\n"


class Parses:
    """Parses by text: those of a file, else GiNZA's, which `write` keeps.

    Parameters
    ----------
    source : path or dict, optional
        What `read_parses` reads, or gives. It takes precedence.
    progress : bool

    Examples
    --------
    >>> figure = Parse("太郎は本を渡した", ("太郎は", "本を", "渡した"), (2, 2, -1))
    >>> Parses({figure.text: figure}).of(["太郎は本を渡した"])[0].phrases
    ('太郎は', '本を', '渡した')
    """

    def __init__(
        self, source: str | PathLike | dict[str, Parse] | None = None, progress: bool = True
    ):
        self._known: dict[str, Parse] = {}
        if isinstance(source, dict):
            self._known = dict(source)
        elif source:
            self._known = read_parses(source)
        self.progress = progress

    def of(self, texts: Iterable[str]) -> list[Parse]:
        """Return the parses of some texts; `PairsError` where one is not Japanese, or there is none and no GiNZA."""
        texts = [check_type(text, str, "a parse", "a sentence") for text in texts]
        texts = list(map(str.strip, texts))
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._parse_new(new)
        return [self._known[text] for text in texts]

    def _parse_new(self, new: list[str]) -> None:
        if not find_spec("ginza"):
            why = f"no parse of {new[0]!r} is known, and GiNZA is not installed"
            raise PairsError(f"{why}: pip install '.[ja]' in your copy of paragraph")
        hidden = not self.progress or len(new) < 64
        bar = tqdm(parses(new), "parsing", len(new), unit="sentence", disable=hidden)
        with bar as found:
            try:
                self._known |= {parse.text: parse for parse in found}
            except ValueError as error:
                raise PairsError(str(error)) from None

    def write(self, path: str | PathLike) -> None:
        """Write all parses as the JSON Lines that `read_parses` reads, so that no sentence is parsed again."""
        lines = "".join(map(_line, self._known.values()))
        with atomic_write(path) as part:
            part.write_text(lines, encoding="utf-8")
