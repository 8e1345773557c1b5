"""The definitions of a paraphrase graph by brute force: what every faster computation must agree with.

Plain lists, sets and dictionaries; nothing here is meant to be quick. Sentences are the numbers 0, 1, 2 … in
order of first appearance, a *pair* is a sorted tuple of two of them, a label is 1 (paraphrase), 0 (not) or
None (unlabelled), and a *row* is ``(i, j, label)``.
"""

from collections import Counter
from itertools import combinations, count, pairwise, product
from unicodedata import normalize

import pandas as pd

import paragraph as pg

SIGN = {1: "+", 0: "-", None: "?"}
LABEL = {sign: label for label, sign in SIGN.items()}


def table(rows, **columns):
    """Rows of texts as a pair table; ``columns`` are added as they are.

    Rows of texts of one letter may be a line: ``a+b`` (paraphrases) ``a-c`` (not) ``b?d`` (unlabelled).
    """
    if isinstance(rows, str):
        rows = [(row[0], row[2], LABEL[row[1]]) for row in rows.split()]
    text_a, text_b, label = zip(*rows, strict=True) if rows else ([], [], [])
    pairs = pd.DataFrame(
        {
            "text_a": pd.array(text_a, dtype="str"),
            "text_b": pd.array(text_b, dtype="str"),
            "label": pd.array(label, dtype="Int8"),
            "row": pd.array(range(2, 2 + len(rows)), dtype="int64"),
        }
    )
    return pairs.assign(**{name: pd.array(values, dtype="str") for name, values in columns.items()})


def numbered(rows):
    """Rows ``(i, j, label)`` as a pair table of the texts s0, s1 …"""
    return table([(f"s{i}", f"s{j}", label) for i, j, label in rows])


def graph_of(*rows):
    """The graph of rows of texts, or of the line of a table."""
    return pg.ParaphraseGraph.from_pairs(table(rows[0] if len(rows) == 1 and isinstance(rows[0], str) else rows))


def shown(pairs):
    """The line of a pair table whose texts are of one letter."""
    rows = zip(pairs["text_a"], pairs["text_b"], pairs["label"], strict=True)
    return " ".join(f"{a}{SIGN[None if pd.isna(y) else int(y)]}{b}" for a, b, y in rows)


def pair(i, j):
    """The unordered pair of two sentences."""
    return (i, j) if i < j else (j, i)


def identity(text):
    """What two spellings of one sentence have in common."""
    return normalize("NFC", text).strip()


def first_spellings(rows, key=identity):
    """For rows of texts, a dictionary from a sentence's key to the spelling first seen, in file order."""
    spelling = {}
    for text_a, text_b, _ in rows:
        spelling.setdefault(key(text_a), text_a)
        spelling.setdefault(key(text_b), text_b)
    return spelling


def number(rows, key=identity):
    """The same rows with each text replaced by the number of its sentence."""
    index = {k: i for i, k in enumerate(first_spellings(rows, key))}
    return [(index[key(text_a)], index[key(text_b)], label) for text_a, text_b, label in rows]


def votes(rows):
    """A dictionary from each stated pair, in order of first statement, to the labels of its rows.

    A sentence paired with itself and a row without a label state nothing.
    """
    labels = {}
    for i, j, label in rows:
        if i != j and label is not None:
            labels.setdefault(pair(i, j), []).append(label)
    return labels


def stated(rows):
    """A dictionary from each stated pair to its one stated label: majority, the later row on a tie."""

    def settle(labels):
        ones, zeros = labels.count(1), labels.count(0)
        return labels[-1] if ones == zeros else int(ones > zeros)

    return {p: settle(labels) for p, labels in votes(rows).items()}


def clusters(n, labels):
    """The list of clusters, each a sorted list: largest first, then by first sentence."""
    groups = [{i} for i in range(n)]
    for (i, j), label in labels.items():
        if label == 1:
            joined = [g for g in groups if i in g or j in g]
            groups = [g for g in groups if g not in joined] + [set().union(*joined)]
    return sorted((sorted(g) for g in groups), key=lambda g: (-len(g), g[0]))


def members_of(n, labels):
    """A dictionary from a sentence to (the id of its cluster, the sentences of that cluster)."""
    return {i: (c, group) for c, group in enumerate(clusters(n, labels)) for i in group}


def lengths(n, labels):
    """A dictionary (i, j) -> edges on a shortest positive path, both directions (Floyd and Warshall)."""
    length = {(i, i): 0 for i in range(n)}
    for (i, j), label in labels.items():
        if label == 1:
            length[i, j] = length[j, i] = 1
    for k, i, j in product(range(n), repeat=3):  # the middle sentence must vary slowest
        if (i, k) in length and (k, j) in length:
            through = length[i, k] + length[k, j]
            length[i, j] = min(through, length.get((i, j), through))
    return length


def positive_rounds(length):
    """Rounds until a positive path of this length is composed: ⌈log₂ length⌉."""
    return next(r for r in count() if 2**r >= length)


