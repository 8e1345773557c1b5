"""A question where labels look turned round: it is asked of turned files alone, and turns nothing."""

import os
import warnings
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main
from paragraph.pairs.read import ReadWarning

NOUNS = ["train", "garden", "passport", "kettle", "violin", "tomato", "window", "lecture", "harbour", "blanket"]
WORDS = {
    "en": ("How do I find a {}?", "What is the best way to find a {}?", "Who sells old books about the {}?"),
    "ja": ("{}はどこで買えますか。", "{}はどこで買えるでしょうか。", "昔の{}を書いた人は誰でしょう。"),
    "ar": ("أين أجد {}؟", "أين يمكن أن أجد {}؟", "من كتب عن تاريخ {}؟"),
}


def table(same, other, script="en", names=("text_a", "text_b", "label")):
    """Twenty pairs: ten that mean the same, labelled `same`, and ten that do not."""
    ask, again, away = WORDS[script]
    rows = [(ask.format(noun), again.format(noun), same) for noun in NOUNS]
    rows += [(ask.format(noun), away.format(noun), other) for noun in NOUNS]
    return pd.DataFrame(rows, columns=names)


def question(pairs, **options):
    """The question about a table, which the warning repeats; no label is another for it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = pg.read_pairs(pairs, **options)
    turned = found.attrs["report"].get("turned", "")
    said = [str(each.message) for each in caught if each.category is ReadWarning]
    assert bool(turned) == any("turned round" in message for message in said)
    assert not turned or any(turned in message for message in said)
    return turned


def instead(name):
    """A column that is taken for the label, as a user would say it."""
    return {"text_a": "text_a", "text_b": "text_b", "label": name}


ASKED = "Pairs labelled {} are less alike than the others: is the label turned round? Then: labels={}"
TURNED = [  # the words for the same and for another meaning, how they are read, what is asked
    ((0, 1), {}, "'1'", '{"0": 1, "1": 0}'),
    (("no", "yes"), {}, "'yes'", '{"no": 1, "yes": 0}'),
    (("reject", "accept"), {"labels": {"accept": 1, "reject": 0}}, "'accept'", '{"accept": 0, "reject": 1}'),
    (
        ("b", "a"),
        {"labels": {"a": 1, "A": 1, "b": 0, "?": None}},
        "'a' or 'A'",
        '{"a": 0, "A": 0, "b": 1, "?": None}',
    ),
    ((3, 25), {"labels": (5, 20)}, "20 or more", "(20, 5)"),
]
#: Columns that say how far two texts differ, or that their label is wrong.
MISTAKEN = [
    ("levenshtein", (4, 31), (10, 20), "20 or more", "(20, 10)"),
    ("divergence", (0.1, 0.9), (0.4, 0.6), "0.6 or more", "(0.6, 0.4)"),
    ("is_mislabeled", (0, 1), {"1": 1, "0": 0}, "'1'", '{"1": 0, "0": 1}'),
    ("label_issue", ("no", "yes"), {"yes": 1, "no": 0}, "'yes'", '{"yes": 0, "no": 1}'),
]


@pytest.mark.parametrize(("words", "options", "named", "turn"), TURNED)
@pytest.mark.parametrize("script", [*WORDS])
def test_turned_labels_are_asked_about_in_the_words_of_the_file(script, words, options, named, turn):
    assert question(table(*words, script), **options) == ASKED.format(named, turn)


@pytest.mark.parametrize(("name", "words", "labels", "named", "turn"), MISTAKEN)
def test_a_column_that_is_no_label_is_asked_about(name, words, labels, named, turn):
    pairs = table(*words, names=("text_a", "text_b", name))
    assert question(pairs, columns=instead(name), labels=labels) == ASKED.format(named, turn)


def test_a_release_with_other_signs_is_asked_about(tmp_path):
    pairs = table(0, 1, names=("question1", "question2", "is_duplicate"))
    pairs = pairs.assign(id=range(20), qid1=range(20), qid2=range(20, 40))
    columns = ["id", "qid1", "qid2", "question1", "question2", "is_duplicate"]
    pairs[columns].to_csv(path := tmp_path / "quora.tsv", sep="\t", index=False)
    assert question(path) == ASKED.format("'1'", '{"0": 1, "1": 0}')
    assert question(path, labels={"1": 0, "0": 1}) == ""
    with pytest.warns(ReadWarning, match="turned round"):
        pg.open_pairs(path, engine="memory", progress=False)


@pytest.mark.parametrize("script", [*WORDS])
def test_labels_the_right_way_round_are_not(script):
    assert question(table(1, 0, script)) == ""
    assert question(table(0, 1, script)[5:15]) == "", "chance would give this"
    assert question(table(1, 1, script)) == ""


def test_sentences_with_themselves_are_evidence():
    unclear = pd.concat([table(0, 1), table(1, 0)] * 20)
    assert question(unclear) == ""
    itself = pd.DataFrame({"text_a": NOUNS * 8, "text_b": NOUNS * 8, "label": 0})
    assert "turned round" in question(pd.concat([unclear, itself]), labels={"1": 1, "0": 0})
    assert question(pd.concat([unclear, itself.assign(label=1)])) == ""


DATA = Path(os.environ.get("PARAGRAPH_DATA", "/nowhere"))
PUBLIC = ["qqp/qqp_natural.tsv.gz", "mrpc/msr_paraphrase_train.txt", "paws/paws_wiki_dev.csv", "sick/SICK_train.txt"]
PUBLIC += [
    "mqp/mqp.csv",
    "jsick/jsick.tsv.gz",
    "wikiqa/WikiQA-test.tsv.gz",
    "qqp/qqp_all.tsv.gz",
    "jsick/test.tsv.gz",
]


@pytest.mark.parametrize("name", ["the demo", *PUBLIC])
def test_no_public_file_is_asked_about_unless_it_is_turned(name):
    path = pg.DEMO if name == "the demo" else DATA / name
    if not Path(path).exists():
        pytest.skip(f"PARAGRAPH_DATA is unset or has no {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadWarning)
        pairs = pg.read_pairs(path)
        assert pairs.attrs["report"].get("turned", "") == ""
        turned = pairs[["text_a", "text_b"]].assign(label=1 - pairs["label"])
        assert "turned round" in pg.read_pairs(turned, unlabelled="keep", labels={"1": 1, "0": 0}).attrs[
            "report"
        ].get("turned", "")


@pytest.mark.parametrize("language", ["Ja", "En"])
def test_entailment_against_contradiction_is_not_asked_about(language):
    """In these two classes of JSICK, the positives are hardly more alike, or less."""
    path = DATA / "jsick/jsick.tsv.gz"
    if not path.exists():
        pytest.skip("PARAGRAPH_DATA is unset or has no jsick/jsick.tsv.gz")
    columns = {"text_a": "sentence_A", "text_b": "sentence_B", "label": "entailment_label"}
    columns = {role: f"{name}_{language}" for role, name in columns.items()}
    labels = {"entailment": 1, "contradiction": 0, "neutral": None}
    with pytest.warns(ReadWarning):
        pairs = pg.read_pairs(path, columns=columns, labels=labels, on_error="skip", unlabelled="skip")
    assert pairs.attrs["report"].get("turned", "") == ""


def test_summary_overview_and_review_repeat_the_question(tmp_path, capsys):
    with pytest.warns(ReadWarning, match="turned round"):
        graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(table("no", "yes")))
    asked = graph.report["turned"]
    assert pg.overview(graph).sections[0].facts[0].text == asked
    review = pg.PairReview(graph, tmp_path / "log.db", reviewer="Ada")
    assert asked in review.listing["note"]
    table("no", "yes").to_csv(path := tmp_path / "pairs.csv", index=False)
    main(["summary", str(path), "--clusters", "0"])
    assert capsys.readouterr().out.endswith(asked.replace('labels={"no": 1, "yes": 0}', "--labels no=1,yes=0\n"))
