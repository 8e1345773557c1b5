"""The Explorer's keys, and the effects of the mouse."""

from ..base.keys import MOUSE, help_of

__all__ = ["HELP"]

HELP = help_of(
    {
        "step": None, "page": None, "search": "search sentences", "go on": "open the first cluster of the list",
        "flip": "wrong: the label of the chosen line should be the other one; stated both ways, 1 or 0 says which "
        "is right", "keep": "right: the label is as it should be",
        "ambiguous": "ambiguous: nobody can say", "undo": "take back what was said last",
        "note": None, "view": None, "zoom": None, "number": "the layers on and off, from left to right",
        "back": "back: help, search, selection", "help": None,
    },
    MOUSE,
    "cluster", "clusters",
)  # fmt: skip
