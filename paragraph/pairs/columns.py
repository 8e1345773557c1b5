"""Columns of pairs: what they are called in files and tables, and one reading for each value."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["ROLES", "SPELLINGS", "settle"]

#: What a column with this role may be called; the first name is the canonical one.
SPELLINGS = {
    "text_a": ("text_a", "question1", "sentence1", "anchor", "questions.text.0"),
    "text_b": ("text_b", "question2", "sentence2", "positive", "questions.text.1"),
    "label": ("label", "is_duplicate", "gold_label", "choice"),
    "id": ("id", "idx"),
    "id_a": ("id_a", "qid1"),
    "id_b": ("id_b", "qid2"),
    "split": ("split",),
    "entailment": ("entailment",),
    "from_row": ("from_row",),
    "annotator": ("annotator",),
}
ROLES = tuple(SPELLINGS)


def settle(source):
    """Give each value of a `Source` one reading, whatever the way in, and each row one pair."""
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
    if negatives := [columns.pop(role) for role in [*columns] if role.startswith("negative")]:
        count, times = len(source.row), 1 + len(negatives)
        right = pa.concat_arrays([c for each in (columns["text_b"], *negatives) for c in each.chunks])
        order = np.arange(count * times).reshape(times, count).T.ravel()
        order = order[pc.greater(pc.binary_length(right), 0).to_numpy(zero_copy_only=False)[order]]
        source.row, at = source.row[order % count], pa.array(order % count)
        label = pa.array(np.where(order < count, "1", "0").astype(object), pa.large_string())
        source.columns = {role: column.take(at) for role, column in columns.items()} | {
            "text_b": pa.chunked_array([right.take(pa.array(order))]),
            "label": pa.chunked_array([label]),
        }
        source.note += f"; {count:,} rows of triplets give {len(order):,} pairs"
        source.single = False
