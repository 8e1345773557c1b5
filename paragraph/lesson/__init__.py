"""A lesson in structural balance: exercises that check themselves, sheets of them, the Triad Lab, and a class.

Names load when they are first used.
"""

from .. import lazy_names

_NAMES = {
    "exercises": "EXERCISES Exercise Grade Sheet",
    "handed": "summaries",
    "lab": "TriadLab",
    "paper": "write_sheets",
    "room": "Class",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}
__getattr__, __dir__ = lazy_names(__name__, _HOME)
__all__ = __dir__()
