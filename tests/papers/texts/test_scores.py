"""Scores of generated text: precision and recall, several references, words."""

import numpy as np
import pandas as pd
import pytest

from paragraph.papers.tags.penn import places
from paragraph.papers.tags.penn import words as words_of
from paragraph.papers.tags.pieces import WordReader
from paragraph.papers.tags.tagger import Tagger
from paragraph.papers.texts.metrics import make_metric
from paragraph.papers.texts.scores import score

from ...refused import refused

CANDS = ["A cat sat on the mat.", "The price rose 2.5 percent.", "Nobody came."]
REFS = [["The cat sat on a mat.", "A dog slept."], ["The price fell 3 percent."], ["No one came.", CANDS[2], "x"]]
FLAT = [several[0] for several in REFS]
NAMES = ["rouge1", "rouge2", "bleu", "cosine", "bertscore", "matching"]
PRF = ["P", "R", "F"]


@pytest.fixture(scope="module")
def tagger(tiny, tags):
    """Trees on the vectors of the tiny transformer, fitted to some tags."""
    return Tagger(model=tiny).fit(tags[:40])


@pytest.fixture(scope="module", params=NAMES)
def metric(request, tiny, tagger):
    return make_metric(request.param, encoder=tiny, tagger=tagger)


@pytest.fixture(scope="module")
def found(metric):
    return score(CANDS, REFS, metric)


def test_swapping_swaps_precision_and_recall_and_identical_texts_are_the_top(metric, found):
    there, back = (score(*sides, metric).table for sides in ((CANDS, FLAT), (FLAT, CANDS)))
    assert there["P"].equals(back["R"]) and there["R"].equals(back["P"])
    assert there["F"].equals(back["F"]) or metric.name == "bleu"  # which has no F but its precision
    top, bottom = (score(CANDS, refs, metric).table[PRF].mean() for refs in (CANDS, [*FLAT[1:], FLAT[0]]))
    assert top["F"] >= found.table["F"].mean() > bottom["F"]
    if metric.name in ("rouge1", "cosine", "bertscore"):
        assert top.tolist() == pytest.approx([1, 1, 1])


def test_each_reference_by_itself_then_the_best(metric, found):
    for i, several in enumerate(REFS):
        each = score([CANDS[i]] * len(several), several, metric).table
        best = each[PRF].max().tolist()  # rounding in a batch can pass a threshold of a tree
        assert found.table.loc[i, PRF].tolist() == pytest.approx(best, abs=0.05)
        assert found.table.loc[i, "reference"] == each["F"].argmax()


def best(found, i):
    """A candidate and its best reference, and the words of both with their values."""
    texts = found.cands[i], found.refs[i][found.table["reference"][i]]
    return texts, found.metric.words(*texts)


def test_the_words_stand_in_their_text_and_make_up_the_score(metric, found):
    if metric.name not in ("bertscore", "matching"):
        refused(f"{metric.name} gives single words no values", found.show, 2)
        return
    texts, sides = best(found, 2)
    for text, words in zip(texts, sides, strict=True):
        assert "".join(text[begin:end] for begin, end, _ in words) == text.replace(" ", "")
    alone = score(*([text] for text in texts), metric).table
    for name, words in zip("PR", sides, strict=True):
        assert np.mean([value for *_, value in words]) == pytest.approx(alone[name][0])
    assert found.show(2)._repr_html_().count("<span") == sum(map(len, sides))


def test_bertscore_by_hand(tiny):
    a, b = CANDS[0], FLAT[0]
    sentences = [(text, places(text, words_of(text))) for text in (a, b)]
    x, y = WordReader(tiny, [1])(sentences)  # of two layers the first is the middle one
    cosines = x[0] @ y[0].T
    p, r = cosines.max(1).mean(), cosines.max(0).mean()
    found = score([a], [b], "bertscore", encoder=tiny)
    np.testing.assert_allclose([*found], [[p], [r], [2 * p * r / (p + r)]], atol=1e-5)


def test_matching_by_hand(tagger, tmp_path):
    """S = G₀ − G₁ of each word; F is its mean over the words of both texts, not the harmonic mean of P and R."""
    odds = [(-a, -b) for a, b in tagger.log_odds(pd.DataFrame({"text_a": CANDS, "text_b": FLAT}))]
    found = score(CANDS, FLAT, "matching", tagger=tagger)
    expected = [[a.mean(), b.mean(), np.concatenate([a, b]).mean()] for a, b in odds]
    np.testing.assert_allclose(found.table[PRF], expected, atol=1e-9)
    assert abs(found.table["F"] - found.table[["P", "R"]].mean(axis=1)).max() > 1e-6  # of words, not of sides
    tagger.save(tmp_path)
    again = score(CANDS, FLAT, "matching", tagger=tmp_path)
    assert again.table.equals(found.table)
    with pytest.warns(UserWarning, match="1 of 2 pairs have an empty text and no score") as caught:
        empty = score(["", "A cat."], ["A dog."] * 2, "matching", tagger=tagger)
    assert np.isnan(empty.table["F"][0]) and np.isfinite(empty.table["F"][1]) and caught[0].filename == __file__


def test_what_is_wrong_is_said_and_a_page_shows_text_as_text(tiny):
    for cands, refs, options, message in [
        ("a", ["b"], {}, "lists of texts"),
        (["a"], ["b", "c"], {}, "a reference or references for each"),
        (["a", "b"], [["c"], []], {}, "row 1: no reference for 'b'"),
        (["a", 3], ["c", "d"], {}, "row 1: text 0 is not text but int: 3"),
        (["a"], [["c", None]], {}, "row 0: text 2 is not text but NoneType"),
        (["a", "\ud800"], ["c", "d"], {}, "row 1: text 0 is not valid Unicode"),
        (["a"], ["b"], {"metric": "rouge3"}, "'rouge3' is not one of rouge1"),
    ]:
        refused(message, score, cands, refs, **{"metric": "rouge1", **options})
    page = score(["<b>a</b> & c"], ["<b>a</b>"], "bertscore", encoder=tiny).show(0)._repr_html_()
    assert "<b>" not in page.replace("<b>bertscore", "") and "&lt;" in page and "&amp;" in page
