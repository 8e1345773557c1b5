"""Paraphrases made to order: where they come from, what is left out, and that a copy is none."""

import pandas as pd
import pytest

import paragraph as pg
from paragraph.papers.texts.paraphrases import ClusterParaphraser, Paraphraser, Seq2SeqParaphraser

from ...growth import LINEAR, exponent
from ...learn.synonyms import Synonyms
from ...reference import graph_of
from ...refused import refused

BUY, BUYING, SELL, SOLD = "How do I buy tea?", "How do I purchase tea?", "How do I sell tea?", "Where is tea sold?"
ROWS = [
    (BUY, BUYING, 1), (BUYING, SOLD, 1), (BUY, SELL, 1),  # the last one is wrong
    (SELL, SOLD, 0), ("Is tea hot?", "Is tea cold?", 0),
]  # fmt: skip
GRAPH = graph_of(*ROWS)
TAGGER = Synonyms(("buy", "purchase"))


class Fixed(Paraphraser):
    """Proposes what it is told to."""

    def __init__(self, found, tagger=None, theta=0.05):
        super().__init__(tagger, theta)
        self.found = found

    def _propose(self, texts, n, progress):
        return [[(one, "told", []) for one in self.found] for _ in texts]


def test_members_of_a_cluster_come_nearest_first_with_their_path_or_a_tagger_leaves_them_out():
    found = ClusterParaphraser(GRAPH).paraphrases([SELL, BUY])
    assert found[["text", "paraphrase", "why"]].to_numpy().tolist() == [
        [SELL, BUY, "row 4"],
        [SELL, BUYING, "rows 4, 2"],  # and not the one that it is stated not to be
        [BUY, BUYING, "row 2"],
        [BUY, SELL, "row 4"],
        [BUY, SOLD, "rows 2, 3"],
    ]
    assert found.loc[1, "proof"] == [SELL, BUY, BUYING] and found["share"].isna().all()
    found = ClusterParaphraser(GRAPH, TAGGER).paraphrases([BUY])
    assert found[["paraphrase", "share"]].to_numpy().tolist() == [[BUYING, 0.0]] and found.attrs["tagged"] == 2


def test_a_copy_is_no_paraphrase():
    for copy in (BUY, "how do I buy tea", "How do I buy  tea ?"):
        found = Fixed([copy]).paraphrases([BUY])
        assert found.empty and found.attrs["copies"] == 1 and found.attrs["without"] == [BUY]


def test_theta_is_the_share_of_words_that_may_be_tagged_and_the_least_doubtful_come_first():
    for theta, kept in ((0, 0), (0.19, 0), (0.2, 1), (1, 1)):
        found = Fixed(["Do I sell it now"], Synonyms(("how", "now")), theta).paraphrases(["how do I buy it"])
        assert len(found) == kept and found.attrs["tagged"] == 1 - kept
    found = Fixed(["Do I sell it now", "how may I get it", "how may I buy it"], Synonyms(), 1)
    table = found.paraphrases(["how do I buy it"])
    assert table["share"].tolist() == [0.2, 0.4, 0.4] and table["paraphrase"][0] == "how may I buy it"


@pytest.mark.slow
def test_texts_without_a_paraphrase_come_in_their_order_in_linear_time():
    def work(size):
        texts = [f"how do i buy {i}" for i in range(size, 0, -1)]
        assert Fixed([]).paraphrases(texts).attrs["without"] == texts

    assert exponent(work, 2_500, 40_000) < LINEAR


def test_errors():
    for make, message in [
        (lambda: ClusterParaphraser(GRAPH).paraphrases("How?"), "a list of texts is expected, not one str"),
        (lambda: ClusterParaphraser(GRAPH).paraphrases([None]), "sentence 0 is not text"),
        (lambda: ClusterParaphraser(GRAPH).paraphrases(["\ud800"]), "sentence 0 is not valid Unicode"),
        (lambda: ClusterParaphraser(GRAPH, theta=2), "theta 2"),
    ]:
        refused(message, make)


WRITTEN = [("how do i buy tea", "where is tea sold"), ("why so late", "what took so long")]
TAUGHT = pd.DataFrame([*WRITTEN, ("is tea hot", "who won")], columns=["text_a", "text_b"]).assign(label=[1, 1, 0])


@pytest.mark.slow
def test_a_model_writes_what_it_was_taught_both_ways_and_is_the_same_when_read_again(bart, tmp_path):
    model = Seq2SeqParaphraser(bart, epochs=30, lr=1e-2).fit(TAUGHT)
    asked = [text for pair in WRITTEN for text in pair]
    found = model.paraphrases(asked, n=1)
    assert found["paraphrase"].tolist() == [pair[1 - i] for pair in WRITTEN for i in (0, 1)]
    model.save(tmp_path / "model")
    again = Seq2SeqParaphraser(tmp_path / "model").paraphrases(asked, n=1)
    assert again["paraphrase"].tolist() == found["paraphrase"].tolist() and set(again["why"]) == {"written by model"}


@pytest.mark.slow
def test_pairs_are_chosen_by_the_tagger(bart, monkeypatch):
    seen = []
    monkeypatch.setattr(Seq2SeqParaphraser, "_tokens", lambda self, texts: seen.append(texts) or [[1]] * len(texts))
    monkeypatch.setattr("transformers.Seq2SeqTrainer.train", lambda self: None)
    close = pd.DataFrame({"text_a": ["i buy tea", "i sell tea"], "text_b": ["i purchase tea", "i buy tea"]})
    for theta in (0, 1):
        Seq2SeqParaphraser(bart, TAGGER, theta).fit(close)
    assert seen == [["i buy tea", "i purchase tea"], ["i buy tea", "i sell tea", "i purchase tea", "i buy tea"]]


@pytest.mark.slow
def test_a_model_counts_long_texts_and_refuses_what_it_cannot_use(bart, tiny, tmp_path):
    with pytest.warns(UserWarning, match="1 texts are longer than 8 tokens"):
        Seq2SeqParaphraser(bart, max_length=8).paraphrases(["a b", "a b c d e f g h i j"])
    refused("of 3 pairs none is a paraphrase", Seq2SeqParaphraser(bart, Synonyms()).fit, TAUGHT)
    refused("no config", Seq2SeqParaphraser, tmp_path)
    with pytest.raises(pg.PairsError):
        Seq2SeqParaphraser(tiny)
