"""Tags on words: files of them, and what is measured on them. Known as ``paragraph.tags``."""

from ..pairs.etpc import read_etpc
from ..pairs.multimwa import read_multimwa
from ..pairs.tag_sources import read_any
from ..pairs.tagged import read, untagged, write
from ..words.tokens import places, spans, tags_of, words

__all__ = [
    "places",
    "read",
    "read_any",
    "read_etpc",
    "read_multimwa",
    "spans",
    "tags_of",
    "untagged",
    "words",
    "write",
]
