"""Tables of labelled sentence pairs: read and checked.

A *pair table* is a DataFrame with the columns

======================== ======= =====================================================================
``text_a``, ``text_b``   str     the sentences, exactly as the source gives them
``label``                Int8    1 paraphrase, 0 not, <NA> unlabelled (only where the caller allowed it)
``row``                  int64   the place of the row in its source: spreadsheet row or line of a file,
                                 so that the first row under a header is 2; else position from 1
``id``, ``id_a``,        str     where the source has them; empty where it leaves them out
``id_b``, ``split``
``entailment``           str     entailment, contradiction or neutral, where the source says so
``from_row``             str     the row that a generated row was made from; empty for others
``annotator``            str     whose label it is, in exports of annotation tools: one row per person
``score``                float64 where labels are two thresholds: the score, or the share of votes
======================== ======= =====================================================================

``pairs.attrs["report"]`` says what was read: ``source``, ``format``, ``rows`` (records in the source),
``kept``, ``skipped`` (a list of ``{"row", "value", "why"}``), ``notes`` (sentences), ``options`` (those of
`read_pairs` that say how the source is laid out) and, where the labels look turned round, a question, ``turned``. Always rows = kept + len(skipped).
"""

from __future__ import annotations

import warnings
from os import PathLike
from pathlib import Path

import pandas as pd

from ..files.delimited import read_rows
from ..files.errors import PairsError, taken
from ..files.spelling import option
from ..files.tables import MARK
from .check import checked, first_of, run_on
from .formats import KINDS, NoColumn, recognise
from .labels import label_text
from .layouts import RELEASES
from .meanings import signs_of
from .source import delimited_columns, open_source, parquet_batches, table_columns
from .tables import FURTHER, ROLES
from .tripwire import ask_if_turned

__all__ = ["ReadWarning", "read_pairs", "read_source", "read_table"]


class ReadWarning(UserWarning):
    """A warning that something was left out while pairs were read; the message says what."""


def read_pairs(
    source,
    format="auto",
    *,
    columns=None,
    labels=None,
    unlabelled="error",
    on_error=None,
    header=None,
    quoting=None,
    encoding="utf-8",
    leave_out=(),
    max_unpacked=None,
):
    """Read a file, a DataFrame or a `datasets.Dataset` as a checked pair table.

    Parameters
    ----------
    source : str, Path, pandas.DataFrame or datasets.Dataset
        CSV, TSV, JSON, JSON Lines or Parquet; gzip-compressed or not. `docs/layouts.md` shows how triplets, sets,
        nested keys and exports of annotation tools are read. If two columns may hold labels, nothing is read until
        `columns` names one.
    format : str
        ``"auto"`` looks at header and content. Official releases: ``"qqp"`` (Quora's own, CSV-quoted tabs),
        ``"qqp-kaggle"`` (train.csv), ``"qqp-glue"`` (the same header, no quoting), ``"mrpc"``, ``"paws"``,
        ``"sick"``, ``"jsick"``, ``"mqp"``, ``"stsb"``, ``"wikiqa"``. Anyone's files: ``"tsv"``, ``"csv"``,
        ``"jsonl"``, ``"parquet"``, and ``"paragraph"`` for what `write_pairs` wrote.
    columns : dict, optional
        Column names for ``text_a``, ``text_b``, ``label`` and, if wanted, ``id``, ``id_a``, ``id_b``, ``split``.
        Whole numbers count columns from 0. In place of ``text_b``: ``set``, whose equal values mark paraphrases.
        ``negative``, ``negative_2`` …: texts that are not paraphrases of the first. ``label_2`` …: labels by further
        people.
    labels : dict or (low, high), optional
        The meaning of labels: ``{"yes": 1, "no": 0, "?": None}``, or two thresholds for graded labels: `high` or more
        is positive, below `low` negative, and the rest has no sign; votes (``(4, 6)``, ``4/6``) count as shares.
        ``{"all": 1}`` if no column has labels and all pairs are paraphrases. Default: the format's own meaning, else
        1, 0, and yes, no, true, false in upper or lower case, which a warning names; other labels are refused.
    unlabelled : {"error", "keep", "skip"}
        Rows with an empty label are an error, kept with label <NA>, or skipped. Rows that `labels` leaves
        without a sign are kept by ``"keep"`` and skipped otherwise.
    on_error : {"error", "skip"}, optional
        Whether a row with an empty text, an unknown label, too few fields or the like is an error, or is skipped and
        listed in the report. Default: skipped in official releases, an error elsewhere.
    header : bool, optional
        Whether the first row of a delimited file names the columns. Default: if it does not look like the others.
    quoting : bool, optional
        Whether quotes enclose fields, if the format leaves that open.
    encoding : str
    leave_out : list of str
        Rows with one of these texts are skipped: placeholders such as ``"NS"`` or ``"#NAME?"``.
    max_unpacked : int, optional
        The most bytes that may come out of a gzip file: by default 8 GB, or as many as fit into the free memory.

    Returns
    -------
    DataFrame
        See the module's description. ``attrs["bipartite"]`` is True where the two sides are different things.

    Raises
    ------
    PairsError
        If the source cannot be read as pairs, naming file, row and value.

    Warns
    -----
    ReadWarning
        Once, if rows were skipped or look wrong.

    Notes
    -----
    Rows whose texts and label are all empty are always skipped. Self-pairs and repeated rows are kept
    (`summary` counts them). The texts are not changed: `ParaphraseGraph` decides which spellings are one sentence.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"q1": ["How far is it?"], "q2": ["What is the distance?"], "same": ["yes"]})
    >>> pairs = read_pairs(
    ...     frame, columns={"text_a": "q1", "text_b": "q2", "label": "same"}, labels={"yes": 1, "no": 0}
    ... )
    >>> pairs.label.tolist()
    [1]
    """
    _check_options(format, columns, unlabelled, on_error or "error", header, quoting)
    if isinstance(leave_out, str):
        raise PairsError(f"{option('leave_out')} takes a list of texts: {option('leave_out', [leave_out])}")
    layout = {"format": format, "columns": columns, "header": header, "quoting": quoting, "encoding": encoding}
    options = layout | {"labels": labels, "unlabelled": unlabelled, "on_error": on_error, "leave_out": [*leave_out]}
    found = read_source(source, **layout, max_unpacked=max_unpacked)
    signs = signs_of(found, labels)
    pairs, warned = checked(found, signs, unlabelled, on_error, leave_out)
    meaning = signs.labels
    if labels is None and signs.words:
        meaning = {signs.words[0]: 0, signs.words[1]: 1}
    turned = ask_if_turned(pairs, meaning)
    if turned:
        warned.append(turned)
        pairs.attrs["report"]["turned"] = turned
    pairs.attrs["report"] |= {
        "path": found.path,
        "sha256": found.sha256,
        "options": options | {"labels": _plain(labels), "max_unpacked": max_unpacked},
    } | ({"words": signs.words} if signs.words else {})
    if warned:
        warnings.warn(f"{found.name}: {'; '.join(warned)}", ReadWarning, stacklevel=2)
    return pairs


