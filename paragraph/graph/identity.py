"""Sentence identity: the rules by which two spellings count as one sentence."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from ..files import PairsError
from ..pairs.tables import column, refuse
from .arrays import Array

__all__ = ["IDENTITIES", "Sentences", "check_ids", "identify", "sentence_keys", "signs"]

IDENTITIES = ("text", "normal", "id")
#: Punctuation before a sentence, and a character of the punctuation after it, without a meaning: "Why?" is "why". Not
#: included are symbols that carry meaning ($5, C++, 5 %), a dash or a dot at a word (-5, .5, .NET), marks at a number
#: (5!, 5"), the apostrophe of "the dogs'", empty brackets (main()), and marks alone (::).
_BEFORE = re.compile(r"(?:[\s\"'`“”‘’„‚«»‹›「『¿¡!?…。]|[(\[{](?!\s)|\.{2,}|\.(?!\w)|[-–—](?=\s))*")
_BEHIND = re.compile(
    r"[\s?.…`“”‘«»‹›」』。、？！，；：؟।]|(?<!\d)[!\"]|(?<![\ds])['’]|"
    r"(?<![\s,;:])[,;:]|(?<![(\[{:;=-])[)\]}]|(?<=\s)[-–—]"
)


class Sentences(NamedTuple):
    """The distinct sentences of a pair table and where they stand in it."""

    a: Array  #: code of each row's first sentence
    b: Array  #: code of each row's second sentence
    texts: pa.LargeStringArray  #: the spelling first seen of each sentence, by code
    merged: int  #: spellings that were counted as a sentence already seen


def identify(pairs: pd.DataFrame, identity: str = "text") -> Sentences:
    """Number the sentences of a pair table in order of first appearance, row by row, `text_a` first.

    Parameters
    ----------
    identity : {"text", "normal", "id"}
        ``"text"``: the exact string after Unicode NFC and stripping outer white space. ``"normal"``: also without
        regard to case, runs of white space and outer punctuation, except symbols that carry meaning (C++, $5, −5 %).
        ``"id"``: the data's own `id_a`, `id_b`.

    Raises
    ------
    PairsError
        An unknown identity, or ``"id"`` if an id is missing.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Why?", "why "], "text_b": [" Why?", "How?"]})
    >>> identify(pairs).texts.to_pylist(), identify(pairs).merged
    (['Why?', 'why ', 'How?'], 1)
    >>> identify(pairs, "normal").texts.to_pylist(), identify(pairs, "normal").merged
    (['Why?', 'How?'], 2)
    """
    a, b, spellings = _number(pairs, "text")
    if identity == "id":
        return _identify_by_id(pairs, a, b, spellings)
    keys = sentence_keys(spellings, identity)
    if keys.equals(spellings):
        return Sentences(a, b, spellings, 0)
    encoded = keys.dictionary_encode()
    sentence = encoded.indices.to_numpy(zero_copy_only=False)
    # spellings come in order of appearance: the first one stays
    _, first = np.unique(sentence, return_index=True)
    texts = spellings.take(pa.array(first))
    merged = len(spellings) - len(first)
    return Sentences(sentence[a], sentence[b], texts, merged)


def _identify_by_id(
    pairs: pd.DataFrame, a: Array, b: Array, spellings: pa.LargeStringArray
) -> Sentences:
    """Number the sentences by their ids; `a` and `b` are the spellings of each row."""
    check_ids(pairs)
    id_a, id_b, ids = _number(pairs, "id")
    spelling = np.stack([a, b], axis=1).ravel()
    sentence = np.stack([id_a, id_b], axis=1).ravel()
    _, first = np.unique(sentence, return_index=True)
    texts = spellings.take(pa.array(spelling[first]))
    # one number for each spelling of each sentence
    distinct = np.unique(sentence.astype(np.int64) * len(spellings) + spelling)
    merged = len(distinct) - len(ids)
    return Sentences(id_a, id_b, texts, merged)


def sentence_keys(spellings: pa.Array, identity: str = "text") -> pa.Array:
    """The common form of all spellings of one sentence, for identity "text" or "normal"."""
    if identity not in IDENTITIES:
        raise PairsError(f"identity {identity!r} is not one of {', '.join(map(repr, IDENTITIES))}")
    keys = pc.utf8_trim_whitespace(pc.utf8_normalize(spellings, form="NFC"))
    if identity == "normal":
        forms = list(map(_normal_form, keys.to_pylist()))
        keys = pa.array(forms, pa.large_string())
    return keys


def _normal_form(text: str) -> str:
    plain = " ".join(text.casefold().split())
    start = _BEFORE.match(plain).end()
    end = len(plain)
    while end > start and _BEHIND.match(plain, end - 1):
        end -= 1
    return plain[start:end] or plain  # "???" stays itself


def check_ids(pairs: pd.DataFrame) -> None:
    """Raise `PairsError` unless both sentences of every row have an id."""
    for name in ("id_a", "id_b"):
        if name not in pairs:
            raise PairsError(f"identity 'id' needs a column {name!r}; this pair table has none")
        ids = pairs[name]
        is_empty = (ids.isna() | (ids == "")).to_numpy()
        why = f"{name} is empty ({is_empty.sum():,} such rows); use identity='text' for these data"
        refuse(pairs, is_empty, lambda row, why=why: why)


def signs(pairs: pd.DataFrame) -> Array:
    """The sign of each row: 1 for label 1, -1 for label 0, 0 for a missing label; `PairsError` for any other."""
    label = pairs["label"]
    number = pd.to_numeric(label, errors="coerce")
    number = number.to_numpy(np.float64, na_value=np.nan)
    sign = np.zeros(len(pairs), dtype=np.int8)
    sign[number == 1] = 1
    sign[number == 0] = -1
    is_unknown = label.notna().to_numpy() & (sign == 0)
    refuse(pairs, is_unknown, lambda row: f"label '{row['label']}' is not one of 0, 1")
    return sign


def _number(pairs: pd.DataFrame, kind: str) -> tuple[Array, Array, pa.LargeStringArray]:
    """Number the strings of two columns by first appearance, row by row; and list each once.

    The columns are ``<kind>_a`` and ``<kind>_b``.
    """
    chunks = column(pairs, f"{kind}_a").chunks + column(pairs, f"{kind}_b").chunks
    strings = pa.chunked_array(chunks, pa.large_string()).dictionary_encode()
    distinct = pa.array([], pa.large_string())
    codes = np.empty(0, np.int32)
    if strings.num_chunks:
        distinct = strings.chunk(0).dictionary
        codes = np.concatenate([chunk.indices for chunk in strings.chunks])
    del strings  # makes room for what follows
    pa.default_memory_pool().release_unused()
    by_row = codes.reshape(2, -1).T.ravel()
    codes, order = pd.factorize(by_row)
    codes = codes.astype(np.int32)
    a, b = codes.reshape(-1, 2).T.copy()
    return a, b, distinct.take(pa.array(order))
