"""Still pictures of signed graphs: matplotlib figures, and interactive pages made with pyvis."""

from importlib import import_module

_WHERE = {
    "draw_cluster": "figures",
    "draw_triads": "figures",
    "draw_inference": "figures",
    "draw_conflict": "figures",
    "draw_cluster_sizes": "charts",
    "draw_distances": "charts",
    "draw_shares": "charts",
    "cluster_page": "page",
    "ClusterPage": "page",
}
__all__ = list(_WHERE)


def __getattr__(name: str):
    # Loaded on first use: `import paragraph.draw` stays as cheap as the names it lists.
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_WHERE[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
