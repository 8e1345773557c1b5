"""The words in which two sentences differ, and what kind of difference it is."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragraph.words.difference import COLUMNS, Vocabulary, differences
from paragraph.words.phrases import reasons
from paragraph.words.shared import mark_rare, shared_and_splitting
from paragraph.words.tokens import read

from ..growth import LINEAR, exponent
from ..hostile import SENTENCES

PIECES = st.sampled_from(["is", "Is", "it", " ", "\t", "open", "don't", "犬", "が", "?", "👩‍👩‍👧", "é"])
TEXTS = st.text(max_size=40) | st.lists(PIECES).map("".join) | st.sampled_from(SENTENCES)


#: The flags among the columns, counts and shares aside.
FLAGS = [*COLUMNS][5:16]


@pytest.mark.parametrize("left, right, flags", [
    ("How do I learn to swim?", "How can you learn to swim?", ""),
    ("How do I swim?", "What is the best way to swim?", "comparison"),
    ("How do I swim?", "Why do I swim?", "question why"),
    ("How many eggs are there?", "How are eggs made?", "question"),
    ("Why is it red?", "What is the reason it is red?", ""),
    ("Is it far from Oslo?", "Is it far from Rome?", "name"),
    ("Is it far?", "Is it far from Rome?", "name_added"),
    ("Can I take 3 bags?", "Can I take 5 bags?", "number"),
    ("Can I take three bags?", "Can I take 3 bags?", ""),
    ("Who came 3rd?", "Who came third?", ""),
    ("Is 1,000 a lot?", "Is 1000 a lot?", ""),
    ("Is it 2016?", "Is it so?", "number_added"),
    ("Does a 3g phone work?", "Does a 4g phone work?", "number"),
    ("Can dogs eat figs?", "Can't dogs eat figs?", "negation"),
    ("Why don't dogs fly?", "Why do dogs not fly?", ""),
    ("Is it legal?", "Is it illegal?", "opposite"),
    ("Do boys sing?", "Do girls sing?", "opposite"),
    ("Is he kind?", "Is she kind?", "person"),
    ("Who is king?", "Who was king?", "past"),
    ("Is a cat faster than a dog?", "Is a cat slower than a dog?", "comparison"),
    ("Is it definately so?", "Is it definitely so?", ""),
    ("Which facebook page?", "Which face book page?", ""),
])  # fmt: skip
def test_flags(left, right, flags):
    found = differences([left], [right])[0].iloc[0]
    assert " ".join(flag for flag in FLAGS if found[flag]) == flags


@pytest.mark.parametrize("left, right, said", [
    ("Is it open?", "is it open", []), ("Can I take 3 bags?", "Can I take 5 bags?", ["number differs: '3' / '5'"]),
    ("It costs 3.05 euros", "It costs 3.07 euros", ["number differs: '3.05' / '3.07'"]),
    ("It costs 3.5 euros", "It costs 3.05 euros", ["number differs: '3.5' / '3.05'"]),
    ("It was −5 degrees", "It was 5 degrees", ["sign on one side: '-'"]),
    ("It costs $5", "It costs €5", ["sign differs: '$' / '€'"]),
    ("A score of 5 > 3", "A score of 5 < 3", ["sign differs: '>' / '<'"]),
    ("Due on 2019-01-02", "Due on 2019-02-01", ["same numbers, another order"]),
    ("A well-known virus, COVID-19", "A well known virus, COVID 19", []),
    ("Room 007 is free", "Room 008 is free", ["number differs: '007' / '008'"]),
    ("1,000 people came", "1000 people came", []),
    ("Is it far?", "Is it far from Rome?", ["only one side: 'from Rome'"]),
    ("Is it far from Oslo?", "Is it far from Rome?", ["differs: 'from Oslo' / 'from Rome'"]),
    ("How do I swim?", "Why do I swim?", ["another question: how / why"]),
    ("Can dogs eat figs?", "Can't dogs eat figs?", ["negation on one side: 'Can't'"]),
    ("Is it legal?", "Is it illegal?", ["differs: 'legal' / 'illegal'"]),
    ("Convert miles to yards", "Convert yards to miles", ["same words, another order"]),
    ("北京在哪里？", "南京在哪里？", ["differs: '北' / '南'"]),
    ("Is it normal to tip when eating out?", "Do you have to tip when eating out?", ["only one side: 'normal'"]),
    ("It rose 4.77 points to 929.", "It rose 2.1 points to 931.", ["number differs: '4.77', '929' / '2.1', '931'"]),
    ("A jury found him guilty on Tuesday of fraud.", "He reached no deal on Wednesday after less than a day.",
     ["many words differ"]),
    ("The memo, which he wrote, is short.", "The memo he wrote is short.", []),  # no question
])  # fmt: skip
def test_reasons(left, right, said):
    assert reasons(left, right) == said


@pytest.mark.parametrize("pairs, one", [
    ("beleive/believe Austrlia/Australia Iraqq/Iraq goverment/government colour/color organise/organize", True),
    ("India/Indian movie/movies became/become manufacturer/manufacturing reader/readers importance/important", True),
    ("Iran/Iraq Austria/Australia Slovakia/Slovenia causal/casual sleep/sleet angel/angle quite/quiet", False),
    ("Москва/Моска Athína/Athina Straße/Strase zebrino/zebrina", True),  # words that no list here has
])  # fmt: skip
def test_a_slip_makes_no_known_word(pairs, one):
    for pair in pairs.split():
        assert (reasons(*map("I saw {} there".format, pair.split("/"))) == []) == one, pair


@pytest.mark.slow
@settings(max_examples=40)
@given(TEXTS, TEXTS)
def test_differences_are_symmetric_finite_and_none_of_a_sentence_with_itself(left, right):
    vocabulary = Vocabulary.of([read(text) for text in {left, right}])
    [found] = differences([left, right, left], [right, left, left], [vocabulary])
    assert list(found) == list(COLUMNS) and np.isfinite(found.to_numpy()).all()
    np.testing.assert_array_equal(found.iloc[0], found.iloc[1])
    assert found.iloc[2]["overlap"] == 1 and not found.iloc[2].drop("overlap").any()
    assert all(isinstance(reason, str) and reason for reason in reasons(left, right)) and not reasons(left, left)


def test_rarity_and_names_come_from_the_corpus():
    vocabulary = Vocabulary.of([*map(read, ["Who is in Oslo?", "Was Oslo big?", "is oslo cold", "is rome cold"])])
    assert vocabulary.names == {"oslo"} and vocabulary.rarity["oslo"] < vocabulary.rarity["rom"]
    found = differences(["is oslo cold"], ["is rome cold"], [vocabulary])[0].iloc[0]
    assert found["name_added"] and not found["name"] and differences([], [])[0].shape == (0, len(COLUMNS))


@pytest.mark.long
def test_time_grows_less_than_quadratically_up_to_hundreds_of_words():
    rng = Random(0)

    def work(n):
        texts = [" ".join("".join(rng.choices("abcdefghijklmnop", k=6)) for _ in range(n)) for _ in range(2)]
        assert differences(*([text] for text in texts), progress=False)[0]["swapped"][0] > 0.9 * n
        assert reasons(*texts)

    assert exponent(work, 50, 800) < LINEAR


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
