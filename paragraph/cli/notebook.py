"""The command ``open``: a file of pairs in a notebook of its own, in JupyterLab."""

from __future__ import annotations

import os
import re
import shlex
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..pairs import PairsError
from ..pairs.outputs import write_json
from ..pairs.spelling import from_here
from .files import in_shell, reading_options, the_graph
from .options import PAIRS, command


@command("open", PAIRS)
def open_(args):
    """Write a notebook on the file (overview, Explorer, review) and open it in JupyterLab.

    --no-lab  write the notebook only
    """
    file = Path(args.file)
    if not file.is_file() or file.name == "standard input":
        raise PairsError(f"{file}: a notebook needs a file that stays, by its name")
    notebook = file.with_name(f"{file.name}.ipynb")
    if os.path.lexists(notebook):
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
        # Python files beside the data are strangers' as well: neither JupyterLab nor its kernels import them.
        safe = os.environ | {"PYTHONSAFEPATH": "1"}
        os.execve(sys.executable, [sys.executable, "-m", "jupyterlab", *root, *place], safe)


def written(args: Namespace) -> dict[str, Any]:
    """The notebook on FILE, beside it, as JSON."""
    from nbformat import v4

    path = Path(Path(args.file).name)
    options = {option: value for option, value in reading_options(args).items() if value != "auto"}
    source = ", ".join([repr(path.name), *(f"{option}={value!r}" for option, value in options.items())])
    of = "pairs" if args.identity == "text" else f"pairs, {args.identity!r}"
    log, gz = f"{path}.db", ".gz" * (path.suffix == ".gz")
    plain = Path(path.name.removesuffix(gz))
    file, decided, clean = (
        shlex.quote(from_here(each)) for each in (path, log, f"{plain.stem}.clean{plain.suffix}{gz}")
    )
    # A code block: nothing in the command ends it, if each of its lines is indented.
    apply = re.sub(r"\r\n?|\n", r"\g<0>    ", f"    paragraph apply {file} {decided}{in_shell(args)} -o {clean}")
    cells = [
        v4.new_markdown_cell(
            f"# {_as_text(path.name)}\n\nIn the menu: Run, Run All Cells. Then the whole file stands on one page; a "
            "click on an underlined figure opens what it counts."
        ),
        v4.new_code_cell(
            f"import paragraph as pg\n\npairs = pg.read_pairs({source})\ngraph = pg.ParaphraseGraph.from_pairs({of})"
            "\npg.overview(graph)"
        ),
        v4.new_markdown_cell(
            "## Explore\n\nA click on a line shows the rows behind it; then `x` says that its label is wrong, `k` "
            "that it is right. `?` lists the keys. Put your own name for *me*, here and below."
        ),
        v4.new_code_cell(f'pg.Explorer(graph, log={log!r}, reviewer="me")'),
        v4.new_markdown_cell(
            "## Review\n\nOne key a conflict; what you have decided above is not asked again. Each decision is on "
            f"disk at once. Then, in a shell:\n\n{apply}"
        ),
        v4.new_code_cell(f'pg.ConflictReview(graph, {log!r}, reviewer="me")'),
    ]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _as_text(name: str) -> str:
    """A name in Markdown, on one line: no mark in it means anything."""
    return re.sub(r"[!-,/:-@[-`{-~]", lambda mark: f"&#{ord(mark[0])};", " ".join(name.split()))
