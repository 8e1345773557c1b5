"""Exercises on triads, on the product of signs, on verdicts and on camps: questions, and a reply to each answer.

An exercise draws its graph with a random generator. Exercises on sentences also take the reader's own graph.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import combinations
from random import Random

import networkx as nx

from ..signed import as_signed
from ..triangles import KINDS, census, triads
from ..verdict import balance
from .ask import RULE, SENSES, Asked, Grade, Wrong, ask_choice, ask_number, check_balance
from .sketch import LETTERS, Sketch, sketch, steps, symbol, until

__all__ = ["VERDICTS", "any_camps", "count_triads", "how_many_camps", "in_a_crowd", "in_words", "is_balanced",
           "missing_sign", "name_the_triad", "once_around", "three_verdicts", "two_camps"]  # fmt: skip

# -- triads ------------------------------------------------------------------------------------------------

PEOPLE = (
    "Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana",
    "Ivo", "Jill", "Kofi", "Lena", "Max", "Nora", "Omar",
)  # fmt: skip
FRIENDLY = ("{} and {} are friends.", "{} likes {}.", "{} and {} get on well.", "{} would trust {} with anything.")
HOSTILE = ("{} and {} are at odds.", "{} cannot stand {}.", "{} and {} avoid each other.", "{} quarrels with {}.")
MEANING = {"+++": "balanced", "++-": "unbalanced in both senses", "+--": "balanced",
           "---": "unbalanced for two camps, balanced for three"}  # fmt: skip
FIRST_POSITIVE = "(Positive signs are written first.)"


def name_the_triad(rng: Random) -> Asked:
    """Name the type of a triad that stands alone."""
    kind = rng.choice(KINDS)
    graph = _triad(rng, rng.sample(PEOPLE, 3), kind)
    given = rng.choice(list(graph.edges))
    text = f"""Which type is this triad? {FIRST_POSITIVE}
        - Count its negative edges.
        - There are as many types as there can be negatives: from none to all.
        - The edge {graph.edge(*given)} is {graph.word(*given)}; look at the other two."""
    return _ask_type(graph, list(graph), kind, text)


def in_words(rng: Random) -> Asked:
    """Name the type of a triad among five people who are described; no edge is shown."""
    five, kind = rng.sample(PEOPLE, 5), rng.choice(KINDS)
    graph = _triad(rng, five[:3], kind)
    others = [pair for pair in combinations(five, 2) if not graph.has_edge(*pair)]
    graph.add_edges_from((*pair, {"sign": rng.choice([1, -1])}) for pair in rng.sample(others, 3))
    story = []
    for pair in rng.sample(sorted(graph.edges), len(graph.edges)):
        ways = FRIENDLY if graph.word(*pair) == "positive" else HOSTILE
        story.append(rng.choice(ways).format(*rng.sample(pair, 2)))
    three = sorted(five[:3])
    given = rng.choice(list(combinations(three, 2)))
    text = f"""{" ".join(story)} Which type is the triad of {_listed(three)}?
        - Draw it: a node for each person, an edge with a sign for each sentence.
        - Only three of the sentences speak of two of these three.
        - {" and ".join(given)} are joined by a {graph.word(*given)} edge; find the other two."""
    asked = _ask_type(graph, five[:3], kind, text, told=True)
    return asked._replace(graph=nx.create_empty_copy(graph))


def in_a_crowd(rng: Random) -> Asked:
    """Name the type of one triad of a larger graph."""
    kind = rng.choice(KINDS)
    graph = sketch(rng, 7, 13, 3, wrong=3, fits=lambda drawn: census(drawn)[kind] > 0)
    three = sorted(rng.choice([triad.nodes for triad in triads(graph, kind)]))
    given = rng.choice(list(combinations(three, 2)))
    text = f"""Which type is the triad of {_listed(three)}? {FIRST_POSITIVE}
        - Cover everything else with your hand.
        - Three edges count: those between {_listed(three)}.
        - The edge {graph.edge(*given)} is {graph.word(*given)}; look at the other two."""
    return _ask_type(graph, three, kind, text)


def _triad(rng: Random, nodes: list[str], kind: str) -> Sketch:
    graph = Sketch(nx.complete_graph(sorted(nodes)))
    signs = rng.sample([1 if sign == "+" else -1 for sign in kind], 3)
    nx.set_edge_attributes(graph, dict(zip(graph.edges, signs, strict=True)), "sign")
    return graph


def _ask_type(graph: Sketch, three: list[str], kind: str, text: str, told: bool = False) -> Asked:
    """Ask for the type of a triad. If its edges are only told, a wrong answer marks none, to give nothing away."""

    def judge(answer: str) -> Grade:
        if answer == kind:
            return Grade(True, f"Right: {answer}, {MEANING[answer]}.", graph.around(three))
        than = "more" if answer.count("-") > kind.count("-") else "fewer"
        reason = f"{answer} has {than} negative signs than this triad has negative edges."
        return Grade(False, reason, () if told else graph.around(three))

    return Asked(graph, text, judge, lambda: [kind])


def _listed(three: list[str]) -> str:
    return "{}, {} and {}".format(*three)


def once_around(rng: Random) -> Asked:
    """Multiply the signs of a cycle."""
    n = rng.randint(4, 7)
    graph = Sketch(nx.cycle_graph(sorted(rng.sample(LETTERS, n)))).random_signs(rng)
    nodes = list(graph)
    negative = [step for step in steps(nodes) if graph.edges[step]["sign"] < 0]
    product = symbol((-1) ** len(negative))
    so_far = "negative" if sum(step in steps(nodes)[:-2] for step in negative) % 2 else "positive"
    text = f"""Multiply the signs around this cycle: what is the product?
        - Two negatives make a positive.
        - So only this matters: is the number of negative edges odd or even?
        - From {nodes[0]} by {nodes[1]} to {nodes[-2]} the product is {so_far}; the last two edges are left to you."""
    otherwise = "No: pair up the negative edges, and see whether one is left over."
    return ask_choice(graph, text, product, f"Right: {graph.along(nodes)}.", otherwise, graph.marked(negative))


def count_triads(rng: Random) -> Asked:
    """Count the triads of one type."""
    graph = sketch(rng, 6, 11, 3, wrong=2, fits=lambda drawn: census(drawn).sum() >= 4)
    everywhere = list(triads(graph))
    kind = rng.choice([kind for kind in KINDS if any(triad.kind == kind for triad in everywhere)])
    wanted = [triad.nodes for triad in everywhere if triad.kind == kind]
    others = [triad.nodes for triad in everywhere if triad.kind != kind]
    busy = max(graph, key=lambda node: sum(node in triad.nodes for triad in everywhere))
    text = f"""How many triads of the type {kind} are there in this graph?
        - List all triads first, whatever their signs: nodes that are all joined to each other.
        - Go node by node. {busy} lies in many triads.
        - An example of this type is {", ".join(wanted[0])}."""

    def judge(answer: int) -> Grade:
        if answer == len(wanted):
            return Grade(True, f"Right: {'; '.join(map(', '.join, wanted))}.")
        if answer < len(wanted):
            one = wanted[max(answer, 0)]  # more likely than the first to be one that was not counted
            raise Wrong(f"There are more than that: {', '.join(one)} is one of them.", graph.around(one))
        advice = "There are fewer: has each of yours three edges, and the signs asked for? None counted twice?"
        one, of = (others[0], "another") if others else (wanted[0], "this")
        raise Wrong(f"{advice} For example, {', '.join(one)} is of {of} type.", graph.around(one))

    return Asked(graph, text, judge, lambda: [len(wanted)])


# -- verdicts ----------------------------------------------------------------------------------------------

VERDICTS = ("strongly balanced", "only weakly balanced", "not balanced")


def is_balanced(rng: Random, kind: str) -> Asked:
    """Say if a small graph is balanced, in one of the senses."""
    wanted = rng.random() < 0.5
    n, m = rng.choice([(3, 3), (4, 5), (4, 6), (5, 6), (5, 7)])
    graph = sketch(rng, n, m, (1, 3), wrong=(0, 1), fits=lambda drawn: balance(drawn, kind).balanced == wanted)
    cycle = balance(graph, kind).cycle
    reason = f"One cycle is unbalanced: {graph.along(cycle)}." if cycle else f"Every edge agrees: {RULE}."
    right = "not balanced" if cycle else "balanced"
    first = next(iter(graph))
    hints = {
        "strong": f"""
        - Look for a cycle with an odd number of negative edges.
        - Or assign camps: put {first} in one; its friends go to the same camp, its enemies to the other.
        - When every node has a camp, check whether some edge disagrees.""",
        "weak": """
        - Look for a cycle with a single negative edge.
        - Or assign camps: friends share a camp, and so do friends of friends.
        - When every node has a camp, check whether a negative edge lies inside one.""",
    }
    text = f"Is this graph {SENSES[kind]}?{hints[kind]}"
    return ask_choice(graph, text, right, f"Right. {reason}", f"No. {reason}", graph.around(cycle or ()))


def three_verdicts(rng: Random) -> Asked:
    """Say which of the three verdicts holds of a graph."""
    right = rng.choice(VERDICTS)

    def fits(drawn: Sketch) -> bool:
        return VERDICTS[0 if balance(drawn, "strong") else 1 if balance(drawn, "weak") else 2] == right

    graph = sketch(rng, 6, 9, (2, 4), wrong=(0, 1), fits=fits)
    text = """Which holds of this graph?
        - Assign camps: friends share one, and so do friends of friends.
        - Is there a negative edge inside a camp? If not, would two camps do?
        - Two camps are not enough where a cycle has an odd number of negative edges, however many they are."""

    def judge(answer: str) -> Grade:
        strong, weak = balance(graph, "strong"), balance(graph, "weak")
        if answer == right:
            fault = weak.cycle or strong.cycle or ()
            why = f"; for two camps one cycle is unbalanced: {graph.along(fault)}" if weak and fault else ""
            return Grade(True, f"Right: {strong if strong else weak!s}{why}.", graph.around(fault))
        if answer == VERDICTS[0]:
            check_balance(graph, "strong", "Two camps are not enough. Multiply the signs")
        check_balance(graph, "weak", "One cycle has a single negative edge")
        if answer == VERDICTS[2]:
            raise Wrong("No cycle has a single negative edge: some camps agree with every edge.")
        question = "Can you name a cycle with an odd number of negative edges?"
        raise Wrong(f"{question} Only such a cycle rules out two camps.")

    return Asked(graph, text, judge, lambda: [right])


def missing_sign(rng: Random) -> Asked:
    """Say which sign one more edge may have, if the graph is to stay balanced."""
    kind = rng.choice(["strong", "weak"])
    right = rng.choice(["+", "−"] if kind == "strong" else ["+", "−", "either"])

    def make() -> tuple[Sketch, str, str]:
        graph = sketch(rng, 7, 9, 2 if kind == "strong" else 4)
        return graph, *rng.choice([(a, b) for a in graph for b in graph if a < b and not graph.has_edge(a, b)])

    def fits(drawn: tuple[Sketch, str, str]) -> bool:
        positive, negative = (bool(balance(drawn[0].with_edge(*drawn[1:], sign), kind)) for sign in (1, -1))
        return right == ("either" if positive and negative else "+" if positive else "−")

    graph, a, b = until(make, fits)
    last_hint = {
        "strong": f"""Put {a} in a camp and follow {"–".join(nx.shortest_path(graph, a, b))}: what do these edges tell
            of {b}'s camp?""",
        "weak": f"""Leave the negative edges out. Is there a path from {a} to {b}? And between the friends of {a} and
            those of {b}, is there a negative edge?""",
    }
    text = f"""This graph is {SENSES[kind]}. Join {a} and {b}: which sign keeps it so?
        - Which cycles would {a}–{b} close?
        - Is there a path from one to the other whose signs say which camps they are in?
        - {last_hint[kind]}"""

    tried = {"+": graph.with_edge(a, b, 1), "−": graph.with_edge(a, b, -1)}
    fault = {"+": "With a positive edge one cycle is unbalanced", "−": "With a negative edge one cycle is unbalanced"}

    def judge(answer: str) -> Grade:
        for sign in tried if answer == "either" else [answer]:
            check_balance(tried[sign], kind, fault[sign])
        if answer != right:
            raise Wrong("That sign keeps it balanced, but does no other?")
        if answer == "either":
            return Grade(True, "Right: neither sign makes a cycle unbalanced.")
        other = "−" if answer == "+" else "+"
        cycle = balance(tried[other], kind).cycle
        return Grade(True, f"Right. {fault[other]}: {tried[other].along(cycle)}.", tried[other].around(cycle))

    return Asked(graph, text, judge, lambda: [right])


