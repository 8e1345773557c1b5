"""Every notebook runs on the shipped corpus, on a reader's small file and on Quora's pairs: one line changed."""

import os
import re
from collections import Counter
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from nbclient.exceptions import CellExecutionError

import paragraph as pg

from .running import EACH, NAMES, NOTEBOOKS, build, code_cells, on_other_data, on_the_shipped_corpus, read

pytestmark = pytest.mark.notebook

#: Pictures on the shipped corpus: matplotlib figures, interactive pages, still twins of the live pictures.
PICTURES = {
    "00_tour": 4,
    "01_your_pairs_as_a_graph": 9,
    "02_finding_friends": 3,
    "06_flipping_frenemies": 9,
    "03_balance_lesson": 8,
    "04_balance_exercises": 2,
    "05_more_balance": 6,
    "papers/does_augmenting_help": 2,
    "07_review_with_two_people": 2,
    "08_how_good_are_proposals": 7,
    "papers/collecting_labels": 4,
    "papers/which_words_differ": 3,
    "papers/japanese_phrases": 3,
    "papers/past_one_machine": 3,
}

#: About the reader's own file more than the others, which run on it in the long tests.
ONES_OWN = ("01_your_pairs_as_a_graph", "02_finding_friends", "06_flipping_frenemies")

#: These are about Japanese, and refuse any other language.
JAPANESE = ("papers/japanese_phrases",)

#: These train models, and refuse a file that is too small to learn from.
TRAINING = ("papers/does_augmenting_help", "papers/collecting_labels")

#: Columns in another order, a sentence that is markup, no negatives, so nothing contradicts.
SMALL = """\
label,note,sentence2,sentence1
1,a,Where is the station?,How do I get to the station?
1,b,The way to the station?,Where is the station?
1,c,"Is <b>tea</b><script>window.__pwned = 1</script>, at $5, dear?",Does tea cost much?
1,e,"What, ""again""?",Once more?
"""


def outputs(notebook, mime):
    shown = [output.data for cell in code_cells(notebook) for output in cell.outputs if "data" in output]
    return [data[mime] for data in shown if mime in data]


def printed(notebook):
    return "".join(output.text for cell in code_cells(notebook) for output in cell.outputs if "text" in output)


def pictures(notebook):
    pages = [html for html in outputs(notebook, "text/html") if "<iframe" in html or "pg-twin" in html]
    return len(outputs(notebook, "image/png")) + len(pages)


def check(notebook):
    """No cell is left without something to see, none complains, and a hand-made count equals the library's.

    A slow machine may say how long something takes.
    """
    for cell in code_cells(notebook):
        assert any(_visible(output) for output in cell.outputs), cell.source
        said = "".join(output.text for output in cell.outputs if output.get("name") == "stderr")
        assert not re.sub(r"note: .* takes about .*; Ctrl-C ends it\n", "", said), cell.outputs
    assert "False" not in re.findall(r"equal.*: *(\w+)", printed(notebook))


def _visible(output):
    data = output.get("data", {"text/plain": output.get("text", "")})
    texts = [value.strip() for value in data.values() if isinstance(value, str)]  # a live widget is no text
    return any(text and text != "None" for text in texts)


@pytest.mark.parametrize("name", EACH)
def test_on_the_shipped_corpus(name):
    notebook = on_the_shipped_corpus(name)
    check(notebook)
    assert pictures(notebook) == PICTURES[name]
    assert "no conflict" not in printed(notebook) and "Nobody knows" not in printed(notebook)


@pytest.mark.parametrize(
    "name, said",
    [(name, "at least 200 pairs of each label: read a larger file") for name in TRAINING]
    + [pytest.param(name, "is not Japanese: only there do particles", marks=pytest.mark.ja) for name in JAPANESE],
    ids=[*TRAINING, *JAPANESE],  # by which tests are grouped
)
def test_a_small_file_that_is_refused(name, said, tmp_path):
    (tmp_path / "my.csv").write_text(SMALL, encoding="utf-8")
    with pytest.raises(CellExecutionError, match=said):
        on_other_data(name, tmp_path, "my.csv")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in ONES_OWN else [pytest.mark.long])
        for name in PICTURES
        if name not in TRAINING + JAPANESE
    ],
)
def test_on_a_small_file_of_ones_own(name, tmp_path):
    (tmp_path / "my.csv").write_text(SMALL, encoding="utf-8")
    notebook = on_other_data(name, tmp_path, "my.csv")
    check(notebook)
    assert pictures(notebook) >= min(2, PICTURES[name])
    tables = [html for html in outputs(notebook, "text/html") if "$5" in html and "<iframe" not in html]
    assert not any("<script>" in html for html in tables)
    assert all("mathjax_ignore" in html for html in tables)
    assert tables or name.startswith(("03", "04", "05", "06", "07", "papers/past"))
    if name.startswith("01"):
        assert "label,note,sentence2,sentence1" in printed(notebook)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PICTURES if name not in JAPANESE])
