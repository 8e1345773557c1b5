"""One notebook in a real JupyterLab with one Explorer in it, used by mouse and keys, and read."""

import json
from contextlib import contextmanager
from pathlib import Path

from .lab import is_loaded, until, within

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")

START = """
import json
import pandas as pd
import paragraph as pg
from paragraph.widgets.explorer.query import EVERYTHING
graphs = {}
"""


def calling(name):
    return f"(argument) => {{ {SCRIPT}\nreturn desk.{name}(argument); }}"


class Desk:
    """`show` displays an explorer; `press`, `click` and `drag` use it; `tell` and `ask` speak to the kernel."""

    def __init__(self, lab, seen):
        self.seen, self.page = seen, seen.page
        self.notebook = lab.notebook(self.page, ["explorer"])
        self.ask, self.shown = self.notebook.ask, None
        self.tell(START)

    def js(self, name, argument=None):
        return self.page.evaluate(within(calling(name)), argument)

    def until(self, name, argument=None):
        self.page.wait_for_function(calling(name), arg=argument)

    @contextmanager
    def in_theme(self, theme):
        """JupyterLab in another theme; call `themed` when a bench is shown."""
        self.notebook.command("apputils:change-theme", {"theme": f"JupyterLab {theme}"})
        try:
            yield
        finally:
            self.notebook.command("apputils:change-theme", {"theme": "JupyterLab Light"})
            self.until("isDark", False)

    def themed(self, theme):
        self.until("isDark", theme == "Dark")
        is_loaded(self.page)

    def bench(self, expression, argument=None):
        return self.page.evaluate(
            f"(argument) => document.querySelector('.pg-bench-live').bench.{expression}", argument
        )

    def tell(self, code):
        self.ask(f"exec({code!r}, globals())")

    def show(self, code, options=""):
        """Display an explorer of the `graph` that `code` makes, unless it is there already."""
        if (code, options) != self.shown:
            self.tell(
                f"if {code!r} not in graphs:\n    exec({code!r})\n    graphs[{code!r}] = graph\n"
                f"graph = graphs[{code!r}]; explorer = pg.Explorer(graph{options})"
            )
            self.run()
            self.shown = code, options

    def run(self):
        self.page.evaluate("document.querySelectorAll('.pg-bench').forEach((old) => { old.dataset.old = 1 })")
        self.notebook.run_all()
        self.page.wait_for_selector(".pg-bench[data-scene]:not([data-old])")
        self.page.wait_for_function("!document.querySelector('.pg-bench[data-old]')")
        self.notebook.idle()
        self.root.evaluate("root => root.scrollIntoView({ block: 'end' })")
        self.settle()

    def open(self, cluster):
        """The explorer as new, at a cluster, with the focus."""
        self.tell(
            "explorer.query = {}; explorer.layers = dict(explorer._layers); explorer.placed = {}\n"
            f"explorer.view = 'cluster'; explorer.cluster = {cluster}; explorer.selection = []"
        )
        self.follow()
        self.page.mouse.move(5, 5)
        self.root.evaluate(
            "root => { root.querySelector('details').open = false; root.scrollIntoView({ block: 'end' });"
            " root.bench.fit(); root.focus() }"
        )

    @property
    def root(self):
        return self.page.query_selector(".pg-bench-live")

    def settle(self):
        """Wait until Python has answered and heard all that was asked and set, and it is painted."""
        self.until("settled")
        self.js("heard")
        self.js("painted")

    def follow(self):
        """Wait until the page shows what Python has."""
        own = "[explorer.screen, explorer.query, explorer.selected, explorer.layers]"
        until(lambda: self.js("follows", self.ask(own)))  # a word that was being typed may change it once more
        self.bench("model.idle()")
        self.settle()

    def shows(self, trait):
        """What the page holds of a trait: `picture`, `why`, `listing`, `dress`."""
        return self.bench("model.get(argument)", trait)

    def part(self, selector):
        return self.root.query_selector(selector)

    def sees(self, selector):
        return self.part(selector).is_visible()

    def frame(self, selector):
        return self.part(selector).bounding_box()

    def text(self, selector):
        return self.part(selector).text_content()

    def texts(self, selector):
        return [part.text_content() for part in self.root.query_selector_all(selector)]

    def push(self, selector):
        self.part(selector).click()
        self.settle()

    def choose(self, selector, option):
        self.part(selector).select_option(option)
        self.settle()

    def chosen(self):
        return self.ask("explorer.selection['node'].tolist()")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.settle()

    def assert_no_shortcut_fires(self, focus, where):
        """No key reaches the notebook while the focus is where a function puts it."""
        before = self.cells()
        focus(self)
        self.settle()
        for key in [*"abcxvddzmyro", "Shift+M", "Shift+L", *"00ii"]:
            self.page.keyboard.press(key)
        self.settle()
        assert self.cells() == before, where
        assert self.page.query_selector(".jp-Dialog") is None and self.js("hasFocus"), where

    def find(self, kind):
        """Something of a kind that a click hits, from near where everything lies too close."""
        for _ in range(4):
            found = self.js("find", kind)
            if found:
                return found
            self.bench("camera.zoom(1.6)")
        raise AssertionError(f"nothing to click: {kind}")

    def spot(self, what, t=0.5):
        """Where a node or a point of a line is on the page."""
        return self.bench("spotOf(...argument)", [what, t])

    def click(self, what, keys=(), **options):
        """Click a thing found (or its key), with keys held; returns what the right-hand side says then."""
        x, y = (what["x"], what["y"]) if isinstance(what, dict) else self.spot(what)
        with self.held(keys):
            self.page.mouse.click(x, y, **options)
        self.settle()
        return self.why()

    @contextmanager
    def held(self, keys):
        for key in keys:
            self.page.keyboard.down(key)
        yield
        for key in keys:
            self.page.keyboard.up(key)

    def drag(self, start, end, keys=()):
        with self.held(keys):
            self.page.mouse.move(*start)
            self.page.mouse.down()
            self.page.mouse.move(*end, steps=6)
            self.page.mouse.up()
        self.settle()

    def why(self):
        return self.js("why")

    def rows(self):
        return self.js("rows")

    def pixels(self, selector=".pg-canvas"):
        self.page.mouse.move(5, 5)
        return self.seen.pixels(self.root.query_selector(selector))

    def cells(self):
        return self.js("cells")

    def assert_explained(self, said, a, b):
        """What the right-hand side says of a pair is what the library says of it; that is returned."""
        own = json.loads(self.ask(f"json.dumps(pg.explain(graph, graph.text({a}), graph.text({b})).to_dict())"))
        assert (said["badge"], said["pair"]) == (own["verdict"], [own["text_a"], own["text_b"]])
        assert said["said"].casefold().rstrip(".") == own["reason"].casefold()
        steps = own["steps"] if own["verdict"] in ("inferred", "conflict") else []
        assert [(one["sign"], one["texts"], one["rows"]) for one in said["steps"]] == [
            ("+" if step["sign"] > 0 else "−", [step["text_a"], step["text_b"]], rows_of(step["rows"]))
            for step in steps
        ]
        assert [int(row[0]) for row in said["rows"]] == (own["stated"]["rows"] if own["stated"] else [])
        assert sorted(self.chosen()) == sorted([a, b])
        return own

    def search(self, words):
        """Type into the search, after its key, and wait for the list that answers."""
        self.page.keyboard.press("/")
        self.page.keyboard.type(words)
        self.until("searched", words)
        self.settle()

    def ground(self):
        box = self.frame(".pg-canvas")
        self.page.mouse.click(box["x"] + 4, box["y"] + 4)
        self.settle()

    def expand(self):
        """Open the neighbour with most sentences by a double click; its number."""
        self.page.mouse.move(5, 5)
        sizes = {node["key"]: node["size"] for node in self.shows("picture")["nodes"] if "cluster" in node}
        key = max(sizes, key=sizes.get)
        self.page.mouse.dblclick(*self.spot(key))
        self.page.wait_for_function(f"!({calling('isDrawn')})({json.dumps(key)})")
        self.settle()
        return int(key[1:])


def swipe(page, x, y):
    """A finger that goes 120 pixels up from a spot; how far the page is scrolled, which is then taken back."""
    session = page.context.new_cdp_session(page)
    for kind, down in (("touchStart", 0), ("touchMove", -60), ("touchMove", -120), ("touchEnd", 0)):
        points = [] if kind == "touchEnd" else [{"x": x, "y": y + down}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    for _ in range(10):  # frames, in which the page moves
        page.evaluate("new Promise((done) => requestAnimationFrame(done))")
    scrolled = page.evaluate("scrollY")
    page.evaluate("scrollTo(0, 0)")
    return scrolled


def rows_of(numbers):
    return f"row{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}" if numbers else ""
