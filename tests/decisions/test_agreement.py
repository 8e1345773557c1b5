"""Agreement: worked examples from the literature, brute force, and the table of what to talk about."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paragraph as pg
from paragraph.decisions.agreement import agreement, krippendorff_alpha

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


def fill(log, name, words):
    """``"10."``: the first pair means the same, the second does not, nothing of the third."""
    for i, same in enumerate(words):
        if same != ".":
            pair = (f"{i}?", "other")[:: 1 if name < "B" else -1]
            log.add(*pair, "later" if same == "l" else same, reviewer=name)


def test_a_log_of_two(log):
    fill(log, "Ada", "110000?l.1")
    fill(log, "Ben", "1000000?011")
    log.undo("Ben")  # of the last pair
    log.add("other", "1?", note="it is one,\nsurely", reviewer="Ada")
    found = agreement(log)
    assert found.reviewers == ["Ada", "Ben"] and found.items == 8  # later is no opinion
    assert found.percent == pytest.approx(6 / 8)
    assert found.alpha == pytest.approx(alpha_by_definition(zip("110000?1", "10000001", strict=True)))
    assert found.disagreements.to_dict("records") == [
        {"text_a": "1?", "text_b": "other", "answers": "Ada: the same (it is one, surely); Ben: different"},
        {"text_a": "6?", "text_b": "other", "answers": "Ada: nobody can say; Ben: different"},
    ]  # fmt: skip
    assert str(found).splitlines() == [
        "agreement         0.750",
        f"Krippendorff's α  {found.alpha:.3f}",
        "Ada, Ben: 8 pairs answered by two or more; to talk about: 2",
        "  1? / other: Ada: the same (it is one, surely); Ben: different",
        "  6? / other: Ada: nobody can say; Ben: different",
    ]


def test_logs_of_their_own_and_a_third_who_settles(memory):
    paths = [str(memory / f"{name}.db") for name in "abc"]
    ada, ben, cyd = map(pg.DecisionLog, paths, ("Ada", "Ben", "Cyd"))
    about = {"about": [("a", "c")]}
    ada.give([{"text_a": "a", "text_b": "c", "same": 0, "stated": 0} | about,
              {"text_a": "a", "text_b": "b", "same": 0, "stated": 1} | about])  # fmt: skip
    ben.add("a", "c", 1, stated=0, **about)
    for log in (ada, ben):
        log.add("x", "y", 1, stated=0)
    before = [log.path.read_bytes() for log in (ada, ben)]
    found = agreement(*paths[:2])
    assert found.items == 2 and found.disagreements["text_a"].tolist() == ["a"]
    assert found.percent == agreement(ada, paths[1]).percent == agreement([ada, ben]).percent
    assert before == [log.path.read_bytes() for log in (ada, ben)]
    ada.merge(ben)
    assert repr(found) == repr(agreement(ada)) == repr(agreement(*paths[:2]))

    ids = [row.record.id for row in found.answers.rows if frozenset("ac") in {row.pair, *row.about}]
    cyd.add("a", "c", 1, stated=0, shown={"overrules": ids}, **about)
    after = agreement(*paths)
    assert after.reviewers == ["Ada", "Ben"] and after.percent == found.percent and not len(after.disagreements)
    data = reference.table("a+b b+c a-c x-y")
    assert pg.replay(paths[:2], data).pairs["label"].tolist() == [1, 1, 0, 1]
    done = pg.replay(paths, data)
    assert done.pairs["label"].tolist() == [1, 1, 1, 1]
    assert done.outcome("overruled")["why"].tolist() == ["by Cyd"] * 3
    cyd.undo()
    assert pg.replay(paths, data).outcome("overruled").empty


def test_two_who_settle_each_other_and_one_who_settles_alone(log):
    """Nobody's word about their own counts; of two who settle each other the later does."""
    ben = log.add("a", "c", 0, reviewer="Ben")
    ada = log.add("a", "c", 1, shown={"overrules": [ben.id]})
    log.add("a", "c", 0, reviewer="Ben", shown={"overrules": [ada.id, ben.id]})
    found = pg.replay(log, reference.table("a+b b+c a-c"))
    assert found.outcome("overruled")["reviewers"].tolist() == [["Ada"]]
    assert found.pairs["label"].tolist() == [1, 1, 0]


def test_cuts_of_one_conflict_at_two_places_are_to_be_talked_about(log):
    for name, cuts in (("Ada", "xy"), ("Ben", "yz"), ("Cyd", "yx")):
        about = {"about": [("0?", "other")], "same": 0}
        log.give([{"text_a": a, "text_b": b} | about for a, b in (("0?", "other"), cuts)], reviewer=name)
    found = agreement(log)
    assert found.percent == 1 and found.items == 2
    assert sorted((found.disagreements["text_a"] + found.disagreements["text_b"]).tolist()) == ["xy", "yz"]
    assert found.disputes[0].conflicts == {frozenset(("0?", "other"))}
    assert "2 pairs answered by two or more; to talk about: 1\n" in str(found)


def test_too_few_reviewers(log):
    refused("takes two reviewers or more; here: none", agreement, log)
    fill(log, "Ada", "1")
    refused("takes two reviewers or more; here: Ada", agreement, log)
    fill(log, "Ben", ".1")
    found = agreement(log)
    assert found.items == 0 and np.isnan(found.alpha) and not len(found.disagreements)
    assert [*found.measures.values()] == ["–", "–"]
    fill(log, "Ben", "1")
    assert [*agreement(log).measures.values()] == ["1.000", "–"]  # all in one category
