"""A signed graph as HTML: pyvis draws it, and its still twin is an SVG for use without scripts.

Both are self-contained and safe with sentences from strangers: nodes are integers; vis-network shows titles as text;
the page's policy names the hashes of its two scripts, so no other script runs; a notebook shows it in an iframe that
may run scripts and nothing else. (pyvis's own page puts titles through `innerHTML`, and asks a CDN for bootstrap.)
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..files.outputs import written
from ..graph import ParaphraseGraph
from ..graph.closure import Closure
from .style import HALO, INK, PAPER, QUIET, Line, point_width, wrap
from .view import View, view_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ClusterPage", "cluster_page", "library", "png_image", "script_policy", "source", "svg_image", "to_svg"]

HERE = Path(__file__).parent
SPACING = 95  # pixels between neighbours
SIZE, RADIUS, LEADING, GAP, MARGIN = 14, 13, 19, 8, 16  # pixels, of the SVG


@dataclass(frozen=True)
class ClusterPage:
    """An interactive picture that shows itself in a notebook; `save` writes it to a file."""

    view: View
    height: int

    def __repr__(self) -> str:
        return f"<ClusterPage: {self.view.title}>"

    @property
    def svg(self) -> str:
        """The still twin, as high as the live picture."""
        return to_svg(self.view, height=self.height, most=self.height)

    @property
    def html(self) -> str:
        """The whole page, about 200 KB, most of it vis-network."""
        return self._page(f"<noscript>{self._image()}</noscript>")

    def save(self, path: str | PathLike) -> Path:
        """Write the page; it opens from disk, without a network."""
        path = Path(path)
        with written(path) as part:
            part.write_text(self.html, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        # The still twin lies under the live one and shows where the iframe is dropped (an untrusted notebook)
        # or runs no script.
        page = escape(self._page(""))
        title = escape(self.view.title)
        return (
            f'<figure style="position: relative; margin: 0; min-height: {self.height}px">'
            f"{self._image()}"
            f'<iframe title="{title}" sandbox="allow-scripts" srcdoc="{page}" style="position: absolute; '
            f'inset: 0; width: 100%; height: {self.height}px; border: 1px solid #d9dee3"></iframe></figure>'
        )

    def _image(self) -> str:
        return svg_image(self.svg, self.view.title, f"max-width: 100%; max-height: {self.height}px")

    def _page(self, still: str) -> str:
        policy = f"default-src 'none'; {script_policy()}; style-src 'unsafe-inline'; img-src data:"
        data = json.dumps(_network(self.view), separators=(",", ":"))
        data = data.replace("<", r"\u003c")  # in JSON the same, and no end of a script element
        title = escape(self.view.title)
        return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{source(HERE / "page.css")}</style></head>
<body>{still}<h1>{title}</h1><div id="net"></div>
<p>{" ".join(map(_legend, self.view.lines))}</p>
<ol>{"".join(f"<li>{escape(text)}</li>" for text in self.view.texts)}</ol>
<script type="application/json" id="data">{data}</script>
<script type="text/plain" id="library">{_packed_library()}</script>
<script>{source(HERE / "page.js")}</script>
</body></html>
"""


def cluster_page(
    graph: ParaphraseGraph,
    cluster: int | Iterable[int] | None = None,
    nodes: Iterable[int] | None = None,
    closure: Closure | None = None,
    height: int = 520,
) -> ClusterPage:
    """Make an interactive picture of a cluster, of several, or of the given nodes.

    Drag nodes; point at a sentence to read it, and at a line for the rows it comes from. Parameters as in
    `view.view_of`; `height` in pixels. Each picture adds about 200 KB to a notebook.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["Hi!", "Hello!"], "text_b": ["Hello!", "Hey!"], "label": [1, 1]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> cluster_page(graph, cluster=0)
    <ClusterPage: Cluster 0: 3 sentences>
    """
    return ClusterPage(view_of(graph, cluster, nodes, closure), height)


def svg_image(svg: str, title: str, style: str = "max-width: 100%") -> str:
    """An SVG as an HTML image, which runs no script and shows in untrusted notebooks."""
    return _image("svg+xml", svg.encode("utf-8"), title, style)


