"""Still pictures of signed graphs, drawn by matplotlib."""

from .. import lazy_names

_WHERE = {
    "draw_cluster": "figures",
    "draw_triads": "signed",
    "draw_conflict": "conflict",
    "draw_signed": "signed",
}

__all__ = list(_WHERE)
__getattr__, __dir__ = lazy_names(__name__, _WHERE)
