"""The error that says what is wrong with the user's data."""

__all__ = ["PairsError"]


class PairsError(ValueError):
    """Pairs that cannot be read, written or found; the message names the file, the row and the value."""


PairsError.__module__ = "paragraph"  # where users find it
