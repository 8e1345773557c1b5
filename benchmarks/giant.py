"""One positive cluster of 50,000 sentences: counted, its first ten million labels streamed; prints JSON."""

import json
import time

import numpy as np

from paragraph.graph import ParaphraseGraph
from paragraph.graph.inference import infer

SENTENCES, STREAMED, BATCH = 50_000, 10_000_000, 1_000_000


def main() -> None:
    rng = np.random.default_rng(0)
    earlier = (rng.random(SENTENCES - 1) * np.arange(1, SENTENCES)).astype(np.int64)  # a random tree …
    a = np.concatenate([np.arange(1, SENTENCES), rng.integers(0, SENTENCES, SENTENCES)])
    b = np.concatenate([earlier, rng.integers(0, SENTENCES, SENTENCES)])  # … and as many pairs again
    graph = ParaphraseGraph(a, b, np.ones(len(a), dtype=np.int8), SENTENCES)
    began = time.perf_counter()
    counts = infer(graph).counts()
    counted = time.perf_counter() - began

    batches = infer(graph).batches(BATCH)
    began = time.perf_counter()
    done, rates = len(next(batches).a), []
    first = time.perf_counter() - began  # this one lays the positions out
    began = time.perf_counter()
    for batch in batches:
        done += len(batch.a)
        now = time.perf_counter()
        rates.append(len(batch.a) / (now - began))
        began = now
        if done >= STREAMED:
            break
    print(
        json.dumps(
            {
                "counted": counted,
                "positive": counts["positive"],
                "first": first,
                "streamed": done,
                "rates": rates,
            }
        )
    )


if __name__ == "__main__":
    main()
