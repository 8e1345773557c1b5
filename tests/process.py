"""Python in a process of its own."""

import subprocess
import sys

from .growth import HUNG


def python(*args, **options):
    """What became of an interpreter with these arguments: its exit status, standard output and standard error."""
    command = [sys.executable, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=HUNG, **options)
