"""The Explorer's keys, and the effects of the mouse."""

from ..base.keys import MOUSE, deciding, help_of

__all__ = ["CHOICES", "HELP"]

#: What can be said of the chosen label: key (`KEYS`), name, button, hint.
CHOICES = [
    ["flip", "flip", "Wrong", "Its label should be the other one"],
    ["keep", "keep", "Right", "Its label is as it should be"],
    ["ambiguous", "ambiguous", "Ambiguous", "Nobody can say"],
]

HELP = help_of(
    {
        "step": None, "page": None, "search": "search sentences", "go on": "open the first cluster of the list",
        **deciding(CHOICES), "undo": None, "note": None, "view": None, "zoom": None,
        "number": "the layers on and off, from left to right", "back": "back: help, search, selection", "help": None,
    },
    MOUSE,
    "cluster", "clusters",
)  # fmt: skip
