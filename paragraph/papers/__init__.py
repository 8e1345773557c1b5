"""The papers' experiments, one folder each: the core of the package imports nothing from it, and runs without it.

``models``       models of pairs, and their training
``experiments``  training on sets that follow from others, runs and their differences (Chen, Ji and Evans 2020)
``distance``     labels by their distance (Jurišić, Miličević and Srzić 2023)
``collection``   the pairs to label next, and scores on all pairs (Mussmann, Jia and Liang 2020)
``tags``         words that the other sentence cannot paraphrase (Wang et al. 2022)
``texts``        scores of generated texts, and paraphrases to order (Wang et al. 2022)
``japanese``     phrases in another order (Takahagi and Shinnou 2023)
``claims``       the numbers that these papers print, recomputed
"""

from .. import lazy_names

_HOME = dict.fromkeys(
    ("claims", "collection", "distance", "experiments", "japanese", "models", "tags", "texts"), ""
)
_HOME |= {
    "BagOfWords": "collection.bag",
    "Tagger": "tags.tagger",
    "all_pairs": "collection.all_pairs",
    "best_threshold": "tags.scores",
    "default_tagger": "tags.tagger",
    "detectable_accuracy_difference": "experiments.significance",
    "draw_learning_curve": "experiments.charts",
    "load_model": "models",
    "make_metric": "texts.metrics",
    "make_model": "models",
    "scores": "experiments.scoring",
    "tag_scores": "tags.scores",
}

__all__ = [*_HOME]
__getattr__, __dir__ = lazy_names(__name__, _HOME)
