"""Tiny transformers and the shipped tags, as in the tests of `learn`."""

from ...learn.conftest import one_thread, tags, tiny  # noqa: F401
