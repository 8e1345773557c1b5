"""Five ways of training with the rows of a batch as negatives: what a batch holds, and what a killed run keeps."""

import warnings

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from benchmarks.five_ways import _ways, contrastive


@pytest.fixture(scope="module")
def parts():
    pairs = pg.read_pairs(pg.DEMO)
    with warnings.catch_warnings():  # rows between the sides are left out
        warnings.simplefilter("ignore")
        divided = pg.split(pairs[pairs["label"].notna()], {"train": 0.8, "test": 0.2}, by="clusters")
    return [divided[(divided["split"] == name).fillna(False)] for name in ("train", "test")]


def same(left, right):
    return [0.95] * len(left)


def test_rows_of_each_way_are_those_of_the_training_sets(parts):
    graph = pg.ParaphraseGraph.from_pairs(parts[0])
    sets, cluster = _ways(graph, same, 0.5, False)
    hard, negative = sets["hard"], sets["hard"]["negative"].notna()
    assert sets["random"] is sets["clusters"] and len(hard) == len(sets["random"]) < len(sets["friends"])
    assert 0 < negative.sum() < len(hard) and (hard["anchor"].map(cluster) == hard["positive"].map(cluster)).all()
    assert (hard["negative"][negative].map(cluster) != hard["anchor"][negative].map(cluster)).all()


@pytest.mark.long
def test_only_batches_that_know_clusters_are_free_of_them_and_a_killed_run_goes_on(parts, tmp_path, monkeypatch):
    train, test = parts
    judged = test[:40].assign(label=[0, 1] * 20)
    options = {"reader": same, "sure": 0.5, "steps": 2, "batch_size": 8, "progress": False, "results": tmp_path / "c"}
    first = contrastive(train, test, judged, seeds=[0], **options)
    assert first["way"].tolist() == ["random", "no duplicates", "clusters", "friends", "hard"]
    by_way = first.set_index("way")
    assert (by_way["same cluster"] > 0).tolist() == [
        True,
        by_way["same cluster"]["no duplicates"] > 0,
        False,
        False,
        False,
    ]
    assert by_way["average precision"].between(0, 1).all() and by_way["AUC"].between(0, 1).all()
    assert by_way["average precision"].nunique() > 2  # they train on different batches

    def again(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("paragraph.papers.models.training.train", again)
    pd.testing.assert_frame_equal(contrastive(train, test, judged, seeds=[0], **options), first)
    with pytest.raises(KeyboardInterrupt):
        contrastive(train, test, judged, seeds=[0, 1], **options)
    assert np.array_equal([*(tmp_path / "c.cells").glob("*_1.npz")], [])
