"""The pairs to label next, and what follows from the answers."""
