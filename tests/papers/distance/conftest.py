"""The corpus in parts, as in the tests of experiments."""

from ..experiments.conftest import demo_with_dev  # noqa: F401
