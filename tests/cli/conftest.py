"""What tests of the shell share."""

from typing import NamedTuple

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main

from ..disk import tree
from ..learn.tiny import tiny_adapter


class Said(NamedTuple):
    """What a command has written to standard output and standard error."""

    out: str
    err: str


@pytest.fixture
def ended(capsys):
    """Runs a command in this process, a line or arguments, and gives its exit status and what it said."""

    def ended(*args):
        words = args[0].split() if len(args) == 1 else map(str, args)
        try:
            status = main([*words])
        except SystemExit as exit:
            status = exit.code
        return status, Said(*capsys.readouterr())

    return ended


@pytest.fixture
def run(ended):
    """Runs a command that ends well."""

    def run(*args):
        status, said = ended(*args)
        assert status == 0, said.err
        return said

    return run


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refuses(ended, desk):
    """Runs a command that says what is wrong, and writes nothing."""

    def refuses(message, *args):
        before = tree(desk)
        status, said = ended(*args)
        assert status == 2 and message in said.err and tree(desk) == before
        return said

    return refuses


@pytest.fixture(scope="session")
def adapter(tmp_path_factory):
    """The folder of a trained judge, called model."""
    return str(tiny_adapter(tmp_path_factory.mktemp("judge") / "model"))


@pytest.fixture
def put():
    """Writes rows of two texts and a label to a file."""

    def put(path, *rows):
        pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), path)

    return put