def read_source(source, format="auto", columns=None, header=None, quoting=None, encoding="utf-8", max_unpacked=None):
    """The `Source` with its layout and the columns of pairs, not yet checked."""
    source = open_source(source, format, encoding, max_unpacked)
    recognise(source, format, columns, quoting, header)
    if source.kind == "delimited":
        delimited_columns(source)
    elif source.kind == "parquet":
        source = next(parquet_batches(source))
    else:
        table_columns(source, source.content)
    return source


def _plain(labels):
    """Return the labels as values that JSON can hold."""
    if isinstance(labels, dict):
        return {label_text(label): None if sign is None else int(sign) for label, sign in labels.items()}
    return labels and [float(bound) for bound in labels]


def _check_options(format, columns, unlabelled, on_error, header, quoting):
    for name, value, known in (
        ("format", format, ["auto", *RELEASES, *KINDS]),
        ("unlabelled", unlabelled, ["error", "keep", "skip"]),
        ("on_error", on_error, ["error", "skip"]),
        ("header", header, [True, False, None]),
        ("quoting", quoting, [True, False, None]),
    ):
        if value not in known:
            raise PairsError(f"{option(name)} {value!r} is not one of {', '.join(map(str, known))}")
    how = 'columns={"label": "same"}'
    for role, column in taken(columns or {}, dict, "read_pairs", "columns as a dict", how).items():
        if not (role in ROLES or FURTHER.fullmatch(str(role))) or not isinstance(column, str | int):
            what = f"{column!r} is no column" if role in ROLES else f"unknown role {role!r}"
            raise PairsError(f"{option('columns')}: {what}: write ROLE=column, ROLE one of {', '.join(ROLES)}")


def read_table(
    path: str | PathLike,
    max_unpacked: int | None = None,
    columns: dict[str, str] | None = None,
    quoting: bool | None = None,
    encoding: str = "utf-8",
) -> pd.DataFrame:
    """Read all columns of a CSV or TSV file with a header, as text; the index is each row's place in the file.

    The file may be compressed by gzip. Blank lines are left out, and so are columns without a name and a value, which
    spreadsheets write. `columns` names those of the texts if their names are unknown, and `quoting` says whether
    quotes enclose fields; they and `max_unpacked` are as in `read_pairs`.

    Raises
    ------
    PairsError
        Names file and row if a row has more or fewer fields than the header, a quote swallows the next rows, or a
        text is not UTF-8. Also raised if two columns have the same name, or if there is no column for the texts of
        pairs.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "evidence.tsv"
    >>> path.write_text("question1\\tquestion2\\tmodel\\nHow?\\tIn what way?\\t.9\\n")
    47
    >>> read_table(path)
      question1     question2 model
    2      How?  In what way?    .9
    """
    opened = open_source(Path(path), "tsv", encoding, max_unpacked)
    try:
        recognise(opened, "auto", columns, quoting)
    except NoColumn:
        if columns is not None:
            raise
        raise PairsError(f"{opened.name} needs the columns text_a, text_b (or question1, question2)") from None
    names, layout = opened.names, opened.layout
    if twice := [name for name in names if name and names.count(name) > 1]:
        raise PairsError(f"{opened.name}: there is more than one column {twice[0]!r}")
    rows = read_rows(opened.content, layout.delimiters, bool(layout.quoted), names, [*range(len(names))])
    faults = rows.bad + [
        (int(rows.row[i]), layout.delimiters.join(fields), "seems to run on into the next, after a stray quote")
        for place, column in enumerate(rows.columns)
        for i, fields in run_on(column, len(names) - place, layout.delimiters)
    ]
    if faults:
        row, value, why, more = first_of(faults)
        raise PairsError(f"{opened.name}, row {row}: {why}: {value}{more}")
    values = [column.to_pandas().astype("str") for column in rows.columns]
    for name, column in zip(names, values, strict=True):
        if not name and (column != "").any():
            row = rows.row[(column != "").argmax()]
            raise PairsError(
                f"{opened.name}, row {row}: {column[column != ''].iloc[0]!r} is in a column without a name"
            )
    named = {name: column for name, column in zip(names, values, strict=True) if name}
    table = pd.DataFrame(named).set_axis(rows.row)
    table = table.drop(columns=MARK, errors="ignore")
    return table[(rows.row > 1) & (table != "").any(axis=1)]
