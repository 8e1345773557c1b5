"""Exercises: random questions on signed graphs with their answers, and a sheet of them for a student."""

from .ask import Exercise, Grade
from .sheet import EXERCISES, SHEETS, Sheet

__all__ = ["EXERCISES", "SHEETS", "Exercise", "Grade", "Sheet"]
