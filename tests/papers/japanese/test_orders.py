"""The orders in which the phrases of a sentence can stand, and what an order breaks: facts, and all permutations."""

from itertools import permutations
from math import factorial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragraph.papers.japanese.orders import RULES, broken, orders
from paragraph.papers.japanese.parse import Parse

from ...growth import LINEAR, exponent

FIGURE_2 = Parse(
    "太郎は花子が読んでいる本を次郎に渡した",
    ("太郎は", "花子が", "読んでいる", "本を", "次郎に", "渡した"),
    (5, 2, 3, 5, 5, -1),
    words=("太郎", "は", "花子", "が", "読ん", "で", "いる", "本", "を", "次郎", "に", "渡し", "た"),
)


def parse(phrases, heads, pinned=()):
    phrases = tuple(phrases.split("|"))
    return Parse("".join(phrases), phrases, heads, pinned)


@pytest.mark.parametrize("what, sentence, rule, count", [
    ("all phrases but the last", FIGURE_2, "phrases", 120),
    ("all words; は, が … differ, so each arrangement does", FIGURE_2, "words", factorial(13)),
    ("two of the same text are one", parse("犬と|犬と|猫と|寝た", (3, 3, 3, -1)), "paper", 3),
    ("a pinned phrase parts two runs", parse("a|b|W|c|d|P", (5, 5, 5, 5, 5, -1), (2,)), "paper", 4),
    ("the figure of the paper", FIGURE_2, "paper", 6),
])  # fmt: skip
def test_how_many(what, sentence, rule, count):
    found = orders(sentence, rule)
    assert found.count == count, what
    if count <= 120:
        texts = [found.text(order) for order in found]
        assert len(set(texts)) == count and texts[0] == sentence.text


@st.composite
def any_parse(draw):
    n = draw(st.integers(1, 6))
    heads = draw(st.lists(st.integers(-1, n - 1), min_size=n - 1, max_size=n - 1))
    pinned = draw(st.sets(st.integers(0, n - 1), max_size=2))
    return parse("|".join("abcdef"[:n]), (*heads, -1), tuple(pinned))


PARSES = any_parse()


def possible(parse):
    """All permutations, and for each whether what must be kept is kept."""
    n, pinned = len(parse.phrases), {*parse.pinned, len(parse.phrases) - 1}
    joined = [i for i in range(n - 1) if parse.heads[i] != n - 1 and i not in pinned]
    for order in permutations(range(n)):
        together = all(order.index(i + 1) == order.index(i) + 1 for i in joined)
        if together and all({*order[:i]} == {*range(i)} and order[i] == i for i in pinned):
            yield order


@given(PARSES)
def test_the_orders_are_those_that_keep_pins_and_joints_among_all_permutations(parse):
    assert sorted(orders(parse, "paper")) == sorted(possible(parse))


@given(PARSES, st.sampled_from(["paper", "phrases"]), st.integers(1, 8), st.integers(0, 3))
def test_what_is_drawn_differs_from_the_sentence_and_from_each_other(parse, rule, n, seed):
    found = orders(parse, rule)
    assert found.count == sum(1 for _ in found)
    drawn = found.draw(n, Random(seed))
    texts = [found.text(order) for order in drawn]
    assert drawn == found.draw(n, Random(seed)) and len(drawn) == min(n, found.count - 1)
    assert len({*texts, parse.text}) == len(texts) + 1
    assert all(order[-1] == len(parse.phrases) - 1 for order in drawn)  # the predicate


@given(PARSES)
def test_every_permutation_is_allowed_or_breaks_something(parse):
    allowed = {*orders(parse, "paper")}
    for order in permutations(range(len(parse.phrases))):
        assert any(broken(parse, order)) == (order not in allowed)


@pytest.mark.parametrize("order, expected", [
    ((4, 1, 2, 3, 0, 5), ((), ())),
    ((0, 2, 1, 3, 4, 5), (((1, 2), (2, 3)), ())),  # 読んでいる花子が本を
    ((0, 1, 4, 2, 3, 5), (((1, 2),), ())),  # 次郎に between 花子が and 読んでいる
    ((0, 3, 1, 2, 4, 5), (((2, 3),), ())),  # the book before what is said of it
    ((0, 1, 2, 3, 5, 4), (((4, 5),), (5,))),  # 次郎に after the predicate
])  # fmt: skip
def test_what_an_order_breaks(order, expected):
    assert broken(FIGURE_2, order) == expected


def test_each_order_is_drawn_as_often_as_another():
    found = orders(FIGURE_2, "paper")
    drawn = [found.draw(1, Random(f"{seed}"))[0] for seed in range(3000)]
    counts = [drawn.count(order) for order in {*drawn}]
    assert len(counts) == 5 and all(500 < count < 700 for count in counts)


def test_drawing_takes_time_in_proportion_to_the_phrases():
    def work(phrases):
        many = parse("|".join(chr(0x4E00 + i) for i in range(phrases)), (phrases - 1,) * (phrases - 1) + (-1,))
        assert len(orders(many).draw(3, Random(0))) == 3

    assert exponent(work, 50, 800) < LINEAR


@pytest.mark.parametrize("wrong, why", [
    ({"phrases": ("猫", "寝た")}, "are not the text"), ({"heads": (1,)}, "1 heads for 2 phrases"),
    ({"heads": (2, -1)}, "the head 2 is none of the phrases 0 to 1"), ({"pinned": (5,)}, "pinned phrase 5 is none"),
    ({"phrases": ()}, "no phrases"), ({"words": ("猫",)}, "the words are not the text"),
])  # fmt: skip
def test_a_parse_that_is_none_says_why(wrong, why):
    with pytest.raises(ValueError, match=why):
        Parse(**{"text": "猫が寝た", "phrases": ("猫が", "寝た"), "heads": (1, -1)} | wrong)


def test_an_unknown_rule_and_missing_words_say_so():
    assert RULES == ("paper", "phrases", "words")
    with pytest.raises(ValueError, match="rule='loose' is not one of 'paper', 'phrases', 'words'"):
        orders(FIGURE_2, "loose")
    for order in ((), (0, 1, 2, 3, 4, 4), (1, 2, 3, 4, 5, 6)):
        with pytest.raises(ValueError, match="does not name each of the 6 phrases once"):
            broken(FIGURE_2, order)
    with pytest.raises(ValueError, match="holds no words"):
        orders(parse("猫が|寝た", (1, -1)), "words")
