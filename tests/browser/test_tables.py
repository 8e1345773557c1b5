"""Tables and results of sentences that nobody should trust, shown as a notebook shows them: nothing runs."""

from html import escape

import numpy as np
import pandas as pd

import paragraph as pg
from paragraph.draw.tables import show

#: What runs where text is taken for HTML: %d says which payload it was.
FORMS = [
    "<img src=x onerror='(window.__pwned ??= []).push(%d)'>", "<script>(window.__pwned ??= []).push(%d)</script>",
    "<svg onload='(window.__pwned ??= []).push(%d)'>", "</td></table><details open ontoggle=(window.__pwned=%d)>",
    "<iframe srcdoc='<script>parent.__pwned=%d</script>'></iframe>",
]  # fmt: skip
PAYLOADS = [f"{form % i} what is tea {i}?" for i, form in enumerate(FORMS * 20)]


def results(folder):
    """A name and a table, or another result that draws itself, of every public function that gives one."""
    n = len(PAYLOADS)
    chain = [(i, i + 1, 1) for i in range(n - 1) if i % 10 != 9]
    rows = chain + [(i, i + 4, 0) for i in range(0, n - 4, 10)] + [(i, i + 11, 0) for i in range(n - 11)]
    rows += [(i, i + 1, 0) for i in range(0, n - 1, 30)] + [(i, i + 1, 1) for i in range(0, n - 1, 30)]
    texts = [(PAYLOADS[a], PAYLOADS[b], label) for a, b, label in rows]
    pairs = pd.DataFrame(texts, columns=["text_a", "text_b", "label"])
    pairs = pairs.assign(row=range(2, 2 + len(pairs)), split=np.where(np.arange(len(pairs)) % 3, "train", "test"))
    graph = pg.ParaphraseGraph.from_pairs(pairs)
    closure = pg.infer(graph)
    log = pg.DecisionLog(folder / "decisions.sqlite", "<b onclick=alert(1)>")
    yield "pairs", pg.read_pairs(pairs)
    yield "conflicts", pg.conflicts(graph)
    proposals = pg.repair(graph)
    yield "repair", proposals
    yield "apply_repairs", pg.apply_repairs(graph, proposals).pairs
    yield "suspects", pg.suspects(graph)
    yield "split", pg.split(pairs)
    leaks = pg.leakage(pairs[::2], pairs[1::2])
    yield from [("leakage", leaks), *vars(leaks).items()][::2]
    sample = pg.audit(graph, n=40)
    yield "audit", sample
    yield "audited", pg.audited(graph, sample.assign(same=1))
    yield "clusters", graph.clusters()
    yield "neighbours", graph.neighbours(PAYLOADS[0])
    yield "search", graph.search("tea")
    learner = pg.Learner(PAYLOADS[:30], progress=False)
    yield "batch to label", learner.query(5)
    yield "exercise", pg.lesson.exercise(24, graph=graph)
    yield "compare_pairs", pg.compare_pairs(pairs, pairs.assign(label=1))
    yield "explain", pg.explain(graph, PAYLOADS[0], PAYLOADS[5])
    yield "sample", closure.sample(20)
    yield from ((f"datasets {name}", table) for name, table in pg.four_datasets(graph).items())
    for row in pg.conflicts(graph).head(20).itertuples():
        log.add(row.text_a, row.text_b, 1, note=PAYLOADS[7])
    yield "log", log.answers()
    for row in pg.conflicts(graph).head(5).itertuples():
        log.add(row.text_a, row.text_b, 0, reviewer="<script>window.__pwned = 0</script>")
    yield "agreement", pg.agreement(log)
    replayed = pg.replay(log, pairs)
    yield "replay", replayed
    yield "replayed", replayed.decisions
    tags = pg.tags.untagged(pairs[:60])
    ones, zeros = ({f"tags_{s}": [[x] * len(words) for words in tags[f"words_{s}"]] for s in "ab"} for x in (1, 0))
    both = [tags.assign(annotator=PAYLOADS[i], **marks) for i, marks in enumerate((ones, zeros))]
    yield "tags", both[0]
    yield "tags drawn", pg.tags.show(both[0])
    scores = pg.score(PAYLOADS[:20], PAYLOADS[50:70], metric="matching", cache=False)
    yield "score", scores.table
    yield "score drawn", scores.show(0)
    index = pd.Index(PAYLOADS[:1], name=PAYLOADS[4])
    odd = pd.DataFrame([PAYLOADS], index, PAYLOADS).assign(lists=[[PAYLOADS]])
    yield "headers", odd.rename_axis(columns=PAYLOADS[5])
    yield "levels", pairs.pivot_table("row", "text_a", ["split", "text_b"], aggfunc="first")[:3]


def test_no_table_and_no_result_runs_a_sentence(visit, tmp_path):
    parts, shown = [], 0
    for name, result in results(tmp_path):
        parts.append(f"<h2>{name}</h2>")
        if isinstance(result, pd.DataFrame):
            parts.append(show(result, rows=150).to_html())
            shown += 1
        parts.append(result._repr_html_() if hasattr(result, "_repr_html_") else escape(str(result)))
    seen = visit(f"<!DOCTYPE html><meta charset=utf-8><body>{''.join(parts)}")
    seen.page.wait_for_timeout(300)
    assert shown >= 20 and seen.ran() == []
    assert seen.page.locator("[onerror], [onload], [ontoggle], iframe").count() == 0
