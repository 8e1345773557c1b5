"""Live pictures: one bench with a signed graph in its middle, and what is built on it."""

from .bench import Bench
from .explorer import Explorer
from .lab import TriadLab
from .review import ConflictReview

__all__ = ["Bench", "ConflictReview", "Explorer", "TriadLab"]
