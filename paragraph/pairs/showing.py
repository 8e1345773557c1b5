"""Tables of sentences as a notebook should show them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from pandas.io.formats.style import Styler

__all__ = ["printable", "show"]

#: What moves the cursor of a terminal, colours it, renames its window, ends a line or turns the reading order round.
_STEERING = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def printable(text: str) -> str:
    """The text for one line of a terminal: characters that steer it are written out, as in JSON.

    >>> print(printable("two\\nlines, \\x1b[31mred"))
    two\\nlines, \\u001b[31mred
    """
    return _STEERING.sub(lambda found: json.dumps(found[0])[1:-1], text)


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
