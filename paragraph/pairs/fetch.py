"""Fetch the files of a public dataset: show the terms, download the files, compare their hashes."""

from __future__ import annotations

import os
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from ..files.errors import PairsError, as_pairs_error, check_type
from ..files.outputs import atomic_write
from ..files.records import file_hash
from .datasets import DATASETS
from .layouts import Download, Release

__all__ = ["default_folder", "fetch"]


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
    the known one, if there is one. Files that are there, from an earlier call or by other means, stay as they are.

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
        If the name is unknown, the terms are not accepted, there is no network, the file is not the expected one, or
        the archive is damaged.

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
    paths = []
    missing = []
    for source in dataset.sources:
        files = [home / name for name in source.names]
        if not all(path.exists() for path in files):
            missing.append(source)
        paths += files
    if missing:
        print(f"{dataset.title}\nTerms: {dataset.terms}\n       {dataset.link}", file=sys.stderr)
    if missing and not accept:
        raise PairsError(
            f"{dataset.name}: its terms must be accepted: accept=True, or --yes in a shell"
        )
    for source in missing:
        by_hand = f"or put {', '.join(source.names)} into {home} by hand"
        try:
            with atomic_write(home, folder=True) as stage:
                with as_pairs_error(source.url, by_hand):
                    _download(source, stage, progress)
                for name in source.names:
                    if (home / name).exists():
                        (stage / name).unlink()
        except OSError as error:
            raise PairsError(f"{home}: {error.strerror or error}; name another folder") from error
    return paths


def _download(source: Download, stage: Path, progress: bool) -> None:
    """Download a file, compare its hash, and unpack it if it is an archive."""
    part = stage / PurePosixPath(urlsplit(source.url).path).name
    _save(source.url, part, progress)
    sha256 = file_hash(part)
    if source.sha256 not in (None, sha256):
        raise ValueError(f"not the file expected: SHA-256 {sha256}, not {source.sha256}")
    if source.members:
        _unpack(part, source.members)
        part.unlink()


def _save(url: str, part: Path, progress: bool) -> None:
    """Write the content of an address to a file, with a progress bar."""
    import requests
    from tqdm.auto import tqdm

    # Uncompressed, so that the length is that of the file itself
    headers = {"Accept-Encoding": "identity", "User-Agent": "paragraph"}
    with requests.get(url, headers=headers, stream=True, timeout=30) as answer:
        answer.raise_for_status()
        total = int(answer.headers.get("Content-Length", 0))
        bar = tqdm(desc=part.name, total=total, unit="B", unit_scale=True, disable=not progress)
        with open(part, "wb") as file, bar:
            for chunk in answer.iter_content(1 << 16):
                file.write(chunk)
                bar.update(len(chunk))


def _unpack(archive: Path, members: list[str]) -> None:
    """Write some files of a zip or tar archive beside it, whatever folders the archive names."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as pack:
            for member in members:
                archive.with_name(PurePosixPath(member).name).write_bytes(pack.read(member))
        return
    with tarfile.open(archive) as pack:
        for member in members:
            content = pack.extractfile(member).read()
            archive.with_name(PurePosixPath(member).name).write_bytes(content)
        while pack.fileobj.read(1 << 20):
            pass  # the checksum of the whole is compared at the end
