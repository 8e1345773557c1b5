"""Training experiments (Chen, Ji and Evans 2020), and those of the other papers, on any data.

Each reports its result, and the smallest effect it could have detected. Every run can be killed and continued
(`runs`), takes seeds, and returns small tables without sentences. Names load when they are first used.
"""

from ... import lazy_names

_HOME = {
    "DistanceGrid": ".distance.rounds",
    "FourByFour": "four_sets",
    "distance_grid": ".distance.rounds",
    "four_by_four": "four_sets",
    "plant_errors": "sets",
    "read_results": "results",
}
__all__ = [*_HOME]
__getattr__, __dir__ = lazy_names(__name__, _HOME)
