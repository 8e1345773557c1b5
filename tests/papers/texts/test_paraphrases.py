"""Paraphrases made to order: where they come from, what is left out, and that a copy is none."""

import pytest

from paragraph.papers.texts.paraphrases import paraphrases

from ...growth import LINEAR, exponent
from ...learn.synonyms import Synonyms
from ...reference import graph_of

BUY, BUYING, SELL, SOLD = "How do I buy tea?", "How do I purchase tea?", "How do I sell tea?", "Where is tea sold?"
ROWS = [
    (BUY, BUYING, 1), (BUYING, SOLD, 1), (BUY, SELL, 1),  # the last one is wrong
    (SELL, SOLD, 0), ("Is tea hot?", "Is tea cold?", 0),
]  # fmt: skip
GRAPH = graph_of(*ROWS)
TAGGER, ASKED = Synonyms(("buy", "purchase")), "how do I buy it"


def test_members_of_a_cluster_come_nearest_first_with_their_path_or_a_tagger_leaves_them_out():
    found = paraphrases(GRAPH, [SELL, BUY])
    assert found[["text", "paraphrase", "why"]].to_numpy().tolist() == [
        [SELL, BUY, "row 4"],
        [SELL, BUYING, "rows 4, 2"],  # and not the one that it is stated not to be
        [BUY, BUYING, "row 2"],
        [BUY, SELL, "row 4"],
        [BUY, SOLD, "rows 2, 3"],
    ]
    assert found["share"].isna().all()
    found = paraphrases(GRAPH, [BUY], tagger=TAGGER)
    assert found[["paraphrase", "share"]].to_numpy().tolist() == [[BUYING, 0.0]] and found.attrs["tagged"] == 2


def test_a_copy_is_no_paraphrase():
    for copy in ("how do I buy tea", "How do I buy  tea ?"):
        found = paraphrases(graph_of((BUY, copy, 1)), [BUY])
        assert found.empty and found.attrs["copies"] == 1 and found.attrs["without"] == [BUY]


def test_theta_is_the_share_of_words_that_may_be_tagged_and_the_least_doubtful_come_first():
    for theta, kept in ((0, 0), (0.19, 0), (0.2, 1), (1, 1)):
        graph = graph_of((ASKED, "Do I sell it now", 1))
        found = paraphrases(graph, [ASKED], tagger=Synonyms(("how", "now")), theta=theta)
        assert len(found) == kept and found.attrs["tagged"] == 1 - kept
    rows = [(ASKED, other, 1) for other in ("Do I sell it now", "how may I get it", "how may I buy it")]
    table = paraphrases(graph_of(*rows), [ASKED], tagger=Synonyms(), theta=1)
    assert table["share"].tolist() == [0.2, 0.4, 0.4] and table["paraphrase"][0] == "how may I buy it"


@pytest.mark.slow
def test_texts_without_a_paraphrase_come_in_their_order_in_linear_time():
    def work(size):
        texts = [f"how do i buy {i}" for i in range(size, 0, -1)]
        assert paraphrases(GRAPH, texts).attrs["without"] == texts

    assert exponent(work, 2_500, 40_000) < LINEAR