# -- camps -------------------------------------------------------------------------------------------------


def two_camps(rng: Random) -> Asked:
    """Put the nodes of a strongly balanced graph in two camps."""
    graph = sketch(rng, 7, 10, 2)
    camps = _together(graph, balance(graph, "strong").camps.tolist())
    text = f"""This graph is strongly balanced. Put every node in one of two camps: {RULE}.
        - A positive edge joins friends in one camp, a negative edge joins enemies in two.
        - Start with {next(iter(graph))}, and follow the edges: each tells where the next node belongs.
        - {_two_of_a_camp(rng, camps)} share a camp."""
    return Asked(graph, text, _camp_judge(graph, 2), lambda: [camps])


def any_camps(rng: Random) -> Asked:
    """Put the nodes of a weakly balanced graph in camps."""
    graph = sketch(rng, 8, 12, (3, 4), fits=lambda drawn: not balance(drawn) and _sizable(drawn))
    camps = _weak_camps(graph)
    text = f"""This graph is weakly balanced. Put every node in a camp, as many camps as you need: {RULE}.
        - Friends share a camp, and so do friends of friends. Nothing follows from enemies of enemies.
        - Leave the negative edges out: which nodes are still connected?
        - {_two_of_a_camp(rng, camps)} share a camp."""

    def solutions() -> Iterator[list[set[Hashable]]]:
        """Yield the finest camps, then those with two of them in one, where no edge forbids it."""
        yield camps
        for (i, camp), (j, other) in combinations(enumerate(camps), 2):
            if not any(graph.has_edge(a, b) for a in camp for b in other):
                yield [camp | other, *(rest for k, rest in enumerate(camps) if k not in (i, j))]

    return Asked(graph, text, _camp_judge(graph, len(graph)), solutions)


