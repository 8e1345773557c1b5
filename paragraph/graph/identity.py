"""Sentence identity: when do two spellings count as one sentence?"""

from __future__ import annotations

import string
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..pairs import PairsError

__all__ = ["IDENTITIES", "Sentences", "check_ids", "column", "identify", "row_name", "sentence_keys", "signs"]

BLOCK = 1 << 16  # sentences that are brought to one form together
IDENTITIES = ("text", "normal", "id")


class Sentences(NamedTuple):
    """The distinct sentences of a pair table and where they stand in it."""

    a: np.ndarray  #: code of each row's first sentence
    b: np.ndarray  #: code of each row's second sentence
    texts: pa.LargeStringArray  #: the spelling first seen of each sentence, by code
    merged: int  #: spellings that were counted as a sentence already seen


def identify(pairs: pd.DataFrame, identity: str = "text") -> Sentences:
    """Number the sentences of a pair table in order of first appearance, row by row, `text_a` first.

    Parameters
    ----------
    identity : {"text", "normal", "id"}
        ``"text"``: the exact string after Unicode NFC and stripping outer white space. ``"normal"``: also
        without regard to case, runs of white space and outer punctuation. ``"id"``: the data's own
        `id_a`, `id_b`.

    Raises
    ------
    PairsError
        An unknown identity, or ``"id"`` where an id is missing.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Why?", "why "], "text_b": [" Why?", "How?"]})
    >>> identify(pairs).texts.to_pylist(), identify(pairs).merged
    (['Why?', 'why ', 'How?'], 1)
    >>> identify(pairs, "normal").texts.to_pylist(), identify(pairs, "normal").merged
    (['Why?', 'How?'], 2)
    """
    columns = [column(pairs, "text_a"), column(pairs, "text_b")]
    if identity == "id":
        return _by_id(pairs, columns)
    a, b, spellings = _number(columns)
    starts = range(0, len(spellings) or 1, BLOCK)
    if all(sentence_keys(part, identity).equals(part) for part in (spellings.slice(at, BLOCK) for at in starts)):
        return Sentences(a, b, spellings, 0)
    return _merge(a, b, spellings, sentence_keys(spellings, identity))


def sentence_keys(spellings: pa.Array, identity: str = "text") -> pa.Array:
    """The common form of all spellings of one sentence, for identity "text" or "normal"."""
    if identity not in IDENTITIES:
        raise PairsError(f"identity {identity!r} is not one of {', '.join(map(repr, IDENTITIES))}")
    keys = pc.utf8_trim_whitespace(pc.utf8_normalize(spellings, form="NFC"))
    if identity == "normal":
        keys = pa.array([_normal_form(text) for text in keys.to_pylist()], pa.large_string())
    return keys


def _normal_form(text: str) -> str:
    plain = " ".join(text.casefold().split())
    return plain.strip(string.punctuation + "¿¡…“”‘’«»。、？！ ") or plain  # "???" stays itself


def check_ids(pairs: pd.DataFrame) -> None:
    """Raise `PairsError` unless both sentences of every row have an id."""
    for name in ("id_a", "id_b"):
        if name not in pairs:
            raise PairsError(f"identity 'id' needs a column {name!r}; this pair table has none")
        gone = (pairs[name].isna() | (pairs[name] == "")).to_numpy()
        if gone.any():
            at = int(np.argmax(gone))
            rows = f"({gone.sum():,} such rows)"
            raise PairsError(f"{row_name(pairs, at)}: {name} is empty {rows}; use identity='text' for these data")


