"""Small graphs for the tests of the widgets, and a page that asks an explorer as a browser does."""

import logging
from functools import cache

import pandas as pd
from hypothesis import strategies as st

import paragraph as pg

from .. import reference
from ..reference import graph_of

WORDS = ["open", "closed", "Today", "bridge", "ネコ", "a+b", "50%"]


def numbered(rows, text="s{}".format):
    """The graph of rows of numbers ``(i, j, label)``, each number written as ``text(number)``."""
    return graph_of(*((text(i), text(j), label) for i, j, label in rows))


@cache
def demo():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))


def giant(size, extra=()):
    """One cluster: a tree in which sentence i hangs on i // 2, with other rows besides."""
    rows = [(i // 2, i, 1) for i in range(1, size)]
    return numbered([*rows, *extra])


#: Rows of numbers: few sentences, so that clusters, conflicts and repeated pairs abound.
ROWS = st.integers(4, 12).flatmap(
    lambda n: st.lists(
        st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.sampled_from([1, 1, 0, 0, None])),
        min_size=1, max_size=24,
    )
)  # fmt: skip


def sentence(i):
    """A sentence for a number: distinct, in words that others hold as well."""
    return f"{WORDS[i % len(WORDS)]} {WORDS[(i * 3 + 1) % len(WORDS)].upper()} {i}"


def frame(graph):
    """The stated pairs of a graph as a DataFrame with names as `reference` has them, and of its clusters."""
    rows = graph.pairs[["text_a", "text_b", "label"]].astype(object)
    rows = [(a, b, None if pd.isna(label) else int(label)) for a, b, label in rows.itertuples(index=False)]
    rows = reference.number(rows)
    return rows, reference.stated(rows), reference.members_of(graph.n, reference.stated(rows))


def at(cluster, explorer):
    """An Explorer, opened at a cluster."""
    explorer.cluster = cluster
    return explorer


class Page:
    """What a page sends to an explorer; nothing it sends may be left unanswered unless that is expected."""

    def __init__(self, explorer):
        self.explorer, self.n, self.complaints = explorer, explorer.ack, []
        handler = logging.Handler()
        handler.emit = lambda record: self.complaints.append(record.getMessage())
        # A logger of its own: applications that other tests start silence the one that widgets share.
        explorer.log = logging.Logger("page", logging.WARNING)
        explorer.log.addHandler(handler)

    def send(self, message):
        """Any message at all; returns what the log says of it."""
        self.complaints.clear()
        self.explorer._handle_custom_msg(message, [])
        return list(self.complaints)

    def __call__(self, intent, **content):
        """An intent that makes sense: it is acknowledged by its number, and the log stays empty."""
        self.n += 1
        assert self.send({"intent": intent, "n": self.n, **content}) == []
        assert self.explorer.ack == self.n
        return self.explorer


def drawn(held):
    return {node["key"] for node in held["picture"]["nodes"]}


def state(explorer):
    """All that a person reads back."""
    return {
        "screen": explorer.screen, "layers": explorer.layers, "placed": explorer.placed,
        "selected": explorer.selected, "query": explorer.query,
    }  # fmt: skip


def neighbour(held):
    return next(int(node["key"][1:]) for node in held["picture"]["nodes"] if node["key"][0] == "c")
