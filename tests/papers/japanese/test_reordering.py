"""Training on sentences in other orders: what is compared and counted, what is never mixed."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from benchmarks.fine_tuned import Entailment
from benchmarks.reordering import compare, gains_over_none
from paragraph.papers.japanese.parse import Parse, Parses
from paragraph.papers.japanese.shuffle import stratified

from ...learn.tiny import tiny_bert
from ...refused import refused

PHRASES = product(*(words.split() for words in ("猫が 犬が 鳥が 人が", "庭で 家で 川で 町で", "寝る 走る 鳴く 遊ぶ")))
SENTENCES = {"".join(three): Parse("".join(three), three, (2, 2, -1), (2,), three) for three in PHRASES}
#: Pairs of different sentences, none of them twice.
PAIRS = pd.DataFrame({"text_a": [*SENTENCES][:32], "text_b": [*SENTENCES][32:]})
PAIRS["entailment"] = [("entailment", "contradiction", "neutral")[i % 3] for i in range(32)]
SIZES = {"entailment": 2, "contradiction": 1, "neutral": 3}
TRAIN, TEST = PAIRS[:24].reset_index(drop=True), PAIRS[24:].reset_index(drop=True)


class FirstLetter:
    """Says neutral of every premise that begins with a cat, else entailment; notes what it was given."""

    given: list = []  # noqa: RUF012

    def __init__(self, seed, texts):
        self.seed, self.texts = seed, texts

    def fit(self, train, dev):
        self.given.append((self.seed, train, dev))
        return self

    def predict(self, table):
        return np.where(table["text_a"].str.startswith("猫"), "neutral", "entailment")


@pytest.fixture
def run():
    FirstLetter.given = []

    def run(pairs=TRAIN, test=TEST, rephrased=None, augmentations=("none", "paper"), seeds=(0, 1), **options):
        options = {"model": FirstLetter, "sizes": SIZES, "parses": Parses(dict(SENTENCES))} | options
        return compare(pairs, test, rephrased=rephrased, augmentations=augmentations, seeds=seeds, **options)

    return run


def test_validation_has_the_labels_asked_for_and_training_the_rest():
    train, dev = stratified(PAIRS, 0, SIZES)
    assert dev["entailment"].value_counts().to_dict() == SIZES
    assert sorted([*train["text_a"], *dev["text_a"]]) == sorted(PAIRS["text_a"])
    again, other = (stratified(PAIRS, seed, SIZES)[1] for seed in (0, 9))
    assert again.equals(dev) and not other.equals(dev)


def test_compared_models_share_seed_split_and_texts(run):
    table = run()
    assert table[["augmentation", "seed"]].to_numpy().tolist() == [[a, s] for s in (0, 1) for a in ("none", "paper")]
    for (seed, plain, dev), (other, more, same) in zip(*[iter(FirstLetter.given)] * 2, strict=True):
        assert seed == other and dev.equals(same)
        assert more.iloc[: len(plain)][["text_a", "text_b"]].equals(plain[["text_a", "text_b"]])
        assert len(more) == 4 * len(plain)  # each sentence here has one other order
    assert table["rows"].tolist() == [18, 72, 18, 72]


def test_no_shuffle_of_a_validation_or_test_pair_is_trained_on(run):
    run(augmentations=("paper", "phrases", "words"), seeds=[0])
    for _, *tables in FirstLetter.given:
        # Pairs, whatever the order inside their sentences
        pairs = (each[["text_a", "text_b"]].map(lambda text: "".join(sorted(text))) for each in (*tables, TEST))
        rows, *held = ({*each.itertuples(index=False, name=None)} for each in pairs)
        assert rows and not rows & set.union(*held)


def test_generated_sentences_that_the_test_set_holds_are_counted(run):
    other = ["".join(SENTENCES[text].phrases[i] for i in (1, 0, 2)) for text in TRAIN["text_a"]]
    test = pd.DataFrame({"text_a": other, "text_b": TRAIN["text_b"], "entailment": "neutral"})
    table = run(test=test, seeds=[0])
    known = set(FirstLetter.given[0][1]["text_a"])
    there = sum(text in known for text in TRAIN["text_a"])
    assert table["test_sentences"].tolist() == [0, there] and there == 18  # of them the training part, not validation


def test_figures_are_shares_of_right_and_of_unchanged_predictions(run):
    texts = ["猫が庭で寝る", "猫が家で走る", "犬が家で走る", "鳥が川で鳴く"]
    labels = ["neutral", "entailment", "entailment", "neutral"]
    test = pd.DataFrame({"text_a": texts, "entailment": labels, "text_b": "人が町で遊ぶ"})
    moved = test.assign(original=texts, text_a=["庭で猫が寝る", "家で猫が走る", "家で犬が走る", "川で鳥が鳴く"])
    found = run(TRAIN, test, {"o": moved}, ["none"], [0]).iloc[0]
    assert (found["accuracy"], found["entailment"], found["neutral"]) == (0.5, 0.5, 0.5)
    assert (found["consistency_o"], found["accuracy_o"]) == (0.5, 0.5)  # cats are no longer first in two of four


@pytest.mark.slow
def test_a_model_may_be_a_folder(run, tmp_path, monkeypatch):
    # Few updates, so that early stopping comes early
    monkeypatch.setitem(Entailment.__init__.__kwdefaults__, "updates", 2)
    table = run(model=str(tiny_bert(tmp_path / "tiny", width=16, layers=1, texts=SENTENCES)), seeds=[0])
    assert table["augmentation"].tolist() == ["none", "paper"] and table["accuracy"].between(0, 1).all()


def test_finished_cells_are_not_run_again(run, tmp_path):
    table = run(path=tmp_path / "rte")
    pd.testing.assert_frame_equal(run(path=tmp_path / "rte"), table)
    assert len(FirstLetter.given) == 4
    refused("another run", run, TRAIN[:-1], path=tmp_path / "rte")


def test_differences_are_paired_by_seed():
    accuracy = {"none": [0.80, 0.82, 0.81], "paper": [0.81, 0.84, 0.84]}
    table = pd.DataFrame(
        [(rule, seed, 9, 0, value) for rule, row in accuracy.items() for seed, value in enumerate(row)],
        columns=["augmentation", "seed", "rows", "test_sentences", "accuracy"],
    )
    found = gains_over_none(table).iloc[0]
    assert (found["figure"], found["augmentation"]) == ("accuracy", "paper")
    # Gains .01, .02, .03: their mean is .02, its error .01 / √3, and t is 4.303 with two degrees of freedom.
    half = 4.303 * 0.00577
    assert np.allclose(found[["gain", "low", "high"]].astype(float), [0.02, 0.02 - half, 0.02 + half], atol=1e-4)
