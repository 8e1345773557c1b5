"""A cluster as an interactive page of one file: pyvis describes the network, its vis-network draws it.

The page is self-contained and safe with sentences from strangers: nodes are integers; vis-network shows titles as
text; the page's policy names the hashes of its two scripts, so no other script runs; a notebook shows it in an iframe
that may run scripts and nothing else. (The page that pyvis writes puts titles through `innerHTML`, and asks a CDN for
bootstrap.)
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from os import PathLike
from pathlib import Path

from ..files.errors import PairsError
from ..files.outputs import atomic_write
from ..graph import ParaphraseGraph
from ..graph.closure import Closure
from ..graph.proof import explain
from .figures import draw_view, to_svg
from .page import source, svg_image
from .shared import LIGHT, SPACING
from .style import HALO, INK, QUIET, Line
from .view import View, view_of

__all__ = ["ClusterPage", "cluster_page", "script_policy"]

HERE = Path(__file__).parent
OPTIONS = {
    "physics": False,  # positions are ours: the same seed, the same picture
    "layout": {"improvedLayout": False},
    "nodes": {"font": {"size": 15, "color": INK}, "borderWidth": 1.2, "widthConstraint": 20},
    "edges": {"selectionWidth": 1.5, "smooth": False},
    "interaction": {"hover": True, "tooltipDelay": 120},
}


@dataclass(frozen=True)
class ClusterPage:
    """An interactive picture that shows itself in a notebook; `save` writes it to a file."""

    graph: ParaphraseGraph
    view: View
    height: int

    def __repr__(self) -> str:
        return f"<ClusterPage: {self.view.title}>"

    @property
    def html(self) -> str:
        """The whole page, about 200 KB, most of it vis-network; without scripts, its still picture."""
        return self._page(f"<noscript>{self._still()}</noscript>")

    def _still(self) -> str:
        return svg_image(to_svg(draw_view(self.view), self.view.title), self.view.title)

    def _page(self, still: str) -> str:
        title = escape(self.view.title)
        policy = f"default-src 'none'; {script_policy()}; style-src 'unsafe-inline'; img-src data:"
        data = json.dumps(self._network(), separators=(",", ":"))
        data = data.replace("<", r"\u003c")  # in JSON the same, and no end of a script element
        packed = base64.b64encode(gzip.compress(_library(), 9, mtime=0)).decode("ascii")
        items = [f"<li>{escape(text)}</li>" for text in self.view.texts]
        return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>:root {{ --quiet: {QUIET}; }}
{source(HERE / "network.css")}</style></head>
<body>{still}<h1>{title}</h1><div id="net"></div>
<p>{" ".join(map(_legend, self.view.lines))}</p>
<ol>{"".join(items)}</ol>
<script type="application/json" id="data">{data}</script>
<script type="text/plain" id="library">{packed}</script>
<script>{source(HERE / "network.js")}</script>
</body></html>
"""

    def save(self, path: str | PathLike) -> Path:
        """Write the page; it opens from disk, without a network."""
        path = Path(path)
        if path.suffix != ".html":
            raise PairsError(f"{path.name}: a page is written as HTML; end its name in .html")
        with atomic_write(path, inputs=self.graph.inputs) as part:
            part.write_text(self.html, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        # The still picture lies under the live one: it shows where the iframe is dropped (in an untrusted notebook)
        # or runs no script.
        title = escape(self.view.title)
        page = escape(self._page(""))
        style = f"width: 100%; height: {self.height}px; border: 1px solid {LIGHT['line']}"
        return (
            f'<figure style="position: relative; margin: 0; min-height: {self.height}px">{self._still()}'
            f'<iframe title="{title}" sandbox="allow-scripts" srcdoc="{page}" style="position: absolute; '
            f'inset: 0; {style}"></iframe></figure>'
        )

    def _network(self) -> dict[str, Sequence]:
        """The nodes and the edges of the picture, as vis-network takes them, and its options."""
        from pyvis.network import Network

        view = self.view
        network = Network()
        for i, text in enumerate(view.texts):
            x, y = view.positions[i] * SPACING
            chosen = {"background": LIGHT["chosen"], "border": INK}
            color = {"background": view.fills[i], "border": INK, "highlight": chosen}
            place = {"x": round(float(x), 1), "y": round(float(-y), 1)}
            network.add_node(i, str(i + 1), title=text, shape="circle", color=color, **place)
        for a, b, line in view.edges:
            look = {"width": line.width, "dashes": line.dashes or False}
            look["color"] = dict.fromkeys(("color", "highlight", "hover"), line.color)
            if line.halo:
                look["background"] = {"enabled": True, "color": HALO, "size": line.width + 8}
                # vis-network gives only curves a background
                look["smooth"] = {"enabled": True, "type": "curvedCW", "roundness": 0}
            why = explain(self.graph, view.texts[a], view.texts[b])
            network.add_edge(a, b, title=str(why), **look)
        return {"nodes": network.nodes, "edges": network.edges, "options": OPTIONS}


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
    return ClusterPage(graph, view_of(graph, cluster, nodes, closure), height)


@cache
def _library() -> bytes:
    """Return vis-network as it ships inside pyvis: the newest build there."""
    import pyvis

    builds = Path(pyvis.__file__).with_name("lib").glob("vis-*/vis-network.min.js")
    return max(builds).read_bytes()


@cache
def script_policy() -> str:
    """Return the directive of a Content-Security-Policy that lets the scripts of these pages run, and no other."""
    policy = "script-src"
    for script in (source(HERE / "network.js").encode(), _library()):
        digest = hashlib.sha256(script).digest()
        policy += f" 'sha256-{base64.b64encode(digest).decode('ascii')}'"
    return policy


def _legend(line: Line) -> str:
    dashes = f' stroke-dasharray="{line.dashes[0]} {line.dashes[1]}"' if line.dashes else ""
    ground = f' style="background: {HALO}"' if line.halo else ""
    stroke = f'<path d="M0 7h34" stroke="{line.color}" stroke-width="{line.width}"{dashes}/>'
    return f'<span><svg width="34" height="14" aria-hidden="true"{ground}>{stroke}</svg>{line.name}</span>'
