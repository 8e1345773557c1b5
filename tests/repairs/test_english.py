"""Word lists are English: on other languages they are left out, and a note says so once."""

import warnings

import pytest

import paragraph as pg
from paragraph.words.reasons import reasons


def test_a_note_once_on_other_languages_and_none_on_english():
    pairs = [pg.read_pairs(path, unlabelled="keep") for path in (pg.DEMO_JAPANESE, pg.DEMO)]
    japanese, english = map(pg.ParaphraseGraph.from_pairs, pairs)
    with pytest.warns(UserWarning, match="seem not to be English"):
        pg.suspects(japanese)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "of a pair stated 1 and one stated 0")
        pg.suspects(japanese)
        pg.suspects(english)


def test_what_the_lists_know_is_left_out():
    pair = ("Ist es no gut?", "Ist es gut in 3 Tagen?")
    assert any(reason.startswith("negation") for reason in reasons(*pair))
    assert not any(reason.startswith("negation") for reason in reasons(*pair, english=False))
    assert any(reason.startswith("number") for reason in reasons(*pair, english=False))
