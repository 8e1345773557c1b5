"""All pairs by definition, one after the other, for comparison."""

from itertools import combinations

import networkx as nx
import numpy as np
from sklearn.metrics.pairwise import cosine_similarity

import paragraph as pg

from ... import reference


def graph_of(rows, bipartite=False):
    """The graph of rows (i, j, label) of numbered sentences."""
    pairs = reference.numbered(rows)
    pairs.attrs["bipartite"] = bipartite
    return pg.ParaphraseGraph.from_pairs(pairs)


def all_pairs_of(graph):
    """Every unordered pair of distinct sentences (texts), and whether it is positive: a dictionary."""
    stated = {
        frozenset((graph.text(a), graph.text(b))): sign
        for a, b, sign in zip(graph.edge_a, graph.edge_b, graph.edge_sign, strict=True)
    }
    texts = {graph.text(i) for i in range(graph.n)}
    friends = nx.Graph([tuple(pair) for pair, sign in stated.items() if sign == 1])
    friends.add_nodes_from(texts)
    cluster = {text: i for i, part in enumerate(nx.connected_components(friends)) for text in part}
    return {frozenset(pair): cluster[pair[0]] == cluster[pair[1]] for pair in combinations(sorted(texts), 2)}


def cosine_of(texts, vectors):
    """The cosine of every two sentences, equal ones equal, as a function of the pair."""
    cosines, place = np.round(cosine_similarity(vectors), 11), {text: i for i, text in enumerate(texts)}
    return lambda pair: float(cosines[tuple(place[text] for text in pair)])
