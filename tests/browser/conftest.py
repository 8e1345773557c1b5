"""Pages opened in headless Chromium without a network, and everything they ask for or complain of."""

import io
import os
import re
import shutil
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pytest

from .desk import Desk
from .lab import PATIENCE, Lab

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    # Each window of its own would load two pages for what its address bar drops down: half the work of a small test.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,PaintHolding,OptimizationHints,MediaRouter,HttpsUpgrades",
]  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A busy machine can make a browser late; what is broken fails three times.
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="session")
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    given = os.environ.get("PARAGRAPH_CHROMIUM")
    path = given or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None or shutil.which(path) is None:
        missing = f"PARAGRAPH_CHROMIUM={given} is no program" if given else f"none of {', '.join(NAMES)} on PATH"
        pytest.skip(f"no browser: {missing}")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    running = Lab(tmp_path_factory.mktemp("lab") / "lab")
    yield running
    running.stop()


@pytest.fixture(scope="session")
def screen(chromium):
    """The window in which one notebook after the other is open, each as its test opens it."""
    with window(chromium, 1280, 900) as seen:
        yield seen


class Visit:
    """An open page with what it did: `requests` beyond this machine, `complaints`, `dialogs`."""

    def __init__(self, page):
        self.page, self.requests, self.complaints, self.dialogs = page, [], [], []
        page.on("request", self._request)
        page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url[:200]}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda m: self.complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("dialog", self._dialog)

    def _request(self, request):
        if not request.url.startswith(("file:", "data:", "blob:", "about:")):
            self.requests.append(request.url)

    def _dialog(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def ran(self):
        """What sentences managed to run: values of `__pwned` in all frames, and dialogs."""
        found = [frame.evaluate("window.__pwned") for frame in self.page.frames]
        return [value for value in found if value is not None] + self.dialogs

    def assert_quiet(self, own="-", known=r"(?!)"):
        """Says what happened since it was asked last: one test's complaint is not the next one's, nor its rerun's.

        Addresses that begin as `own` are on this machine, and complaints that match `known` are not ours.
        """
        requests = [url for url in self.requests if not url.startswith(own)]
        complaints = [said for said in self.complaints if not re.search(known, said)]
        said = requests, complaints, self.ran()
        for each in (self.requests, self.complaints, self.dialogs):
            each.clear()
        assert said == ([], [], [])

    def pixels(self, target=None):
        from PIL import Image

        shot = (target or self.page).screenshot()
        return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"))


@contextmanager
def window(chromium, width, height, **options):
    context = chromium.new_context(viewport={"width": width, "height": height}, **options)
    context.set_default_timeout(PATIENCE)
    try:
        yield Visit(context.new_page())
    finally:
        context.close()


def review_fixtures(kind, width=1280):
    """The fixtures `notebook` and `desk` of a module: in a window so wide, and with a folder for logs."""

    @pytest.fixture(scope="module")
    def notebook(lab, screen, tmp_path_factory):
        screen.page.set_viewport_size({"width": width, "height": 900})
        return kind(lab, screen, tmp_path_factory.mktemp("review"))

    @pytest.fixture
    def desk(lab, notebook, tmp_path):
        notebook.folder = tmp_path
        yield notebook
        notebook.seen.assert_quiet(lab.url)

    return notebook, desk


@pytest.fixture
def visit(chromium, tmp_path):
    """``visit(path or html, scripts=True, bypass_csp=False, width=1000)`` -> Visit."""
    with ExitStack() as opened:

        def open_page(what, scripts=True, bypass_csp=False, width=1000):
            if not isinstance(what, Path):
                html, what = what, tmp_path / "page.html"
                what.write_text(html, encoding="utf-8")
            options = {"offline": True, "java_script_enabled": scripts, "bypass_csp": bypass_csp}
            seen = opened.enter_context(window(chromium, width, 700, **options))
            seen.page.goto(what.as_uri())
            return seen

        yield open_page


@pytest.fixture
def opened(chromium):
    """``opened(address, width, height, **options)`` -> Visit: pages of a server, each in a browser of its own."""
    with ExitStack() as stack:

        def opened(address, width=1400, height=900, **options):
            seen = stack.enter_context(window(chromium, width, height, **options))
            seen.page.goto(address)
            return seen

        yield opened


def has_color(pixels, color, least=20):
    wanted = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])
    return int((np.abs(pixels.astype(int) - wanted).max(axis=2) < 12).sum()) >= least


DEMO = "graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))"


@pytest.fixture(scope="module")
def desk(lab, screen):
    screen.page.set_viewport_size({"width": 1280, "height": 800})
    return Desk(lab, screen)


@pytest.fixture
def quiet(lab, screen):
    """Whatever a test does: nothing is asked of another machine, nothing fails, no sentence runs."""
    yield
    screen.assert_quiet(lab.url, "is taking too long to activate")  # JupyterLab itself, on a busy machine


@pytest.fixture
def there(desk):
    """The desk with the shipped corpus, open at the largest cluster."""
    desk.show(DEMO)
    desk.open(0)
    return desk
