"""The orders in which the phrases of a sentence can stand, and what an order breaks: facts, and all permutations."""

from dataclasses import replace
from itertools import permutations
from math import factorial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragraph.papers.japanese.orders import RULES, orders, strictly, verdict
from paragraph.papers.japanese.parse import MARKS, Parse

from ...growth import LINEAR, exponent

FIGURE_2 = Parse(
    "太郎は花子が読んでいる本を次郎に渡した",
    ("太郎は", "花子が", "読んでいる", "本を", "次郎に", "渡した"),
    (5, 2, 3, 5, 5, -1),
    words=("太郎", "は", "花子", "が", "読ん", "で", "いる", "本", "を", "次郎", "に", "渡し", "た"),
)


def parse(phrases, heads, pinned=(), marks=None):
    phrases = tuple(phrases.split("|"))
    return Parse("".join(phrases), phrases, heads, pinned, marks)


@pytest.mark.parametrize("what, sentence, rule, count", [
    ("all phrases but the last", FIGURE_2, "phrases", 120),
    ("all words; は, が … differ, so each arrangement does", FIGURE_2, "words", factorial(13)),
    ("without marks, strict is as the paper's", FIGURE_2, "strict", 6),
    ("two of the same text are one", parse("犬と|犬と|猫と|寝た", (3, 3, 3, -1)), "paper", 3),
    ("a pinned phrase parts two runs", parse("a|b|W|c|d|P", (5, 5, 5, 5, 5, -1), (2,)), "paper", 4),
    ("a wall does so under strict", parse("a|W|c|d|P", (4,) * 4 + (-1,), (), ("", "wall", "", "", "")), "strict", 2),
    ("and not in the paper", parse("a|W|c|d|P", (4,) * 4 + (-1,), (), ("", "wall", "", "", "")), "paper", 24),
    ("what is tied goes with the next", parse("a|b|c|P", (3, 3, 3, -1), (), ("", "tied", "", "")), "strict", 2),
    ("or with the predicate", parse("a|b|c|P", (3, 3, 3, -1), (), ("", "", "tied", "")), "strict", 2),
    ("an adverb does so", parse("a|b|c|P", (3, 3, 3, -1), (), ("", "adverb", "", "")), "strict", 2),
    ("unless it stands first", parse("a|b|c|P", (3, 3, 3, -1), (), ("adverb", "", "", "")), "strict", 6),
    ("or is not alone", parse("x|a|b|P", (1, 3, 3, -1), (), ("", "adverb", "", "")), "strict", 2),
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
    marks = draw(st.lists(st.sampled_from(MARKS), min_size=n, max_size=n))
    pinned = draw(st.sets(st.integers(0, n - 1), max_size=2))
    return parse("|".join("abcdef"[:n]), (*heads, -1), tuple(pinned), tuple(marks))


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
    assert sorted(orders(parse, "strict")) == sorted(possible(strictly(parse)))


@given(PARSES, st.sampled_from(["paper", "strict", "phrases"]), st.integers(1, 8), st.integers(0, 3))
def test_what_is_drawn_differs_from_the_sentence_and_from_each_other(parse, rule, n, seed):
    found = orders(parse, rule)
    assert found.count == sum(1 for _ in found)
    drawn = found.draw(n, Random(seed))
    texts = [found.text(order) for order in drawn]
    assert drawn == found.draw(n, Random(seed)) and len(drawn) == min(n, found.count - 1)
    assert len({*texts, parse.text}) == len(texts) + 1
    assert all(order[-1] == len(parse.phrases) - 1 for order in drawn)  # the predicate


@given(PARSES)
def test_every_permutation_is_allowed_awkward_or_breaks_something_as_the_rules_say(parse):
    strict, paper = ({*orders(parse, rule)} for rule in ("strict", "paper"))
    for order in permutations(range(len(parse.phrases))):
        word, arcs, walls = verdict(parse, order)
        assert word == ("allowed" if order in strict else "awkward" if order in paper else "breaks")
        assert bool(arcs or walls) == (word != "allowed")


ADVERBS = replace(parse("雨で|人々が|早く|走る", (3, 3, 3, -1)), marks=("", "", "adverb", ""))
WALLED = replace(parse("戸を|開けて|犬が|水を|飲む", (1, 4, 4, 4, -1)), marks=("", "wall", "", "", ""))


@pytest.mark.parametrize("parse, order, expected", [
    (FIGURE_2, (4, 1, 2, 3, 0, 5), ("allowed", (), ())),
    (FIGURE_2, (0, 2, 1, 3, 4, 5), ("breaks", ((1, 2), (2, 3)), ())),  # 読んでいる花子が本を
    (FIGURE_2, (0, 1, 4, 2, 3, 5), ("breaks", ((1, 2),), ())),  # 次郎に between 花子が and 読んでいる
    (FIGURE_2, (0, 3, 1, 2, 4, 5), ("breaks", ((2, 3),), ())),  # the book before what is said of it
    (FIGURE_2, (0, 1, 2, 3, 5, 4), ("breaks", ((4, 5),), (5,))),  # 次郎に after the predicate
    (ADVERBS, (1, 0, 2, 3), ("allowed", (), ())),
    (ADVERBS, (2, 0, 1, 3), ("awkward", ((2, 3),), ())),  # an adverb is joined to what follows
    (WALLED, (0, 1, 3, 2, 4), ("allowed", (), ())), (WALLED, (2, 0, 1, 3, 4), ("awkward", (), (1,))),
])  # fmt: skip
def test_what_an_order_does(parse, order, expected):
    assert verdict(parse, order) == expected


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


def test_more_orders_than_fit_in_memory_are_counted_and_drawn():
    many = parse("|".join(map(chr, range(0x3041, 0x3041 + 40))), (39,) * 39 + (-1,))
    found = orders(many, "paper")
    assert found.count == factorial(39)
    assert len({*found.draw(20, Random(0))}) == 20 and next(iter(found)) == tuple(range(40))
    with pytest.raises(IndexError, match="is none of the"):
        found[found.count]


@pytest.mark.parametrize("wrong, why", [
    ({"phrases": ("猫", "寝た")}, "are not the text"), ({"heads": (1,)}, "1 heads for 2 phrases"),
    ({"heads": (2, -1)}, "the head 2 is none of the phrases 0 to 1"), ({"pinned": (5,)}, "pinned phrase 5 is none"),
    ({"phrases": ()}, "no phrases"), ({"marks": ("", "walls")}, "the mark 'walls' is none of"),
    ({"words": ("猫",)}, "the words are not the text"),
])  # fmt: skip
def test_a_parse_that_is_none_says_why(wrong, why):
    with pytest.raises(ValueError, match=why):
        Parse(**{"text": "猫が寝た", "phrases": ("猫が", "寝た"), "heads": (1, -1)} | wrong)


def test_an_unknown_rule_and_missing_words_say_so():
    assert RULES == ("strict", "paper", "phrases", "words")
    with pytest.raises(ValueError, match="rule='loose' is not one of 'strict', 'paper', 'phrases', 'words'"):
        orders(FIGURE_2, "loose")
    for order in ((), (0, 1, 2, 3, 4, 4), (1, 2, 3, 4, 5, 6)):
        with pytest.raises(ValueError, match="does not name each of the 6 phrases once"):
            verdict(FIGURE_2, order)
    with pytest.raises(ValueError, match="holds no words"):
        orders(parse("猫が|寝た", (1, -1)), "words")
