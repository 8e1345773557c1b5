"""A page around a widget whose own script alone runs; or one file in which a kernel in JavaScript answers to it."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from typing import Any

from ...draw.page import source
from ...draw.shared import THEME_CSS
from ...files import PairsError

__all__ = ["LIMIT", "NOTEBOOK", "as_json", "enclosed", "framed", "living", "page_of"]

HERE = Path(__file__).parent
LIMIT = 3_000_000  # bytes of a page
NOTEBOOK = HERE / "notebook.js"


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
        HTML after the script, which runs once all of the page is there.
    asks : str
        What the page may ask by HTTP, as a source of a Content-Security-Policy.
    """
    script = f"{widget._script}\n{source(HERE / 'start.js')}\n{script}"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    policy += f"; connect-src {asks}; base-uri 'none'; form-action 'none'"
    css = widget._css + THEME_CSS + source(HERE / "page.css")
    html = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(title)}</title><link rel="icon" href="data:,">
<style>{css}</style></head>
<body><header><h1>{escape(title)}</h1><p>{escape(note)}</p></header>
<main id="page"><noscript>This page needs JavaScript.</noscript></main>
<script type="module">{script}</script>
{inside}
</body></html>
"""
    return html, policy


def as_json(value: Any) -> str:
    """Return a value as short JSON that ends no script element: ``<`` is escaped."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("<", r"\u003c")


def page_of(
    title: str, note: str, widget: Any, kernel: tuple[Path, ...], traits: dict[str, Any], data: Any
) -> str:
    """Return a page that shows a widget without a kernel, as HTML.

    Parameters
    ----------
    title, note : str
        The heading, and a sentence below it: the source of the page, and what it leaves out.
    widget : Live
        The source of the page's JavaScript (`_script`) and style (`_css`).
    kernel : paths
        JavaScript that answers the intents of the page instead of Python. It defines `kernelOf`: see `living.js`.
    traits : dict
        The widget's traits, except those that the kernel sets.
    data : plain values
        The first argument of `kernelOf`.

    Raises
    ------
    PairsError
        More than 3 MB.
    """
    inside = f'<script type="application/json" id="data">{as_json({"traits": traits, "data": data})}</script>'
    start = 'showPage(await livingModel(JSON.parse(document.getElementById("data").textContent)));'
    html, _ = framed(title, note, widget, f"{living(kernel)}\n{start}", inside)
    size = len(html.encode())
    if size > LIMIT:
        raise PairsError(f"the page has {size:,} bytes, more than {LIMIT:,}: save less of it")
    return html


def living(kernel: tuple[Path, ...]) -> str:
    """Return JavaScript that puts a kernel behind a widget."""
    own = source(HERE / "traits.js", HERE / "kept.js", HERE / "living.js")
    return f"{enclosed('kernelOf', *kernel)}\n{own}"


def enclosed(name: str, *files: Path) -> str:
    """Return JavaScript that defines one function; the other names in its files are local, not the widget's."""
    return f"const {name} = (() => {{\n{source(*files)}\nreturn {name};\n}})();"
