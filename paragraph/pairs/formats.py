"""The formats that pair tables come in: where the texts and the label stand, and what the label means.

Label to sign, for the public datasets:

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

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

from .columns import SPELLINGS
from .errors import PairsError
from .records import first_record, quoting, records

__all__ = ["FORMATS", "Format", "Layout", "choose", "recognise"]

ROLES = tuple(SPELLINGS)
ZERO_ONE = {"0": 0, "1": 1}


@dataclass(frozen=True)
class Format:
    """How one kind of source is read.

    `columns` maps roles (`text_a`, `text_b`, `label`, `id`, `id_a`, `id_b`, `split`) to column names, or to a tuple
    of names of which a table has one, or, in files without a header, to positions from 0. `headers` are the headers
    by which the format is known. `quoted` is None where only the content tells. `labels` is a map from label to 1, 0
    or None, or two thresholds; `otherwise` a second label column with its map, for rows without the first.
    """

    name: str
    columns: dict
    headers: tuple = ()
    delimiters: str = "\t"
    quoted: bool | None = None
    labels: dict | tuple = field(default_factory=lambda: ZERO_ONE)
    otherwise: tuple | None = None
    bipartite: bool = False
    official: bool = True

    @property
    def header(self):
        """Whether the first record names the columns."""
        return not any(isinstance(column, int) for column in self.columns.values())


def _columns(*names):
    """Roles for the columns text_a, text_b, label, id, id_a, id_b, split, in that order; empty for none."""
    return {role: name for role, name in zip(ROLES, names, strict=False) if name != ""}


def _header(names):
    return tuple(names.split("|"))


_QUORA = {
    "columns": _columns("question1", "question2", "is_duplicate", "id", "qid1", "qid2"),
    "headers": (_header("id|qid1|qid2|question1|question2|is_duplicate"),),
}

FORMATS = {
    fmt.name: fmt
    for fmt in (
        # Quora's release: quora_duplicate_questions.tsv
        Format("qqp", **_QUORA, quoted=True),
        # train.csv of the Kaggle competition
        Format("qqp-kaggle", **_QUORA, delimiters=",", quoted=True),
        # train.tsv and dev.tsv of the GLUE benchmark; a line end inside a question breaks its row
        Format("qqp-glue", **_QUORA, quoted=False),
        Format(
            "mrpc",
            _columns("#1 String", "#2 String", "Quality", "", "#1 ID", "#2 ID"),
            (_header("Quality|#1 ID|#2 ID|#1 String|#2 String"),),
            quoted=False,
        ),
        Format(
            "paws",
            _columns("sentence1", "sentence2", "label", ("id", "")),
            (_header("id|sentence1|sentence2|label"), _header("|sentence1|sentence2|label")),
            delimiters="\t,",
        ),
        Format(
            "sick",
            _columns("sentence_A", "sentence_B", "relatedness_score", "pair_ID", "", "", "SemEval_set"),
            (
                _header("pair_ID|sentence_A|sentence_B|relatedness_score|entailment_judgment"),
                _header(
                    "pair_ID|sentence_A|sentence_B|entailment_label|relatedness_score|entailment_AB|entailment_BA"
                    "|sentence_A_original|sentence_B_original|sentence_A_dataset|sentence_B_dataset|SemEval_set"
                ),
            ),
            quoted=False,
            labels=(3.5, 4.5),
        ),
        Format(
            "jsick",
            _columns("sentence_A_Ja", "sentence_B_Ja", "relatedness_score_Ja", "pair_ID", "", "", "data"),
            (
                _header(
                    "pair_ID|data|sentence_A_En|sentence_B_En|entailment_label_En|relatedness_score_En"
                    "|corr_entailment_labelAB_En|corr_entailment_labelBA_En|sentence_A_Ja|sentence_B_Ja"
                    "|entailment_label_Ja|relatedness_score_Ja|image_ID|original_caption|semtag_short|semtag_long"
                ),
            ),
            quoted=False,
            labels=(3.5, 4.5),
            otherwise=("entailment_label_Ja", {"entailment": 1, "contradiction": 0, "neutral": None}),
        ),
        # Medical question pairs: no header; the first column is the doctor who wrote the second question
        Format("mqp", _columns(1, 2, 3), delimiters=",", quoted=True),
        Format(
            "wikiqa",
            _columns("Question", "Sentence", "Label", "", "QuestionID", "SentenceID"),
            (
                _header("QuestionID|Question|DocumentID|DocumentTitle|SentenceID|Sentence|Label"),
                _header("QuestionID|Question|DocumentTitle|SentenceID|Sentence|Label"),
            ),
            quoted=False,
            bipartite=True,
        ),
        # What write_pairs writes
        Format(
            "paragraph",
            _columns("question1", "question2", "is_duplicate"),
            (_header("question1|question2|is_duplicate"),),
            delimiters="\t,",
            quoted=True,
            official=False,
        ),
    )
}

KINDS = {
    "tsv": "\t",
    "csv": ",;",
    "jsonl": "",
    "parquet": "",
}  # anyone's files, and how their fields may be split


def choose(names, fmt, columns, where):
    """The `Format` for a table with these column names.

    Parameters
    ----------
    names : list of str
    fmt : Format
        An official one, or one with no columns, which takes whatever has a well-known name.
    columns : dict or None
        The caller's choice; goes before either.
    where : str
        What error messages call the source.

    Raises
    ------
    PairsError
        If there is no column for a text, or a named column is missing or there twice.
    """
    found = {
        role: next((name for name in known if name in names), None) if isinstance(known, tuple) else known
        for role, known in (fmt.columns or SPELLINGS).items()
    }
    found = {role: name for role, name in (found | dict(columns or {})).items() if name is not None}
    must = {"text_a", "text_b"} | set(columns or ())
    if fmt.columns and not fmt.otherwise:
        must.add("label")
    for role in sorted(must):
        if role not in found:
            raise PairsError(
                f'{where}: no column for {role} among {_list(names)}; name it with columns={{"{role}": "..."}}'
            )
        if found[role] not in names:
            raise PairsError(f"{where}: there is no column {found[role]!r} (for {role}) among {_list(names)}")
    found = {role: name for role, name in found.items() if name in names}
    otherwise = (
        fmt.otherwise if fmt.otherwise and fmt.otherwise[0] in names and "label" not in (columns or ()) else None
    )
    for name in [*found.values(), *(otherwise or ())[:1]]:
        if list(names).count(name) > 1:
            raise PairsError(f"{where}: there is more than one column {name!r}")
    return replace(fmt, columns=found, otherwise=otherwise)


def _list(names):
    shown = ", ".join(repr(name) for name in list(names)[:20])
    return shown + (", …" if len(names) > 20 else "")


class Layout(NamedTuple):
    """A delimited file's format, with all that the content decided."""

    fmt: Format
    delimiter: str
    quoted: bool | None  # None: no quote met that could matter
    names: list  # of the columns


