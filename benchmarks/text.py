"""Make a file of labelled pairs of 60-byte sentences: ``python -m benchmarks.text PAIRS OUT.tsv``."""

import sys

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paragraph.pairs.writing import DelimitedWriter

from .growth import codes


def main(pairs: str, path: str) -> None:
    a, b, sign, n = codes(int(pairs))
    # 60 bytes: a number nobody else has, and words around it.
    number = pc.utf8_lpad(pa.array(np.arange(n)).cast(pa.large_string()), 9, "0")
    before, after, nothing = (
        pa.scalar(part, pa.large_string()) for part in ("How long does it take to learn chapter ", " by heart ??", "")
    )
    texts = pc.binary_join_element_wise(before, number, after, nothing)
    labels = pa.array(["0", "1"]).take(pa.array((sign > 0).astype(np.int8)))
    with DelimitedWriter(path, ["question1", "question2", "is_duplicate"]) as out:
        for start in range(0, len(a), 1_000_000):
            part = slice(start, start + 1_000_000)
            out.write([texts.take(pa.array(a[part])), texts.take(pa.array(b[part])), labels[part]])


if __name__ == "__main__":
    main(*sys.argv[1:])
