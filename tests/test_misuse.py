"""Arguments of another kind than a function takes, and a machine without torch: one line says what to do."""

import pytest

import paragraph as pg
from paragraph.lesson import write_sheets

from .process import python
from .reference import graph_of, table
from .refused import refused

TABLE, GRAPH = table("a+b b+c a-c"), graph_of("a+b b+c a-c")
CLOSURE = pg.infer(GRAPH)
MADE = r"pg\.ParaphraseGraph\.from_pairs\(pairs\)"

#: What takes a graph, by its name, with its further arguments.
TAKES_A_GRAPH = {
    "infer": [], "conflicts": [], "explain": ["a", "b"], "repair": [], "suspects": [], "audit": [],
    "error_rates": [TABLE], "export": ["out.graphml"], "four_datasets": [], "write_datasets": ["out"],
    "overview": [], "Explorer": [], "Atlas": [], "ConflictReview": ["l.db"], "paraphrases": [["a"]],
}  # fmt: skip
#: Calls that are refused, and what the refusal says.
REFUSED = [
    *((getattr(pg, name), [given, *more], {}, f"^{name} takes a graph, not {said}: {name}\\({MADE}\\)$")
      for name, more in TAKES_A_GRAPH.items()
      for given, said in ((TABLE, "a table"), ("a.tsv", "'a.tsv'"), (CLOSURE, "a Closure"))
      if not (name.endswith("_datasets") and given is CLOSURE)),
    *((pg.trust, [given, "tfidf"], {}, r"trust takes a closure, not a .*: trust\(pg\.infer\(graph\)\)")
      for given in (GRAPH, TABLE)),
    *((pg.ParaphraseGraph.from_pairs, [given], {}, r"from_pairs takes a table, not .*pg\.read_pairs\(file\)")
      for given in ("file.tsv", GRAPH, [("a", "b", 1)])),
    (pg.four_datasets, [GRAPH, CLOSURE], {}, "kept is not a mask of the 3 pairs"),
    (pg.read_pairs, [TABLE], {"columns": ["a", "b"]}, r"columns as a dict, not \['a', 'b'\]: columns=\{\"label\""),
    (pg.show, [GRAPH], {}, "show takes a table, not a ParaphraseGraph"),
    (pg.fetch, [3], {}, r"fetch takes the name of a dataset, not 3: fetch\(\"qqp\"\)"),
    (pg.open_pairs, [GRAPH], {}, "open_pairs takes paths of files, or a pattern, not a ParaphraseGraph"),
    (pg.PairReview, [TABLE, TABLE, "l.db"], {}, "PairReview takes a graph, not a table"),
    (pg.lesson.Sheet, ["a name"], {}, "a sheet has a whole number for its seed and a name, not 'a name'"),
    (write_sheets, [["a name"], "out.html"], {}, r"write_sheets takes sheets, not 'a name': .*Sheet\(student=name\)"),
    (pg.score, [3, 3, "rouge1"], {}, "score takes lists of texts"),
    (pg.phrase_orders, [3], {}, "a parse takes a sentence, not 3"),
    *((CLOSURE.sample, [n], {}, "n .* is not a whole number of 0 or more") for n in (-1, "x", 1.5)),
    *((pg.infer, [GRAPH], {name: value}, f"{name} .* is not a whole number")
      for name in ("max_per_cluster", "max_distance", "seed") for value in ("2", -1)),
    (GRAPH.clusters, [], {"min_size": "x"}, "min_size 'x' is not a whole number"),
]  # fmt: skip


@pytest.mark.parametrize("call, args, options, said", REFUSED)
def test_one_line_says_what_is_taken(tmp_path, monkeypatch, call, args, options, said):
    monkeypatch.chdir(tmp_path)
    assert "\n" not in refused(said, call, *args, **options) and not any(tmp_path.iterdir())


WITHOUT_TORCH = """
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder

    def __getattr__(self, name):
        return getattr(self.finder, name)

    def find_spec(self, name, *args):
        return None if name.partition(".")[0] == "torch" else self.finder.find_spec(name, *args)

sys.meta_path[:] = map(Without, sys.meta_path)
import pandas as pd
import paragraph as pg
pairs = pd.DataFrame({"text_a": ["a", "b", "a"], "text_b": ["b", "c", "c"], "label": [1, 1, 0]})
graph = pg.ParaphraseGraph.from_pairs(pairs)
for call in {calls}:
    try:
        print(call, eval(call))
    except (pg.PairsError, ModuleNotFoundError) as error:
        print(repr(str(error)))
"""
NEED_TORCH = [
    "pg.trust(pg.infer(graph.from_pairs(pairs[:2])), 'minilm', sure=0.5).counts()",
    "pg.repair(graph, judge='minilm')", "pg.suspects(graph, judge='minilm')",
    "pg.trust(pg.infer(graph.from_pairs(pairs[:2])), 'minilm').to_frame()", "pg.learn.encode(['a'])",
    "pg.papers.make_model('embedding')", "pg.papers.make_model('adapter')",
    "pg.score(['a'], ['b'], 'bertscore')",
]  # fmt: skip


@pytest.mark.slow
def test_without_torch_the_extra_is_named():
    done = python("-c", WITHOUT_TORCH.replace("{calls}", repr(NEED_TORCH)))
    said = "needs torch, which is not installed: pip install '.[learn]' in your copy of paragraph\""
    assert [line.endswith(said) for line in done.stdout.splitlines()] == [True] * len(NEED_TORCH), done
    assert not done.stderr
