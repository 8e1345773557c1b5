"""Colours and numbers that Python, JavaScript and CSS share: the one table is ``shared.json``.

Colours of signs are those of Okabe and Ito (2008), "Color universal design": distinct with every common kind of
colour blindness. Yellow (`halo`, and its tint `conflict`) stands for a contradiction, and for nothing else.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = [
    "CAMPS",
    "DARK",
    "LIGHT",
    "LISTED",
    "NEIGHBOURS",
    "NUMBERED",
    "ON_TABLE",
    "OPEN",
    "PAGE",
    "RAMP",
    "SHARED",
    "SPACING",
    "STILL",
    "THEME_CSS",
    "VARIABLES_CSS",
    "constants",
    "tint",
]  # fmt: skip

_TABLE = Path(__file__).with_name("shared.json")
SHARED: dict[str, Any] = json.loads(_TABLE.read_text("utf-8"))

LIGHT: dict[str, str] = SHARED["LIGHT"]  #: colours by name, on white
DARK: dict[str, str] = SHARED["DARK"]  #: the same on black
#: of camps, parts and names; the last stands for all other names
CAMPS: list[str] = SHARED["CAMPS"]
#: numbers from low to high; each can be seen on white and on black
RAMP: list[str] = SHARED["RAMP"]
SPACING: int = SHARED["SPACING"]  #: pixels between neighbouring sentences
NUMBERED: int = SHARED["NUMBERED"]  #: things that one key each answers by number
PAGE: int = SHARED["PAGE"]  #: entries on one page of a list
LISTED: int = SHARED["LISTED"]  #: sentences or pairs at most that an explanation lists
NEIGHBOURS: int = SHARED["NEIGHBOURS"]  #: clusters at most that are drawn beside the open ones
OPEN: int = SHARED["OPEN"]  #: clusters at most that are shown as sentences
STILL: int = SHARED["STILL"]  #: sentences of a still picture
ON_TABLE: int = SHARED["ON_TABLE"]  #: nodes at most on the table of a Triad Lab

#: What JupyterLab's theme calls some of the colours.
JUPYTER = {
    "ink": "--jp-ui-font-color1", "quiet": "--jp-ui-font-color2", "paper": "--jp-layout-color1",
    "soft": "--jp-layout-color2", "line": "--jp-border-color2", "focus": "--jp-brand-color1",
}  # fmt: skip


def constants() -> str:
    """Return the table as JavaScript: one constant for each of its names."""
    return "".join(f"const {name} = {json.dumps(value)};\n" for name, value in SHARED.items())


def tint(color: str, share: float = 0.4) -> str:
    """Return a share of a colour on white, on which text can be read.

    >>> tint("#56B4E9")
    '#BBE1F6'
    """
    shade = "#"
    for part in bytes.fromhex(color[1:]):
        lighter = 255 - share * (255 - part)
        shade += f"{round(lighter):02X}"
    return shade


def _variables(colors: dict[str, str]) -> str:
    """Return colours as CSS variables ``--pg-…``; those of JupyterLab's theme go first."""
    values = dict(colors)
    for name, theirs in JUPYTER.items():
        values[name] = f"var({theirs}, {colors[name]})"
    return " ".join(f"--pg-{name}: {value};" for name, value in values.items())


def _theme(colors: dict[str, str]) -> str:
    """Return the CSS of a page outside JupyterLab, with what JupyterLab's theme would set."""
    own = " ".join(f"{theirs}: {colors[name]};" for name, theirs in JUPYTER.items())
    return f"body {{ {own} color: {colors['ink']}; background: {colors['paper']}; }}"


#: The colours as CSS variables, in both themes.
VARIABLES_CSS = (
    f":root, .pg-live, .pg-own, .pg-onepage {{ {_variables(LIGHT)} }}\n"
    f".pg-live.pg-dark {{ {_variables(DARK)} }}\n"
)
#: The colours of a page outside JupyterLab, light or dark as the system is.
THEME_CSS = f""":root {{ color-scheme: light dark; }}
{_theme(LIGHT)}
@media (prefers-color-scheme: dark) {{ {_theme(DARK)} }}
"""
