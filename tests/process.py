"""Python in a process of its own."""

import json
import os
import subprocess
import sys

import pytest

from .growth import HUNG

NOBODY = 65534
#: Of tests of another user.
needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root, to be another user"
)


def python(*args, **options):
    """What became of an interpreter with these arguments: its exit status, standard output and standard error."""
    command = [sys.executable, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=HUNG, **options)


def as_nobody(act):
    """What a function gives, through JSON, in a process of another user."""
    out, into = os.pipe()
    if not (child := os.fork()):
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os.write(into, json.dumps(act()).encode())
        finally:
            os._exit(0)
    os.close(into)
    with open(out, "rb") as said:
        found = said.read()
    os.waitpid(child, 0)
    return json.loads(found)
