"""Structural balance of signed graphs (Heider 1946; Cartwright and Harary 1956; Davis 1967), each verdict with
its witness.

Every function takes a `ParaphraseGraph`, or any networkx graph whose edges carry a `sign` of +1 or -1.
"""

# Not lazily, since functions share the names of their modules: whichever comes last wins. numpy alone is loaded.
from .signed import SignedGraph, SignError, as_signed

__all__ = ["SignError", "SignedGraph", "as_signed"]
