"""Japanese through GiNZA: phrases, heads, and what may move."""

import pytest

import paragraph as pg
from paragraph.papers.japanese import parse as japanese
from paragraph.papers.japanese.orders import orders
from paragraph.papers.japanese.parse import Parses

from ...refused import refused

pytestmark = [pytest.mark.ja, pytest.mark.slow]
FIGURE_2 = "太郎は花子が読んでいる本を次郎に渡した"


@pytest.fixture
def groups():
    """Groups under a rule, in brackets where they may move."""

    def groups(sentence, rule="paper"):
        found = orders(Parses(progress=False).of([sentence])[0], rule)
        free = {k for run in found.runs if len(run) > 1 for k in run}
        texts = ("".join(found.phrases[i] for i in group) for group in found.groups)
        return " ".join(f"[{text}]" if k in free else text for k, text in enumerate(texts))

    return groups


def test_figure_2(groups):
    assert groups(FIGURE_2) == "[太郎は] [花子が読んでいる本を] [次郎に] 渡した"
    made = pg.shuffle_phrases(FIGURE_2, n=9, rule="paper")
    assert len(made) == 5 and {text[-3:] for text in made} == {"渡した"}


@pytest.mark.parametrize("text", [
    "「3割引！」と店員が大声で叫んだ。", "彼は2012年に東京で  結婚した。", "A社がＢ社を買った",
    "Ｑ：どんな本を弟に買いましたか？",
])  # fmt: skip
def test_phrases_and_words_make_up_the_text(text):
    parse = next(japanese.parses([text]))
    assert "".join(parse.phrases) == "".join(parse.words) == parse.text == text
    assert parse.heads[-1] == -1 and len(parse.heads) == len(parse.phrases)
    for shuffled in pg.shuffle_phrases(parse, n=5):
        assert shuffled.endswith(parse.phrases[-1]) and sorted(shuffled) == sorted(text)


def test_parses_that_are_written_are_not_made_again(tmp_path, monkeypatch):
    parses = Parses(progress=False)
    first = parses.of([FIGURE_2])
    parses.write(tmp_path / "p.jsonl")
    monkeypatch.setattr(japanese, "_model", lambda: pytest.fail("it was parsed again"))
    assert Parses(tmp_path / "p.jsonl").of([FIGURE_2]) == parses.of([FIGURE_2]) == first


@pytest.mark.parametrize("text, why", [
    ("The dog bites the man.", "is not Japanese.*dog bites man"), ("", "is not Japanese"),
    ("猫" * 20_000, "20,000 characters"),
])  # fmt: skip
def test_what_is_no_sentence_of_japanese_says_why(text, why):
    refused(why, pg.phrase_orders, text, parses=Parses({"猫": None}))
