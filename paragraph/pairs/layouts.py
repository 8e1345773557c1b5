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

from collections.abc import Iterable
from dataclasses import dataclass, field

from .labels import KNOWN, ZERO_ONE, label_text
from .tables import DECIDED, ROLES, TEXTS

__all__ = ["NAMES", "RELEASES", "Layout", "may_label"]


@dataclass(frozen=True)
class Layout:
    """How the files of one kind hold pairs; of a file, once it was recognised.

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
    header : bool
        Whether the first row of a delimited file names the columns.
    names : tuple
        All columns of a file, in their order; positions where there is no header.
    sample : dict
        The first values of each column.
    known : bool
        Whether the meaning of the labels is documented: it is in releases, and where the columns have well-known
        names.
    rivals : tuple
        Further columns that may hold labels, where the caller named none.
    ids : {"two", "one", "links"}
        Whether ids of the left and of the right side are those of two sources, of one, or of two without duplicates.
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
    header: bool = True
    names: tuple = ()
    sample: dict = field(default_factory=dict)
    known: bool = True
    rivals: tuple = ()
    ids: str = "two"
    apart: frozenset = frozenset()  #: roles of ids, and of texts that are ids, whose left and right are two sources'

    def columns(self) -> dict[tuple[str, int], str | int]:
        """The columns of the roles, by role and number: a set may lie within the values of several."""
        found: dict[tuple[str, int], str | int] = {}
        for role, column in self.roles.items():
            several = column if isinstance(column, list | tuple) else [column]
            found |= {(role, i): one for i, one in enumerate(several)}
        return found


def may_label(values: Iterable[str]) -> bool:
    """Tell if a column may hold labels, by its values: labels of a documented layout, or a few that come again.

    >>> may_label(["ok", "bad", "ok", "ok", "bad", "ok"]), may_label(["0"]), may_label(["far"])
    (True, True, False)
    """
    values = [text for value in values if (text := label_text(value))]
    few = {*map(str.casefold, values)}
    again = 1 < len(few) < 9 and len(values) >= 3 * len(few)
    return bool(few) and (few <= {*KNOWN, *ZERO_ONE} or again)


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
