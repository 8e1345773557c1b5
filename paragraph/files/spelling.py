"""The spelling of options, calls and commands in messages, as in Python or as in the shell."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from os import PathLike
from pathlib import Path
from typing import Any

__all__ = ["called", "changed", "command", "from_here", "from_shell", "option", "reading"]

#: The defaults of the options that say how a file is read.
USUAL = {"format": "auto", "columns": None, "labels": None, "unlabelled": "error", "on_error": None}
USUAL |= {"identity": "text", "encoding": "utf-8", "header": None, "quoting": None, "leave_out": []}

#: The words of the shell command; or else a function of this package, its input and its options.
_SHELL: ContextVar[list[str] | None] = ContextVar("_SHELL", default=None)
_CALL: ContextVar[tuple[str, object, dict] | None] = ContextVar("_CALL", default=None)


@contextmanager
def _within(variable: ContextVar, value: object) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def from_shell(words: Iterable[str] = ()) -> AbstractContextManager[None]:
    """Make messages name options as the shell does, and suggest the command of these words with other options."""
    return _within(_SHELL, [*words])


def called(function: str, source: object, **options: Any) -> AbstractContextManager[None]:
    """Make messages suggest this call with other options."""
    return _within(_CALL, (function, source, options))


def command(**changes: Any) -> str:
    """The current command or call, with some options changed, between backticks.

    >>> with called("pg.read_pairs", "my.tsv", columns=None, on_error="skip"):
    ...     print(command(labels={"same": 1, "?": None}))
    `pg.read_pairs("my.tsv", on_error="skip", labels={"same": 1, "?": None})`
    >>> with from_shell(["summary", "my.tsv", "--labels", "3,4"]):
    ...     print(command(labels={"-1": None, "1": 1}))
    `paragraph summary my.tsv --labels=-1=,1=1`
    """
    if words := _SHELL.get():
        names = [option(name) for name in changes]
        stay, skip = [], False
        for word in words:
            if not skip and word.partition("=")[0] not in names:
                stay.append(shlex.quote(word))
            skip = word in names
        return f"`{' '.join(['paragraph', *stay, *map(option, changes, changes.values())])}`"
    call = None if _SHELL.get() is not None else _CALL.get()
    function, source, options = call or ("", None, {})
    given = {name: value for name, value in (options | changes).items() if value is not None}
    source = json.dumps(os.fspath(source), ensure_ascii=False) if isinstance(source, str | PathLike) else "…"
    parts = [*map(option, given, given.values())]
    return f"`{function}({', '.join([source, *parts])})`" if call else ", ".join(parts)


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
    in_shell = _SHELL.get() is not None
    if in_shell:
        items = value if isinstance(value, tuple | list) else [value]
        if isinstance(value, dict):
            items = [f"{key}={'' if item is None else item}" for key, item in value.items()]
        elif isinstance(value, bool):
            items = ["yes" if value else "no"]
        items = [str(item).replace('"', '""') if re.search('[,"]', str(item)) else item for item in items]
        text = ",".join(f'"{item}"' if re.search('[,"]', str(item)) else str(item) for item in items)
        text = shlex.quote(text) if re.search(r"[^\w=,.…-]", text) else text
        name = "--" + {"format": "input"}.get(name, name).replace("_", "-")
        return name if value is None else f"{name}{'=' if text.startswith('-') else ' '}{text}"
    if isinstance(value, dict):
        parts = (f"{json.dumps(key, ensure_ascii=False)}: {_literal(item)}" for key, item in value.items())
        return f"{name}={{{', '.join(parts)}}}"
    return name if value is None else f"{name}={_literal(value)}"


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def reading(options: dict[str, Any]) -> str:
    """The options with which a shell command reads a file the way it was read, each after a space.

    >>> reading({"labels": {"yes": 1, "?": None}, "on_error": "skip", "identity": "text", "leave_out": []})
    " --labels 'yes=1,?=' --on-error skip"
    """
    with from_shell():
        return "".join(f" {option(name, value)}" for name, value in changed(options).items())


def changed(options: dict[str, Any]) -> dict[str, Any]:
    """Those reading options that differ from the default.

    >>> changed({"format": "auto", "on_error": "skip"})
    {'on_error': 'skip'}
    """
    return {name: options[name] for name in USUAL if options.get(name, USUAL[name]) != USUAL[name]}


def from_here(path: str | PathLike) -> str:
    """A path as a command in this folder would name it, not yet quoted.

    >>> from_here("my.tsv"), from_here("-o.tsv")
    ('my.tsv', './-o.tsv')
    """
    path, here = Path(path).absolute(), Path.cwd()
    name = os.fspath(path.relative_to(here) if path.is_relative_to(here) else path)
    return f"./{name}" if name.startswith("-") else name
