"""Scores of predictions, differences of two models, and the power to detect them.

Nearly everything here takes arrays: `label` (0 or 1) and `probability` (of 1), one entry a pair.
`all_pairs` takes a graph, and vectors or scores of its sentences.
"""

# Not lazy: numpy and pandas are all this costs; scipy and matplotlib are imported where they are used.
from .all_pairs import all_pairs
from .charts import draw_errors, draw_learning_curve, draw_precision_recall, draw_reliability
from .compare import accuracy_difference, effect_size, mcnemar, unpaired_t
from .corrected import mann_whitney
from .power import detectable_accuracy_difference, detectable_mean_difference, largest_possible_difference
from .scoring import by_group, calibration, clean_map, precision_recall, scores
from .tag_scoring import best_threshold, tag_scores

__all__ = [
    "accuracy_difference",
    "all_pairs",
    "best_threshold",
    "by_group",
    "calibration",
    "clean_map",
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
]
