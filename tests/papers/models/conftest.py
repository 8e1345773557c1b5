"""Tiny transformers and parts of the corpus, as in the tests of `learn`."""

from ...learn.conftest import demo, exact, few, one_thread, tags, tiny  # noqa: F401
