"""A page around a widget: its style, its heading, and the policy that lets only its own script run."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from pathlib import Path
from typing import Any

from ...draw.page import source

__all__ = ["framed"]

HERE = Path(__file__).parent


def framed(
    title: str, note: str, widget: Any, script: str, inside: str = "", asks: str = "'none'"
) -> tuple[str, str]:
    """Return a page as HTML, and its policy.

    Parameters
    ----------
    title, note : str
        The heading, and a sentence below it.
    widget : Live
        The source of the page's JavaScript (`_script`) and style (`_css`).
    script : str
        JavaScript that starts the widget by `showPage`.
    inside : str
        HTML before the script.
    asks : str
        The allowed HTTP requests of the page, as a source of a Content-Security-Policy.
    """
    script = f"{widget._script}\n{source(HERE / 'start.js')}\n{script}"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    policy += f"; connect-src {asks}; base-uri 'none'; form-action 'none'"
    css = widget._css + source(HERE / "theme.css", HERE / "page.css")
    html = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(title)}</title><link rel="icon" href="data:,">
<style>{css}</style></head>
<body><header><h1>{escape(title)}</h1><p>{escape(note)}</p></header>
<main id="page"><noscript>This page needs JavaScript.</noscript></main>
{inside}
<script type="module">{script}</script>
</body></html>
"""
    return html, policy
