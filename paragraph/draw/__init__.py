"""Still pictures of signed graphs: matplotlib figures, and interactive pages that vis-network draws."""

from .. import lazy_names

_WHERE = {
    "draw_cluster": "figures",
    "draw_triads": "signed",
    "draw_conflict": "conflict",
    "draw_signed": "signed",
    "cluster_page": "page",
    "ClusterPage": "page",
}

__all__ = list(_WHERE)
__getattr__, __dir__ = lazy_names(__name__, _WHERE)
