"""A model that chooses the pairs to label next, and learns from the labels."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import numpy as np
import pandas as pd
from scipy.special import expit

from ...files import PairsError
from ...files.errors import check_int
from ...graph import ParaphraseGraph
from ...learn.vectors import check_texts
from ...pairs.tables import canonical, column
from ..models.labels import training_labels
from .bag import BagOfWords
from .cosine import Cosine
from .ranking import cosines, scaled
from .worlds import World, near_pairs, random_pairs, without

__all__ = ["STRATEGIES", "Learner"]

#: What a strategy takes first, given cosines and log-odds of pairs: the least of these values. None: it looks at
#: neither.
STRATEGIES = {
    "random": None,
    "static": lambda cosine, logit: -cosine,  # of the encoder as it was before any label
    "adaptive": lambda cosine, logit: -cosine,  # the probability grows with the cosine
    "uncertainty": lambda cosine, logit: np.abs(logit),
}
#: Labels by the two texts in alphabetical order, with the texts as they were given.
Known = dict[tuple[str, str], tuple[str, str, int]]


class Learner:
    """Active learning among all pairs of some sentences (Mussmann, Jia and Liang 2020, section 4).

    `query` names pairs, a person or an oracle labels them, `teach` takes the labels and trains anew, from the
    pretrained weights, on all that is known. No label of the graph is ever looked at.

    Parameters
    ----------
    sentences : sequence of str, or ParaphraseGraph
    encoder : "bow", "minilm", hub id, folder or Cosine
        The model that is trained (see `Cosine`). ``"bow"`` is a bag of the words of these sentences. A fitted
        model is used from the first question on, and training begins there.
    seed : int
        Draws random pairs, and seeds training.
    neighbours : int
        Strategies look among this many nearest of each sentence, and among more where these are all known.
    progress
        Progress bars of the model of a named encoder.

    Attributes
    ----------
    texts : list of str
    known : DataFrame
        The pair table of what was taught: each unordered pair once, with its last label.
    round : int
        How often it was taught.
    model : Cosine
        The model as it is now.

    Examples
    --------
    >>> learner = Learner(["Is tea hot?", "Is hot tea nice?", "Who sang it?", "Who sang that?"], progress=False)
    >>> batch = learner.query(2)
    >>> batch["text_b"].tolist()
    ['Is hot tea nice?', 'Who sang that?']
    >>> learner.teach(batch.assign(label=[0, 1]))
    >>> learner.query(9, "random").shape, len(learner.known)
    ((4, 3), 2)
    """

    def __init__(
        self,
        sentences: Sequence[str] | ParaphraseGraph,
        encoder: str | PathLike | Cosine = "bow",
        *,
        seed: int = 0,
        neighbours: int = 100,
        progress: bool = True,
    ):
        self.world = world_of(sentences)
        self.texts = self.world.graph.sentences.to_pylist()
        self.seed = check_int("seed", seed, 0)
        self.neighbours = check_int("neighbours", neighbours)
        self.round = 0
        if not self.world.size:
            raise PairsError(f"{len(self.texts)} different sentences make no pair")
        # In the order of their letters: nothing depends on the order they came in, or on which side is left.
        by_letters = np.argsort(np.array(self.texts, dtype=object))
        self._place = np.argsort(by_letters)
        model = model_of(encoder, sorted(self.texts), progress=progress)
        model.seed = seed
        self._begin = model
        self._first = self._vectors_by(model)
        known: Known = {}
        self._state = (model, self._first, known)

    @property
    def model(self) -> Cosine:
        return self._state[0]

    @property
    def known(self) -> pd.DataFrame:
        return _table(self._state[2])

    def query(self, n: int, strategy: str = "uncertainty") -> pd.DataFrame:
        """Choose the pairs to ask about next, the most similar first: `text_a`, `text_b`, `p`.

        At most n pairs, none of them known. `p` is the probability of a paraphrase, missing before anything was
        taught. The same call gives the same pairs.

        Parameters
        ----------
        n : int
        strategy : {"uncertainty", "adaptive", "static", "random"}
            The least |log-odds|; the highest probability; the highest cosine of the encoder as it was before any
            label; any pairs. With nothing learnt yet, the first two are ``"static"``.
        """
        if strategy not in STRATEGIES:
            raise PairsError(f"strategy {strategy!r} is not one of {', '.join(STRATEGIES)}")
        check_int("n", n)
        model, vectors, known = self._state
        closed = self._ranks([*known])
        fitted = model.network is not None
        key = STRATEGIES[strategy]
        if not fitted and strategy != "random":
            key = STRATEGIES["static"]
        of = self._first if strategy == "static" else vectors
        if key is None:
            state = [self.seed, len(known)]
            ranks, _ = random_pairs(self.world, closed, n, state)
        else:
            ranks = self._candidates(of, n, closed)
        a, b = self.world.ends(ranks)
        cosine = cosines(vectors, a, b)
        logit = np.full(len(cosine), np.nan)
        if fitted:
            logit = model.logits(cosine)
        ends = [self._place[a], self._place[b]]
        ties = np.sort(ends, axis=0)[::-1]
        chosen = np.arange(len(ranks))
        if key:
            first = cosine
            if of is not vectors:
                first = cosines(of, a, b)
            value = key(first, logit)
            best_first = np.lexsort([*ties, -first, value])
            chosen = best_first[:n]
        of_chosen = ties[:, chosen]
        nearest_first = np.lexsort([*of_chosen, -cosine[chosen]])
        chosen = chosen[nearest_first]
        table = self.world.table(ranks[chosen])
        return table.assign(p=expit(logit[chosen]))

    def _candidates(self, vectors: np.ndarray, n: int, closed: np.ndarray) -> np.ndarray:
        """Return the ranks of pairs of each sentence and its nearest, of more where fewer than n are not `closed`."""
        near = self.neighbours
        while True:
            ranks = near_pairs(self.world, vectors, near)
            found = without(ranks, closed)
            if len(found) >= n or near >= self.world.n:
                return found
            near *= 2

    def teach(self, batch: pd.DataFrame) -> None:
        """Add labelled pairs, in place of earlier labels of the same pairs, and train anew on all that is known.

        An empty batch changes nothing. The labels are in the column `label`, or in `same`, as in
        `PairReview.answered`, where pairs without an answer are left out. One label alone will do, and pairs of other
        sentences too. Raises `PairsError` where a label is missing or is not 0 or 1.
        """
        batch = canonical(batch, "a batch of labelled pairs")
        if "same" in batch and "label" not in batch:
            batch = batch.dropna(subset="same")
            batch = batch.rename(columns={"same": "label"})
        if not len(batch):
            return
        labels = training_labels(batch, "labelled", one_will_do=True).tolist()
        left = self._spelt(batch, "text_a")
        right = self._spelt(batch, "text_b")
        found = dict(self._state[2])
        for a, b, label in zip(left, right, labels, strict=True):
            if a != b:
                pair = (min(a, b), max(a, b))
                found[pair] = (a, b, label)
        in_order = {}
        for pair in sorted(found):
            *_, label = found[pair]
            in_order[pair] = (*pair, label)
        table = _table(in_order)
        model = self._begin.renewed().fit(table)
        # At once: an interruption leaves everything as it was.
        self._state = model, self._vectors_by(model), found
        self.round += 1

    def _vectors_by(self, model: Cosine) -> np.ndarray:
        vectors = model.vectors(sorted(self.texts))
        return scaled(vectors, len(self.texts))[self._place]

    def _spelt(self, batch: pd.DataFrame, name: str) -> list[str]:
        """Return the texts of a column as this learner spells them, where they are among its own."""
        texts = column(batch, name).to_pylist()
        nodes = self.world.nodes(texts).tolist()
        spelt = []
        for node, text in zip(nodes, texts, strict=True):
            spelt.append(self.texts[node] if node >= 0 else text)
        return spelt

    def _ranks(self, pairs: list[tuple[str, str]]) -> np.ndarray:
        """Return the sorted ranks of the pairs that are of this world."""
        a = self.world.nodes([one for one, _ in pairs])
        b = self.world.nodes([other for _, other in pairs])
        there = (a >= 0) & (b >= 0)
        ranks = np.unique(self.world.ranks(a[there], b[there]))
        return ranks[ranks >= 0]


def _table(known: Known) -> pd.DataFrame:
    rows = list(known.values())
    table = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    return table.astype({"label": "Int8"})


def model_of(encoder: str | PathLike | Cosine, texts: Sequence[str], **options) -> Cosine:
    """Make the model of an encoder as `Learner` names it, for these sentences; options are those of `Cosine`."""
    if isinstance(encoder, Cosine):
        return encoder.renewed(here=True)
    if encoder == "bow":
        encoder = BagOfWords.of(texts)
    return Cosine(encoder, **options)


def world_of(sentences: Sequence[str] | ParaphraseGraph) -> World:
    """Make the world of a graph, or of sentences without any label."""
    if isinstance(sentences, ParaphraseGraph):
        return World(sentences)
    check_texts(sentences)
    # A row that pairs a sentence with itself names it, and is no edge.
    pairs = pd.DataFrame({"text_a": sentences, "text_b": sentences}, dtype="str")
    return World(ParaphraseGraph.from_pairs(pairs.assign(label=pd.NA)))
