"""Outputs that appear whole or not at all, and their records: what they are made from, and a hash of each."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import platform
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import IO, Any

from .. import __version__
from .errors import PairsError, as_pairs_error

__all__ = [
    "REPORT",
    "FullDisk",
    "append_lines",
    "atomic_write",
    "check_recorded",
    "check_rows",
    "file_hash",
    "is_stream",
    "lock",
    "make_record",
    "name_full_disk",
    "read_record",
    "record_of",
    "refuse_overwrite",
    "write_json",
    "write_record",
]  # fmt: skip

#: The record of a folder.
REPORT = "report.json"
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
    return sorted(moves, key=lambda move: (_is_record(move[0]), move[0].name == own.name, move))


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


# ---------------------------------------------------------------- records


def file_hash(path: str | PathLike) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make_record(inputs: dict[str, str | PathLike], **options: Any) -> dict[str, Any]:
    """Collect everything needed to make an output again: ``{"inputs": …, "options": …, "versions": …}``.

    Options include the seed, if there is one. Only file names, no paths: records travel.
    """
    files = {}
    for name, path in inputs.items():
        files[name] = {
            "file": Path(path).name,
            "bytes": os.path.getsize(path),
            "sha256": file_hash(path),
        }
    versions = {"python": platform.python_version(), "paragraph": __version__}
    for library in ("numpy", "pandas", "pyarrow", "scipy"):
        versions[library] = version(library)
    return {"inputs": files, "options": options, "versions": versions}


def record_of(output: str | PathLike) -> Path:
    """The place of the record of an output, a file: ``<output>.record.json`` beside it."""
    return Path(f"{output}.record.json")


def write_record(record: dict[str, Any], path: str | PathLike) -> None:
    """Write the record of the other files of a folder in the making, all of them there, with a hash of each: `made`.

    `path` is that of the record. A device or a pipe has none.
    """
    path = Path(path)
    if is_stream(str(path).removesuffix(".record.json")):
        return
    made = {}
    for file in sorted(path.parent.rglob("*")):
        if file.is_file() and file != path:
            made[file.relative_to(path.parent).as_posix()] = file_hash(file)
    write_json(record | {"made": made}, path)


def read_record(path: Path, only: str = "") -> dict[str, Any]:
    """Read a record. `ValueError` if a file that it names, or the one called `only`, is not as it was written."""
    record = json.loads(path.read_text(encoding="utf-8"))
    for name, known in record.pop("made", {}).items():
        if only in ("", name) and file_hash(path.parent / name) != known:
            raise ValueError(f"{name} is not the file that {path.name} describes")
    return record


def check_recorded(path: str | PathLike) -> None:
    """Refuse with a `PairsError` a file that does not match its hash in a record beside it.

    The record is ``report.json``, or one of several files, including this one. (A record of one file alone forbids
    nothing: a sheet is there to be filled in.) For a folder, check all files that its record names.
    """
    path = Path(path)
    folder = path.parent
    name = path.name
    if path.is_dir():
        folder = path
        name = ""
    for place in (folder / REPORT, record_of(path)):
        if not _is_record(place):
            continue
        if place.name == REPORT or len(json.loads(place.read_bytes())["made"]) > 1:
            advice = f"make it again with all files beside it, or delete {place.name} if the change is yours"
            with as_pairs_error(path, advice):
                read_record(place, name)


def check_rows(path: str | PathLike, rows: int) -> None:
    """Refuse with a `PairsError` a file whose number of rows is not that of its record: it may be cut off."""
    record = record_of(path)
    if record.is_file():
        with as_pairs_error(
            path, f"write it again, or delete {record.name} if the change is yours"
        ):
            known = json.loads(record.read_bytes()).get("rows", rows)
            if known != rows:
                raise ValueError(f"{rows:,} rows, but {known:,} were written")


def _is_record(path: Path) -> bool:
    return path.suffix == ".json" and path.is_file() and b'"made": {' in path.read_bytes()
