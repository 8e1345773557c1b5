"""Exercises that check themselves: each a generator of questions and a grader of answers."""

from .grading import Exercise, Grade
from .sheet import Sheet
from .table import EXERCISES, exercise

__all__ = ["EXERCISES", "Exercise", "Grade", "Sheet", "exercise"]
