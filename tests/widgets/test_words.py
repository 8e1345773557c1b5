"""The words in which two sentences differ, as a page marks them."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragraph.words.tokens import words_of

from ..hostile import SENTENCES
from .page import differing

PIECES = st.sampled_from(["is", "Is", "it", " ", "\t", "open", "don't", "犬", "が", "?", "👩‍👩‍👧", "é"])
TEXTS = st.text(max_size=40) | st.lists(PIECES).map("".join) | st.sampled_from(SENTENCES)


@pytest.mark.slow
@settings(max_examples=40)
@given(TEXTS, TEXTS)
def test_spans_give_the_sentences_back_and_what_is_unmarked_is_the_same_on_both_sides(left, right):
    sides, kept = differing(left, right), []
    for text, spans in zip((left, right), sides, strict=True):
        assert "".join(words_of(text)) == text == "".join(piece for piece, _ in spans)
        assert all(piece for piece, _ in spans) and all(a[1] != b[1] for a, b in pairwise(spans))
        words = [word for piece, marked in spans if not marked for word in words_of(piece)]
        kept.append([word.casefold() for word in words if not word.isspace()])
    assert kept[0] == kept[1] or sides == [[[text, False]] * bool(text) for text in (left, right)]
    assert not any(marked for side in differing(left, left) for _, marked in side)


@pytest.mark.parametrize("left, right, marked", [
    ("Is it open today?", "Is it closed today?", True), ("a b c d", "a b x y", True), ("a b c d", "a x y z", False),
    ("Why?", "Since when is it so?", False), ("犬が走る", "犬が歩く", True), ("", "Why?", False), ("", "", False),
])  # fmt: skip
def test_marks_only_where_half_of_the_words_are_shared(left, right, marked):
    sides = differing(left, right)
    assert any(apart for side in sides for _, apart in side) == marked
    assert ["".join(piece for piece, _ in side) for side in sides] == [left, right]


@pytest.mark.parametrize("left, right, marked", [
    ("Is it open?", "is it open?", ([], [])), ("Is it open?", "Is it closed?", (["open"], ["closed"])),
    ("May hamsters eat carrot?", "May hamsters eat raw honey?", (["carrot"], ["raw honey"])),
    ("Is it?", "Is it not?", ([], [" not"])), ("3 eggs", "30 eggs", (["3"], ["30"])),
    ("don't go", "do go", (["don't"], ["do"])), ("北京在哪里？", "南京在哪里？", (["北"], ["南"])),
    ("ネコは魚を食べますか", "イヌは魚を食べますか", (["ネコ"], ["イヌ"])),
    ("why?!", "why?", (["!"], [])),
])  # fmt: skip
def test_the_words_that_are_marked(left, right, marked):
    found = tuple([piece for piece, is_marked in side if is_marked] for side in differing(left, right))
    assert found == marked


def test_long_texts_are_compared_word_by_word():
    words = [f"w{i}" for i in range(3_000)]
    other = words[:1_000] + ["new"] * 5 + words[1_500:]
    left, right = differing(" ".join(words), " ".join(other))
    assert [text.strip() for text, is_marked in left if is_marked] == [" ".join(words[1_000:1_500])]
    assert [text.strip() for text, is_marked in right if is_marked] == ["new new new new new"]
