"""What is right in an exercise, from its question and its picture: cycles, subsets and camps tried one by one."""

import itertools
import re

import networkx as nx
import numpy as np

HOSTILE = ("at odds", "cannot stand", "avoid", "quarrels")


class Cycles:
    """All cycles of a graph as rows of edges, so that all sets of edges can be tried at once."""

    def __init__(self, graph):
        self.edges = [frozenset(pair) for pair in graph.edges]
        self.nodes = [list(cycle) for cycle in nx.simple_cycles(graph)]
        along = [set(around(nodes)) for nodes in self.nodes]
        rows = [[pair in cycle for pair in self.edges] for cycle in along]
        self.rows = np.array(rows, dtype=int).reshape(len(along), len(self.edges))
        self.negative = np.array([graph.edges[tuple(pair)]["sign"] < 0 for pair in self.edges], dtype=int)

    def unbalanced(self, kind):
        return are_unbalanced(self.rows @ self.negative, kind)

    def fewest(self, kind):
        """All smallest sets of edges that leave no cycle unbalanced once they are turned."""
        for size in range(len(self.edges) + 1):
            sets = np.array(list(itertools.combinations(range(len(self.edges)), size)), dtype=int)  # (sets, size)
            negative = np.tile(self.negative, (len(sets), 1))
            negative[np.arange(len(sets))[:, None], sets] ^= 1
            fine = ~are_unbalanced(negative @ self.rows.T, kind).any(axis=1)
            if fine.any():
                return [frozenset(self.edges[i] for i in sets[at]) for at in np.flatnonzero(fine)]


def are_unbalanced(negatives, kind):
    return negatives == 1 if kind == "weak" else negatives % 2 == 1


def around(nodes):
    return [frozenset(pair) for pair in zip(nodes, nodes[1:] + nodes[:1], strict=True)]


def balanced(graph, kind):
    return not Cycles(graph).unbalanced(kind).any()


def triads(graph):
    """The number of negatives in each triad."""
    threes = (graph.subgraph(three).edges(data="sign") for three in itertools.combinations(graph, 3))
    return [sum(sign < 0 for *_, sign in three) for three in threes if len(three) == 3]


def sense(one):
    return "strong" if "strongly balanced" in one.question or "two camps" in one.title.lower() else "weak"


def type_of(negatives):
    return "+" * (3 - negatives) + "-" * negatives


def changed(graph, pair, sign):
    other = nx.Graph(graph)
    other.add_edge(*pair, sign=sign)
    return other


def truth_of_choice(one):
    graph, title = one.graph, one.title
    if title == "Name the triad":
        return type_of(*triads(graph))
    if title == "A triad in words":
        *told, asked = one.question.split(". ")
        three = re.findall("[A-Z][a-z]+", asked.split("triad of ")[1])
        among = [line for line in told if sum(name in line.split() for name in three) == 2]
        assert len(among) == 3
        return type_of(sum(any(word in line for word in HOSTILE) for line in among))
    if title == "A triad in a crowd":
        three = re.search(r"triad of (\w), (\w) and (\w)", one.question).groups()
        return type_of(*triads(graph.subgraph(three)))
    if title == "Once around":
        return "+" if np.prod([sign for *_, sign in graph.edges(data="sign")]) > 0 else "−"
    if title in ("Two camps or not", "Camps or not"):
        return "balanced" if balanced(graph, sense(one)) else "not balanced"
    if title == "Strong, weak or neither":
        strong, weak = balanced(graph, "strong"), balanced(graph, "weak")
        return "strongly balanced" if strong else "only weakly balanced" if weak else "not balanced"
    if title == "The third side":
        (pair,), kind = nx.non_edges(graph), "weak"
    else:
        pair, kind = re.search(r"Join (\w) and (\w)", one.question).groups(), sense(one)
        assert balanced(graph, kind) and not graph.has_edge(*pair)
    fits = tuple(balanced(changed(graph, pair, sign), kind) for sign in (1, -1))
    return {(True, True): "either", (True, False): "+", (False, True): "−"}[fits]


def truth_of_number(one):
    graph, title = one.graph, one.title
    if title == "Count the triads":
        kind = re.search(r"type ([+-]{3})", one.question)[1]
        return list(map(type_of, triads(graph))).count(kind)
    assert title == "How many camps" and balanced(graph, "weak")
    friends = nx.create_empty_copy(graph)
    friends.add_edges_from((a, b) for a, b, sign in graph.edges(data="sign") if sign > 0)
    return nx.number_connected_components(friends)


def all_right_edges(one):
    graph = one.graph
    if one.title == "What turns next":
        unbalanced, right = sum(n % 2 for n in triads(graph)), set()
        for a, b, sign in graph.edges(data="sign"):
            in_one = any(n % 2 for node in graph for n in triads(graph.subgraph({a, b, node})))
            if in_one and sum(n % 2 for n in triads(changed(graph, (a, b), -sign))) <= unbalanced:
                right.add(frozenset((a, b)))
        return [frozenset(right)]
    found = Cycles(graph)
    if one.title != "Trust the negative":
        return found.fewest(sense(one))
    (negative,) = np.flatnonzero(found.negative)
    through = found.rows[found.rows[:, negative] == 1]  # each must lose an edge, but not the negative
    others = [i for i in range(len(found.edges)) if i != negative]
    for size in range(1, len(others) + 1):
        if sets := [s for s in itertools.combinations(others, size) if (through[:, s].sum(axis=1) > 0).all()]:
            return [frozenset(found.edges[i] for i in chosen) for chosen in sets]


def truth_of_camps(one, camp):
    agrees = all((camp[a] == camp[b]) == (sign > 0) for a, b, sign in one.graph.edges(data="sign"))
    return agrees and (one.title != "Find the two camps" or len(set(camp.values())) <= 2)


def is_right_graph(one, drawn):
    """Is a graph on the right nodes what the question asks for?"""
    signs, shown = ({frozenset((a, b)): sign for a, b, sign in g.edges(data="sign")} for g in (drawn, one.graph))
    numbers = [int(number) for number in re.findall(r"\d+", one.question)]
    counts = [triads(drawn).count(negatives) for negatives in range(4)]
    if one.title == "Signs for a census":
        asked = [int(re.search(rf"(\d+) × {re.escape(type_of(k))}", one.question)[1]) for k in range(4)]
        return set(signs) == set(shown) and counts == asked
    if len(signs) != numbers[0] or not nx.is_connected(drawn):
        return False
    if one.title == "Weakly, not strongly":
        friends = list(signs.values()).count(1)
        return friends == numbers[1] and balanced(drawn, "weak") and not balanced(drawn, "strong")
    unbalanced = counts[1] + (counts[3] if sense(one) == "strong" else 0)
    return sum(counts) > 0 and not unbalanced and not balanced(drawn, sense(one))
