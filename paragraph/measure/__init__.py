"""Scores of predictions, differences of two models, and the power to detect them.

Nearly everything here takes arrays: `label` (0 or 1) and `probability` (of 1), one entry a pair.
`all_pairs` takes a graph, and vectors or scores of its sentences.
"""

# Not lazy: numpy and pandas are all this costs; scipy and matplotlib are imported where they are used.
from .. import lazy_names
from .charts import draw_errors, draw_learning_curve, draw_precision_recall, draw_reliability
from .pool.all_pairs import all_pairs
from .scoring import best_threshold, calibration, precision_recall, scores, tag_scores, wilson
from .significance import (
    accuracy_difference,
    detectable_accuracy_difference,
    detectable_mean_difference,
    effect_size,
    largest_possible_difference,
    mann_whitney,
    mcnemar,
    unpaired_t,
)

__all__ = [
    "accuracy_difference",
    "all_pairs",
    "best_threshold",
    "calibration",
    "detectable_accuracy_difference",
    "detectable_mean_difference",
    "draw_errors",
    "draw_learning_curve",
    "draw_precision_recall",
    "draw_reliability",
    "effect_size",
    "largest_possible_difference",
    "mann_whitney",
    "mcnemar",
    "precision_recall",
    "scores",
    "tag_scores",
    "unpaired_t",
    "wilson",
]

_GONE = {
    "by_group": "scores for each group: table.groupby(...).apply(...)",
    "clean_map": "scores(label, score)['average precision'], meant over the questions answered with both labels",
}
__getattr__, _ = lazy_names(__name__, {}, _GONE)
