"""Outputs that appear whole or not at all, and their descriptions: what they are made from, and a hash of each."""

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

import numpy as np

from .. import __version__
from .errors import PairsError, intact

__all__ = [
    "FullDisk", "all_or_none", "append_lines", "as_counted", "as_described", "beside", "described", "file_hash",
    "hold", "is_stream", "make_record", "named", "spare", "write_described", "write_json", "write_record",
]  # fmt: skip

#: The file that describes a folder.
REPORT = "report.json"
#: The bytes of a file that enter its hash in a description.
SEEN = 1 << 26
#: Folders of the files that a process has open, by number; a shell may have led them anywhere.
_OPEN = re.compile(r"/dev/fd|/proc/\d+(/task/\d+)?/fd")
#: Messages about a full disk, by the system and by NumPy.
_FULL = (*map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)), "requested and")


class FullDisk(PairsError, OSError):
    """A file that could not be written because the disk is full; the message names it."""


@contextmanager
def named(path: str | PathLike) -> Iterator[None]:
    """Name the file in the error of a full disk, whatever error a library made of it."""
    try:
        yield
    except Exception as error:
        said = f"{error} {error.__context__}"  # the second where a library goes on writing after the first
        if isinstance(error, PairsError) or not any(why in said for why in _FULL):
            raise
        place = re.sub(r"\.unfinished-\w+/new/", "", str(path))
        raise FullDisk(f"{place}: {error}; make room on the disk, or name another place, and try again") from error


def spare(inputs: Iterable[str | PathLike], *outputs: str | PathLike) -> None:
    """Refuse with a `PairsError` to write over an input; two names of one file, through a link, are one file."""
    given = [Path(path) for path in inputs if os.path.exists(path)]
    for path in map(Path, outputs):
        if path.exists() and any(path.samefile(file) for file in given):
            raise PairsError(f"{path} is the input and would be overwritten; name another output")


@contextmanager
def beside(path: str | PathLike) -> Iterator[Path]:
    """A place to write the file that will become `path`; it is moved there when the block ends without an error.

    Until then, or for good if the block fails, the old file stays. A file written beside it, such as its record, is
    moved with it. A device or a pipe is written to as it is.

    Examples
    --------
    >>> path = Path(tempfile.mkdtemp()) / "scores.txt"
    >>> with beside(path) as part:
    ...     part.write_text("0.5")
    ...     path.exists()
    3
    False
    >>> path.read_text()
    '0.5'
    """
    path = Path(path)
    if is_stream(path):
        with named(path):
            yield path
        return
    os.scandir(path.parent).close()  # raises where it is no folder
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    with all_or_none(path.parent, path) as stage:
        yield stage / path.name


def is_stream(path: str | PathLike) -> bool:
    """Return True for a device, a pipe or the name of an open file (`_OPEN`): nothing can lie beside it."""
    path = Path(path)
    folder = os.path.realpath(path.parent)
    if _OPEN.fullmatch(folder) or (folder == "/dev" and path.name.startswith("std")):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def all_or_none(folder: str | PathLike, file: Path | None = None) -> Iterator[Path]:
    """Give a temporary folder to write files in; when the block ends, move all of them into `folder`, or none.

    The folder is created if necessary; other files in it stay. `file` is the one that the user named, if any: if it
    is a link, the file it points to is rewritten. Any other link is replaced, not followed.

    A description (`write_described`) is moved first and `file` last: wherever the process is killed, the hashes show
    which files are not among the new ones. A killed process leaves a folder ``.unfinished-…``, which may be deleted.
    Processes that write into one folder move their files one after another. After an `OSError` (the disk is full, a
    file is write-protected) the folder is as it was. `FullDisk` names the folder, or the file.
    """
    folder = Path(folder)
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with named(file or folder), tempfile.TemporaryDirectory(prefix=".unfinished-", dir=folder) as name:
            new, old = Path(name, "new"), Path(name, "old")
            new.mkdir()
            old.mkdir()
            yield new
            if not new.exists():
                raise FileNotFoundError(errno.ENOENT, "the unfinished files were deleted from outside", str(folder))
            with ExitStack() as held:
                with suppress(OSError):  # not every system has locks on folders
                    held.callback(os.close, place := os.open(folder, os.O_RDONLY))
                    hold(place)
                _move(new, old, folder, file)
    except BaseException:
        for path in made:
            with suppress(OSError):  # by now it holds something else
                path.rmdir()
        raise


def _move(new: Path, old: Path, folder: Path, own: Path | None) -> None:
    """Move all files of `new` into the folder; keep the files they replace in `old` until the last is in place."""
    places = {path: folder / path.relative_to(new) for path in new.rglob("*") if path.is_file()}
    order = sorted(places, key=lambda p: (not _describes(p), places[p] == own, p.suffix == ".json", p))
    moves = [(p, Path(os.path.realpath(own)) if places[p] == own else places[p]) for p in order]
    for path, target in moves:
        with path.open("r+b") as file:
            os.fsync(file.fileno())  # a full disk may show only now
        for link in (up for up in places[path].parents if up.is_relative_to(folder) and up not in (folder, own)):
            if link.is_symlink():
                raise PairsError(f"{link} is a link to another folder; delete it, or name that folder as the output")
        if target.exists() and not target.is_symlink():
            if not os.access(target, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
            shutil.copymode(target, path)
    kept: dict[Path, Path | None] = {}
    try:
        for _, target in moves:
            if not os.path.lexists(target):
                continue
            copy = old / str(len(kept))
            try:
                os.link(target, copy, follow_symlinks=False)
            except OSError:  # not every file system has links
                shutil.copy2(target, copy, follow_symlinks=False)
            kept[target] = copy
        for path, target in moves:
            target.parent.mkdir(parents=True, exist_ok=True)
            kept.setdefault(target, None)
            _put(path, target)
    except BaseException:
        for target, copy in kept.items():
            _put(copy, target) if copy else target.unlink(missing_ok=True)
        raise


def _put(path: Path, target: Path) -> None:
    """Rename a file, also where the target is a link into another file system."""
    try:
        path.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=target.parent) as near:
            Path(shutil.copy2(path, near)).replace(target)


