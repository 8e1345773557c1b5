"""Agreement on tags against counting by hand."""

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg

from ...refused import refused

tags = pg.tags


def table(*rows):
    """Rows (annotator, tags of the first sentence, tags of the second), each pair with words of its own."""
    found, seen = [], {}
    for annotator, a, b, *pair in rows:
        number = pair[0] if pair else seen.setdefault(annotator, 0)
        seen[annotator] = number + 1
        words = [[f"{side}{number}{i}" for i in range(len(marks))] for side, marks in zip("xy", (a, b), strict=True)]
        texts = [" ".join(each) for each in words]
        found.append((*texts, *words, [*map(int, a)], [*map(int, b)], annotator, ""))
    names = ["text_a", "text_b", "words_a", "words_b", "tags_a", "tags_b", "annotator", "source"]
    return pd.DataFrame(found, columns=names)


# Tags of Ada and Ben, then accuracy, κ, F1 of words, and how many pairs are in the queue.
FACTS = {
    "the same": ([("0110", "001")], [("0110", "001")], 1, 1, 1, 0),
    "one word more": ([("0110", "00")], [("0100", "00")], 5 / 6, 4 / 7, 2 / 3, 0),
    "a span in two": ([("1110", "0")], [("1010", "0")], 4 / 5, 8 / 13, 4 / 5, 0),
    "none in common": ([("10", "0")], [("01", "0")], 1 / 3, -0.5, 0, 1),
    "one sees nothing": ([("10", "00")], [("00", "00")], 3 / 4, 0, 0, 1),
    "two pairs": ([("10", "1"), ("00", "1")], [("10", "0"), ("00", "1")], 5 / 6, 2 / 3, 4 / 5, 0),
}


@pytest.mark.parametrize("case", FACTS)
def test_agreement(case):
    ada, ben, accuracy, kappa, f1, queue = FACTS[case]
    found = tags.agreement(table(*(("Ada", *one) for one in ada), *(("Ben", *one) for one in ben)))
    measured = [found[name] for name in ("accuracy", "kappa", "f1", "queue")]
    assert measured == pytest.approx([accuracy, kappa, f1, queue])
    assert found["pairs"] == len(ada)


@settings(max_examples=25)
@given(st.lists(st.tuples(*[st.text("01", min_size=5, max_size=5)] * 2), min_size=1, max_size=6))
def test_agreement_is_what_counting_gives(marks):
    found = tags.agreement(table(*(("Ada", one, "0") for one, _ in marks), *(("Ben", one, "0") for _, one in marks)))
    a, b = ("".join(one) + "0" * len(marks) for one in zip(*marks, strict=True))
    same = sum(map(str.__eq__, a, b)) / len(a)
    chance = sum(a.count(tag) * b.count(tag) for tag in "01") / len(a) ** 2
    hits, ones = sum(x == y == "1" for x, y in zip(a, b, strict=True)), a.count("1") + b.count("1")
    assert found["words"] == len(a) and found["f1"] == pytest.approx(2 * hits / ones if ones else 1)
    expected = (same - chance) / (1 - chance) if chance < 1 else math.nan
    assert found["kappa"] == pytest.approx(expected, nan_ok=True)


def test_no_kappa_where_all_tags_are_equal():
    found = tags.agreement(table(("Ada", "00", "0"), ("Ben", "00", "0")))
    assert all(math.isnan(found[name]) for name in ("kappa", "low", "high"))
    assert (found["f1"], found["queue"]) == (1, 0)


def test_sentences_the_other_way_round_agree_all_the_same():
    found = table(("Ada", "01", "100"), ("Ben", "01", "100"))
    turned = {f"{name}_{x}": f"{name}_{y}" for name in ("text", "words", "tags") for x, y in ("ab", "ba")}
    assert tags.agreement(pd.concat([found[:1], found[1:].rename(columns=turned)]))["kappa"] == 1


def test_the_last_tags_of_an_annotator_count_and_pairs_of_one_alone_do_not():
    rows = [("Ada", "10", "0", 0), ("Ben", "01", "0", 0), ("Ada", "11", "1", 1), ("Ben", "10", "0", 0)]
    found = tags.agreement(table(*rows))
    assert (found["pairs"], found["kappa"]) == (1, 1)


@pytest.mark.parametrize("rows, names, said", [
    ([("Ada", "1", "0")], None, "takes two annotators"),
    ([("Ada", "1", "0"), ("Ben", "1", "0"), ("Cem", "1", "0")], None, "takes two annotators"),
    ([("Ada", "1", "0"), ("Ben", "1", "0")], ("Ada", "Cem"), "takes two annotators"),
    ([("Ada", "1", "0", 1), ("Ben", "1", "0", 2)], None, "no pair was tagged by both 'Ada' and 'Ben'"),
])  # fmt: skip
def test_without_two_annotators_of_one_pair_and_the_same_words(rows, names, said):
    refused(said, tags.agreement, table(*rows), names)
    both = table(("Ada", "10", "0"), ("Ben", "10", "0"))
    refused("has no tags", tags.agreement, both.drop(columns=["tags_a"]))
    both.at[1, "words_a"], both.at[1, "tags_a"] = [both.text_a[1]], [1]
    refused("into other words: 'x00 x01'", tags.agreement, both)
