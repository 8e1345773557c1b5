"""Rows of texts that repeat an earlier row, counted without hashing what need not be hashed."""

import numpy as np
import pyarrow as pa

__all__ = ["count_repeats"]

ODD = np.uint64(0x9E3779B97F4A7C15)
REACH = 4096  # bytes from a text's start after which only its last eight count, until rows are compared in full


def count_repeats(columns, label):
    """How many rows have the same texts and the same label as an earlier row.

    A hash table of all texts would take longer than reading them. So rows are first told apart by a glance at each
    text: its length and its first, middle and last eight bytes. Those left alike are told apart by every eight
    bytes, and those still alike, which are repeats but for an accident, are compared in full.

    Parameters
    ----------
    columns : list of pyarrow.ChunkedArray of large_string
    label : array (n,) of int
    """
    rows = np.arange(len(label))
    for mix in (_glance, _read):
        key = label[rows].astype(np.uint64)
        for column in columns:
            _mix(key, column, rows, mix)
        rows = rows[_shared(key)]
        if not len(rows):
            return 0
    alike = pa.table(
        [*(column.take(rows) for column in columns), label[rows]], [*map(str, range(len(columns))), "label"]
    )
    return len(rows) - alike.group_by(alike.column_names).aggregate([]).num_rows


def _shared(key):
    """Positions of the keys that occur more than once, and of few others."""
    ordered = np.sort(key)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    bits = max(16, len(key).bit_length() + 2)  # of a key, by which it is told from those in `twice`
    slots = np.zeros(1 << bits, bool)
    slots[twice >> np.uint64(64 - bits)] = True
    return np.flatnonzero(slots[key >> np.uint64(64 - bits)])


def _mix(key, column, rows, mix):
    """Work the texts at `rows` (increasing) into their keys (uint64), chunk by chunk, in place."""
    first = 0
    for chunk in column.chunks:
        low, high = np.searchsorted(rows, [first, first + len(chunk)])
        ends = np.frombuffer(chunk.buffers()[1], np.int64)[chunk.offset : chunk.offset + len(chunk) + 1]
        at = slice(None) if high - low == len(chunk) else rows[low:high] - first
        data = chunk.buffers()[2] or b""
        data = data if len(data) >= 8 else bytes(data).ljust(8, b"\0")
        words = np.ndarray((len(data) - 7,), np.uint64, data, strides=(1,))  # the eight bytes from each byte on
        mix(key[low:high], words, ends[:-1][at], ends[1:][at])
        first += len(chunk)


def _glance(key, words, start, end):
    length = end - start
    short = length < 8
    shorts = short.any()
    for at in (start, (start + end - 8) >> 1, end - 8):
        key += length.view(np.uint64)
        key *= ODD
        key += np.where(short, 0, words[np.clip(at, 0, len(words) - 1)]) if shorts else words[at]
    if shorts:
        key += _short(words, start, np.where(short, length, 0))


def _read(key, words, start, end):
    length = end - start
    _glance(key, words, start, end)
    for offset in range(8, min(int(length.max(initial=0)), REACH), 8):
        long = np.flatnonzero(length > offset)
        key[long] = key[long] * ODD + words[np.minimum(start[long] + offset, end[long] - 8)]


def _short(words, start, length):
    """The bytes of texts shorter than eight, as one number."""
    base = np.minimum(start, len(words) - 1)
    bits = (8 * (start - base)).astype(np.uint64)
    mask = (np.uint64(1) << (8 * length).astype(np.uint64)) - np.uint64(1)
    return (words[base] >> bits) & mask
