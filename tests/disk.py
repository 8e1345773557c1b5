"""A disk that fills up, and what lies on it."""

import re
import resource
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from paragraph.files import PairsError


@contextmanager
def small_disk(room):
    """A file cannot grow beyond so many bytes: the system refuses to write on, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@contextmanager
def tiny_disk(folder, kilobytes):
    """A disk of so many kilobytes at `folder`, where the system lets us have one."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", f"{folder}"]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", f"{folder}"], check=True)


def old_new_or_refused(folder, write, read, copies):
    """Whenever the process that writes a folder anew is killed, `read` gives the old, the new, or an error."""
    old = read(folder)
    left = killed(folder, write, copies)
    new, refusals = read(folder), 0
    assert old != new
    for copy in left:
        try:
            assert read(copy) in (old, new)
        except PairsError as error:
            refusals += 1
            said = r": cannot be used \(ValueError: .* is not the file that .*json describes\); "
            assert re.search(said, str(error))
    assert refusals


def killed(folder, write, copies):
    """What a kill would leave of a folder: a copy from before each step in which `write` moves or deletes a file."""
    found = []

    def then(move):
        def moved(self, *args, **options):
            found.append(shutil.copytree(folder, copies / f"{len(found)}"))
            return move(self, *args, **options)

        return moved

    with patch.object(Path, "replace", then(Path.replace)), patch.object(Path, "unlink", then(Path.unlink)):
        write()
    return found


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
