"""Outputs that appear whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO, Any

from .errors import PairsError

__all__ = [
    "FullDisk",
    "append_lines",
    "atomic_write",
    "is_record",
    "is_stream",
    "lock",
    "name_full_disk",
    "refuse_overwrite",
    "write_json",
]

#: Folders of the files that a process has open, by number; a shell may have led them anywhere.
_OPEN = re.compile(r"/dev/fd|/proc/\d+(/task/\d+)?/fd")
#: Messages about a full disk, by the system and by NumPy.
_FULL = (*map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)), "requested and")


class FullDisk(PairsError, OSError):
    """A file that could not be written because the disk is full; the message names it."""


@contextmanager
def name_full_disk(path: str | PathLike) -> Iterator[None]:
    """Name the file in the error of a full disk, whatever error a library made of it."""
    try:
        yield
    except Exception as error:
        messages = f"{error} {error.__context__}"  # the second where a library goes on writing after the first
        if isinstance(error, PairsError) or not any(why in messages for why in _FULL):
            raise
        place = re.sub(r"\.unfinished-\w+/", "", str(path))
        raise FullDisk(
            f"{place}: {error}; make room on the disk, or name another place, and try again"
        ) from error


def refuse_overwrite(inputs: Iterable[str | PathLike], *outputs: str | PathLike) -> None:
    """Refuse with a `PairsError` to write over an input; two names of one file, through a link, are one file."""
    given = [Path(path) for path in inputs if os.path.exists(path)]
    for path in map(Path, outputs):
        if path.exists() and any(path.samefile(file) for file in given):
            raise PairsError(f"{path} is the input and would be overwritten; name another output")


@contextmanager
def atomic_write(
    path: str | PathLike, folder: bool = False, inputs: Iterable[str | PathLike] = ()
) -> Iterator[Path]:
    """A place to write the file that will become `path`; it is moved there when the block ends without an error.

    Until then, or for good if the block fails, the old file stays: nobody sees half a file, even where the process is
    killed. Files written beside it are moved with it, one after another, and records (`write_record`) last: where the
    process ends between two of them, the hashes in the old record show which files are new. If `path` is a link, the
    file it points to is rewritten; any other link is replaced, not followed. A device or a pipe is written to as it
    is. With `folder`, `path` is a folder, made if necessary, and the block fills it; its other files stay. None of
    the files may be one of the `inputs` (`refuse_overwrite`): the content came from there.

    Processes that write into one folder move their files one after another. A killed process leaves a folder
    ``.unfinished-…``, which may be deleted. `FullDisk` names the file, or the folder.

    Examples
    --------
    >>> path = Path(tempfile.mkdtemp()) / "scores.txt"
    >>> with atomic_write(path) as part:
    ...     part.write_text("0.5")
    ...     path.exists()
    3
    False
    >>> path.read_text()
    '0.5'
    """
    path = Path(path)
    if not folder and is_stream(path):
        with name_full_disk(path):
            yield path
        return
    inputs = [os.path.abspath(file) for file in inputs]
    refuse_overwrite(inputs, path)
    place = path if folder else path.parent
    made = []
    if folder:
        made = [up for up in (path, *path.parents) if not up.exists()]
        path.mkdir(parents=True, exist_ok=True)
    elif path.is_dir():
        raise _system_error(errno.EISDIR, path)
    os.scandir(place).close()  # raises where it is no folder
    try:
        with (
            name_full_disk(path),
            tempfile.TemporaryDirectory(prefix=".unfinished-", dir=place) as name,
        ):
            stage = Path(name)
            yield stage if folder else stage / path.name
            if not stage.exists():
                raise FileNotFoundError(
                    errno.ENOENT, "the unfinished files were deleted from outside", str(place)
                )
            with ExitStack() as opened:
                with suppress(OSError):  # not every system has locks on folders
                    number = os.open(place, os.O_RDONLY)
                    opened.callback(os.close, number)
                    lock(number)
                moves = _moves(stage, place, path)
                refuse_overwrite(inputs, *(target for _, target in moves))
                for part, target in moves:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    part.replace(target)
    finally:
        for up in made:
            with suppress(OSError):  # it holds something
                up.rmdir()


def _system_error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))


def _moves(stage: Path, place: Path, own: Path) -> list[tuple[Path, Path]]:
    """The files of a stage with their final places, in the order of moving them; all of them can be moved."""
    moves = []
    for part in filter(Path.is_file, stage.rglob("*")):
        with part.open("r+b") as file:
            os.fsync(file.fileno())  # a full disk may show only now
        target = place / part.relative_to(stage)
        for up in target.parents:
            if up.is_relative_to(place) and up not in (place, own) and up.is_symlink():
                raise PairsError(
                    f"{up} is a link to another folder; delete it, or name that folder as the output"
                )
        if target == own:
            target = Path(os.path.realpath(own))
        if target.exists() and not target.is_symlink():
            if target.is_dir():
                raise _system_error(errno.EISDIR, target)
            if not os.access(target, os.W_OK):
                raise _system_error(errno.EACCES, target)
            shutil.copymode(target, part)
        moves.append((part, target))
    return sorted(moves, key=lambda move: (is_record(move[0]), move[0].name == own.name, move))


def append_lines(path: str | PathLike, lines: bytes) -> None:
    """Append whole lines to a file while no other process does; first cut off an incomplete line that another left.

    A process leaves an incomplete line when it is killed, or when the disk is full.
    """
    with name_full_disk(path), open(path, "ab+") as file:
        lock(file)
        end = file.seek(0, os.SEEK_END)
        while end:
            file.seek(end - 1)
            if file.read(1) == b"\n":
                break
            end -= 1
        file.truncate(end)
        file.write(lines)


def lock(file: IO | int) -> None:
    """Wait until no other process holds an open file or folder, and hold it until it is closed."""
    with suppress(ImportError):  # not on every system
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def is_stream(path: str | PathLike) -> bool:
    """Return True for a device, a pipe or the name of an open file (`_OPEN`): nothing can lie beside it."""
    path = Path(path)
    folder = os.path.realpath(path.parent)
    if _OPEN.fullmatch(folder) or (folder == "/dev" and path.name.startswith("std")):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


def write_json(value: Any, path: str | PathLike) -> None:
    """Write indented UTF-8 JSON; half a surrogate, as in a file name that is not UTF-8, is escaped."""
    with atomic_write(path) as part:
        text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
        part.write_text(text, encoding="utf-8", errors="backslashreplace")


def is_record(path: Path) -> bool:
    """Return True for a file that holds the hashes of others."""
    return path.suffix == ".json" and path.is_file() and b'"made": {' in path.read_bytes()
