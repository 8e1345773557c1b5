"""Words as the Penn Treebank cuts them, where they stand, and marks on them as spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragraph.papers.tags.penn import places, spans, tags_of, words

# Each sentence, and its words with spaces between them; what the sed script gives, but for quotation marks.
CUT = {
    "Don't go.": "Do n't go .", "They'll say it's Ann's, I'd bet.": "They 'll say it 's Ann 's , I 'd bet .",
    "He CAN'T; we cannot!": "He CA N'T ; we can not !", 'She said: "No."': 'She said : " No . "',
    "Mr. Roe sold 1,000 shares at $2.5 (5 %).": "Mr. Roe sold 1,000 shares at $ 2.5 ( 5 % ) .",
    "One. Two.": "One. Two .", "wait... what -- now?": "wait ... what -- now ?",
    "the dogs' bowls, 'tis odd": "the dogs ' bowls , 't is odd", "I'm gonna gimme lotsa": "I 'm gon na gim me lotsa",
    "``quoted'' a@b.c": "`` quoted '' a @ b.c",
    "at 10:30, no: never": "at 10:30 , no : never", "ネコは魚を": "ネ コ は 魚 を",
    " \t\n ": "",
}  # fmt: skip


def test_words_of_sentences():
    assert {text: " ".join(words(text)) for text in CUT} == CUT


@given(st.text(alphabet="ab'\"`.,:;$()?-019 \n猫n\u2019tsSd[", max_size=30))
def test_words_stand_in_the_sentence_and_leave_only_white_space(text):
    found = words(text)
    assert [text[begin:end] for begin, end in places(text, found)] == found
    assert "".join(found) == "".join(text.split())


@given(st.lists(st.integers(0, 1), max_size=12))
def test_spans_and_tags_say_the_same(tags):
    assert tags_of(spans(tags), len(tags)) == tags
    assert all(tags[first:end] == [1] * (end - first) for first, end in spans(tags))


def test_words_and_spans_that_are_not_there():
    for found in (["b", "a"], ["a", "a"], [""], ["c"]):
        with pytest.raises(ValueError, match="is not in the sentence"):
            places("a b", found)
    for span in ((0, 3), (-1, 1), (1, 1)):
        with pytest.raises(ValueError, match="is not within 2 words"):
            tags_of([span], 2)
