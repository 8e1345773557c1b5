"""Taggers: which words of two sentences the other sentence cannot paraphrase."""
