"""Free memory, and how much of it reading a file can take."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from .errors import PairsError

__all__ = ["TIMES", "free_memory", "not_too_large"]

#: The most memory that reading takes, as measured on hostile files: bytes for each byte,
TIMES = 6
#: and for each of these marks. A row that is listed as skipped takes most.
MARKS = {b"\n": 450, b"\n\n": 450, b"\r": 450, b"\r\r": 450, b",": 80, b":": 80, b'"': 12}
#: The control groups of this process, and the folder with their limits, if there are any.
OWN_GROUPS = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")


def free_memory() -> int:
    """The bytes of memory that are free: in the machine, or below the limits of this process's control groups."""
    from psutil import virtual_memory

    free = [virtual_memory().available]
    groups = []
    if OWN_GROUPS.exists():
        groups = OWN_GROUPS.read_text().splitlines()
    for group in groups:
        _, kind, path = group.split(":", 2)
        folder = GROUPS / kind / path.strip("/")
        with suppress(OSError, ValueError, KeyError):  # no such group, or no limit
            lines = (folder / "memory.stat").read_text().splitlines()
            stat = dict(map(str.split, lines))
            most = stat.get("hierarchical_memory_limit") or (folder / "memory.max").read_text()
            taken = stat.get("total_rss") or stat["anon"]
            free.append(int(most) - int(taken))
    return min(free)


def not_too_large(data: bytes, name: str) -> None:
    """Raise `PairsError` if reading these bytes could take more memory than is free."""
    needed = TIMES * len(data)
    for mark, times in MARKS.items():
        needed += times * data.count(mark)
    free = free_memory()
    if needed > free:
        amounts = f"takes up to {needed / 1e9:.1f} GB, and {free / 1e9:.1f} are free"
        raise PairsError(
            f"{name}: reading it {amounts}; split it, or save it as Parquet, which pg.open_pairs "
            "reads piece by piece"
        )
