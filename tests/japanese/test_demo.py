"""The Japanese sentences that ship: parsed, glossed, and parsed as GiNZA does."""

import json

import pytest

import paragraph as pg
from paragraph.japanese import parse as japanese
from paragraph.japanese.parse import read_parses

PARSES = read_parses(pg.DEMO_PARSES)


def test_thirty_pairs_of_sixty_sentences_with_glosses_and_translations():
    pairs = pg.read_pairs(pg.DEMO_JAPANESE, unlabelled="keep")
    assert pairs["entailment"].value_counts().to_dict() == {"entailment": 10, "contradiction": 10, "neutral": 10}
    assert {*pairs["text_a"], *pairs["text_b"]} == {*PARSES} and len(PARSES) == 60
    for line in pg.DEMO_PARSES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        assert len(row["gloss"]) == len(row["phrases"]) and all(row["gloss"]) and row["english"].endswith(".")


def test_they_can_be_shuffled_without_ginza(monkeypatch):
    monkeypatch.setattr(japanese, "_model", lambda: pytest.fail("GiNZA was asked"))
    pairs = pg.read_pairs(pg.DEMO_JAPANESE, unlabelled="keep")
    made = pg.augment_by_shuffling(pairs, parses=pg.Parses(pg.DEMO_PARSES))
    assert len(made) > 3 * len(pairs)


@pytest.mark.ja
@pytest.mark.slow
def test_they_are_what_ginza_says():
    assert list(japanese.parses(PARSES)) == list(PARSES.values())
