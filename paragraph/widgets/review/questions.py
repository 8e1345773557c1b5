"""The questions that reviews ask, the keys that answer them, and the form of an answer in the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...decisions.answers import Row
from ...decisions.pair_queue import meaning, verdict
from ..base.keys import MOUSE, with_keys
from ..base.records import Plain

__all__ = ["CONFLICT", "QUESTIONS", "RIGHT", "SAME", "SAY", "Question", "choices"]


class Question(NamedTuple):
    """A question, the keys that answer it, and the meaning of a log's answers to it."""

    asks: str  #: the question, as the title has it
    words: Plain  #: what the page calls things, and the choices: key (`KEYS`), name, button, hint
    #: returns what an answer of the log says, given the label to judge
    of: Callable[[Row, int], str]
    others: dict[str, tuple[str, str]] | None = (
        None  #: states that are called otherwise than their buttons
    )

    @property
    def states(self) -> dict[str, tuple[str, str]]:
        """Each state in a word, and in more."""
        named = {name: text.lower() for _, name, text, _ in self.words["decide"]}
        return (
            {name: (text, f"judged: {text}") for name, text in named.items()}
            | UNJUDGED
            | (self.others or {})
        )


def choices(reveal: str, *each: tuple[str, ...], **more: Any) -> Plain:
    """Make `Question.words`; a choice is its name, button and hint, and the name of its key if that is another."""
    each = (*each, ("skip", "Skip", "It comes back later"))
    decide = [[key[0] if key else name, name, text, hint] for name, text, hint, *key in each]
    return {"one": "pair", "many": "pairs", "reveal": reveal, "decide": decide} | more


UNJUDGED = {
    "open": ("", "not judged"),
    "skip": ("skipped", "skipped: comes back when nothing else is open"),
}
LEFT_OUT = "Nobody can say: left out"

CONFLICT = Question(
    "which label is wrong?",
    choices(
        "the proposal and its reasons",
        ("flip", "Flip", "The negative is wrong"),
        ("cut", "Cut…", "A positive is wrong"),
        ("keep", "Keep", "Both labels stand"),
        ("ambiguous", "Ambiguous", "Nobody can say: set aside"),
        one="conflict",
        many="conflicts",
        mouse=MOUSE
        | {"Click": MOUSE["Click"] + with_keys("; after {cut}, a solid line, to cut it")},
    ),
    verdict,
)

RIGHT = Question(
    "is its label right?",
    choices(
        "what else the table says of it",
        ("flip", "Label wrong", "It should be the other one"),
        ("keep", "Label right", "It is as it should be"),
        ("ambiguous", "Ambiguous", LEFT_OUT),
    ),
    verdict,
)

#: For a sample of `doubts.audit`, whose labels are hidden, and for pairs that have none yet.
SAME = Question(
    "do the two mean the same?",
    choices(
        "the label, where it comes from, and the cluster",
        ("same", "Same", "They mean the same", "yes"),
        ("different", "Different", "They do not mean the same", "no"),
        ("ambiguous", "Cannot say", LEFT_OUT),
    ),
    meaning,
)

#: For sentences made from others, such as shuffled ones, each in a pair labelled 1 with its original.
SAY = Question(
    "would you say the second?",
    choices(
        "what else the table says of it",
        ("keep", "Good", "Yes, I would say so", "yes"),
        ("ambiguous", "Awkward", "Questionable: I would put it otherwise", "questionable"),
        ("flip", "Wrong", "No, it says something else, or nothing", "no"),
    ),
    verdict,
)

#: The questions of a review of pairs, by their names.
QUESTIONS = {"right": RIGHT, "same": SAME, "say": SAY}
