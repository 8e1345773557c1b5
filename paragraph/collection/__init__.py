"""The pairs to label next."""
