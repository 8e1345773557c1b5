"""A tiny transformer, as in the tests of `learn`."""

from ...learn.conftest import one_thread, tiny  # noqa: F401
