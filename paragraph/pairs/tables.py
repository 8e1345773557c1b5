"""The columns of tables: DataFrames, Datasets, objects of JSON Lines and Parquet files."""

from dataclasses import replace

import numpy as np
import pyarrow as pa

from .columns import RawColumns
from .errors import PairsError, excerpt
from .meanings import label_text
from .opening import parquet_errors

__all__ = ["parquet_batches", "table_columns"]


def table_columns(source, fmt):
    """The `RawColumns` of an `Opened` source that is not delimited."""
    content = source.content
    if source.kind == "parquet":
        return next(parquet_batches(source, fmt))
    if source.kind == "records":
        row = [place for place, _ in content]
        content = {column: [record.get(column) for _, record in content] for column in fmt.columns.values()}
    else:
        texts = fmt.columns["text_a"], fmt.columns["text_b"]
        # The rows of a pair table keep their places
        own = texts == ("text_a", "text_b") and source.kind == "dataframe" and "row" in content
        own = own and content["row"].dtype == np.int64
        row = content["row"] if own else np.arange(1, len(content) + 1)
    return _as_text(source, fmt, content, row)


def parquet_batches(source, fmt, roles=None, size=None, groups=None):
    """`RawColumns` for every so many rows of a Parquet file, which need not fit into memory, or one for all.

    With `roles`, only these are read, and whole numbers are taken for texts as well: the ids of records. With
    `groups`, a range, only these row groups.
    """
    file = source.content
    with parquet_errors(source.name):
        row = 1 + sum(file.metadata.row_group(i).num_rows for i in range(groups.start if groups else 0))
        if roles:
            fmt = replace(fmt, columns={role: column for role, column in fmt.columns.items() if role in roles})
        needed = list(fmt.columns.values())
        # A dot would be taken for a path into a nested column
        needed = None if any("." in column for column in needed) else needed
        some = file.iter_batches(size, groups, columns=needed) if size and file.metadata.num_rows else ()
        for table in map(pa.table, some or [file.read(columns=needed)]):
            table.validate(full=True)
            yield _as_text(source, fmt, table, np.arange(row, row + len(table)), ids=bool(roles))
            row += len(table)


def _as_text(source, fmt, table, row, ids=False):
    """`RawColumns` of the columns of a table; with `ids`, texts may be whole numbers."""
    row, arrays, faults, bad = np.array(row, np.int64), {}, {}, source.bad
    for role, column in fmt.columns.items():
        values = table[column]
        if column in source.classes and role == "label":
            names, values = source.classes[column], getattr(values, "to_pylist", lambda given=values: given)()
            values = [names[i] if isinstance(i, int) and 0 <= i < len(names) else i for i in values]
        arrays[role], wrong = _strings(values, role, f"{source.name}: column {column!r}", ids)
        faults = wrong | faults
    if faults:
        bad = sorted([*bad, *((int(row[i]), *fault) for i, fault in faults.items())])
        good = np.isin(np.arange(len(row)), list(faults), invert=True)
        arrays, row = {role: array.filter(pa.array(good)) for role, array in arrays.items()}, row[good]
    note = f"read as {fmt.name}" + " (JSON)" * (source.kind == "records")
    return RawColumns(source.name, fmt, arrays, row, bad, note, lines=source.lines)


def _strings(values, role, where, ids):
    """Convert a list or a column to (large_string array without nulls, {position: (value, why)})."""
    numbers = not role.startswith("text")
    try:
        array = values if isinstance(values, pa.ChunkedArray) else pa.array(values, from_pandas=True)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):  # a mixture, or half a surrogate pair
        texts, faults = [], {}
        for i, value in enumerate(values):
            try:
                texts.append(_text(value, role, numbers))
            except ValueError as error:
                texts.append("")
                faults[i] = excerpt(repr(value).encode("utf-8", "backslashreplace")), str(error)
        return pa.chunked_array([texts], pa.large_string()), faults
    array, of = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array]), pa.types
    if of.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if numbers and of.is_boolean(array.type):
        array = array.cast(pa.int8())
    kind = array.type
    number = of.is_integer(kind) or (numbers and (of.is_floating(kind) or of.is_decimal(kind)))
    if str(kind) not in ("string", "large_string", "string_view", "null") and not (number and (numbers or ids)):
        raise PairsError(f"{where} holds {kind}, not text")
    return array.cast(pa.large_string()).fill_null(""), {}


def _text(value, role, numbers):
    """Convert one value to text, a missing one to the empty text; ValueError says what is wrong."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{role} holds half a surrogate pair, which no file can hold") from None
        return value
    missing = value is None or value != value
    if not missing and not (numbers and isinstance(value, bool | int | float)):
        raise ValueError(f"{role} is {excerpt(repr(value).encode('utf-8', 'replace'))}, not text")
    return label_text(value)
