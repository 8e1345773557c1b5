"""A claim: a published number, the code that recomputes it, and the verdict.

Verdicts: ``✓`` the value comes out as printed; ``explained`` another one comes out, exactly the one that a known
slip of the paper accounts for; ``✗`` neither; ``needs data`` the data are not at hand (`folder`, else
$PARAGRAPH_DATA).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

__all__ = ["CLAIMS", "Checked", "Claim", "NeedsData", "claim", "table"]


class NeedsData(Exception):
    """Raised by a claim whose data are not at hand; the message says what is missing."""


@dataclass(frozen=True)
class Checked:
    """A claim after its code has run."""

    verdict: str
    found: Any
    why: str
    seconds: float


@dataclass(frozen=True)
class Claim:
    """A published value and the code that recomputes it.

    `slip`: a value that may come out instead of the printed one, and the reason, for discrepancies that were
    traced. A claim is never adjusted to its data: any third value is a ``✗``.
    """

    source: str
    statement: str
    expected: Any
    compute: Callable[[Path], Any]
    slip: tuple[Any, str] | None = None

    def check(self, folder: Path | None = None) -> Checked:
        """Run the code; `folder` holds the data sets, default $PARAGRAPH_DATA or the download folder."""
        from ..pairs.fetching import default_folder

        began = time.perf_counter()
        try:
            found = self.compute(folder or default_folder())
        except NeedsData as missing:
            return Checked("needs data", None, str(missing), time.perf_counter() - began)
        seconds = time.perf_counter() - began
        if found == self.expected:
            return Checked("✓", found, "", seconds)
        if self.slip and found == self.slip[0]:
            return Checked("explained", found, self.slip[1], seconds)
        return Checked("✗", found, self.slip[1] if self.slip else "", seconds)


CLAIMS: list[Claim] = []


def claim(source: str, statement: str, expected: Any, slip: tuple[Any, str] | None = None) -> Callable:
    """Decorator: the function recomputes the value, given the data folder; the claim joins `CLAIMS`.

    Examples
    --------
    >>> check = Claim("arithmetic", "two and two", 5, lambda folder: 2 + 2, (4, "misprint")).check()
    >>> check.verdict, check.found, check.why
    ('explained', 4, 'misprint')
    """

    def register(compute: Callable[[Path], Any]) -> Callable[[Path], Any]:
        CLAIMS.append(Claim(source, statement, expected, compute, slip))
        return compute

    return register


def table(folder: Path | None = None, claims: list[Claim] | None = None) -> pd.DataFrame:
    """All claims checked: `source`, `statement`, `expected`, `found`, `verdict`, `why`, `seconds`."""
    from tqdm.auto import tqdm

    rows = []
    for one in tqdm(CLAIMS if claims is None else claims, "claims", delay=2, leave=False):
        done = one.check(folder)
        rows.append((one.source, one.statement, one.expected, done.found, done.verdict, done.why, done.seconds))
    columns = ["source", "statement", "expected", "found", "verdict", "why", "seconds"]
    return pd.DataFrame(rows, columns=columns).astype({"expected": object, "found": object})
