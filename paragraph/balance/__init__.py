"""Structural balance of signed graphs (Heider 1946; Cartwright and Harary 1956; Davis 1967), each verdict with
its witness.

Every function takes a `ParaphraseGraph`, or any networkx graph whose edges carry a `sign` of +1 or -1.
"""

from . import presets
from .cycles import shortest_unbalanced_cycle
from .degree import degree_of_balance
from .exercises import EXERCISES, Exercise, Grade, Sheet, exercise
from .frustration_index import Frustration, frustration, multicut
from .nullmodels import census_z, planted_camps, shuffled_signs
from .signed import SignedGraph, SignError, as_signed
from .triad_dynamics import Dynamics, Step, dynamics
from .triangles import KINDS, Triad, census, triads
from .verdict import Balance, balance

shortest_guilty_cycle = shortest_unbalanced_cycle  # its first name

__all__ = [
    "EXERCISES",
    "KINDS",
    "Balance",
    "Dynamics",
    "Exercise",
    "Frustration",
    "Grade",
    "Sheet",
    "SignError",
    "SignedGraph",
    "Step",
    "Triad",
    "as_signed",
    "balance",
    "census",
    "census_z",
    "degree_of_balance",
    "dynamics",
    "exercise",
    "frustration",
    "multicut",
    "planted_camps",
    "presets",
    "shortest_guilty_cycle",
    "shortest_unbalanced_cycle",
    "shuffled_signs",
    "triads",
]
