"""The spelling of options in messages, as in Python or as in the shell."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

__all__ = ["USUAL", "from_here", "from_shell", "option", "reading_flags"]

#: The defaults of the options that say how a file is read.
USUAL = {
    "format": "auto",
    "columns": None,
    "labels": None,
    "unlabelled": "error",
    "on_error": None,
    "identity": "text",
    "encoding": "utf-8",
    "header": None,
    "quoting": None,
    "leave_out": [],
    "ids": None,
}

#: Whether a shell command runs.
_SHELL: ContextVar[bool] = ContextVar("_SHELL", default=False)


@contextmanager
def from_shell() -> Iterator[None]:
    """Make messages name options as the shell does."""
    token = _SHELL.set(True)
    try:
        yield
    finally:
        _SHELL.reset(token)


def option(name: str, value: Any = None) -> str:
    """Spell an option as Python writes it, or as the shell does (see `from_shell`).

    Examples
    --------
    >>> option("on_error", "skip"), option("columns", {"label": "…"}), option("labels")
    ('on_error="skip"', 'columns={"label": "…"}', 'labels')
    >>> with from_shell():
    ...     print(option("on_error", "skip"), option("columns", {"text_a": "a", "label": "same, or not"}))
    --on-error skip --columns 'text_a=a,"label=same, or not"'
    """
    if _SHELL.get():
        return _flag(name, value)
    if value is None:
        return name
    return f"{name}={_literal(value)}"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        items = [f"{_literal(key)}: {_literal(of)}" for key, of in value.items()]
        return f"{{{', '.join(items)}}}"
    return repr(value)


def _flag(name: str, value: Any) -> str:
    """An option of the shell with its value, in quotes where the shell needs them."""
    flag = "--input" if name == "format" else f"--{name.replace('_', '-')}"
    if value is None:
        return flag
    text = _shell_value(value)
    joint = "=" if text.startswith("-") else " "
    if re.search(r"[^\w=,.…-]", text):
        text = shlex.quote(text)
    return flag + joint + text


def _shell_value(value: Any) -> str:
    """A value as the shell's options take it: items with commas between them, in quotes if they hold one."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        value = [*chain.from_iterable(map(_assigned, value.keys(), value.values()))]
    if isinstance(value, tuple | list):
        return ",".join(map(_quoted, value))
    return str(value)


def _assigned(name: str, value: Any) -> list[str]:
    """A name with its value as items of a list: a set within the values of other columns has several."""
    if isinstance(value, tuple | list):
        first, *more = value
        return [f"{name}={first}", *more]
    if value is None:
        value = ""
    return [f"{name}={value}"]


def _quoted(item: Any) -> str:
    text = str(item)
    if re.search('[,"]', text):
        return '"' + text.replace('"', '""') + '"'
    return text


def reading_flags(options: dict[str, Any]) -> str:
    """The options with which a shell command reads a file the way it was read, each after a space.

    >>> reading_flags({"labels": {"yes": 1, "?": None}, "on_error": "skip", "identity": "text", "leave_out": []})
    " --labels 'yes=1,?=' --on-error skip"
    """
    flags = []
    for name, usual in USUAL.items():
        value = options.get(name, usual)
        if value != usual:
            flags.append(f" {_flag(name, value)}")
    return "".join(flags)


def from_here(path: str | PathLike) -> str:
    """A path as a command in this folder would name it, not yet quoted.

    >>> from_here("my.tsv"), from_here("-o.tsv")
    ('my.tsv', './-o.tsv')
    """
    path = Path(path).absolute()
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    name = os.fspath(path)
    if name.startswith("-"):
        return f"./{name}"
    return name
