"""Repairs: the wrong label of a contradiction, and stated labels that are suspect."""