def negative_rounds(p):
    """Rounds until a negative with p positive edges at its sides is composed: ⌈log₂(p + 1)⌉."""
    return next(r for r in count() if 2**r >= p + 1)


def sources(n, labels, negatives):
    """The stated negatives that carry over: ends in different clusters, and no lone end under "clusters"."""
    home = members_of(n, labels)
    found = []
    for (i, j), label in labels.items():
        (a, group_a), (b, group_b) = home[i], home[j]
        lone = len(group_a) == 1 or len(group_b) == 1
        if label == 0 and a != b and not (negatives == "clusters" and lone):
            found.append((i, j))
    return found


def inferred(n, labels, negatives="all", distance="rounds", max_distance=None):
    """A dictionary from each inferred pair to (label, distance), by the closed formulas."""
    length = lengths(n, labels)
    home = members_of(n, labels)
    found = {}
    for i, j in combinations(range(n), 2):
        if (i, j) in length:
            hops, rounds = length[i, j] - 1, positive_rounds(length[i, j])
            found[i, j] = (1, hops if distance == "hops" else rounds)
    for x, y in sources(n, labels, negatives):
        for i, j in product(home[x][1], home[y][1]):
            p = length[i, x] + length[y, j]
            new = (0, p if distance == "hops" else negative_rounds(p))
            found[pair(i, j)] = min(new, found.get(pair(i, j), new))

    def given(p, d):
        return p not in labels and (max_distance is None or d <= max_distance)

    return {p: (label, d) for p, (label, d) in found.items() if given(p, d)}


def derived_in_rounds(n, labels, negatives="all"):
    """A dictionary from each inferred pair to (label, round), where each round composes everything known.

    What a stated negative inside a cluster contradicts is still a link of the chains around it: only the
    stated *positive* edges decide how far two sentences of a cluster are from each other.
    """
    positive = {(i, j) for p, label in labels.items() if label == 1 for i, j in (p, p[::-1])}
    negative = {(i, j) for p in sources(n, labels, negatives) for i, j in (p, p[::-1])}
    appeared = {}
    for now in count(1):
        new_positive = {(i, j) for i, k in positive for m, j in positive if k == m and i != j} - positive
        new_negative = {(i, j) for i, k in positive for m, j in negative if k == m}
        new_negative = (new_negative | {(j, i) for i, j in new_negative}) - negative
        if not new_positive and not new_negative:
            return {p: found for p, found in appeared.items() if p not in labels}
        appeared |= {pair(i, j): (1, now) for i, j in new_positive}
        appeared |= {pair(i, j): (0, now) for i, j in new_negative}
        positive |= new_positive
        negative |= new_negative


def proof_of(steps, labels, home):
    """What ``(i, j, label)`` steps prove: (first, last, label, number of positive edges), or None if nothing.

    Each step must be stated with that label and start where the one before ended; at most one step is
    negative, and the ends of that one lie in different clusters.
    """
    linked = all(before[1] == after[0] for before, after in pairwise(steps))
    true = all(labels.get(pair(i, j)) == label for i, j, label in steps)
    crossing = [home[i][0] != home[j][0] for i, j, label in steps if label == 0]
    if not (steps and linked and true and len(crossing) <= 1 and all(crossing)):
        return None
    return steps[0][0], steps[-1][1], int(not crossing), len(steps) - len(crossing)


def contributions(pairs_and_labels, home):
    """A Counter of (cluster, label): a pair counts for the larger, that is the lower, of its two clusters."""
    return Counter((min(home[i][0], home[j][0]), label) for (i, j), label in pairs_and_labels)


def within(n, labels):
    """The set of stated negatives with both ends in one cluster."""
    home = members_of(n, labels)
    return {(i, j) for (i, j), label in labels.items() if label == 0 and home[i][0] == home[j][0]}


def direct(rows):
    """The set of pairs stated both ways."""
    return {p for p, labels in votes(rows).items() if len(set(labels)) == 2}


def flipped(rows):
    """The rows, with every row of a within-conflict pair made positive."""
    n = 1 + max((max(i, j) for i, j, _ in rows), default=-1)
    guilty = within(n, stated(rows))
    return [(i, j, 1 if pair(i, j) in guilty else label) for i, j, label in rows]


def augmented(n, labels, extra, flip=False):
    """The set of (pair, label), stated or among the ``extra`` inferred; ``flip`` makes within-conflicts 1."""
    guilty = within(n, labels) if flip else ()
    given = {(p, 1 if p in guilty else label) for p, label in labels.items()}
    return given | {(p, label) for p, (label, _) in extra.items()}


def judge_by(table):
    """A judge from the P(same), `model`, of each pair of a table."""
    p = {frozenset(pair): p for *pair, p in table[["text_a", "text_b", "model"]].itertuples(index=False, name=None)}
    return lambda left, right: [p[frozenset(pair)] for pair in zip(left, right, strict=True)]
