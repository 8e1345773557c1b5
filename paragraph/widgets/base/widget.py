"""The base of live pictures: a list beside a signed graph beside an explanation, and its still twin."""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Callable, Mapping
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets

from ...draw.figures import draw_view, to_svg
from ...draw.page import image_of, source, svg_image
from ...files import PairsError
from ...learn.logistic import one_blas_thread
from ..pages.living import as_json
from .live import LIVE_CSS, Live, Refused, State, save_as, script
from .records import Plain

if TYPE_CHECKING:
    from IPython.display import SVG

    from ...draw.view import View

__all__ = ["LAYERS", "Bench", "Refused"]

#: The kinds of label, and whether each is visible at first; inferred ones up to `distance`.
LAYERS = {"positive": True, "negative": True, "conflicts": True, "inferred_positive": False,
          "inferred_negative": False, "distance": 1}  # fmt: skip

#: The values of a layer, by the type of its first one.
VALUES = {bool: "True or False", int: "1 or more"}
PART = 1_000_000  # letters of one message: of an answer that is longer there are several
HERE = Path(__file__).parent
PARTS = (
    "asking", "palette", "list", "clusters", "hulls", "lines", "grid", "lettering", "graph",
    "picture", "roster", "words", "why", "controls", "layers", "help", "decide", "start",
)  # fmt: skip


class Bench(Live):
    """The base of every bench: the traits that its page shares with Python, and still pictures of the screen."""

    _script = script(*(HERE / f"{part}.js" for part in PARTS))
    _esm = f"{_script}\nexport default {{ render }};\n"
    _css = LIVE_CSS + source(HERE / "style.css")
    _layers = LAYERS  # those that there are, as they are at first
    _questions: Mapping[str, Callable[..., Any]] = {}  # those of the page, and who answers them

    layers = State(LAYERS)  #: which kinds of label are shown, and up to what distance
    placed = State()  #: where a node was put by hand, by key: [x, y] in pixels
    selected = traitlets.List(traitlets.Unicode())  #: keys of chosen nodes
    name = traitlets.Unicode("Explorer")
    height = traitlets.Int(600)
    #: what the page drew last: `title`, `image` (PNG, base64), `sentences` with their numbers, how many are `left`
    snapshot = traitlets.Dict()

    @traitlets.validate("placed")
    def _check_placed(self, proposal: Plain) -> dict[str, list[float]]:
        for key, spot in proposal["value"].items():
            numbers = isinstance(spot, list | tuple) and all(
                isinstance(one, int | float) for one in spot
            )
            if not (numbers and len(spot) == 2 and all(map(math.isfinite, spot))):
                raise Refused(f"the place {spot!r} of {key!r} is not two numbers")
        return proposal["value"]

    @traitlets.validate("layers")
    def _check_layers(self, proposal: Plain) -> Plain:
        layers = proposal["value"]
        odd = sorted(map(str, layers.keys() ^ self._layers.keys()))
        if odd:
            names = ", ".join(self._layers)
            raise Refused(
                f"layers are {names}; unknown or missing: {', '.join(odd)}; change some: .layers | {{...}}"
            )
        for name, value in layers.items():
            kind = type(self._layers[name])
            if type(value) is not kind or (kind is int and value < 1):
                raise Refused(f"layer {name!r} is {value!r}, not {VALUES[kind]}")
        return layers

    def on_ready(self) -> None:
        """A page shows the bench."""

    def on_ask(self, key: str, question: str, content: Plain) -> None:
        """Answer a question of the page; send a long answer in parts."""
        if question not in self._questions:
            raise PairsError(f"no such question: {question!r:.50}")
        try:
            answer = {"value": self._questions[question](**content)}
        except Exception as error:  # the page goes on
            self.log.warning("not answered: %.500r", content, exc_info=True)
            answer = {"error": str(error)}
        text = as_json(answer)
        for end in range(PART, len(text) + PART, PART):
            self.send(
                {"answer": key, "part": text[end - PART : end], "left": max(0, len(text) - end)}
            )

    # -- still pictures ------------------------------------------------------------------------------------

    def _still(self) -> View:
        """Return the view that is drawn until a page has sent its own picture."""
        raise NotImplementedError

    def figure(self) -> SVG:
        """Return a picture of the screen."""
        from IPython.display import SVG

        return SVG(self._drawn()[1])

    def _drawn(self) -> tuple[str, str]:
        """Return the title and the SVG of what Python draws."""
        with one_blas_thread():
            view = self._still()
        return view.title, to_svg(draw_view(view), view.title)

    def _page(self) -> str:
        """Return the page that `save` writes."""
        raise NotImplementedError

    def save(self, path: str | PathLike) -> Path:
        """Write the bench to ``.html`` (a live page that needs no network), or its picture to ``.svg``.

        An Explorer writes all of itself to ``.html``, for a person without Python: list, search, pictures and
        explanations, in at most 3 MB. For a large graph, the page holds the clusters with conflicts, then the
        largest, and says what is left out. A review writes an Explorer that opens at its item. A Triad Lab writes
        itself, with exercises for a class. The picture is that of `figure`; a figure for print is
        `paragraph.draw.draw_cluster`.
        """
        graph = getattr(self, "graph", None)
        inputs = getattr(graph, "inputs", ())  # the graph of a Triad Lab comes from no file
        return save_as(
            path,
            inputs,
            html=lambda part: part.write_text(self._page(), "utf-8"),
            svg=lambda part: part.write_text(self.figure().data, "utf-8"),
        )

    def _twin_parts(self) -> tuple[str, str]:
        if not self.snapshot:
            title, svg = self._drawn()
            return title, svg_image(svg, title)
        title = self.snapshot["title"]
        image = image_of("png", b64decode(self.snapshot["image"], validate=True), title)
        entries = [
            f"{number} {text}" for number, text in self.snapshot["sentences"] if number != text
        ]
        if self.snapshot["left"]:
            entries.append(f"and {self.snapshot['left']:,} more")
        items = [f'<li dir="auto">{escape(entry)}</li>' for entry in entries]
        return title, f'{image}<ul style="list-style: none">{"".join(items)}</ul>'

    @traitlets.observe("snapshot")
    def _follow_page(self, _: Any) -> None:
        self._draw_twin()

    def _update_twin(self) -> None:
        """Draw the twin in the saved notebook again, if no page sends its picture."""
        if not self.snapshot:
            self._draw_twin()
