"""Published numbers, recomputed: `table` checks the claims of ``printed.tsv`` and says how each came out.

``printed.tsv`` lists all claims: `source`; `statement`; `printed`, the value as published; `how`, the arithmetic or
the function of `computed` that gives it; and, where a slip of the paper is known, `instead`, the value that comes out
because of the slip, and `why`.

Verdicts: ``✓`` the value comes out as printed; ``explained`` the value of `instead` comes out; ``✗`` neither;
``needs data`` the data are not at hand (`folder`, else $PARAGRAPH_DATA).
"""

from __future__ import annotations

import csv
from ast import literal_eval
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from . import computed
from .computed import NeedsData

__all__ = ["CLAIMS", "Claim", "table"]


class Claim(NamedTuple):
    """A published value and the code that recomputes it.

    `instead` is a value that may come out in place of the printed one, and `why` the reason, for discrepancies that
    were traced. A claim is never adjusted to its data: any third value is a ``✗``.

    Examples
    --------
    >>> Claim("arithmetic", "two and two", 5, "2 + 2", 4, "misprint").check()
    ('explained', 4, 'misprint')
    """

    source: str
    statement: str
    expected: Any
    how: str
    instead: Any = None
    why: str = ""

    def check(self, folder: Path | None = None) -> tuple[str, Any, str]:
        """Return the verdict, the value that comes out, and why it is another one.

        `folder` holds the data sets, default $PARAGRAPH_DATA or the download folder.
        """
        from ...pairs.fetch import default_folder

        names = vars(computed) | {"folder": folder or default_folder()}
        try:
            # The package's own table, not a user's: `eval` runs nobody's code.
            found = eval(self.how, names)
        except NeedsData as missing:
            return "needs data", None, str(missing)
        if found == self.expected:
            return "✓", found, ""
        if self.why and found == self.instead:
            return "explained", found, self.why
        return "✗", found, self.why


def _read(path: Path) -> list[Claim]:
    with open(path, encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    claims = []
    for source, statement, printed, how, instead, why in rows:
        value = literal_eval(instead or "None")
        claims.append(Claim(source, statement, literal_eval(printed), how, value, why))
    return claims


#: All published claims.
CLAIMS = _read(Path(__file__).with_name("printed.tsv"))


def table(folder: Path | None = None, claims: list[Claim] | None = None) -> pd.DataFrame:
    """All claims checked: `source`, `statement`, `expected`, `found`, `verdict`, `why`."""
    from tqdm.auto import tqdm

    if claims is None:
        claims = CLAIMS
    rows = []
    for claim in tqdm(claims, "claims", delay=2, leave=False):
        verdict, found, why = claim.check(folder)
        rows.append((claim.source, claim.statement, claim.expected, found, verdict, why))
    columns = ["source", "statement", "expected", "found", "verdict", "why"]
    return pd.DataFrame(rows, columns=columns).astype({"expected": object, "found": object})
