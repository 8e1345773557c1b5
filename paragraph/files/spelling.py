"""The spelling of options in messages, as in Python or as in the shell."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from os import PathLike
from pathlib import Path
from typing import Any

__all__ = ["from_here", "from_shell", "option", "reading"]

#: The defaults of the options that say how a file is read.
USUAL = {"format": "auto", "columns": None, "labels": None, "unlabelled": "error", "on_error": None}
USUAL |= {"identity": "text", "encoding": "utf-8", "header": None, "quoting": None, "leave_out": []}
USUAL |= {"ids": None}

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
        text = _shell_value(value)
        text = shlex.quote(text) if re.search(r"[^\w=,.…-]", text) else text
        name = "--" + {"format": "input"}.get(name, name).replace("_", "-")
        return name if value is None else f"{name}{'=' if text.startswith('-') else ' '}{text}"
    if isinstance(value, dict):
        parts = (f"{json.dumps(key, ensure_ascii=False)}: {_literal(item)}" for key, item in value.items())
        return f"{name}={{{', '.join(parts)}}}"
    return name if value is None else f"{name}={_literal(value)}"


def _shell_value(value: Any) -> str:
    """A value as the shell's options take it: items with commas between them, in quotes if they hold one."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, tuple | list | dict):
        return str(value)
    items = []
    for item in value.items() if isinstance(value, dict) else value:
        if not isinstance(value, dict):
            items.append(str(item))
            continue
        key, of = item
        first, *more = of if isinstance(of, tuple | list) else [of]  # a set within the values of other columns
        items += [f"{key}={'' if first is None else first}", *map(str, more)]
    quoted = [text.replace('"', '""') for text in items]
    return ",".join(f'"{text}"' if re.search('[,"]', text) else text for text in quoted)


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def reading(options: dict[str, Any]) -> str:
    """The options with which a shell command reads a file the way it was read, each after a space.

    >>> reading({"labels": {"yes": 1, "?": None}, "on_error": "skip", "identity": "text", "leave_out": []})
    " --labels 'yes=1,?=' --on-error skip"
    """
    with from_shell():
        changed = (name for name in USUAL if options.get(name, USUAL[name]) != USUAL[name])
        return "".join(f" {option(name, options[name])}" for name in changed)


def from_here(path: str | PathLike) -> str:
    """A path as a command in this folder would name it, not yet quoted.

    >>> from_here("my.tsv"), from_here("-o.tsv")
    ('my.tsv', './-o.tsv')
    """
    path, here = Path(path).absolute(), Path.cwd()
    name = os.fspath(path.relative_to(here) if path.is_relative_to(here) else path)
    return f"./{name}" if name.startswith("-") else name
