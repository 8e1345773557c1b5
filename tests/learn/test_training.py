"""Sets that sentence-transformers trains and tests on."""

import gzip
import os
import re
import warnings
from itertools import islice
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg

from ..refused import refused

#: a b c are one cluster, d e another, x and y stand alone; a−c and one of d−e are conflicts.
PAIRS = [("a", "b", 1), ("b", "c", 1), ("a", "c", 0), ("d", "e", 1), ("d", "e", 0), ("d", "e", 1), ("c", "x", 0)]
PAIRS += [("b", "d", 0), ("x", "y", 0)]


def graph_of(pairs=PAIRS):
    return pg.ParaphraseGraph.from_pairs(pd.DataFrame(pairs, columns=["text_a", "text_b", "label"]))


def unordered(table):
    return {frozenset(row) for row in table.iloc[:, :2].itertuples(index=False, name=None)}


def test_a_set_has_the_columns_of_its_losses_and_no_label_that_is_contradicted():
    sets = pg.training_sets(graph_of())
    assert {name: list(table) for name, table in zip(sets._fields[:3], sets[:3], strict=True)} == {
        "pair_class": ["sentence1", "sentence2", "label"], "pair": ["anchor", "positive"],
        "triplet": ["anchor", "positive", "negative"],
    }  # fmt: skip
    assert unordered(sets.pair) == {frozenset("ab"), frozenset("bc")}  # d−e is stated both ways
    assert unordered(sets.pair_class) == {*map(frozenset, ("ab", "bc", "cx", "bd", "xy"))}
    follow = pg.training_sets(pg.infer(graph_of()), per_anchor=9)
    assert unordered(follow.pair) == {frozenset("ab"), frozenset("bc")}  # nor does a stated a−c follow
    assert {*follow.triplet["anchor"]} | {*follow.triplet["positive"]} == {*"abc"}
    assert {*follow.triplet["negative"]} <= {*"dex"} and len(follow.triplet) == len(follow.pair)
    assert {name: len(table) for name, table in follow.origins.items()} == {
        name: len(getattr(follow, name)) for name in follow._fields[:3]
    }


def test_the_hardest_negative_is_taken_and_an_anchor_has_a_limit():
    near, far = "how do I boil rice", "who won the match"
    rows = [("how do I boil eggs", other, 0) for other in (far, near)] + [("how do I boil eggs", "boiling eggs", 1)]
    rows += [("how do I boil eggs", f"eggs {i}", 1) for i in range(20)]
    sets = pg.training_sets(pg.infer(graph_of(rows)), per_anchor=3)
    hard = sets.triplet.set_index("anchor")["negative"]
    assert len(hard) > 20 and (hard.drop("how do I boil eggs", errors="ignore") != far).any()
    assert {*hard.get(["how do I boil eggs"], [])} <= {near}
    assert sets.pair.groupby("anchor").size().max() == 3


def test_what_is_no_graph_and_a_limit_out_of_range():
    refused("takes a graph, or a closure", pg.training_sets, pd.DataFrame())
    refused("per_anchor 0 is not a whole number", pg.training_sets, graph_of(), per_anchor=0)


def test_what_follows_says_how_probably_it_is_right(tmp_path):
    friends = pg.trust(pg.infer(graph_of()), lambda left, right: [0.8] * len(left), progress=False)
    sets = pg.training_sets(friends)
    assert sets.origins["pair_class"]["origin"].str.contains("follows, distance 2, right with 0.").any()
    counts = sets.write(tmp_path)
    assert counts["pair"] == len(pd.read_parquet(tmp_path / "pair.parquet"))


@pytest.fixture(scope="module")
def library():
    return pytest.importorskip("sentence_transformers")


def pairs_of(kinds):
    """Each kind of pair, in clusters of its own: ``+`` a positive, ``-`` three negatives to it, ``±`` both."""
    rows = []
    for i, kind in enumerate("".join(kind * count for kind, count in kinds.items())):
        rows += [(f"a{i}", f"b{i}", 1)] if kind in "+±" else []
        rows += [(f"a{i}", f"{x} of {i}", 0) for x in "xyz"] if kind in "-±" else []
    return pg.training_sets(pg.infer(graph_of(rows)))


@pytest.mark.parametrize(("kinds", "chosen", "why"), [
    ({"±": 40}, ("triplet", "MultipleNegativesRankingLoss"), "40 positives in 40 clusters, 40 with a hard negative"),
    ({"±": 20, "+": 30}, ("pair", "MultipleNegativesRankingLoss"), "50 clusters, 20 with a hard negative"),
    ({"±": 31}, ("pair_class", "OnlineContrastiveLoss"), "31 positives in 31 clusters"),
])  # fmt: skip
def test_the_set_to_train_on_depends_on_the_data(kinds, chosen, why):
    choice = pairs_of(kinds).choice
    assert (choice["set"], choice["loss"]) == chosen and why in choice["why"]


def test_an_empty_set_is_not_written_and_nothing_is_trained_without_a_positive(tmp_path):
    pairs_of({"±": 1}).write(tmp_path)
    assert pairs_of({"+": 2}).write(tmp_path) == {"pair_class": 2, "pair": 2, "triplet": 0}
    assert sorted(path.name for path in tmp_path.glob("*.parquet")) == [
        "pair.origins.parquet", "pair.parquet", "pair_class.origins.parquet", "pair_class.parquet",
    ]  # fmt: skip
    refused("no positive to train on", lambda: pairs_of({"-": 2}).choice)
    tests = [{*pg.evaluation_sets(graph_of(rows))} for rows in ([("a", "b", 0)], [("a", "b", 1)])]
    assert tests == [set(), {"mining"}]


DATA = os.environ.get("PARAGRAPH_DATA", "")
#: What is trained on as the page says: a file, how it is divided, and what the command says to take.
TRAINED = [
    (pg.DEMO, "clusters", "triplet"), ("mrpc/msr_paraphrase_train.txt", "components", "pair"),
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
    for name in ("pair_class", "pair", "triplet"):
        empty = re.search(rf"\b0  sets/{name}.parquet is not written", said) is not None
        assert (tmp_path / "sets" / f"{name}.parquet").exists() != empty
    names = {}
    exec(script, names)
    for found in (names["before"], names["scores"]()):
        assert found and all(0.2 < score <= 1 for score in found.values())
    assert pg.learn.encode(["How far is it?"], model="trained").shape == (1, 384)
