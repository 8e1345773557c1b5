"""Commands that open something to work in: a notebook on a file, and a review in a browser."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import paragraph as pg

from ..files import PairsError
from ..files.outputs import write_json
from ..files.spelling import from_here
from .files import in_shell, is_log, reading_options, the_graph, the_table
from .options import PAIRS, SEED, command
from .repairing import MODEL, TRAINED, opinions

if TYPE_CHECKING:
    import pandas as pd


@command("review", PAIRS, SEED, f"{MODEL}  who proposes: minilm; {TRAINED} (default none: evidence is shown)")
def review(args):
    """Decide the conflicts by keys in a browser, or judge other pairs.

    --reviewer NAME!  the person who decides
    --log LOG.db  the log of the decisions: of this reviewer only, on this disk, never on a network drive
        (default: NAME.db)
    --second OTHER.db  only pairs that the reviewer of another log has decided, without seeing the decisions
    --settle LOG.db+  only pairs on which the reviewers of these logs disagree; a third person decides
    --pairs SUSPECTS.tsv  judge the pairs of a table, as written by `paragraph suspects`; or, from a log (or its
        export), the pairs that its reviewers ask a colleague about
    --audit N  judge N pairs drawn from the file (like `paragraph audit`)
    --no-browser  print the address, and open no browser
    """
    if args.pairs and args.audit is not None:
        raise PairsError("--pairs and --audit are two lists of pairs to judge; give one")
    judges = args.pairs or args.audit is not None
    if judges and args.model != "none":
        raise PairsError("--model proposes what to do about conflicts; leave out --pairs or --audit")
    graph, log = the_graph(args), args.log or f"{args.reviewer}.db"
    given: dict[str, Any] = {"reviewer": args.reviewer, "seed": args.seed}
    given |= {"second": Path(args.second)} if args.second else {}
    given |= {"settle": pg.agreement(*args.settle)} if args.settle else {}
    if args.pairs:
        shown = pg.PairReview(_asked(args, graph), graph, log, **given)
    elif judges:
        shown = pg.PairReview(pg.audit(graph, args.audit, args.seed).assign(same=""), graph, log, **given)
    else:
        if args.model != "none":
            from ..doubts.proposals import Proposals

            given["proposals"] = Proposals(graph, opinions(args, graph)[0], progress=not args.quiet)
            given["proposals"].ask()  # here, where its progress is seen
        shown = pg.ConflictReview(graph, log, **given)
    if shown.current is None and shown.queue.empty:
        return print(shown.case["title"])
    if args.copies:  # all is read; a page stays open for long, and may be killed
        shutil.rmtree(args.copies)
    from .serving import serve

    serve(shown, not args.no_browser)


def _asked(args: Namespace, graph: pg.ParaphraseGraph) -> pd.DataFrame:
    """The pairs of ``--pairs``: a table, or the pairs sent to a colleague in a log."""
    from ..decisions.answers import asked_pairs
    from ..decisions.log import records_of

    if not is_log(args.pairs):
        return the_table(args, args.pairs)
    table = asked_pairs(graph, records_of(args.pairs))
    if table.empty:
        raise PairsError(f"{args.pairs}: nobody asks a colleague about a pair of these data; in the Explorer, s does")
    return table


@command("open", PAIRS)
def open_(args):
    """Write a notebook for the file (overview, Explorer, review) and open it in JupyterLab.

    --no-lab  only write the notebook
    """
    file = Path(args.file)
    if not file.is_file() or file.name == "standard input":
        raise PairsError(f"{file}: a notebook needs a permanent file with a name")
    notebook = file.with_name(f"{file.name}.ipynb")
    if os.path.lexists(notebook):
        print(f"{notebook} exists, and stays as it is; to make a new one, delete it first")
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
        # Python files beside the data come from strangers, too: neither JupyterLab nor its kernels import them.
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
            f"# {_as_text(path.name)}\n\nIn the menu: Run, Run All Cells. Then the whole file is on one page; a "
            "click on an underlined figure opens the items it counts."
        ),
        v4.new_code_cell(
            f"import paragraph as pg\n\npairs = pg.read_pairs({source})\ngraph = pg.ParaphraseGraph.from_pairs({of})"
            "\npg.overview(graph)"
        ),
        v4.new_markdown_cell(
            "## Explore\n\nA click on a line shows the rows behind it; then `x` says that its label is wrong, `k` "
            "that it is right. `?` lists the keys. Replace *me* by your own name, here and below."
        ),
        v4.new_code_cell(f'pg.Explorer(graph, log={log!r}, reviewer="me")'),
        v4.new_markdown_cell(
            "## Review\n\nOne key per conflict; those decided above are not asked again. Each decision is "
            f"on disk at once. Then, in a shell:\n\n{apply}"
        ),
        v4.new_code_cell(f'pg.ConflictReview(graph, {log!r}, reviewer="me")'),
    ]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _as_text(name: str) -> str:
    """A name in Markdown, on one line, with all marks escaped."""
    return re.sub(r"[!-,/:-@[-`{-~]", lambda mark: f"&#{ord(mark[0])};", " ".join(name.split()))
