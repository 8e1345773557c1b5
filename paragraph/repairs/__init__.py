"""Repairs: the wrong label of a contradiction, and suspect stated labels."""
