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

from .conftest import Visit, look
from .desk import SCRIPT
from .lab import PATIENCE, until

pytest.importorskip("marimo", reason="marimo is not installed")
pytestmark = pytest.mark.long

#: What a cell shows, and what Python writes down whenever it changes.
BENCHES = {
    "explorer": ("pg.Explorer(graph)", "[explorer.selection['node'].tolist(), explorer.cluster]"),
    "lab": ("pg.TriadLab('triad ++-')", "[sign for *_, sign in lab.graph.edges(data='sign')]"),
    "review": (
        "pg.ConflictReview(graph, 'Ada.db', reviewer='Ada')",
        "pg.DecisionLog('Ada.db').current()['decision'].tolist()",
    ),
}
FIRST = """import json, pathlib
    import paragraph as pg
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    def tell(name, state):
        pathlib.Path(f"{name}.json").write_text(json.dumps(state))"""
SHOWN = """{name} = {made}
    {name}.observe(lambda _: tell("{name}", {state}))
    {name}"""
#: What marimo's page says of its own pictures.
MARIMO = re.compile("was preloaded using link preload")


@pytest.fixture
def notebook(chromium, tmp_path, monkeypatch):
    """The page of a marimo notebook with the three benches, run."""
    monkeypatch.chdir(tmp_path)
    cells = [FIRST, *(SHOWN.format(name=name, made=made, state=state) for name, (made, state) in BENCHES.items())]
    code = "".join(f"\n\n@app.cell\ndef _():\n    {cell}\n" for cell in cells)
    (tmp_path / "notebook.py").write_text(f"import marimo\n\napp = marimo.App()\n{code}")
    token, log = secrets.token_hex(8), tmp_path / "marimo.log"
    command = [sys.executable, "-m", "marimo", "edit", "notebook.py", "--headless", "--skip-update-check"]
    settings = os.environ | {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with log.open("w") as said:
        process = subprocess.Popen(
            [*command, f"--token-password={token}"], stdout=said, stderr=subprocess.STDOUT, env=settings
        )
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    try:
        until(lambda: re.search(r"http://\S+", log.read_text()))
        seen = Visit(context.new_page())
        seen.page.set_default_timeout(PATIENCE)
        own = re.search(r"http://[^?\s]+", log.read_text())[0]
        seen.page.goto(f"{own}?access_token={token}")
        seen.page.wait_for_selector(".cm-content")
        seen.page.keyboard.press("Control+Shift+r")
        for at in range(len(BENCHES)):
            seen.page.locator(".pg-bench-live[data-scene]").nth(at).wait_for()
        yield seen
        seen.requests[:] = [url for url in seen.requests if not url.startswith(own)]
        seen.complaints[:] = [said for said in seen.complaints if not MARIMO.search(said)]
        seen.assert_quiet()
    finally:
        context.close()
        process.terminate()
        process.wait(60)


class Bench:
    """One bench of the page, in the shadow of marimo's own: `js` calls a function of desk.js in it."""

    def __init__(self, seen, name):
        self.page, self.name = seen.page, name
        self.root = seen.page.locator(".pg-bench-live").nth([*BENCHES].index(name))
        self.root.scroll_into_view_if_needed()

    def js(self, name, argument=None):
        here = f"const document = root.getRootNode();\n{SCRIPT}\nreturn desk[name](argument);"
        return self.root.evaluate(f"(root, [name, argument]) => {{ {here} }}", [name, argument])

    def told(self, holds):
        """Wait until what Python wrote down last is as a function says."""

        def is_so():
            try:
                return holds(json.loads(Path(f"{self.name}.json").read_text()))
            except (OSError, ValueError):  # not yet, or just now
                return False

        until(is_so)


def test_each_bench_takes_clicks_and_keys(notebook):
    cells, page = notebook.page.locator("[data-cell-id]").count(), notebook.page
    bench = Bench(notebook, "explorer")
    found = bench.js("find", ["sentence", None])
    page.mouse.click(found["x"], found["y"])
    bench.told(lambda told: [str(node) for node in told[0]] == [str(found["key"]).lstrip("n")])
    page.keyboard.press("/")
    page.keyboard.type("exam")
    page.keyboard.press("Enter")
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    home = int(graph.cluster_of[graph.search("exam")["node"][0]])
    bench.told(lambda told: told[1] == home)
    look(notebook, "marimo_explorer")

    bench = Bench(notebook, "lab")
    spot = bench.root.evaluate("root => root.bench.spotOf(root.bench.visible().find((line) => line.sign < 0).id)")
    page.mouse.click(*spot)
    bench.told(lambda told: told == [1, 1, 1])
    page.keyboard.press("u")
    bench.told(lambda told: sorted(told) == [-1, 1, 1])
    look(notebook, "marimo_lab")

    bench = Bench(notebook, "review")
    bench.root.focus()
    page.keyboard.press("f")
    bench.told(lambda told: told == ["flip"])
    look(notebook, "marimo_review")
    assert page.locator("[data-cell-id]").count() == cells  # no shortcut of the notebook's fired
