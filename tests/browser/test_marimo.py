"""The Explorer, the Triad Lab and a review in a marimo notebook: a click, a key, a decision that is in the log."""

import json
import os
import re
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

import paragraph as pg

from .conftest import window
from .desk import SCRIPT
from .lab import until

pytest.importorskip("marimo", reason="marimo is not installed")
pytestmark = pytest.mark.long

#: What a cell shows, and what Python knows of it, which it writes down whenever that changes.
BENCHES = [
    ("pg.Explorer(graph)", "[bench.selection['node'].tolist(), bench.cluster]"),
    ("pg.TriadLab('triad ++-')", "[sign for *_, sign in bench.graph.edges(data='sign')]"),
    ("pg.ConflictReview(graph, 'Ada.db', reviewer='Ada')", "bench.answers['same'].tolist()"),
]
#: Of several pictures, one above the other: a figure or a dot opens its cluster.
STACKS = ["page = pg.overview(graph)", "atlas = pg.Atlas(graph, by='words')"]
FIRST = """import json, pathlib
    import paragraph as pg
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    def shown(number, bench, state):
        bench.observe(lambda _: pathlib.Path(f"{number}.json").write_text(json.dumps(state(bench))))
        return bench"""


@pytest.fixture
def notebook(chromium, tmp_path, monkeypatch):
    """The page of a marimo notebook with the three benches, run."""
    monkeypatch.chdir(tmp_path)
    shown = (f"shown({i}, {made}, lambda bench: {state})" for i, (made, state) in enumerate(BENCHES))
    stacks = (
        f"{made}\n    shown('{made[:4]}', {name}.explorer, lambda one: one.cluster)\n    {name}"
        for made in STACKS
        for name in [made.split()[0]]
    )
    cells = [FIRST, *shown, *stacks]
    code = "".join(f"\n\n@app.cell\ndef _():\n    {cell}\n" for cell in cells)
    (tmp_path / "notebook.py").write_text(f"import marimo\n\napp = marimo.App()\n{code}")
    token, log = secrets.token_hex(8), tmp_path / "marimo.log"
    command = [sys.executable, "-m", "marimo", "edit", "notebook.py", "--headless", "--skip-update-check"]
    command.append(f"--token-password={token}")
    settings = os.environ | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with log.open("w") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env=settings)
    try:
        until(lambda: re.search(r"http://\S+", log.read_text()))
        own = re.search(r"http://[^?\s]+", log.read_text())[0]
        with window(chromium, 1400, 1000) as seen:
            seen.page.goto(f"{own}?access_token={token}")
            seen.page.wait_for_selector(".cm-content")
            seen.page.keyboard.press("Control+Shift+r")
            for at in range(len(BENCHES)):
                seen.page.locator(".pg-bench-live[data-scene]").nth(at).wait_for()
            yield seen
            seen.assert_quiet(own, "was preloaded using link preload")  # marimo's own pictures
    finally:
        process.terminate()
        process.wait(60)


class Bench:
    """One bench of the page, in the shadow of marimo's own: `js` calls a function of desk.js in it."""

    def __init__(self, seen, number):
        self.number, self.root = number, seen.page.locator(".pg-bench-live").nth(number)
        self.root.scroll_into_view_if_needed()

    def js(self, name, argument=None):
        here = f"const document = root.getRootNode();\n{SCRIPT}\nreturn desk[name](argument);"
        return self.root.evaluate(f"(root, [name, argument]) => {{ {here} }}", [name, argument])

    def told(self, state):
        path, told = Path(f"{self.number}.json"), json.dumps(state)
        until(lambda: path.exists() and path.read_text() == told)


def test_each_bench_takes_clicks_and_keys(notebook):
    cells, page = notebook.page.locator("[data-cell-id]").count(), notebook.page
    bench = Bench(notebook, 0)
    found = bench.js("find", "sentence")
    page.mouse.click(found["x"], found["y"])
    chosen = [int(found["key"][1:])]
    bench.told([chosen, 0])
    page.keyboard.press("/")
    page.keyboard.type("exam")
    page.keyboard.press("Enter")
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    bench.told([[], int(graph.cluster_of[graph.search("exam")["node"][0]])])

    bench = Bench(notebook, 1)
    spot = bench.root.evaluate("root => root.bench.spotOf(root.bench.visible().find((line) => line.sign < 0).id)")
    page.mouse.click(*spot)
    bench.told([1, 1, 1])
    page.keyboard.press("u")
    bench.told([1, -1, 1])

    bench = Bench(notebook, 2)
    bench.root.focus()
    page.keyboard.press("f")
    bench.told([1])
    assert page.locator("[data-cell-id]").count() == cells  # no shortcut of the notebook's fired

    fact = page.locator(".pg-onepage section:last-of-type button.pg-fact").nth(4)
    fact.click()
    worth = pg.overview(graph).sections[-1].facts[4].opens["cluster"]
    until(lambda: Path("page.json").read_text() == str(worth))
    page.locator(".pg-map[data-painted]").wait_for()
    page.locator("text=Here search and colour in Python").wait_for()
