"""Free memory, and how much of it reading a file can take."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from .errors import PairsError
from .spelling import option

__all__ = ["free_memory", "not_too_large"]

#: The most memory that reading takes, as measured on hostile files: bytes for each byte, and for each of these marks.
#: A row that is listed as skipped takes most.
TIMES, BLANK = 6, {b"\n\n": 900, b"\r\r": 900, b"\n\r": 450, b"\t\n": 450, b",\n": 450}
DELIMITED, JSON = BLANK | {b"\n": 220, b"\r": 220, b'"': 12}, {b"\n": 350, b",": 80, b":": 80}
#: The control groups of this process, and the folder with their limits, if there are any.
OWN_GROUPS, GROUPS = Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")


def free_memory() -> int:
    """The bytes of memory that are free: in the machine, or below the limits of this process's control groups."""
    from psutil import virtual_memory

    free = [virtual_memory().available]
    for line in OWN_GROUPS.read_text().splitlines() if OWN_GROUPS.exists() else ():
        _, kind, path = line.split(":", 2)
        folder = GROUPS / kind / path.strip("/")
        with suppress(OSError, ValueError, KeyError):  # no such group, or no limit
            stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
            most = stat.get("hierarchical_memory_limit") or (folder / "memory.max").read_text()
            free.append(int(most) - int(stat.get("total_rss") or stat["anon"]))
    return min(free)


def not_too_large(data: bytes, name: str, is_json: bool) -> None:
    """Raise `PairsError` if reading these bytes could take more memory than is free."""
    marks = JSON if is_json else DELIMITED
    there = {byte: bytes([byte]) in data for byte in set(b"".join(marks))}  # found at once; counts take their time
    counted = {mark: data.count(mark) for mark in marks if all(map(there.get, mark))}
    takes = TIMES * len(data) + sum(marks[mark] * count for mark, count in counted.items())
    if takes > (free := free_memory()):
        more = f"{option('max_unpacked')} reads it anyway, pg.open_pairs reads Parquet piece by piece"
        raise PairsError(
            f"{name}: reading it takes up to {takes / 1e9:.1f} GB, and {free / 1e9:.1f} are free; {more}"
        )
