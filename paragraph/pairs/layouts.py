"""Files that are read without a question: official releases, one row each, and the names of columns in others.

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

from .tables import ROLES

__all__ = ["NAMES", "RELEASES", "ZERO_ONE", "Layout"]

#: What labels mean where nobody says otherwise.
ZERO_ONE = {"0": 0, "1": 1}


@dataclass(frozen=True)
class Layout:
    """How the files of one kind hold pairs.

    Parameters
    ----------
    name : str
        A release's name is its format in `read_pairs`.
    roles : dict
        From roles (`text_a`, `text_b`, `label`, `id` …) to column names, to a tuple of alternative names, or, in
        files without a header, to positions from 0.
    labels : dict or tuple
        A map from label to 1, 0 or None, or two thresholds.
    headers : tuple of tuples of str
        The headers by which a release is known.
    delimiters : str
    quoted : bool, optional
        None if only the content can tell.
    otherwise : dict, optional
        The map of a second label column (role ``"otherwise"``), for rows without the first.
    bipartite : bool
    further : int
        The number of fields that may follow those of a row.
    official : bool
        Whether rows that cannot be read are skipped and listed, as nobody can mend a release.
    """

    name: str
    roles: dict = field(default_factory=dict)
    labels: dict | tuple = field(default_factory=lambda: ZERO_ONE)
    headers: tuple = ()
    delimiters: str = "\t"
    quoted: bool | None = None
    otherwise: dict | None = None
    bipartite: bool = False
    further: int = 0
    official: bool = False


def _roles(*names: str | int | tuple[str, ...]) -> dict:
    """Roles for text_a, text_b, label, id, id_a, id_b, split, entailment, in that order; empty for none."""
    return {role: name for role, name in zip(ROLES, names, strict=False) if name != ""}


def _release(name: str, roles: dict, *headers: str, official: bool = True, **more) -> Layout:
    headers = tuple(tuple(header.split("|")) for header in headers)
    return Layout(name, roles, more.pop("labels", ZERO_ONE), headers, official=official, **more)


_QUORA = (
    _roles("question1", "question2", "is_duplicate", "id", "qid1", "qid2"),
    "id|qid1|qid2|question1|question2|is_duplicate",
)
_JSICK = (
    "pair_ID|data|sentence_A_En|sentence_B_En|entailment_label_En|relatedness_score_En"
    "|corr_entailment_labelAB_En|corr_entailment_labelBA_En|sentence_A_Ja|sentence_B_Ja"
    "|entailment_label_Ja|relatedness_score_Ja|image_ID|original_caption|semtag_short|semtag_long"
)
_ENTAILMENT = ("entailment_label", "entailment_judgment", "entailment_label_Ja")

#: Official releases and what `write_pairs` writes, known by their whole header.
_RELEASES = [
    _release(
        "qqp",
        *_QUORA,
        quoted=True,
    ),
    _release(
        "qqp-kaggle",
        *_QUORA,
        delimiters=",",
        quoted=True,
    ),
    _release(
        "qqp-glue",
        *_QUORA,
        quoted=False,  # a line end inside a question breaks its row
    ),
    _release(
        "mrpc",
        _roles("#1 String", "#2 String", "Quality", "", "#1 ID", "#2 ID"),
        "Quality|#1 ID|#2 ID|#1 String|#2 String",
        quoted=False,
    ),
    _release(
        "paws",
        _roles("sentence1", "sentence2", "label", ("id", "")),
        "id|sentence1|sentence2|label",
        "|sentence1|sentence2|label",
        delimiters="\t,",
    ),
    _release(
        "sick",
        _roles("sentence_A", "sentence_B", "relatedness_score", "pair_ID", "", "", "SemEval_set", _ENTAILMENT),
        "pair_ID|sentence_A|sentence_B|relatedness_score|entailment_judgment",
        "pair_ID|sentence_A|sentence_B|entailment_label|relatedness_score|entailment_AB|entailment_BA"
        "|sentence_A_original|sentence_B_original|sentence_A_dataset|sentence_B_dataset|SemEval_set",
        quoted=False,
        labels=(3.5, 4.5),
    ),
    _release(
        "jsick",
        _roles("sentence_A_Ja", "sentence_B_Ja", "relatedness_score_Ja", "pair_ID", "", "", "data", _ENTAILMENT)
        | {"otherwise": "entailment_label_Ja"},
        _JSICK,
        quoted=False,
        labels=(3.5, 4.5),
        otherwise={"entailment": 1, "contradiction": 0, "neutral": None},
    ),
    # No header; the first column is the doctor who wrote the second question
    _release(
        "mqp",
        _roles(1, 2, 3),
        delimiters=",",
        quoted=True,
    ),
    _release(
        "wikiqa",
        _roles("Question", "Sentence", "Label", "", "QuestionID", "SentenceID"),
        "QuestionID|Question|DocumentID|DocumentTitle|SentenceID|Sentence|Label",
        "QuestionID|Question|DocumentTitle|SentenceID|Sentence|Label",
        quoted=False,
        bipartite=True,
    ),
    # No header; two more fields, in some rows, name sources; the scores have no sign of their own
    _release(
        "stsb",
        _roles(5, 6, 4),
        quoted=False,
        further=2,
        official=False,
    ),
    _release(
        "paragraph",
        _roles("question1", "question2", "is_duplicate"),
        "question1|question2|is_duplicate",
        delimiters="\t,",
        quoted=True,
        official=False,
    ),
]

#: The releases by their names.
RELEASES = {layout.name: layout for layout in _RELEASES}
#: The names by which the column of a role is known in anyone's file; the first that exists is used.
NAMES = {
    "text_a": ("text_a", "question1", "sentence1", "anchor"),
    "text_b": ("text_b", "question2", "sentence2", "positive"),
    "label": ("label", "is_duplicate", "gold_label", "choice"),
    "id": ("id", "idx"),
    "id_a": ("id_a", "qid1"),
    "id_b": ("id_b", "qid2"),
    "split": ("split",),
    "entailment": ("entailment",),
    "from_row": ("from_row",),
    "annotator": ("annotator", "WorkerId", "_annotator_id"),
    "negative": ("negative",),
}
