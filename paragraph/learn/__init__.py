"""Encoders and pair classifiers: PyTorch and scikit-learn on pair tables and arrays.

A *model* is any object with

- ``name``, ``trained_on`` (what its pretrained weights have seen; "" for none), ``deterministic``;
- ``fit(train, dev=None)``, which returns the model; both are pair tables with a label in every row;
- ``predict_proba(pairs)``: P(paraphrase) of each row, a float64 array, regardless of its label.

`make_model` makes the models of this package by name. A function that takes a model accepts such a name, or any
function from a seed to a model.

A `Tagger`, in `papers`, marks each word that the other sentence cannot paraphrase; `default_tagger` is the one that
ships. It has ``fit(tags)``, ``tag(pairs)``, ``log_odds(pairs)``, ``save(folder)``, ``load(folder)``.

All of this needs ``pip install '.[learn]'``.
Names load when they are first used: torch takes seconds.
"""

from .. import lazy_names

_HOME = {
    "encode": "vectors",
    "Description": "encoder",
    "MissingModel": "encoder",
    "describe": "encoder",
    "PairClassifier": "cross_encoder",
    "Adapter": "adapter",
    "Judge": "judge",
    "TfidfPairs": "baselines",
    "EmbeddingPairs": "baselines",
    "load_model": "models",
    "make_model": "models",
    "out_of_fold": "folds",
    "pair_opinions": "opinions",
}

_PAPERS = {
    "BagOfWords": ".papers.collection.cosine",
    "ClusterParaphraser": ".papers.texts.paraphrases",
    "CosineModel": ".papers.collection.cosine",
    "DenseHead": ".papers.distance.dense",
    "Tagger": ".papers.tags.tagger",
    "default_tagger": ".papers.tags.tagger",
    "make_metric": ".papers.texts.metrics",
    "score": ".papers.texts.scores",
}

__all__ = [*_HOME, *_PAPERS]
__getattr__, __dir__ = lazy_names(__name__, _HOME | _PAPERS)
