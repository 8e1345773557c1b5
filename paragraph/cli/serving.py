"""The page of a review, served to one person on this machine."""

from __future__ import annotations

import asyncio
from pathlib import Path

from ..draw.page import source
from ..serving import LINE
from ..serving.gate import Gate
from ..serving.handlers import PASS
from ..serving.running import handed_over, run, show
from ..serving.shared import Shared
from ..widgets import pages
from ..widgets.pages.living import framed
from ..widgets.review.desk import Review

__all__ = ["serve"]

NOTE = "Every decision is on disk at once. Ctrl-C ends the review; the same command continues it."
PAGES = Path(pages.__file__).parent
START = source(PAGES / "traits.js", LINE, PAGES / "served.js")
START += "servedModel(location.hash.slice(1), showPage, failed);"


def serve(review: Review, browser: bool) -> None:
    """Serve a review until Ctrl-C, and open it in the browser if asked to."""
    run(_serve(review, browser))


async def _serve(review: Review, browser: bool) -> None:
    shared = Shared(review)
    gate = Gate(shared)
    gate.open(framed(review.name, NOTE, review, START, PASS, gate.asks))
    address = f"{gate.address}#{shared.secret}"
    print(f"The review is at {address}", NOTE, sep="\n", flush=True)
    if browser:
        with handed_over(f'<meta http-equiv="refresh" content="0; url={address}">') as file:
            show(file)
            await shared.heard.wait()
    await asyncio.Event().wait()  # until Ctrl-C
