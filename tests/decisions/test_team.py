"""Who of a team is asked about what: a table of answers, screens, and parts."""

import pandas as pd
import pytest

import paragraph as pg
from paragraph.decisions.team import Team

PEOPLE = ("Ada", "Bo", "Cy")


@pytest.fixture
def team(tmp_path):
    """Makes a team on three pairs, or on the conflicts of a graph, whose people answered: ``("Ada", 1, "flip")``."""

    def make(answers=(), each=1, graph=None):
        path = tmp_path / "team.db"
        table = pd.DataFrame([("a", "b", 1), ("c", "d", 0), ("e", "f", 1)], columns=["text_a", "text_b", "label"])

        def review(name):
            return (
                pg.ConflictReview(graph, path, reviewer=name)
                if graph
                else pg.PairReview(table, None, path, reviewer=name)
            )

        reviews = {name: review(name) for name in ("lead", *PEOPLE)}
        sessions = {name: one._session for name, one in reviews.items()}
        made = Team(sessions, "lead", each, graph is not None)
        for name, number, decision in answers:
            part = made.part(name, {})
            sessions[name].contested, sessions[name].queue.part = part.contested, part
            reviews[name].current = number
            reviews[name].decide(decision)
            made.read()
        numbers = reviews["lead"]._queue.number

        def part(name, **screens):
            items = {number: item for item, number in numbers.items()}
            found = made.part(name, {who: items[number] for who, number in screens.items()})
            return [numbers[item] for item in found.due], {numbers[item] for item in found.barred}, found

        made.shown = part
        return made

    return make


FLIP, KEEP = ("Ada", 1, "flip"), ("Bo", 1, "keep")
#: Answers; how many answer each; who is at what; whose part: what is due first, and what is not theirs.
PARTS = [
    ([], 1, {}, "Ada", [], set()),
    ([], 1, {"Bo": 1}, "Ada", [], {1}),
    ([], 1, {"Ada": 1}, "Ada", [], set()),
    ([], 2, {"Bo": 1}, "Ada", [], set()),
    ([], 2, {"Bo": 1, "Cy": 1}, "Ada", [], {1}),
    ([FLIP], 1, {}, "Bo", [], {1}),
    ([FLIP], 2, {}, "Bo", [1], set()),
    ([FLIP], 2, {"Cy": 1}, "Bo", [], {1}),
    ([("Ada", 1, "skip")], 1, {}, "Bo", [], set()),
    ([FLIP, ("Bo", 1, "flip")], 2, {}, "Cy", [], {1}),
    ([FLIP, KEEP], 2, {}, "Cy", [1], set()),
    ([FLIP, KEEP], 2, {"lead": 1}, "Cy", [], {1}),
    ([FLIP, KEEP], 2, {}, "Ada", [], {1}),
    ([FLIP, KEEP], 2, {"Cy": 1}, "lead", [1], set()),
    ([FLIP, KEEP], 3, {}, "Cy", [1], set()),
    ([FLIP, KEEP, ("Cy", 1, "flip")], 2, {}, "lead", [], {1}),
    ([FLIP, KEEP, ("Cy", 1, "flip")], 3, {}, "lead", [1], set()),
    ([FLIP, KEEP, ("Cy", 1, "ambiguous")], 2, {}, "lead", [], {1}),
]  # fmt: skip


@pytest.mark.parametrize("answers, each, screens, who, due, barred", PARTS)
def test_parts(team, answers, each, screens, who, due, barred):
    assert team(answers, each).shown(who, **screens)[:2] == (due, barred)


def test_the_third_answer_overrules_and_the_others_are_not_told(team):
    made = team([FLIP, KEEP, ("Cy", 1, "flip")], 2)
    assert made.answers.disputes == [] and {*made.answers.overruler.values()} == {"Cy"}
    waiting = team([("Ada", 2, "flip")], 2)
    assert [*waiting.shown("Bo")[2].taught] == [0] and waiting.shown("Bo")[0] == [2]  # of #1, not of what is due


def test_conflicts_of_a_cluster_go_to_one_person(team):
    rows = [("a", "b", 1), ("b", "c", 1), ("a", "c", 0), ("c", "d", 1), ("a", "d", 0)]
    rows += [("u", "v", 1), ("v", "w", 1), ("u", "w", 0)]
    graph = pg.ParaphraseGraph.from_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]))
    made = team([], 1, graph)
    assert len(made.sessions["Ada"].queue.items) == 3
    together = made.shown("Bo", Ada=1)[1]
    assert 1 in together and len(together) in (1, 2)
    assert made.shown("Bo", Ada=1, Cy=({1, 2, 3} - together).pop())[1] == {1, 2, 3}


def test_a_settled_dispute_that_reopens_is_settled_again(team):
    bo = [("Bo", 1, "ambiguous"), ("lead", 1, "keep")]
    made = team([FLIP, KEEP, ("lead", 1, "flip"), bo[0]], 2)
    assert len(made.answers.disputes) == 1 and made.shown("lead")[0] == [1] and made.shown("Cy")[0] == [1]
    assert team([FLIP, KEEP, ("lead", 1, "flip"), *bo], 2).answers.disputes == []


def test_what_somebody_answered_who_has_left_is_not_asked_again(team):
    made = team([FLIP], 1)
    del made.sessions["Ada"]
    assert made.shown("Bo")[1] == {1}


def test_stopped(team):
    made = team([FLIP], 2)
    made.is_stopped = True
    due, _, part = made.shown("Bo")
    assert due == [] and not part.is_open and "stopped" in part.note
