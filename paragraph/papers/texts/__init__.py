"""Scores of generated texts, and paraphrases to order (Wang et al. 2022)."""
