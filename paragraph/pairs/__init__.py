"""Tables of labelled pairs: read, check, write, fetch."""

from .errors import PairsError
from .read import ReadWarning, read_pairs
from .write import write_pairs

__all__ = ["PairsError", "ReadWarning", "read_pairs", "write_pairs"]
