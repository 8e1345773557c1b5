"""A live picture: JavaScript that draws, intents that Python answers, and a still twin for use without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from os import PathLike
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ...draw.page import source
from ...draw.shared import VARIABLES_CSS, constants
from ...files import PairsError
from ...files.outputs import atomic_write

__all__ = ["DOM", "LIVE_CSS", "Live", "Refused", "Stack", "State", "Twin", "held", "save_as",
           "script"]  # fmt: skip

HERE = Path(__file__).parent
DOM = HERE / "dom.js"  #: elements made safely
#: The still twin is beside the live picture; it is visible on paper, or if this style sheet is not loaded.
LIVE_CSS = """.jp-OutputArea:has(.pg-live) .pg-twin { display: none; }
@media print { .jp-OutputArea-child:has(.pg-live) { display: none; }
  .jp-OutputArea:has(.pg-live) .pg-twin { display: block; } }
"""
LIVE_CSS += VARIABLES_CSS


class Refused(PairsError, traitlets.TraitError):
    """The error for a refused value of a trait: a `PairsError` with a plain message; it undoes the change."""


class State(traitlets.Dict):
    """A trait that is read as a copy: it changes when it is set, as by ``|=``, and in no other way."""

    def get(self, obj: Any, cls: Any = None) -> dict[str, Any]:
        return dict(super().get(obj, cls))


def script(*parts: Path) -> str:
    """Return JavaScript files as one, below the constants and the parts that every live picture needs."""
    return constants() + source(DOM, HERE / "keys.js", HERE / "viewport.js", *parts)


def save_as(path: str | PathLike, inputs: Iterable[str], **writers: Callable[[Path], Any]) -> Path:
    """Write a file by the writer for its ending; an existing file stays until the new one is complete.

    `inputs` are the files that the content came from: see `atomic_write`.
    """
    path = Path(path)
    if path.suffix[1:] not in writers:
        known = ", ".join(f".{ending}" for ending in writers)
        if len(writers) > 1:
            known = f"one of {known}"
        raise PairsError(f"{path.name}: the ending is not {known}")
    with atomic_write(path, inputs=inputs) as part:
        writers[path.suffix[1:]](part)
    return path


def held(method: Callable) -> Callable:
    """Send all changes of a method as one message."""

    @wraps(method)
    def once(self, *args: Any, **options: Any) -> None:
        with self.hold_sync():
            method(self, *args, **options)

    return once


class Twin:
    """A widget with a still twin: `_twin_parts` returns the title, and HTML without scripts."""

    name: str  #: of the bench, for where only text is shown
    _twin: Any = None  #: the twin on display

    def _twin_bundle(self) -> dict[str, str]:
        title, html = self._twin_parts()
        page = f'<div class="pg-twin tex2jax_ignore mathjax_ignore">{html}</div>'
        return {"text/html": page, "text/plain": f"<{self.name}: {title}>"}

    def _ipython_display_(self) -> None:
        """Display the live picture and its still twin."""
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        live, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        live.pop("text/plain", None)  # on paper there is the twin
        display(live, metadata=metadata, raw=True)
        self._twin = display(self._twin_bundle(), raw=True, display_id=True)

    def _draw_twin(self) -> None:
        """Redraw the twin on display."""
        if self._twin is not None:
            self._twin.update(self._twin_bundle(), raw=True)


class Stack(Twin):
    """A box of widgets, the live pictures among them."""

    children: tuple[Any, ...]
    in_python: str = ""  #: what the other widgets do, as Python says it

    def _display_(self) -> Any:
        """Show the live pictures one below the other in marimo, which shows no box of ipywidgets."""
        import marimo

        pictures = [marimo.ui.anywidget(one) for one in self.children if isinstance(one, Live)]
        if self.in_python:
            pictures.insert(0, marimo.plain_text(self.in_python))
        return marimo.vstack(pictures)


class Live(Twin, anywidget.AnyWidget):
    """A live picture with a still twin, which answers the intents of its page.

    A subclass answers an intent ``{"intent": "open", "cluster": 3}`` in a method ``on_open(cluster=3)``, which
    checks its arguments before it changes anything. The page sees all its traits.
    """

    #: which key does what, and what the mouse does (`keys.help_of`)
    shortcuts = traitlets.Dict().tag(sync=True)
    ack = traitlets.Int(0).tag(sync=True)  #: number of the last intent answered

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        for trait in vars(cls).values():  # each is the page's as well
            if isinstance(trait, traitlets.TraitType):
                trait.tag(sync=True)

    def __init__(self, **traits: Any):
        super().__init__(**traits)
        self.on_msg(self._answer)

    def do(self, intent: str, **content: Any) -> None:
        """Do what a page asks. A meaningless request raises an error of any kind, and changes nothing."""
        if intent not in self._intents():
            raise PairsError("no such intent")
        with self.hold_sync():
            getattr(self, f"on_{intent}")(**content)

    def _answer(self, _: Any, message: Any, __: Any) -> None:
        """Do what the page in front of a kernel asks; a meaningless request is logged."""
        content = dict(message) if isinstance(message, dict) else {}
        number = content.pop("n", 0)
        with self.hold_sync():
            try:
                self.do(**content)
            except Exception:
                # A page may be outdated, or not ours: nothing that it sends may stop the kernel.
                self.log.warning("not answered: %.500r", message, exc_info=True)
            finally:
                if isinstance(number, int):
                    self.ack = max(self.ack, number)

    @classmethod
    def _intents(cls) -> set[str]:
        """Return the names of the intents: the ``on_`` methods of live pictures, without those of ipywidgets."""
        found = set()
        for one in cls.__mro__:
            if issubclass(one, Live):
                found |= {name[3:] for name in vars(one) if name.startswith("on_")}
        return found
