"""One word, one number: what each of them says of the conflicts and clusters of a file."""

import json
import re
from pathlib import Path

import pytest

import paragraph as pg
from paragraph.draw.view import view_of

from .. import reference
from ..widgets.page import Shown

#: Inside a cluster; that and stated both ways; stated both ways inside a cluster, and between two; a sentence denied.
EVERY = "a+b b+c a-c d+e e+f d+f d-f f-d g+h h-g g+h x-y x+y y-x z-z z+z z+w"
README = Path(__file__).parents[2] / "README.md"


def said(pattern, text):
    """The one number that a text says, perhaps several times; 0 if it says none."""
    (number,) = {int(found.replace(",", "")) for found in re.findall(pattern, text)} or {0}
    return number


#: Answers to questions: what would be a conflict inside a cluster is none; one pair is stated both ways.
ANSWERS = [("p", "a", 1), ("p", "b", 1), ("q", "b", 1), ("q", "a", 0), ("r", "c", 1), ("r", "c", 0), ("r", "a", 0)]
#: Of each file its rows, and its conflicts: within clusters, direct, both at once, of a sentence with itself; and its
#: clusters.
FILES = {
    "demo": (None, 52, 4, 1, 0, 258),
    "every": (EVERY, 2, 3, 1, 1, 4),
    "answers": (ANSWERS, 0, 1, 0, 0, 1),
    "pairs of a sentence with itself": ("a+a b-b", 0, 0, 0, 1, 0),
    "one row": ("a+b", 0, 0, 0, 0, 1),
    "none": ("", 0, 0, 0, 0, 0),
}
LIKE_WIKIQA = "QuestionID\tQuestion\tDocumentTitle\tSentenceID\tSentence\tLabel\n"


def file_of(name, rows):
    """The path of a file with these rows."""
    if rows is None:
        return pg.DEMO
    file = Path(f"{name.replace(' ', '_')}.tsv")
    if name == "answers":
        lines = (f"Q{a}\t{a}\tT\tD{b}\t{b}\t{label}\n" for a, b, label in rows)
        file.write_text(LIKE_WIKIQA + "".join(lines))
    else:
        pg.write_pairs(reference.table(rows), file)
    return file


def of_page(explorer):
    """The conflicts that the page of an Explorer lists, draws and explains; each by the ends of its pair."""
    page, drawn, explained = Shown(explorer), set(), set()
    explorer.query = {"bounds": {}}
    listed = sum(row["conflicts"] for row in page.follow()["listing"]["rows"])
    homes = [f"c{home}" for home in explorer.graph.cluster_of]
    for cluster in range(len(explorer.graph.cluster_sizes)):
        for line in page.tell("open", cluster=cluster)["picture"]["edges"]:
            why = page.tell("edge", id=line["id"])["why"]
            pairs = [entry["keys"] for entry in why.get("pairs", ()) if entry["conflict"]]
            if why.get("badge") == "conflict" or "stated both ways" in why["text"]:
                pairs = [[line["from"], line["to"]]]
            explained |= {frozenset(keys) for keys in pairs}
            if line["layer"] == "conflicts":
                closed = [key for key in pairs[0] if homes[int(key[1:])] == line["to"]]
                drawn.add(frozenset([line["from"], *(closed or [line["to"]])]))
    return {"listed": listed, "drawn": len(drawn), "explained": len(explained)}


EACH = [pytest.param(name, marks=[pytest.mark.slow] if name == "demo" else []) for name in FILES]


@pytest.mark.parametrize("name", EACH)
def test_all_say_the_same(desk, run, name):
    rows, within, direct, both, alone, clusters = FILES[name]
    conflicts, file = within + direct - both, file_of(name, rows)
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(file))
    assert graph.bipartite == (name == "answers")
    pg.DecisionLog("log.db")
    counts = json.loads(run(f"summary {file} --json").out)
    applied = run(f"apply {file} log.db -o clean.tsv").out
    overview, atlas = pg.overview(graph), pg.Atlas(graph, by="words")
    facts = {section.title: section.facts for section in overview.sections}
    twice = sum(said(r"; ([\d,]+) counted above, too", fact.text) for fact in facts["Conflicts"])
    explorer, table = pg.Explorer(graph), pg.conflicts(graph)
    review = pg.ConflictReview(graph, "log.db", reviewer="Ada")
    found = {
        "summary": counts["conflicts"],
        "table": len(table[table["kind"] != "self"].drop_duplicates(["text_a", "text_b"])),
        "clusters": graph.clusters(min_size=1)["conflicts"].sum(),
        "before": said(r"conflicts: (\d+) →", applied), "after": said(r"conflicts: \d+ → (\d+)", applied),
        "Explorer": explorer._list.counts["conflicts"].sum(),
        "overview": sum(said(r"^([\d,]+)$", fact.value) for fact in facts["Conflicts"]) - alone - twice,
        "review": len(review.queue) - alone,
    }  # fmt: skip
    if len(explorer.graph.cluster_sizes) < 50:
        found |= of_page(explorer)
    if 0 < graph.n < 50:
        found["picture"] = sum(edge.line.halo for edge in view_of(graph, nodes=range(graph.n)).edges)
    assert {*found.values()} == {conflicts}, found
    on_map = graph.clusters(min_size=2 if clusters else 1)  # single sentences only where there is no cluster
    assert atlas.table["conflicts"].tolist() == on_map["conflicts"].tolist()
    assert table["kind"].value_counts().reindex(["within", "direct", "self"], fill_value=0).tolist() == [
        within, direct, alone]  # fmt: skip
    assert explorer._list.counts["within"].sum() == within
    for _, conflict in table.head(20).iterrows():
        assert pg.draw.draw_conflict(graph, conflict).axes
    for shown in (overview, atlas, explorer, review):
        shown.save(f"{type(shown).__name__}.html")

    lines = [f"conflicts {file} -o x.tsv", f"conflicts {file} --to-decide -o x.csv"]
    if not graph.bipartite:
        lines.append(f"repair {file} -o x.tsv --judge none")
    for line in lines:
        ended = run(line).out
        kinds = re.search(r"conflicts: inside a cluster: (\d+), stated both ways: (\d+).*: (\d+)", ended)
        if kinds is None:
            assert "No label contradicts another" in ended
        else:
            assert tuple(map(int, kinds.groups())) == (within, direct, alone), line
    assert {
        counts["clusters"], len(graph.clusters()), said(r"clusters: (\d+) →", applied),
        said(r"(\d+) clusters?", repr(graph)), said(r"(\d+) clusters", run(f"clusters {file} -o x.tsv").out),
        *(said(r"(.+)", fact.value) for fact in facts["The data"] if fact.text == "clusters"),
    } == {clusters}  # fmt: skip
    if name == "demo":
        assert said(r"conflicts.*# (\d+) pairs", README.read_text("utf-8")) == conflicts
    if alone:
        assert f"sentences stated to differ from themselves: {alone} → {alone}" in applied
