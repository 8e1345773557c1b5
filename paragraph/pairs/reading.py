"""Tables of labelled sentence pairs: read and checked, and written.

A *pair table* is a DataFrame with the columns

======================== ======= =====================================================================
``text_a``, ``text_b``   str     the sentences, exactly as the source gives them
``label``                Int8    1 paraphrase, 0 not, <NA> unlabelled (only where the caller allowed it)
``row``                  int64   where the row stands in its source: spreadsheet row or line of a file,
                                 so that the first row under a header is 2; else position from 1
``id``, ``id_a``,        str     where the source has them; empty where it leaves them out
``id_b``, ``split``
======================== ======= =====================================================================

``pairs.attrs["report"]`` says what was read: ``source``, ``format``, ``rows`` (records in the source),
``kept``, ``skipped`` (a list of ``{"row", "value", "why"}``) and ``notes`` (sentences). Always
rows = kept + len(skipped).
"""

import json
import re
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from .delimited import DelimitedWriter, quote_fields
from .errors import PairsError
from .formats import FORMATS, KINDS, ROLES
from .labels import sign_of
from .repeats import count_repeats
from .sources import open_source

__all__ = ["PairsError", "ReadWarning", "read_pairs", "write_pairs"]

WRITTEN = ["question1", "question2", "is_duplicate"]


class ReadWarning(UserWarning):
    """Something was left out while pairs were read; the message says what."""


class Report(dict):
    """A plain dict, except that copies of a table share it: pandas copies `attrs` deeply at every step."""

    def __deepcopy__(self, memo):
        return self


def read_pairs(
    source,
    format="auto",
    *,
    columns=None,
    labels=None,
    unlabelled="error",
    on_error=None,
    quoting=None,
    encoding="utf-8",
):
    """A checked pair table from a file, a DataFrame or a `datasets.Dataset`.

    Parameters
    ----------
    source : str, Path, pandas.DataFrame or datasets.Dataset
        CSV, TSV, JSON Lines or Parquet; gzip-compressed or not.
    format : str
        ``"auto"`` looks at header and content. Official releases: ``"qqp"`` (Quora's own, CSV-quoted tabs),
        ``"qqp-kaggle"`` (train.csv), ``"qqp-glue"`` (the same header, no quoting), ``"mrpc"``, ``"paws"``,
        ``"sick"``, ``"jsick"``, ``"mqp"``, ``"wikiqa"``. Anyone's files: ``"tsv"``, ``"csv"``, ``"jsonl"``,
        ``"parquet"``, and ``"paragraph"`` for what `write_pairs` wrote.
    columns : dict, optional
        Column names for ``text_a``, ``text_b``, ``label`` and, if wanted, ``id``, ``id_a``, ``id_b``,
        ``split``. Whole numbers count columns from 0 in a file without a header.
    labels : dict or (low, high), optional
        What labels mean: ``{"yes": 1, "no": 0, "?": None}``, or two thresholds for graded ones: `high` or
        more is positive, below `low` negative, the rest without a sign. Default: the format's own, else 1, 0.
    unlabelled : {"error", "keep", "skip"}
        Rows with an empty label are an error, kept with label <NA>, or skipped. Rows that `labels` leaves
        without a sign are kept by ``"keep"`` and skipped otherwise.
    on_error : {"error", "skip"}, optional
        Whether a row with an empty text, an unknown label, too few fields and the like is an error, or is
        skipped and listed in the report. Default: skipped in official releases, an error elsewhere.
    quoting : bool, optional
        Whether quotes enclose fields, where the format leaves that open.
    encoding : str

    Returns
    -------
    DataFrame
        See the module's description. ``attrs["bipartite"]`` is True where the two sides are different things.

    Raises
    ------
    PairsError
        If the source cannot be read as pairs, naming file, row and value.

    Warns
    -----
    ReadWarning
        Once, if rows were skipped or look wrong.

    Notes
    -----
    Rows whose texts and label are all empty are always skipped. Self-pairs and repeated rows are kept, and
    counted in the notes. Nothing is done to the texts: which spellings are one sentence is for
    `ParaphraseGraph` to say.

    Examples
    --------
    >>> frame = pd.DataFrame({"q1": ["How far is it?"], "q2": ["What is the distance?"], "same": ["yes"]})
    >>> pairs = read_pairs(
    ...     frame, columns={"text_a": "q1", "text_b": "q2", "label": "same"}, labels={"yes": 1, "no": 0}
    ... )
    >>> pairs.label.tolist()
    [1]
    """
    _check_options(format, columns, unlabelled, on_error)
    found = open_source(source, format, columns, quoting, encoding)
    sign = sign_of(found.fmt.labels if labels is None else labels)
    if "label" not in found.columns and unlabelled != "keep":
        raise PairsError(f'{found.name}: there is no label column; name one, or say unlabelled="keep"')
    state, why_outside = _states(found, sign)
    keep, skipped, faults = _sift(found, state, why_outside, unlabelled)
    if faults and (on_error or ("skip" if found.fmt.official else "error")) == "error":
        row, _, why = min(faults)
        more = f" (and {len(faults) - 1:,} more such rows)" if len(faults) > 1 else ""
        raise PairsError(f'{found.name}, row {row}: {why}{more}; on_error="skip" leaves such rows out')
    if faults and not keep.any():
        row, _, why = min(faults)
        raise PairsError(f"{found.name}: none of {len(faults):,} rows can be read; row {row}: {why}")
    pairs = _table(found, keep, state)
    odd = _swallowed(pairs, found, sign)
    skipped = sorted(skipped + faults)
    notes = [*found.notes, *_notes(pairs)]
    pairs.attrs["report"] = Report(
        source=found.name,
        path=str(source) if isinstance(source, str | Path) else None,
        format=found.fmt.name,
        rows=len(found.row) + len(found.bad),
        kept=len(pairs),
        skipped=[{"row": row, "value": value, "why": why} for row, value, why in skipped],
        notes=notes + odd,
    )
    if found.fmt.bipartite:
        pairs.attrs["bipartite"] = True
    warned = [*_summary(skipped), *odd] + (["no rows"] if not len(found.row) + len(found.bad) else [])
    if warned:
        warnings.warn(f"{found.name}: {'; '.join(warned)}", ReadWarning, stacklevel=2)
    return pairs


