"""The shipped corpus as a graph, made once."""

import pytest

import paragraph as pg

from ..learn.conftest import exact, tiny  # noqa: F401


@pytest.fixture(scope="session")
def demo():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
