"""A lesson in structural balance: exercises that check themselves, sheets of them, and the Triad Lab.

Names load when they are first used.
"""

from .. import lazy_names

_NAMES = {
    "exercises": "EXERCISES Exercise Grade Sheet exercise summaries",
    "lab": "TriadLab",
    "paper": "write_sheets",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}
__getattr__, __dir__ = lazy_names(__name__, _HOME)
__all__ = __dir__()
