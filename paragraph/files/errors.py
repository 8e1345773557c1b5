"""The error for wrong data, and the checks of arguments and files that raise it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from numbers import Integral
from os import PathLike
from typing import Any, Self

__all__ = [
    "PairsError",
    "as_pairs_error",
    "capped",
    "check_int",
    "check_type",
    "did_you_mean",
    "excerpt",
]


class PairsError(ValueError):
    """Pairs that cannot be read, written or found; the message names the file, the row and the value."""

    table = ""  #: lines below the message: a few columns with values

    def __str__(self) -> str:
        return "\n".join(filter(None, [capped(super().__str__().rstrip()), self.table]))

    def with_table(self, table: str) -> Self:
        """Return the error, with lines below its message."""
        self.table = capped(table, 3000)
        return self


PairsError.__module__ = "paragraph"  # where users find it


def capped(message: str, most: int = 1000) -> str:
    """Leave out the middle of a message that is too long: a file may hold a label of a megabyte.

    >>> capped("label 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' is not one of 0, 1", 40)
    "label 'aaaaaaaaaaaa … is not one of 0, 1"
    """
    if len(message) <= most:
        return message
    half = most // 2 - 1
    return f"{message[:half]} … {message[-half + 1 :]}"


def excerpt(data: bytes) -> str:
    """Some bytes as a text of at most 80 characters."""
    return capped(bytes(data[:320]).decode("utf-8", "backslashreplace").replace("\0", "\\0"), 80)


@contextmanager
def as_pairs_error(path: object, otherwise: str) -> Iterator[None]:
    """Turn any error inside into one line that names the file: for files that a program wrote.

    The readers of such files (pickles, zips, JSON, tensors) raise all kinds of errors on damaged ones.

    Examples
    --------
    >>> with as_pairs_error("model.json", "train it anew"):
    ...     {}["weights"]
    Traceback (most recent call last):
    ...
    paragraph.PairsError: model.json: cannot be used (KeyError: 'weights'); train it anew
    """
    try:
        yield
    except PairsError:
        raise
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        raise PairsError(f"{path}: cannot be used ({why}); {otherwise}") from error


def check_int(name: str, value: object, least: int = 1) -> int:
    """Return a whole number that is not below `least`; `PairsError` names the argument and its value.

    >>> check_int("n", 3)
    3
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise PairsError(f"{name} {value!r} is not a whole number of {least} or more")
    return int(value)


def check_type(value: Any, kind: Any, name: str, what: str, how: str = "") -> Any:
    """Return an argument of the right kind; `PairsError` says what the function `name` takes, and how to get it.

    >>> check_type("my.tsv", dict, "explain", "a graph", "explain(graph)")
    Traceback (most recent call last):
    ...
    paragraph.PairsError: explain takes a graph, not 'my.tsv': explain(graph)
    """
    if isinstance(value, kind):
        return value
    given = f"a {type(value).__name__}"
    if hasattr(value, "columns"):
        given = "a table"
    elif isinstance(value, str | int | float | list | tuple | dict | PathLike | None):
        given = " ".join(repr(value).split())[:60]
    message = f"{name} takes {what}, not {given}"
    if how:
        message += f": {how}"
    raise PairsError(message)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint for a message if a word is almost one of the known ones, else the empty text.

    >>> did_you_mean("Verschieden", ["gleich", "verschieden"]), did_you_mean("maybe", ["0", "1"])
    ("; did you mean 'verschieden'?", '')
    """
    spelled = {each.casefold().strip(): each for each in known if isinstance(each, str)}
    near = get_close_matches(word.casefold().strip()[:80], spelled, 1, 0.8)
    if not near:
        return ""
    return f"; did you mean {spelled[near[0]]!r}?"
