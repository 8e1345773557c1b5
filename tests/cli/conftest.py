"""What tests of the shell share."""

import pytest

from paragraph.cli import main


@pytest.fixture
def run(capsys):
    """Runs a command in this process: status, standard output, standard error."""

    def run(*args):
        status = main([str(arg) for arg in args])
        return status, *capsys.readouterr()

    return run
