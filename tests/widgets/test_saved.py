"""The time to save an Explorer follows the page, not the file."""

import re

import numpy as np
import pytest

import paragraph as pg
from paragraph.widgets.explorer import saved

from ..growth import exponent


def chains(count):
    """Clusters of two in a row, each kept apart from the next four by a negative."""
    node, cluster = np.arange(2 * count).reshape(count, 2), np.arange(count)
    positive = node[:, :-1].ravel(), node[:, 1:].ravel()
    negative = [(node[:-away, 0], node[cluster[away:], 0]) for away in range(1, 5)]
    a, b = (np.concatenate([one, *other]) for one, other in zip(positive, zip(*negative, strict=True), strict=True))
    sign = np.ones(len(a), dtype=np.int8)
    sign[count:] = -1
    return pg.ParaphraseGraph(a, b, sign, 2 * count)


@pytest.mark.slow
def test_a_page_of_sixteen_times_the_clusters_takes_hardly_longer(monkeypatch):
    monkeypatch.setattr(saved, "LIMIT", saved.FRAME + 40_000)
    explorers = {count: pg.Explorer(chains(count), fresh=True) for count in (10_000, 160_000)}
    kept = [re.search(r"(\d+) of [\d,]+ clusters are here", saved.page(one))[1] for one in explorers.values()]
    assert kept[0] == kept[1] and int(kept[0]) > 20
    assert exponent(lambda count: saved.page(explorers[count]), *explorers) < 0.3
