"""What a review of pairs asks: is the label right, or do the two sentences mean the same?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...collection.answers import STATES as ANSWERS
from ...decisions.records import Decision, says
from ..base.keys import KEYS, help_of, key_of

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


def choice(decision: str, text: str, hint: str, key: str | None = None) -> list[str]:
    """Return what the page knows of a choice: its key (of the table; default the one called like it), name, texts."""
    return [key_of(key or decision), decision, text, hint]


#: Effects of the mouse in a review, and in one where positives are cut.
MOUSE = {
    "Click": "a sentence or a line, to read its labels",
    "Ctrl or Shift click": "one more sentence",
    "Drag": "a sentence, to arrange; the ground, to move the picture",
    "Ctrl and the wheel": "zoom",
}
CUTS = MOUSE | {"Click": f"{MOUSE['Click']}; after c, a solid line, to cut it"}


def review_help(words: dict[str, Any]) -> dict[str, Any]:
    """Return the trait `shortcuts` of a review: the keys that mark, those that decide, and those of every review."""
    by_key = {key: name for name, (keys, _) in KEYS.items() for key in keys}
    chosen = {by_key[key]: f"{text.replace('…', '')}: {hint[0].lower()}{hint[1:]}"
              for key, _, text, hint in words["decide"]}  # fmt: skip
    cuts = "cut" in chosen
    rest = {
        "go on": None, "undo": None, "note": None, "reveal": f"reveal {words['reveal']}", "step": None, "page": None,
        "search": "search the queue; #12 goes to the 12th", "zoom": None,
        "back": f"back: help, note, {'cut, ' * cuts}search, selection", "help": None,
    }  # fmt: skip
    if cuts:
        chosen["number"] = "after c: the positive that is wrong, as numbered"
    marks, mouse = words.get("marks", {}), words.get("mouse", CUTS if cuts else MOUSE)
    if marks:
        del rest["zoom"]  # there is no picture
    rows = marks | chosen | {name: meaning for name, meaning in rest.items() if name not in chosen}
    return help_of(rows, mouse, words["one"], words["many"])


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
            choice("flip", "Label wrong", "The label should be the other one (flip)"),
            choice("keep", "Label right", "The label is as it should be (keep)"),
            choice("ambiguous", "Ambiguous", "Nobody can say: the pair is left out of the estimate"),
            choice("skip", "Skip", LATER),
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
            choice("same", "Same", "Yes, the two sentences mean the same", "yes"),
            choice("different", "Different", "No, they do not mean the same", "no"),
            choice("ambiguous", "Cannot say", "Nobody can say: the pair is left out of the estimate"),
            choice("skip", "Later", LATER),
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
            choice("keep", "Good", "Yes, I would say so", "yes"),
            choice("ambiguous", "Awkward", "Questionable: I would put it otherwise", "questionable"),
            choice("flip", "Wrong", "No, it says something else, or nothing", "no"), choice("skip", "Skip", LATER),
        ],
    },
    states=STATES | {"keep": ("good", "good"), "ambiguous": ("awkward",) * 2, "flip": ("wrong", "wrong")},
)  # fmt: skip

#: Asked of pairs that have no label yet.
COLLECT = Question(
    "do the two mean the same?",
    PAIRS
    | {
        "settled": "inferred",
        "estimate": "What follows from answers is not asked, trains as well, and costs nothing of the budget.",
        "reveal": "what the model thinks, and in which words the two differ",
        "decide": [
            choice("same", "Yes", "The two sentences mean the same", "yes"),
            choice("different", "No", "They do not mean the same", "no"),
            choice("ambiguous", "Cannot say", "Nobody can say: the pair is left out, and nothing follows"),
            choice("skip", "Skip", LATER),
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
            choice("tags", "Done", "The marks are the tags; without any the two are paraphrases", "go on"),
            choice("ambiguous", "Ambiguous", "Nobody can say: the pair gets no tags"),
            choice("skip", "Skip", LATER),
        ],
        "marks": {
            "move": "the word before, the next one; with Shift: go back and clear, mark and go on",
            "mark": None,
            "every": None,
            "other": None,
        },
        "mouse": {"Click": "a word: mark it, or clear it", "Drag": "over words: mark them, or clear them"},
    },
    STATES
    | {
        "same": ("paraphrase", "tagged: no word, a paraphrase"),
        "different": ("tagged", "words are tagged"),
        "ambiguous": ("ambiguous", "nobody can say"),
    },
    meaning,
)
