"""Paraphrase datasets as signed graphs: finding friends, flipping frenemies, and seeing why.

Names load when they are first used, so that ``import paragraph`` costs little more than ``import pandas``.
"""

from importlib import import_module

_HOME = {
    "PairsError": "pairs",
    "read_pairs": "pairs",
    "write_pairs": "pairs",
    "ParaphraseGraph": "graph",
    "Closure": "inference",
    "infer": "inference",
    "explain": "proof",
    "conflicts": "contradictions",
    "compare": "variants",
    "four_datasets": "variants",
    "write_datasets": "variants",
    "ConflictReview": "widgets",
    "Explorer": "widgets",
    "TriadLab": "widgets",
    "show": "tables",
    "fetch": "datasets",
    "leakage": "splits",
    "split": "splits",
    "repair": "repairs",
    "apply_repairs": "repairs",
    "suspects": "suspicion",
    "DecisionLog": "decisions",
    "replay": "replaying",
    "DEMO": "demo",
    "DEMO_KEY": "demo",
}

__all__ = [*_HOME, "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str):
    if name in ("balance", "claims", "draw", "experiments", "learn", "measure", "widgets"):
        return import_module(f".{name}", __name__)
    if name in _HOME:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
