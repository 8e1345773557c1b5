"""ROUGE as ROUGE-1.5.5 counts, against a plain reading of its rules and the figures printed with it."""

import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragraph.papers.texts.ngrams import ROUGE, bleu, rouge


@pytest.mark.parametrize("candidate, reference, kind, precision, recall, f", [
    ("the cat sat", "The cats sat!", "rouge1", 1, 1, 1),  # case, endings and points aside
    ("a b b b", "b b c", "rouge1", 0.5, 0.66667, 0.57143),  # clipped; F from the rounded values
    ("a b c", "a b d", "rouge2", 0.5, 0.5, 0.5),
    ("a . b", "a b", "rouge2", 1, 1, 1),  # pairs of neighbours run across sentences
    ("a", "a", "rouge2", 0, 0, 0),  # no pair
    ("c b a", "a b c", "rougeL", 0.33333, 0.33333, 0.33333),
    ("c d . a b", "a b . c d", "rougeL", 1, 1, 1),  # sentence by sentence
    ("a a", "a . a . a", "rougeL", 1, 0.66667, 0.80000),  # a match counts as often as both texts hold it
    ("re-run $2.5", "re run 2 5", "rouge1", 1, 1, 1), ("was", "wa", "rouge1", 0, 0, 0),  # three letters: no stem
    ("", "a", "rouge1", 0, 0, 0), ("é …", "", "rougeL", 0, 0, 0),
])  # fmt: skip
def test_rouge(candidate, reference, kind, precision, recall, f):
    assert rouge([candidate], [reference], kind).tolist() == [[precision, recall, f]]


def lcs_places(rows, columns):
    """The places in `rows` on the subsequence that ROUGE-1.5.5 finds: diagonal, else up, else left."""
    c = [[0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for i, a in enumerate(rows, 1):
        for j, b in enumerate(columns, 1):
            c[i][j] = c[i - 1][j - 1] + 1 if a == b else max(c[i - 1][j], c[i][j - 1])
    i, j, found = len(rows), len(columns), []
    while i and j:
        if rows[i - 1] == columns[j - 1]:
            i, j = i - 1, j - 1
            found.append(i)
        elif c[i - 1][j] >= c[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


TEXT = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=7), max_size=4)


@given(TEXT, TEXT)
def test_rouge_l_against_the_plain_table(candidate, reference):
    words = [Counter(word for line in side for word in line) for side in (candidate, reference)]
    left = [count.copy() for count in words]
    hits = 0
    for line in reference:
        for i in sorted({i for other in candidate for i in lcs_places(line, other)}):
            if left[0][line[i]] > 0 and left[1][line[i]] > 0:
                hits += 1
                left[0][line[i]] -= 1
                left[1][line[i]] -= 1
    texts = [" . ".join(map(" ".join, side)) for side in (candidate, reference)]
    expected = [round(hits / count.total(), 5) if count else 0 for count in words]
    assert rouge(*([text] for text in texts), "rougeL")[0, :2].tolist() == expected


def test_bleu_of_a_short_text_counts_the_runs_it_has():
    same, unlike = bleu(["a cat", "a"], ["a cat", "a"]), bleu(["a cat", "a cat sat on it"], ["the dog", "a cat"])
    assert same.tolist() == pytest.approx([100, 100]) and unlike[0] == 0 < unlike[1] < 100
    assert bleu(["it is the cat"], ["it is a cat"])[0] == pytest.approx(35.355, abs=1e-3)  # as without


DATA = Path(os.environ.get("PARAGRAPH_DATA", "")) / "nlg_meta"


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="PARAGRAPH_DATA names no folder with nlg_meta/")
@pytest.mark.parametrize(
    ("name", "printed"), [("BAGEL", (0.234338, 0.198585, 0.188592)), ("SFRES", (0.115068, 0.115725, 0.102923))]
)
def test_published_correlations_to_the_last_digit(name, printed):
    from scipy.stats import spearmanr

    found = json.loads(gzip.decompress((DATA / "D2T" / f"{name}.json.gz").read_bytes())).values()
    people = [one["scores"]["informativeness"] for one in found]
    for kind, value in zip(ROUGE, printed, strict=True):
        best = [max(rouge([one["sys_summ"]], [r], kind)[0, 2] for r in set(one["ref_summs"])) for one in found]
        assert spearmanr(best, people).statistic == pytest.approx(value, abs=1e-6)
