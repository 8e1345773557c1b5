"""Phrases of Japanese sentences in another order."""
