"""Tags on words (Wang et al. 2022): tables, files, agreement of two annotators, the pairs worth tagging."""

from .agreement import agreement, disagreements
from .penn import places, spans, tags_of, words
from .sources import read_etpc, read_multimwa
from .table import candidates, read, show, untagged, write

__all__ = ["agreement", "candidates", "disagreements", "places", "read", "read_etpc"]
__all__ += ["read_multimwa", "show", "spans", "tags_of", "untagged", "words", "write"]
