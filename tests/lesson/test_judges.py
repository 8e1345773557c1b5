"""The Lab's judges: verdicts are the library's, dynamics keeps its rules, answers are right where they should be."""

import itertools
import json
from pathlib import Path
from random import Random

import networkx as nx
import pytest

from paragraph.balance import balance, census
from paragraph.draw.page import source
from paragraph.draw.shared import constants
from paragraph.lesson import EXERCISES, Sheet
from paragraph.lesson.exercises.sheet import SHEETS
from paragraph.lesson.lab import contents
from paragraph.lesson.lab.widget import KERNEL
from paragraph.widgets.base.live import DOM

from .. import hostile
from ..balance.oracle import Cycles, around, balanced, is_right_graph, truth_of_camps


@pytest.fixture(scope="module")
def judge():
    """Calls a function of the Lab's page with an argument, in V8."""
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval(constants() + source(DOM, *(path for path in KERNEL if path.name != "kernel.js")))
    return lambda code, given: json.loads(engine.eval(f"JSON.stringify(({code})({json.dumps(given)}))"))


BOTH = """(given) => given.map(([n, edges]) => {
    const graph = graphOf(n, edges);
    const judged = (kind) => judgeBalance(graph, kind);
    return { triads: countTriads(graph), strong: judged("strong"), weak: judged("weak") };
})"""
FACTS = json.loads((Path(__file__).parents[1] / "facts" / "balance.json").read_text("utf-8"))


@pytest.mark.parametrize(("edges", "strong", "weak", "triads"), FACTS)
def test_camps_cycles_and_triads(judge, edges, strong, weak, triads):
    """Of the library and of the page: nodes by camps, or an unbalanced cycle back to its first node."""
    graph = nx.Graph()
    graph.add_nodes_from(sorted(set(edges) - set("+- ")))
    graph.add_edges_from((a, b, {"sign": int(f"{sign}1")}) for a, sign, b in edges.split())
    [said] = judge(BOTH, [[len(graph), numbered(graph.edges(data="sign"), [*graph])]])
    assert census(graph).tolist() == said["triads"] == triads
    for kind, fact in (("strong", strong), ("weak", weak)):
        own, names = balance(graph, kind), [*graph]
        assert own.balanced == said[kind]["balanced"] == (fact[0] != fact[-1] or len(fact) < 3)
        cycles = [own.cycle, said[kind]["cycle"] and [names[place] for place in said[kind]["cycle"]]]
        if own.balanced:
            parts = [{camp: "".join(n for n, c in zip(names, camps, strict=True) if c == camp) for camp in camps}
                     for camps in (own.camps.tolist(), said[kind]["camps"])]  # fmt: skip
            assert ["|".join(part.values()) for part in parts] == [fact] * 2 and cycles == [None] * 2
        else:
            assert [set(around(cycle)) for cycle in cycles] == [set(around([*fact[:-1]]))] * 2


def signed_graph(rng, kind, most=16):
    """2 nodes or more, some of them not connected; of a kind "strong" or "weak" with camps that every edge fits."""
    n, density = rng.randint(2, most), rng.choice([0.1, 0.2, 0.4, 0.8])
    camp = [rng.randrange(2 if kind == "strong" else 5) for _ in range(n)]
    graph = nx.empty_graph(n)
    for a, b in rng.sample(pairs := list(itertools.combinations(range(n), 2)), round(density * len(pairs))):
        sign = 1 if camp[a] == camp[b] else -1
        graph.add_edge(*rng.sample((a, b), 2), sign=sign if kind != "any" else rng.choice([1, -1]))
    return graph


