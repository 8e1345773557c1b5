"""JSICK, parsed by GiNZA: how many sentences can be shuffled, and how many pairs that makes."""

import os
from pathlib import Path
from random import Random

import pandas as pd
import pytest

import paragraph as pg
from paragraph.papers.japanese.parse import Parses

JSICK = Path(os.environ.get("PARAGRAPH_DATA", "/nowhere"), "jsick")
pytestmark = pytest.mark.skipif(not JSICK.is_dir(), reason="PARAGRAPH_DATA holds no jsick")


@pytest.fixture(scope="module")
def parts():
    return [pg.read_pairs(JSICK / f"{part}.tsv.gz", unlabelled="keep") for part in ("train", "test")]


@pytest.fixture(scope="module")
def parses(parts):
    texts = pd.concat([part[side] for part in parts for side in ("text_a", "text_b")]).unique()
    return {parse.text: parse for parse in Parses(progress=False).of(texts)}


@pytest.mark.ja
@pytest.mark.long
def test_table_5_within_two_per_cent(parts, parses):
    train, _ = parts
    asked = {"entailment": 991, "contradiction": 748, "neutral": 2761}
    rows = {label: train.index[train["entailment"] == label].tolist() for label in asked}
    keep = [row for label, count in asked.items() for row in Random(0).sample(rows[label], count)]
    made = pg.augment_by_shuffling(train.loc[sorted(keep)], rule="paper", parses=Parses(parses))
    assert abs(len(made) - 16320) < 0.02 * 16320
    for label, printed in {"entailment": 3600, "contradiction": 2739, "neutral": 9981}.items():
        assert abs((made["entailment"] == label).sum() - printed) < 0.03 * printed
    new = made[made["side"].notna()]
    assert new["from_row"].isin(train.loc[keep, "row"]).all()  # nothing is made from a pair of the validation part
