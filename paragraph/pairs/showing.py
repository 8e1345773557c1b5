"""Tables of sentences as a notebook should show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler

__all__ = ["show"]


def show(table: pd.DataFrame, rows: int = 10) -> Styler:
    """The first rows of a table for a notebook: whole sentences, flush left, shown as the text they are.

    Nothing a sentence contains is taken for HTML, or for a formula between dollar signs.

    Examples
    --------
    >>> import pandas as pd
    >>> "&lt;b&gt;" in show(pd.DataFrame({"text": ["<b>"]})).to_html()
    True
    """
    flush = [{"selector": "th, td", "props": "text-align: left; vertical-align: top; white-space: normal"}]
    style = table.head(rows).style.hide().format(escape="html", precision=2, na_rep="")
    return style.set_table_styles(flush).set_table_attributes('class="dataframe tex2jax_ignore mathjax_ignore"')
