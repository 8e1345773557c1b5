"""The queue of conflicts: its work grows with the answers."""

import pandas as pd
import pytest

import paragraph as pg
from paragraph.decisions.queue import Queue

from ..growth import LINEAR, exponent


@pytest.mark.long
def test_answers_in_one_star_are_read_in_linear_time(memory):
    sizes, work = (500, 8000), {}
    for n in sizes:
        rows = [("hub", f"leaf {i}", 1) for i in range(n + 1)] + [(f"leaf {i}", f"leaf {i + 1}", 0) for i in range(n)]
        graph = pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
        log = pg.DecisionLog(memory / f"{n}.db", "Ada")
        about = [{"about": [(f"leaf {i}", f"leaf {i + 1}")], "same": 0} for i in range(0, n, 2)]
        cuts = [{"text_a": "hub", "text_b": one["about"][0][0], "stated": 1} | one for one in about]
        pairs = [dict(zip(("text_a", "text_b"), one["about"][0], strict=True)) | one for one in about]
        work[n] = Queue(graph), log.give(pairs + cuts)

    def read(n):
        queue, answers = work[n]
        queue.read(answers)
        states = queue.progress()
        assert states["decided"] == n // 2 and states["open"] <= 1
        queue.read([])
        assert queue.progress()["open"] == n

    assert exponent(read, *sizes) < LINEAR
