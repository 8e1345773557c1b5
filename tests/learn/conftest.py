"""Small models on one thread: several threads, of several test processes, would wait for each other."""

import warnings

import pandas as pd
import pytest

import paragraph as pg

from .tiny import tiny_bert


@pytest.fixture(autouse=True)
def one_thread():
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def exact(monkeypatch):
    """As on a machine without bfloat16."""
    monkeypatch.setattr("paragraph.learn.tokens.arithmetic", lambda device: "float32")


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    return tiny_bert(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def demo():
    """The shipped corpus in train, dev, test, between which no cluster and no sentence is shared."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows that cross have no split
        pairs = pg.split(pg.read_pairs(pg.DEMO), {"train": 0.7, "dev": 0.1, "test": 0.2}, by="clusters")
    return [pairs[pairs["split"] == name] for name in ("train", "dev", "test")]


@pytest.fixture(scope="session")
def few(demo):
    """40 rows of either label."""
    return pd.concat([demo[0][demo[0]["label"] == label][:40] for label in (0, 1)])


@pytest.fixture(scope="session")
def tags():
    """The shipped tags by their first reading."""
    table = pg.tags.read(pg.DEMO_TAGS)
    return table[table["annotator"] == table["annotator"].iloc[0]].reset_index(drop=True)
