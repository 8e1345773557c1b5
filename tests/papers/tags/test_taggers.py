"""The tagger: trees as arrays, words as tokens, what it tags and refuses."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

import paragraph as pg
from paragraph.papers.tags.features import columns, names
from paragraph.papers.tags.pieces import tokens_of
from paragraph.papers.tags.trees import grow

from ...learn.tiny import tiny_bert
from ...refused import refused


def pairs(*rows):
    """A table of pairs of texts, each cut at its spaces; a word in capitals has the tag 1."""
    found = {}
    for k, side in enumerate("ab"):
        found[f"text_{side}"] = [row[k] for row in rows]
        found[f"words_{side}"] = [row[k].split() for row in rows]
        found[f"tags_{side}"] = [[int(word.isupper()) for word in row[k].split()] for row in rows]
    return pd.DataFrame(found)


@pytest.fixture(scope="module")
def tagger(tags, tiny):
    return pg.papers.Tagger(model=tiny).fit(tags[:60])


def test_trees_say_what_scikit_learn_says():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1000, 6)).astype(np.float32)
    label = (x[:, 0] * x[:, 1] + x[:, 2] + rng.normal(size=1000) > 0).astype(int)
    options = {"max_iter": 20, "max_leaf_nodes": 12}
    theirs = HistGradientBoostingClassifier(early_stopping=False, random_state=3, **options).fit(x, label)
    ours = grow(x, label, 3, **options)
    np.testing.assert_allclose(ours.log_odds(x), theirs.decision_function(x), rtol=0, atol=1e-12)
    assert np.array_equal(ours.log_odds(x[:700]), ours.log_odds(x)[:700])  # whatever else is asked


def test_trees_that_lead_nowhere_are_refused():
    x = np.repeat([[0.0, 0.0], [1.0, 0.0]], 50, axis=0)
    trees = grow(x, x[:, 0], max_iter=2).checked(2)
    for field, value in (("left", 0), ("right", 10**6), ("root", -1), ("column", 9), ("value", np.nan)):
        array = getattr(trees, field).copy()
        array[0] = value
        with pytest.raises(ValueError):
            trees._replace(**{field: array}).checked(2)


@pytest.mark.parametrize("words, tokens, found", [
    ([(0, 7)], [(0, 3), (3, 7)], ([0], [2])),  # a word of two tokens
    ([(0, 3), (3, 6)], [(0, 6)], ([0, 0], [1, 1])),  # "can", "not": one token of both
    ([(0, 1), (2, 5)], [(2, 5)], ([0, 0], [0, 1])),  # a word of which no token is made
    ([(0, 3), (4, 7)], [(0, 3), (3, 7)], ([0, 1], [1, 2])),  # a token that begins with the space before it
    ([], [], ([], [])),
])  # fmt: skip
def test_tokens_of_words(words, tokens, found):
    assert tuple(each.tolist() for each in tokens_of(words, tokens)) == found


def test_columns_are_as_many_as_names_and_swap_with_the_sentences():
    a, b = ["The", "cat", "paid", "$", "2.5", "twice"], ["A", "cats", "pays", "3.5"]
    alike = np.random.default_rng(0).random((2, len(a), len(b)))
    found = columns(a, b, alike, [3, 6])
    assert found.shape == (len(a) + len(b), len(names([3, 6]))) and np.isfinite(found).all()
    swapped = columns(b, a, alike.transpose(0, 2, 1), [3, 6])
    assert np.array_equal(swapped, np.concatenate([found[len(a) :], found[: len(a)]]))
    row = dict(zip(names([3, 6]), found[1].tolist(), strict=True))
    assert (row["exact"], row["stem"], row["cosine 3"]) == (0, 1, pytest.approx(alike[0, 1].max()))
    for a in (["cat"], []):  # a sentence without words
        found = columns(a, [], np.zeros((1, len(a), 0)), [3])
        assert found.shape == (len(a), len(names([3]))) and np.isfinite(found).all()


def bits(tagger, table):
    return [x.hex() for pair in tagger.log_odds(table) for side in pair for x in side.tolist()]


def test_a_saved_tagger_is_the_same_and_damaged_it_is_refused(tagger, tags, tmp_path):
    tagger.save(tmp_path)
    again = pg.papers.Tagger.load(tmp_path, progress=True)
    assert again.progress and bits(again, tags[:40]) == bits(tagger, tags[:40])
    for path in tmp_path.glob("*tag*er.*"):
        path.write_bytes(path.read_bytes()[:100])
    refused("damaged", pg.papers.Tagger.load, tmp_path)


def test_every_word_gets_a_probability_and_its_tag_follows_the_threshold(tagger, tags):
    found = tagger.tag(tags[:20])
    assert found["text_a"].tolist() == tags["text_a"][:20].tolist() and set(found["annotator"]) == {tagger.name}
    for side in "ab":
        for words, ps, marks in zip(*(found[f"{name}_{side}"] for name in ("words", "p", "tags")), strict=True):
            assert len(words) == len(ps) == len(marks) and all(0 < p < 1 for p in ps)
            assert marks == [int(p >= tagger.threshold) for p in ps]
    found = tagger.tag(pd.DataFrame({"question1": ["Is it hot?"], "question2": ["It isn't."]}))  # no words yet
    assert found["words_b"][0] == ["It", "is", "n't", "."] and len(found["p_b"][0]) == 4
    long = " ".join(["cats purr and dogs bark"] * 60)
    with pytest.warns(UserWarning, match="1 of 3 texts are longer than .* and were cut"):
        found = tagger.tag(pairs((long, long), ("cats purr", "dogs bark")))
    assert [len(each) for each in found["p_a"]] == [300, 2]


def test_what_cannot_be_learnt_from_and_an_unfitted_tagger_are_refused(tiny, tmp_path):
    tagger, table = pg.papers.Tagger(model=tiny), pairs(("cats", "DOGS"))
    for act, message in (
        (lambda: tagger.fit(pairs()), "is empty"),
        (lambda: tagger.fit(pairs(("cats purr", "cats purr"))), "all 4 words have the tag 0"),
        (lambda: tagger.fit(table[["text_a", "text_b"]]), "needs tags"),
        (lambda: tagger.fit(table.assign(tags_a=[[0, 1]])), "row 0: text_a: 2 tags for 1 words"),
        (lambda: tagger.tag(table), "is not fitted"),
        (lambda: tagger.save(tmp_path / "model"), "is not fitted"),
    ):
        refused(message, act)


def test_vectors_of_other_weights_are_refused(tags, tmp_path):
    model = tiny_bert(tmp_path / "bert", seed=1)
    pg.papers.Tagger(model=model).fit(tags[:40]).save(tmp_path / "model")
    tiny_bert(tmp_path / "bert", seed=2)
    refused("other weights", pg.papers.Tagger.load, tmp_path / "model")
