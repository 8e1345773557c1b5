"""A disk that fills up, and what lies on it."""

import resource
from contextlib import contextmanager


@contextmanager
def small_disk(room):
    """A file cannot grow beyond so many bytes: the system refuses to write on, as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
