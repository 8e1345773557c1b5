"""Text from strangers as one line of a terminal; a number with its noun."""

from __future__ import annotations

import json
import re

__all__ = ["counting", "shown"]

#: Characters that move a terminal's cursor, colour it, rename its window, end a line or reverse the reading order.
_STEERING = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def shown(text: str) -> str:
    """The text for one line of a terminal: control characters are escaped, as in JSON.

    >>> print(shown("two\\nlines, \\x1b[31mred"))
    two\\nlines, \\u001b[31mred
    """
    return _STEERING.sub(lambda found: json.dumps(found[0])[1:-1], text)


def counting(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counting(1, "cluster"), counting(2_000, "cluster")
    ('1 cluster', '2,000 clusters')
    """
    if number != 1:
        noun += "s"
    return f"{number:,} {noun}"
