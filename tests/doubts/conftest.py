"""The shipped corpus as a graph, made once."""

import pytest

import paragraph as pg


@pytest.fixture(scope="session")
def demo():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
