"""Sentences as HTML with some of their words shaded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

__all__ = ["Highlighted", "highlighted"]

#: Dark text on white, whatever the theme; no `$` or backslash becomes a formula.
_BOX = '<div class="tex2jax_ignore mathjax_ignore" style="background: #fff; color: #1d2329; padding: 6px 10px; '
_BOX += 'line-height: 1.9; max-width: 60em">'


def highlighted(text: str, words: Iterable[tuple[int, int, float, str]]) -> str:
    """A text as HTML, some words of it shaded.

    Parameters
    ----------
    text : str
    words : iterable of (begin, end, darkness, title)
        In order. Characters; darkness from 0 to 1; what hovering says.

    Examples
    --------
    >>> highlighted("a <b", [(2, 4, 0.5, "p .5")])
    'a <span style="background: rgba(230, 159, 0, 0.50); border-radius: 3px" title="p .5">&lt;b</span>'
    """
    found = []
    at = 0
    for begin, end, dark, title in words:
        # Okabe and Ito's orange: black text on it is legible at any strength
        style = f"background: rgba(230, 159, 0, {min(1.0, max(0.0, dark)):.2f}); border-radius: 3px"
        word = f'<span style="{style}" title="{escape(title)}">{escape(text[begin:end])}</span>'
        found += [escape(text[at:begin]), word]
        at = end
    return "".join(found) + escape(text[at:])


@dataclass(frozen=True, repr=False)
class Highlighted:
    """Lines of HTML in a box, with the same in plain text for where HTML cannot be shown."""

    lines: list[tuple[str, str]]  #: what stands before a line, and the line as HTML
    caption: str
    plain: str

    def __repr__(self) -> str:
        return self.plain

    def _repr_html_(self) -> str:
        body = "".join(
            f"<div><small>{escape(name)}</small> {line}</div>" for name, line in self.lines
        )
        return f"{_BOX}{body}<small>{escape(self.caption)}</small></div>"
