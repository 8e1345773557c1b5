"""Paraphrase datasets as signed graphs: finding friends, flipping frenemies, and seeing why.

Names load when they are first used, so that ``import paragraph`` costs little more than ``import pandas``.
"""

from importlib import import_module

_HOME = {
    "PairsError": "pairs.errors",
    "read_pairs": "pairs",
    "write_pairs": "pairs",
    "ParaphraseGraph": "graph",
    "Closure": "graph.closure",
    "infer": "graph.closure",
    "explain": "graph.proof",
    "conflicts": "graph.conflicts",
    "compare_pairs": "graph.variants",
    "four_datasets": "graph.variants",
    "write_datasets": "graph.variants",
    "open_pairs": "graph.store",
    "PairStore": "graph.store",
    "Atlas": "widgets",
    "ConflictReview": "widgets",
    "PairReview": "widgets",
    "PairLabeler": "widgets",
    "TagReview": "widgets",
    "PhraseShuffler": "widgets",
    "ShuffleReading": "widgets",
    "Explorer": "widgets",
    "TriadLab": "widgets",
    "overview": "widgets",
    "show": "pairs.showing",
    "fetch": "pairs.fetch",
    "leakage": "measure.splits",
    "split": "measure.splits",
    "audit": "measure.audit",
    "audited": "measure.audit",
    "repair": "repairs.propose",
    "apply_repairs": "repairs.apply",
    "error_rates": "repairs.rates",
    "suspects": "repairs.suspects",
    "DecisionLog": "decisions.log",
    "replay": "decisions.replay",
    "agreement": "decisions.agreement",
    "Learner": "collection.learner",
    "ClusterParaphraser": "learn",
    "Seq2SeqParaphraser": "learn",
    "simulate": "collection.simulation",
    "score": "learn.text.scores",
    "augment_by_shuffling": "japanese.shuffle",
    "Parses": "japanese.parse",
    "phrase_orders": "japanese.shuffle",
    "shuffle_phrases": "japanese.shuffle",
    "export": "graph.export",
    "DEMO": "pairs.datasets",
    "DEMO_JAPANESE": "pairs.datasets",
    "DEMO_PARSES": "pairs.datasets",
    "DEMO_KEY": "pairs.datasets",
    "DEMO_TAGS": "pairs.datasets",
}

__all__ = [*_HOME, "__version__"]
__version__ = "0.3.0"


def __getattr__(name: str):
    if name in ("balance", "claims", "draw", "experiments", "learn", "measure", "tags", "widgets"):
        return import_module(f".{name}", __name__)
    if name == "compare":  # its name before 0.2
        return __getattr__("compare_pairs")
    if name == "SubstitutionParaphraser":  # gone; the error says what to use
        return getattr(__getattr__("learn"), name)
    if name in _HOME:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
