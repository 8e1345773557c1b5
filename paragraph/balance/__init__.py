"""Structural balance of signed graphs (Heider 1946; Cartwright and Harary 1956; Davis 1967).

Every function takes a `ParaphraseGraph`, or any networkx graph whose edges carry a `sign` of +1 or -1. Names load
when they are first used.
"""

from .. import lazy_names

_NAMES = {
    "degree": "degree_of_balance",
    "cycles": "shortest_unbalanced_cycle",
    "frustration_index": "Frustration frustration",
    "networks": "read_signed",
    "signed": "SignError SignedGraph as_signed",
    "verdict": "Balance balance",
    "triangles": "KINDS Triad census census_z triads",
}
_WHERE = {name: module for module, names in _NAMES.items() for name in names.split()}
_WHERE["presets"] = ""

__getattr__, __dir__ = lazy_names(__name__, _WHERE)
__all__ = __dir__()
