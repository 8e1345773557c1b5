"""Tables of labelled pairs: read, check, write, fetch."""

from .. import lazy_names

_HOME = {"ReadWarning": "read", "read_pairs": "read", "write_pairs": "write"}
__all__ = [*_HOME]
__getattr__, __dir__ = lazy_names(__name__, _HOME)
