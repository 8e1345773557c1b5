"""How good predictions are, whether two models differ, and whether the data could have told.

Everything here takes arrays: `label` (0 or 1) and `probability` (of 1), one entry a pair.
"""

# Not lazy: functions share the names of their modules. numpy and pandas are all this costs; scipy and matplotlib
# are imported where they are used.
from .compare import accuracy_difference, effect_size, mcnemar, unpaired_t
from .scores import by_group, calibration, precision_recall, scores

__all__ = [
    "accuracy_difference",
    "by_group",
    "calibration",
    "effect_size",
    "mcnemar",
    "precision_recall",
    "scores",
    "unpaired_t",
]
