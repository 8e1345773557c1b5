"""A bench with a list on its left, of which the page holds one part at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...pairs import PairsError
from .widget import Bench

__all__ = ["PAGE", "ListBench"]

PAGE = 50  # entries on one page of the list


class ListBench(Bench):
    """A bench with a list. A subclass answers `on_open` and says what the list shows (`_rows`, `_list_page`)."""

    _entry: str  #: what a row calls the thing that it stands for, and `on_open` its argument

    def on_page(self, page: int, open: str | None = None) -> None:
        """Another page of the list; `open` its first or last entry."""
        if open not in (None, "first", "last"):
            raise PairsError(f"{open!r} is not an end of a page")
        self._list_page(int(page))
        if open and self.listing["rows"]:
            self.on_open(self.listing["rows"][0 if open == "first" else -1][self._entry])

    def on_open(self, _: int) -> None:
        """An entry of the list."""
        raise NotImplementedError

    def _list_page(self, page: int) -> None:
        """Send a page of the list, from 0; the nearest where there is no such page."""
        raise NotImplementedError

    def _rows(self, found: Sequence[int]) -> list[dict[str, Any]]:
        """What the list shows of some things."""
        raise NotImplementedError

    def _send_list(self, found: Sequence[int], page: int, **state: Any) -> None:
        """Send a page of what was found, with the state of the list."""
        pages = -(-len(found) // PAGE)
        page = max(0, min(page, pages - 1))
        rows = self._rows(found[page * PAGE : (page + 1) * PAGE])
        self.listing = {"rows": rows, "total": len(found), "page": page, "pages": pages} | state
