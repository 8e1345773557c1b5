"""The command ``open``: a file of pairs in a notebook of its own, in JupyterLab."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..pairs import PairsError
from ..pairs.outputs import write_json
from .files import in_shell, reading_options, the_graph
from .options import PAIRS, command, flag

#: Cells of the notebook: text is a string, code a string in a tuple. Braces name what `written` fills in.
CELLS = (
    "# {file}\n\nIn the menu: Run, Run All Cells. Then the whole file stands on one page; a click on an "
    "underlined figure opens what it counts.",
    ("import paragraph as pg\n\npairs = pg.read_pairs({source})\ngraph = pg.ParaphraseGraph.from_pairs({of})\n"
     "pg.overview(graph)",),
    "## Explore\n\nA click on a line shows the rows behind it; `?` lists the keys.",
    ("pg.Explorer(graph)",),
    "## Review\n\nOne key a conflict. Each decision is on disk at once; put your own name for *me*. Then, in a "
    "shell: `{apply}`.",
    ('pg.ConflictReview(graph, {log}, reviewer="me")',),
)  # fmt: skip


@command("open", PAIRS)
@flag("--no-lab", "write the notebook only")
def open_(args: argparse.Namespace) -> None:
    file = Path(args.file)
    if not file.is_file() or file.name == "standard input":
        raise PairsError(f"{file}: a notebook needs a file that stays, by its name")
    notebook = file.with_name(f"{file.name}.ipynb")
    if notebook.exists():
        print(f"{notebook} is there, and stays as it is; for a new one, delete it first")
    else:
        the_graph(args)  # what is wrong with the file is said here, not in the notebook
        write_json(written(args), notebook)
        print(f"written: {notebook}")
    if not args.no_lab:
        sys.stdout.flush()
        root = ["--allow-root"] if os.geteuid() == 0 else []  # in containers; Jupyter asks to be told
        place = [
            f"--ServerApp.root_dir={notebook.parent.resolve()}",
            f"--LabApp.default_url=/lab/tree/{quote(notebook.name)}",
        ]
        os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", *root, *place])


def written(args: argparse.Namespace) -> dict[str, Any]:
    """The notebook on FILE, beside it, as JSON."""
    name = Path(args.file).name
    given = "".join(f", {option}={value!r}" for option, value in reading_options(args).items() if value != "auto")
    of = "pairs" if args.identity == "text" else f"pairs, {args.identity!r}"
    stem, _, ending = name.removesuffix(".gz").rpartition(".")
    clean = f"{stem}.clean.{ending}{'.gz' * name.endswith('.gz')}"
    apply = f"paragraph apply {shlex.join([name, f'{name}.db'])}{in_shell(args)} -o {shlex.quote(clean)}"
    filled = {"file": name, "source": f"{name!r}{given}", "of": of, "log": repr(f"{name}.db"), "apply": apply}
    cells = []
    for i, cell in enumerate(CELLS):
        text = cell if isinstance(cell, str) else cell[0]
        for key, value in filled.items():
            text = text.replace(f"{{{key}}}", value)
        kind = {"cell_type": "markdown"} if isinstance(cell, str) else {"cell_type": "code"}
        kind |= {} if isinstance(cell, str) else {"execution_count": None, "outputs": []}
        cells.append({"id": f"cell-{i}", "metadata": {}, "source": text} | kind)
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
