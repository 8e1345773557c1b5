"""The closure of labelled pairs, kept up to date one answer at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, combinations, product, zip_longest

__all__ = ["Inference", "Label", "Pair"]

#: Two sentences, the lower number first.
Pair = tuple[int, int]
#: The same and their label.
Label = tuple[int, int, int]


def ordered(a: int, b: int) -> Pair:
    """Return two numbers, the lower first."""
    return (a, b) if a < b else (b, a)


class Inference:
    """Clusters joined by 1, pairs of clusters kept apart by 0, and what follows, under labels that come and go.

    The order of labels changes nothing: what is known is what a `ParaphraseGraph` of them knows under the rule "all".
    A 0 inside a cluster is a conflict: it stays the label of its pair, and nothing follows from it.

    Parameters
    ----------
    closes : bool
        Whether labels carry over. Where the two sides of pairs are different things, nothing follows.

    Notes
    -----
    Joining two clusters takes time in proportion to the smaller one and its zeros, so m labels take O(m log m)
    together; taking a label back, to its cluster. Questions saved in this way: J. Wang, G. Li, T. Kraska,
    M. Franklin, J. Feng (2013), Leveraging transitive relations for crowdsourced joins, SIGMOD, section 3.

    Examples
    --------
    >>> known = Inference()
    >>> for a, b, label in [(0, 1, 1), (1, 2, 1), (2, 3, 0)]:
    ...     known.set(a, b, label)
    >>> known.follows(0, 2), known.follows(0, 3), known.follows(3, 4)
    (1, 0, None)
    >>> known.set(0, 1, None)  # taken back
    >>> known.follows(0, 2) is None
    True
    """

    def __init__(self, closes: bool = True):
        self.closes = closes
        self.labels: dict[Pair, int] = {}
        self._near: tuple[dict[int, set[int]], ...] = (defaultdict(set), defaultdict(set))  # by label, by sentence
        self._home: dict[int, int] = {}  # the cluster of a sentence, called like one of its members
        self._members: dict[int, list[int]] = {}
        self._apart: dict[int, Counter] = defaultdict(Counter)  # zeros between clusters; to itself: conflicts

    def set(self, a: int, b: int, label: int | None) -> None:
        """Give a pair a label; None takes back the label that it has."""
        pair = ordered(a, b)
        old = self.labels.pop(pair, None)
        if old is not None:
            self._near[old][a].discard(b)
            self._near[old][b].discard(a)
        if label is not None:
            self.labels[pair] = label
            self._near[label][a].add(b)
            self._near[label][b].add(a)
        if old == label or not self.closes:
            return
        if 0 in (old, label):
            self._count([pair], 1 if label == 0 else -1)
        if old == 1 and a not in (part := self._reached(b)):
            home = self.home(a)
            part = part if home not in part else {*self.members(home)} - part
            self._move(part, min(part))
        if label == 1 and self.home(a) != self.home(b):
            small, large = sorted((self.home(a), self.home(b)), key=lambda home: len(self.members(home)))
            self._move(self.members(small), large)

    def follows(self, a: int, b: int) -> int | None:
        """Return the label of a pair, its own or inferred, or None where nothing is known."""
        found = self.labels.get(ordered(a, b))
        if found is not None or not self.closes:
            return found
        home, other = self.home(a), self.home(b)
        return 1 if home == other else 0 if other in self._apart.get(home, ()) else None

    def home(self, a: int) -> int:
        """Return the cluster of a sentence."""
        return self._home.get(a, a)

    def members(self, cluster: int) -> list[int]:
        """Return the sentences of a cluster."""
        return self._members.get(cluster, [cluster])

    def conflicts(self) -> list[Pair]:
        """Return the pairs labelled 0 whose sentences are in one cluster."""
        torn = [cluster for cluster, others in self._apart.items() if cluster in others]
        return [(a, b) for one in torn for a, b, label in self.among(self.members(one)) if not label]

    def among(self, nodes: Iterable[int]) -> list[Label]:
        """Return the labels between some sentences."""
        nodes = {*nodes}
        ends = ((a, b, label) for label in (0, 1) for a in nodes for b in self._near[label].get(a, set()) & nodes)
        return sorted(one for one in ends if one[0] < one[1])

    def inferred(self) -> Iterator[Label]:
        """Yield the pairs whose label follows from others, a one and a zero in turns, small clusters first."""
        clusters = sorted({*self._members, *self._apart}, key=lambda one: (len(self.members(one)), one))
        ones = ((*pair, 1) for cluster in clusters for pair in combinations(sorted(self.members(cluster)), 2))
        ends = ((one, other) for one in clusters for other in sorted(self._apart.get(one, ())) if one < other)
        zeros = ((*ordered(*pair), 0) for each in ends for pair in product(*map(self.members, each)))
        each = filter(None, chain.from_iterable(zip_longest(ones, zeros)))
        return (one for one in each if one[:2] not in self.labels)

    def _reached(self, root: int) -> set[int]:
        """Return the sentences that ones join to this one."""
        found, queue = {root}, [root]
        for one in queue:  # which grows meanwhile
            new = self._near[1].get(one, set()) - found
            found |= new
            queue.extend(new)
        return found

    def _move(self, part: Collection[int], to: int) -> None:
        """Move sentences of one cluster to another, or, where `to` is among them, make a cluster of them."""
        part = set(part)
        crossing = {ordered(a, b) for a in part for b in self._near[0].get(a, ())}
        self._count(crossing, -1)
        left = self.home(next(iter(part)))
        stay = [a for a in self.members(left) if a not in part]
        grown = [] if to in part else self.members(to)
        grown.extend(sorted(part))
        self._members[to] = grown
        self._home.update(dict.fromkeys(part, to))
        if stay:
            self._members[left] = stay
        elif left != to:
            self._members.pop(left, None)
        self._count(crossing, 1)

    def _count(self, zeros: Iterable[Pair], by: int) -> None:
        for pair in zeros:
            home, other = map(self.home, pair)
            for one, two in {(home, other), (other, home)}:
                self._apart[one][two] += by
                if not self._apart[one][two]:
                    del self._apart[one][two]
