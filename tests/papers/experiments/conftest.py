import warnings

import pytest

import paragraph as pg
from paragraph.papers.models.baselines import TfidfPairs


def parts_of_the_demo(**shares):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its one component is cut between clusters, which loses rows
        pairs = pg.split(pg.read_pairs(pg.DEMO), shares, by="clusters")
    return [pairs[(pairs["split"] == name).fillna(False)].reset_index(drop=True) for name in shares]


@pytest.fixture(scope="session")
def demo():
    return parts_of_the_demo(train=0.7, test=0.3)


@pytest.fixture(scope="session")
def demo_with_dev():
    return parts_of_the_demo(train=0.6, dev=0.2, test=0.2)


class Seeded(TfidfPairs):
    """Logistic regression on a random nine tenths of the rows: a model whose seed matters."""

    name, deterministic = "seeded <b>tf-idf</b>", False

    def fit(self, train, dev=None):
        return super().fit(train.sample(frac=0.9, random_state=self.seed))
