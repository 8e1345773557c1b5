"""The experiments this field argues about, on anyone's data: each says what it found, and what it could have found.

Every run can be killed and continued (`runs`), takes seeds, and ends in small tables without sentences.
"""

# Not lazy: functions share the names of their modules, and whichever is bound last wins. torch, scikit-learn and
# matplotlib are imported where they are used.
from .consistency import Consistency, compare_consistency, consistency
from .distance_grid import DistanceGrid, distance_grid
from .four_by_four import FourByFour, four_by_four
from .plant import plant_errors
from .reading import read_results

__all__ = [
    "Consistency",
    "DistanceGrid",
    "FourByFour",
    "compare_consistency",
    "consistency",
    "distance_grid",
    "four_by_four",
    "plant_errors",
    "read_results",
]
