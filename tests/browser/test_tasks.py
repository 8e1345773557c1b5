"""Three tasks of a user of the Explorer, with the clicks and keys that they take."""

import pytest

import paragraph as pg

from ..widgets.graphs import at
from .desk import calling, rows_of

CONFLICT = "select[aria-label='Kind of conflict']"


class Hand:
    """Does what a person does on a page, and counts the clicks."""

    def __init__(self, page):
        self.page, self.clicks = page, 0

    def click(self, selector):
        self.page.click(selector)
        self.clicks += 1

    def choose(self, selector, option):
        self.page.select_option(selector, option)
        self.clicks += 2  # the list, and the choice

    def line(self, kind):
        """Click a line of a kind in the picture."""
        self.page.evaluate("document.querySelector('.pg-stage').scrollIntoView({ block: 'center' })")
        found = self.page.wait_for_function(calling("find"), arg=[kind, None]).json_value()
        self.page.mouse.click(found["x"], found["y"])
        self.clicks += 1
        return [int(found[end][1:]) for end in ("from", "to")]


@pytest.fixture(scope="module")
def graph():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))


@pytest.fixture(scope="module")
def saved(graph, tmp_path_factory):
    return at(40, pg.Explorer(graph)).save(tmp_path_factory.mktemp("tasks") / "clusters.html")


@pytest.fixture(params=[1400, 390])
def hand(request, saved, visit):
    """A page that begins at another cluster than the largest."""
    seen = visit(saved, width=request.param)
    seen.page.wait_for_selector(".pg-bench[data-answered]")
    yield Hand(seen.page)
    seen.assert_quiet()


def test_the_largest_conflicting_cluster_down_to_its_rows_takes_five_clicks(hand, graph):
    hand.click(".pg-filters summary")
    hand.choose(CONFLICT, "within")
    hand.page.wait_for_selector(".pg-in-force:has-text('within')")
    hand.click(".pg-item >> nth=0")
    largest = int(graph.edge_clusters[0][graph.within].min())  # ids go by size
    hand.page.wait_for_selector(f".pg-title:has-text('Cluster {largest}:')")
    ends = hand.line("conflicts")
    hand.page.wait_for_selector(".pg-badge-conflict")
    shown = [row.text_content() for row in hand.page.query_selector_all(".pg-why tbody td:first-child")]
    assert shown == [str(row) for row in graph.source_rows(graph.edge_between(*ends))] != []
    assert hand.clicks == 5


def test_a_word_is_searched_by_typing_it_and_enter(hand, graph):
    for key in ["/", *"passport", "Enter"]:
        hand.page.keyboard.press(key)
    home = int(graph.cluster_of[graph.search("passport")["node"][0]])
    hand.page.wait_for_selector(f".pg-title:has-text('Cluster {home}:')")
    assert hand.clicks == 0 and hand.page.query_selector_all(".pg-sentences .hit")


def test_the_proof_of_a_friend_takes_two_clicks(hand, graph):
    hand.click("[data-layer=inferred_positive]")
    ends = hand.line("inferred_positive")
    hand.page.wait_for_selector(".pg-badge-inferred")
    steps = hand.page.query_selector_all(".pg-steps li small")
    proof = pg.explain(graph, *graph.texts(ends)).to_dict()["steps"]
    assert [one.text_content() for one in steps] == [rows_of(step["rows"]) for step in proof] != []
    assert hand.clicks == 2
