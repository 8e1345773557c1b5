"""The Triad Lab: a signed graph that answers when it is poked."""

from .given import starts
from .widget import TriadLab

__all__ = ["TriadLab", "starts"]
