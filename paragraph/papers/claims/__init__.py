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
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from . import computed
from .computed import NeedsData

__all__ = ["CLAIMS", "Checked", "Claim", "table"]


class Checked(NamedTuple):
    """A claim after its code has run."""

    verdict: str
    found: Any
    why: str


@dataclass(frozen=True)
class Claim:
    """A published value and the code that recomputes it.

    `slip`: a value that may come out instead of the printed one, and the reason, for discrepancies that were
    traced. A claim is never adjusted to its data: any third value is a ``✗``.

    Examples
    --------
    >>> check = Claim("arithmetic", "two and two", 5, lambda folder: 2 + 2, (4, "misprint")).check()
    >>> check.verdict, check.found, check.why
    ('explained', 4, 'misprint')
    """

    source: str
    statement: str
    expected: Any
    compute: Callable[[Path], Any]
    slip: tuple[Any, str] | None = None

    def check(self, folder: Path | None = None) -> Checked:
        """Run the code; `folder` holds the data sets, default $PARAGRAPH_DATA or the download folder."""
        from ...pairs.fetch import default_folder

        try:
            found = self.compute(folder or default_folder())
        except NeedsData as missing:
            return Checked("needs data", None, str(missing))
        if found == self.expected:
            return Checked("✓", found, "")
        if self.slip is None:
            return Checked("✗", found, "")
        instead, why = self.slip
        verdict = "explained" if found == instead else "✗"
        return Checked(verdict, found, why)


def _recompute(how: str, folder: Path) -> Any:
    """The value of the column `how`: the package's own table, not a user's, so that `eval` runs nobody's code."""
    return eval(how, vars(computed) | {"folder": folder})


def _read(path: Path) -> list[Claim]:
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [_claim(row) for row in rows]


def _claim(row: dict[str, str]) -> Claim:
    printed = literal_eval(row["printed"])
    compute = partial(_recompute, row["how"])
    slip = None
    if row["why"]:
        slip = (literal_eval(row["instead"]), row["why"])
    return Claim(row["source"], row["statement"], printed, compute, slip)


#: All published claims.
CLAIMS = _read(Path(__file__).with_name("printed.tsv"))


def table(folder: Path | None = None, claims: list[Claim] | None = None) -> pd.DataFrame:
    """All claims checked: `source`, `statement`, `expected`, `found`, `verdict`, `why`."""
    from tqdm.auto import tqdm

    if claims is None:
        claims = CLAIMS
    rows = []
    for claim in tqdm(claims, "claims", delay=2, leave=False):
        checked = claim.check(folder)
        rows.append(vars(claim) | checked._asdict())
    columns = ["source", "statement", "expected", "found", "verdict", "why"]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype({"expected": object, "found": object})
