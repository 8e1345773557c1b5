"""Signed graphs to start from: triads, textbook graphs, camps, tribes of New Guinea, Europe before 1914.

Each is a networkx graph with a `sign` on every edge. The graph attribute `source` names its source.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from string import ascii_uppercase

import networkx as nx

from ..files import PairsError
from .triangles import KINDS

__all__ = ["CLASSICS", "EUROPE", "classic", "europe", "jammed", "three_camps", "triad", "tribes",
           "two_camps"]  # fmt: skip

#: Name → nodes, positive edges, negative edges, and what the graph is known for.
CLASSICS = {
    "square, one enmity": ("ABCD", "AB BC CD", "DA",
        "a cycle with one negative: balanced in neither sense (Harary 1953; Davis 1967)"),
    "square, three enmities": ("ABCD", "AB", "BC CD DA",
        "an odd number of negatives, but not one: weakly balanced only (Davis 1967)"),
    "two couples": ("ABCD", "AB CD", "AC AD BC BD",
        "all triads +--: two camps (Cartwright and Harary 1956)"),
    "four enemies": ("ABCD", "", "AB AC AD BC BD CD",
        "all triads ---: balanced for Davis (1967), two changes away from it for Harary (1953)"),
    "one quarrel": ("ABCD", "AB AC AD BC BD", "CD",
        "two triads ++-; one reconciliation mends both (Heider 1946)"),
    "bow tie": ("ABCDE", "AB BC DE", "AC CD CE",
        "two triads in two blocks that share a node: only one is unbalanced"),
    "pentagon of enemies": ("ABCDE", "", "AB BC CD DE EA",
        "no triad at all, and yet not strongly balanced (Cartwright and Harary 1956)"),
    "five enemies": ("ABCDE", "", "AB AC AD AE BC BD BE CD CE DE",
        "as far from two camps as five nodes can be: strong frustration 4 of 10"),
    "house": ("ABCDE", "AB BC CD DA DE", "CE",
        "the square is balanced; the roof (C, D, E) is not, nor is the way around the house"),
}  # fmt: skip


def _graph(nodes: Iterable[str], positive: str, negative: str, source: str, **facts: str) -> nx.Graph:
    """Make a graph. Edges are words of two letters, each the first of a node's last word."""
    graph = nx.Graph(source=source, **facts)
    name = {node.split()[-1][0]: node for node in nodes}
    graph.add_nodes_from(nodes)
    for sign, words in ((1, positive), (-1, negative)):
        graph.add_edges_from(((name[x], name[y]) for x, y in words.split()), sign=sign)
    return graph


def triad(kind: str) -> nx.Graph:
    """Return one of the four triads: `+++`, `++-`, `+--`, `---`.

    Examples
    --------
    >>> triad("++-").edges(data="sign")
    EdgeDataView([('A', 'B', 1), ('A', 'C', -1), ('B', 'C', 1)])
    """
    if kind not in KINDS:
        raise PairsError(f"kind={kind!r} is not one of {', '.join(KINDS)}")
    signs = zip(("AB", "BC", "AC"), (-1 if sign == "-" else 1 for sign in kind), strict=True)
    graph = _graph("ABC", "", "", "Heider 1946; Cartwright and Harary 1956; Davis 1967")
    graph.add_weighted_edges_from(((*ends, sign) for ends, sign in signs), weight="sign")
    return graph


def classic(name: str) -> nx.Graph:
    """Return a textbook graph of four or five nodes by its name in `CLASSICS`.

    Examples
    --------
    >>> classic("bow tie").graph["source"]
    'two triads in two blocks that share a node: only one is unbalanced'
    """
    if name not in tuple(CLASSICS):
        raise PairsError(f"no classic is called {name!r}; there are: {', '.join(CLASSICS)}")
    return _graph(*CLASSICS[name])


def _camps(sizes: tuple[int, ...], source: str) -> nx.Graph:
    if sum(sizes) > len(ascii_uppercase):
        raise PairsError(f"{sum(sizes)} nodes are more than there are letters")
    camps = [i for i, size in enumerate(sizes) for _ in range(size)]
    graph = _graph(ascii_uppercase[: len(camps)], "", "", source)
    for (x, one), (y, other) in combinations(zip(graph, camps, strict=True), 2):
        graph.add_edge(x, y, sign=1 if one == other else -1)
    return graph


def two_camps(first: int = 3, second: int = 3) -> nx.Graph:
    """Return a complete graph of two camps, with `+` inside and `-` between them. It is strongly balanced."""
    return _camps((first, second), "Harary 1953, the structure theorem")