def recognise(head, cut, kind, columns, quoted, where):
    """The `Layout` of a delimited file, from its beginning.

    Parameters
    ----------
    head : bytes
        The file, or as much of it as is to be looked at. No byte-order mark.
    cut : bool
        Whether there is more.
    kind : str
        A name in `FORMATS` or `KINDS`, or ``"auto"``.
    columns, quoted
        The caller's choices, None for none.
    where : str
        What error messages call the file.

    Raises
    ------
    PairsError
        If no format fits, or two do and the rows would differ.
    """
    fmt, delimiter, names = _by_header(head, kind, columns, where)
    if not columns and any("\n" in name or "\r" in name for name in names if isinstance(name, str)):
        raise PairsError(
            f"{where}, row 1: the header runs over several lines, as if after a stray quote; "
            "where that is meant, name the columns with columns="
        )
    if quoted is None:
        quoted = fmt.quoted
    if quoted is None and delimiter != "\t":
        quoted = True  # a text without a single comma is rare, so commas never come without quotes
    if quoted is None:
        speaks = quoting(head, delimiter, len(names), cut)
        if speaks == "either":
            raise Undecided(
                f"{where}: quotes may be CSV marks or part of the texts, and the rows differ; say "
                + (
                    'format="qqp" or format="qqp-glue"'
                    if fmt.headers == _QUORA["headers"]
                    else "quoting=True or quoting=False"
                )
            )
        quoted = {"quoted": True, "unquoted": False, "same": None}[speaks]
    if kind == "auto" and fmt.headers == _QUORA["headers"] and delimiter == "\t":
        fmt = FORMATS["qqp-glue" if quoted is False else "qqp"]
    return Layout(choose(names, fmt, columns, where), delimiter, quoted, names)


class Undecided(PairsError):
    """Two readings remain possible."""


def _by_header(head, kind, columns, where):
    """Format, delimiter and column names, before quotes are looked at."""
    if kind == "auto":
        known = [] if columns else [fmt for fmt in FORMATS.values() if fmt.headers]
        trials = [(fmt, mark) for fmt in known for mark in fmt.delimiters]
        for fmt, mark in trials:
            names = first_record(head, mark, fmt.quoted is not False)
            if tuple(name.strip() for name in names) in fmt.headers:
                # Which of the two tab-separated Quora formats it is, the quotes will tell
                undecided = fmt.name in ("qqp", "qqp-glue")
                return (replace(fmt, quoted=None) if undecided else fmt), mark, [n.strip() for n in names]
        if not columns and _is_mqp(head):
            kind = "mqp"
    if kind in FORMATS:
        fmt = FORMATS[kind]
        trials = [(fmt, mark) for mark in fmt.delimiters]
    else:
        kinds = (
            [kind]
            if kind in KINDS
            else ["csv", "tsv"]
            if where.removesuffix(".gz").endswith(".csv")
            else ["tsv", "csv"]
        )
        trials = [(Format(name, {}, official=False), mark) for name in kinds for mark in KINDS[name]]
    error = None
    for fmt, mark in trials:
        names = [name.strip() for name in first_record(head, mark, fmt.quoted is not False)]
        if any(isinstance(name, int) for name in (fmt.columns | (columns or {})).values()):
            names = list(range(len(names)))
        try:
            choose(names, fmt, columns, where)
            return fmt, mark, names
        except PairsError as problem:
            # The most telling message is that of the delimiter which splits the header at all
            error = problem if error is None or len(names) > 1 else error
    raise error


def _is_mqp(head):
    """Whether every record (of the first fifty whole ones) is doctor, question, question, 0 or 1."""
    whole = head[: head.rfind(b"\n") + 1] or head
    first = list(islice(records(whole, ",", True, 4), 50))
    return bool(first) and all(
        not why and fields[0].isdigit() and fields[3].strip() in (b"0", b"1") for _, fields, why in first
    )
