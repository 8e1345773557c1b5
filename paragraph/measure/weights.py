"""Logistic regression under its earlier name."""

from .logistic import Weights, fit, sigmoid

__all__ = ["Weights", "fit", "sigmoid"]