@pytest.mark.parametrize(("many", "most"), [(500, 7), (500, 16), pytest.param(10_000, 16, marks=pytest.mark.long)])
def test_verdicts_camps_cycles_and_triads_are_pythons_and_those_of_brute_force(judge, many, most):
    rng = Random(many)
    graphs = [signed_graph(rng, ("strong", "weak", "any", "any")[number % 4], most) for number in range(many)]
    given = [[len(graph), list(graph.edges(data="sign"))] for graph in graphs]
    verdicts = set()
    for graph, said in zip(graphs, judge(BOTH, given), strict=True):
        assert said["triads"] == census(graph).tolist()
        for kind in ("strong", "weak"):
            own, verdict = balance(graph, kind), said[kind]
            assert [verdict[name] for name in ("balanced", "cycle")] == [own.balanced, own.cycle]
            assert verdict["camps"] == own.camps.tolist()
            assert len(graph) > 7 or own.balanced == balanced(graph, kind)  # no cycle of all is unbalanced
        verdicts.add((bool(balance(graph)), bool(balance(graph, "weak"))))
    assert verdicts == {(True, True), (False, True), (False, False)}


def test_a_name_chooses_the_same_sheet_on_the_page_and_in_python(judge):
    names = [*hostile.SENTENCES, "Ada", " ada ", "Zoë", "ÅSA  L.", "Ἀγάθη", "王 小明", "🫠"]
    said = judge(f"(names) => names.map((name) => sheetOf(name, {SHEETS}))", names)
    assert said == [Sheet(student=name).seed for name in names] and set(said) <= {*range(SHEETS)}


def unbalanced(graph):
    return census(graph)[["++-", "---"]].sum()


@pytest.mark.parametrize("rule", ["local", "constrained"])
def test_dynamics_turns_an_edge_of_an_unbalanced_triad(judge, rule):
    """Constrained, their number never rises, and a run ends balanced or jammed; a seed gives the same run."""
    graphs = [signed_graph(Random(seed), "any") for seed in range(30)]
    given = [[len(graph), list(graph.edges(data="sign")), rule, 200 * seed] for seed, graph in enumerate(graphs)]
    run = """(given) => given.map(([n, edges, rule, seed]) => {
        let graph = graphOf(n, edges);
        const turned = [];
        for (let edge; turned.length < 60 && (edge = nextTurn(graph, rule, seed + turned.length));) {
            graph = turnedEdges(graph, [edge]);
            turned.push([edge[0], edge[1], triadsOf(graph).filter(isOdd).length]);
        }
        return turned;
    })"""
    runs = judge(run, given)
    assert runs == judge(run, given)
    for graph, turned in zip(graphs, runs, strict=True):
        for a, b, left in turned:
            before, sign = unbalanced(graph), graph.edges[a, b]["sign"]
            ends = ((graph.edges[a, c]["sign"], graph.edges[b, c]["sign"]) for c in nx.common_neighbors(graph, a, b))
            assert -1 in [sign * one * other for one, other in ends]
            graph.edges[a, b]["sign"] = -sign
            assert left == unbalanced(graph)
            assert rule == "local" or unbalanced(graph) <= before
        if len(turned) < 60:
            may = census(graph, by="edge")
            worse = may["++-"] + may["---"] < may["+++"] + may["+--"]
            assert not unbalanced(graph) or (rule == "constrained" and worse[(may["++-"] + may["---"]) > 0].all())


def typed(one, rng):
    """Of a choice or a number: all of them near by, and what is no answer."""
    right = next(one.solutions())
    if one.choices:
        return [(choice, choice == right) for choice in one.choices]
    near = [(str(n), n == right) for n in range(-2, right + 15)] + [(f" {right}\n", True)]
    return [*near, *((text, False) for text in ("maybe", "", "x" * 40, "1e3", "9" * 12, "é🫠"))]


def edge_sets(one, rng):
    right, edges = (
        {frozenset(map(frozenset, answer)) for answer in one.solutions()},
        [*map(frozenset, one.graph.edges)],
    )
    start = next(iter(right))
    corrupted = [start ^ {pair} for pair in edges]
    corrupted += [start - {old} | {new} for old in start for new in edges if new not in start]
    some = rng.sample(sorted(right, key=str), min(len(right), 5))
    return [(shuffled(rng, answer), answer in right) for answer in [*some, *corrupted, frozenset()]]


