"""Texts as short vectors."""

import numpy as np
import pytest

from paragraph.learn.latent import latent, principal


@pytest.mark.parametrize(("n", "d"), [(1, 3), (2, 5), (40, 6), (6, 40)])
def test_all_principal_components_keep_all_distances(n, d):
    x = np.random.default_rng(0).normal(0, 1, (n, d))
    parts = principal(x, d)
    assert np.allclose(((parts[:, None] - parts) ** 2).sum(2), ((x[:, None] - x) ** 2).sum(2))
    spread = parts.var(axis=0)
    assert (np.diff(spread) <= 1e-9).all() and np.allclose(parts.mean(axis=0), 0)


def test_first_components_are_the_best_of_their_number():
    x = np.random.default_rng(0).normal(0, 1, (50, 8)) * np.arange(8, 0, -1)
    singular = np.linalg.svd(x - x.mean(axis=0), compute_uv=False)
    assert (principal(x, 3) ** 2).sum() == pytest.approx((singular[:3] ** 2).sum())


TEXTS = ["Cats purr.", "Why do CATS purr?", "rain falls", "when does rain fall", "猫が鳴く", "猫は鳴く"]


def test_groups_that_share_words_lie_close():
    vectors = latent(TEXTS, np.arange(6))
    alike = vectors @ vectors.T
    assert np.allclose(np.diag(alike), 1)
    assert min(alike[0, 1], alike[2, 3], alike[4, 5]) > 0.15 > 0.01 > max(alike[0, 2], alike[0, 4], alike[2, 4])


@pytest.mark.parametrize(
    ("texts", "group"), [([], []), (["a"], [0]), (["a", "b"], [0, 0]), (["?", "!"], [0, 1]), (["a b", "a b"], [0, 1])]
)
def test_too_little_to_tell_apart(texts, group):
    vectors = latent(texts, np.array(group, dtype=np.int64))
    assert len(vectors) == len(set(group)) and np.isfinite(vectors).all()