def _check_options(format, columns, unlabelled, on_error):
    known = ["auto", *FORMATS, *KINDS]
    if format not in known:
        raise PairsError(f"format {format!r} is not one of {', '.join(known)}")
    if unlabelled not in ("error", "keep", "skip"):
        raise PairsError(f"unlabelled={unlabelled!r} is not one of 'error', 'keep', 'skip'")
    if on_error not in (None, "error", "skip"):
        raise PairsError(f"on_error={on_error!r} is not one of 'error', 'skip'")
    for role, column in (columns or {}).items():
        if role not in ROLES or not isinstance(column, str | int):
            raise PairsError(f"columns: {role!r}: {column!r}; the keys are {', '.join(ROLES)}, the values columns")


# Beside the signs 1 and 0, what a label can come to
EMPTY, NO_SIGN, OUTSIDE = 2, 3, 4


def _states(found, sign):
    """A sign, EMPTY, NO_SIGN or OUTSIDE for each row (int8), and {label: why} for those outside."""
    if "label" not in found.columns:
        return np.full(len(found.row), EMPTY, np.int8), {}
    state, why = _states_of(found.columns["label"], sign)
    if "otherwise" in found.columns:
        second, more = _states_of(found.columns["otherwise"], sign_of(found.fmt.otherwise[1]))
        state, why = np.where(state == EMPTY, second, state), why | more
    return state, why


def _states_of(labels, sign):
    coded = labels.combine_chunks().dictionary_encode()
    why, states = {}, []
    for label in coded.dictionary.to_pylist():
        try:
            found = sign(label)
            states.append(NO_SIGN if found is None else found)
        except ValueError as error:
            states.append(OUTSIDE if label.strip() else EMPTY)
            why[label] = str(error)
    return np.array(states, np.int8)[coded.indices.to_numpy()], why


