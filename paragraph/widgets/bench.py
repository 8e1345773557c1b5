"""The live picture: a list beside a signed graph beside an explanation. Python holds the truth, JavaScript draws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..draw.page import library

__all__ = ["Bench"]

HERE = Path(__file__).parent


def _script() -> str:
    """vis-network as it ships inside pyvis, closed off from the page's own loaders, and the bench below it."""
    vis = library().decode("utf-8")
    bench = (HERE / "bench.js").read_text(encoding="utf-8")
    return (
        "const vis = (() => { const exports = {}, module = { exports }, define = undefined;\n"
        f"{vis}\nreturn exports; }})();\n{bench}"
    )


class Bench(anywidget.AnyWidget):
    """What every bench shares: the traits that JavaScript draws, and the intents it sends.

    A subclass answers an intent ``{"intent": "open", "cluster": 3}`` in a method ``on_open(cluster=3)``.
    """

    _esm = _script()
    _css = (HERE / "bench.css").read_text(encoding="utf-8")

    picture = traitlets.Dict().tag(sync=True)  #: nodes, stated and inferred labels, title, note
    layers = traitlets.Dict().tag(sync=True)  #: which kinds of label are shown, and up to what distance
    placed = traitlets.Dict().tag(sync=True)  #: where a node was put by hand, by key: [x, y] in pixels
    selected = traitlets.List(traitlets.Unicode()).tag(sync=True)  #: keys of chosen nodes
    listing = traitlets.Dict().tag(sync=True)  #: one page of the list, and how it was asked for
    why = traitlets.Dict().tag(sync=True)  #: the explanation on the right
    ack = traitlets.Int(0).tag(sync=True)  #: number of the last intent answered
    height = traitlets.Int(600).tag(sync=True)

    def __init__(self, **traits: Any):
        super().__init__(**traits)
        self.on_msg(self._answer)

    def _answer(self, _: Any, message: dict[str, Any], __: Any) -> None:
        content = dict(message)
        number, intent = content.pop("n", 0), content.pop("intent", "")
        handler = getattr(self, f"on_{intent}", None)
        with self.hold_sync():
            try:
                if handler is not None:
                    handler(**content)
            finally:
                self.ack = max(self.ack, int(number))

    def on_ready(self) -> None:
        """A page shows the bench."""
