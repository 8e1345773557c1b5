"""Tables of sentences as a notebook should show them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..files.errors import check_int, check_type

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler

__all__ = ["show"]


def show(table: pd.DataFrame, rows: int = 10) -> Styler:
    """Show the first `rows` rows of a table in a notebook: whole sentences, flush left, as plain text.

    If there are more, a caption says so. Nothing in a sentence is treated as HTML, or as a formula between dollar
    signs.

    Examples
    --------
    >>> import pandas as pd
    >>> "&lt;b&gt;" in show(pd.DataFrame({"text": ["<b>"]})).to_html()
    True
    >>> show(pd.DataFrame({"number": range(616)})).caption
    '10 of 616 rows; the next: pg.show(table[10:])'
    """
    import pandas as pd

    check_type(table, pd.DataFrame, "show", "a table")
    check_int("rows", rows, 0)
    flush = [
        {
            "selector": "th, td",
            "props": "text-align: left; vertical-align: top; white-space: normal",
        }
    ]
    nameless = [None for _ in range(table.columns.nlevels)]
    shown = table.head(rows).rename_axis(columns=nameless)
    style = shown.style.hide().format(_cell, na_rep="")
    style = style.format_index(_cell).format_index(_cell, axis="columns")
    if rows < len(table):
        style = style.set_caption(
            f"{rows:,} of {len(table):,} rows; the next: pg.show(table[{rows}:])"
        )
        flush.append({"selector": "caption", "props": "caption-side: bottom; text-align: left"})
    return style.set_table_styles(flush).set_table_attributes(
        'class="dataframe tex2jax_ignore mathjax_ignore"'
    )


def _cell(value: object) -> str:
    """The HTML of one value: numbers to two decimals, anything else as text. The styler escapes only strings."""
    if isinstance(value, float):
        return f"{value:.2f}"
    return escape(str(value))
