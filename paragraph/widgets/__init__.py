"""Live pictures: one bench with a signed graph in its middle, and what is built on it.

Names load when they are first used: a picture need not wait for what another one draws with.
"""

from importlib import import_module

_HOME = {
    "Atlas": "atlas",
    "Bench": "base",
    "ConflictReview": "review.conflicts",
    "Explorer": "explorer",
    "Overview": "onepage",
    "PairLabeler": "review.labeler",
    "PairReview": "review.pairs",
    "PhraseShuffler": "phrases.widget",
    "ShuffleReading": "review.readings",
    "TagReview": "tags",
    "TriadLab": "lab",
    "overview": "onepage",
}

__all__ = [*_HOME]


def __getattr__(name: str):
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
