"""Sentences nobody should trust, and the graph they make."""

import pandas as pd

import paragraph as pg

#: Each sets `__pwned` where a page runs it, breaks out of something, or is awkward to draw.
SENTENCES = [
    "<script>window.__pwned = 1; alert(1)</script>What now?",
    '<img src=x onerror="window.__pwned = 2">How?',
    '<a href="javascript:window.__pwned = 3">Why</a> is it so?',
    "</script><script>window.__pwned = 4</script>Where?",
    "quotes ' \" ` and ]]> --> <!-- <![CDATA[ &amp; &lt;b&gt; \\u003c $5 or $\\frac{1}{2}$?",
    "</textarea></title></style></noscript></iframe></svg><svg onload=window.__pwned=5>Who?",
    '" onmouseover="window.__pwned = 6" style="position:fixed;inset:0',
    "Why so long? " + "word " * 300,
    "W" * 200,
    "مرحبا كيف حالك؟ \u202ereversed\u202c",
    "emoji 🫠 👩‍👩‍👧 and ネコは魚を食べますか？",
    "a line\u2028break, a\ttab and a control \x0b character",
    "{{ 7 * 7 }} {% raw %} ${window.__pwned = 7} #{8}",
    "https://example.com/<b>bold</b>?a=1&b=2",
]

PAIRS = [
    *[(i, i + 1, 1) for i in range(9)],
    (0, 2, 1), (1, 3, 1), (0, 4, 0), (2, 5, 0), (1, 2, 0), (1, 2, 1),
    (10, 11, 1), (11, 12, 1), (0, 10, 0), (12, 13, 0),
]  # fmt: skip


def table() -> pd.DataFrame:
    rows = [(SENTENCES[a], SENTENCES[b], label) for a, b, label in PAIRS]
    pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    return pairs.assign(row=range(2, 2 + len(pairs)))


def graph() -> pg.ParaphraseGraph:
    return pg.ParaphraseGraph.from_pairs(table())