def _by_id(pairs: pd.DataFrame, texts: list[pa.ChunkedArray]) -> Sentences:
    check_ids(pairs)
    a, b, ids = _number([column(pairs, "id_a"), column(pairs, "id_b")])
    first = _first_positions(a, b, len(ids))
    spelling = pa.chunked_array([pa.concat_arrays([c for t in texts for c in t.chunks])])
    where = np.where(first % 2 == 0, first // 2, len(pairs) + first // 2)
    text_a, text_b, spellings = _number(texts)
    used = np.concatenate(
        [a.astype(np.int64) * len(spellings) + text_a, b.astype(np.int64) * len(spellings) + text_b]
    )
    merged = len(np.unique(used)) - len(ids)  # of an id's spellings all but the first
    return Sentences(a, b, spelling.take(pa.array(where)).combine_chunks(), merged)


def row_name(pairs: pd.DataFrame, at: int) -> str:
    """The name of a row in errors: its source and its number there, as far as they are known."""
    row = pairs["row"].iloc[at] if "row" in pairs else at + 1
    source = (pairs.attrs.get("report") or {}).get("source")
    return f"{source}, row {row}" if source else f"row {row}"


def signs(pairs: pd.DataFrame) -> np.ndarray:
    """The sign of each row: 1 for label 1, -1 for label 0, 0 for a missing label; `PairsError` for any other."""
    label = pairs["label"]
    number = pd.to_numeric(label, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    odd = label.notna().to_numpy() & (number != 0) & (number != 1)
    if odd.any():
        at = int(np.argmax(odd))
        raise PairsError(f"{row_name(pairs, at)}: label '{label.iloc[at]}' is not one of 0, 1")
    return np.select([number == 1, number == 0], [1, -1], 0).astype(np.int8)


def column(pairs: pd.DataFrame, name: str) -> pa.ChunkedArray:
    """A column of texts; `PairsError` names the first row whose value is no text."""
    try:
        texts = pa.chunked_array(pa.Array.from_pandas(pairs[name])).cast(pa.large_string())
        if not texts.null_count:
            return texts
    except (UnicodeEncodeError, pa.ArrowException):
        pass
    at, value = next((at, value) for at, value in enumerate(pairs[name]) if not _is_text(value))
    why = "half a surrogate pair is no character" if isinstance(value, str) else "it is no text"
    raise PairsError(f"{row_name(pairs, at)}: {name} {value!r} cannot be used: {why}")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _number(columns: list[pa.ChunkedArray]) -> tuple[np.ndarray, np.ndarray, pa.LargeStringArray]:
    """Codes of both columns by order of first appearance row by row, and the distinct strings."""
    rows = len(columns[0])
    both = pa.chunked_array([c for column in columns for c in column.chunks], pa.large_string()).dictionary_encode()
    codes = np.concatenate([chunk.indices for chunk in both.chunks] or [np.empty(0, np.int32)])
    distinct = both.chunk(0).dictionary if both.num_chunks else pa.array([], pa.large_string())
    del both
    pa.default_memory_pool().release_unused()
    a, b = codes[:rows], codes[rows:]
    order = np.argsort(_first_positions(a, b, len(distinct)))
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[a], rank[b], distinct.take(pa.array(order))


def _merge(a: np.ndarray, b: np.ndarray, spellings: pa.LargeStringArray, keys: pa.Array) -> Sentences:
    """Merge the spellings that share a key; spellings come in order of appearance, so the first one stays."""
    encoded = keys.dictionary_encode()
    merged = len(spellings) - len(encoded.dictionary)
    if not merged:
        return Sentences(a, b, spellings, 0)
    sentence = encoded.indices.to_numpy(zero_copy_only=False)
    _, first = np.unique(sentence, return_index=True)
    return Sentences(sentence[a], sentence[b], spellings.take(pa.array(first)), merged)


def _first_positions(a: np.ndarray, b: np.ndarray, n: int) -> np.ndarray:
    """The first position of each code when rows are read a, b, a, b, …"""
    first = np.full(n, 2 * len(a), dtype=np.int64)
    # Written backwards, so that the earliest occurrence is the one that stays.
    first[b[::-1]] = np.arange(2 * len(b) - 1, 0, -2)
    first_a = np.full(n, 2 * len(a), dtype=np.int64)
    first_a[a[::-1]] = np.arange(2 * len(a) - 2, -1, -2)
    return np.minimum(first, first_a)
