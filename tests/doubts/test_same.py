"""P(same): from the sentences alone; families of look-alikes are no evidence. δ: by brute force, and in proposals."""

import shutil
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import paragraph as pg
from paragraph.doubts.delta import DELTA, SPREAD, learn_delta
from paragraph.doubts.propose import Proposals
from paragraph.graph.distance import disjoint_paths
from paragraph.learn import opinions as judging
from paragraph.learn import same as module
from paragraph.learn.logistic import Weights, sigmoid
from paragraph.learn.opinions import p_same
from paragraph.learn.same import COLUMNS, sameness
from paragraph.words.difference import COLUMNS as WORDS

from ..learn.tiny import tiny_bert
from ..process import python
from ..reference import graph_of, table
from ..refused import refused

#: Words alone, and with the model, which takes seconds to load.
MODELS = [None, pytest.param("minilm", marks=pytest.mark.slow)]
PAIR = "What is the weather like in Italy?", "What is the weather like in Portugal?"


def test_words_tell_what_differs():
    like = "How can I learn chess?"
    asks = "Who has been in {}?".format
    same, slip, *other = p_same([asks("Australia")] * 4, [*map(asks, ("Australia", "Austrlia", "Austria", "Asia"))])
    assert same == slip > max(other) and max(p_same(PAIR, PAIR[::-1])) < min(p_same(PAIR, PAIR))
    for other in ("Why did I learn chess?", "How do I learn chess in 3 days?", "Why do people hate chess?"):
        same, different = p_same(["How do I learn chess?"] * 2, [like, other])
        assert same > different
    refused("'tfidf'", p_same, ["a"], ["b"], "tfidf")


@pytest.mark.parametrize("model", MODELS)
def test_order_does_not_matter_and_any_text_has_a_probability(model):
    if model:
        pytest.importorskip("torch")
    left, right = ["Is it far?", PAIR[0], "", "犬が走る。"], ["How far is 3 miles?", PAIR[1], "?!", "猫が走る。"]
    p = p_same(left, right, model)
    np.testing.assert_allclose(p, p_same(right, left, model), atol=1e-6)
    assert ((p > 0) & (p < 1)).all() and p_same([], [], model).shape == (0,)
    assert list(sameness(left, right, model)) == list(COLUMNS if model else WORDS)


