"""Live pictures: one bench with a signed graph in its middle, and the widgets built on it.

Names load when they are first used: a picture need not wait for another one's libraries.
"""

from .. import lazy_names

_HOME = {
    "Bench": "base",
    "ConflictReview": "review.conflicts",
    "Explorer": "explorer",
    "Overview": "onepage",
    "PairReview": "review.pairs",
    "overview": "onepage",
}

__all__ = [*_HOME]
__getattr__, __dir__ = lazy_names(__name__, _HOME)
