"""What a review of pairs asks: is the label right, or do the two sentences mean the same?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...collection.answers import STATES as ANSWERS
from ...decisions.records import Decision
from ...decisions.verdicts import says

__all__ = ["COLLECT", "READ", "RIGHT", "SAME", "TAGS", "Question", "verdict"]


def verdict(record: Decision) -> str:
    """What a decision says of the label it was made on: "flip", "keep", "ambiguous" or "skip".

    A wrong positive is in a log a cut of the pair itself: that is how a replay undoes it. A cut of another positive
    is made on a negative that is right.
    """
    if record.decision != "cut":
        return record.decision
    return "flip" if record.edge == record.pair else "keep"


def meaning(record: Decision) -> str:
    """What a decision says of the two sentences: "same", "different", "ambiguous" or "skip"."""
    if record.decision in ("ambiguous", "skip"):
        return record.decision
    return "same" if says(record)[record.pair] else "different"


class Question(NamedTuple):
    """A question, the keys that answer it, and what an answer is in the log."""

    asks: str  #: the question, as the title has it
    words: dict[str, Any]  #: see `desk.ReviewBench.words`
    states: dict[str, tuple[str, str]]  #: each answer in a word and in more, beside those of `STATES`
    of: Callable[[Decision], str]  #: the answer that a decision of the log is

    @property
    def choices(self) -> list[str]:
        return [name for _, name, *_ in self.words["decide"]]

    def decision(self, choice: str, label: int) -> str:
        """What an answer says of a label: "flip" or "keep"; other choices as they are."""
        if choice in ("same", "different"):
            return "keep" if (choice == "same") == bool(label) else "flip"
        return choice


STATES = {
    "open": ("", "not judged"),
    "skip": ("skipped", "skipped: comes back when nothing else is open"),
}
LATER = "Not now: it comes back later"
PAIRS = {"one": "pair", "many": "pairs", "revealing": ""}

RIGHT = Question(
    "is its label right?",
    PAIRS
    | {
        "reveal": "what else the table says of it",
        "decide": [
            ["f", "flip", "Label wrong", "The label should be the other one (flip)"],
            ["k", "keep", "Label right", "The label is as it should be (keep)"],
            ["a", "ambiguous", "Ambiguous", "Nobody can say: the pair is left out of the estimate"],
            ["s", "skip", "Skip", LATER],
        ],
    },
    STATES
    | {
        "flip": ("label wrong", "decided: the label is wrong"),
        "keep": ("label right", "decided: the label is right"),
        "ambiguous": ("ambiguous", "decided: ambiguous"),
    },
    verdict,
)

#: Asked of a sample of `measure.audit`, whose labels are hidden.
SAME = Question(
    "do the two mean the same?",
    PAIRS
    | {
        "reveal": "the label, where it comes from, and the cluster",
        "decide": [
            ["s", "same", "Same", "The two sentences mean the same"],
            ["d", "different", "Different", "They do not mean the same"],
            ["a", "ambiguous", "Cannot say", "Nobody can say: the pair is left out of the estimate"],
            ["l", "skip", "Later", LATER],
        ],
    },
    STATES
    | {
        "same": ("same", "judged: the same"),
        "different": ("different", "judged: different"),
        "ambiguous": ("cannot say", "judged: nobody can say"),
    },
    meaning,
)

#: Asked of a sentence alone, for which the log has a pair labelled 1.
READ = RIGHT._replace(
    asks="would you say this?",
    words=RIGHT.words | {
        "one": "sentence", "many": "sentences", "hidden": "Some are shuffled, some are as they were written.",
        "decide": [
            ["g", "keep", "Good", "I would say so"], ["a", "ambiguous", "Awkward", "I would put it otherwise"],
            ["w", "flip", "Wrong", "It says something else, or nothing"], ["s", "skip", "Skip", LATER],
        ],
    },
    states=STATES | {"keep": ("good", "good"), "ambiguous": ("awkward",) * 2, "flip": ("wrong", "wrong")},
)  # fmt: skip

#: Asked of pairs that have no label yet.
COLLECT = Question(
    "do the two mean the same?",
    PAIRS
    | {
        "note": "w",
        "settled": "inferred",
        "estimate": "What follows from answers is not asked, trains as well, and costs nothing of the budget.",
        "reveal": "what the model thinks, and in which words the two differ",
        "decide": [
            ["y", "same", "Yes", "The two sentences mean the same"],
            ["n", "different", "No", "They do not mean the same"],
            ["a", "ambiguous", "Cannot say", "Nobody can say: the pair is left out, and nothing follows"],
            ["s", "skip", "Skip", LATER],
        ],
    },
    ANSWERS,
    meaning,
)


class _Tags(Question):
    """What is asked of words; with no word marked, done means that the two are the same."""

    @property
    def choices(self) -> list[str]:
        return [*super().choices, "same", "different"]


#: Asked of the words of a pair.
TAGS = _Tags(
    "which words differ in meaning?",
    PAIRS
    | {
        "reveal": "how others tagged it",
        "decide": [
            ["Enter", "tags", "Done", "The marks are the tags; without any the two are paraphrases"],
            ["a", "ambiguous", "Ambiguous", "Nobody can say: the pair gets no tags"],
            ["s", "skip", "Skip", LATER],
        ],
        "marks": [
            ["← →", "previous, next word"],
            ["Space", "mark the word, or clear it"],
            ["Shift → / ←", "mark it and go on / go back and clear"],
            ["w", "mark the whole sentence, or clear it"],
            ["o", "the other sentence"],
        ],
        "mouse": [["Click", "a word: mark it, or clear it"], ["Drag", "over words: mark them, or clear them"]],
    },
    STATES
    | {
        "same": ("paraphrase", "tagged: no word, a paraphrase"),
        "different": ("tagged", "words are tagged"),
        "ambiguous": ("ambiguous", "nobody can say"),
    },
    meaning,
)