def _camp_judge(graph: Sketch, most: int) -> Callable[[dict[Hashable, int]], Grade]:
    def judge(camp: dict[Hashable, int]) -> Grade:
        for a, b, sign in graph.edges(data="sign"):
            if (camp[a] == camp[b]) != (sign > 0):
                fault = "positive, but you put the two in different camps"
                fault = fault if sign > 0 else "negative, but you put the two in the same camp"
                raise Wrong(f"{graph.edge(a, b)} is {fault}.", [(a, b, sign)])
        if len(set(camp.values())) > most:
            raise Wrong("Every edge agrees, but these are more than two camps: strong balance has two at most.")
        return Grade(True, "Right: every edge agrees.")

    return judge


def how_many_camps(rng: Random) -> Asked:
    """Count the camps of a weakly balanced graph."""
    graph = sketch(rng, 9, (10, 13), (2, 4), fits=_sizable)
    camps = [sorted(camp) for camp in _weak_camps(graph)]
    largest = max(camps, key=len)
    text = f"""This graph is weakly balanced. How many camps are there, where two nodes share one only if a path of
        positive edges joins them?
        - Leave the negative edges out: each connected part is a camp.
        - A node without friends is a camp of its own.
        - The largest camp is {", ".join(largest)}."""
    right = Grade(True, f"Right: {'; '.join(map(', '.join, camps))}.")
    more = "There are more: nodes joined by negative edges alone are not one camp."
    fewer = "There are fewer: friends of friends share a camp, even where they are not joined themselves, such as"
    too_low = Grade(False, more, graph.marked(graph.of_sign(-1)[:1]))
    too_high = Grade(False, f"{fewer} {', '.join(largest)}.", graph.marked(graph.subgraph(largest).of_sign(1)))
    return ask_number(graph, text, len(camps), right, too_low, too_high)


def _together(graph: Sketch, camps: Iterable[int]) -> list[set[Hashable]]:
    found: dict[int, set[Hashable]] = {}
    for node, camp in zip(graph, camps, strict=True):
        found.setdefault(camp, set()).add(node)
    return list(found.values())


def _weak_camps(graph: Sketch) -> list[set[Hashable]]:
    return _together(graph, as_signed(graph).positive_parts.tolist())


def _sizable(graph: Sketch) -> bool:
    return max(map(len, _weak_camps(graph))) > 2


def _two_of_a_camp(rng: Random, camps: list[set[Hashable]]) -> str:
    return " and ".join(rng.sample(sorted(max(camps, key=len)), 2))
