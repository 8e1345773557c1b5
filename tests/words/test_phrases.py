"""Phrases by the votes of pairs: who may vote, how much, and what is put in their place."""

import pytest

from paragraph.words.phrases import Phrases, replaced

BUY = ("How do I buy tea?", "How do I purchase tea?")
BOTH = ("Where do I buy tea that is cheap?", "Where do I purchase tea that is inexpensive?")
FOUR = ("Where can I buy cheap good tea here now?", "Where do I purchase cheap fine tea here today?")


@pytest.mark.parametrize(
    ("left", "right", "phrases", "places"),
    [
        (*BUY, [("buy", "purchase")], 1),
        ("Is tea hot?", "IS TEA hot?", [], 0),
        ("Who saw Rome today?", "Who saw Paris today?", [("Rome", "Paris")], 1),
        ("Buy tea now?", "Purchase tea now?", [("buy", "purchase")], 1),
        ("Is tea hot?", "Is tea hot today?", [], 1),  # put in, not in place of anything
        ("Is the tea hot?", "Is the tea, hot?", [], 1),
        ("Is it 3?", "Is it !?", [], 1),  # a mark is no phrase
        ("Why so?", "Tea or coffee, dear sir?", [], 1),  # little in common
        ("one two three four", "", [], 1),
        ("a b c 1 2 3 4 5 6 d e f", "a b c x d e f", [], 1),  # a phrase of six words
    ],
)
def test_replaced(left, right, phrases, places):
    assert replaced(left, right) == (phrases, places)
    assert replaced(right, left) == ([(y, x) for x, y in phrases], places)


@pytest.mark.parametrize(
    ("pairs", "kept"),
    [
        ([(*BUY, 1, 0)], True),
        ([(*BUY, -1, 0)], False),
        ([(*BUY, 1, 0), (*BUY, -1, 1)], False),
        ([(*BUY, 1, 0), (*BUY, 1, 1), (*BUY, -1, 2)], True),
        ([(*BOTH, 1, 0)], False),  # half a vote for each of two
        ([(*BOTH, 1, 0)] * 9, False),  # one cluster votes once
        ([(*BOTH, 1, 0), (*BOTH, 1, 1)], True),
        ([(*BUY, 0.5, 0), (*BOTH, 1, 1)], True),
        ([(*FOUR, 1, i) for i in range(3)], False),
        ([(*FOUR, 1, i) for i in range(4)], True),
    ],
)
def test_votes(pairs, kept):
    phrases = Phrases(pairs)
    assert [text for text, _ in phrases.substitutions("Buy?")] == ["Purchase?"] * kept
    assert [text for text, _ in phrases.substitutions("Where to purchase?")] == ["Where to buy?"] * kept


def test_words_of_grammar_alone_are_no_phrases():
    rows = [("How can I go?", "How do I go?"), ("Is it the one?", "Is it another one?"), ("Is it 1?", "Is it 2?")]
    assert len(Phrases([(*row, 1, i) for i, row in enumerate(rows)])) == 0  # nor figures


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I buy  cheap\ttea", {"I purchase  cheap\ttea", "I buy  inexpensive\ttea", "I purchase  inexpensive\ttea"}),
        ("Cheap?", {"Inexpensive?"}),
        ("buyer", set()),
        ("", set()),
        ("BUY", {"Purchase"}),
        ("I BUY it", {"I purchase it"}),
        ("I buy, you purchase", {"I purchase, you purchase", "I buy, you buy"}),  # never both: nothing would change
    ],
)
def test_what_stands_around_a_change_stays(text, found):
    phrases = Phrases([(*BUY, 1, 0), (*BOTH, 1, 1), (*BOTH, 1, 2)])
    assert {changed for changed, _ in phrases.substitutions(text)} == found


def test_names_keep_their_capitals():
    phrases = Phrases([("It rains in the Alps now.", "It rains in the High Mountains now.", 1, 0)])
    assert phrases.substitutions("the alps")[0][0] == "the High Mountains"
    assert phrases.substitutions("High mountains!")[0][0] == "Alps!"
