"""The bare floor: file to the four datasets with nothing but pyarrow, numpy and scipy.

No checks and no evidence. Right only where no pair repeats, no label is missing and every sentence is spelled
one way, as in Quora's data.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

HEADER = ["question1", "question2", "is_duplicate"]


def main(source: str, folder: str) -> None:
    table = csv.read_csv(
        source,
        parse_options=csv.ParseOptions(delimiter="\t", newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            include_columns=HEADER,
            column_types={
                "question1": pa.string(),
                "question2": pa.string(),
                "is_duplicate": pa.int8(),
            },
        ),
    )
    both = pa.chunked_array(table["question1"].chunks + table["question2"].chunks).combine_chunks()
    encoded = both.dictionary_encode()
    texts, codes = encoded.dictionary, encoded.indices.to_numpy()
    a, b, n = codes[: len(table)], codes[len(table) :], len(texts)
    label = table["is_duplicate"].to_numpy()

    edge = a != b
    positive = edge & (label == 1)
    _, cluster = connected_components(
        coo_array((np.ones(positive.sum()), (a[positive], b[positive])), (n, n)), False
    )
    sizes = np.bincount(cluster)
    members = np.argsort(cluster, kind="stable")
    starts = np.cumsum(sizes) - sizes
    within = edge & (label == 0) & (cluster[a] == cluster[b])

    new_a, new_b = [], []
    for size in np.unique(sizes[sizes > 1]):
        inside = members[starts[sizes == size][:, None] + np.arange(size)]
        i, j = np.triu_indices(size, 1)
        new_a.append(inside[:, i].ravel())
        new_b.append(inside[:, j].ravel())
    n_positive = sum(map(len, new_a))
    across = edge & (label == 0) & (cluster[a] != cluster[b])
    x, y = cluster[a[across]], cluster[b[across]]
    link = np.unique(np.minimum(x, y).astype(np.int64) * n + np.maximum(x, y))
    x, y = link // n, link % n
    width = sizes[x] * sizes[y]
    at = np.arange(width.sum()) - np.repeat(np.cumsum(width) - width, width)
    x, y = np.repeat(x, width), np.repeat(y, width)
    new_a.append(members[starts[x] + at // sizes[y]])
    new_b.append(members[starts[y] + at % sizes[y]])
    new_a, new_b = np.concatenate(new_a), np.concatenate(new_b)
    new_label = (np.arange(len(new_a)) < n_positive).astype(np.int8)

    def key(p, q):
        return np.minimum(p, q).astype(np.int64) * n + np.maximum(p, q)

    fresh = ~np.isin(key(new_a, new_b), key(a[edge], b[edge]))
    out_a = texts.take(pa.array(np.concatenate([a[edge], new_a[fresh]])))
    out_b = texts.take(pa.array(np.concatenate([b[edge], new_b[fresh]])))
    tail = new_label[fresh]

    options = csv.WriteOptions(delimiter="\t")
    flipped = np.where(within, 1, label)
    for name, columns in {
        "original": [table["question1"], table["question2"], pa.array(label)],
        "original_flipped": [table["question1"], table["question2"], pa.array(flipped)],
        "augmented": [out_a, out_b, pa.array(np.concatenate([label[edge], tail]))],
        "augmented_flipped": [out_a, out_b, pa.array(np.concatenate([flipped[edge], tail]))],
    }.items():
        csv.write_csv(pa.table(columns, names=HEADER), Path(folder) / f"{name}.tsv", options)


if __name__ == "__main__":
    main(*sys.argv[1:])
