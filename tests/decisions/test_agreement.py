"""Agreement: worked examples from the literature, brute force, and the table of what to talk about."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, confusion_matrix

import paragraph as pg
from paragraph.decisions.agreement import agreement, cohen_kappa, krippendorff_alpha
from paragraph.decisions.records import Decision

from .. import reference
from ..refused import refused


def test_alpha_of_the_example_of_krippendorff():
    """Four observers, some of whom are silent (Krippendorff 2011, C)."""
    raters = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    counts = [[item.count(value) for value in "12345"] for item in zip(*raters, strict=True)]
    assert krippendorff_alpha(counts) == pytest.approx(0.743, abs=5e-4)


def alpha_by_definition(items):
    """From the matrix of coincidences, pair of judgements by pair of judgements."""
    coincidences = Counter()
    for judged in items:
        for a, b in permutations(judged, 2):
            coincidences[a, b] += 1 / (len(judged) - 1)
    total = Counter()
    for (a, _), times in coincidences.items():
        total[a] += times
    n = sum(total.values())
    observed = sum(times for (a, b), times in coincidences.items() if a != b) / n if n else 0
    expected = sum(total[a] * total[b] for a in total for b in total if a != b) / (n * (n - 1)) if n else 0
    return 1 - observed / expected if expected else np.nan


@settings(max_examples=100)
@given(st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=9))
def test_alpha_against_its_definition(items):
    counts = np.array([[judged.count(c) for c in range(4)] for judged in items])
    usable = [judged for judged in items if len(judged) > 1]
    assert krippendorff_alpha(counts) == pytest.approx(alpha_by_definition(usable), nan_ok=True)
    weights = np.arange(len(items)) % 3  # an item that counts twice is there twice
    repeated = [judged for judged, times in zip(items, weights, strict=True) for _ in range(times) if len(judged) > 1]
    found = krippendorff_alpha(counts, np.stack([weights, np.ones(len(items))]))
    assert found[0] == pytest.approx(alpha_by_definition(repeated), nan_ok=True)
    assert found[1] == pytest.approx(alpha_by_definition(usable), nan_ok=True)


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=30))
def test_kappa_is_that_of_scikit_learn(judged):
    ada, ben = zip(*judged, strict=True)
    counts = confusion_matrix(ada, ben, labels=range(3))
    assert cohen_kappa(counts) == pytest.approx(cohen_kappa_score(ada, ben), nan_ok=True)
    assert np.isnan(cohen_kappa(0 * counts))


def fill(log, name, words, edge=("x", "y")):
    """``"fk."``: flip of the first pair, keep of the second, nothing of the third."""
    for i, letter in enumerate(words):
        decision = {"f": "flip", "c": "cut", "k": "keep", "a": "ambiguous", "s": "skip"}.get(letter)
        if decision:
            pair = (f"{i}?", "other")[:: 1 if name < "B" else -1]
            log.add(*pair, decision, edge=edge if decision == "cut" else None, reviewer=name)


def test_a_log_of_two(log):
    fill(log, "Ada", "ffkkcas.f")
    fill(log, "Ben", "fkkkcakff")
    log.undo("Ben")  # of the last pair
    found = agreement(log)
    assert found.reviewers == ["Ada", "Ben"] and found.items == 6  # a skip is no opinion
    assert found.percent.value == pytest.approx(5 / 6)
    assert found.kappa.value == pytest.approx(cohen_kappa_score([*"ffkkca"], [*"fkkkca"]))
    assert found.disagreements.to_dict("records") == [
        {"text_a": "1?", "text_b": "other", "decisions": {"Ada": "flip", "Ben": "keep"}, "edges": {}}
    ]
    assert f"{found!r}".splitlines()[1].startswith("agreement         0.833  [")
    assert str(found).endswith("\nAda and Ben have both decided 6 pairs: 1 to talk about.")
    assert found.table["measure"].tolist() == ["agreement", "Cohen's κ", "Krippendorff's α"]
    assert "<table" in found._repr_html_() and "1?" in found._repr_html_()


def test_logs_of_their_own_and_a_third_who_settles(memory):
    paths = [str(memory / f"{name}.db") for name in "abc"]
    ada, ben, cyd = map(pg.DecisionLog, paths, ("Ada", "Ben", "Cyd"))
    pair, other = ("a", "c"), ("x", "y")
    ada.add(*pair, "cut", label=0, edge=("a", "b"))
    ada.add("b", "c", "cut", label=1, edge=("b", "c"), shown={"conflict": pair})  # a further cut of that conflict
    ben.add(*pair, "flip", label=0)
    for log in (ada, ben):
        log.add(*other, "flip", label=0)
    before = [log.path.read_bytes() for log in (ada, ben)]
    found = agreement(*paths[:2])
    assert found.items == 2 and found.disagreements["text_a"].tolist() == ["a"]
    assert found.percent == agreement(ada, paths[1]).percent == agreement([ada, ben]).percent
    assert before == [log.path.read_bytes() for log in (ada, ben)]
    ada.merge(ben)
    both = agreement(ada, reviewers=["Ada", "Ben"])
    assert repr(found) == repr(agreement(ada)) == repr(both) == repr(agreement(*paths[:2]))

    cyd.add(*pair, "flip", label=0, shown={"settles": found.reviewers})
    after = agreement(*paths)
    assert after.reviewers == ["Ada", "Ben"] and after.percent == found.percent and not len(after.disagreements)
    data = reference.table("a+b b+c a-c x-y")
    assert pg.replay(paths[:2], data).pairs["label"].tolist() == [1, 1, 0, 1]
    done = pg.replay(paths, data)
    assert done.pairs["label"].tolist() == [1, 1, 1, 1]
    assert done.not_applied["why"].tolist() == ["settled by Cyd"] * 3
    cyd.undo()
    assert "settled" not in "".join(pg.replay(paths, data).not_applied["why"])


def test_cuts_of_different_edges_agree_in_kind_but_are_to_be_talked_about(log):
    fill(log, "Ada", "cck", ("x", "y"))
    fill(log, "Ben", "c.k", ("y", "z"))
    fill(log, "Cyd", ".c.", ("y", "x"))
    found = agreement(log)
    assert found.percent.value == 1 and found.kappa is None
    assert found.disagreements["text_a"].tolist() == ["0?"]
    assert found.disagreements["edges"].tolist() == [{"Ada": ["x", "y"], "Ben": ["y", "z"]}]
    two = agreement(log, reviewers=["Ada", "Cyd"])
    assert two.items == 1 and not len(two.disagreements) and np.isnan(two.kappa.value)


@pytest.mark.parametrize("ada, ben", [("f", "f"), ("f", "k"), ("fkfk", "kfkf")])
def test_a_few_pairs_leave_it_open_how_others_are_judged(log, ada, ben):
    fill(log, "Ada", ada)
    fill(log, "Ben", ben)
    found = agreement(log)
    for one in (found.percent, found.kappa, found.alpha):
        assert one.low < one.high and one.high - one.low > 0.25
        assert np.isnan(one.value) or one.low <= one.value <= one.high
    assert np.isnan(found.kappa.value) == (set(ada + ben) == {"f"})  # everything in one category
    assert ("–" in str(found)) == np.isnan(found.kappa.value)


def test_a_cut_that_settles_goes_before_flips_of_what_it_sets_apart():
    """Two triangles that b+d joins, and negatives a−e, c−f: who cuts b+d for one never sees the other."""
    data = reference.table("a+b b+c a+c d+e e+f d+f b+d a-e c-f")

    def labels(*made):
        edge = {"cut": ("b", "d")}
        records = [
            Decision(f"2026-01-01T00:00:00.00{i}Z", name, *pair, word, 0, *edge.get(word, ("", "")),
                     shown='{"settles":["Ada","Ben"]}' if name == "Cyd" else "{}")
            for i, (name, pair, word) in enumerate(made)
        ]  # fmt: skip
        found = pg.replay(records, data)
        return found.pairs["label"].tolist()[6:], sorted(found.not_applied["why"].str[:9])

    both = ("Ada", "ae", "cut"), ("Ben", "ae", "flip"), ("Ben", "cf", "flip")
    settled = ["look agai", "settled b", "settled b"]
    assert labels(*both, ("Cyd", "ae", "cut")) == ([0, 0], settled)
    assert labels(*both, ("Cyd", "ae", "flip")) == ([1, 1, 1], settled[1:])
    assert labels(*both, ("Ada", "cf", "flip"), ("Cyd", "ae", "cut")) == ([0, 1], settled[1:])  # both have seen it


@pytest.mark.slow
@pytest.mark.parametrize("n, wrong", [(6, 0.1), (15, 0.3)])
def test_intervals_hold_the_truth(n, wrong):
    """Of two who err independently of each other; where pairs are resampled it is half of the intervals or fewer."""
    rng, truth = np.random.default_rng(1), 1 - 2 * wrong  # κ, where both use two categories equally often
    held = 0
    for seed in range(60):
        ada = rng.choice(list("fk"), n)
        ben = np.where(rng.random(n) < wrong, np.where(ada == "f", "k", "f"), ada)
        moment = "2026-01-01T00:00:00.{:03}Z".format
        records = [
            Decision(moment(i), name, str(i), "other", {"f": "flip", "k": "keep"}[words[i]])
            for name, words in (("Ada", ada), ("Ben", ben))
            for i in range(n)
        ]
        found = agreement(records, resamples=400, seed=seed).kappa
        held += found.low <= truth <= found.high
    assert held >= 50


def test_three_reviewers_and_very_many(log):
    for name in "ABCDE":  # 4⁵ ways to judge a pair: some of them are drawn
        fill(log, name, "ffkk" if name < "D" else "ffkf")
    found, three = agreement(log), agreement(log, reviewers=["A", "B", "C"])
    assert three.alpha.value == 1 and three.alpha.low < 0.7 and three.alpha.high == 1
    assert found.kappa is None and found.alpha.low < found.alpha.value < found.alpha.high
    assert agreement(log).alpha == found.alpha != agreement(log, seed=1).alpha


def test_too_few_reviewers(log):
    refused("takes two reviewers or more; here: none", agreement, log)
    fill(log, "Ada", "f")
    refused("takes two reviewers or more; here: Ada", agreement, log)
    refused("no decision of 'Eve' stands; there are those of Ada", agreement, log, reviewers=["Ada", "Eve"])
    fill(log, "Ben", ".f")
    found = agreement(log)
    assert found.items == 0 and np.isnan(found.alpha.value) and not len(found.disagreements)
    assert str(found).count("too few pairs") == 3
