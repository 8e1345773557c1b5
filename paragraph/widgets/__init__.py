"""Live pictures: one bench with a signed graph in its middle, and what is built on it."""

from .bench import Bench
from .explorer import Explorer
from .lab import TriadLab

__all__ = ["Bench", "Explorer", "TriadLab"]
