"""The orders in which the phrases of a sentence can stand while its dependencies stay whole.

Nothing here knows a language: a sentence is its phrases, the head of each, and the phrases that hold their place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import permutations, product
from math import factorial, prod
from random import Random

from ...files import PairsError
from .parse import Parse

__all__ = ["RULES", "Broken", "Orders", "broken", "groups_of", "orders"]

#: Which orders: with the dependencies whole; of all phrases but the last ("phrases") and of all words ("words"), the
#: two baselines of Takahagi and Shinnou (2023), section 6.2.
RULES = ("paper", "phrases", "words")
#: Draws for each order that is wanted: enough to find the last one of a few.
TRIES = 100


def orders(parse: Parse, rule: str = "paper") -> Orders:
    """The orders that a rule allows a sentence.

    Examples
    --------
    Figure 2 of Takahagi and Shinnou (2023); "paper" is their section 3.1:

    >>> parse = Parse("太郎は花子が読んでいる本を次郎に渡した",
    ...               ("太郎は", "花子が", "読んでいる", "本を", "次郎に", "渡した"), (5, 2, 3, 5, 5, -1))
    >>> found = orders(parse)
    >>> found.count, found.groups
    (6, ((0,), (1, 2, 3), (4,), (5,)))
    >>> [found.text(order) for order in found][5]
    '次郎に花子が読んでいる本を太郎は渡した'
    >>> orders(parse, "phrases").count
    120
    """
    if rule not in RULES:
        raise PairsError(f"rule={rule!r} is not one of {', '.join(map(repr, RULES))}")
    if rule == "words":
        if parse.words is None:
            raise PairsError(
                f"the parse of {parse.text!r} holds no words, which rule='words' puts in order"
            )
        single = [(i,) for i in range(len(parse.words))]
        return Orders(parse.words, single)
    n = len(parse.phrases)
    if rule == "phrases":
        single = [(i,) for i in range(n)]
        return Orders(parse.phrases, single, {n - 1})
    groups = groups_of(parse)
    pinned = {*parse.pinned, n - 1}
    walls = [k for k, group in enumerate(groups) if group[-1] in pinned]
    return Orders(parse.phrases, groups, walls)


def groups_of(parse: Parse) -> list[tuple[int, ...]]:
    """Group phrases: one that neither depends on the predicate nor is pinned joins the following one."""
    last = len(parse.phrases) - 1
    groups = []
    group = []
    for i, head in enumerate(parse.heads):
        group.append(i)
        if i == last or head == last or i in parse.pinned:
            groups.append(tuple(group))
            group = []
    return groups


class Orders:
    """The orders of the groups of a sentence that differ; iterating makes them one by one, the sentence first.

    `groups` are phrases that stay together, by their places; they change places between two `walls`, which are groups
    that hold theirs. An order is the places of the phrases. Two groups with one text are one, so that no order is
    there twice (unless longer groups make up the same text).
    """

    def __init__(
        self, phrases: Sequence[str], groups: Sequence[tuple[int, ...]], walls: Collection[int] = ()
    ):
        self.phrases = tuple(phrases)
        self.groups = tuple(groups)
        self.walls = frozenset(walls)
        runs: list[list[int]] = [[]]
        for k in range(len(self.groups)):
            if k in self.walls:
                runs.append([])
            else:
                runs[-1].append(k)
        self.runs = [run for run in runs if run]  #: groups that may change places with each other
        #: How many there are, by arithmetic: it may be more than anybody can list.
        self.count = 1
        for run in self.runs:
            copies = Counter(self.text(self.groups[k]) for k in run)
            self.count *= factorial(len(run)) // prod(map(factorial, copies.values()))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        seen = set()
        for arranged in product(*map(permutations, self.runs)):
            order = self._order(arranged)
            text = self.text(order)
            if text not in seen:
                seen.add(text)
                yield order

    def _order(self, arranged: Iterable[Sequence[int]]) -> tuple[int, ...]:
        """The order in which the groups of each run stand as arranged."""
        new = list(range(len(self.groups)))
        for run, groups in zip(self.runs, arranged, strict=True):
            for place, group in zip(run, groups, strict=True):
                new[place] = group
        order = []
        for k in new:
            order.extend(self.groups[k])
        return tuple(order)

    def text(self, order: Sequence[int]) -> str:
        """The sentence in an order."""
        return "".join(self.phrases[i] for i in order)

    def draw(self, n: int, rng: Random) -> list[tuple[int, ...]]:
        """Draw up to `n` orders whose texts differ from the sentence and from each other."""
        texts = {"".join(self.phrases)}
        found = []
        wanted = min(n, self.count - 1)
        for _ in range(TRIES * (n + 1)):
            if len(found) == wanted:
                break
            order = self._order([rng.sample(run, len(run)) for run in self.runs])
            text = self.text(order)
            if text not in texts:
                texts.add(text)
                found.append(order)
        return found


#: arcs (dependent and head), and walls
Broken = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]


def broken(parse: Parse, order: Sequence[int]) -> Broken:
    """List the arcs and the walls that an order breaks; none where the rule "paper" allows it.

    An arc breaks when the dependent no longer stands before its head, or when between them stands a phrase that did
    not in the sentence; before the predicate any may. Where an arc leads backwards, or out of its group, its phrase
    has to stay right before the next. A wall breaks when others than in the sentence stand before it; the predicate
    is one.

    >>> parse = Parse("猫が寝ている犬を見た", ("猫が", "寝ている", "犬を", "見た"), (3, 2, 3, -1))
    >>> broken(parse, (1, 2, 0, 3)), broken(parse, (1, 0, 2, 3))
    (((), ()), (((1, 2),), ()))
    """
    n = len(parse.phrases)
    if sorted(order) != list(range(n)):
        raise PairsError(f"the order {tuple(order)} does not name each of the {n} phrases once")
    last = n - 1
    place = {phrase: at for at, phrase in enumerate(order)}
    arcs = []
    for group in groups_of(parse):
        for i in group:
            head = parse.heads[i]
            free = i != last and head == last
            to = head
            if not free and not i < head <= group[-1]:
                to = min(i + 1, group[-1])  # of the last: none
            between = {*order[place[i] : place[to]]}
            in_place = free or between <= {*range(i, to)}
            if place[i] > place[to] or not in_place:
                arcs.append((i, to))
    walls = []
    for wall in sorted({*parse.pinned, last}):
        before = order[: place[wall]]
        if {*before} != {*range(wall)}:
            walls.append(wall)
    return tuple(arcs), tuple(walls)
