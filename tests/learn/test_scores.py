"""Scores of generated text: precision and recall, several references, words, windows, anchors, what is kept."""

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.learn.text.metrics import make_metric
from paragraph.learn.text.scores import score

CANDS = ["A cat sat on the mat.", "The price rose 2.5 percent.", "Nobody came."]
REFS = [
    ["The cat sat on a mat.", "A dog slept."],
    ["The price fell 3 percent."],
    ["No one came.", "Nobody came.", "x"],
]


def metric_of(name, tiny, seq2seq, tagger=None):
    return make_metric(name, encoder=tiny, generator=seq2seq, tagger=tagger)


@pytest.fixture(scope="module")
def tagger(tiny):
    """Trees on the vectors of the tiny transformer, fitted to some tags."""
    from paragraph.learn.tags import make_tagger

    return make_tagger("alignment", model=tiny, layers=[1], progress=False).fit(pg.tags.read(pg.DEMO_TAGS)[:40])


@pytest.fixture(scope="module")
def seq2seq(tmp_path_factory, tiny):
    """A BART of random weights with the tiny tokenizer."""
    import torch
    from transformers import AutoTokenizer, BartConfig, BartForConditionalGeneration

    folder = tmp_path_factory.mktemp("bart")
    tokenizer = AutoTokenizer.from_pretrained(tiny)
    tokenizer.save_pretrained(folder)
    config = BartConfig(
        vocab_size=len(tokenizer), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=64,
        pad_token_id=0, bos_token_id=2, eos_token_id=3, decoder_start_token_id=3, forced_eos_token_id=3,
    )  # fmt: skip
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        BartForConditionalGeneration(config).save_pretrained(folder)
    return folder


NAMES = ["rouge1", "rouge2", "bleu", "cosine", "bertscore", "matching", "generation"]


@pytest.mark.parametrize("name", NAMES)
def test_swapping_the_arguments_swaps_precision_and_recall(name, tiny, seq2seq, tagger):
    flat = [several[0] for several in REFS]
    metric = metric_of(name, tiny, seq2seq, tagger)
    there, back = (score(*sides, metric, cache=False) for sides in ((CANDS, flat), (flat, CANDS)))
    np.testing.assert_array_equal(there.table["P"], back.table["R"])
    np.testing.assert_array_equal(there.table["R"], back.table["P"])
    if name != "bleu":  # which has no F but its precision
        np.testing.assert_array_equal(there.table["F"], back.table["F"])


@pytest.mark.parametrize("name", NAMES)
def test_identical_texts_are_the_top_and_others_references_the_bottom(name, tiny, seq2seq, tagger):
    found = score(CANDS, REFS, metric_of(name, tiny, seq2seq, tagger), cache=False)
    anchors = found.anchors(cache=False)
    if name != "generation":  # whose weights are random here
        assert anchors.loc["identical", "F"] >= anchors.loc["scores", "F"] > anchors.loc["shuffled", "F"]
    if name in ("rouge1", "cosine", "bertscore"):
        assert anchors.loc["identical"].tolist() == pytest.approx([1, 1, 1])
    scaled = found.anchored(cache=False)
    top, mean, bottom = anchors["F"]
    assert scaled["F"].mean() == pytest.approx((mean - bottom) / (top - bottom))


@pytest.mark.parametrize("name", NAMES)
def test_each_reference_by_itself_then_the_best(name, tiny, seq2seq, tagger):
    metric = metric_of(name, tiny, seq2seq, tagger)
    found = score(CANDS, REFS, metric, cache=False).table
    means = score(CANDS, REFS, metric, cache=False, several="mean").table
    for i, several in enumerate(REFS):
        alone = score([CANDS[i]] * len(several), several, metric, cache=False).table[["P", "R", "F"]]
        np.testing.assert_allclose(found.loc[i, ["P", "R", "F"]].astype(float), alone.max(), atol=1e-5)
        np.testing.assert_allclose(means.loc[i, ["P", "R", "F"]].astype(float), alone.mean(), atol=1e-5)
        assert found.loc[i, "reference"] == means.loc[i, "reference"] == alone["F"].argmax()


def best(found, i):
    """A candidate and its best reference, and the words of both with their values."""
    texts = found.cands[i], found.refs[i][found.table["reference"][i]]
    return texts, found.metric.words(*texts)


@pytest.mark.parametrize("name", NAMES)
def test_the_words_stand_in_their_text_and_make_up_the_score(name, tiny, seq2seq, tagger):
    found = score(CANDS, REFS, metric_of(name, tiny, seq2seq, tagger), cache=False)
    texts, sides = best(found, 2)
    for text, words in zip(texts, sides, strict=True):
        letters = "".join(text[begin:end] for begin, end, _ in words)
        assert letters.strip(".") == text.replace(" ", "").strip(".")
    if name in ("rouge1", "bertscore"):
        assert np.mean([value for *_, value in sides[0]]) == pytest.approx(found.table["P"][2], abs=1e-5)
    assert found.show(2)._repr_html_().count("<span") == sum(map(len, sides))


def test_a_page_shows_text_as_text():
    found = score(["<b>a</b> & c"], ["<b>a</b>"], "rouge1")
    page = found.show(0)._repr_html_()
    assert "<b>" not in page.replace("<b>rouge1", "") and "&lt;" in page and "&amp;" in page


