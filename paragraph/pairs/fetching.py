"""Getting the files of a public dataset: the terms are shown, the files downloaded, their hashes checked."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from .datasets import DATASETS, Dataset, Source
from .download import FetchError, discard, download, unpack
from .provenance import file_hash
from .unpacking import UNPACKED

__all__ = ["FetchError", "default_folder", "fetch"]

_RECORD = "fetched.json"


def default_folder() -> Path:
    """The folder that PARAGRAPH_DATA names, else ``~/.cache/paragraph``."""
    return Path(os.environ.get("PARAGRAPH_DATA") or Path.home() / ".cache" / "paragraph")


def fetch(
    dataset: str | Dataset,
    folder: str | os.PathLike | None = None,
    *,
    accept: bool = False,
    accept_changed: bool = False,
    progress: bool = True,
    max_unpacked: int = UNPACKED,
) -> list[Path]:
    """The files of a public dataset; those that are not on disk are downloaded.

    They are in ``folder/name``. The terms are shown first and must be accepted. The next call resumes a download
    that broke off. The hash of each download is compared with the known one; where none is known, the hash of the
    first download is kept in ``fetched.json`` and compared from then on. Files on disk are compared as well; files
    put there by other means are returned as they are.

    Parameters
    ----------
    dataset : str or Dataset
        A key of `DATASETS`, or a `Dataset` of your own.
    folder : path, optional
        Default: `default_folder()`.
    accept : bool
        Accept the terms without being asked.
    accept_changed : bool
        Take a download whose hash is not the expected one, and expect the new hash from then on.
    progress : bool
        Show a progress bar on stderr.
    max_unpacked : int
        Bytes that may come out of one file of an archive.

    Raises
    ------
    FetchError
        Unknown name, terms not accepted, no network, damaged archive, changed file.

    Examples
    --------
    >>> sorted(DATASETS)
    ['jsick', 'mqp', 'mrpc', 'paws', 'qqp', 'qqp-glue', 'sick', 'wikiqa']
    """
    if isinstance(dataset, str):
        if dataset not in DATASETS:
            raise FetchError(f"unknown dataset {dataset!r}; there are: {', '.join(DATASETS)}")
        dataset = DATASETS[dataset]
    home = Path(folder or default_folder()).expanduser() / dataset.name
    try:
        record = _read_record(home)
        missing = [source for source in dataset.sources if not _in_place(source, home, record)]
        if missing:
            _confirm(dataset, accept)
            home.mkdir(parents=True, exist_ok=True)
        for source in missing:
            _fetch_source(source, home, record, accept_changed, progress, max_unpacked)
    except OSError as error:
        raise FetchError(f"{home}: {error.strerror or error}; name another folder or make room") from error
    return [home / name for source in dataset.sources for name in source.names]


def _confirm(dataset: Dataset, accept: bool) -> None:
    print(f"{dataset.title}\nTerms: {dataset.terms}\n       {dataset.link}", file=sys.stderr)
    if accept:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise FetchError(
            f"{dataset.name}: its terms must be accepted, and there is no terminal to ask at. "
            "Read them, then say so: accept=True, or --yes on the command line."
        )
    print("Do you accept these terms? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise FetchError(f"{dataset.name}: not fetched, as its terms were not accepted")


def _in_place(source: Source, home: Path, record: dict) -> bool:
    """Whether all files of a source are there, unchanged since they were fetched."""
    there = [name for name in source.names if (home / name).exists()]
    for name in there:
        known = record["files"].get(name)
        if known and known != (found := file_hash(home / name)):
            raise FetchError(
                f"{home / name}: changed since it was fetched (SHA-256 then {known}, now {found}). "
                "Delete it and fetch again, or move your own file elsewhere."
            )
        if not known and len(there) < len(source.names):
            raise FetchError(f"{home / name}: is not from an earlier fetch and would be replaced; move it away")
    return len(there) == len(source.names)


def _fetch_source(
    source: Source, home: Path, record: dict, accept_changed: bool, progress: bool, max_unpacked: int
) -> None:
    part = home / (PurePosixPath(urlsplit(source.url).path).name + ".part")
    try:
        download(source.url, part, progress=progress)
    except FetchError as error:
        raise FetchError(f"{error}\nOr by hand: put {', '.join(source.names)} into {home}.") from error
    found = file_hash(part)
    known = record["downloads"].get(source.url, {}).get("sha256", source.sha256)
    if known not in (None, found) and not accept_changed:
        discard(part)
        raise FetchError(
            f"{source.url}: not the file expected, so it was not kept (SHA-256 expected {known}, found "
            f"{found}). Fetch again, in case it was damaged on the way. If the source has changed it and you "
            "trust the new one: accept_changed=True, or --accept-changed on the command line."
        )
    record["downloads"][source.url] = {
        "sha256": found,
        "bytes": part.stat().st_size,
        "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    parts = [home / (name + ".part") for name in source.names]
    try:
        for member, path in zip(source.members, parts, strict=False):
            unpack(part, member, path, max_unpacked)
        for path, name in zip(parts, source.names, strict=True):
            record["files"][name] = file_hash(path)
            os.replace(path, home / name)
        (home / f"{_RECORD}.part").write_text(json.dumps(record, indent=1), encoding="utf-8")
        os.replace(home / f"{_RECORD}.part", home / _RECORD)
    finally:
        discard(part, *parts)


def _read_record(home: Path) -> dict:
    try:
        record = json.loads((home / _RECORD).read_text(encoding="utf-8"))
        files, downloads = dict(record["files"]), dict(record["downloads"])
        hashes = [*files.values(), *(each["sha256"] for each in downloads.values())]
        if odd := [each for each in hashes if not isinstance(each, str)]:
            raise ValueError(f"{str(odd[0])[:80]!r} is no hash")
        return {"files": files, "downloads": downloads}
    except FileNotFoundError:
        return {"files": {}, "downloads": {}}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FetchError(f"{home / _RECORD}: cannot be read ({error}); delete it, and what it was for") from error
