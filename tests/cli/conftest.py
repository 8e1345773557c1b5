"""What tests of the shell share."""

from typing import NamedTuple

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main


class Done(NamedTuple):
    """How a command ended: its exit status, standard output and standard error."""

    status: int
    out: str
    err: str


@pytest.fixture
def run(capsys):
    """Runs a command in this process: a line, or arguments."""

    def run(*args):
        words = args[0].split() if len(args) == 1 else map(str, args)
        try:
            status = main([*words])
        except SystemExit as exit:
            status = exit.code
        return Done(status, *capsys.readouterr())

    return run


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def put():
    """Writes rows of two texts and a label to a file."""

    def put(path, *rows):
        pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), path)

    return put
