"""What is proposed for a conflict, with its reasons: computed when first asked for, hidden until then."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from ..differences import reasons
from ..posterior import Posterior, posterior

if TYPE_CHECKING:
    from ..graph import ParaphraseGraph

__all__ = ["Proposal", "Proposals"]

UNSURE = np.log(3)  # a proposal with lower log-odds than 3 to 1 is told to be unsure
REASONS = 5  # told of each pair at most


class Proposal(NamedTuple):
    """Which label of a conflict is wrong."""

    proposal: str  #: "flip", "cut" or "unsure"
    margin: float  #: log-odds (natural) that the negative is wrong; below 0 for a cut


class Proposals:
    """Proposals for the conflicts of a graph."""

    def __init__(self, graph: ParaphraseGraph, evidence: pd.DataFrame | None = None):
        self.graph, self.evidence = graph, evidence

    @cached_property
    def posterior(self) -> Posterior:
        """What all labels say together."""
        return posterior(self.graph)

    @property
    def known(self) -> bool:
        """Whether they are computed."""
        return "posterior" in vars(self)

    def p_flip(self) -> np.ndarray:
        """The probability of each edge to be truly positive."""
        return self.posterior.p_positive

    def of(self, edge: int) -> Proposal:
        """The proposal for a conflict."""
        margin = float(self.posterior.log_odds[edge])
        return Proposal("unsure" if abs(margin) < UNSURE else "flip" if margin > 0 else "cut", margin)

    def weakest(self, path: list[int]) -> int | None:
        """The edge of a path that is most probably no paraphrase."""
        return min(path, key=lambda edge: (self.posterior.log_odds[edge], edge), default=None)

    def told(self, edge: int, path: list[int]) -> dict[str, Any]:
        """A proposal in words: what, how surely, and what speaks for it."""
        said, weakest = self.of(edge), self.weakest(path)
        p_flip = 1 / (1 + np.exp(-said.margin))
        text = f"The negative is wrong with probability {_percent(p_flip)}."
        told = [f"the pair: {reason}" for reason in self._reasons(edge)]
        if weakest is not None:
            number = path.index(weakest) + 1
            p = 1 - self.posterior.p_positive[weakest]
            text += f" The weakest link is {number}: wrong with probability {_percent(p)}."
            told += [f"link {number}: {reason}" for reason in self._reasons(weakest)]
        return {"badge": said.proposal, "text": text, "reasons": told}

    def _reasons(self, edge: int) -> list[str]:
        return reasons(*self.graph.texts([self.graph.edge_a[edge], self.graph.edge_b[edge]]))[:REASONS]


def _percent(p: float) -> str:
    return f"{p:.0%}" if 0.01 <= p <= 0.99 else "below 1 %" if p < 0.5 else "above 99 %"
