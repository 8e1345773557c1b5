"""Files and messages: outputs that appear whole or not at all, their records, and the error for wrong data."""

from .errors import PairsError

__all__ = ["PairsError"]
