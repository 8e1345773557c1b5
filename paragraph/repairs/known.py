"""A list of suspects that learns from its reader: the evidence about each label, as columns of the list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ..pairs.tables import refuse
from .wrong import Belief, Labels, prior

__all__ = ["KNOWN", "NOTHING", "belief_of", "columns_of", "said_of"]

#: Columns of a list of suspects that, with the answers, determine its order; all except `by` are numbers.
KNOWN = {
    "judge": "log-odds against the label by who reads the two sentences",
    "own": "log-odds against the label by a model that learnt the file's other labels",
    "rows": "log-odds by the rows of the pair: 0 for one, less for rows that agree",
    "conflict": "log-odds that a negative inside a cluster is wrong, as `repair` says; empty for others",
    "blame": "probability that it is wrong because of a conflict",
    "judged": "what a person said before: 1, the label is wrong; 0, it is right; empty",
    "by": "who read the two sentences: words, minilm, another model; nobody yet: what words tell of that model",
}
#: The columns about a label by itself.
NOTHING = {"judge": 0.0, "own": 0.0, "rows": 0.0, "conflict": 20.0, "blame": 0.0, "judged": np.nan, "by": "words"}
#: Columns that may be empty.
_EMPTY = ("conflict", "judged")


def columns_of(belief: Belief) -> pd.DataFrame:
    """The columns with the evidence about each label: `KNOWN`."""
    labels = belief.labels
    known = dict(zip(("judge", "own"), labels.known[:, 1:].T, strict=True))
    known |= {"rows": labels.offset, "conflict": labels.fixed, "blame": labels.blame, "judged": belief.wrong}
    return pd.DataFrame(known).round(6).add(0.0).assign(by=labels.by)  # no -0


def belief_of(table: pd.DataFrame, label: np.ndarray) -> Belief | None:
    """Return the belief about the labels of a list, or None if it lacks the columns (`KNOWN`).

    Raises
    ------
    PairsError
        Naming the row and a value that is not a number.
    """
    if not {*KNOWN} <= {*table}:
        return None
    known = {}
    for name in KNOWN.keys() - {"by"}:
        given = table[name].replace("", None)
        known[name] = pd.to_numeric(given, errors="coerce").to_numpy(float, na_value=np.nan)
        empty = given.isna().to_numpy() & (name in _EMPTY)
        refuse(table, ~np.isfinite(known[name]) & ~empty, lambda row, name=name: f"{name} {row[name]!r} is no number")
    x = np.column_stack([np.ones(len(table)), known["judge"], known["own"]])
    labels = Labels(label > 0, x, known["rows"], known["conflict"], known["blame"])
    return Belief(labels, prior("words" if (table["by"] == "words").all() else "minilm"), known["judged"])


def said_of(known: Mapping[str, Any]) -> str:
    """Return the summary of a list of suspects, in one line, from its `attrs`.

    Examples
    --------
    >>> judged = {"positive": (14, 2), "negative": (10, 7)}
    >>> said_of({"judged": judged, "expected": [{"first": 50, "wrong": 21.3, "low": 9.0, "high": 34.0}]})
    'of 24 read 9 were wrong (positives 2 of 14, negatives 7 of 10); of the next 50 probably 9 to 34'
    >>> said_of({"judged": {"positive": (0, 0)}, "expected": [{"first": 50, "low": 9.0, "high": 34.0}]})
    'of the first 50 probably 9 to 34 are wrong'
    """
    judged = known["judged"]
    read, wrong = map(sum, zip(*judged.values(), strict=True))
    by_sign = ", ".join(f"{sign}s {bad:,} of {n:,}" for sign, (n, bad) in judged.items())
    told = [f"of {read:,} read {wrong:,} {'was' if wrong == 1 else 'were'} wrong ({by_sign})"] if read else []
    next_ = [
        f"of the {'next' if read else 'first'} {row['first']:,} probably {row['low']:.0f} to {row['high']:.0f}"
        for row in known["expected"]
    ]
    return "; ".join([*told, *next_]) + " are wrong" * (not read)
