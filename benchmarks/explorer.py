"""The Explorer in a real JupyterLab: from an event in the page to the frame that shows its result, in seconds.

python -m benchmarks.explorer qqp_all.tsv.gz    prints ``{name: [seconds, ...]}`` as JSON
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# `act` does something; the clock stops at the second frame after `done` holds: then it is painted.
CLOCK = """async ([act, done]) => {
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    const root = document.querySelector(".pg-bench-live"), bench = root?.bench;
    const AsyncFunction = (async () => {}).constructor;
    const holds = new AsyncFunction("root", "bench", "state", done), state = {};
    const began = performance.now();
    await new AsyncFunction("root", "bench", "state", act)(root, bench, state);
    while (!(await holds(root, bench, state))) await frame();
    await frame();
    await frame();
    return (performance.now() - began) / 1000;
}"""

SETTLED = """() => {
    const { asked, answered } = document.querySelector(".pg-bench-live").dataset;
    return Number(answered) >= Number(asked);
}"""

# Not waited for: when the picture is there, the kernel still draws the still twin.
RUN = "window.jupyterapp.commands.execute('notebook:run-cell')"
SHOWN = "return document.querySelector('.pg-bench-live')?.dataset.scene"

# One after the other: a line or sentence of the picture, with the pointer events a mouse gives.
CLICK = """
    const lines = bench.visible().filter(({ a }) => a !== undefined);
    const line = lines[Math.floor(Math.random() * lines.length)];
    const [clientX, clientY] = bench.spotOf(line.id ?? [line.from, line.to]), canvas = root.querySelector("canvas");
    state.why = root.dataset.why;
    for (const [type, buttons] of [["pointermove", 0], ["pointerdown", 1], ["pointerup", 0]]) {
        const button = type === "pointermove" ? -1 : 0;
        canvas.dispatchEvent(new PointerEvent(type, { clientX, clientY, buttons, button, pointerId: 1,
            pointerType: "mouse", isPrimary: true, bubbles: true, cancelable: true }));
    }
"""
WHY = "return root.dataset.why !== state.why"

# Frame times while the picture is dragged and zoomed.
DRAG = """async () => {
    const bench = document.querySelector(".pg-bench-live").bench, frames = [];
    let last = performance.now();
    for (let i = 0; i < 40; i += 1) {
        if (i % 2) bench.zoomBy(i < 20 ? 1.1 : 1 / 1.1);
        else bench.camera.pan(-15 * bench.camera.scale, -10 * bench.camera.scale);
        bench.redraw();
        await new Promise((next) => requestAnimationFrame(next));
        const now = performance.now();
        frames.push((now - last) / 1000);
        last = now;
    }
    return frames.slice(2);
}"""


def chromium() -> str | None:
    return os.environ.get("PARAGRAPH_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def measure(source: str, repeats: int) -> dict[str, list[float]]:
    from playwright.sync_api import sync_playwright

    from tests.browser.desk import START
    from tests.browser.lab import Lab

    load = f"graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs({source!r}))"
    tree = (
        "import pandas as pd; rows = [(f'sentence {i // 2}', f'sentence {i}', 1) for i in range(1, 1000)]\n"
        "rows += [(f'sentence {i}', f'sentence {(i * 7) % 1000}', 1) for i in range(1, 1000, 3)]\n"
        "pairs = pd.DataFrame(rows, columns=['text_a', 'text_b', 'label'])\n"
        "explorer = pg.Explorer(pg.ParaphraseGraph.from_pairs(pg.read_pairs(pairs)), limit=1000)"
    )
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder) / "lab")
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        try:
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            notebook = lab.notebook(page, ["explorer = pg.Explorer(graph, 0, fresh=True)\nexplorer"])

            def tell(code: str) -> None:
                notebook.ask(f"exec({code!r}, globals())")

            def clock(act: str, done: str) -> float:
                seconds = page.evaluate(CLOCK, [act, done])
                page.wait_for_function(SETTLED)
                return seconds

            def first_picture() -> float:
                """Run the cell in a notebook without output."""
                page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0")
                page.evaluate("window.jupyterapp.commands.execute('notebook:clear-cell-output')")
                page.wait_for_function("!document.querySelector('.pg-bench-live')")
                return clock(RUN, SHOWN)

            found["first picture"] = []
            for fresh in range(3):  # each in a new kernel, which has everything to import
                if fresh:
                    notebook.restart()
                tell(f"import paragraph as pg; {load}")
                found["first picture"].append(first_picture())
            tell(START)
            tell(load)
            notebook.idle()
            page.evaluate("document.querySelector('.pg-bench-live').scrollIntoView({ block: 'end' })")

            switch = "state.scene = root.dataset.scene; root.querySelector('.pg-current').nextElementSibling.click()"
            found["switch"] = [clock(switch, "return root.dataset.scene !== state.scene") for _ in range(repeats)]
            tell("explorer.cluster = 0")
            page.wait_for_function("document.querySelector('.pg-title').textContent.startsWith('Cluster 0:')")
            found["layer"] = [
                clock("root.querySelector('[data-layer=positive]').click()", "return true") for _ in range(repeats)
            ]
            inferred = "state.n = root.dataset.inferred; root.querySelector('[data-layer=inferred_positive]').click()"
            found["inferred"] = [clock(inferred, "return root.dataset.inferred !== state.n") for _ in range(repeats)]
            tell("explorer.layers = dict(explorer._layers)")  # an odd number of clicks leaves one off
            page.wait_for_function("document.querySelector('[data-layer=positive]').checked")
            found["why"] = []
            for _ in range(repeats):
                found["why"].append(clock(CLICK, WHY))
                page.wait_for_timeout(350)  # else two clicks are a double click
            tell("explorer.layers = explorer._layers | {'inferred_positive': True, 'distance': 2}")
            page.wait_for_function("document.querySelector('.pg-bench-live').dataset.inferred > 0")
            found["why, inferred"] = []
            for _ in range(repeats):
                found["why, inferred"].append(
                    clock(CLICK.replace("({ a }) => a !== undefined", "({ far }) => far"), WHY)
                )
                page.wait_for_timeout(350)

            tell(tree)
            page.evaluate(
                "window.jupyterapp.shell.currentWidget.content.model.cells.get(0).sharedModel.setSource('explorer')"
            )
            found["1,000 sentences"] = [first_picture()]
            notebook.idle()
            page.evaluate("document.querySelector('.pg-bench-live').scrollIntoView({ block: 'end' })")
            found["frame"] = page.evaluate(DRAG)
        finally:
            browser.close()
            lab.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20)))
