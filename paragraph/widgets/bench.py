"""The live picture: a list beside a signed graph beside an explanation. Python holds the truth, JavaScript draws."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..draw.page import library
from ..pairs import PairsError

__all__ = ["Bench", "Refused"]

HERE = Path(__file__).parent
PARTS = ("dom.js", "list.js", "picture.js", "why.js", "bench.js")


def _script() -> str:
    """vis-network as it ships inside pyvis, closed off from the page's own loaders, and our parts below it."""
    vis = library().decode("utf-8")
    parts = "\n".join((HERE / part).read_text(encoding="utf-8") for part in PARTS)
    return (
        "const vis = (() => { const exports = {}, module = { exports }, define = undefined;\n"
        f"{vis}\nreturn exports; }})();\n{parts}"
    )


class Refused(PairsError, traitlets.TraitError):
    """A value that a trait does not take: being both errors, it is told plainly and traitlets undoes the change."""


class Bench(anywidget.AnyWidget):
    """What every bench shares: the traits that JavaScript draws, and the intents it sends.

    A subclass answers an intent ``{"intent": "open", "cluster": 3}`` in a method ``on_open(cluster=3)``, which
    looks at all it was given before it changes anything.
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
        """Do what the page asks; what makes no sense is left to the log and changes nothing."""
        content = dict(message) if isinstance(message, dict) else {}
        number, intent = content.pop("n", 0), content.pop("intent", None)
        with self.hold_sync():
            try:
                if intent not in self._intents():
                    raise PairsError("no such intent")
                getattr(self, f"on_{intent}")(**content)
            except Exception:
                # A page may be older than what Python holds, or not ours: nothing it sends may stop the kernel.
                self.log.warning("not answered: %.500r", message, exc_info=True)
            finally:
                if isinstance(number, int):
                    self.ack = max(self.ack, number)

    @classmethod
    def _intents(cls) -> set[str]:
        """What a page may ask for: the ``on_`` methods of benches, and none of those that widgets bring along."""
        benches = [one for one in cls.__mro__ if issubclass(one, Bench)]
        return {name[3:] for one in benches for name in vars(one) if name.startswith("on_")}

    @traitlets.validate("placed")
    def _check_placed(self, proposal: dict[str, Any]) -> dict[str, list[float]]:
        for key, spot in proposal["value"].items():
            numbers = isinstance(spot, list | tuple) and all(isinstance(one, int | float) for one in spot)
            if not (numbers and len(spot) == 2 and all(map(math.isfinite, spot))):
                raise Refused(f"the place {spot!r} of {key!r} is not two numbers")
        return proposal["value"]

    def on_ready(self) -> None:
        """A page shows the bench."""
