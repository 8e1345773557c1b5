"""The field's open experiments, on any data: each reports its result, and the smallest effect it could have detected.

Every run can be killed and continued (`runs`), takes seeds, and returns small tables without sentences.
"""

# Not lazy: torch, scikit-learn and matplotlib are imported where they are used.
from .augmentation import augmentation
from .distances import DistanceGrid, distance_grid
from .four_sets import FourByFour, four_by_four
from .meta_evaluation import meta_evaluate
from .results import read_results
from .sets import plant_errors
from .trusted import TrustedLabels, trusted

__all__ = [
    "DistanceGrid",
    "FourByFour",
    "TrustedLabels",
    "augmentation",
    "distance_grid",
    "four_by_four",
    "meta_evaluate",
    "plant_errors",
    "read_results",
    "trusted",
]
