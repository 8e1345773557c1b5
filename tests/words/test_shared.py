"""Words that sentences share, and those that set one apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragraph.words.shared import mark_rare, shared_and_splitting

TEXT = st.text("aAbé 犬'?- ", max_size=20)


@pytest.mark.parametrize("text, others, marked", [
    ("Is it open today?", ["Is it closed today?"], ["open"]),
    ("Is it open?", ["Is it open today?"], []),  # what it lacks cannot be marked
    ("May I learn it?", ["Can you be learning it?"], []),  # grammar and endings aside
    ("Why go?", ["How to go?"], ["Why"]), ("I do not go", ["I do go"], ["not"]),  # these change the question
    ("red cars", ["red bikes", "blue bikes", "blue cats"], ["red cars"]),  # most lack either
    ("red cars", ["red cats", "blue cars"], []),  # half do not lack it
    ("hot 犬?", ["hot 猫?"], ["犬"]), ("alone", [], []), ("", ["x"], []),
])  # fmt: skip
def test_marks(text, others, marked):
    assert [piece for piece, rare in mark_rare(text, others) if rare] == marked


@given(TEXT, st.lists(TEXT, max_size=4))
def test_spans_give_the_sentence_back(text, others):
    assert "".join(piece for piece, _ in mark_rare(text, others)) == text


@pytest.mark.parametrize("texts, groups, shared, splitting", [
    (["lose weight", "lose weight"], None, ["lose", "weight"], []),
    (["gain weight", "gain weight", "lose weight", "lose weight"], [0, 0, 1, 1], ["weight"], ["gain", "lose"]),
    # A word of one community comes before a more frequent one of both.
    (["w u b", "w u", "w b", "w b q", "w", "w p"], [0, 0, 1, 1, 1, 0], ["w"], ["u", "b"]),
    (["word"], None, ["word"], []), ([], None, [], []),
])  # fmt: skip
def test_shared_and_splitting(texts, groups, shared, splitting):
    found = shared_and_splitting(texts, groups)
    assert [[word for word, _ in words] for words in found] == [shared, splitting]
    for word, count in (one for words in found for one in words):
        assert count == sum(word in text.split() for text in texts)
