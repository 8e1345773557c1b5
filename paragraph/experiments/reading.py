"""Results of any experiment, read back."""

from __future__ import annotations

from os import PathLike

from ..pairs import PairsError
from .distances import DistanceGrid
from .four_sets import FourByFour
from .runs import read_tables

__all__ = ["read_results"]

KINDS = {kind.experiment: kind for kind in (FourByFour, DistanceGrid)}


def read_results(path: str | PathLike) -> FourByFour | DistanceGrid:
    """The results that a finished experiment wrote at `path` (with or without ``.parquet``).

    Raises `PairsError` where there is nothing, or the record is of no experiment of this package.
    """
    tables, record = read_tables(path)
    if record.get("experiment") not in KINDS:
        raise PairsError(f"{path}: {record.get('experiment')!r} is not one of {', '.join(KINDS)}")
    return KINDS[record["experiment"]](tables, record)
