"""One process that serves people: secrets, limits, sockets, and coming back after a crash."""

from pathlib import Path

__all__ = ["LINE", "RETURNING"]

HERE = Path(__file__).parent
#: JavaScript of a page with a line to its server; and of one whose line comes back when it was lost.
LINE = HERE / "line.js"
RETURNING = (LINE, HERE / "returning.js", HERE / "outbox.js")
