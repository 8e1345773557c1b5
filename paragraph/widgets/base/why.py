"""The explanation of a sentence or a pair: plain values that the browser writes as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graph import ParaphraseGraph
from ...graph.proof import Explanation, explain
from ...words.shared import word_diff

__all__ = ["Plain", "rows_behind", "why_pair", "why_sentence"]

#: Plain values by name, as a page takes them.
Plain = dict[str, Any]

MOST = 200  # entries of one list; what is left out is counted
SHARED = 0.5  # share of words in common below which marks would hide the sentences


def why_sentence(graph: ParaphraseGraph, node: int) -> Plain:
    """Return a sentence: its pairs with their labels and rows, conflicts first."""
    edges = np.flatnonzero((graph.edge_a == node) | (graph.edge_b == node))
    edges = edges[np.lexsort((edges, -graph.edge_sign[edges], ~graph.conflicting[edges]))].tolist()
    plus, cluster = int((graph.edge_sign[edges] > 0).sum()), int(graph.cluster_of[node])
    return {
        "title": "Sentence",
        "sentence": graph.text(node),
        "facts": [
            ["cluster", f"{cluster}, of {int(graph.cluster_sizes[cluster]):,}"],
            ["stated pairs", f"{plus} positive, {len(edges) - plus} negative"],
        ],
        "pairs_title": "Its pairs",
        "pairs": [_entry(graph, edge, beside=node) for edge in edges[:MOST]],
        "note": _left_out(len(edges)),
    }


def why_pair(graph: ParaphraseGraph, a: int, b: int) -> Plain:
    """Return a pair: its verdict, the words in which the two differ, and the proof step by step with rows."""
    explanation, keys = _explained(graph, a, b), [f"n{a}", f"n{b}"]
    steps = [
        {"sign": step.sign, "texts": [step.text_a, step.text_b], "rows": step.rows,
         "keys": [f"n{node}" for node in step.nodes]}
        for step in explanation.steps
    ]  # fmt: skip
    lit = [keys, *(step["keys"] for step in steps)]
    highlight = {"nodes": sorted({key for pair in lit for key in pair}), "edges": lit}
    if explanation.verdict == "inferred":
        highlight |= {"pair": keys, "sign": 1 if explanation.label else -1}
    title = {"conflict": "The positive path against it", "inferred": "Proof: the stated pairs it follows from"}
    return {
        "title": "Pair",
        "badge": explanation.verdict,
        "text": explanation.reason[:1].upper() + explanation.reason[1:] + ".",
        "pair": list(word_diff(explanation.text_a, explanation.text_b, SHARED)),
        "keys": keys,
        "steps_title": title.get(explanation.verdict, ""),
        "steps": steps if explanation.verdict in title else [],
        "rows_title": "The rows that state it",
        "rows": rows_behind(graph, a, b),
        "highlight": highlight,
    }


def rows_behind(graph: ParaphraseGraph, a: int, b: int) -> list[Plain]:
    """Return the rows that label two nodes, or a node paired with itself, as their source has them."""
    if graph.pairs is None or (a != b and graph.edge_between(a, b) < 0):
        return []
    rows = graph.rows_between(a, b)[:MOST]
    # A table may have many columns: these three are taken one by one.
    columns = (graph.pairs[name].iloc[rows] for name in ("label", "text_a", "text_b"))
    return [
        {"row": number, "label": int(label), "texts": [first, second]}
        for number, label, first, second in zip(graph.row_names(rows), *columns, strict=True)
    ]


def _explained(graph: ParaphraseGraph, a: int, b: int) -> Explanation:
    """`explain`; where the two sides of pairs are different things, only what is stated."""
    if not graph.bipartite:
        return explain(graph, a, b)
    edge = graph.edge_between(a, b)
    if edge < 0:
        reason = "no row pairs the two, and nothing follows where the two sides are different things"
        return Explanation(graph.text(a), graph.text(b), "unknown", None, reason)
    label = int(graph.edge_sign[edge] > 0)
    return Explanation(graph.text(a), graph.text(b), "stated", label, f"label {label}")


def _entry(graph: ParaphraseGraph, edge: int, beside: int | None = None) -> Plain:
    """Return a stated pair, or of it the sentence beside another."""
    nodes = [node for node in graph.ends(edge).tolist() if node != beside]
    return {
        "sign": int(graph.edge_sign[edge]), "texts": graph.texts(nodes), "keys": [f"n{node}" for node in nodes],
        "rows": graph.source_rows(edge), "conflict": beside is not None and bool(graph.conflicting[edge]),
    }  # fmt: skip


def _left_out(total: int) -> str:
    return f"The first {MOST} of {total:,} are listed." if total > MOST else ""
