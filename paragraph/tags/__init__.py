"""Tags on words: tables and files of them, agreement of two annotators, the pairs worth tagging."""

from ..pairs.errors import Gone
from ..words.tokens import places, spans, tags_of, words
from .agreement import agreement, disagreements
from .sources import read_any, read_etpc, read_multimwa
from .table import candidates, read, show, untagged, write

__all__ = [
    "agreement",
    "candidates",
    "disagreements",
    "places",
    "read",
    "read_any",
    "read_etpc",
    "read_multimwa",
    "show",
    "spans",
    "tags_of",
    "untagged",
    "words",
    "write",
]


def __getattr__(name: str):
    if name == "statistics":
        raise Gone("tags.statistics is gone since 0.3: count by pandas, as tags.tags_a.map(sum).sum()")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