def three_camps(first: int = 2, second: int = 2, third: int = 2) -> nx.Graph:
    """Return a complete graph of three camps. It is weakly balanced, but not strongly."""
    return _camps((first, second, third), "Davis 1967")


def jammed() -> nx.Graph:
    """Return three camps of three. Each change unbalances more triads, so constrained dynamics cannot move.

    Examples
    --------
    >>> from paragraph.balance.triangles import census
    >>> graph = jammed()
    >>> int(census(graph)["---"])
    27
    >>> graph.edges["A", "D"]["sign"] = 1
    >>> int(census(graph)[["++-", "---"]].sum())
    28
    """
    return _camps((3, 3, 3), "Antal, Krapivsky and Redner 2005, jammed states")


# -- the tribes ------------------------------------------------------------------------------------------

#: Each tribe, and of the tribes after it, its allies (rova) and its opponents (hina).
TIES = (
    ("Gavev", "Kotun Nagad Gama", "Ove Alika Nagam Gahuk Asaro"),
    ("Kotun", "Nagad Gama", "Ove Nagam Gahuk Notoh Kohik"),
    ("Ove", "Alika Gahuk Masil Ukudz", ""), ("Alika", "Ukudz", ""), ("Nagam", "Masil Notoh Seuve", "Nagad Gama"),
    ("Gahuk", "Masil Ukudz Geham Asaro", "Notoh Uheto Gama"), ("Masil", "Ukudz Geham Asaro Uheto", ""),
    ("Ukudz", "Geham Asaro", "Seuve"), ("Notoh", "Kohik Uheto", "Geham Nagad"), ("Kohik", "Uheto", "Geham Nagad"),
    ("Geham", "Asaro", "Uheto Nagad Gama"), ("Asaro", "", "Seuve Nagad Gama"), ("Uheto", "Seuve", "Nagad Gama"),
    ("Seuve", "", "Gama"), ("Nagad", "Gama", ""), ("Gama", "", ""),
)  # fmt: skip


def tribes() -> nx.Graph:
    """Return the Gahuku–Gama of New Guinea: 16 tribes, 29 alliances (*rova*), 29 enmities (*hina*).

    Examples
    --------
    >>> from paragraph.balance.frustration_index import frustration
    >>> frustration(tribes()).value, frustration(tribes(), "weak").value
    (7, 2)
    """
    source = (
        "Read 1954, Cultures of the Central Highlands, New Guinea; as a signed graph Hage and Harary 1983, "
        "pp. 56–60; matrices GAMAPOS and GAMANEG of UCINET, spelled as in the R package signnet"
    )
    graph = nx.Graph(source=source)
    graph.add_nodes_from(tribe for tribe, *_ in TIES)
    for tribe, allies, enemies in TIES:
        graph.add_edges_from(((tribe, other) for other in allies.split()), sign=1)
        graph.add_edges_from(((tribe, other) for other in enemies.split()), sign=-1)
    return graph


# -- Europe ----------------------------------------------------------------------------------------------

POWERS = ("Great Britain", "Austria-Hungary", "Germany", "Italy", "Russia", "France")

#: Year → the event, the allied pairs, the hostile pairs, by initials.
EUROPE = {
    1872: ("Three Emperors' League", "AG AR GR", "BA BR BF AF GF RF"),
    1882: ("Triple Alliance", "AG AR GR AI GI", "BA BR BF AF GF RF"),
    1890: ("the alliance of Germany and Russia lapses", "AG AI GI", "BA BR BF AF GF AR GR"),
    1907: ("British-Russian agreement", "AG AI GI BR BF RF", "BA BG BI RA RG RI FA FG FI"),
}


def europe(year: int) -> nx.Graph:
    """Return six powers of Europe before the war of 1914, in 1872, 1882, 1890 or 1907.

    The French-Russian alliance (1891–94) and the Entente Cordiale (1904) fall between the last two years.

    Notes
    -----
    After Antal, Krapivsky and Redner 2006 (*Physica D* 224, figure 10), reproduced in Easley and Kleinberg 2010
    (figure 5.5). 1882 and 1890 follow a public transcription of the figure; 1872 is combined from parts of it and its
    text; 1907, two complete blocs, is inferred from the text. Italy has no tie before 1882.

    Examples
    --------
    >>> from paragraph.balance.signed import balance
    >>> [(year, balance(europe(year)).balanced) for year in EUROPE]
    [(1872, False), (1882, False), (1890, False), (1907, True)]
    """
    if year not in tuple(EUROPE):
        raise PairsError(f"year={year!r} is not one of {', '.join(map(str, EUROPE))}")
    event, allied, hostile = EUROPE[year]
    return _graph(POWERS, allied, hostile, f"{year}, {event}; Antal, Krapivsky and Redner 2006", event=event)
