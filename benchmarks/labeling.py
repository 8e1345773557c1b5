"""The Pair Labeler in a real JupyterLab: from an answer to the frame that shows the next pair, in seconds.

A bag of words learns from 20,000 sentences of qqp_all, in whole components, with half of their labels; the oracle
presses y or n by the clusters as soon as a pair is on screen. `idle`: nothing else goes on; `training`: a round does.

python -m benchmarks.labeling qqp_all.tsv.gz    prints ``{name: [seconds, ...]}`` as JSON
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from .explorer import CLOCK, RUN, SETTLED, SHOWN, chromium
from .review import ANSWERED, PRESS

START = """
import sys
sys.path.insert(0, {root!r})
import numpy as np
import paragraph as pg
from benchmarks.saved import sentences
graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs({source!r}))
nodes = sentences(graph, {count}, 0)
cluster = dict(zip(graph.texts(nodes), graph.cluster_of[nodes].tolist()))
inside = np.isin(graph.row_a, nodes) & np.isin(graph.row_b, nodes)
labels = graph.pairs[inside].sample(frac=0.5, random_state=0)
learner = pg.Learner(list(cluster), labels=labels)
"""
KEY = "'y' if cluster[review._queue.pair[review._item][0]] == cluster[review._queue.pair[review._item][1]] else 'n'"


def measure(source: str, answers: int, count: int = 20_000) -> dict[str, list[float]]:
    from playwright.sync_api import sync_playwright

    from tests.browser.lab import Lab

    found: dict[str, list[float]] = {"idle": [], "training": []}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder) / "lab")
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        try:
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.set_default_timeout(600_000)
            log = str(Path(folder) / "labels.db")
            notebook = lab.notebook(page, [f"review = pg.PairLabeler(learner, 10_000, {log!r}, 'benchmark')\nreview"])
            code = START.format(root=str(Path(__file__).parents[1]), source=source, count=count)
            notebook.ask(f"exec({code!r}, globals())")
            page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0")
            page.evaluate(CLOCK, [RUN, SHOWN])
            notebook.idle()
            page.evaluate("document.querySelector('.pg-bench-live').scrollIntoView({ block: 'end' })")
            for _ in range(answers):
                page.wait_for_function("Number(document.querySelector('.pg-bench-live').dataset.case) > 0")
                key = notebook.ask(KEY)
                state = "training" if notebook.ask("review._rounds.busy") else "idle"
                found[state].append(page.evaluate(CLOCK, [PRESS % json.dumps([key]), ANSWERED]))
                page.wait_for_function(SETTLED)
            assert notebook.ask("len(review.decision_log.records())") == answers
        finally:
            browser.close()
            lab.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100)))
