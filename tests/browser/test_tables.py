"""Tables and results of sentences that nobody should trust, shown as a notebook shows them: nothing runs."""

from html import escape

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.draw.tables import show

from .. import hostile

#: A hundred sentences of which no two are the same.
SENTENCES = [f"{text} what is tea {i}?" for i, text in enumerate(hostile.SENTENCES[:7] * 15)][:100]


def results(folder):
    """Tables, and other results that draw themselves, of every public function that gives one."""
    n = len(SENTENCES)
    chain = [(i, i + 1, 1) for i in range(n - 1) if i % 10 != 9]
    rows = chain + [(i, i + 4, 0) for i in range(0, n - 4, 10)] + [(i, i + 11, 0) for i in range(n - 11)]
    rows += [(i, i + 1, 0) for i in range(0, n - 1, 30)] + [(i, i + 1, 1) for i in range(0, n - 1, 30)]
    texts = [(SENTENCES[a], SENTENCES[b], label) for a, b, label in rows]
    pairs = pd.DataFrame(texts, columns=["text_a", "text_b", "label"])
    pairs = pairs.assign(row=range(2, 2 + len(pairs)), split=np.where(np.arange(len(pairs)) % 3, "train", "test"))
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    closure = pg.infer(graph)
    log = pg.DecisionLog(folder / "decisions.sqlite", "<b onclick=alert(1)>")
    yield pg.read_pairs(pairs)
    yield pg.conflicts(graph)
    yield pg.repair(graph, judge=None)
    yield pg.suspects(graph, judge=None)
    yield pg.split(pairs)
    leaks = pg.leakage(pairs[::2], pairs[1::2])
    yield from (leaks, *vars(leaks).values())
    sample = pg.audit(graph, n=40)
    yield sample
    yield pg.error_rates(graph, sample.assign(same=1))
    yield graph.clusters()
    yield graph.search("tea")
    yield pg.lesson.Sheet(0, graph=graph).exercise(24)
    yield pg.explain(graph, SENTENCES[0], SENTENCES[5])
    yield closure.sample(20)
    yield from pg.four_datasets(graph).values()
    for row in pg.conflicts(graph).head(20).itertuples():
        log.add(row.text_a, row.text_b, 1, note=SENTENCES[7])
    yield log.answers()
    for row in pg.conflicts(graph).head(5).itertuples():
        log.add(row.text_a, row.text_b, 0, reviewer="<script>window.__pwned = 0</script>")
    yield pg.agreement(log)
    replayed = pg.replay(log, pairs)
    yield replayed
    yield replayed.decisions
    tags = pg.tags.untagged(pairs[:60])
    ones, zeros = ({f"tags_{s}": [[x] * len(words) for words in tags[f"words_{s}"]] for s in "ab"} for x in (1, 0))
    both = [tags.assign(annotator=SENTENCES[i], **marks) for i, marks in enumerate((ones, zeros))]
    yield both[0]
    yield pg.tags.show(both[0])
    index = pd.Index(SENTENCES[:1], name=SENTENCES[4])
    odd = pd.DataFrame([SENTENCES], index, SENTENCES).assign(lists=[[SENTENCES]])
    yield odd.rename_axis(columns=SENTENCES[5])
    yield pairs.pivot_table("row", "text_a", ["split", "text_b"], aggfunc="first")[:3]


def results_of_models(_):
    """Likewise, of functions that load a model, which takes longer than all others together."""
    learner = pg.Learner(SENTENCES[:30], progress=False)
    yield learner.query(5)
    scores = pg.score(SENTENCES[:6], SENTENCES[50:56], metric="matching")
    yield scores.table
    yield scores.show(0)


@pytest.mark.parametrize(
    "results, tables", [(results, 20), pytest.param(results_of_models, 2, marks=pytest.mark.long)]
)
def test_no_table_and_no_result_runs_a_sentence(visit, tmp_path, results, tables):
    parts, shown = [], 0
    for result in results(tmp_path):
        if isinstance(result, pd.DataFrame):
            parts.append(show(result, rows=150).to_html())
            shown += 1
        parts.append(result._repr_html_() if hasattr(result, "_repr_html_") else escape(str(result)))
    seen = visit(f"<!DOCTYPE html><meta charset=utf-8><body>{''.join(parts)}")
    seen.page.wait_for_timeout(300)
    assert shown >= tables and seen.ran() == []
    assert seen.page.locator("[onerror], [onload], [ontoggle], iframe").count() == 0
