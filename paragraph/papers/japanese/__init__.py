"""Phrases of Japanese sentences in another order (Takahagi and Shinnou 2023)."""
