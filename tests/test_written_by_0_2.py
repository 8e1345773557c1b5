"""Files that version 0.2 wrote, read by this version: logs, a store, models, tables."""

import json
import os
import shutil
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg

OLD = Path(__file__).parent / "fixtures" / "v0_2"
EXPECTED = json.loads((OLD / "expected.json").read_text())


@pytest.fixture(scope="module")
def pairs():
    return pg.read_pairs(OLD / "pairs.tsv")


@pytest.fixture
def log(tmp_path):
    shutil.copy(OLD / "decisions.db", tmp_path)
    return pg.DecisionLog(tmp_path / "decisions.db", reviewer="Ada")


def test_a_log_keeps_its_records_and_its_digest(log):
    assert log.digest() == EXPECTED["digest"]
    assert log.current()["decision"].tolist() == EXPECTED["decisions"]
    assert [None if pd.isna(same) else int(same) for same in log.judged()["same"]] == EXPECTED["judged"]


def test_an_old_log_takes_new_decisions(log, pairs):
    first = log.records()[0]
    log.add(first.question1, first.question2, "keep", label=0)
    assert sorted(log.current(reviewer="Ada")["decision"]) == ["ambiguous", "cut", "keep", "keep", "skip"]


@pytest.mark.parametrize("name", ["decisions.jsonl", "decisions.tsv"])
def test_an_exported_log_merges_into_a_new_one(name, tmp_path):
    log = pg.DecisionLog(tmp_path / "new.db", reviewer="Ada")
    assert log.merge(OLD / name) == len(log.records())
    assert log.digest() == EXPECTED["digest"]


def test_an_old_log_replays(log, pairs):
    assert len(pg.replay(log, pairs).pairs) == EXPECTED["replayed_rows"]


@pytest.mark.scale
@pytest.mark.parametrize("same_time", [True, False])
def test_a_store_is_opened_or_coded_again(same_time, tmp_path):
    shutil.copytree(OLD, tmp_path / "old")
    if same_time:
        written = json.loads((OLD / "store" / "store.json").read_text())["files"][0][2]
        os.utime(tmp_path / "old" / "pairs.tsv", ns=(written, written))
    old = tmp_path / "old"
    store = pg.open_pairs(old / "pairs.tsv", engine="duckdb", folder=old / "store", progress=False)
    before, now = pd.read_csv(OLD / "clusters.tsv", sep="\t"), store.clusters().reset_index(drop=True)
    columns = ["size", "example"]
    pd.testing.assert_frame_equal(now[columns], before[columns], check_dtype=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tfidf"])
def test_a_pair_model_predicts_as_before(name, pairs):
    found = pg.learn.load_model(OLD / name).predict_proba(pairs.head(8))
    assert found == pytest.approx(EXPECTED[name], abs=0.01)  # bfloat16 or not


@pytest.mark.slow
def test_a_tagger_tags_as_before():
    tagged = pg.learn.load_tagger(OLD / "tagger").tag(pg.tags.read(pg.DEMO_TAGS).head(1))
    assert tagged["p_a"].iloc[0] == pytest.approx(EXPECTED["tagger"], abs=0.02)


@pytest.mark.parametrize("name", EXPECTED["rows"])
def test_a_written_table_of_pairs_is_read(name):
    assert len(pg.read_pairs(OLD / name)) == EXPECTED["rows"][name]


def test_a_judged_audit_is_read(pairs):
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    assert pg.audited(graph, pd.read_csv(OLD / "audit.tsv", sep="\t")).judged == EXPECTED["audited"]


def test_shuffled_rows_are_no_evidence():
    more = pg.read_pairs(OLD / "shuffled.tsv", unlabelled="keep")
    given = pg.read_pairs(pg.DEMO_JAPANESE, unlabelled="keep")
    assert len(more) > len(given)
    assert pg.ParaphraseGraph.from_pairs(more).n == pg.ParaphraseGraph.from_pairs(given).n


def test_a_table_of_tags_is_read():
    assert len(pg.tags.read(OLD / "tags.jsonl")) == 3
