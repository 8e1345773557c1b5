"""Greedy matches of words by their vectors in context."""

import numpy as np
import pytest

from paragraph.learn import encode
from paragraph.learn.pretrained.words import word_matches


def test_cosine_is_that_of_the_sentences_vectors(tiny):
    texts = ["how do cats purr ?", "why do dogs bark loudly at night ?", "cats"]
    left, right = [0, 0, 1], [1, 2, 2]
    vectors = encode(texts, tiny, cache=False, pooling="mean", progress=False)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = word_matches([texts[i] for i in left], [texts[i] for i in right], tiny, progress=False)
    np.testing.assert_allclose(found["cosine"], (vectors[left] * vectors[right]).sum(axis=1), atol=0.02)


def test_the_same_words_match_and_what_has_no_counterpart_does_not(tiny):
    found = word_matches(["cats purr"] * 2, ["Cats purr", "cats purr loudly"], tiny, progress=False)["worst"]
    assert found[0] == pytest.approx(1, abs=1e-3) and found[1] < found[0]


def test_punctuation_alone_is_no_word_unless_there_is_nothing_else(tiny):
    found = word_matches(["cats purr", "???", ""], ["cats purr", "???", ""], tiny, progress=False)["worst"]
    np.testing.assert_allclose(found, 1, atol=1e-3)
