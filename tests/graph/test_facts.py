"""Facts about paraphrase graphs, each on a graph small enough to be drawn on a thumbnail.

A sentence is a letter and a row is ``a+b`` (paraphrases), ``a-b`` (not) or ``a?b`` (unlabelled).
"""

from itertools import pairwise

import pandas as pd

import paragraph as pg

from ..facts import facts
from ..reference import SIGN, graph_of, table
from ..refused import refused

ALL, CLUSTERS, HOPS = {"negatives": "all"}, {"negatives": "clusters"}, {"distance": "hops"}

FACTS = [
    # what is so, the rows, the question, its options, the answer (of an explanation: label and steps)
    ("the majority of the rows is stated", "a+b a-b b+a", "stated", {}, "a+b"),
    ("on a tie the later row is stated: negative", "a+b a-b", "stated", {}, "a-b"),
    ("a self-pair is no edge", "a+a b-b c+d", "stated", {}, "c+d"),
    ("an unlabelled row has no vote", "a+b a-b a+b a?b a?b", "stated", {}, "a+b"),
    ("pairs come in the order of their first row", "c-d a+b d-c b-c", "stated", {}, "c-d a+b b-c"),
    # clusters
    ("negative edges do not", "a-b c+d", "clusters", {}, "cd a b"),
    ("a sentence met only beside itself has a cluster", "a-a b+b", "clusters", {}, "a b"),
    ("a negative inside a cluster does not divide it", "a+b b+c a-c", "clusters", {}, "abc"),
    ("the larger cluster comes first", "a+b c+d d+e", "clusters", {}, "cde ab"),
    # inferred labels
    ("both sides carry over", "a+b b-c c+d", "inferred", {}, "a-c:1 a-d:2 b-d:1"),
    ("unless only clusters count", "a+b b-c", "inferred", CLUSTERS, ""),
    ("a lone end leaves the other negatives alone", "a+b c+d a-c a-e", "inferred", CLUSTERS,
     "a-d:1 b-c:1 b-d:2"),
    ("a negative inside a cluster propagates nothing", "a+b b+c a-c c+d", "inferred", {}, "a+d:2 b+d:1"),
    ("the nearest of two negatives gives the distance", "a+b b+c x+y c-x a-y", "inferred", {},
     "a+c:1 a-x:1 b-x:1 b-y:1 c-y:1"),
    # limits
    ("one hop", "a+b b+c c-d", "inferred", {"max_distance": 1} | HOPS, "a+c:1 b-d:1"),
    ("at most so many of a cluster, each sign", "a+b b+c c+d d-e", "counts", {"max_per_cluster": 2}, "+2 -2"),
    ("a negative counts for the larger cluster", "a+b b+c d+e f+g a-d a-f", "counts", {"max_per_cluster": 1},
     "+1 -1"),
    ("and not for the smaller", "a+b b+c d+e e+f x+y a-x d-x", "counts", {"max_per_cluster": 1}, "+2 -2"),
    # conflicts
    ("a negative inside a cluster", "a+b b+c a-c", "conflicts", {}, "within:ac"),
    ("a pair can be both", "a+b b+c a+c c-a", "conflicts", {}, "direct:ac within:ac"),
    ("but not where its label is positive", "a+b b+c a-c a+c", "conflicts", {}, "direct:ac"),
    # explanations
    ("a sentence and itself are the same", "a+b", "aa", {}, "same 1"),
    ("a step has the direction that is asked for", "a+b b-c", "ba", {}, "stated 1 b+a"),
    ("one negative and the positives around it", "a+b b-c c+d", "da", {}, "inferred 0 d+c c-b b+a"),
    ("the path that a negative contradicts", "a+b b+c a-c", "ac", {}, "conflict 0 a+b b+c"),
    ("which holds all the same", "a+b b+c a-c c+d", "ad", {}, "inferred 1 a+b b+c c+d"),
    ("nothing is known", "a?b", "ab", {}, "unknown None"),
    # the four datasets
    ("original: the rows as given", "a+b b-a a+a c-d a+b", "original", {}, "a+b b-a a+a c-d a+b"),
    ("flipped: every one of them, unlabelled ones too", "a+b b+c a-c a?c c?a a?d", "original_flipped", {},
     "a+b b+c a+c a+c c+a a?d"),
    ("augmented: what is stated or follows", "a+b b+c c-d", "augmented", {}, "a+b a+c a-d b+c b-d c-d"),
    ("augmented: a conflict keeps its 0", "a+b b+c a-c", "augmented", {}, "a+b a-c b+c"),
    ("augmented and flipped: there it is 1", "a+b b+c a-c", "augmented_flipped", {}, "a+b a+c b+c"),
]  # fmt: skip