def _sift(found, state, why_outside, unlabelled):
    """Which rows to keep (bool), and (row, value, why) for those skipped in any case and for the faulty."""
    keep = np.ones(len(found.row), bool)
    skipped, faults = [], list(found.bad)

    def drop(mask, into, value, why):
        for i in np.flatnonzero(mask & keep).tolist():
            shown = (value(i) if callable(value) else value[i].as_py()).replace("\0", "\\0")[:80]
            into.append((int(found.row[i]), shown, why(i) if callable(why) else why))
        np.logical_and(keep, ~mask, out=keep)

    def label(i):
        values = (found.columns[role][i].as_py() for role in ("label", "otherwise") if role in found.columns)
        return next(filter(str.strip, values), "")

    text = {role: found.columns[role] for role in ("text_a", "text_b")}
    name = found.fmt.columns
    empty = {role: _blank(column) for role, column in text.items()}
    drop(empty["text_a"] & empty["text_b"] & (state == EMPTY), skipped, label, "blank row")
    for role, column in text.items():
        what = name[role] if isinstance(name[role], str) and name[role] else role
        drop(empty[role], faults, column, f"{what} is empty")
        if found.may_hold_nul:
            drop(pc.match_substring(column, "\0").to_numpy(), faults, column, "NUL byte in the text")
    drop(state == OUTSIDE, faults, label, lambda i: why_outside[label(i)])
    if unlabelled != "keep":
        drop(state == NO_SIGN, skipped, label, lambda i: f"label {label(i)!r} gives no sign")
        into = skipped if unlabelled == "skip" else faults
        drop(state == EMPTY, into, label, "no label")
    return keep, skipped, faults


def _blank(column):
    """Which texts are empty or all white space."""
    return pc.or_(pc.utf8_is_space(column), pc.equal(pc.binary_length(column), 0)).to_numpy()


def _table(found, keep, state):
    whole = keep.all()
    columns = {}
    for role in ROLES:
        if role == "label":
            kept = state if whole else state[keep]
            columns["label"] = pd.arrays.IntegerArray(np.where(kept > 1, 0, kept).astype(np.int8), kept > 1)
            columns["row"] = found.row if whole else found.row[keep]
        elif role in found.columns:
            texts = found.columns[role] if whole else found.columns[role].filter(pa.array(keep))
            columns[role] = pd.arrays.ArrowStringArray(texts, dtype=pd.StringDtype("pyarrow", np.nan))
    return pd.DataFrame(columns, copy=False)


def _arrow(column):
    """A text column of a pair table as a pyarrow.ChunkedArray of large_string."""
    array = pa.array(column, from_pandas=True)
    array = pa.chunked_array([array]) if isinstance(array, pa.Array) else array
    return array.cast(pa.large_string())


def _notes(pairs):
    """What is kept but worth knowing, in words."""
    a, b = _arrow(pairs["text_a"]), _arrow(pairs["text_b"])
    selves = pc.sum(pc.equal(a, b)).as_py() or 0
    repeats = count_repeats([a, b], pairs["label"].to_numpy(np.int8, na_value=2))
    notes = []
    if selves:
        notes.append(f"{_count(selves, 'row pairs', 'rows pair')} a text with itself; kept")
    if repeats:
        notes.append(f"{_count(repeats, 'row repeats', 'rows repeat')} an earlier one, label included; kept")
    return notes


def _count(n, one, many):
    return f"{n:,} {one if n == 1 else many}"


def _summary(skipped):
    """The skipped rows in words: how many for each reason, values aside."""
    kinds = Counter(re.sub(r"'.*'|\d+", "…", why) for _, _, why in skipped)
    if not kinds:
        return []
    total = _count(len(skipped), "row", "rows")
    return [f"{total} skipped ({'; '.join(f'{n:,}: {why}' for why, n in kinds.most_common(5))})"]


