"""The words in which two sentences differ."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragraph.widgets.diff import word_diff, words_of

from ..hostile import SENTENCES

TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(["is", "Is", "it", " ", "\t", "open", "don't", "犬", "が", "?", "👩‍👩‍👧", "é"])).map(
        "".join
    ),
    st.sampled_from(SENTENCES),
)


@given(TEXTS, TEXTS)
def test_joined_the_spans_give_the_sentences_back(left, right):
    for text, spans in zip((left, right), word_diff(left, right), strict=True):
        assert "".join(words_of(text)) == text
        assert "".join(piece for piece, _ in spans) == text
        assert all(piece for piece, _ in spans)
        assert all(a[1] != b[1] for a, b in pairwise(spans))  # neighbours are merged


@given(TEXTS, TEXTS)
def test_what_is_unmarked_is_the_same_on_both_sides(left, right):
    kept = [[w for piece, marked in side if not marked for w in words_of(piece)] for side in word_diff(left, right)]
    a, b = ([word.casefold() for word in words if not word.isspace()] for words in kept)
    assert a == b


@given(TEXTS)
def test_a_sentence_does_not_differ_from_itself(text):
    for other in (text, text.upper() if text.upper().casefold() == text.casefold() else text):
        assert not any(marked for side in word_diff(text, other) for _, marked in side)


@pytest.mark.parametrize(
    ("left", "right", "marked"),
    [
        ("Is it open?", "is it open?", ([], [])),
        ("Is it open?", "Is it closed?", (["open"], ["closed"])),
        ("May hamsters eat carrot?", "May hamsters eat raw honey?", (["carrot"], ["raw honey"])),
        ("Is it?", "Is it not?", ([], [" not"])),
        ("3 eggs", "30 eggs", (["3"], ["30"])),
        ("don't go", "do go", (["don't"], ["do"])),
        ("ネコは魚を食べますか", "イヌは魚を食べますか", (["ネコ"], ["イヌ"])),
        ("北京在哪里？", "南京在哪里？", (["北"], ["南"])),
        ("", "new", ([], ["new"])),
        ("why?!", "why?", (["!"], [])),
    ],
)
def test_the_words_that_are_marked(left, right, marked):
    found = tuple([piece for piece, is_marked in side if is_marked] for side in word_diff(left, right))
    assert found == marked
