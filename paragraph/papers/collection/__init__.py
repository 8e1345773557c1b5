"""The pairs to label next, and scores on all pairs (Mussmann, Jia and Liang 2020)."""
