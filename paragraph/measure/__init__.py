"""Scores of predictions, and the difference of two models that could be detected.

Nearly everything here takes arrays: `label` (0 or 1) and `probability` (of 1), one entry per pair.
`all_pairs` takes a graph, and vectors or scores of its sentences. Names load when they are first used.
"""

from .. import lazy_names

_NAMES = {
    "scoring": "calibration wilson",
    ".papers.collection.all_pairs": "all_pairs",
    ".papers.experiments.charts": "draw_learning_curve",
    ".papers.experiments.scoring": "scores",
    ".papers.tags.scores": "best_threshold tag_scores",
    ".papers.experiments.significance": "detectable_accuracy_difference",
}

_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}
__getattr__, __dir__ = lazy_names(__name__, _HOME)
__all__ = __dir__()
