"""Facts about the Explorers that a notebook displays, as plain values; runs in its kernel, after its cells."""

import numpy as np
from ipywidgets.widgets.widget import _instances

import paragraph as pg


def explorers():
    """Of each by its key: the layers that have something to show and are on, and how many sentences are chosen."""
    shown = {}
    for key, widget in _instances.items():
        if isinstance(widget, pg.Explorer) and widget._twin is not None:
            on = [name for name in kinds(widget) if widget.layers[name]]
            shown[key] = [sorted(on), len(widget.selection)]
    return shown


def kinds(explorer):
    """The layers that have a line at the clusters on screen, found label by label."""
    graph, found = explorer.graph, set()
    home = graph.cluster_of
    opened = explorer.screen["opened"]
    for edge in range(len(graph.edge_sign)):
        a, b = graph.ends(edge)
        if home[a] in opened or home[b] in opened:
            sign = "positive" if graph.edge_sign[edge] > 0 else "negative"
            found.add("conflicts" if graph.conflicting[edge] else sign)
    members = np.concatenate([graph.members(cluster) for cluster in opened])
    texts = graph.texts(members)
    inferred = pg.infer(graph, max_distance=explorer.layers["distance"]).to_frame()
    inside = inferred["text_a"].isin(texts) & inferred["text_b"].isin(texts)
    for label in inferred.loc[inside, "label"].unique():
        found.add("inferred_positive" if label == 1 else "inferred_negative")
    return found
