"""Benches to decide by hand: conflicts, and any table of pairs."""

from .conflicts import ConflictReview
from .labeler import PairLabeler
from .pairs import PairReview

__all__ = ["ConflictReview", "PairLabeler", "PairReview"]
