"""Maps of clusters: what is near lies near, and a map is kept on disk by what it depends on."""

import re
from functools import partial

import numpy as np
import pytest
from tqdm.auto import tqdm

import paragraph as pg
from benchmarks.atlas import kept
from paragraph.atlas import places as placing
from paragraph.atlas.places import latent, principal

from ..growth import LINEAR, exponent
from ..refused import refused
from ..widgets.graphs import demo, numbered


@pytest.fixture
def maps(tmp_path, monkeypatch):
    monkeypatch.setenv("PARAGRAPH_CACHE", str(tmp_path))
    return tmp_path / "maps"


@pytest.fixture
def made(monkeypatch):
    """A list that grows with each map made."""
    made = []
    monkeypatch.setattr(placing, "_projected", lambda vectors, *_: made.append(1) or np.ones((len(vectors), 2)))
    return made


def place(graph, count=20, **options):
    return placing.place_clusters(graph, count, **{"by": "words"} | options)


@pytest.mark.slow
def test_the_second_map_is_read_unless_it_is_damaged_and_another_question_makes_another(maps, made):
    graph = demo()
    assert np.array_equal(place(graph), place(graph)) and len(made) == 1
    (kept,) = maps.iterdir()
    for damage in (b"", b"PK", kept.read_bytes()[:-8]):
        kept.write_bytes(damage)
        place(graph)
    np.save(kept, np.full((20, 2), np.nan))
    place(graph)
    assert len(made) == 5 and [*maps.iterdir()] == [kept]
    for change in ({"seed": 1}, {"count": 19}, {"by": "meaning"}):
        place(graph, **change)
    for text in ("s{}", "t{}"):  # other sentences too
        place(numbered([(0, 1, 1), (2, 3, 1), (4, 5, 1)], text.format), 3)
    assert len(made) == 5 + 5 and len([*maps.iterdir()]) == 6
    refused("by='colour' is not one of meaning, words", place, graph, by="colour")


def test_where_nothing_can_be_kept_maps_are_made(maps, made):
    maps.write_text("a file in the way")
    place(demo())
    place(demo())
    assert len(made) == 2


@pytest.mark.slow
@pytest.mark.parametrize("by", ["words", pytest.param("meaning", marks=pytest.mark.long)])
def test_clusters_of_one_topic_are_neighbours(maps, by):
    graph = demo()
    places = place(graph, int((graph.cluster_sizes > 1).sum()), by=by)
    assert np.abs(places).max() == pytest.approx(1)
    homes = np.unique(graph.cluster_of[graph.search("exam")["node"]])
    homes = homes[homes < len(places)]
    near = np.median(np.linalg.norm(places[homes][:, None] - places[homes], axis=2))
    assert near < np.median(np.linalg.norm(places[homes][:, None] - places, axis=2))


def topics(n, seed=0):
    """Vectors in topics of ten."""
    rng = np.random.default_rng(seed)
    return np.repeat(rng.normal(size=(n // 10, 20)), 10, axis=0) + rng.normal(0, 0.2, (n, 20))


@pytest.mark.slow
def test_many_clusters_keep_their_neighbours_and_the_same_seed_gives_the_same_map(capsys, monkeypatch):
    monkeypatch.setattr("tqdm.auto.tqdm", partial(tqdm, mininterval=0))  # each step is shown, however quick
    vectors = principal(topics(1_200))
    places = placing._projected(vectors, 0)
    assert np.array_equal(placing._projected(vectors, 0), places)
    assert kept(vectors, places, 9) > 0.9 > 0.6 > kept(vectors, vectors[:, :2], 9)
    shown = {int(share) for share in re.findall(r"placing 1,200 clusters: +(\d+)%", capsys.readouterr().err)}
    assert len(shown) > 30, shown  # the bar moves


@pytest.mark.long
@pytest.mark.slow
def test_the_time_of_a_map_grows_with_its_clusters_and_not_with_their_pairs():
    of = {n: principal(topics(n)) for n in (1_500, 24_000)}
    assert exponent(lambda n: placing._projected(of[n], 0), *of) < LINEAR


def test_a_map_needs_no_tsne_and_says_so(maps, monkeypatch):
    graph, count = demo(), 60
    by_neighbours = place(graph, count)
    assert "principal" not in pg.Atlas(graph, by="words")._title()
    monkeypatch.setattr(placing, "find_spec", lambda name: None)
    by_components = place(graph, count)
    assert by_components.shape == by_neighbours.shape and not np.allclose(by_components, by_neighbours)
    assert abs(np.corrcoef(by_components.T)[0, 1]) < 1e-6  # components are not correlated
    assert "t-SNE needs openTSNE" in pg.Atlas(graph, by="words")._title()


def test_few_vectors_equal_ones_and_too_little_to_tell_apart():
    for n in (0, 1, 3, 5, 6):
        for width in (1, 4):
            for x in (np.zeros((n, width)), np.arange(n * width, dtype=float).reshape(n, width)):
                places = placing._projected(x, 0)
                assert places.shape == (n, 2) and np.isfinite(places).all()
    for texts, group in (([], []), (["a"], [0]), (["a", "b"], [0, 0]), (["?", "!"], [0, 1]), (["a b"] * 2, [0, 1])):
        vectors = latent(texts, np.array(group, dtype=np.int64))
        assert len(vectors) == len(set(group)) and np.isfinite(vectors).all()