def png_image(figure: Figure, title: str) -> str:
    """A figure of matplotlib as an HTML image."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)
    return _image("png", picture.getvalue(), title, "max-width: 100%")


def _image(kind: str, data: bytes, title: str, style: str) -> str:
    source = base64.b64encode(data).decode("ascii")
    return f'<img alt="{escape(title)}" style="{style}" src="data:image/{kind};base64,{source}">'


def _network(view: View) -> dict:
    """Return nodes, edges and options as pyvis passes them to vis-network."""
    from pyvis.network import Network

    # Directed, because pyvis searches all others for each undirected edge; without arrows it looks the same.
    network = Network(directed=True)
    faint, inside, fills = view.inferred_opacity, view.inside, view.fills
    for i, (text, (x, y)) in enumerate(zip(view.texts, view.positions, strict=True)):
        network.add_node(
            i, label=inside[i], title=text, shape="box" if len(inside[i]) > 4 else "circle",
            x=round(x * SPACING, 1), y=round(-y * SPACING, 1),
            color={"background": fills[i], "border": INK, "highlight": {"background": "#DCEBF5", "border": INK}},
        )  # fmt: skip
    for i, (a, b, kind, bend, why) in enumerate(view.edges):
        way = {"enabled": True, "type": "curvedCW" if bend >= 0 else "curvedCCW", "roundness": abs(bend)}
        network.add_edge(
            a, b, id=i, title=why, arrows="", width=kind.width, dashes=list(kind.dashes or ()) or False,
            color={
                "color": kind.color, "highlight": kind.color, "hover": kind.color, "inherit": False,
                "opacity": faint if kind.width < 1 else 1,
            },
            background={"enabled": kind.halo, "color": HALO, "size": kind.width + 8},
            smooth=way if bend or kind.halo else False,  # vis-network gives only curves a background
        )  # fmt: skip
    network.options = {
        "physics": False,  # positions are ours: the same seed, the same picture
        "layout": {"improvedLayout": False},
        "nodes": {"font": {"size": 15, "color": INK}, "borderWidth": 1.2}
        | ({} if view.named else {"widthConstraint": 20}),
        "edges": {"selectionWidth": 1.5},
        "interaction": {"hover": True, "tooltipDelay": 120},
    }
    nodes, edges, *_, options = network.get_network_data()
    return {"nodes": nodes, "edges": edges, "options": json.loads(options)}


def _legend(line: Line) -> str:
    mark = f'<svg width="34" height="14" aria-hidden="true">{_mark(line, "M0 7h34")}</svg>'
    return f"<span>{mark}{line.name}</span>"


@cache
def source(*paths: Path) -> str:
    """Return files of JavaScript or CSS as one text, with the same line ends everywhere: policies name hashes."""
    return "\n".join(path.read_text("utf-8").replace("\r\n", "\n") for path in paths)


@cache
def library() -> bytes:
    """Return vis-network as it ships inside pyvis: the newest build there."""
    spec = find_spec("pyvis")
    folder = Path(spec.submodule_search_locations[0]) if spec else Path()
    found = [*folder.glob("lib/vis-*/vis-network.min.js")]
    if not found:
        raise FileNotFoundError("no vis-network inside the installed pyvis: pip install 'pyvis>=0.3.2'")
    return max(found, key=lambda path: [*map(int, re.findall(r"\d+", path.parent.name))]).read_bytes()


@cache
def _packed_library() -> str:
    return base64.b64encode(gzip.compress(library(), 9, mtime=0)).decode("ascii")


@cache
def script_policy() -> str:
    """Return the directive of a Content-Security-Policy that lets the scripts of these pages run, and no other."""
    digests = [
        base64.b64encode(hashlib.sha256(code).digest()).decode()
        for code in (source(HERE / "page.js").encode(), library())
    ]
    return "script-src " + " ".join(f"'sha256-{digest}'" for digest in digests)


# -- the still twin ----------------------------------------------------------------------------------------


def to_svg(view: View, width: int = 900, height: int = 520, most: int | None = None) -> str:
    """Return the picture with its legend, and the numbered sentences beside it; their text is escaped.

    The image is at least `height` pixels high and grows with the list of sentences, up to `most`; the sentences that
    do not fit are counted.
    """
    split = int(width * 0.6) if view.beside else width
    # Measured in DejaVu Sans, which comes with matplotlib and is wider than the faces a browser may take.
    entries = [wrap(text, width - split - MARGIN - 40, point_width(SIZE)) for text in view.beside]
    if most is not None and _depth(entries) > most:  # long ones are shortened, then the last left out
        entries = [lines if len(lines) <= 4 else [*lines[:3], lines[3][:-1] + "…"] for lines in entries]
        fit = len(entries)
        while fit and _depth(entries[:fit]) + (fit < len(entries)) * LEADING > most:
            fit -= 1
        entries = entries[:fit]
    height = max(height, _depth(entries))
    small = point_width(13)
    columns = 1 + all(small(line.name) + 60 < split / 2 for line in view.lines)
    legend = 22 * (-(-len(view.lines) // columns))
    # A long list must not stretch the picture: the drawing keeps its own height at the top.
    bottom = min(height, max(520, split))
    title, faint = _text(view.title), view.inferred_opacity
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" font-size="{SIZE}" font-family="DejaVu Sans, Verdana, sans-serif">'
        f'<title>{title}</title><rect width="100%" height="100%" fill="{PAPER}"/>'
        f'<text x="{MARGIN}" y="27" font-weight="600" fill="{INK}">{title}</text>'
    ]
    halves = [max(RADIUS, small(text) / 2 + 6) for text in view.inside]
    points = _fit(view, split, bottom, 44, legend, max(halves, default=RADIUS))
    for color, corners in view.grounds:
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in points[corners])
        look = f'fill="{color}" stroke="{color}" stroke-width="40" stroke-linejoin="round"'
        drawn.append(f'<path d="M{way}Z" {look}/>')
    curves = [_curve(points[edge.a], points[edge.b], edge.bend) for edge in view.edges]
    drawn += [_halo(edge.line, way) for edge, way in zip(view.edges, curves, strict=True)]
    drawn += [_stroke(edge.line, way, faint) for edge, way in zip(view.edges, curves, strict=True)]
    for text, fill, half, (x, y) in zip(view.inside, view.fills, halves, points, strict=True):
        drawn.append(
            f'<rect x="{x - half:.1f}" y="{y - RADIUS:.1f}" width="{2 * half:.1f}" height="{2 * RADIUS}" '
            f'rx="{RADIUS}" fill="{fill}" stroke="{INK}" stroke-width="1.2"/><text x="{x:.1f}" y="{y + 4.5:.1f}" '
            f'text-anchor="middle" font-size="13" fill="{INK}">{_text(text)}</text>'
        )
    for i, line in enumerate(view.lines):
        x, y = MARGIN + (i % columns) * split / 2, bottom - legend + 4 + 22 * (i // columns)
        drawn.append(_mark(line, f"M{x} {y}h40"))
        drawn.append(f'<text x="{x + 48}" y="{y + 4.5}" font-size="13" fill="{INK}">{line.name}</text>')
    x, y = split + MARGIN + 20, 60
    for number, lines in enumerate(entries, 1):
        drawn.append(f'<text x="{x}" y="{y}" text-anchor="end" fill="{QUIET}">{number}</text>')
        for text in lines:
            drawn.append(f'<text x="{x + 10}" y="{y}" fill="{INK}">{_text(text)}</text>')
            y += LEADING
        y += GAP
    if len(entries) < len(view.beside):
        drawn.append(f'<text x="{x + 10}" y="{y}" fill="{QUIET}">and {len(view.beside) - len(entries)} more</text>')
    return "".join([*drawn, "</svg>"])


def _depth(entries: list[list[str]]) -> int:
    """Return the end of a list, in pixels from the top."""
    return 60 + sum(len(lines) * LEADING + GAP for lines in entries)


def _text(text: str) -> str:
    # XML forbids most control characters and surrogates, however they are written.
    return escape("".join(c if c.isprintable() or c == " " else " " for c in text))


def _fit(view: View, width: float, height: float, top: float, bottom: float, half: float) -> np.ndarray:
    """Return positions in pixels, centred in the box, at most 110 between neighbours."""
    low, high = view.extent
    room = np.array([width - 2 * half, height - top - bottom - 2 * RADIUS]) - 24
    scale = min(110.0, *(room / np.maximum(high - low, 1e-9)))
    centre = np.array([width / 2, top + (height - top - bottom) / 2])
    return (view.positions - (low + high) / 2) * scale * [1, -1] + centre


def _curve(start: np.ndarray, end: np.ndarray, bend: float) -> str:
    """Return a path from start to end; pictures have y downwards, which turns left into (dy, -dx)."""
    (x1, y1), (x2, y2) = start, end
    x, y = (x1 + x2) / 2 + bend * (y2 - y1), (y1 + y2) / 2 - bend * (x2 - x1)
    return f"M{x1:.1f} {y1:.1f}" + (f"Q{x:.1f} {y:.1f} {x2:.1f} {y2:.1f}" if bend else f"L{x2:.1f} {y2:.1f}")


def _halo(line: Line, way: str) -> str:
    return f'<path d="{way}" fill="none" stroke="{HALO}" stroke-width="{line.width + 7}"/>' if line.halo else ""


def _stroke(line: Line, way: str, faint: float = 1) -> str:
    dashes = f' stroke-dasharray="{line.dashes[0]} {line.dashes[1]}"' if line.dashes else ""
    opacity = f' stroke-opacity="{faint:.2f}"' if faint < 1 and line.width < 1 else ""
    return f'<path d="{way}" fill="none" stroke="{line.color}" stroke-width="{line.width}"{dashes}{opacity}/>'


def _mark(line: Line, way: str) -> str:
    """Return a line as a legend shows it, on its halo if it has one."""
    return _halo(line, way) + _stroke(line, way)
