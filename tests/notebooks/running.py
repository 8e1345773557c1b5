"""Notebooks executed in one kernel, which is emptied before each, with less of what only takes long."""

import atexit
import importlib.util
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import pytest
from jupyter_client import AsyncKernelManager
from jupyter_core.utils import run_sync
from nbclient import NotebookClient

from ..growth import HUNG

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
LINES = ["pairs = pg.read_pairs(pg.DEMO)", 'pairs = pg.read_pairs(pg.DEMO_JAPANESE, unlabelled="keep")']

spec = importlib.util.spec_from_file_location("build_notebooks", NOTEBOOKS / "build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)
NAMES = [path.relative_to(NOTEBOOKS).with_suffix("").as_posix() for path in build.every()]

#: These train for as long as all others take together; what they show has tests of its own.
LONG = ("papers/does_augmenting_help", "papers/which_words_differ", "papers/collecting_labels")
EACH = [pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in NAMES]

#: What only takes longer, pattern by pattern: rows to train, seconds, repetitions.
LESS = {
    r"^MOST = \S+": "MOST = 800",
    r'"rounds": 4\b': '"rounds": 2',
    r'"seeds": 2\b': '"seeds": 1',
    r"^SECONDS = \d+": "SECONDS = 2",
    r"\btime_limit=10\b": "time_limit=1",
    r"\bseeds=5\b": "seeds=2",
}


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def read(name):
    return nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)


@cache
def kernel():
    """The kernel of this process: to start one for each notebook takes as long as the notebooks."""
    manager = AsyncKernelManager()
    atexit.register(lambda: manager.has_kernel and run_sync(manager.shutdown_kernel)(now=True))
    return manager


def executed(notebook, folder):
    for cell in code_cells(notebook):
        for pattern, less in LESS.items():
            cell.source = re.sub(pattern, less, cell.source, flags=re.MULTILINE)
    empty = nbformat.v4.new_code_cell(f"%cd -q {folder}\n%reset -f")
    notebook.cells.insert(0, empty)
    NotebookClient(notebook, kernel(), timeout=HUNG, startup_timeout=HUNG, store_widget_state=False).execute()
    del notebook.cells[0]
    return notebook


@cache
def on_the_shipped_corpus(name):
    """The notebook, executed; the same one each time it is asked for."""
    with TemporaryDirectory() as folder:
        return executed(read(name), folder)


def on_other_data(name, folder, source):
    """The notebook, executed in `folder`; `source` replaces the shipped corpus in the one line meant for it."""
    notebook = read(name)
    [(cell, line)] = [
        (cell, line) for cell in code_cells(notebook) for line in LINES if line in cell.source.splitlines()
    ]
    cell.source = cell.source.replace(line, f"pairs = pg.read_pairs({str(source)!r})")
    return executed(notebook, folder)
