"""Tables of labelled sentence pairs: read and checked.

Each step returns a value: `opened` makes a `source` of bytes or of a table, whatever its format; `recognise` finds
its layout, and `texts` a table of the columns that it names; `lenses` make pairs of these, each with the cell of its
label; `signs` gives their signs, and `check` the table of those that can be used. `back` writes answers into cells.

A *pair table* is a DataFrame with the columns

======================== ======= =====================================================================
``text_a``, ``text_b``   str     the sentences, exactly as the source gives them
``label``                Int8    1 paraphrase, 0 not, <NA> unlabelled (only where the caller allowed it)
``row``                  int64   the place of the row in its source: spreadsheet row or line of a file,
                                 so that the first row under a header is 2; else position from 1
``id``, ``id_a``,        str     where the source has them; empty where it leaves them out
``id_b``, ``split``
``entailment``           str     entailment, contradiction or neutral, where the source says so
``annotator``            str     whose label it is, in exports of annotation tools: one row per person
``score``                float64 where labels are two thresholds: the score, or the share of votes
======================== ======= =====================================================================

``pairs.attrs["report"]`` says what was read: ``source``, ``format``, ``rows`` (records in the source),
``kept``, ``skipped`` (a list of ``{"row", "value", "why"}``), ``notes`` (sentences), ``options`` (those of
`read_pairs` that say how the source is laid out) and, where the labels look turned round, a question, ``turned``.
Always rows = kept + len(skipped). Of a file, ``path`` and ``sha256`` are kept, the ``ending`` of its kind, and in
``back`` what becomes of its labels where they do not take answers (`lenses`); ``keeps`` is True where no row leaves
because its pair differs.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import pandas as pd

from ..files.errors import PairsError, check_type
from ..files.spelling import option
from . import remembered
from .check import checked
from .labels import label_text
from .layouts import RELEASES
from .lenses import lens_of
from .opened import open_source
from .recognise import Layout, how_of, recognise
from .signs import Signs, signs_of
from .source import Source
from .tables import DECIDED, FURTHER, ROLES
from .texts import texts_of
from .tripwire import ask_if_turned

__all__ = [
    "ReadWarning",
    "Reading",
    "ask_in_own_words",
    "read_pairs",
    "read_source",
    "seen_through",
]


class ReadWarning(UserWarning):
    """A warning that something was left out while pairs were read; the message says what."""


def read_pairs(
    source,
    format="auto",
    *,
    columns=None,
    labels=None,
    unlabelled=None,
    on_error=None,
    header=None,
    quoting=None,
    encoding=None,
    leave_out=(),
    ids=None,
):
    """Read a file, a DataFrame or a `datasets.Dataset` as a checked pair table.

    Parameters
    ----------
    source : str, Path, pandas.DataFrame or datasets.Dataset
        CSV, TSV, JSON, JSON Lines or Parquet; gzip-compressed or not. `docs/layouts.md` shows how triplets, sets,
        nested keys and exports of annotation tools are read. What is no documented layout is refused until `columns`
        and `labels` say what it holds. They may be said once: the file ``my.csv.layout.json`` beside ``my.csv``,
        which the commands write, has them; options that are given take precedence.
    format : str
        ``"auto"`` looks at header and content. Official releases: ``"qqp"`` (Quora's own, CSV-quoted tabs),
        ``"qqp-kaggle"`` (train.csv), ``"qqp-glue"`` (the same header, no quoting), ``"mrpc"``, ``"paws"``,
        ``"sick"``, ``"jsick"``, ``"mqp"``, ``"wikiqa"``; and ``"paragraph"`` for what `write_pairs` wrote.
    columns : dict, optional
        Column names for ``text_a``, ``text_b``, ``label`` and, if wanted, ``id``, ``id_a``, ``id_b``, ``split``.
        Whole numbers count columns from 0. In place of ``text_b``: ``set``, whose equal values mark paraphrases.
        ``negative``, ``negative_2`` …: texts that are not paraphrases of the first. ``label_2`` …: labels by further
        people. ``set`` may be a list of columns: sets within the values of the others.
    labels : dict or (low, high), optional
        The meaning of labels: ``{"yes": 1, "no": 0, "?": None}``, or two thresholds for graded labels: `high` or more
        is positive, below `low` negative, and the rest has no sign; with the larger one first, for distances, small
        is positive. ``4/6`` and ``17 %`` count as shares. ``{"all": 1}`` if no column has labels
        and all pairs are paraphrases. Default, in releases and where all columns have documented names: the format's
        own meaning, else 1, 0, and yes, no, true, false in upper or lower case, which a warning names.
    unlabelled : {"error", "keep", "skip"}, optional
        Rows with an empty label are an error (default), kept with label <NA>, or skipped. Rows that `labels` leaves
        without a sign are kept by ``"keep"`` and skipped otherwise.
    on_error : {"error", "skip"}, optional
        Whether a row with an empty text, an unknown label, too few fields or the like is an error, or is skipped and
        listed in the report. Default: skipped in official releases, an error elsewhere.
    header : bool, optional
        Whether the first row of a delimited file names the columns. Default: unless `columns` counts them.
    quoting : bool, optional
        Whether quotes enclose fields, if the format leaves that open.
    encoding : str, optional
        Default: UTF-8.
    leave_out : list of str
        Rows with one of these texts are skipped: placeholders such as ``"NS"`` or ``"#NAME?"``.
    ids : {"two", "one"}, optional
        Whether whole numbers in place of texts, and ``id_a`` and ``id_b`` of other than documented names, are ids of
        two sources (default) or of one: 2 on the left and 2 on the right are two records or one.

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
    Rows whose texts and label are all empty are always skipped; self-pairs and repeated rows are kept. The texts are
    not changed: `ParaphraseGraph` decides which spellings are one sentence.

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
    options = {
        "format": format,
        "columns": columns,
        "labels": labels,
        "unlabelled": unlabelled,
        "on_error": on_error,
        "header": header,
        "quoting": quoting,
        "encoding": encoding,
        "leave_out": leave_out,
        "ids": ids,
    }
    options, note = remembered.completed(source, options)
    for name in ("unlabelled", "encoding"):
        options[name] = options[name] or remembered.USUAL[name]
    _check_options(options)
    reading = read_source(source, options, whole=labels is not None)
    pairs, messages = checked(reading)
    report = pairs.attrs["report"]
    turned = ask_in_own_words(pairs, reading.signs, options)
    if turned:
        messages.append(turned)
        report["turned"] = turned
    report["options"] = options | {
        "labels": _plain(options["labels"]),
        "leave_out": [*options["leave_out"]],
    }
    if note:
        messages.insert(0, note)
    if messages:
        warnings.warn(f"{reading.source.name}: {'; '.join(messages)}", ReadWarning, stacklevel=2)
    return pairs


def ask_in_own_words(pairs: pd.DataFrame, signs: Signs, options: dict[str, Any]) -> str:
    """Ask if labels look turned round (`ask_if_turned`); in the words of the file, if the caller gave no `labels`."""
    labels = signs.labels
    if options["labels"] is None and isinstance(labels, dict):
        labels = {label_text(signs.words[sign]): sign for sign in (0, 1)}
    return ask_if_turned(pairs, labels)


class Reading(NamedTuple):
    """A source on its way to a pair table: the values that the steps gave."""

    source: Source
    layout: Layout
    lens: Any  #: one of `lenses`
    frame: pd.DataFrame  #: one row per pair, as the lens gave them (`texts.Texts`)
    faults: list  #: (row, value, why) for each record that holds no pair
    note: str  #: how it was read
    signs: Signs
    options: dict  #: those of `read_pairs`


def read_source(source: Any, options: dict[str, Any], whole: bool = False) -> Reading:
    """Read a source with the options of `read_pairs`, up to the check of the pairs.

    With `whole`, thresholds with all numbers on one side are refused: the user has just named them.
    """
    how = how_of(options)
    opened = open_source(source, how)
    return seen_through(opened, recognise(opened, how), options, whole)


def seen_through(
    source: Source, layout: Layout, options: dict[str, Any], whole: bool = False
) -> Reading:
    """The reading of a source, or of a part of it, through its lens; `whole` as in `read_source`."""
    labels = options.get("labels")
    records, faults = texts_of(source, layout)
    lens = lens_of(source, layout, records, labels)
    frame = lens.get(records)
    note = f"read as {layout.name}{source.about}"
    if lens.pairs_of:
        note += f"; {len(records):,} rows of {lens.pairs_of} give {len(frame):,} pairs"
    signs = signs_of(source.name, frame, layout, labels, whole)
    return Reading(source, layout, lens, frame, faults, note, signs, options)


def _plain(labels: Any) -> Any:
    """The labels as values that JSON can hold."""
    if isinstance(labels, dict):
        return {
            label_text(label): None if sign is None else int(sign) for label, sign in labels.items()
        }
    return labels and [float(bound) for bound in labels]


#: The values of each option that has only a few.
_CHOICES = {
    "format": ("auto", *RELEASES),
    "unlabelled": ("error", "keep", "skip"),
    "on_error": ("error", "skip", None),
    "header": (True, False, None),
    "quoting": (True, False, None),
    "ids": ("two", "one", None),
}


def _check_options(options: dict[str, Any]) -> None:
    """Refuse options of `read_pairs` whose value is not one that they take."""
    for name, choices in _CHOICES.items():
        if options[name] not in choices:
            shown = ", ".join(str(choice) for choice in choices if choice is not None)
            raise PairsError(f"{option(name)} {options[name]!r} is not one of {shown}")
    check_type(options["encoding"], str, "read_pairs", "encoding as a text", 'encoding="cp1252"')
    texts = options["leave_out"]
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise PairsError(
            f"{option('leave_out')} takes a list of texts: {option('leave_out', ['NS'])}"
        )
    _check_columns(options["columns"] or {})


def _check_columns(columns: Any) -> None:
    """Refuse unknown roles, and columns that are neither a name nor a number, or a list of these for sets."""
    check_type(columns, dict, "read_pairs", "columns as a dict", 'columns={"label": "same"}')
    for role, column in columns.items():
        is_role = role in (*ROLES, DECIDED) or FURTHER.fullmatch(str(role))
        names = [column]
        if role == "set" and isinstance(column, list | tuple):
            names = [*column]
        if not is_role or not names or not all(isinstance(name, str | int) for name in names):
            raise PairsError(
                f"{option('columns')}: unknown role {role!r} or column {column!r}: "
                f"write ROLE=column, ROLE one of {', '.join(ROLES)}"
            )
