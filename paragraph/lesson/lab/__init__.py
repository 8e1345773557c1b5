"""The Triad Lab: a signed graph that answers when it is poked."""

from .contents import starts
from .widget import TriadLab

__all__ = ["TriadLab", "starts"]