@pytest.mark.slow
def test_where_the_cross_encoder_is_damaged_the_rest_goes_on(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    texts = ["Is it far?", PAIR[0]], ["How far is 3 miles?", PAIR[1]]
    whole, columns = p_same(*texts, "minilm"), sameness(*texts, "minilm")
    folder = shutil.copytree(module.TOGETHER, tmp_path / "together")
    (folder / "adapter.safetensors").write_bytes(b"half")
    monkeypatch.setattr(module, "TOGETHER", folder)
    with pytest.warns(UserWarning, match="the cross-encoder that ships is left out: .*together"):
        rest = p_same(*texts, "minilm")
    given = np.log(module.SHARE / (1 - module.SHARE))
    np.testing.assert_allclose(rest, sigmoid(Weights.read(module.SHIPPED, "minilm").log_odds(columns) + given))
    assert (np.abs(rest - whole) > 1e-3).all()


@pytest.mark.slow
def test_words_need_no_torch():
    code = (
        "import sys; sys.modules.update(torch=None, transformers=None, sklearn=None)\n"
        "from paragraph.learn.opinions import p_same\n"
        "print(p_same(['Is it far?'], ['How far is it?']).shape)"
    )
    assert python("-c", code, check=True).stdout == "(1,)\n"


log_odds = st.floats(-5, 5)
DO, CAN, WHY = "How do I learn chess?", "How can I learn chess?", "Why did 3 people learn chess?"
TEA, GREEN, MADE = "What is tea?", "What is green tea?", "What is tea made of?"
PAIRS = [(DO, CAN, 1), (CAN, WHY, 1), (DO, WHY, 0), (TEA, GREEN, 1), (GREEN, MADE, 1), (TEA, MADE, 0)]
PAIRS += [("Is it far?", "Is it near?", 1)]


def judged(*cells):
    """``(2, 1)`` judges the third of `PAIRS` to be the same."""
    return pd.DataFrame([(*PAIRS[i][:2], same) for i, same in cells], columns=["text_a", "text_b", "same"])


@pytest.mark.slow
@given(st.lists(st.tuples(log_odds, st.booleans(), st.integers(1, 30)), max_size=30))
def test_the_most_probable_value_is_that_of_brute_force(cells):
    z, same, log_paths = np.array(cells, dtype=float).reshape(-1, 3).T
    log_paths = np.log(log_paths)

    def loss(of):
        p = sigmoid(z + of[0] + of[1] * log_paths)
        return -np.log(np.where(same, p, 1 - p)).sum() + (((of - [DELTA, 0]) / SPREAD) ** 2).sum() / 2

    found = learn_delta(z, same, log_paths)
    best = minimize(loss, [DELTA, 0], tol=1e-9)
    assert found.value == pytest.approx(best.x[0], abs=1e-3) and found.slope == pytest.approx(best.x[1], abs=1e-3)
    assert found.low < found.value < found.high and found.judged == len(cells)


def test_the_interval_narrows_to_the_truth():
    rng = np.random.default_rng(0)
    covered, widths = 0, []
    for _ in range(60):
        z = rng.normal(0, 1.5, 200)
        found = learn_delta(z, rng.random(200) < sigmoid(z - 1), np.zeros(200))
        covered += found.low <= -1 <= found.high
        widths.append(found.high - found.low)
    assert covered >= 54 and max(widths) < 1
    nothing = learn_delta(np.zeros(0), np.zeros(0), np.zeros(0))
    assert nothing.value == DELTA and nothing.high - nothing.low > 2.5
    assert nothing.low + nothing.high == pytest.approx(2 * DELTA, abs=0.01)


def test_repair_tells_of_delta():
    found = pg.repair(graph_of(*PAIRS), judge=p_same)
    told = found.attrs["delta"]
    assert told["value"] == pytest.approx(DELTA) and told["low"] < DELTA < told["high"] and told["judged"] == 0
    for found in (pg.repair(graph_of(*PAIRS), method="flip_all"), pg.repair(graph_of(*PAIRS[:2]), judge=p_same)):
        assert "delta" not in found.attrs


def test_judged_conflicts_teach_delta_and_stand():
    graph = graph_of(*PAIRS)
    plain, found = (pg.repair(graph, judge=p_same, answers=audit) for audit in (None, judged((2, 0), (6, 1))))
    z = np.log(plain["p_same"]) - np.log1p(-plain["p_same"])
    wanted = learn_delta(z.to_numpy()[:1], np.array([0]), np.zeros(1))
    assert found.attrs["delta"]["value"] == pytest.approx(wanted.value) and found.attrs["delta"]["judged"] == 1
    assert wanted.value < DELTA
    pd.testing.assert_series_equal(found["p_same"], plain["p_same"])
    assert found["p_flip"][0] < 1e-4 and found["p_flip"][1] == pytest.approx(sigmoid(z[1] + wanted.value))


def test_judged_conflicts_teach_what_many_paths_say():
    """The negative of a triangle was right, one of two in a crowd was wrong: so is the other more probably."""
    crowd = [f"Is it {word} in Rome?" for word in ("hot", "warm", "wet", "cold", "dry")]
    no = {(0, 1): 0, (2, 3): 0}
    rows = [(crowd[i], crowd[j], no.get((i, j), 1)) for i, j in combinations(range(5), 2)]
    audit = pd.DataFrame([(DO, WHY, 0), (*crowd[:2], 1)], columns=["text_a", "text_b", "same"])
    graph = graph_of(*PAIRS[:3], *rows)
    proposals = Proposals(graph, judge=p_same, answers=audit)
    [place] = np.flatnonzero(np.isnan(proposals.decisions[proposals.conflicts]))
    of, edge = proposals.delta, proposals.conflicts[[place]]
    assert of.slope > 0 and disjoint_paths(graph, *graph.ends(edge)) == [3]
    wanted = proposals.same(edge)[0] + of.value + of.slope * np.log(3)
    assert pg.repair(graph, judge=p_same, answers=audit)["p_flip"][place] == pytest.approx(sigmoid(wanted))


@pytest.mark.parametrize("same, cut", [(0, 0), (1, 1)])
def test_a_judged_positive_is_cut_or_spared(same, cut):
    found = pg.repair(graph_of(*PAIRS), answers=judged((2, 0), (0, same)))
    assert found.loc[0, ["proposal", "edge1", "edge2"]].tolist() == ["cut", *PAIRS[cut][:2]]


def test_an_audit_that_does_not_fit():
    refused(
        "row 1: 'zebra' is not in the data", pg.repair, graph_of(*PAIRS), answers=judged((2, 0)).assign(text_a="zebra")
    )


def lengths(left, right):
    return [0.9 if len(a) == len(b) else 0.2 for a, b in zip(left, right, strict=True)]


def trained(name, **options):
    texts = ("Is it far?", "Is it near?", "What is tea?", "Who is it?")
    pairs = table([(a, b, int(a < b)) for a in texts for b in texts if a != b])
    return pg.papers.make_model(name, progress=False, **options).fit(pairs)


def folder_of(tmp_path):
    trained("adapter", model=tiny_bert(tmp_path / "tiny", width=16, layers=1), rank=2).save(tmp_path / "model")
    return tmp_path / "model"


#: One run of each, of a graph and a judge; what it shows is worked out twice where a user would look twice.
RUNS = {
    "repair": lambda graph, model, _: pg.repair(graph, judge=model),
    "suspects": lambda graph, model, _: pg.suspects(graph, judge=model),
    "review": lambda graph, model, to: pg.ConflictReview(graph, to / "a.db", reviewer="Ada", judge=model).proposals,
    "trust": lambda graph, model, _: [
        (friends := pg.trust(pg.infer(graph), model, sure=0.5)).levels(), friends.counts(), friends.to_frame(),
        friends.sample(2), friends.explain("tea", "coffee"), friends.expected(),
    ],
    "explorer": lambda graph, model, _: [
        explorer := pg.Explorer(graph, friends=pg.trust(pg.infer(graph), model)),
        setattr(explorer, "cluster", 0), setattr(explorer, "layers", explorer.layers | {"inferred_positive": True}),
        explorer.figure(), explorer.figure(),
    ],
}  # fmt: skip
JUDGES = {
    "words": lambda _: "none", "function": lambda _: lengths, "Judge": lambda _: pg.Judge(lengths),
    "folder": folder_of, "fitted": lambda _: trained("tfidf"),
}  # fmt: skip


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("run", RUNS)
def test_a_run_asks_each_question_once(run, judge, tmp_path, monkeypatch):
    asked, found = [], judging.judge_of

    def counted(*given, **options):
        judge = found(*given, **options)
        log_odds = judge.log_odds

        def noting(left, right):
            asked.extend(map(frozenset, zip(left, right, strict=True)))
            return log_odds(left, right)

        judge.log_odds = noting
        return judge

    if judge == "words" and run in ("trust", "explorer"):
        pytest.skip("words alone cannot tell which inferred labels are right")
    monkeypatch.setattr(judging, "judge_of", counted)
    more = [(f"Who {verb} {i}?", f"Who has {verb} {i}?", i % 2) for i in range(8) for verb in ("won", "sung")]
    rows = ("tea", "tee", 1), ("tee", "coffee", 1), ("tea", "Tee", 1), ("tee", "Tee", 0), ("Tee", "x", 0)
    graph = graph_of(*rows, *more)
    RUNS[run](graph, JUDGES[judge](tmp_path), tmp_path)
    assert len(asked) == len({*asked}) > 1
