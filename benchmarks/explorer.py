"""The Explorer in a real JupyterLab: from an event in the page to the frame that shows its result, in seconds.

python -m benchmarks.explorer qqp_all.tsv.gz    prints ``{name: [seconds, ...]}`` as JSON

First pictures are measured with a million pairs as well (`large.table`). Beside the seconds of the clock stand those
of the processor, which other processes do not lengthen: of the page's own thread, and of Python until it shows the
Explorer. "load" says how many processes wanted the processor, before and after.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections import defaultdict
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

# The Explorer, and how long Python takes to make it.
CELL = """import time; began = time.process_time()
explorer = pg.Explorer(graph); made = time.process_time() - began
explorer"""

# Not waited for: when the picture is there, the kernel still draws the still twin.
RUN = "window.jupyterapp.commands.execute('notebook:run-cell')"
SHOWN = "return document.querySelector('.pg-bench-live')?.dataset.scene"

# One after the other: a line of the picture of some KIND, with the pointer events a mouse gives.
CLICK = """
    const lines = bench.visible().filter(KIND);
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
        if (i % 2) bench.camera.zoom(i < 20 ? 1.1 : 1 / 1.1);
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
    return os.environ.get("PARAGRAPH_CHROMIUM") or next(
        filter(None, map(shutil.which, NAMES)), None
    )


def measure(source: str, repeats: int) -> dict[str, list[float]]:
    from playwright.sync_api import sync_playwright

    from tests.browser.desk import START
    from tests.browser.lab import SESSION, Lab

    load = f"limit = 300; graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs({source!r}))"
    million = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from benchmarks.large import table\n"
        "limit = 300; graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(table(10**6)))"
    )
    tree = (
        "import pandas as pd; rows = [(f'sentence {i // 2}', f'sentence {i}', 1) for i in range(1, 1000)]\n"
        "rows += [(f'sentence {i}', f'sentence {(i * 7) % 1000}', 1) for i in range(1, 1000, 3)]\n"
        "pairs = pd.DataFrame(rows, columns=['text_a', 'text_b', 'label'])\n"
        "limit = 1000; graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pairs))"
    )
    found: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder) / "lab")
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            notebook = lab.notebook(page, [CELL])
            thread = page.context.new_cdp_session(page)
            thread.send("Performance.enable", {"timeDomain": "threadTicks"})

            def tell(code: str) -> None:
                notebook.ask(f"exec({code!r}, globals())")

            def busy() -> float:
                """Return the processor time of the page's thread."""
                metrics = thread.send("Performance.getMetrics")["metrics"]
                return next(one["value"] for one in metrics if one["name"] == "TaskDuration")

            def clock(name: str, act: str, done: str) -> None:
                before = busy()
                found[name].append(page.evaluate(CLOCK, [act, done]))
                found[f"{name}: page's thread"].append(busy() - before)
                page.wait_for_function(SETTLED)

            def first_picture(name: str) -> None:
                """Run the cell in a notebook without output."""
                page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0")
                page.evaluate("window.jupyterapp.commands.execute('notebook:clear-cell-output')")
                page.wait_for_function("!document.querySelector('.pg-bench-live')")
                clock(name, RUN, SHOWN)
                notebook.idle()
                found[f"{name}: Python"].append(notebook.ask("made"))

            found["load"].append(os.getloadavg()[0])
            tell(f"import paragraph as pg; {million}")
            for again in range(4):
                first_picture("first picture of a million pairs" + ", again" * bool(again))
            for _ in range(3):  # each in a new kernel, which has everything to import
                notebook.restart()
                tell(f"import paragraph as pg; {load}")
                first_picture("first picture")
                first_picture("first picture, again")
            tell(START)
            tell(load)
            notebook.idle()
            page.evaluate(
                "document.querySelector('.pg-bench-live').scrollIntoView({ block: 'end' })"
            )

            switch = "state.scene = root.dataset.scene; root.querySelector('.pg-current').nextElementSibling.click()"
            for _ in range(repeats):
                clock("switch", switch, "return root.dataset.scene !== state.scene")
            tell("explorer.cluster = 0")
            page.wait_for_function(
                "document.querySelector('.pg-title').textContent.startsWith('Cluster 0:')"
            )
            for _ in range(repeats):
                clock(
                    "layer", "root.querySelector('[data-control=positive]').click()", "return true"
                )
            click = "root.querySelector('[data-control=inferred_positive]').click()"
            inferred = f"state.n = root.dataset.inferred; {click}"
            for _ in range(repeats):
                clock("inferred", inferred, "return root.dataset.inferred !== state.n")
            # an odd number of clicks leaves one off
            tell("explorer.layers = dict(explorer._layers)")
            page.wait_for_function("document.querySelector('[data-control=positive]').checked")

            def clicks(name: str, kind: str = "({ a }) => a !== undefined") -> None:
                visible = "document.querySelector('.pg-bench-live').bench.visible()"
                for _ in range(repeats):
                    page.wait_for_function(f"{visible}.some({kind})")
                    clock(name, CLICK.replace("KIND", kind), WHY)
                    page.wait_for_timeout(350)  # else two clicks are a double click

            clicks("why")
            tell("explorer.layers = explorer._layers | {'inferred_positive': True, 'distance': 2}")
            page.wait_for_function("document.querySelector('.pg-bench-live').dataset.inferred > 0")
            clicks("why, inferred", "({ far }) => far")

            tell(tree)
            first_picture("1,000 sentences")
            page.evaluate(
                "document.querySelector('.pg-bench-live').scrollIntoView({ block: 'end' })"
            )
            found["frame"] = page.evaluate(DRAG)
            tell(load)
            first_picture("first picture, again")
            page.evaluate(f"async () => {{ await {SESSION}.shutdown() }}")
            clicks("why, without a kernel")
            found["load"].append(os.getloadavg()[0])
        finally:
            browser.close()
            lab.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20)))
