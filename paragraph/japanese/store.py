"""Parses of sentences: their JSON Lines, and a store of them that asks the parser only for what is new."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError
from os import PathLike
from pathlib import Path

from ..pairs.errors import PairsError, excerpt
from ..pairs.jsonl import parse_object
from ..pairs.opening import HELD, load
from ..pairs.outputs import beside
from .parse import Parse, marks_on_sight, model_version, parses

__all__ = ["Parses", "read_parses", "write_parses"]

_KEYS = ("text", "phrases", "heads", "pinned", "marks", "words")
#: Sentences that are parsed before they are kept.
_AT_ONCE = 512
#: Bytes of kept parses; of a larger file the first half, the oldest, is dropped.
_MOST = 200_000_000


def read_parses(path: str | PathLike, max_unpacked: int = HELD) -> dict[str, Parse]:
    """Read the parses of a JSON Lines file, packed or not, by their text without white space around it.

    Each line is an object with ``text``, ``phrases`` (list of str), ``heads`` (list of int, from 0; -1, null or the
    phrase itself for a root) and, as far as they are known, ``pinned`` (places of phrases, one place, or true and
    false for each), ``marks`` (else what shows on sight: `marks_on_sight`) and ``words``: see
    `paragraph.japanese.parse.Parse`. Other keys are left alone.

    Raises
    ------
    PairsError
        Naming file and row: no JSON object, a key is missing, the phrases are not the text, a text has two parses
        that differ, and the like.
    """
    name, found = Path(path).name, {}
    for row, line in enumerate(load(path, max_unpacked=max_unpacked).split(b"\n"), 1):
        try:
            parse = _parse_of(line)
            if parse and found.setdefault(parse.text, parse) != parse:
                raise ValueError("another parse of this text stands further up")
        except ValueError as error:
            raise PairsError(f"{name}, row {row}: {error}: {excerpt(line)}") from None
    return found


def _parse_of(line: bytes) -> Parse | None:
    """The parse that a line holds, None for a blank one; ValueError says what is wrong."""
    record, why = parse_object(line)
    if why:
        raise ValueError(why)
    return _parse(record) if record else None


def write_parses(found: Iterable[Parse], path: str | PathLike) -> None:
    """Write parses as JSON Lines, so that `read_parses` gives them back."""
    with beside(path) as part:
        part.write_text("".join(map(_line, found)), encoding="utf-8")


def _line(parse: Parse) -> str:
    values = ((key, getattr(parse, key)) for key in _KEYS)
    return json.dumps({key: value for key, value in values if value is not None}, ensure_ascii=False) + "\n"


def _parse(record: dict) -> Parse:
    if missing := [key for key in _KEYS[:3] if key not in record]:
        raise ValueError(f"there is no {missing[0]!r}")
    values = {key: record[key] for key in _KEYS if record.get(key) is not None}
    pinned = values.get("pinned", [])
    pinned = [pinned] if isinstance(pinned, int) else pinned
    if isinstance(pinned, list) and pinned and all(isinstance(one, bool) for one in pinned):
        pinned = [i for i, one in enumerate(pinned) if one]
    values |= {"pinned": pinned, "heads": [-1 if one is None else one for one in _list(values, "heads")]}
    for key, kind in {"phrases": str, "heads": int, "pinned": int, "marks": str, "words": str}.items():
        if key in values:
            values[key] = tuple(_list(values, key))
            if wrong := [one for one in values[key] if type(one) is not kind]:
                raise ValueError(f"{key!r} holds {wrong[0]!r}")
    if not isinstance(values.get("text"), str):
        raise ValueError(f"'text' is {values.get('text')!r}")
    values["text"].encode()  # half a surrogate pair is a ValueError
    if "marks" not in values:
        values["marks"] = marks_on_sight(values["phrases"]) if values["phrases"] else None
    return Parse(**values | {"text": values["text"].strip()})


def _list(values: dict, key: str) -> list:
    if not isinstance(values[key], list):
        raise ValueError(f"{key!r} is {values[key]!r}, not a list")
    return values[key]


class Parses:
    """Parses by text: those of a file, else those parsed before, else GiNZA's, which are kept.

    Parameters
    ----------
    source : path or dict, optional
        What `read_parses` reads, or gives. It goes first.
    progress : bool

    Examples
    --------
    >>> figure = Parse("太郎は本を渡した", ("太郎は", "本を", "渡した"), (2, 2, -1))
    >>> Parses({figure.text: figure}).of(["太郎は本を渡した"])[0].phrases
    ('太郎は', '本を', '渡した')
    """

    def __init__(self, source: str | PathLike | dict[str, Parse] | None = None, progress: bool = True):
        self.name = "these parses" if source is None or isinstance(source, dict) else Path(source).name
        self._known = source if isinstance(source, dict) else read_parses(source) if source else {}
        self.progress, self._kept = progress, None

    def of(self, texts: Iterable[str]) -> list[Parse]:
        """Return the parses of some texts.

        Raises
        ------
        PairsError
            A text is not Japanese; or it has no parse here, and GiNZA is not installed.
        """
        texts = [text.strip() for text in texts]
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new and self._kept is None:
            self._kept = self._cache(new[0])
            self._known = _read_kept(self._kept) | self._known
            new = [text for text in new if text not in self._known]
        from tqdm.auto import tqdm

        bar = tqdm(total=len(new), desc="parsing", unit="sentence", disable=not self.progress or len(new) < 64)
        with bar:
            for at in range(0, len(new), _AT_ONCE):
                self._add(new[at : at + _AT_ONCE])
                bar.update(len(new[at : at + _AT_ONCE]))
        return [self._known[text] for text in texts]

    def _add(self, texts: list[str]) -> None:
        try:
            found = list(parses(texts))
        except ValueError as error:
            raise PairsError(str(error)) from None
        self._known |= dict(zip(texts, found, strict=True))
        with suppress(OSError):  # without a place to keep them, they are parsed again
            self._kept.parent.mkdir(parents=True, exist_ok=True)
            with self._kept.open("a", encoding="utf-8") as file:
                file.write("".join(map(_line, found)))

    def _cache(self, text: str) -> Path:
        root = Path(os.environ.get("PARAGRAPH_CACHE") or Path.home() / ".cache" / "paragraph")
        try:
            return root / "parses" / f"{model_version()}.jsonl"
        except PackageNotFoundError:
            raise PairsError(
                f"{self.name} hold no parse of {text!r}, and GiNZA is not installed: "
                "pip install 'paragraph-workbench[ja]'"
            ) from None


def _read_kept(path: Path) -> dict[str, Parse]:
    """Read the parses kept in a file; drop broken lines, as a killed process leaves them, and the oldest of too many.

    The file is written anew without these; their sentences are parsed again.
    """
    lines = path.read_bytes().splitlines(keepends=True) if path.is_file() else []
    kept, found = [], {}
    for line in lines[len(lines) // 2 :] if sum(map(len, lines)) > _MOST else lines:
        try:
            parse = _parse_of(line)
        except ValueError:
            continue
        if parse:
            found[parse.text] = parse
            kept.append(line)
    if len(kept) < len(lines):
        with beside(path) as part:
            part.write_bytes(b"".join(kept))
    return found
