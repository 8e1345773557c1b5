"""Tags on words, given by people: the Tag Review."""

from .widget import TagReview

__all__ = ["TagReview"]
