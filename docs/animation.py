"""Film a conflict being read and cut in a real JupyterLab: ``python docs/animation.py`` writes ``docs/review.gif``.

It needs Chromium, and what the browser tests need.
"""

import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import FLAGS, Visit  # noqa: E402
from tests.browser.lab import Lab  # noqa: E402
from tests.browser.test_review import DEMO, ReviewDesk  # noqa: E402

PAIR = [
    "How do I study for a big exam in only one night?",
    "exam in 7 days and i haven't opened the book, how should i revise",
]
POINTER = """at => {
    const pointer = document.querySelector("#pointer") ?? document.body.appendChild(document.createElement("div"));
    pointer.id = "pointer";
    pointer.innerHTML = '<svg width="20" height="24"><path d="M2 2v17l4-4 3 7 3-1-3-7h6z" stroke="white"/></svg>';
    pointer.style = `position: fixed; z-index: 9999; pointer-events: none; left: ${at[0] - 2}px; top: ${at[1] - 2}px`;
}"""


class Film:
    """Pictures of a bench, each with the milliseconds that it is shown."""

    def __init__(self, desk: ReviewDesk):
        self.desk, self.frames, self.at = desk, [], (620, 600)

    def shoot(self, milliseconds: int) -> None:
        """Add what is on screen."""
        shot = Image.open(io.BytesIO(self.desk.root.screenshot())).convert("RGB")
        self.frames.append((shot.quantize(64, dither=Image.Dither.NONE), milliseconds))

    def move(self, to: tuple[float, float], steps: int = 6) -> None:
        """Move the pointer, and add a picture of each step."""
        start = self.at
        for i in range(1, steps + 1):
            self.at = tuple(a + (b - a) * i / steps for a, b in zip(start, to, strict=True))
            self.desk.page.evaluate(POINTER, self.at)
            self.shoot(60)
        self.desk.page.mouse.move(*to)

    def click(self, to: tuple[float, float], milliseconds: int) -> None:
        """Click there, and show what that does."""
        self.move(to)
        self.desk.page.mouse.click(*to)
        self.desk.settle()
        self.shoot(milliseconds)

    def key(self, key: str, milliseconds: int) -> None:
        """Press a key, and show what that does."""
        self.desk.press(key)
        self.shoot(milliseconds)

    def save(self, path: Path) -> None:
        """Write all pictures as one GIF that begins again."""
        first, *others = (frame for frame, _ in self.frames)
        durations = [milliseconds for _, milliseconds in self.frames]
        first.save(
            path, save_all=True, append_images=others, duration=durations, loop=0, optimize=True
        )


def film(desk: ReviewDesk) -> Film:
    """Read a conflict, click the line that is wrong, cut it."""
    desk.review(DEMO, options=", blind=False, height=520")
    item = desk.ask(f"1 + review.queue[['text_a', 'text_b']].values.tolist().index({PAIR!r})")
    desk.tell(f"review.current = {item}")
    desk.settle()
    weakest = desk.ask("'e%d' % review.case['steps'][0]")
    scene = Film(desk)
    scene.shoot(3000)
    scene.click(desk.spot(weakest), 3500)
    scene.key("Escape", 800)
    scene.key("c", 1500)
    scene.key("1", 1000)
    desk.tell(f"review.current = {item}")
    desk.settle()
    scene.shoot(4000)
    return scene


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder) / "lab")
        try:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=FLAGS
            )
            page = browser.new_page(viewport={"width": 1180, "height": 760})
            film(ReviewDesk(lab, Visit(page), Path(folder))).save(
                Path(__file__).with_name("review.gif")
            )
            browser.close()
        finally:
            lab.stop()
