"""A signed graph as HTML: vis-network draws it, and its still twin is a figure for use without scripts.

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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..files.errors import PairsError
from ..files.outputs import atomic_write
from ..graph import ParaphraseGraph
from ..graph.closure import Closure
from .figures import draw_view, to_svg
from .shared import LIGHT, SPACING
from .style import HALO, INK, QUIET, Line
from .view import View, view_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "ClusterPage",
    "cluster_page",
    "image_of",
    "library",
    "png_image",
    "script_policy",
    "source",
    "svg_image",
]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class ClusterPage:
    """An interactive picture that shows itself in a notebook; `save` writes it to a file."""

    view: View
    height: int
    inputs: Sequence[str] = ()  #: the files that the graph was read from

    def __repr__(self) -> str:
        return f"<ClusterPage: {self.view.title}>"

    @property
    def svg(self) -> str:
        """The still twin."""
        return to_svg(draw_view(self.view), self.view.title)

    @property
    def html(self) -> str:
        """The whole page, about 200 KB, most of it vis-network."""
        return self._page(f"<noscript>{self._image()}</noscript>")

    def save(self, path: str | PathLike) -> Path:
        """Write the page; it opens from disk, without a network."""
        path = Path(path)
        if path.suffix != ".html":
            raise PairsError(
                f"{path.name}: a page is written as HTML; name a file that ends in .html"
            )
        with atomic_write(path, inputs=self.inputs) as part:
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
            f'inset: 0; width: 100%; height: {self.height}px; border: 1px solid {LIGHT["line"]}"></iframe></figure>'
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
<style>:root {{ --quiet: {QUIET}; }}
{source(HERE / "page.css")}</style></head>
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
    return ClusterPage(view_of(graph, cluster, nodes, closure), height, graph.inputs)


def svg_image(svg: str, title: str, style: str = "max-width: 100%") -> str:
    """An SVG as an HTML image, which runs no script and shows in untrusted notebooks."""
    return image_of("svg+xml", svg.encode("utf-8"), title, style)


def png_image(figure: Figure, title: str) -> str:
    """A figure of matplotlib as an HTML image."""
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=110)
    return image_of("png", picture.getvalue(), title)


def image_of(kind: str, data: bytes, title: str, style: str = "max-width: 100%") -> str:
    """A picture of some kind ("png", "svg+xml") as an HTML image."""
    source = _base64(data)
    return f'<img alt="{escape(title)}" style="{style}" src="data:image/{kind};base64,{source}">'


def _network(view: View) -> dict[str, Any]:
    """Return nodes, edges and options for vis-network."""
    nodes = []
    shown = zip(view.inside, view.texts, view.fills, view.positions, strict=True)
    for i, (label, text, fill, (x, y)) in enumerate(shown):
        node = {"id": i, "label": label, "title": text, "shape": "circle"}
        if len(label) > 4:
            node["shape"] = "box"
        node["x"] = round(x * SPACING, 1)
        node["y"] = round(-y * SPACING, 1)
        chosen = {"background": LIGHT["chosen"], "border": INK}
        node["color"] = {"background": fill, "border": INK, "highlight": chosen}
        nodes.append(node)
    edges = []
    for i, (a, b, kind, why) in enumerate(view.edges):
        edge = {"id": i, "from": a, "to": b, "title": why}
        edge["width"] = kind.width
        edge["dashes"] = kind.dashes or False
        color = dict.fromkeys(("color", "highlight", "hover"), kind.color)
        opacity = view.inferred_opacity if kind.width < 1 else 1
        edge["color"] = {**color, "inherit": False, "opacity": opacity}
        if kind.halo:
            edge["background"] = {"enabled": True, "color": HALO, "size": kind.width + 8}
            # vis-network gives only curves a background
            edge["smooth"] = {"enabled": True, "type": "curvedCW", "roundness": 0}
        edges.append(edge)
    options = {
        "physics": False,  # positions are ours: the same seed, the same picture
        "layout": {"improvedLayout": False},
        "nodes": {"font": {"size": 15, "color": INK}, "borderWidth": 1.2},
        "edges": {"selectionWidth": 1.5, "smooth": False},
        "interaction": {"hover": True, "tooltipDelay": 120},
    }
    if not view.named:
        options["nodes"]["widthConstraint"] = 20
    return {"nodes": nodes, "edges": edges, "options": options}


def _legend(line: Line) -> str:
    dashes = f' stroke-dasharray="{line.dashes[0]} {line.dashes[1]}"' if line.dashes else ""
    stroke = f'<path d="M0 7h34" stroke="{line.color}" stroke-width="{line.width}"{dashes}/>'
    ground = f' style="background: {HALO}"' if line.halo else ""
    return f'<span><svg width="34" height="14" aria-hidden="true"{ground}>{stroke}</svg>{line.name}</span>'


@cache
def source(*paths: Path) -> str:
    """Return files of JavaScript or CSS as one text, with the same line ends everywhere: policies name hashes."""
    texts = [path.read_text("utf-8") for path in paths]
    return "\n".join(texts).replace("\r\n", "\n")


@cache
def library() -> bytes:
    """Return vis-network as it ships inside pyvis: the newest build there."""
    spec = find_spec("pyvis")
    folder = Path(spec.submodule_search_locations[0]) if spec else Path()
    found = [*folder.glob("lib/vis-*/vis-network.min.js")]
    if not found:
        raise FileNotFoundError(
            "no vis-network inside the installed pyvis: pip install 'pyvis>=0.3.2'"
        )
    return max(found, key=_version).read_bytes()


def _version(path: Path) -> list[int]:
    numbers = re.findall(r"\d+", path.parent.name)
    return list(map(int, numbers))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


@cache
def _packed_library() -> str:
    packed = gzip.compress(library(), 9, mtime=0)
    return _base64(packed)


@cache
def script_policy() -> str:
    """Return the directive of a Content-Security-Policy that lets the scripts of these pages run, and no other."""
    scripts = (source(HERE / "page.js").encode(), library())
    policy = "script-src"
    for script in scripts:
        digest = hashlib.sha256(script).digest()
        policy += f" 'sha256-{_base64(digest)}'"
    return policy
