"""Draw the picture of the README from the shipped corpus: ``python docs/picture.py``."""

from pathlib import Path

import paragraph as pg
from paragraph.draw import cluster_page

SENTENCES = ("How do I study for a big exam in only one night?", "exam anxiety how to cope")


def picture() -> str:
    """The clusters of two questions as SVG: stated labels, labels that follow, labels in conflict."""
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    clusters = [graph.cluster_of[graph.node(sentence)] for sentence in SENTENCES]
    return cluster_page(graph, clusters, closure=pg.infer(graph), height=560).svg


if __name__ == "__main__":
    (Path(__file__).parent / "clusters.svg").write_text(picture() + "\n", encoding="utf-8")
