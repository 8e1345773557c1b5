"""Encoders, and judges of pairs: who says how probable it is that two sentences mean the same.

All of this needs ``pip install '.[learn]'``. Names load when they are first used: torch takes seconds. So do those
of `papers` that are at hand here: models of pairs and their training (`papers.models`), taggers of words, scores of
texts, paraphrasers.
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
    "Seq2SeqParaphraser": ".papers.texts.paraphrases",
    "default_tagger": ".papers.tags.taggers",
    "load_model": ".papers.models",
    "load_tagger": ".papers.tags.taggers",
    "make_metric": ".papers.texts.metrics",
    "make_model": ".papers.models",
    "make_tagger": ".papers.tags.taggers",
    "out_of_fold": ".papers.models.folds",
    "score": ".papers.texts.scores",
}

__all__ = [*_HOME, *_PAPERS]
__getattr__, __dir__ = lazy_names(__name__, _HOME | _PAPERS)