IDENTITIES = [
    # what is so, the policy, the spellings, how many sentences they are
    ("composed and decomposed are one", "text", ["Café", "Cafe\u0301"], 1),
    ("the ångström sign is a letter", "text", ["\u212b", "\u00c5", "A\u030a"], 1),
    ("outer white space does not count", "text", ["tea", " tea", "tea\t", "\u3000tea\n", "\u00a0tea"], 1),
    ("inner white space does", "text", ["green tea", "green  tea", "green\ttea"], 3),
    ("punctuation counts", "text", ["Tea?", "Tea", "Tea ?"], 3),
    ("compatibility forms stay apart", "text", ["ﬁne", "fine"], 2),
    ("a normal form folds case", "normal", ["Tea at Five?", "tea at \t five?"], 1),
    ("a normal form drops outer punctuation", "normal", [
        "Tea?", "tea", "tea!!", "“Tea”", '"Tea."', "(tea)", "...tea…", "¿Tea?", "- Tea ?", "Tea ? -", "tea;"], 1),
    *((f"{one} is not {other}", "normal", [ask.format(one), ask.format(other)], 2)
      for ask in ("What is {}?", "{} is what") for one, other in pairwise([
          "C", "C++", "C#", "$5", "5", "-5", "−5", "-5 %", "−5 %", "€5", "5%", ".5", "5!", '5"', "5'", ".NET", "NET",
          "@net", "#net", "net*", "~net", "net/", "net&", "A", "A+", "A-", "main", "main()", ":)", ":(", "::",
          "<", "=", "dogs", "dogs'", "don't", "dont"])),
    ("a normal form keeps inner punctuation", "normal", ["it's tea", "its tea"], 2),
]  # fmt: skip


def write(a, b, label):
    """One row or step, as the tables write it."""
    return a + SIGN[None if label is None or label is pd.NA else int(label)] + b


def write_pair(a, b, label):
    """The same for an unordered pair, its ends in alphabetical order."""
    return write(*sorted((a, b)), label)


def package(rows, question, options):
    graph = graph_of(rows)
    if question == "stated":
        ends = zip(graph.texts(graph.edge_a), graph.texts(graph.edge_b), graph.edge_sign, strict=True)
        return [write(a, b, sign == 1) for a, b, sign in ends]
    if question == "clusters":
        return ["".join(graph.texts(graph.members(c))) for c in range(len(graph.cluster_sizes))]
    if question == "inferred":
        frame = pg.infer(graph, **options).to_frame()
        return sorted(f"{write_pair(a, b, label)}:{d}" for a, b, label, d in frame.itertuples(index=False))
    if question == "counts":
        return [SIGN[label == "positive"] + str(n) for label, n in pg.infer(graph, **options).counts().items()]
    if question == "conflicts":
        frame = pg.conflicts(graph, **options)
        ends = zip(frame["kind"], frame["text_a"], frame["text_b"], strict=True)
        return sorted(f"{kind}:{min(a, b)}{max(a, b)}" for kind, a, b in ends)
    if len(question) == 2:
        why = pg.explain(graph, *question)
        steps = [write(step.text_a, step.text_b, step.sign == 1) for step in why.steps]
        return [why.verdict, str(why.label), *steps]
    frame = pg.four_datasets(graph)[question][["text_a", "text_b", "label"]]
    if question.startswith("original"):
        return [write(*row) for row in frame.itertuples(index=False)]
    return sorted(write_pair(*row) for row in frame.itertuples(index=False))


@facts("rows, question, options, answer", FACTS)
def test_fact(rows, question, options, answer):
    assert package(rows, question, options) == answer.split()


def test_identity():
    for what, policy, spellings, sentences in IDENTITIES:
        pairs = table([(text, "something else", 0) for text in spellings])
        graph = pg.ParaphraseGraph.from_pairs(pairs, identity=policy)
        assert graph.n == sentences + 1, what
        assert graph.text(0) == spellings[0]  # the spelling first seen is the one written


def test_what_is_refused():
    graph, answers = graph_of("a+b b+c"), graph_of("a+b b+c")
    answers.pairs.attrs["bipartite"] = True
    for option, value in (("negatives", "some"), ("distance", "some"), ("max_distance", 0)):
        refused(option, pg.infer, graph, **{option: value})
    for closure in (pg.infer, pg.four_datasets):
        refused("bipartite", closure, answers)


def test_no_rows_at_all():
    graph = graph_of("")
    assert (graph.n, len(graph.edge_sign), len(graph.cluster_sizes)) == (0, 0, 0)
    closure = pg.infer(graph)
    assert closure.counts() == {"positive": 0, "negative": 0}
    assert [len(frame) for frame in (closure.to_frame(), closure.by_distance(), closure.sample(5, seed=0))] == [0] * 3
    assert list(closure.batches(10)) == []
    assert list(pg.conflicts(graph).columns[:5]) == ["kind", "text_a", "text_b", "cluster", "path"]
    assert [len(frame) for frame in pg.four_datasets(graph).values()] == [0] * 4
