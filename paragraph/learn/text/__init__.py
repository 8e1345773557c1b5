"""Scores of generated texts, and paraphrases to order."""