def _swallowed(pairs, found, sign):
    """A warning if a quoted text seems to have run on over the end of its row, because of a stray quote.

    Then its first line is the rest of a row: it has as many fields as are left of one, and in the label's
    place a label.
    """
    place = found.positions
    if not place or "label" not in place or not len(pairs):
        return []
    rows = []
    for role in ("text_a", "text_b"):
        left, ahead = found.width - place[role], place["label"] - place[role]
        with_line_end = pc.match_substring(_arrow(pairs[role]), "\n").to_numpy()
        for i in np.flatnonzero(with_line_end).tolist():
            line = pairs[role].iloc[i].split("\n")[0].removesuffix("\r")
            fields = line.split(found.delimiter)
            if 0 < ahead < len(fields) == left and _is_label(fields[ahead], sign):
                rows.append(int(pairs["row"].iloc[i]))
    return [f"row {row} seems to run on into the next, after a stray quote" for row in sorted(set(rows))]


def _is_label(text, sign):
    try:
        sign(text)
    except ValueError:
        return False
    return True


# ---------------------------------------------------------------- writing


def write_pairs(pairs, path):
    """Write a pair table, so that `read_pairs` gives the same texts and labels back.

    Parameters
    ----------
    pairs : DataFrame
        With `text_a`, `text_b`, `label`; <NA> becomes an empty label (read it with ``unlabelled="keep"``).
    path : str or Path
        The ending says how: ``.tsv``, ``.csv``, ``.jsonl`` or ``.parquet``, each with ``.gz`` after it or
        not. Columns are ``question1``, ``question2``, ``is_duplicate``; UTF-8, LF line ends, CSV quotes where
        a text needs them.

    Raises
    ------
    PairsError
        If a column is missing, or a text is one that `read_pairs` would refuse: empty, not text, with a NUL
        character or half a surrogate pair.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "pairs.tsv"
    >>> write_pairs(pd.DataFrame({"text_a": ["How?"], "text_b": ["In what way?"], "label": [1]}), path)
    >>> path.read_text()
    'question1\\tquestion2\\tis_duplicate\\nHow?\\tIn what way?\\t1\\n'
    """
    path = Path(path)
    kind = Path(path.name.removesuffix(".gz")).suffix
    if kind not in (".tsv", ".csv", ".jsonl", ".parquet"):
        raise PairsError(f"{path.name} must end in .tsv, .csv, .jsonl or .parquet (or that and .gz)")
    table = _writable(pairs)
    if kind == ".parquet":
        import pyarrow.parquet as pq

        with pa.output_stream(str(path)) as stream:  # compressed if the name says so
            pq.write_table(table, stream, write_page_checksum=True)
    elif kind == ".jsonl":
        with pa.output_stream(str(path)) as stream:
            for batch in table.to_batches(max_chunksize=1 << 14):
                for record in batch.to_pylist():
                    stream.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    else:
        mark = "," if kind == ".csv" else "\t"
        with DelimitedWriter(path, WRITTEN, mark) as writer:
            for batch in table.to_batches(max_chunksize=1 << 16):
                a, b, label = batch.columns
                writer.write([quote_fields(a, mark), quote_fields(b, mark), label.cast(pa.large_string())])


def _writable(pairs):
    """The pairs as an Arrow table with the columns that are written."""
    missing = [column for column in ("text_a", "text_b", "label") if column not in pairs]
    if missing:
        raise PairsError(f"a pair table has text_a, text_b and label; here {', '.join(missing)} is missing")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadWarning)
        checked = read_pairs(
            pairs[["text_a", "text_b", "label"]],
            columns={role: role for role in ("text_a", "text_b", "label")},
            unlabelled="keep",
            on_error="error",
        )
    if len(checked) != len(pairs):
        row = checked.attrs["report"]["skipped"][0]["row"]
        raise PairsError(f"row {row} of the pair table is blank")
    return pa.table([_arrow(checked["text_a"]), _arrow(checked["text_b"]), pa.array(checked["label"])], WRITTEN)
