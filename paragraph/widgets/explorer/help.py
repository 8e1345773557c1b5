"""The Explorer's keys, and the effects of the mouse."""

from ..base.keys import help_of

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
    {
        "Click": "a sentence or a line, to ask why",
        "Double click": "a neighbouring cluster, to see its sentences; again, to close it",
        "Ctrl or Shift click": "one more sentence",
        "Shift and drag": "choose a region",
        "Drag": "a sentence, to arrange; the ground, to move the picture",
        "Ctrl and the wheel": "zoom",
    },
    "cluster", "clusters",
)  # fmt: skip
