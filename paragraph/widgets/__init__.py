"""Live pictures: one bench with a signed graph in its middle, and what is built on it."""

from .atlas import Atlas
from .bench.widget import Bench
from .explorer.widget import Explorer
from .lab import TriadLab
from .onepage import Overview, overview
from .review.conflicts import ConflictReview
from .review.labeler import PairLabeler
from .review.pairs import PairReview

__all__ = [
    "Atlas", "Bench", "ConflictReview", "Explorer", "Overview", "PairLabeler", "PairReview", "TriadLab", "overview",
]  # fmt: skip
