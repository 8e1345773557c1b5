"""One HTML file in which a widget's own JavaScript answers to a kernel in JavaScript: no Python, no network."""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from typing import Any

from ...pairs import PairsError

__all__ = ["LIMIT", "as_json", "living", "page_of"]

HERE = Path(__file__).parent
LIMIT = 3_000_000  # bytes of a page


def as_json(value: Any) -> str:
    """Return a value as short JSON that ends no script element: ``<`` is escaped."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.replace("<", r"\u003c")


def page_of(title: str, note: str, widget: Any, kernel: tuple[Path, ...], traits: dict[str, Any], data: Any) -> str:
    """Return a page that shows a widget without a kernel, as HTML.

    Parameters
    ----------
    title, note : str
        The heading, and a sentence below it: the source of the page, and what it leaves out.
    widget : Live
        The source of the page's JavaScript (`_script`) and style (`_css`).
    kernel : paths
        JavaScript that answers the intents of the page in Python's place. It defines `kernelOf`: see
        `living.js`.
    traits : dict
        The widget's traits, but for those that the kernel sets.
    data : plain values
        The first argument of `kernelOf`.

    Raises
    ------
    PairsError
        More than 3 MB.
    """
    script = f"{widget._script}\n{living(kernel)}\n{_read(HERE / 'start.js')}"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:"
    policy += "; base-uri 'none'; form-action 'none'"
    css = widget._css + _read(HERE / "theme.css", HERE / "page.css")
    html = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(title)}</title>
<style>{css}</style></head>
<body><header><h1>{escape(title)}</h1><p>{escape(note)}</p></header>
<main id="page"><noscript>This page needs JavaScript. It asks nothing of the network.</noscript></main>
<script type="application/json" id="data">{as_json({"traits": traits, "data": data})}</script>
<script type="module">{script}</script>
</body></html>
"""
    if (size := len(html.encode())) > LIMIT:
        raise PairsError(f"the page has {size:,} bytes, more than {LIMIT:,}: save less of it")
    return html


def living(kernel: tuple[Path, ...]) -> str:
    """Return JavaScript that puts a kernel behind a widget. Names of the kernel are its own: none is the widget's."""
    own = f"const kernelOf = (() => {{\n{_read(*kernel)}\nreturn kernelOf;\n}})();"
    return f"{own}\n{_read(HERE / 'living.js')}"


def _read(*paths: Path) -> str:
    # One way to end a line, on every system: the policy names the script by its hash.
    return "\n".join(path.read_text(encoding="utf-8").replace("\r\n", "\n") for path in paths)
