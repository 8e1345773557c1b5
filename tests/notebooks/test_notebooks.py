"""Every notebook runs on the shipped corpus, on a reader's small file and on Quora's pairs: one line changed."""

import os
import re
from pathlib import Path

import nbformat
import pytest
from jupyter_client import AsyncKernelManager
from jupyter_core.utils import run_sync
from nbclient.exceptions import CellExecutionError

from .running import NAMES, NOTEBOOKS, code_cells, on_other_data, on_the_shipped_corpus

pytestmark = pytest.mark.notebook

#: Pictures on the shipped corpus: matplotlib figures, interactive pages, still twins of the live pictures.
PICTURES = {
    "00_tour": 4,
    "01_building_a_paraphrase_graph": 5,
    "02_finding_friends": 5,
    "03_flipping_frenemies": 8,
    "04_exploring_clusters": 7,
    "05_balance_theory": 10,
    "06_balance_exercises": 2,
    "07_training_on_augmented_data": 7,
    "08_how_far_does_transitivity_carry": 8,
    "09_reviewing_flipped_pairs": 10,
    "10_collecting_labels": 5,
    "11_which_words_differ": 3,
    "12_scoring_generated_text": 2,
    "13_shuffling_japanese_phrases": 4,
    "14_past_one_machine": 4,
}

#: These are about Japanese, and refuse any other language.
JAPANESE = ("13_shuffling_japanese_phrases",)

#: These train models, and refuse a file that is too small to learn from.
TRAINING = ("07_training_on_augmented_data", "08_how_far_does_transitivity_carry", "10_collecting_labels")

#: These train taggers and paraphrasers, whatever the file.
TAGGING = ("11_which_words_differ", "12_scoring_generated_text")

#: Columns in another order, a sentence that is markup, no negatives, so nothing contradicts.
SMALL = """\
label,note,sentence2,sentence1
1,a,Where is the station?,How do I get to the station?
1,b,The way to the station?,Where is the station?
1,c,"Is <b>tea</b><script>window.__pwned = 1</script>, at $5, dear?",Does tea cost much?
1,e,"What, ""again""?",Once more?
"""


@pytest.fixture(scope="session")
def kernel():
    """One for all notebooks on other data."""
    manager = AsyncKernelManager()
    yield manager
    if manager.has_kernel:
        run_sync(manager.shutdown_kernel)(now=True)


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


@pytest.mark.parametrize("name", PICTURES)
def test_on_the_shipped_corpus(name):
    notebook = on_the_shipped_corpus(name)
    check(notebook)
    assert pictures(notebook) == PICTURES[name]
    assert "no conflict" not in printed(notebook) and "Nobody knows" not in printed(notebook)


@pytest.mark.parametrize("name", TRAINING)
def test_training_refuses_a_small_file(name, tmp_path, kernel):
    (tmp_path / "my.csv").write_text(SMALL, encoding="utf-8")
    with pytest.raises(CellExecutionError, match="at least 200 pairs of each label: read a larger file"):
        on_other_data(name, tmp_path, "my.csv", kernel)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] if name in TAGGING else [])
        for name in PICTURES
        if name not in TRAINING + JAPANESE
    ],
)
def test_on_a_small_file_of_ones_own(name, tmp_path, kernel):
    (tmp_path / "my.csv").write_text(SMALL, encoding="utf-8")
    notebook = on_other_data(name, tmp_path, "my.csv", kernel)
    check(notebook)
    assert pictures(notebook) >= 2
    tables = [html for html in outputs(notebook, "text/html") if "$5" in html and "<iframe" not in html]
    assert not any("<script>" in html for html in tables)
    assert all("mathjax_ignore" in html for html in tables)
    assert tables or name.startswith(("03", "04", "05", "06", "14"))
    if name.startswith("01"):
        assert "label,note,sentence2,sentence1" in printed(notebook)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PICTURES if name not in JAPANESE])
def test_on_quoras_pairs(name, tmp_path, kernel):
    data = os.environ.get("PARAGRAPH_DATA")
    path = Path(data or "") / "qqp" / "qqp_all.tsv.gz"
    if not data or not path.is_file():
        pytest.skip("PARAGRAPH_DATA is not set" if not data else f"no {path}")
    notebook = on_other_data(name, tmp_path, path, kernel)
    check(notebook)
    assert pictures(notebook) >= PICTURES[name] - 2


@pytest.mark.ja
@pytest.mark.parametrize("name", JAPANESE)
def test_on_japanese_pairs_of_ones_own(name, tmp_path, kernel):
    (tmp_path / "my.csv").write_text(
        "sentence1,sentence2,label\n猫が窓のそばで<b>魚</b>を食べている,犬が庭で眠っている,0\n", encoding="utf-8"
    )
    notebook = on_other_data(name, tmp_path, "my.csv", kernel)
    check(notebook)
    assert pictures(notebook) >= PICTURES[name] - 1


@pytest.mark.ja
@pytest.mark.parametrize("name", JAPANESE)
def test_another_language_is_refused(name, tmp_path, kernel):
    (tmp_path / "my.csv").write_text(SMALL, encoding="utf-8")
    with pytest.raises(CellExecutionError, match="is not Japanese: only there do particles"):
        on_other_data(name, tmp_path, "my.csv", kernel)


def test_every_notebook_is_run_here():
    assert sorted(PICTURES) == NAMES


def test_links_between_notebooks_lead_somewhere():
    for path in NOTEBOOKS.glob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            for target in re.findall(r"\]\(([^)#:]+\.ipynb)", cell.source):
                assert (NOTEBOOKS / target).is_file(), target


def test_lines_fit_the_page():
    """The exported page shows some 96 columns of code; what is longer must be scrolled to."""
    for path in NOTEBOOKS.glob("*.ipynb"):
        for cell in code_cells(nbformat.read(path, as_version=4)):
            assert max(map(len, cell.source.splitlines())) <= 96, cell.source
