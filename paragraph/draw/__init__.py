"""Pictures of signed graphs: matplotlib figures, and the page of a cluster that vis-network draws."""

from .. import lazy_names

_WHERE = {
    "draw_cluster": "figures",
    "draw_triads": "signed",
    "draw_conflict": "conflict",
    "draw_signed": "signed",
    "ClusterPage": "network",
    "cluster_page": "network",
}

__all__ = list(_WHERE)
__getattr__, __dir__ = lazy_names(__name__, _WHERE)
