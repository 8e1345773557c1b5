"""Tags on words (Wang et al. 2022): tables, files, agreement of two annotators."""

from .agreement import agreement
from .penn import places, spans, tags_of, words
from .table import read, show, untagged, write

__all__ = ["agreement", "places", "read", "show", "spans", "tags_of", "untagged", "words", "write"]
