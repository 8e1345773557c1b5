"""Finding sentences by their words, and by themselves."""

import pytest

import paragraph as pg

from ..reference import table

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


@pytest.mark.parametrize(
    "words, found",
    [
        ("tea", [0, 1, 2, 3]),  # part of a word will do: steam
        ("tea green", [0, 1, 2]),
        ("  hot \t green\n", [0, 1]),
        ("hot black", []),
        ("OÙ THÉ", [4]),
        ("熱い", [5]),
        ("σίσυφος", [8]),
        ('"quoted"', [7]),
    ],
)
def test_words(graph, words, found):
    assert sorted(graph.search(words)["text"]) == sorted(TEXTS[i] for i in found)


def test_a_word_is_no_pattern(graph):
    for word in ("%", "(", "$5)", "[today]", ".*", "\\d+", "^x$", "{2}", "a|b", "\\", "a.*b", "|"):
        assert graph.search(word)["text"].tolist() == [TEXTS[6]]


def test_order_limit_and_columns(graph):
    found = graph.search("e")
    assert list(found.columns) == ["node", "text", "cluster", "size"]
    assert found["node"].is_monotonic_increasing
    assert found["text"].tolist() == [text for text in graph.texts(range(graph.n)) if "e" in text.lower()]
    for row in found.itertuples():
        assert graph.text(row.node) == row.text
        assert row.cluster == graph.cluster_of[row.node]
        assert row.size == len(graph.members(row.cluster))
    for limit in (0, 1, 3, 99):
        assert graph.search("e", limit=limit)["node"].tolist() == found["node"].tolist()[:limit]


@pytest.mark.parametrize(
    "sentence, nearest",
    [
        ("How hot is green tea", "How hot is green tea?"),
        ("Is a black tea green?", "Is black tea green?"),
        ("Où est le thé à la rose ?", "Où est le thé à la menthe ?"),
    ],
)
def test_the_nearest_sentences_are_named(graph, sentence, nearest):
    with pytest.raises(pg.PairsError) as error:
        graph.node(sentence)
    first, *named = str(error.value).splitlines()
    assert repr(sentence) in first
    assert named[0].strip() == nearest
    assert len(named) <= 3
    assert all(line.strip() in TEXTS for line in named)


@pytest.mark.parametrize("sentence", ["", "xylophone", "\x00", "word " * 10_000])
def test_a_sentence_like_no_other(graph, sentence):
    with pytest.raises(pg.PairsError, match=r"is not in the graph$"):
        graph.node(sentence)


def test_no_sentences():
    graph = pg.ParaphraseGraph.from_pairs(table([]))
    assert graph.search("tea").empty and list(graph.search("tea").columns) == ["node", "text", "cluster", "size"]
    with pytest.raises(pg.PairsError, match="not in the graph"):
        graph.node("tea")


def test_neighbours():
    rows = [
        ("a", "b", 1),
        ("c", "a", 0),
        ("a", "c", 1),
        ("c", "a", 1),
        ("d", "c", 1),
        ("a", "a", 1),
        ("a", "d", None),
    ]
    graph = pg.ParaphraseGraph.from_pairs(table(rows))
    assert graph.neighbours("a").to_dict("records") == [
        {"text": "b", "label": 1, "n_positive": 1, "n_negative": 0, "cluster": 0, "rows": [2]},
        {"text": "c", "label": 1, "n_positive": 2, "n_negative": 1, "cluster": 0, "rows": [3, 4, 5]},
    ]
    assert graph.neighbours("d")["text"].tolist() == ["c"]


@pytest.mark.parametrize("identity, merged", [("normal", "tea"), ("id", "A cup of tea?")])
def test_a_spelling_merged_into_another_is_found(identity, merged):
    rows = table([("Tea?", "x", 1), (merged, "y", 1)], id_a=["1", "1"], id_b=["2", "3"])
    graph = pg.ParaphraseGraph.from_pairs(rows, identity)
    assert graph.n == 3
    assert graph.node(merged) == graph.node("Tea?")


def test_letters_and_their_marks_may_be_composed_or_not():
    graph = pg.ParaphraseGraph.from_pairs(table([("Is the caf\u00e9 open?", "Is the cafe\u0301 shut?", 0)]))
    for word in ("caf\u00e9", "cafe\u0301"):
        assert graph.search(word)["node"].tolist() == [0, 1]


@pytest.mark.parametrize(
    "ask", [lambda g: g.node("\udcff"), lambda g: g.search("\udcff"), lambda g: g.search("a", -1)]
)
def test_what_cannot_be_asked(graph, ask):
    with pytest.raises(pg.PairsError, match=r"half a surrogate|negative"):
        ask(graph)


def test_a_graph_has_a_length_and_knows_its_sentences():
    graph = pg.ParaphraseGraph.from_pairs(table([("a", "b", 1), ("b", "c", 0)]))
    assert len(graph) == 3
    assert "a" in graph and " a " in graph and "d" not in graph and 1 not in graph


def test_a_graph_takes_the_columns_of_files_too():
    pairs = table([("a", "b", 1), ("b", "c", 0)])
    names = {"text_a": "question1", "text_b": "question2", "label": "is_duplicate"}
    graph = pg.ParaphraseGraph.from_pairs(pairs.rename(columns=names))
    assert graph.texts(graph.edge_a) == ["a", "b"] and graph.edge_sign.tolist() == [1, -1]
