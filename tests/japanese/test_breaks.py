"""What an order does to a sentence, against all permutations of small parses."""

from itertools import permutations
from random import Random

import pytest

from paragraph.japanese.orders import ADVERB, FREE, TIED, WALL, Parse, orders, verdict

FIGURE = Parse(
    "太郎は花子が読んでいる本を次郎に渡した",
    ("太郎は", "花子が", "読んでいる", "本を", "次郎に", "渡した"), (5, 2, 3, 5, 5, -1),
)  # fmt: skip
QUICKLY = Parse(
    "雨で人々が早く走る", ("雨で", "人々が", "早く", "走る"), (3, 3, 3, -1), (), (FREE, FREE, ADVERB, FREE)
)
STOPPED = Parse(
    "戸を開けて犬が水を飲む", ("戸を", "開けて", "犬が", "水を", "飲む"), (1, 4, 4, 4, -1), (), ("", WALL, "", "", "")
)


@pytest.mark.parametrize(
    ("parse", "order", "expected"),
    [
        (FIGURE, (0, 1, 2, 3, 4, 5), ("allowed", (), ())),
        (FIGURE, (4, 1, 2, 3, 0, 5), ("allowed", (), ())),
        (FIGURE, (0, 2, 1, 3, 4, 5), ("breaks", ((1, 2), (2, 3)), ())),  # 読んでいる花子が本を
        (FIGURE, (0, 1, 4, 2, 3, 5), ("breaks", ((1, 2),), ())),  # 次郎に between 花子が and 読んでいる
        (FIGURE, (0, 3, 1, 2, 4, 5), ("breaks", ((2, 3),), ())),  # the book before what is said of it
        (FIGURE, (0, 1, 2, 3, 5, 4), ("breaks", ((4, 5),), (5,))),  # 次郎に after the predicate
        (QUICKLY, (1, 0, 2, 3), ("allowed", (), ())),
        (QUICKLY, (2, 0, 1, 3), ("awkward", ((2, 3),), ())),  # an adverb is joined to what follows
        (STOPPED, (0, 1, 3, 2, 4), ("allowed", (), ())),
        (STOPPED, (2, 0, 1, 3, 4), ("awkward", (), (1,))),
    ],
)  # fmt: skip
def test_what_an_order_does(parse, order, expected):
    assert verdict(parse, order) == expected


def parses(count, seed=0):
    """Parses of one to five phrases: heads anywhere, walls anywhere, any marks."""
    rng = Random(seed)
    for _ in range(count):
        n = rng.randint(1, 5)
        likely = [rng.choice([*range(i, n), n - 1, n - 1, -1, rng.randrange(n)]) for i in range(n)]
        phrases = tuple("abcde"[:n])
        pinned = tuple(i for i in range(n) if rng.random() < 0.15)
        marks = tuple(rng.choices((FREE, WALL, TIED, ADVERB), (3, 1, 1, 1), k=n))
        yield Parse("".join(phrases), phrases, tuple(likely), pinned, marks)


def test_every_permutation_is_allowed_awkward_or_breaks_something_as_the_rules_say():
    seen = set()
    for parse in parses(400):
        strict, paper = ({*orders(parse, rule)} for rule in ("strict", "paper"))
        for order in permutations(range(len(parse.phrases))):
            found = verdict(parse, order)
            expected = "allowed" if order in strict else "awkward" if order in paper else "breaks"
            assert found[0] == expected, (parse, order, found)
            assert (found == ("allowed", (), ())) == (expected == "allowed")
            seen.add((expected, bool(found[1]), bool(found[2])))
    assert {word for word, *_ in seen} == {"allowed", "awkward", "breaks"} and len(seen) == 7


@pytest.mark.parametrize("order", [(), (0, 1, 2), (0, 1, 2, 3, 4, 4), (1, 2, 3, 4, 5, 6)])
def test_what_is_no_order(order):
    with pytest.raises(ValueError, match="does not name each of the 6 phrases once"):
        verdict(FIGURE, order)
