"""A judge that reads best first: what it is asked, what the list says of the others."""

import numpy as np
import pandas as pd

import paragraph as pg
from paragraph.doubts.propose import Proposals
from paragraph.doubts.reading import FEW, UNREAD, Reading
from paragraph.words.difference import differences

from ..refused import refused
from ..widgets.graphs import demo


class Counted:
    """A judge by the share of common words, with a twist that words do not tell; it counts what it is asked."""

    def __init__(self):
        self.asked = set()

    def __call__(self, left, right):
        self.asked |= set(map(frozenset, zip(left, right, strict=True)))
        overlap = differences(left, right)["overlap"].to_numpy(float)
        twist = np.array([len(a + b) % 7 / 20 for a, b in zip(left, right, strict=True)])
        return (0.7 * overlap + twist).clip(0.02, 0.98)


def test_the_first_of_either_sign_are_read_and_no_more_than_it_takes():
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))
    of_all, of_some = Counted(), Counted()
    every = pg.suspects(graph, judge=of_all, first=None, progress=False)
    some = pg.suspects(graph, judge=of_some, first=30, progress=False)
    stated = set(map(frozenset, zip(every["text_a"], every["text_b"], strict=True)))
    assert stated - {one for one in stated if len(one) == 1} <= of_all.asked and (every["by"] == "another").all()
    assert 2 * FEW + 60 <= (some["by"] == "another").sum() < len(some) * 0.25
    assert len(of_some.asked & stated) == (some["by"] == "another").sum()
    for label in (0, 1):
        ours, theirs = (table[table["label"] == label].head(30) for table in (some, every))
        assert (ours["by"] == "another").mean() > 0.95
        assert len({*ours["text_a"] + ours["text_b"]} & {*theirs["text_a"] + theirs["text_b"]}) >= 24
    of_others = some[some["by"] == UNREAD].merge(every, on=["text_a", "text_b"])
    assert np.corrcoef(of_others["judge_x"], of_others["judge_y"])[0, 1] > 0.5  # words tell what it would say
    again = pg.suspects(graph, judge=Counted(), first=30, progress=False)
    pd.testing.assert_frame_equal(some, again)
    none = pg.suspects(graph, judge=(quick := Counted()), first=0, progress=False)
    assert 2 * FEW <= (none["by"] == "another").sum() == len(quick.asked & stated) < len(of_some.asked)
    assert (none.loc[none["conflict"].notna(), "by"] == "another").all()  # these have the p_flip of `repair`
    refused("first -1 is not a whole number of 0 or more", pg.suspects, graph, first=-1)


def test_of_what_was_not_read_words_tell_what_the_judge_would_say():
    proposals = Proposals(demo(), Counted())
    reading = Reading(proposals)
    known, read = reading.labels().known[:, 1], ~np.isnan(reading.same)
    assert np.isfinite(known).all() and not read.all()
    np.testing.assert_allclose(reading.same[:5][read[:5]], proposals.same(np.arange(5))[read[:5]])
