"""Scores for generated texts, and paraphrases on demand (Wang et al. 2022)."""
