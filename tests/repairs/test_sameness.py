"""P(same): from the sentences alone, whatever the labels; families of look-alikes are no evidence."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.repairs.sameness import COLUMNS, SHARE, p_same, sameness
from paragraph.words.differences import COLUMNS as WORDS

#: Words alone, and with the model, which takes seconds to load.
MODELS = [None, pytest.param("minilm", marks=pytest.mark.slow)]
PAIR = "What is the weather like in Italy?", "What is the weather like in Portugal?"


def p_in(rows, pair=PAIR, model=None):
    """P(same) of a pair of nodes of the graph that these rows make."""
    graph = pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    left, right = (graph.texts([graph.node(text)]) for text in pair)
    return p_same(left, right, model)[0]


@pytest.mark.parametrize("model", MODELS)
def test_the_pairs_own_label_does_not_matter(model):
    if model:
        pytest.importorskip("torch")
    middle = "How is the weather in Italy or Portugal?"
    path = [(PAIR[0], middle, 1), (middle, PAIR[1], 1)]
    found = [p_in(path + own, model=model) for own in ([], [(*PAIR, 0)], [(*PAIR, 1)])]
    assert found[0] == found[1] == found[2]


def test_five_more_look_alike_positives_of_the_same_slot_are_no_evidence():
    asked = "What is the weather like in {}?".format
    family = [(PAIR[0], asked(land), 1) for land in ("Spain", "France", "Chile", "Peru", "Norway", "Malta")]
    own = [(*PAIR, 0), (PAIR[1], asked("Spain"), 1)]
    assert abs(p_in(family[:1] + own) - p_in(family + own)) < 0.05


@pytest.mark.parametrize(
    ("same", "different"),
    [
        ("How can I learn chess?", "Why did I learn chess?"),
        ("How can I learn chess?", "How do I learn chess in 3 days?"),
        ("How do I learn to play chess?", "Why do people hate chess?"),
    ],
)
def test_words_tell_what_differs(same, different):
    p = p_same(["How do I learn chess?"] * 2, [same, different])
    assert p[0] > p[1]


@pytest.mark.parametrize("model", MODELS)
def test_order_does_not_matter_and_any_text_has_a_probability(model):
    if model:
        pytest.importorskip("torch")
    left, right = ["Is it far?", PAIR[0], "", "犬が走る。"], ["How far is 3 miles?", PAIR[1], "?!", "猫が走る。"]
    p = p_same(left, right, model)
    np.testing.assert_allclose(p, p_same(right, left, model), atol=1e-6)
    assert ((p > 0) & (p < 1)).all()
    assert list(sameness(left, right, model)) == list(COLUMNS if model else WORDS)


def test_no_pairs():
    assert p_same([], []).shape == (0,)


def test_the_share_shifts_the_log_odds():
    p, half = (p_same(*([text] for text in PAIR), share=share)[0] for share in (SHARE, 0.5))
    assert np.log(p / (1 - p)) - np.log(half / (1 - half)) == pytest.approx(np.log(377 / 196))


@pytest.mark.parametrize(
    ("options", "message"), [({"model": "tfidf"}, "'tfidf'"), ({"share": 1}, "share 1"), ({"share": 0.0}, "share 0")]
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(pg.PairsError, match=message):
        p_same(["a"], ["b"], **options)


@pytest.mark.slow
def test_words_need_no_torch():
    code = (
        "import sys; sys.modules.update(torch=None, transformers=None, sklearn=None)\n"
        "from paragraph.repairs.sameness import p_same\n"
        "print(p_same(['Is it far?'], ['How far is it?']).shape)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "(1,)\n"
