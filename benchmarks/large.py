"""A million pairs in memory: seconds until a review shows its first conflict, and to save the Explorer as a page.

python -m benchmarks.large 1000000    prints them as JSON
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

from .scale import pairs, sentences

INSIDE = 0.25  #: of the negatives of `scale`, so many pair two of one group: a hundredth of all pairs is in conflict


def table(n: int) -> pd.DataFrame:
    """The pairs of `scale`, with conflicts."""
    a, b, label = map(np.concatenate, zip(*pairs(n), strict=True))
    rng = np.random.default_rng(1)
    inside = (label == 0) & (rng.random(n) < INSIDE)
    b = np.where(inside, a - a % 50 + rng.integers(0, 50, n), b)
    texts = (pd.Series(sentences(codes).to_pylist(), dtype="str") for codes in (a, b))
    return pd.DataFrame(dict(zip(("text_a", "text_b"), texts, strict=True)) | {"label": label})


def main(n: int) -> None:
    import paragraph as pg

    graph, found = pg.ParaphraseGraph.from_pairs(pg.read_pairs(table(n))), {}

    def took(name: str) -> None:
        nonlocal began
        found[name], began = time.perf_counter() - began, time.perf_counter()

    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        review = pg.ConflictReview(graph, Path(folder) / "log.db", reviewer="Ada")
        review._twin_bundle()
        took(f"review, {len(review.queue):,} conflicts: first picture")
        explorer = pg.Explorer(graph)
        took("Explorer: first picture")
        explorer.save(Path(folder) / "page.html")
        took("Explorer: save")
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
