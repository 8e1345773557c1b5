"""Tests that are tables of facts."""

import pytest


def facts(names, table):
    """Runs a test once for each row of a table, whose first cell is what is so."""
    return pytest.mark.parametrize(names, [row[1:] for row in table], ids=[row[0] for row in table])
