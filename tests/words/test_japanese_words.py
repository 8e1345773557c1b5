"""Words and their vectors, as GiNZA has them."""

import numpy as np
import pytest

from paragraph.words import japanese

pytestmark = pytest.mark.ja
pytest.importorskip("ginza", reason="needs GiNZA: pip install 'paragraph-workbench[ja]'")


def test_words_make_up_the_text_but_for_white_space():
    text = "猫が庭で寝ている。\n犬は 走らない！"
    assert "".join(japanese.words(text)) == "猫が庭で寝ている。犬は走らない！"
    assert japanese.words("") == ()


@pytest.mark.parametrize(("word", "lemma"), [("立っ", "立つ"), ("走っ", "走る"), ("座っ", "座る")])
def test_a_word_without_a_vector_has_that_of_its_lemma(word, lemma):
    assert np.array_equal(japanese.vector(word), japanese.vector(lemma)) and japanese.vector(word).any()


def test_a_word_that_nobody_knows_has_no_direction():
    found = japanese.vector("ヷヸヹヺ")
    assert found.shape == (300,) and not found.any()
