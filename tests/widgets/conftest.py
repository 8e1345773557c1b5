"""An Explorer of the shipped data, and a page that drives it."""

import pytest

import paragraph as pg

from .graphs import demo
from .page import Shown


@pytest.fixture(scope="module")
def graph():
    return demo()


@pytest.fixture
def explorer(graph):
    return pg.Explorer(graph)


@pytest.fixture
def page(explorer):
    return Shown(explorer)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "decisions.db"
