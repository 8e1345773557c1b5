"""One file over HTTP, resumed where an earlier try broke off; and one file out of an archive.

Not by pooch, because it starts anew where a download broke off.
"""

from __future__ import annotations

import errno
import json
import re
import tarfile
import time
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .errors import PairsError
from .unpacking import UNPACKED, copy

if TYPE_CHECKING:
    import requests

__all__ = ["BrokenOff", "FetchError", "discard", "download", "unpack"]


_CHUNK = 1 << 13  # bytes; what is begun of a chunk is lost when the connection breaks off


class FetchError(RuntimeError):
    """A file could not be fetched; the message says why and what to do."""


class BrokenOff(FetchError):
    """The connection ended before the file did; what arrived is kept."""


def download(url: str, part: Path, *, progress: bool = True, timeout: float = 30, waits=(1, 4)) -> None:
    """Make `part` the whole body of `url`.

    Bytes already in `part` are kept if the server still has the same file (its ETag or date is noted beside
    them); else the download starts anew. After a connection breaks off, the download is resumed after each of
    the `waits`, in seconds.

    Raises
    ------
    FetchError
        The server cannot be reached, refuses, or answers with a web page.
    BrokenOff
        The connection broke off once more than there are `waits`; the next call resumes the download.
    """
    for wait in (*waits, None):
        try:
            return _transfer(url, part, progress, timeout)
        except BrokenOff:
            if wait is None:
                raise
            time.sleep(wait)


def _transfer(url: str, part: Path, progress: bool, timeout: float) -> None:
    import requests
    from tqdm.auto import tqdm

    have, validator = _begun(url, part)
    with _get(url, {"Range": f"bytes={have}-", "If-Range": validator} if have else {}, timeout) as answer:
        if have and not _continues(answer, have, validator):
            if answer.status_code in (206, 416):  # a range of something else: ask for the whole
                part.unlink()
                return _transfer(url, part, progress, timeout)
            have = 0
        if answer.status_code == 416:
            return None  # nothing follows what is here
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            raise FetchError(f"{url}: the answer is a web page, not the file; open the address in a browser")
        total, name = _total(answer), Path(urlsplit(url).path).name
        bar = tqdm(desc=name, total=total, initial=have, unit="B", unit_scale=True, disable=not progress)
        with open(part, "ab" if have else "wb") as file, bar:
            if not have:  # after the old bytes are gone, so that they are never beside the new note
                _note(url, part, answer)
            try:
                for chunk in answer.iter_content(_CHUNK):
                    file.write(chunk)
                    bar.update(len(chunk))
            except requests.RequestException:
                total = total or -1  # also a body of unknown length can be seen to break off
    size = part.stat().st_size
    if total is not None and size != total:
        of = f" of {total:,}" if total > 0 else ""
        raise BrokenOff(f"{url}: the connection broke off after {size:,}{of} bytes; run it again")
    return None


def _get(url: str, headers: dict[str, str], timeout: float) -> requests.Response:
    import requests

    # Uncompressed, so that lengths and ranges count the bytes of the file itself.
    headers = {"Accept-Encoding": "identity", "User-Agent": "paragraph", **headers}
    try:
        answer = requests.get(url, headers=headers, stream=True, timeout=timeout)
    except (requests.TooManyRedirects, requests.exceptions.InvalidSchema, requests.exceptions.InvalidURL) as error:
        raise FetchError(f"{url}: its redirect, or the address itself, is refused: {error}") from error
    except requests.RequestException as error:
        asked = urlsplit(getattr(error.request, "url", None) or url).hostname
        whither = "" if asked == urlsplit(url).hostname else ", to which it redirects"
        raise FetchError(
            f"{url}: cannot reach {asked}{whither} ({type(error).__name__}). "
            "Is this machine offline? What is already on disk needs no network."
        ) from error
    if answer.status_code not in ((200, 206, 416) if "Range" in headers else (200,)):
        answer.close()
        advice = "try again later" if answer.status_code >= 500 else "the file may have moved"
        raise FetchError(f"{url}: the server answers {answer.status_code} {answer.reason}; {advice}")
    return answer


def _continues(answer: requests.Response, have: int, validator: str) -> bool:
    """Whether the answer continues after the first `have` bytes of the same file."""
    if answer.headers.get("ETag", validator) != validator and validator.startswith('"'):
        return False
    if answer.status_code == 416:
        return _total(answer) == have
    return answer.status_code == 206 and answer.headers.get("Content-Range", "").startswith(f"bytes {have}-")


def _total(answer: requests.Response) -> int | None:
    """The length of the whole file in bytes, if the answer gives it."""
    if total := re.search(r"/(\d+)$", answer.headers.get("Content-Range", "")):
        return int(total[1])
    length = answer.headers.get("Content-Length", "")
    return int(length) if answer.status_code == 200 and not _encoded(answer) and length.isdigit() else None


def _encoded(answer: requests.Response) -> bool:
    """Whether the body was compressed although we asked for it plain; its lengths are then not the file's."""
    return answer.headers.get("Content-Encoding", "identity") != "identity"


def _notes(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _note(url: str, part: Path, answer: requests.Response) -> None:
    """Note beside the part which file of the server it is, so that a later call can ask for the same."""
    etag = answer.headers.get("ETag", "")
    # A weak ETag ("W/…") promises an equivalent file, not the same bytes: RFC 9110, section 13.1.5.
    validator = etag if etag.startswith('"') else answer.headers.get("Last-Modified")
    note = {"url": url, "validator": None if _encoded(answer) else validator}
    _notes(part).write_text(json.dumps(note), encoding="utf-8")


def _begun(url: str, part: Path) -> tuple[int, str]:
    """Bytes of `url` already in the part, and their validator; 0 if they cannot be trusted."""
    try:
        note = json.loads(_notes(part).read_text(encoding="utf-8"))
        if note["url"] == url and note["validator"] and isinstance(note["validator"], str):
            return part.stat().st_size, note["validator"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    return 0, ""


def unpack(archive: Path, member: str, target: Path, max_unpacked: int = UNPACKED) -> None:
    """Write one file of a zip or tar archive to `target`, unless it is larger than `max_unpacked` bytes.

    The caller chooses where it is written, not the archive: so no archive can write elsewhere.
    """
    name = archive.name.removesuffix(".part")
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as pack, pack.open(member) as source, open(target, "wb") as file:
                copy(source, file, f"{name}, {member}", max_unpacked)
        else:
            with tarfile.open(archive) as pack:
                if not pack.getmember(member).isreg():  # a link could lead anywhere
                    raise KeyError(member)
                with pack.extractfile(member) as source, open(target, "wb") as file:
                    copy(source, file, f"{name}, {member}", max_unpacked)
                while pack.fileobj.read(1 << 20):
                    pass  # to the end, where the checksum of the whole is looked at
    except PairsError as error:  # too large
        raise FetchError(str(error)) from None
    except KeyError as error:
        raise FetchError(f"{name}: the archive holds no file {member!r}") from error
    # RuntimeError: an encrypted member, an unknown compression. OSError: see below.
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error, RuntimeError, OSError) as error:
        # A wrong checksum has no number, a seek before the start is EINVAL; the rest is trouble on the disk.
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        raise FetchError(f"{name}: the archive is damaged ({error})") from error


def discard(*parts: Path) -> None:
    """Delete part files, with the notes beside them."""
    for part in parts:
        part.unlink(missing_ok=True)
        _notes(part).unlink(missing_ok=True)
