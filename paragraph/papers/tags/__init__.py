"""Tags on words (Wang et al. 2022): tables, files, agreement of two annotators, the pairs worth tagging."""

from .agreement import agreement, disagreements
from .penn import places, spans, tags_of, words
from .table import candidates, read, show, untagged, write

__all__ = ["agreement", "candidates", "disagreements", "places", "read", "show", "spans"]
__all__ += ["tags_of", "untagged", "words", "write"]