def test_on_quoras_pairs(name, tmp_path):
    data = os.environ.get("PARAGRAPH_DATA")
    path = Path(data or "") / "qqp" / "qqp_all.tsv.gz"
    if not data or not path.is_file():
        pytest.skip("PARAGRAPH_DATA is not set" if not data else f"no {path}")
    notebook = on_other_data(name, tmp_path, path)
    check(notebook)
    assert pictures(notebook) >= PICTURES[name] - 2


@pytest.mark.ja
@pytest.mark.parametrize("name", JAPANESE)
def test_on_japanese_pairs_of_ones_own(name, tmp_path):
    (tmp_path / "my.csv").write_text(
        "sentence1,sentence2,label\n猫が窓のそばで<b>魚</b>を食べている,犬が庭で眠っている,0\n", encoding="utf-8"
    )
    notebook = on_other_data(name, tmp_path, "my.csv")
    check(notebook)
    assert pictures(notebook) >= PICTURES[name] - 1


def test_every_notebook_is_run_here():
    assert sorted(PICTURES) == sorted(NAMES)


def test_links_between_notebooks_lead_somewhere():
    for path in build.every():
        for cell in nbformat.read(path, as_version=4).cells:
            for target in re.findall(r"\]\(([^)#:]+\.ipynb)", cell.source):
                assert (path.parent / target).is_file(), f"{path}: {target}"


def test_the_lesson_takes_45_minutes():
    """Its headings say the minutes of each section: one for each cell to run, and for a hundred words to read."""
    minutes, cells, words, section = {}, Counter(), Counter(), ""
    for cell in read("03_balance_lesson").cells:
        cells[section] += cell.cell_type == "code"
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ():
            if heading := re.fullmatch(r"## (.+?)(?: · (\d+) minutes)?", line):
                section = heading[1]
                minutes[section] = int(heading[2] or 0)
            words[section] += len(line.split())
    *taught, notes = minutes
    assert sum(minutes.values()) == 45 and minutes["The Triad Lab"] == 10 and notes == "Notes for teachers"
    assert [one for one in taught if cells[one] > minutes[one] or words[one] > 100 * minutes[one]] == []


@pytest.mark.parametrize("name, following", [("03_balance_lesson", "04"), ("04_balance_exercises", "05"),
                                             ("05_more_balance", "06")])  # fmt: skip
def test_the_path_on_balance(name, following):
    cells = read(name).cells
    assert len(cells) <= 30 and f"]({following}_" in cells[-1].source
    folded = re.findall(r"<details>.*?</details>", "".join(cell.source for cell in cells), re.DOTALL)
    assert folded and not any("\n\n" in answer for answer in folded)  # an export ends it at an empty line


def test_the_tour_and_the_readme_name_every_notebook():
    tour, readme = read("00_tour").cells[-1].source, (NOTEBOOKS.parent / "README.md").read_text(encoding="utf-8")
    for name in NAMES[1:]:
        assert f"]({name}.ipynb)" in tour and f"](notebooks/{name}.ipynb)" in readme, name


def test_the_tour_proves_a_falsehood_that_nothing_contradicts():
    """Its text says: row 1927 is wrong, no label contradicts it, and 7 of the 9 paraphrases inferred rest on it."""
    pairs = pg.read_pairs(pg.DEMO)
    [ends] = pairs.loc[pairs["row"] == 1927, ["text_a", "text_b"]].to_numpy().tolist()
    key = pd.read_csv(pg.DEMO.with_name("demo_key.tsv"), sep="\t").query("kind == 'wrong_positive'")
    assert "(row 1927)" in printed(on_the_shipped_corpus("00_tour"))
    assert any(set(ends) == set(pair) for pair in key[["question1", "question2"]].to_numpy().tolist())
    graphs = [pg.ParaphraseGraph.from_pairs(table) for table in (pairs, pairs[pairs["row"] != 1927])]
    members = graphs[0].texts(graphs[0].members(graphs[0].cluster_of[graphs[0].node(ends[0])]))
    assert not pg.conflicts(graphs[0])[["text_a", "text_b"]].isin(members).any(axis=None)
    inferred = [pg.infer(graph).to_frame().query("label == 1")["text_a"] for graph in graphs]
    assert [int(texts.isin(members).sum()) for texts in inferred] == [9, 2]


def test_lines_fit_the_page():
    """The exported page shows some 96 columns of code; what is longer must be scrolled to."""
    for path in build.every():
        for cell in code_cells(nbformat.read(path, as_version=4)):
            assert max(map(len, cell.source.splitlines())) <= 96, cell.source
