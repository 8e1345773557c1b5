"""Tables of sentences as a notebook should show them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..files.errors import PairsError, taken

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler

__all__ = ["show"]


def show(table: pd.DataFrame, rows: int = 10, page: int = 1) -> Styler:
    """Show a page of a table in a notebook, with `rows` rows: whole sentences, flush left, as plain text.

    If there are more rows, a caption says which these are. Nothing in a sentence is treated as HTML, or as a formula
    between dollar signs.

    Raises
    ------
    PairsError
        The table has no such page.

    Examples
    --------
    >>> import pandas as pd
    >>> "&lt;b&gt;" in show(pd.DataFrame({"text": ["<b>"]})).to_html()
    True
    >>> numbers = pd.DataFrame({"number": range(616)})
    >>> show(numbers).caption
    '10 of 616 rows; next rows: pg.show(table, page=2)'
    >>> show(numbers, page=62).caption
    'rows 611 to 616 of 616'
    """
    import pandas as pd

    taken(table, pd.DataFrame, "show", "a table")
    pages = max(1, -(-len(table) // max(rows, 1)))
    if rows < 0 or not 1 <= page <= pages:
        raise PairsError(f"page {page} of {rows} rows is not one of 1 to {pages}: the table has {len(table):,} rows")
    first, stop = (page - 1) * rows, min(page * rows, len(table))
    flush = [{"selector": "th, td", "props": "text-align: left; vertical-align: top; white-space: normal"}]
    shown = table.iloc[first:stop].rename_axis(columns=[None] * table.columns.nlevels)
    style = shown.style.hide().format(_cell, na_rep="")
    style = style.format_index(_cell).format_index(_cell, axis="columns")
    if (first, stop) != (0, len(table)):
        which = f"rows {first + 1:,} to {stop:,} of {len(table):,}" if first else f"{stop:,} of {len(table):,} rows"
        style = style.set_caption(which + f"; next rows: pg.show(table, page={page + 1})" * (page < pages))
        flush.append({"selector": "caption", "props": "caption-side: bottom; text-align: left"})
    return style.set_table_styles(flush).set_table_attributes('class="dataframe tex2jax_ignore mathjax_ignore"')


def _cell(value: object) -> str:
    """The HTML of one value: numbers to two decimals, anything else as text. The styler escapes only strings."""
    return f"{value:.2f}" if isinstance(value, float) else escape(str(value))
