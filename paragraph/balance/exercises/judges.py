"""What is said to an answer that has been read: a judge returns why it is right, or raises `Wrong` with why not."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import SimpleNamespace

import networkx as nx

from ..frustration_index import frustration
from ..triangles import KINDS, census, triads
from ..verdict import Balance, balance
from .answers import Edge, Wrong, steps
from .changes import is_unbalanced
from .sketch import UNBALANCED, along, edge, joined, turned

__all__ = ["any_sign", "camps", "choice", "cycle", "deleted", "far", "flips", "not_by_triads", "number", "put_back",
           "same_census", "third_side", "three_verdicts", "triad", "turns_next", "weakly_only"]  # fmt: skip

Judge = Callable[[SimpleNamespace, str], str]


# -- choices and numbers ---------------------------------------------------------------------------------


def choice(wrong: str, right: str = "Right: {reason}") -> Judge:
    """One of the choices is right; both messages may name facts."""

    def judge(made: SimpleNamespace, answer: str) -> str:
        if answer != made.right:
            raise Wrong(wrong.format(**vars(made)))
        return right.format(**vars(made))

    return judge


def triad(made: SimpleNamespace, answer: str) -> str:
    if answer != made.right:
        than = "more" if answer.count("-") > made.right.count("-") else "fewer"
        raise Wrong(f"{answer} has {than} negative signs than this triad has negative edges.")
    verdicts = ("balanced", "unbalanced in both senses", "balanced", "unbalanced for two camps, balanced for three")
    return f"Right: {answer}, {verdicts[KINDS.index(answer)]}."


def three_verdicts(made: SimpleNamespace, answer: str) -> str:
    strong, weak = balance(made.graph, "strong"), balance(made.graph, "weak")
    if answer == made.right:
        return f"Right: {strong if strong else weak!s}."
    if answer == "strongly balanced":
        _balanced(made.graph, "strong", "Two camps are not enough. Multiply the signs")
    _balanced(made.graph, "weak", "One cycle has a single negative edge")
    if answer == "not balanced":
        raise Wrong("No cycle has a single negative edge: some camps agree with every edge.")
    raise Wrong("Can you name a cycle with an odd number of negative edges? Only such a cycle rules out two camps.")


def any_sign(made: SimpleNamespace, answer: str) -> str:
    if answer == made.right:
        return "Right."
    for sign, name, symbol in ((1, "positive", "+"), (-1, "negative", "−")):
        if answer in (symbol, "either"):
            graph = joined(made.graph, made.a, made.b, sign)
            _balanced(graph, made.kind, f"With a {name} edge one cycle is unbalanced")
    raise Wrong("That sign keeps it balanced, but does no other?")


def third_side(made: SimpleNamespace, answer: str) -> str:
    if answer == made.right:
        return f"Right. The data say: {made.stated}."
    if made.right == "either":
        raise Wrong("That is possible. Is it the only possibility?")
    raise Wrong("That makes a cycle with a single negative edge: friends of friends who are not friends.")


def number(too_many: str, too_few: str, right: str = "Right: {found}.") -> Callable[[SimpleNamespace, int], str]:
    """What to say of numbers that are too large and too small."""

    def judge(made: SimpleNamespace, answer: int) -> str:
        if answer != made.right:
            raise Wrong(too_many if answer > made.right else too_few)
        return right.format(**vars(made))

    return judge


def put_back(made: SimpleNamespace, answer: int) -> str:
    if answer > made.most:
        raise Wrong("More than were taken away? All other edges fit the camps already.")
    return number(
        "Fewer: some of these edges fit the camps as they are.",
        "More: each of these edges that does not fit the camps must turn.",
        "Right: {found}. So turning never takes more edges than taking away.",
    )(made, answer)


# -- camps, cycles, edges --------------------------------------------------------------------------------


def camps(made: SimpleNamespace, camp: dict[Hashable, int]) -> str:
    for a, b, sign in made.graph.edges(data="sign"):
        if sign > 0 and camp[a] != camp[b]:
            raise Wrong(f"{edge(made.graph, a, b)} is positive, but you put the two in different camps.")
        if sign < 0 and camp[a] == camp[b]:
            raise Wrong(f"{edge(made.graph, a, b)} is negative, but you put the two in the same camp.")
    if len(set(camp.values())) > made.most:
        raise Wrong("Every edge agrees, but these are more than two camps: strong balance has two at most.")
    return "Right: every edge agrees."


def cycle(made: SimpleNamespace, nodes: list[Hashable]) -> str:
    path = along(made.graph, nodes)
    if not is_unbalanced(made.graph, nodes, made.kind):
        negatives = sum(made.graph.edges[step]["sign"] < 0 for step in steps(nodes))
        count = f"{negatives or 'no'} negative edge{'s' * (negatives != 1)}"
        raise Wrong(f"{path} has {count}; an unbalanced one has {UNBALANCED[made.kind]}.")
    if len(nodes) > made.best:
        raise Wrong(f"{path} is unbalanced, but a shorter cycle is unbalanced as well.")
    return f"Right: {path}."


def flips(made: SimpleNamespace, edges: list[Edge]) -> str:
    after = turned(made.graph, edges)
    when = "Once these are turned" if edges else "As it is"
    _balanced(after, made.kind, f"{when}, one cycle is unbalanced")
    if len(edges) > made.best:
        raise Wrong("Once these are turned, the graph is balanced, but fewer edges would do.")
    return "Right: the graph is balanced, and no fewer edges would do."


def turns_next(made: SimpleNamespace, edges: list[Edge]) -> str:
    for pair in edges:
        if frozenset(pair) not in made.edges:
            before, after = (
                census(graph)[["++-", "---"]].sum() for graph in (made.graph, turned(made.graph, [pair]))
            )
            rise = f"from {before} to {after}"
            raise Wrong(f"{edge(made.graph, *pair)} may not turn: unbalanced triads would rise {rise}.")
    if len(edges) < len(made.edges):
        raise Wrong("These may turn, but they are not all." if edges else "Some edge may turn.")
    return "Right: these, and no others."


# -- graphs ----------------------------------------------------------------------------------------------


def deleted(made: SimpleNamespace, drawn: nx.Graph) -> str:
    for a, b, sign in drawn.edges(data="sign"):
        if not made.graph.has_edge(a, b):
            raise Wrong(f"{edge(made.graph, a, b)} is new: edges may only be taken away.")
        if made.graph.edges[a, b]["sign"] != sign:
            raise Wrong(f"{edge(made.graph, a, b)} has turned: edges may only be taken away.")
    _balanced(drawn, made.kind, "One cycle is still unbalanced")
    if len(made.graph.edges) - len(drawn.edges) > made.best:
        raise Wrong("What is left is balanced, but fewer edges needed to go.")
    return "Right: what is left is balanced, and as few edges as can be are gone. Turning them would do as well."


def weakly_only(made: SimpleNamespace, drawn: nx.Graph) -> str:
    _connected(drawn, made.m)
    friends = sum(sign > 0 for *_, sign in drawn.edges(data="sign"))
    if friends != made.friends:
        raise Wrong(f"{made.friends} positive edges are asked for, this has {friends}.")
    strong = balance(drawn, "strong")
    if strong:
        raise Wrong("It is strongly balanced: two camps are enough.")
    weak = _balanced(drawn, "weak", "It is not weakly balanced either")
    return f"Right: {weak}, but {along(drawn, strong.cycle)}."


def not_by_triads(made: SimpleNamespace, drawn: nx.Graph) -> str:
    _connected(drawn, made.m)
    counts = census(drawn)
    if not counts.sum():
        raise Wrong("It has no triad; at least one is asked for.")
    for kind in made.bad:
        if counts[kind]:
            raise Wrong(f"One triad is unbalanced already: {along(drawn, list(next(triads(drawn, kind)).nodes))}.")
    found = balance(drawn, made.kind)
    if found:
        raise Wrong(f"It is {found}: no cycle is unbalanced.")
    return f"Right: {along(drawn, found.cycle)}."


def same_census(made: SimpleNamespace, drawn: nx.Graph) -> str:
    _same_edges(made.graph, drawn)
    found = census(drawn)
    for kind in KINDS:
        if found[kind] != made.counts[kind]:
            raise Wrong(f"Type {kind}: {made.counts[kind]} asked for, this has {found[kind]}.")
    return "Right."


def far(made: SimpleNamespace, drawn: nx.Graph) -> str:
    _same_edges(made.graph, drawn)
    found = frustration(drawn)
    if found.value > made.wanted:
        raise Wrong(f"This is too far from two camps: turning {made.wanted} edges does not balance it.")
    if found.value < made.wanted:
        raise Wrong(f"This is too near to two camps: fewer than {made.wanted} edges need to turn.")
    return f"Right: {found}."


def _balanced(graph: nx.Graph, kind: str, fault: str) -> Balance:
    found = balance(graph, kind)
    if not found:
        raise Wrong(f"{fault}: {along(graph, found.cycle)}.")
    return found


def _connected(drawn: nx.Graph, m: int) -> None:
    if len(drawn.edges) != m:
        raise Wrong(f"{m} edges are asked for, this has {len(drawn.edges)}.")
    if not nx.is_connected(drawn):
        raise Wrong("It is not connected: some node cannot be reached from another.")


def _same_edges(graph: nx.Graph, drawn: nx.Graph) -> None:
    for these, others, fault in ((graph, drawn, "missing"), (drawn, graph, "new")):
        for a, b in these.edges:
            if not others.has_edge(a, b):
                raise Wrong(f"{edge(graph, a, b)} is {fault}: the edges stay, you choose only their signs.")