def test_bertscore_by_hand(tiny):
    from paragraph.learn.pretrained.words import WordReader, whole

    a, b = CANDS[0], REFS[0][0]
    for layer, chosen in ((1, None), (2, 2)):  # of two layers the first is the middle one
        (x, y), _ = WordReader(tiny, [layer])([whole(text) for text in (a, b)])
        cosines = x[0] @ y[0].T
        p, r = cosines.max(1).mean(), cosines.max(0).mean()
        found = score([a], [b], "bertscore", encoder=tiny, layer=chosen, cache=False)
        np.testing.assert_allclose([*found], [[p], [r], [2 * p * r / (p + r)]], atol=1e-5)
    with pytest.raises(pg.PairsError, match="layers 0"):
        make_metric("bertscore", encoder=tiny, layer=3)


def test_generation_by_hand(seq2seq):
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(seq2seq), AutoModelForSeq2SeqLM.from_pretrained(seq2seq).eval()

    def likelihood(given, written):
        batch, target = tokenizer(given, return_tensors="pt"), tokenizer(written, return_tensors="pt")["input_ids"]
        batch.pop("token_type_ids", None)
        with torch.no_grad():
            return -model(**batch, labels=target).loss.item()  # the mean over the tokens

    p, r = likelihood("A dog slept.", CANDS[0]), likelihood(CANDS[0], "A dog slept.")
    for combine, f in (("mean", (p + r) / 2), ("harmonic", 2 * p * r / (p + r))):
        found = score(CANDS[:1], ["A dog slept."], "generation", generator=seq2seq, combine=combine, cache=False)
        np.testing.assert_allclose([*found], [[p], [r], [f]], rtol=2e-2)  # in bfloat16 where the machine has that


def test_matching_by_hand(tagger, tmp_path):
    """S = G₀ − G₁ of each word; F is its mean over the words of both texts, not the harmonic mean of P and R."""
    table = pd.DataFrame({"text_a": CANDS, "text_b": [several[0] for several in REFS]})
    words = [(-a, -b) for a, b in tagger.log_odds(table)]
    found = score(table["text_a"], table["text_b"], "matching", tagger=tagger, cache=False)
    expected = [[a.mean(), b.mean(), np.concatenate([a, b]).mean()] for a, b in words]
    np.testing.assert_allclose(found.table[["P", "R", "F"]], expected, atol=1e-9)
    assert abs(found.table["F"] - found.table[["P", "R"]].mean(axis=1)).max() > 1e-6  # of words, not of sides
    tagger.save(tmp_path)
    again = score(table["text_a"], table["text_b"], "matching", tagger=tmp_path, cache=False)
    assert again.hash == found.hash and again.table.equals(found.table)
    with pytest.warns(UserWarning, match="1 of 2 pairs have an empty text and no score"):
        empty = score(["", "A cat."], ["A dog."] * 2, "matching", tagger=tagger, cache=False)
    assert np.isnan(empty.table["F"][0]) and np.isfinite(empty.table["F"][1])


@pytest.mark.parametrize("name", ["cosine", "bertscore", "matching", "generation"])
def test_long_texts_are_read_in_windows_and_counted(name, tiny, seq2seq, tagger):
    metric = metric_of(name, tiny, seq2seq, tagger)
    long = "The price rose. " * 150
    with pytest.warns(UserWarning, match="1 of 2 pairs have a text longer"):
        found = score([long + "A cat sat.", "A cat."], [long + "A dog sat.", "A dog."], metric, cache=False)
    assert found.windows[0] > 1 and found.windows[1] == 1
    assert all(words[-1][1] >= len(text) - 1 for text, words in zip(*best(found, 0), strict=True))
    with pytest.warns(UserWarning, match="in windows"):
        other = score([long + "A cat sat."], [long + "A cat sat."], metric, cache=False)
    assert other.table["F"][0] != found.table["F"][0]  # the last words count


def test_what_is_kept_is_what_was_computed(tiny, tmp_path):
    first = score(CANDS, REFS, "bertscore", encoder=tiny, cache=tmp_path)
    calls = []
    metric = make_metric("bertscore", encoder=tiny)
    again = score(CANDS, REFS, metric._replace(score=calls.append), cache=tmp_path)
    assert calls == [] and again.table.equals(first.table)
    with pytest.raises(TypeError):  # another layer is another score
        score(CANDS, REFS, make_metric("bertscore", encoder=tiny, layer=2)._replace(score=None), cache=tmp_path)
    assert len({make_metric("bertscore", encoder=tiny, layer=layer).hash for layer in (None, 0, 2)}) == 3


@pytest.mark.parametrize(
    ("cands", "refs", "options", "message"),
    [
        ("a", ["b"], {}, "lists of texts"),
        (["a"], ["b", "c"], {}, "for each its reference"),
        (["a", "b"], [["c"], []], {}, "row 1: no reference for 'b'"),
        (["a", 3], ["c", "d"], {}, "row 1: text 0 is not text but int: 3"),
        (["a"], [["c", None]], {}, "row 0: text 2 is not text but NoneType"),
        (["a", "\ud800"], ["c", "d"], {}, "row 1: text 0 is not valid Unicode"),
        (["a"], [["c", "d\udfff"]], {"metric": "bleu"}, "row 0: text 2 is not valid Unicode"),
        (["a"], ["b"], {"metric": "rouge3"}, "'rouge3' is not one of rouge1"),
        (["a"], ["b"], {"several": "best"}, "max, mean"),
        (["a"], ["b"], {"metric": "generation"}, "needs an encoder-decoder"),
    ],
)
def test_what_is_wrong_is_said(cands, refs, options, message):
    with pytest.raises(pg.PairsError, match=message):
        score(cands, refs, **{"metric": "rouge1", **options})
    with pytest.raises(pg.PairsError, match="two candidates"):
        score(["a"], ["b"], "rouge1").anchors()
