"""Paraphrase datasets as signed graphs: finding friends, flipping frenemies, and seeing why.

Names load when they are first used, so that ``import paragraph`` costs little more than ``import pandas``.
"""

import sys
from collections.abc import Callable
from importlib import import_module

__version__ = "0.3.0"


def lazy_names(package: str, home: dict[str, str]) -> tuple[Callable, Callable]:
    """Return `__getattr__` and `__dir__` of a package whose names load when they are first used.

    Parameters
    ----------
    home : dict
        From each name to the module that defines it, relative to the package; ``""`` stands for a submodule.
    """

    def find(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            module = import_module(f".{home[name] or name}", package)
        except ModuleNotFoundError as error:
            if error.name in ("torch", "transformers", "sklearn"):
                install = "which is not installed: pip install '.[learn]' in your copy of paragraph"
                raise ModuleNotFoundError(
                    f"{name} needs {error.name}, {install}", name=error.name
                ) from error
            raise
        value = getattr(module, name) if home[name] else module
        setattr(sys.modules[package], name, value)
        return value

    return find, lambda: sorted(home)


_HOME = {
    "PairsError": "files",
    "read_pairs": "pairs",
    "write_pairs": "pairs",
    "ParaphraseGraph": "graph",
    "Closure": "graph.closure",
    "infer": "graph.closure",
    "explain": "graph.proof",
    "conflicts": "graph.conflicts",
    "four_datasets": "graph.variants",
    "write_datasets": "graph.variants",
    "ConflictReview": "widgets",
    "PairReview": "widgets",
    "review_team": "widgets.team.keeper",
    "Explorer": "widgets",
    "overview": "widgets",
    "show": "draw.tables",
    "fetch": "pairs.fetch",
    "leakage": "graph.leakage",
    "split": "graph.splits",
    "audit": "doubts.audit",
    "error_rates": "doubts.audit",
    "repair": "doubts.proposals",
    "suspects": "doubts.suspects",
    "trust": "doubts.trust",
    "DecisionLog": "decisions.log",
    "replay": "decisions.replay",
    "agreement": "decisions.agreement",
    "judge": "doubts.judges",
    "REASONS": "doubts.reasons",
    "export": "graph.export",
    "training_sets": "learn.training",
    "evaluation_sets": "learn.training",
    "DEMO": "pairs.datasets",
    "DEMO_JAPANESE": "pairs.datasets",
    "DEMO_PARSES": "pairs.datasets",
    "DEMO_KEY": "pairs.datasets",
    "DEMO_TAGS": "pairs.datasets",
}

#: Names that lead from the core to a wing; no other file of the core names a wing.
_DOORS = {
    "Atlas": "atlas",
    "TriadLab": "lesson",
    "open_pairs": "scale",
    "PairStore": "scale",
    "paraphrases": "papers.texts.paraphrases",
    "Learner": "papers.collection.learner",
    "Parses": "papers.japanese.parse",
    "TagReview": "papers.tags.review",
    "augment_by_shuffling": "papers.japanese.shuffle",
    "draw_phrases": "papers.japanese.picture",
    "phrase_orders": "papers.japanese.shuffle",
    "score": "papers.texts.scores",
    "shuffle_phrases": "papers.japanese.shuffle",
    "simulate": "papers.collection.simulation",
}

_DOORS |= dict.fromkeys(("claims", "experiments", "tags"), "papers") | dict.fromkeys(
    ("atlas", "lesson", "papers", "scale"), ""
)
#: Files of commands that a wing brings.
_COMMANDS = ("lesson.room.command",)
_ROOMS = dict.fromkeys(("balance", "doubts", "draw", "learn", "widgets"), "")

__all__ = [*_HOME, *_DOORS, "__version__"]
__getattr__, _ = lazy_names(__name__, _HOME | _ROOMS | _DOORS)


def __dir__() -> list[str]:
    return sorted(__all__)