def cycles(one, rng):
    found, right = Cycles(one.graph), {frozenset(around(nodes)) for nodes in one.solutions()}
    start = next(iter(right))
    some = [*(frozenset(around(nodes)) for nodes in found.nodes), *(start ^ {pair} for pair in found.edges)]
    return [(shuffled(rng, answer), answer in right) for answer in some]


def shuffled(rng, answer):
    return rng.sample(sorted(map(sorted, answer)), len(answer))


def camps(one, rng):
    accepted = list(one.solutions())
    camp = {node: number for number, camp in enumerate(accepted[0]) for node in sorted(camp)}
    others = range(len(accepted[0]) + 1)
    answers = [camp | {node: other} for node in one.graph for other in others]
    answers += [{node: c - (c == other) for node, c in camp.items()} for other in others[1:-1]]  # two made one
    answers += [{node: c for c, camp in enumerate(camps) for node in camp} for camps in accepted]
    tried = [([answer[node] for node in one.graph], truth_of_camps(one, answer)) for answer in answers]
    assert sum(right for _, right in tried) >= len(accepted)
    return [*tried, ([None] * len(one.graph), False), ([0, *[None] * (len(one.graph) - 1)], False)]


def graphs(one, rng):
    drawn = [*one.solutions(), one.graph]
    drawn += rng.sample(list(corruptions(drawn[0])), 8)
    for _ in range(3):  # and on from there: two edges are changed, three, ...
        drawn.append(rng.choice(list(corruptions(drawn[-1]))))
    if one.kind == "turn":  # a click turns signs, and edges stay
        drawn = [graph for graph in drawn if graph.edges == one.graph.edges]
    return [(graph.edges(data="sign"), is_right_graph(one, graph)) for graph in drawn]


def corruptions(graph):
    """The graph with one edge turned, taken away or added."""
    for pair in itertools.combinations(graph, 2):
        for sign in {1, 0, -1} - {graph.get_edge_data(*pair, {"sign": 0})["sign"]}:
            other = nx.Graph(graph)
            other.add_edge(*pair, sign=sign)
            if not sign:
                other.remove_edge(*pair)
            yield other


def numbered(edges, nodes):
    """Edges, with their signs where they have one, of the numbers of nodes."""
    return [[nodes.index(a), nodes.index(b), *sign] for a, b, *sign in map(tuple, edges)]


#: Of each kind of exercise, `(answer, is it right?)` of one.
ANSWERS = {"choice": typed, "number": typed, "edges": edge_sets}
ANSWERS |= {"cycle": cycles, "camps": camps, "draw": graphs, "turn": graphs}
#: Verdicts of the page on answers to one exercise.
GRADE = """([one, given]) => {
    one.graph = graphOn(one);
    return given.map((answer) => gradeAnswer(one, answer));
}"""


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 60), marks=pytest.mark.long)], ids=len)
def test_answers_are_right_where_they_should_be(judge, seeds):
    """Of every exercise: the verdict is as it should be, with a reason and edges."""
    for (number, row), seed in itertools.product(enumerate(EXERCISES, 1), seeds):
        one = Sheet(seed).exercise(number)
        answers = ANSWERS[row.kind](one, Random(seed))
        given = [answer for answer, _ in answers]
        if row.kind in ("edges", "cycle", "draw", "turn"):
            given = [numbered(answer, [*one.graph]) for answer in given]
        record = contents._exercise(one) | {"kind": row.kind, "choices": row.choices}
        for (answer, right), said in zip(answers, judge(GRADE, [record, given]), strict=True):
            assert said["correct"] == right, (str(one), answer, said["message"])
            assert said["message"][-1] in ".?:)" and all(sign in (1, -1) for *_, sign in said["marks"])