def append_lines(path: str | PathLike, lines: bytes) -> None:
    """Append whole lines to a file while no other process does; first cut off an incomplete line that another left.

    A process leaves an incomplete line when it is killed, or when the disk is full.
    """
    with named(path), open(path, "ab+") as file:
        hold(file)
        end = file.seek(0, os.SEEK_END)
        while end:
            file.seek(end - 1)
            if file.read(1) == b"\n":
                break
            end -= 1
        file.truncate(end)
        file.write(lines)


def hold(file: IO | int) -> None:
    """Wait until no other process holds an open file or folder, and hold it until it is closed."""
    with suppress(ImportError):  # not on every system
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def file_hash(path: str | PathLike) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make_record(inputs: dict[str, str | PathLike], **options: Any) -> dict[str, Any]:
    """Collect everything needed to make an output again: ``{"inputs": …, "options": …, "versions": …}``.

    Options include the seed, if there is one. Only file names, no paths: records travel.
    """
    return {
        "inputs": {
            name: {"file": Path(path).name, "bytes": os.path.getsize(path), "sha256": file_hash(path)}
            for name, path in inputs.items()
        },
        "options": options,
        "versions": {"python": platform.python_version(), "paragraph": __version__}
        | {name: version(name) for name in ("numpy", "pandas", "pyarrow", "scipy")},
    }


def write_json(value: Any, path: str | PathLike) -> None:
    """Write indented UTF-8 JSON; half a surrogate, as in a file name that is not UTF-8, is escaped."""
    with beside(path) as part:
        text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
        part.write_text(text, encoding="utf-8", errors="backslashreplace")


def write_record(output: str | PathLike, record: dict[str, Any]) -> None:
    """Describe an output in the making, in ``<output>.record.json``; a pipe or a device gets none."""
    if not is_stream(output):
        write_described(record, Path(f"{output}.record.json"))


# ---------------------------------------------------------------- descriptions


def write_described(value: dict[str, Any], path: Path) -> None:
    """Write JSON that describes the other files of a folder in the making, all of them there: a hash of each, `made`.

    A process may end between moving two files: then the hashes show that they were not made together.
    """
    folder = path.parent
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file != path]
    made = {file.relative_to(folder).as_posix(): sampled_hash(file) for file in files}
    write_json(value | {"made": made}, path)


def described(path: Path, only: str = "") -> dict[str, Any]:
    """Read a description. `ValueError` if a file, or the one with this name, is not as it was written."""
    value = json.loads(path.read_text(encoding="utf-8"))
    for name, known in value.pop("made", {}).items():
        if only in ("", name) and sampled_hash(path.parent / name) != known:
            raise ValueError(f"{name} is not the file that {path.name} describes")
    return value


def as_described(path: str | PathLike) -> None:
    """Refuse with a `PairsError` a file that does not match its hash in a description beside it.

    The description is ``report.json``, or a record of several files, including this one. (A record of one file alone
    forbids nothing: a sheet is there to be filled in.) For a folder, check all files that its description names.
    """
    path = Path(path)
    folder, name = (path, "") if path.is_dir() else (path.parent, path.name)
    for place in (folder / REPORT, Path(f"{path}.record.json")):
        if _describes(place) and (place.name == REPORT or len(json.loads(place.read_bytes())["made"]) > 1):
            with intact(
                path, f"make it again with all files beside it, or delete {place.name} if the change is yours"
            ):
                described(place, name)


def as_counted(path: str | PathLike, rows: int) -> None:
    """Refuse with a `PairsError` a file whose number of rows is not that of its record: it may be cut off."""
    record = Path(f"{path}.record.json")
    if record.is_file():
        with intact(path, f"write it again, or delete {record.name} if the change is yours"):
            if (known := json.loads(record.read_bytes()).get("rows", rows)) != rows:
                raise ValueError(f"{rows:,} rows, but {known:,} were written")


def _describes(path: Path) -> bool:
    return path.suffix == ".json" and path.is_file() and b'"made": {' in path.read_bytes()


def sampled_hash(path: Path) -> str:
    """SHA-256 of a file's size and bytes; above `SEEN` bytes, only of that many, in 64 pieces."""
    size, found = path.stat().st_size, hashlib.sha256()
    found.update(str(size).encode())
    with path.open("rb") as file:
        for start in np.linspace(0, max(size - SEEN // 64, 0), 64).astype(int) if size > SEEN else [0]:
            file.seek(int(start))
            found.update(file.read(SEEN // 64 if size > SEEN else SEEN))
    return found.hexdigest()
