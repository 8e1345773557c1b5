"""Signed graphs to start from: triads, textbook graphs, camps, tribes of New Guinea, Europe before 1914.

Each is a networkx graph with a `sign` on every edge. The graph attribute `source` names its source.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from string import ascii_uppercase

import networkx as nx
import numpy as np

from ..files import PairsError
from .triangles import KINDS

__all__ = ["CLASSICS", "EUROPE", "classic", "europe", "jammed", "three_camps", "triad", "tribes",
           "two_camps"]  # fmt: skip

#: Name → edges, and what the graph is known for.
CLASSICS = {
    "square, one enmity": ("A+B B+C C+D D-A",
        "a cycle with one negative: balanced in neither sense (Harary 1953; Davis 1967)"),
    "square, three enmities": ("A+B B-C C-D D-A",
        "an odd number of negatives, but not one: weakly balanced only (Davis 1967)"),
    "two couples": ("A+B C+D A-C A-D B-C B-D",
        "all triads +--: two camps (Cartwright and Harary 1956)"),
    "four enemies": ("A-B A-C A-D B-C B-D C-D",
        "all triads ---: balanced for Davis (1967), two changes away from it for Harary (1953)"),
    "one quarrel": ("A+B A+C A+D B+C B+D C-D",
        "two triads ++-; one reconciliation mends both (Heider 1946)"),
    "bow tie": ("A+B B+C D+E A-C C-D C-E",
        "two triads in two blocks that share a node: only one is unbalanced"),
    "pentagon of enemies": ("A-B B-C C-D D-E E-A",
        "no triad at all, and yet not strongly balanced (Cartwright and Harary 1956)"),
    "five enemies": ("A-B A-C A-D A-E B-C B-D B-E C-D C-E D-E",
        "as far from two camps as five nodes can be: strong frustration 4 of 10"),
    "house": ("A+B B+C C+D D+A D+E C-E",
        "the square is balanced; the roof (C, D, E) is not, nor is the way around the house"),
}  # fmt: skip


def _graph(nodes: Iterable[str], edges: str, source: str) -> nx.Graph:
    """Make a graph of edges such as A+B or A-B: each end is the first letter of a node's last word."""
    graph = nx.Graph(source=source)
    graph.add_nodes_from(nodes)
    name = {node.split()[-1][0]: node for node in nodes}
    for first, sign, second in edges.split():
        graph.add_edge(name[first], name[second], sign=int(f"{sign}1"))
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
    edges = "A{}B B{}C A{}C".format(*kind)
    return _graph("ABC", edges, "Heider 1946; Cartwright and Harary 1956; Davis 1967")


def classic(name: str) -> nx.Graph:
    """Return a textbook graph of four or five nodes by its name in `CLASSICS`.

    Examples
    --------
    >>> classic("bow tie").graph["source"]
    'two triads in two blocks that share a node: only one is unbalanced'
    """
    if name not in tuple(CLASSICS):
        raise PairsError(f"no classic is called {name!r}; there are: {', '.join(CLASSICS)}")
    edges, source = CLASSICS[name]
    nodes = sorted({*edges} & {*ascii_uppercase})
    return _graph(nodes, edges, source)


def _camps(sizes: tuple[int, ...], source: str) -> nx.Graph:
    if sum(sizes) > len(ascii_uppercase):
        raise PairsError(f"{sum(sizes)} nodes are more than there are letters")
    camps = np.repeat(np.arange(len(sizes)), sizes)
    camp_of = dict(zip(ascii_uppercase, camps.tolist(), strict=False))
    graph = nx.Graph(source=source)
    graph.add_nodes_from(camp_of)
    for x, y in combinations(camp_of, 2):
        sign = 1 if camp_of[x] == camp_of[y] else -1
        graph.add_edge(x, y, sign=sign)
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
TIES = """
Gavev +Kotun +Nagad +Gama -Ove -Alika -Nagam -Gahuk -Asaro
Kotun +Nagad +Gama -Ove -Nagam -Gahuk -Notoh -Kohik
Ove +Alika +Gahuk +Masil +Ukudz
Alika +Ukudz
Nagam +Masil +Notoh +Seuve -Nagad -Gama
Gahuk +Masil +Ukudz +Geham +Asaro -Notoh -Uheto -Gama
Masil +Ukudz +Geham +Asaro +Uheto
Ukudz +Geham +Asaro -Seuve
Notoh +Kohik +Uheto -Geham -Nagad
Kohik +Uheto -Geham -Nagad
Geham +Asaro -Uheto -Nagad -Gama
Asaro -Seuve -Nagad -Gama
Uheto +Seuve -Nagad -Gama
Seuve -Gama
Nagad +Gama
Gama
"""


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
    ties = [line.split() for line in TIES.strip().splitlines()]
    graph.add_nodes_from(tribe for tribe, *_ in ties)
    for tribe, *others in ties:
        for other in others:
            graph.add_edge(tribe, other[1:], sign=int(f"{other[0]}1"))
    return graph


# -- Europe ----------------------------------------------------------------------------------------------

POWERS = ("Great Britain", "Austria-Hungary", "Germany", "Italy", "Russia", "France")

#: Year → the event, and the allied and hostile pairs by initials.
EUROPE = {
    1872: ("Three Emperors' League", "A+G A+R G+R B-A B-R B-F A-F G-F R-F"),
    1882: ("Triple Alliance", "A+G A+R G+R A+I G+I B-A B-R B-F A-F G-F R-F"),
    1890: ("the alliance of Germany and Russia lapses", "A+G A+I G+I B-A B-R B-F A-F G-F A-R G-R"),
    1907: (
        "British-Russian agreement",
        "A+G A+I G+I B+R B+F R+F B-A B-G B-I R-A R-G R-I F-A F-G F-I",
    ),
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
    >>> from paragraph.balance.verdict import balance
    >>> [(year, balance(europe(year)).balanced) for year in EUROPE]
    [(1872, False), (1882, False), (1890, False), (1907, True)]
    """
    if year not in tuple(EUROPE):
        raise PairsError(f"year={year!r} is not one of {', '.join(map(str, EUROPE))}")
    event, ties = EUROPE[year]
    graph = _graph(POWERS, ties, f"{year}, {event}; Antal, Krapivsky and Redner 2006")
    graph.graph["event"] = event
    return graph
