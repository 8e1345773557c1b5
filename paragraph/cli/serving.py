"""The page of a review, served to one person on this machine, or to a team."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from ..draw.page import source
from ..serving import LINE
from ..serving.gate import Gate
from ..serving.handlers import PASS
from ..serving.running import handed_over, run, show
from ..serving.shared import Shared
from ..widgets import pages
from ..widgets.pages.living import framed
from ..widgets.review.desk import Review
from ..widgets.team.keeper import ReviewTeam

__all__ = ["serve", "serve_team"]

NOTE = "Every decision is on disk at once. Ctrl-C ends the review; the same command continues it."
ONCE = "Each address works once, for whoever opens it; that browser is known from then on:"
LEADS = '<meta http-equiv="refresh" content="0; url={}">'
PAGES = Path(pages.__file__).parent
START = source(PAGES / "traits.js", LINE, PAGES / "served.js")
START += "servedPage(location.hash.slice(1));"


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
        with handed_over(LEADS.format(address)) as file:
            show(file)
            await shared.heard.wait()
    await asyncio.Event().wait()  # until Ctrl-C


def serve_team(review: Review, people: list[str], browser: bool, **options: Any) -> None:
    """Serve a review to several people until Ctrl-C, and open the lead's page in the browser if asked to."""
    run(_serve_team(review, people, browser, options))


async def _serve_team(
    review: Review, people: list[str], browser: bool, options: dict[str, Any]
) -> None:
    team = ReviewTeam(review, people, **options)
    print(ONCE, team, NOTE, sep="\n", flush=True)
    with handed_over(LEADS.format(team.addresses[review.reviewer])) as file:
        if browser:
            show(file)
        await asyncio.Event().wait()  # until Ctrl-C
