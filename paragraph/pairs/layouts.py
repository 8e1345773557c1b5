"""Files that are read without a question: official releases, documented names of columns, and marks of tools.

Label to sign in the releases:

========== ========================================================================================
qqp…       ``is_duplicate``: 1 positive, 0 negative
mrpc       ``Quality``: 1 positive, 0 negative
paws, mqp  ``label``: 1 positive, 0 negative
sick       ``relatedness_score``: 4.5 or more positive, below 3.5 negative, no sign between
jsick      ``relatedness_score_Ja`` in the same way; rows that have none (the training part as released)
           by ``entailment_label_Ja``: entailment positive, contradiction negative, neutral no sign
wikiqa     ``Label``: 1 where the sentence answers the question. Bipartite: question and answer are
           different things, so nothing follows from it by transitivity.
========== ========================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..files.tables import MARK
from .labels import ZERO_ONE
from .tables import DECIDED, ROLES, TEXTS

__all__ = ["ADDED", "ANSWERS", "NAMES", "NEGATIVES", "REJECTED", "RELEASES", "STATUS", "Release"]


@dataclass(frozen=True)
class Release:
    """How the files of an official release hold pairs; its name is its format in `read_pairs`."""

    name: str
    #: From roles (`text_a`, `text_b`, `label` …) to column names, or to a tuple of alternatives; where there is no
    #: header, to positions from 0
    roles: dict
    headers: tuple = ()  #: by which the release is known, with bars between the names
    delimiters: str = "\t"
    quoted: bool | None = None  #: None if only the content can tell
    labels: dict | tuple = field(default_factory=lambda: ZERO_ONE)  #: a map to 1, 0 or None, or two thresholds
    words: dict = field(default_factory=dict)  #: beside thresholds: labels that stand in the column `otherwise`
    bipartite: bool = False
    official: bool = True  #: rows that cannot be read are skipped and listed: nobody can mend a release


def _roles(*names: str | int | tuple[str, ...]) -> dict:
    """Roles for text_a, text_b, label, id, id_a, id_b, split, entailment, in that order; empty for none."""
    return {role: name for role, name in zip(ROLES, names, strict=False) if name != ""}


_QUORA = {
    "roles": _roles("question1", "question2", "is_duplicate", "id", "qid1", "qid2"),
    "headers": ("id|qid1|qid2|question1|question2|is_duplicate",),
}
_JSICK = (
    "pair_ID|data|sentence_A_En|sentence_B_En|entailment_label_En|relatedness_score_En"
    "|corr_entailment_labelAB_En|corr_entailment_labelBA_En|sentence_A_Ja|sentence_B_Ja"
    "|entailment_label_Ja|relatedness_score_Ja|image_ID|original_caption|semtag_short|semtag_long"
)
_ENTAILMENT = ("entailment_label", "entailment_judgment", "entailment_label_Ja")

_TABLE = [
    Release("qqp", **_QUORA, quoted=True),
    Release("qqp-kaggle", **_QUORA, delimiters=",", quoted=True),
    Release("qqp-glue", **_QUORA, quoted=False),  # a line end inside a question breaks its row
    Release(
        "mrpc",
        _roles("#1 String", "#2 String", "Quality", "", "#1 ID", "#2 ID"),
        ("Quality|#1 ID|#2 ID|#1 String|#2 String",),
        quoted=False,
    ),
    Release(
        "paws",
        _roles("sentence1", "sentence2", "label", ("id", "")),
        ("id|sentence1|sentence2|label", "|sentence1|sentence2|label"),
        "\t,",
    ),
    Release(
        "sick",
        _roles("sentence_A", "sentence_B", "relatedness_score", "pair_ID", "", "", "SemEval_set", _ENTAILMENT),
        (
            "pair_ID|sentence_A|sentence_B|relatedness_score|entailment_judgment",
            "pair_ID|sentence_A|sentence_B|entailment_label|relatedness_score|entailment_AB|entailment_BA"
            "|sentence_A_original|sentence_B_original|sentence_A_dataset|sentence_B_dataset|SemEval_set",
        ),
        quoted=False,
        labels=(3.5, 4.5),
    ),
    Release(
        "jsick",
        _roles("sentence_A_Ja", "sentence_B_Ja", "relatedness_score_Ja", "pair_ID", "", "", "data", _ENTAILMENT)
        | {"otherwise": "entailment_label_Ja"},
        (_JSICK,),
        quoted=False,
        labels=(3.5, 4.5),
        words={"entailment": 1, "contradiction": 0, "neutral": None},
    ),
    # No header; the first column is the doctor who wrote the second question
    Release("mqp", _roles(1, 2, 3), delimiters=",", quoted=True),
    Release(
        "wikiqa",
        _roles("Question", "Sentence", "Label", "", "QuestionID", "SentenceID"),
        (
            "QuestionID|Question|DocumentID|DocumentTitle|SentenceID|Sentence|Label",
            "QuestionID|Question|DocumentTitle|SentenceID|Sentence|Label",
        ),
        quoted=False,
        bipartite=True,
    ),
    # What `write_pairs` writes
    Release(
        "paragraph",
        _roles("question1", "question2", "is_duplicate"),
        ("question1|question2|is_duplicate",),
        "\t,",
        quoted=True,
        official=False,
    ),
]

#: The releases by their names.
RELEASES = {release.name: release for release in _TABLE}
#: The documented names of a role's column in anyone's file; the first that exists is used.
NAMES = {
    "text_a": (*(pair[0] for pair in TEXTS), "anchor"),
    "text_b": (*(pair[1] for pair in TEXTS), "positive"),
    "label": ("label", "is_duplicate", "choice"),
    "id": ("id", "idx"),
    "id_a": ("id_a", "qid1"),
    "id_b": ("id_b", "qid2"),
    "split": ("split",),
    "entailment": ("entailment",),
    "from_row": ("from_row",),
    "annotator": ("annotator", "WorkerId", "_annotator_id"),
    DECIDED: (DECIDED,),
}
#: Documented names of the negatives beside `anchor` and `positive`.
NEGATIVES = r"neg(ative)?_?\d*"
#: MTurk's column that says if an answer counts, and its word for one that does not.
STATUS, REJECTED = "AssignmentStatus", "Rejected"
#: All that Prodigy's `answer` says; beside a label, it is about the label.
ANSWERS = {"accept", "reject", "ignore"}
#: Columns that augmenting, writing for a spreadsheet, or answers of people add to those of a dataset.
ADDED = ("from_row", "side", "order", MARK, DECIDED)
