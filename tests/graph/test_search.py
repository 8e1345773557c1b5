"""Finding sentences by their words, and by themselves."""

import pytest

import paragraph as pg

from ..reference import table
from ..refused import refused

TEXTS = [
    "How hot is green tea?",
    "Is GREEN tea hot?",
    "Is black tea green?",
    "Where does the steam train go?",
    "Où est le thé à la menthe ?",
    "緑茶は熱い?",
    "50% off (or $5) [today] a.*b \\d+ ^x$ {2} a|b",
    "Does \"quoted\" text\tcount?",
    "ΣΊΣΥΦΟΣ καὶ στόνος",
]  # fmt: skip


@pytest.fixture(scope="module")
def graph():
    return pg.ParaphraseGraph.from_pairs(table([(TEXTS[i - 1], text, i % 2) for i, text in enumerate(TEXTS)]))


def test_words(graph):
    for words, found in (
        ("tea", [0, 1, 2, 3]),  # part of a word will do: steam
        ("  hot \t green\n", [0, 1]),
        ("hot black", []),
        ("teas", [0, 1, 2]),  # a form of a word is a whole word: not steam
        ("OÙ THÉ", [4]),
        ("OU\u0300", [4]),  # letters and their marks may be composed or not
        ("熱い", [5]),
        ("σίσυφος", [8]),
        ('"quoted"', [7]),
        *((word, [6]) for word in ("%", "$5)", "[today]", ".*", "\\d+", "^x$", "{2}", "a|b", "\\")),  # no patterns
    ):
        assert sorted(graph.search(words)["text"]) == sorted(TEXTS[i] for i in found), words


def test_a_sentence_that_is_not_there(graph):
    for sentence, nearest in (
        ("How hot is green tea", "How hot is green tea?"),
        ("Où est le thé à la rose ?", "Où est le thé à la menthe ?"),
    ):
        first, *named = refused("is not in the graph", graph.node, sentence).splitlines()
        assert repr(sentence) in first and named[0].strip() == nearest
        assert len(named) <= 3 and all(line.strip() in TEXTS for line in named)
    none = pg.ParaphraseGraph.from_pairs(table([]))
    assert none.search("tea").empty and list(none.search("tea").columns) == ["node", "text", "cluster", "size"]
    for sentence in ("", "xylophone", "\x00", "word " * 10_000):
        refused("is not in the graph$", graph.node, sentence)
    refused("is not in the graph$", none.node, "a")
    for ask in (graph.node, graph.search):
        refused("half a surrogate", ask, "\udcff")
    refused("negative", graph.search, "a", -1)
    assert len(graph) == len(TEXTS) and f" {TEXTS[0]} " in graph and "d" not in graph and 1 not in graph
