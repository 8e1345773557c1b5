"""Structural balance of signed graphs (Heider 1946; Cartwright and Harary 1956; Davis 1967).

Every function takes a `ParaphraseGraph`, or any networkx graph whose edges carry a `sign` of +1 or -1. Names load
when they are first used.
"""

from importlib import import_module

from ..pairs.errors import Gone

_NAMES = {
    "cycles": "shortest_unbalanced_cycle",
    "degree": "degree_of_balance",
    "exercises": "EXERCISES Exercise Grade Sheet exercise",
    "frustration_index": "Frustration frustration multicut",
    "nullmodels": "census_z planted_camps",
    "signed": "SignError SignedGraph as_signed",
    "triad_dynamics": "Dynamics Step dynamics",
    "triangles": "KINDS Triad census triads",
    "verdict": "Balance balance",
}
_WHERE = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted([*_WHERE, "presets", "shortest_guilty_cycle"])


def __getattr__(name: str):
    if name == "presets":
        return import_module(".presets", __name__)
    if name == "shortest_guilty_cycle":  # its first name
        return __getattr__("shortest_unbalanced_cycle")
    if name == "shuffled_signs":
        instead = "graph.with_sign(rng.permutation(graph.sign)) of as_signed(graph)"
        raise Gone(f"balance.shuffled_signs is gone since 0.3: use {instead}")
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_WHERE[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return __all__
