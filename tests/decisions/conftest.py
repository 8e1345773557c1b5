"""Where these tests keep their logs."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

import paragraph as pg


@pytest.fixture
def memory(tmp_path):
    """A folder in memory where there is one: most of these tests are about what is written, not how it lasts."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    folder = tempfile.mkdtemp(dir="/dev/shm", prefix="decisions-")
    yield Path(folder)
    shutil.rmtree(folder)


@pytest.fixture
def log(memory):
    """An empty log, Ada's unless another is named."""
    return pg.DecisionLog(memory / "log.db", "Ada")
