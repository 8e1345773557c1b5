"""Fetch the files of a public dataset: show the terms, download the files, compare their hashes."""

from __future__ import annotations

import errno
import json
import os
import sys
import tarfile
import zipfile
import zlib
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from ..files.content import UNPACKED, bounded
from ..files.errors import PairsError, as_pairs_error, check_type
from ..files.outputs import atomic_write, file_hash, write_json
from .datasets import DATASETS, Dataset, Download

__all__ = ["default_folder", "fetch", "unpack"]

_RECORD = "fetched.json"


def default_folder() -> Path:
    """The folder that PARAGRAPH_DATA names, else ``~/.cache/paragraph``."""
    return Path(os.environ.get("PARAGRAPH_DATA") or Path.home() / ".cache" / "paragraph")


def fetch(
    dataset: str | Dataset,
    folder: str | os.PathLike | None = None,
    *,
    accept: bool = False,
    progress: bool = True,
) -> list[Path]:
    """Return the files of a public dataset; download those that are not on disk.

    They are in ``folder/name``. The terms are shown, and must be accepted. The hash of each download is compared with
    the known one; if none is known, that of the first download is kept in ``fetched.json`` and compared from then on.
    Files on disk are compared, too; files that were put there by other means are returned as they are.

    Parameters
    ----------
    dataset : str or Dataset
        A key of `DATASETS`, or one of your own.
    folder : path, optional
        Default: `default_folder()`.
    accept : bool
        Accept the terms.

    Raises
    ------
    PairsError
        Unknown name, terms not accepted, no network, damaged archive, changed file.

    Examples
    --------
    >>> sorted(DATASETS)
    ['jsick', 'mqp', 'mrpc', 'paws', 'qqp', 'qqp-glue', 'sick', 'wikiqa']
    """
    if isinstance(dataset, str):
        if dataset not in DATASETS:
            raise PairsError(f"unknown dataset {dataset!r}; there are: {', '.join(DATASETS)}")
        dataset = DATASETS[dataset]
    check_type(dataset, Dataset, "fetch", "the name of a dataset", 'fetch("qqp")')
    home = Path(folder or default_folder()).expanduser() / dataset.name
    try:
        record = _read_record(home)
        missing = [source for source in dataset.sources if not _in_place(source, home, record)]
        if missing:
            print(f"{dataset.title}\nTerms: {dataset.terms}\n       {dataset.link}", file=sys.stderr)
            if not accept:
                raise PairsError(f"{dataset.name}: its terms must be accepted: accept=True, or --yes in a shell")
        for source in missing:
            with atomic_write(home, folder=True) as stage:
                part = stage / PurePosixPath(urlsplit(source.url).path).name
                try:
                    _download(source.url, part, progress)
                except PairsError as error:
                    by_hand = f"Or by hand: put {', '.join(source.names)} into {home}."
                    raise PairsError(f"{error}\n{by_hand}") from error
                _keep(source, part, record)
    except OSError as error:
        raise PairsError(f"{home}: {error.strerror or error}; name another folder or make room") from error
    return [home / name for source in dataset.sources for name in source.names]


def _read_record(home: Path) -> dict[str, dict]:
    """Read the hashes of earlier downloads by address, and of the files that came out of them."""
    path = home / _RECORD
    if not path.exists():
        return {"files": {}, "downloads": {}}
    with as_pairs_error(path, "delete it, and what it was for"):
        record = json.loads(path.read_text(encoding="utf-8"))
        for found in (*record["files"].values(), *(one["sha256"] for one in record["downloads"].values())):
            int(found, 16)  # raises where it is no hash
        return record


def _in_place(source: Download, home: Path, record: dict[str, dict]) -> bool:
    """Return True if all files of a source are there; `PairsError` if one changed since it was fetched."""
    there = [name for name in source.names if (home / name).exists()]
    for name in there:
        known = record["files"].get(name)
        if known and known != (found := file_hash(home / name)):
            why = f"changed since it was fetched (SHA-256 then {known}, now {found})"
            raise PairsError(f"{home / name}: {why}. Delete it and fetch again, or move your own file elsewhere.")
        if not known and len(there) < len(source.names):
            raise PairsError(f"{home / name}: is not from an earlier fetch and would be replaced; move it away")
    return len(there) == len(source.names)


def _keep(source: Download, part: Path, record: dict[str, dict]) -> None:
    """Compare the hash of a download, unpack it beside itself, and write the record with all hashes there."""
    found = file_hash(part)
    known = record["downloads"].get(source.url, {}).get("sha256", source.sha256)
    if known not in (None, found):
        why = f"not the file expected, so it was not kept (SHA-256 expected {known}, found {found})"
        raise PairsError(f"{source.url}: {why}. Fetch again; if you trust the new one, download it yourself.")
    when = datetime.now(UTC).isoformat(timespec="seconds")
    record["downloads"][source.url] = {"sha256": found, "bytes": part.stat().st_size, "fetched": when}
    for member, name in zip(source.members, source.names, strict=False):
        unpack(part, member, part.with_name(name))
    if source.members:
        part.unlink()
    record["files"] |= {name: file_hash(part.with_name(name)) for name in source.names}
    write_json(record, part.with_name(_RECORD))


def _download(url: str, part: Path, progress: bool) -> None:
    import requests
    from tqdm.auto import tqdm

    # Uncompressed, so that the length is that of the file itself
    headers = {"Accept-Encoding": "identity", "User-Agent": "paragraph"}
    try:
        with requests.get(url, headers=headers, stream=True, timeout=30) as answer:
            if answer.status_code != 200:
                raise PairsError(f"{url}: the server answers {answer.status_code} {answer.reason}")
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                raise PairsError(f"{url}: the answer is a web page, not the file; open the address in a browser")
            length = answer.headers.get("Content-Length", "")
            total = int(length) if length.isdecimal() else None
            bar = tqdm(desc=part.name, total=total, unit="B", unit_scale=True, disable=not progress)
            with open(part, "wb") as file, bar:
                for chunk in answer.iter_content(1 << 16):
                    file.write(chunk)
                    bar.update(len(chunk))
    except requests.RequestException as error:
        raise PairsError(f"{url}: cannot be fetched ({type(error).__name__}: {error})") from error


def unpack(archive: Path, member: str, target: Path, max_unpacked: int = UNPACKED) -> None:
    """Write one file of a zip or tar archive to `target`, unless it is larger than `max_unpacked` bytes.

    The caller, not the archive, chooses where it is written, so no archive can write elsewhere.
    """
    try:
        with ExitStack() as opened:
            if is_zip := zipfile.is_zipfile(archive):
                pack = opened.enter_context(zipfile.ZipFile(archive))
                source = opened.enter_context(pack.open(member))
            else:
                pack = opened.enter_context(tarfile.open(archive))
                if not pack.getmember(member).isreg():  # a link could lead anywhere
                    raise KeyError(member)
                source = pack.extractfile(member)
            with open(target, "wb") as file:
                file.writelines(bounded(source, f"{archive.name}, {member}", max_unpacked))
            while not is_zip and pack.fileobj.read(1 << 20):
                pass  # to the end, where the checksum of the whole is looked at
    except KeyError as error:
        raise PairsError(f"{archive.name}: the archive holds no file {member!r}") from error
    # RuntimeError: an encrypted member, an unknown compression. OSError: a wrong checksum, which has no number, or a
    # seek before the start (EINVAL); the rest is trouble on the disk.
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, RuntimeError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        raise PairsError(f"{archive.name}: the archive is damaged ({error})") from error
