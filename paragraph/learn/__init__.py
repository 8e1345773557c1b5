"""Encoders, and judges of pairs: who says how probable it is that two sentences mean the same.

All of this needs ``pip install '.[learn]'``. Names load when they are first used: torch takes seconds. Some names of
`papers` are here, too: models of pairs and their training, the tagger of words, scores of texts, paraphrasers.
"""

from .. import lazy_names

_HOME = {
    "encode": "vectors",
    "Description": "encoder",
    "MissingModel": "encoder",
    "describe": "encoder",
    "Adapter": "adapter",
    "Judge": "judge",
}

_PAPERS = {
    "BagOfWords": ".papers.collection.cosine",
    "ClusterParaphraser": ".papers.texts.paraphrases",
    "Tagger": ".papers.tags.tagger",
    "default_tagger": ".papers.tags.tagger",
    "load_model": ".papers.models",
    "make_metric": ".papers.texts.metrics",
    "make_model": ".papers.models",
    "out_of_fold": ".papers.models.folds",
    "score": ".papers.texts.scores",
}

__all__ = [*_HOME, *_PAPERS]
__getattr__, __dir__ = lazy_names(__name__, _HOME | _PAPERS)
