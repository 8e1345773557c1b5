"""One reading for each value of a source, and one pair for each row, also of triplets and sets."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..files.errors import PairsError
from .tables import FURTHER

__all__ = ["settle"]

#: What stands for no set at all; DBSCAN calls noise −1.
NO_SET = {"-1", "-1.0", "NA", "N/A", "nan", "NaN", "None", "null"}


def settle(source):
    """Give each value of a `Source` one reading, whatever its format, and each row one pair."""
    columns = source.columns
    for role, column in columns.items():
        # pandas writes 1 as 1.0 beside a missing one
        if role.startswith("id") and pc.any(pc.ends_with(column, ".0")).as_py():
            columns[role] = pc.replace_substring_regex(column, r"^(-?\d+)\.0+$", r"\1")
        elif role.startswith("text") and pc.any(pc.starts_with(column, "\ufeff")).as_py():
            columns[role] = pc.utf8_ltrim(column, "\ufeff")
    for side in "ab":
        if (dataset := columns.pop(f"source_{side}", None)) is not None:
            for role in {f"text_{side}", f"id_{side}"} & {*columns}:
                mark = pa.scalar("-__-", pa.large_string())
                columns[role] = pc.binary_join_element_wise(dataset, columns[role], mark)
    if further := {role: columns.pop(role) for role in [*columns] if FURTHER.fullmatch(role) and role != "label"}:
        _further(source, further)
    elif "set" in columns:
        _sets(source)


def _rearrange(source, at, told, **changed):
    """Take some rows of a `Source`, by their places, and columns that are changed; a note tells of it."""
    source.note += f"; {len(source.row):,} rows {told} give {len(at):,} pairs"
    source.row, source.single = source.row[at], False
    source.columns = {role: column.take(pa.array(at)) for role, column in source.columns.items()} | changed


def _further(source, further):
    """The pairs of each row: with the label of each person, or of its first text with each other one."""
    count, roles = len(source.row), [*further]
    role = "label" if roles[0].startswith("label") else "text_b"
    values = pa.concat_arrays([c for each in (source.columns[role], *further.values()) for c in each.chunks])
    order = np.arange(len(values)).reshape(-1, count).T.ravel()
    there = pc.greater(pc.binary_length(values), 0).to_numpy(zero_copy_only=False)
    if role == "label":  # a row that nobody labelled stays, to be counted as such
        there[:count] |= ~there.reshape(-1, count).any(axis=0)
    order = order[there[order]]
    if role == "label":
        names = np.array([str(source.layout.roles[role]) for role in ("label", *roles)], object)
        more = {"annotator": pa.chunked_array([pa.array(names[order // count], pa.large_string())])}
    else:
        more = {"label": _labels(order // count == 0)}
    more[role] = pa.chunked_array([values.take(pa.array(order))])
    _rearrange(source, order % count, "of several", **more)
    for name, part in zip(roles, np.split(there, len(there) // max(count, 1))[1:], strict=False):
        source.note += f"; {(~part).sum():,} rows have no {source.layout.roles[name]}" * (not part.all())


def _sets(source):
    """The pairs of the first text of each set with the others."""
    ids, texts = source.columns.pop("set").combine_chunks(), source.columns["text_a"]
    codes = ids.dictionary_encode().indices.to_numpy()
    if none := NO_SET & {*ids.unique().to_pylist()}:
        what = f"set {min(none)!r} may mean that a text is in none; leave those rows out, or give the set a name"
        raise PairsError(f"{source.name}: {what}")
    first = np.unique(codes, return_index=True)[1][codes]
    at = np.flatnonzero((first < np.arange(len(codes))) & (pc.binary_length(ids).to_numpy() > 0))
    left, right = texts.take(pa.array(first[at])), texts.take(pa.array(at))
    _rearrange(source, at, "of sets", text_a=left, text_b=right, label=_labels(at >= 0))


def _labels(positive):
    return pa.chunked_array([pa.array(np.where(positive, "1", "0").astype(object), pa.large_string())])
