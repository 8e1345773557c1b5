"""Fetch the files of a public dataset: show the terms, download the files, compare their hashes."""

from __future__ import annotations

import errno
import json
import os
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from ..files.content import UNPACKED, read_bounded
from ..files.errors import PairsError, as_pairs_error, check_type
from ..files.outputs import atomic_write, file_hash, write_json
from .datasets import DATASETS
from .layouts import Download, Release

__all__ = ["default_folder", "fetch", "unpack"]

_RECORD = "fetched.json"


def default_folder() -> Path:
    """The folder that PARAGRAPH_DATA names, else ``~/.cache/paragraph``."""
    return Path(os.environ.get("PARAGRAPH_DATA") or Path.home() / ".cache" / "paragraph")


def fetch(
    dataset: str | Release,
    folder: str | os.PathLike | None = None,
    *,
    accept: bool = False,
    progress: bool = True,
) -> list[Path]:
    """Return the files of a public dataset; download those that are not on disk.

    They are in ``folder/name``. The terms are shown, and must be accepted. The hash of each download is compared with
    the known one, if there is one. The hashes of files are kept in ``fetched.json`` and compared from then on; files
    that were put there by other means are returned as they are.

    Parameters
    ----------
    dataset : str or Release
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
    check_type(dataset, Release, "fetch", "the name of a dataset", 'fetch("qqp")')
    home = Path(folder or default_folder()).expanduser() / dataset.name
    try:
        hashes = _known_hashes(home)
        missing = [source for source in dataset.sources if not _is_there(source, home, hashes)]
        if missing:
            print(
                f"{dataset.title}\nTerms: {dataset.terms}\n       {dataset.link}", file=sys.stderr
            )
        if missing and not accept:
            raise PairsError(
                f"{dataset.name}: its terms must be accepted: accept=True, or --yes in a shell"
            )
        for source in missing:
            with atomic_write(home, folder=True) as stage:
                try:
                    _download(source, stage, progress)
                except PairsError as error:
                    by_hand = f"Or by hand: put {', '.join(source.names)} into {home}."
                    raise PairsError(f"{source.url}: {error}\n{by_hand}") from error
                hashes |= {name: file_hash(stage / name) for name in source.names}
                write_json(hashes, stage / _RECORD)
    except OSError as error:
        raise PairsError(
            f"{home}: {error.strerror or error}; name another folder or make room"
        ) from error
    return [home / name for source in dataset.sources for name in source.names]


def _known_hashes(home: Path) -> dict[str, str]:
    """Read the hashes of the files that were fetched."""
    path = home / _RECORD
    if not path.exists():
        return {}
    with as_pairs_error(path, "delete it, and what it was for"):
        hashes = json.loads(path.read_text(encoding="utf-8"))
        for known in hashes.values():
            int(known, 16)  # raises where it is no hash
        return hashes


def _is_there(source: Download, home: Path, hashes: dict[str, str]) -> bool:
    """Return True if all files of a source are there; `PairsError` if one changed since it was fetched."""
    there = [name for name in source.names if (home / name).exists()]
    for name in there:
        known = hashes.get(name)
        if known and known != file_hash(home / name):
            raise PairsError(
                f"{home / name}: changed since it was fetched (its SHA-256 was {known}). Delete it and fetch again, "
                "or move your own file elsewhere."
            )
        if not known and len(there) < len(source.names):
            raise PairsError(
                f"{home / name}: is not from an earlier fetch and would be replaced; move it away"
            )
    return len(there) == len(source.names)


def _download(source: Download, stage: Path, progress: bool) -> None:
    """Download a file, compare its hash, and unpack it if it is an archive."""
    import requests

    part = stage / PurePosixPath(urlsplit(source.url).path).name
    try:
        _save(source.url, part, progress)
    except requests.RequestException as error:
        raise PairsError(f"cannot be fetched ({type(error).__name__}: {error})") from error
    found = file_hash(part)
    if source.sha256 not in (None, found):
        raise PairsError(
            f"not the file expected, so it was not kept (SHA-256 expected {source.sha256}, found {found})"
        )
    for member, name in zip(source.members, source.names, strict=False):
        unpack(part, member, stage / name)
    if source.members:
        part.unlink()


def _save(url: str, part: Path, progress: bool) -> None:
    import requests
    from tqdm.auto import tqdm

    # Uncompressed, so that the length is that of the file itself
    headers = {"Accept-Encoding": "identity", "User-Agent": "paragraph"}
    with requests.get(url, headers=headers, stream=True, timeout=30) as answer:
        if answer.status_code != 200:
            raise PairsError(f"the server answers {answer.status_code} {answer.reason}")
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            raise PairsError(
                "the answer is a web page, not the file; open the address in a browser"
            )
        total = int(answer.headers.get("Content-Length", 0))
        bar = tqdm(desc=part.name, total=total, unit="B", unit_scale=True, disable=not progress)
        with open(part, "wb") as file, bar:
            for chunk in answer.iter_content(1 << 16):
                file.write(chunk)
                bar.update(len(chunk))


def unpack(archive: Path, member: str, target: Path, max_unpacked: int = UNPACKED) -> None:
    """Write one file of a zip or tar archive to `target`, unless it is larger than `max_unpacked` bytes.

    The caller, not the archive, chooses where it is written, so no archive can write elsewhere.
    """
    try:
        is_zip = zipfile.is_zipfile(archive)
        with (
            zipfile.ZipFile(archive) if is_zip else tarfile.open(archive) as pack,
            open(target, "wb") as file,
        ):
            if not is_zip and not pack.getmember(member).isreg():  # a link could lead anywhere
                raise KeyError(member)
            source = pack.open(member) if is_zip else pack.extractfile(member)
            file.writelines(read_bounded(source, f"{archive.name}, {member}", max_unpacked))
            while not is_zip and pack.fileobj.read(1 << 20):
                pass  # to the end, where the checksum of the whole is looked at
    except KeyError as error:
        raise PairsError(f"{archive.name}: the archive holds no file {member!r}") from error
    # RuntimeError: an encrypted member, an unknown compression. OSError: a wrong checksum, which has no number, or a
    # seek before the start (EINVAL); the rest is trouble on the disk.
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        EOFError,
        zlib.error,
        RuntimeError,
        OSError,
    ) as error:
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        raise PairsError(f"{archive.name}: the archive is damaged ({error})") from error
