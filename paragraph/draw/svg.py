"""A view as SVG: the still twin of a live picture, for places where no script runs."""

from __future__ import annotations

from html import escape

import numpy as np

from .style import CONFLICT, HALO, INK, PAPER, QUIET, Line
from .text import point_width, wrap
from .view import View

__all__ = ["mark", "to_svg"]

SIZE, RADIUS, LEADING, GAP, MARGIN = 14, 13, 19, 8, 16


def to_svg(view: View, width: int = 900, height: int = 520, most: int | None = None) -> str:
    """The picture with its legend, and the numbered sentences beside it; their text is escaped.

    The image is at least `height` pixels high and grows with the list of sentences, up to `most`; the sentences that
    do not fit are counted.
    """
    split = int(width * 0.6)
    # Measured in DejaVu Sans, which comes with matplotlib and is wider than the faces a browser may take.
    measure = point_width(SIZE)
    entries = [wrap(text, width - split - MARGIN - 40, measure) for text in view.texts]
    if most is not None and _depth(entries) > most:
        entries = _cut(entries, most)
    height = max(height, _depth(entries))
    legend = 22 * ((len(view.lines) + 1) // 2)
    # A long list must not pull the picture apart: the drawing keeps to its own height at the top.
    bottom = min(height, max(520, split))
    points = _fit(view, split, bottom, 44, legend)
    curves = [_curve(points[edge.a], points[edge.b], edge.bend) for edge in view.edges]
    drawn = list(zip(view.edges, curves, strict=True))
    title, faint, conflicting = _text(view.title), view.inferred_opacity, view.in_conflict
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-size="{SIZE}" '
            'font-family="DejaVu Sans, Verdana, sans-serif">',
            f'<title>{title}</title><rect width="100%" height="100%" fill="{PAPER}"/>',
            f'<text x="{MARGIN}" y="27" font-weight="600" fill="{INK}">{title}</text>',
            *(_stroke(edge.line, curve, under=True) for edge, curve in drawn if edge.line.halo),
            *(_stroke(edge.line, curve, faint=faint) for edge, curve in drawn),
            *(_node(i, at, i in conflicting) for i, at in enumerate(points)),
            *_legend(view.lines, split, bottom - legend - 6),
            *_list(entries, len(view.texts), split + MARGIN, 60),
            "</svg>",
        ]
    )


def _depth(entries: list[list[str]]) -> int:
    """Return the end of a list, in pixels from the top."""
    return 60 + sum(len(lines) * LEADING + GAP for lines in entries)


def _cut(entries: list[list[str]], most: int) -> list[list[str]]:
    """The entries that fit into `most` pixels with a line below them; long ones are shortened first."""
    entries = [lines if len(lines) <= 4 else [*lines[:3], lines[3][:-1] + "…"] for lines in entries]
    fit = len(entries)
    while fit and _depth(entries[:fit]) + (fit < len(entries)) * LEADING > most:
        fit -= 1
    return entries[:fit]


def _text(text: str) -> str:
    # XML forbids most control characters and surrogates, however they are written.
    return escape("".join(c if c.isprintable() or c == " " else " " for c in text))


def _fit(view: View, width: float, height: float, top: float, bottom: float) -> np.ndarray:
    """Positions in pixels, centred in the box, at most 110 between neighbours."""
    low, high = view.extent
    room = np.array([width, height - top - bottom]) - 2 * (RADIUS + 12)
    scale = min(110.0, *(room / np.maximum(high - low, 1e-9)))
    centre = np.array([width / 2, top + (height - top - bottom) / 2])
    return (view.positions - (low + high) / 2) * scale * [1, -1] + centre


def _curve(start: np.ndarray, end: np.ndarray, bend: float) -> str:
    """A path from start to end; pictures have y downwards, which turns left into (dy, -dx)."""
    (x1, y1), (x2, y2) = start, end
    if not bend:
        return f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"
    x, y = (x1 + x2) / 2 + bend * (y2 - y1), (y1 + y2) / 2 - bend * (x2 - x1)
    return f"M{x1:.1f} {y1:.1f}Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}"


def _stroke(line: Line, path: str, under: bool = False, faint: float = 1) -> str:
    color, width = (HALO, line.width + 7) if under else (line.color, line.width)
    dashes = f' stroke-dasharray="{line.dashes[0]} {line.dashes[1]}"' if line.dashes and not under else ""
    opacity = f' stroke-opacity="{faint:.2f}"' if faint < 1 and line.width < 1 else ""
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"{dashes}{opacity}/>'


def mark(line: Line, path: str) -> str:
    """A line as a legend shows it, on its halo where it has one."""
    return _stroke(line, path, under=True) * line.halo + _stroke(line, path)


def _node(i: int, at: np.ndarray, conflict: bool) -> str:
    x, y = at
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{CONFLICT if conflict else PAPER}" '
        f'stroke="{INK}" stroke-width="1.2"/>'
        f'<text x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle" font-size="13" fill="{INK}">{i + 1}</text>'
    )


def _legend(lines: list[Line], width: float, top: float) -> list[str]:
    drawn = []
    for number, line in enumerate(lines):
        x, y = MARGIN + (number % 2) * width / 2, top + 22 * (number // 2) + 10
        drawn.append(mark(line, f"M{x} {y}h40"))
        drawn.append(f'<text x="{x + 48}" y="{y + 4.5}" font-size="13" fill="{INK}">{line.name}</text>')
    return drawn


def _list(entries: list[list[str]], total: int, x: float, y: float) -> list[str]:
    drawn = []
    for number, lines in enumerate(entries, 1):
        drawn.append(f'<text x="{x + 20}" y="{y}" text-anchor="end" fill="{QUIET}">{number}</text>')
        for text in lines:
            drawn.append(f'<text x="{x + 30}" y="{y}" fill="{INK}">{_text(text)}</text>')
            y += LEADING
        y += GAP
    if len(entries) < total:
        drawn.append(f'<text x="{x + 30}" y="{y}" fill="{QUIET}">and {total - len(entries)} more</text>')
    return drawn
