"""What is said to an answer that has been read: a judge says why it is right, or raises `Wrong` with why not."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import SimpleNamespace

import networkx as nx

from ..frustration_index import frustration
from ..triangles import KINDS, census, triads
from ..verdict import Balance, balance
from .answers import Edge, Mark, Wrong, steps
from .changes import is_unbalanced
from .grading import Grade
from .sketch import UNBALANCED, along, around, edge, joined, marked, turned

__all__ = ["any_sign", "camps", "choice", "count", "cycle", "deleted", "far", "flips", "how_many_camps",
           "how_many_flips", "not_by_triads", "put_back", "same_census", "third_side", "three_verdicts", "triad",
           "turns_next", "weakly_only"]  # fmt: skip

Judge = Callable[[SimpleNamespace, str], Grade]


# -- choices and numbers ---------------------------------------------------------------------------------


def choice(wrong: str, right: str = "Right: {reason}") -> Judge:
    """One of the choices is right; both messages may name facts, and are seen in `made.marks`."""

    def judge(made: SimpleNamespace, answer: str) -> Grade:
        if answer != made.right:
            raise Wrong(wrong.format(**vars(made)), made.marks)
        return Grade(True, right.format(**vars(made)), made.marks)

    return judge


def triad(made: SimpleNamespace, answer: str) -> Grade:
    if answer != made.right:
        than = "more" if answer.count("-") > made.right.count("-") else "fewer"
        seen = [mark for mark in made.triad if made.graph.has_edge(*mark[:2])]  # what is only told is not given away
        raise Wrong(f"{answer} has {than} negative signs than this triad has negative edges.", seen)
    verdicts = ("balanced", "unbalanced in both senses", "balanced", "unbalanced for two camps, balanced for three")
    return Grade(True, f"Right: {answer}, {verdicts[KINDS.index(answer)]}.", made.triad)


def three_verdicts(made: SimpleNamespace, answer: str) -> Grade:
    strong, weak = balance(made.graph, "strong"), balance(made.graph, "weak")
    if answer == made.right:
        fault = weak.cycle or strong.cycle or ()
        why = f"; for two camps one cycle is unbalanced: {along(made.graph, fault)}" if weak and fault else ""
        return Grade(True, f"Right: {strong if strong else weak!s}{why}.", around(made.graph, fault))
    if answer == "strongly balanced":
        _balanced(made.graph, "strong", "Two camps are not enough. Multiply the signs")
    _balanced(made.graph, "weak", "One cycle has a single negative edge")
    if answer == "not balanced":
        raise Wrong("No cycle has a single negative edge: some camps agree with every edge.")
    raise Wrong("Can you name a cycle with an odd number of negative edges? Only such a cycle rules out two camps.")


def any_sign(made: SimpleNamespace, answer: str) -> Grade:
    asked = {"+": "positive", "−": "negative"}
    for sign, (symbol, name) in zip((1, -1), asked.items(), strict=True):
        fault = f"With a {name} edge one cycle is unbalanced"
        graph = joined(made.graph, made.a, made.b, sign)
        if answer in (symbol, "either"):
            _balanced(graph, made.kind, fault)
        elif answer == made.right:
            cycle = balance(graph, made.kind).cycle
            return Grade(True, f"Right. {fault}: {along(graph, cycle)}.", around(graph, cycle))
    if answer != made.right:
        raise Wrong("That sign keeps it balanced, but does no other?")
    return Grade(True, "Right: neither sign makes a cycle unbalanced.")


def third_side(made: SimpleNamespace, answer: str) -> Grade:
    if answer == made.right:
        seen = marked(joined(made.graph, made.a, made.b, 1 if made.stated == "same" else -1), [(made.a, made.b)])
        return Grade(True, f"Right. The data say: {made.stated}.", seen)
    if made.right == "either":
        raise Wrong("That is possible. Is it the only possibility?")
    graph = joined(made.graph, made.a, made.b, -1 if made.right == "+" else 1)
    fault = "makes a cycle with a single negative edge: friends of friends who are not friends"
    raise Wrong(f"That {fault}." if answer != "either" else f"One of the two {fault}.", around(graph, graph))


def count(made: SimpleNamespace, answer: int) -> Grade:
    if answer < made.right:
        one = made.triads[max(answer, 0)]  # more likely than the first to be one that was not counted
        raise Wrong(f"There are more than that: {', '.join(one)} is one of them.", around(made.graph, one))
    if answer > made.right:
        more = "There are fewer: has each of yours three edges, and the signs asked for? None counted twice?"
        one = (made.others or made.triads)[0]
        of = "another" if made.others else "this"
        raise Wrong(f"{more} For example, {', '.join(one)} is of {of} type.", around(made.graph, one))
    return Grade(True, f"Right: {made.found}.")


def how_many_camps(made: SimpleNamespace, answer: int) -> Grade:
    if answer > made.right:
        fault = "There are fewer: friends of friends share a camp, even where they are not joined themselves"
        raise Wrong(f"{fault}, such as {made.largest}.", made.one_camp)
    if answer < made.right:
        raise Wrong("There are more: nodes joined by negative edges alone are not one camp.", made.two_camps)
    return Grade(True, f"Right: {made.found}.")


def how_many_flips(made: SimpleNamespace, answer: int) -> Grade:
    if answer > made.right:
        raise Wrong("It can be done with fewer.")
    if answer < made.right:
        fault = "That is too few: whichever edges turn, some cycle stays unbalanced"
        raise Wrong(f"{fault}. This alone needs a change: {made.cycle}.", made.marks)
    return Grade(True, f"Right: for example {made.found}.")


def put_back(made: SimpleNamespace, answer: int) -> Grade:
    if answer > made.most:
        raise Wrong("More than were taken away? All other edges fit the camps already.", made.marks)
    if answer > made.right:
        raise Wrong("Fewer: some of these edges fit the camps as they are.", made.marks)
    if answer < made.right:
        raise Wrong("More: each of these edges that does not fit the camps must turn.", made.marks)
    return Grade(True, f"Right: {made.found}. So turning never takes more edges than taking away.", made.marks)


# -- camps, cycles, edges --------------------------------------------------------------------------------


def camps(made: SimpleNamespace, camp: dict[Hashable, int]) -> Grade:
    for a, b, sign in made.graph.edges(data="sign"):
        seen = [(a, b, sign)]
        if sign > 0 and camp[a] != camp[b]:
            raise Wrong(f"{edge(made.graph, a, b)} is positive, but you put the two in different camps.", seen)
        if sign < 0 and camp[a] == camp[b]:
            raise Wrong(f"{edge(made.graph, a, b)} is negative, but you put the two in the same camp.", seen)
    if len(set(camp.values())) > made.most:
        raise Wrong("Every edge agrees, but these are more than two camps: strong balance has two at most.")
    return Grade(True, "Right: every edge agrees.")


def cycle(made: SimpleNamespace, nodes: list[Hashable]) -> Grade:
    path, marks = along(made.graph, nodes), around(made.graph, nodes)
    if not is_unbalanced(made.graph, nodes, made.kind):
        negatives = sum(made.graph.edges[step]["sign"] < 0 for step in steps(nodes))
        count = f"{negatives or 'no'} negative edge{'s' * (negatives != 1)}"
        raise Wrong(f"{path} has {count}; an unbalanced one has {UNBALANCED[made.kind]}.", marks)
    if len(nodes) > made.best:
        raise Wrong(f"{path} is unbalanced, but a shorter cycle is unbalanced as well.", marks)
    return Grade(True, f"Right: {path}.", marks)


def flips(made: SimpleNamespace, edges: list[Edge]) -> Grade:
    after = turned(made.graph, edges)
    when = "Once these are turned" if edges else "As it is"
    _balanced(after, made.kind, f"{when}, one cycle is unbalanced")
    if len(edges) > made.best:
        raise Wrong("Once these are turned, the graph is balanced, but fewer edges would do.")
    return Grade(True, "Right: the graph is balanced, and no fewer edges would do.", marked(after, edges))


def turns_next(made: SimpleNamespace, edges: list[Edge]) -> Grade:
    for pair in edges:
        if frozenset(pair) not in made.edges:
            before, after = (
                census(graph)[["++-", "---"]].sum() for graph in (made.graph, turned(made.graph, [pair]))
            )
            rise = f"from {before} to {after}"
            fault = f"{edge(made.graph, *pair)} may not turn: unbalanced triads would rise {rise}"
            raise Wrong(f"{fault}.", _triad_of(made.graph, pair, ("+++", "+--")))
    if left := made.edges - set(map(frozenset, edges)):
        seen = _triad_of(made.graph, min(map(sorted, left)), ("++-", "---"))
        raise Wrong("These may turn, but they are not all." if edges else "Some edge may turn.", seen)
    return Grade(True, "Right: these, and no others.")


def _triad_of(graph: nx.Graph, pair: Edge, kinds: tuple[str, ...]) -> tuple[Mark, ...]:
    """A triad of these types that an edge is in: marked as it is."""
    mine = (triad.nodes for kind in kinds for triad in triads(graph, kind) if set(pair) <= set(triad.nodes))
    return around(graph, next(mine, ()))


# -- graphs ----------------------------------------------------------------------------------------------


def deleted(made: SimpleNamespace, drawn: nx.Graph) -> Grade:
    for a, b, sign in drawn.edges(data="sign"):
        if not made.graph.has_edge(a, b):
            raise Wrong(f"{edge(made.graph, a, b)} is new: edges may only be taken away.", [(a, b, sign)])
        if made.graph.edges[a, b]["sign"] != sign:
            raise Wrong(f"{edge(made.graph, a, b)} has turned: edges may only be taken away.", [(a, b, sign)])
    _balanced(drawn, made.kind, "One cycle is still unbalanced")
    if len(made.graph.edges) - len(drawn.edges) > made.best:
        raise Wrong("What is left is balanced, but fewer edges needed to go.")
    right = "Right: what is left is balanced, and as few edges as can be are gone. Turning them would do as well."
    return Grade(True, right)


def weakly_only(made: SimpleNamespace, drawn: nx.Graph) -> Grade:
    _connected(drawn, made.m)
    friends = sum(sign > 0 for *_, sign in drawn.edges(data="sign"))
    if friends != made.friends:
        edges = f"{made.friends} positive edge{'s are' if made.friends != 1 else ' is'}"
        raise Wrong(f"{edges} asked for, this has {friends}.")
    strong = balance(drawn, "strong")
    if strong:
        raise Wrong("It is strongly balanced: two camps are enough.")
    weak = _balanced(drawn, "weak", "It is not weakly balanced either")
    return Grade(True, f"Right: {weak}, but {along(drawn, strong.cycle)}.", around(drawn, strong.cycle))


def not_by_triads(made: SimpleNamespace, drawn: nx.Graph) -> Grade:
    _connected(drawn, made.m)
    counts = census(drawn)
    if not counts.sum():
        raise Wrong("It has no triad; at least one is asked for.")
    for kind in made.bad:
        if counts[kind]:
            one = list(next(triads(drawn, kind)).nodes)
            raise Wrong(f"One triad is unbalanced already: {along(drawn, one)}.", around(drawn, one))
    found = balance(drawn, made.kind)
    if found:
        raise Wrong(f"It is {found}: no cycle is unbalanced.")
    return Grade(True, f"Right: {along(drawn, found.cycle)}.", around(drawn, found.cycle))


def same_census(made: SimpleNamespace, drawn: nx.Graph) -> Grade:
    _same_edges(made.graph, drawn)
    found = census(drawn)
    for kind in KINDS:
        if found[kind] != made.counts[kind]:
            one = next((triad.nodes for triad in triads(drawn, kind)), ())
            raise Wrong(f"Type {kind}: {made.counts[kind]} asked for, this has {found[kind]}.", around(drawn, one))
    return Grade(True, "Right: every type as often as asked.")


def far(made: SimpleNamespace, drawn: nx.Graph) -> Grade:
    _same_edges(made.graph, drawn)
    found = frustration(drawn)
    if found.value > made.wanted:
        raise Wrong(f"This is too far from two camps: turning {made.wanted} edges does not balance it.")
    if found.value < made.wanted:
        raise Wrong(f"This is too near to two camps: fewer than {made.wanted} edges need to turn.")
    return Grade(True, f"Right: {found}.")


def _balanced(graph: nx.Graph, kind: str, fault: str) -> Balance:
    found = balance(graph, kind)
    if not found:
        raise Wrong(f"{fault}: {along(graph, found.cycle)}.", around(graph, found.cycle))
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
                raise Wrong(
                    f"{edge(graph, a, b)} is {fault}: the edges stay, you choose only their signs.",
                    [(a, b, these.edges[a, b]["sign"])],
                )
