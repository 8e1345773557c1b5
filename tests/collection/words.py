"""A learner that is one number: how alike two sentences must be in their words. Quick enough for the tests."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd

from paragraph.decisions.records import pair_of


class WordLearner:
    """The interface of `paragraph.Learner`, over the share of words that two sentences have in common."""

    def __init__(self, texts, labels=None, two_sided=False):
        self.texts, self.world = list(texts), SimpleNamespace(two_sided=two_sided)
        self.labels = pd.DataFrame({"text_a": [], "text_b": [], "label": []}) if labels is None else labels
        words = [{*text.lower().split()} for text in self.texts]
        self.share = {
            (a, b): len(words[a] & words[b]) / len(words[a] | words[b]) for a, b in combinations(range(len(words)), 2)
        }
        self.round, self.at = 0, 0.5
        self._known = {pair_of(a, b): y for a, b, y in self.labels[["text_a", "text_b", "label"]].values.tolist()}
        self.taught = []  # the labels of each round

    @property
    def known(self):
        rows = [(*sorted(pair), label) for pair, label in self._known.items()]
        return pd.DataFrame(rows, columns=["text_a", "text_b", "label"])

    def query(self, n, strategy="uncertainty", skip=()):
        least = {"uncertainty": lambda share: abs(share - self.at), "adaptive": lambda share: -share}[strategy]
        skip = {pair_of(*pair) for pair in skip} | {*self._known}
        free = [pair for pair in self.share if pair_of(*(self.texts[i] for i in pair)) not in skip]
        chosen = sorted(free, key=lambda pair: (least(self.share[pair]), pair))[:n]
        chosen.sort(key=lambda pair: (-self.share[pair], pair))
        p = [1 / (1 + np.exp(10 * (self.at - self.share[pair]))) if self.round else np.nan for pair in chosen]
        table = pd.DataFrame([(self.texts[a], self.texts[b]) for a, b in chosen], columns=["text_a", "text_b"])
        return table.assign(p=np.array(p, dtype=float))

    def teach(self, table, labels=None, instead=False):
        labels = table["label"].tolist() if labels is None else [*labels]
        known = {pair_of(a, b): y for a, b, y in zip(table["text_a"], table["text_b"], labels, strict=True)}
        self._known = known if instead else self._known | known
        self.round += 1
        self.taught.append(self._known)
        number = {text: i for i, text in enumerate(self.texts)}
        ones = [tuple(sorted(number[text] for text in pair)) for pair, label in self._known.items() if label]
        self.at = float(np.mean([self.share[pair] for pair in ones])) if ones else 0.5

    def dev_ap(self, graph):
        return self.round / 100
