"""A class in one room: pupils' phones, a board for the wall, votes, and what is handed in."""

from .board import Class

__all__ = ["Class"]
