"""A signed graph as an interactive page: made with pyvis, self-contained, safe with sentences from strangers.

Safe means: nodes are integers; sentences are JSON that the page shows as text; the only scripts are two whose
hashes the page's own policy names, so one smuggled into a sentence would not run even if it got through; a
notebook shows the page in an iframe that may run scripts and nothing else. (Left to itself, pyvis puts titles
through `innerHTML`, and its pages ask a CDN for bootstrap.)
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ..pairs.outputs import beside
from ..words.shared import mark_rare
from .style import CONFLICT, HALO, INK, PAPER, Line, line
from .svg import mark, to_svg
from .view import View, view_of

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph
    from ..graph.closure import Closure
    from ..words.shared import Span

__all__ = ["ClusterPage", "cluster_page", "library", "script_policy", "shared_script", "svg_image"]

HERE = Path(__file__).parent
SPACING = 95  # pixels between neighbours


@dataclass(frozen=True)
class ClusterPage:
    """An interactive picture: shows itself in a notebook, or goes to a file with `save`."""

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
        with beside(path) as part:
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
        return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{escape(self.view.title)}</title>
<style>{_file("page.css")}</style></head>
<body>{still}<h1>{escape(self.view.title)}</h1>
<div id="net"><div id="zoom"><button id="in" title="Zoom in" aria-label="Zoom in">+</button>
<button id="out" title="Zoom out" aria-label="Zoom out">−</button>
<button id="fit" title="Show all" aria-label="Show all">⤢</button></div>
<div id="canvas" style="height: 100%"></div></div>
<div id="legend">{"".join(map(_legend, self.view.lines))}</div>
<div id="side"><div id="labels" aria-live="polite"></div><ol id="sentences"></ol></div>
<script type="application/json" id="data">{data}</script>
<script type="text/plain" id="library">{_packed_library()}</script>
<script>{_script()}</script>
</body></html>
"""


def cluster_page(
    graph: ParaphraseGraph,
    cluster: int | Iterable[int] | None = None,
    nodes: Iterable[int] | None = None,
    closure: Closure | None = None,
    height: int = 520,
    limit: int = 80,
    seed: int = 0,
) -> ClusterPage:
    """An interactive picture of a cluster, of several, or of the given nodes.

    Drag nodes, hover to read, click a sentence or a line to see the rows it comes from. Parameters as in
    `view.view_of`; `height` in pixels. Each picture adds about 200 KB to a notebook.

    Examples
    --------
    >>> import pandas as pd, paragraph as pg
    >>> pairs = pd.DataFrame({"text_a": ["Hi!", "Hello!"], "text_b": ["Hello!", "Hey!"], "label": [1, 1]})
    >>> graph = pg.ParaphraseGraph.from_pairs(pairs)
    >>> cluster_page(graph, cluster=0)
    <ClusterPage: Cluster 0: 3 sentences>
    """
    return ClusterPage(view_of(graph, cluster, nodes, closure, limit, seed), height)


def svg_image(svg: str, title: str, style: str = "max-width: 100%") -> str:
    """An SVG as an HTML image, which runs no script and shows in untrusted notebooks."""
    source = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    return f'<img alt="{escape(title)}" style="{style}" src="data:image/svg+xml;base64,{source}">'


def _network(view: View) -> dict:
    """Nodes, edges and options as pyvis hands them to vis-network, and the sentences for the list."""
    from pyvis.network import Network

    # Directed, because for each undirected edge pyvis searches all others; without arrows it looks the same.
    network = Network(directed=True)
    faint, conflicting = view.inferred_opacity, view.in_conflict
    for i, (text, (x, y)) in enumerate(zip(view.texts, view.positions, strict=True)):
        fill = CONFLICT if i in conflicting else PAPER
        network.add_node(
            i, label=str(i + 1), title=text, shape="circle",
            x=round(x * SPACING, 1), y=round(-y * SPACING, 1),
            color={"background": fill, "border": INK, "highlight": {"background": "#DCEBF5", "border": INK}},
        )  # fmt: skip
    for i, (a, b, kind, bend, why) in enumerate(view.edges):
        network.add_edge(
            a, b, id=i, title=why, arrows="", width=kind.width, dashes=list(kind.dashes or ()) or False,
            color={
                "color": kind.color, "highlight": kind.color, "hover": kind.color, "inherit": False,
                "opacity": faint if kind.width < 1 else 1,
            },
            background={"enabled": kind.halo, "color": HALO, "size": kind.width + 8},
            smooth=_curve(bend) if bend or kind.halo else False,  # vis-network gives only curves a background
        )  # fmt: skip
    network.options = {
        "physics": False,  # positions are ours: the same seed, the same picture
        "layout": {"improvedLayout": False},
        "nodes": {"font": {"size": 15, "color": INK}, "borderWidth": 1.2, "widthConstraint": 20},
        "edges": {"selectionWidth": 1.5},
        "interaction": {"hover": True, "tooltipDelay": 120, "zoomView": False},
    }
    nodes, edges, *_, options = network.get_network_data()
    return {"nodes": nodes, "edges": edges, "options": json.loads(options), "sentences": _sentences(view)}


def _sentences(view: View) -> list[list[Span]]:
    """The sentences as spans: marked are words that most of those joined by a stated paraphrase lack."""
    near: list[list[str]] = [[] for _ in view.texts]
    for edge in view.edges:
        if edge.line in (line(1), line(1, conflict=True)):
            near[edge.a].append(view.texts[edge.b])
            near[edge.b].append(view.texts[edge.a])
    return [mark_rare(text, others) for text, others in zip(view.texts, near, strict=True)]


def _curve(bend: float) -> dict:
    return {"enabled": True, "type": "curvedCW" if bend >= 0 else "curvedCCW", "roundness": abs(bend)}


def _legend(line: Line) -> str:
    return f'<span><svg width="34" height="14" aria-hidden="true">{mark(line, "M0 7h34")}</svg>{line.name}</span>'


@cache
def _file(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8").replace("\r\n", "\n")


#: Parts that pages and live pictures share: elements made safely, and the list of sentences.
SHARED = ("dom.js", "sentences.js")


@cache
def shared_script() -> str:
    """The JavaScript that pages and live pictures have in common."""
    return "\n".join(map(_file, SHARED))


def _script() -> str:
    return f"'use strict';\n{shared_script()}\n{_file('page.js')}"


@cache
def library() -> bytes:
    """vis-network as it ships inside pyvis: the newest build that is there."""
    spec = find_spec("pyvis")
    folder = Path(spec.submodule_search_locations[0]) if spec else Path()
    found = sorted(folder.glob("lib/vis-*/vis-network.min.js"), key=lambda path: _version(path.parent.name))
    if not found:
        raise FileNotFoundError("no vis-network inside the installed pyvis: pip install 'pyvis>=0.3.2'")
    return found[-1].read_bytes()


def _version(folder: str) -> tuple[int, ...]:
    return tuple(int(part) for part in folder.removeprefix("vis-").split(".") if part.isdigit())


@cache
def _packed_library() -> str:
    return base64.b64encode(gzip.compress(library(), 9, mtime=0)).decode("ascii")


@cache
def script_policy() -> str:
    """The directive of a Content-Security-Policy that lets the scripts of these pages run, and no other."""
    hashes = [
        base64.b64encode(hashlib.sha256(script).digest()).decode("ascii")
        for script in (_script().encode("utf-8"), library())
    ]
    return "script-src " + " ".join(f"'sha256-{digest}'" for digest in hashes)
