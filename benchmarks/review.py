"""The Conflict Review in a real JupyterLab: from a decision to the frame that shows the next pair, in seconds.

All of qqp_all is loaded, with 2 % of its labels turned; every third decision is a cut, the others flip or keep. Each
is made as soon as the pair is on screen, which leaves the kernel no time to prepare the next.

python -m benchmarks.review qqp_all.tsv.gz    prints ``{name: [seconds, ...]}`` as JSON
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from .explorer import CLOCK, RUN, SETTLED, SHOWN, chromium

START = """
import numpy as np
import paragraph as pg
pairs = pg.read_pairs({source!r})
label = pairs["label"].to_numpy(float)
wrong = np.random.default_rng(0).choice(len(label), len(label) // 50, replace=False)
label[wrong] = 1 - label[wrong]
pairs["label"] = label.astype(int)
graph = pg.ParaphraseGraph.from_pairs(pairs)
"""

PRESS = "for (const key of %s) root.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))"
ANSWERED = "return Number(root.dataset.answered) >= Number(root.dataset.asked)"


def measure(source: str, decisions: int) -> dict[str, list[float]]:
    from playwright.sync_api import sync_playwright

    from tests.browser.lab import Lab

    found: dict[str, list[float]] = {"decide": [], "undo": []}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder) / "lab")
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        try:
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            log = str(Path(folder) / "decisions.db")
            notebook = lab.notebook(page, [f"review = pg.ConflictReview(graph, {log!r}, 'benchmark')\nreview"])
            notebook.ask(f"exec({START.format(source=source)!r}, globals())")

            def clock(act: str, done: str) -> float:
                seconds = page.evaluate(CLOCK, [act, done])
                page.wait_for_function(SETTLED)
                return seconds

            page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0")
            found["first picture"] = [clock(RUN, SHOWN)]
            notebook.idle()
            page.evaluate("document.querySelector('.pg-bench-live').scrollIntoView({ block: 'end' })")
            for i in range(decisions):
                keys = ["c", "1"] if i % 3 == 0 else ["k" if i % 3 == 1 else "f"]
                found["decide"].append(clock(PRESS % json.dumps(keys), ANSWERED))
            for _ in range(min(10, decisions)):
                found["undo"].append(clock(PRESS % '["u"]', ANSWERED))
            assert notebook.ask("len(review.decision_log.records())") == decisions + min(10, decisions)
        finally:
            browser.close()
            lab.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50)))
