"""Phrases of Japanese sentences in a different order (Takahagi and Shinnou 2023)."""
