"""One word, one number: what each of them says of the conflicts and clusters of a file."""

import json
import re
from pathlib import Path

import pytest

import paragraph as pg
from paragraph.widgets.onepage.facts import sections_of

from .. import reference

#: Inside a cluster; that and stated both ways; stated both ways inside a cluster, and between two; a sentence denied.
EVERY = "a+b b+c a-c d+e e+f d+f d-f f-d g+h h-g g+h x-y x+y y-x z-z z+z z+w"
README = Path(__file__).parents[2] / "README.md"


def said(pattern, text):
    """The one number that a text says, perhaps several times."""
    (number,) = {int(found.replace(",", "")) for found in re.findall(pattern, text)}
    return number


@pytest.mark.parametrize("name, conflicts, clusters", [("demo", 55, 258), ("every", 4, 4)])
def test_all_say_the_same(desk, run, name, conflicts, clusters):
    file = pg.DEMO
    if name == "every":
        pg.write_pairs(reference.table(EVERY), file := desk / "every.tsv")
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(file))
    Path("log.jsonl").touch()
    counts = json.loads(run(f"summary {file} --json").out)
    applied = run(f"apply {file} log.jsonl -o clean.tsv").out
    facts = {section.title: section.facts for section in sections_of(graph, None)}
    explorer, table = pg.Explorer(graph), pg.conflicts(graph)
    found = {
        "summary": counts["conflicts"],
        "table": len(table[table["kind"] != "self"].drop_duplicates(["text_a", "text_b"])),
        "clusters": graph.clusters(min_size=1)["conflicts"].sum(),
        "before": said(r"conflicts: (\d+) →", applied), "after": said(r"conflicts: \d+ → (\d+)", applied),
        "Explorer": explorer._list.columns["conflicts"].sum(),
        "overview": sum(said(r"^([\d,]+)$", fact.value) for fact in facts["Conflicts"]),
        "review": said(r"Conflict #1 of (\d+)", pg.ConflictReview(graph, "log.db", reviewer="Ada").case["title"]),
    }  # fmt: skip
    assert {*found.values()} == {conflicts}, found
    lines = (
        f"conflicts {file} -o x.tsv",
        f"conflicts {file} --to-decide -o x.csv",
        f"repair {file} -o x.tsv --model none",
    )
    kinds = [
        re.search(r"conflicts: inside a cluster: (\d+), stated both ways: (\d+)", run(line).out) for line in lines
    ]
    within, direct = (table["kind"].eq(kind).sum() for kind in ("within", "direct"))
    assert {tuple(map(int, kind.groups())) for kind in kinds} == {(within, direct)}
    assert {
        counts["clusters"], len(graph.clusters()), said(r"clusters: (\d+) →", applied),
        said(r"(\d+) clusters", repr(graph)), said(r"(\d+) clusters", run(f"clusters {file} -o x.tsv").out),
        *(said(r"(.+)", fact.value) for fact in facts["The data"] if fact.text == "clusters"),
    } == {clusters}  # fmt: skip
    if name == "demo":
        assert said(r"(\d+) conflicts", README.read_text("utf-8")) == conflicts
    else:
        assert "sentences stated to differ from themselves: 1" in run(f"conflicts {file} -o x.tsv").out
        assert "sentences stated to differ from themselves: 1 → 1" in applied
