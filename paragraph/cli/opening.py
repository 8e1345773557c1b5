"""Commands that open something to work in: a notebook on a file, and a review in a browser."""

from __future__ import annotations

import os
import re
import shlex
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import paragraph as pg

from ..files import PairsError
from ..files.outputs import write_json
from ..files.spelling import from_here
from ..pairs.back import clean_name
from ..pairs.remembered import layout_file
from .inputs import (
    in_shell,
    items_of,
    keep_layout,
    options_to_say,
    the_graph,
    the_table,
)
from .options import PAIRS, SEED, command
from .repairing import JUDGE, TRAINED, judge_from

LABELS = "No row states a label of two sentences: `{yes}` the same, `{no}` not."
CONFLICTS = "Labels that cannot all be right: one key per conflict, `{help}` lists the keys."
SUSPECTS = (
    "The stated labels, the most probably wrong first, contradicted or not: `{flip}` wrong, `{keep}` right. The list "
    "learns from each answer, and says when reading on is hardly worth it."
)
AUDIT = (
    "Pairs drawn at random, their labels hidden: do the two mean the same? The answers say how many labels of each "
    "kind are wrong in the whole file."
)
START = (
    "Write your own name in the next cell; then, in the menu: Run, Run All Cells. A click on an underlined figure "
    "lists what it counts in the Explorer below it. There, a click on a line shows the rows behind it; `{flip}` says "
    "that its label is wrong, `{keep}` that it is right; `{help}` lists the keys. Each decision is on disk at once, "
    "and is not asked again."
)


@command("review", PAIRS, SEED, f"{JUDGE}  who proposes (minilm), or with --suspects reads the first 200 labels "
         f"of each sign (default: words alone, so that the first pair comes at once); {TRAINED}")  # fmt: skip
def review(args):
    """Judge in a browser, by keys, which labels are wrong: the suspects, contradicted or not; or the conflicts alone.

    --suspects  judge the stated labels, the most probably wrong first; the list learns from each answer.
        `paragraph apply` reads the log as any other
    --reviewer NAME!  the person who decides, or leads the team
    --log LOG.db  the log of the decisions: of this reviewer only, on this disk, never on a network drive
        (default: NAME.db, of the reviewer)
    --second OTHER.db  what the reviewer of another log has decided, pairs or conflicts, without seeing the decisions
    --settle LOG.db+  what the reviewers of these logs disagree on, pairs or conflicts; a third person decides
    --pairs SUSPECTS.tsv  judge the pairs of a table, as written by `paragraph suspects`
    --show id,remark  columns of the file whose values stand beside each row
    --audit N  judge N pairs drawn from the file (like `paragraph audit`)
    --no-browser  print the address, and open no browser

    a team, each in a browser of their own:
    --people Ada,Bo,Cy  the people who review; an address for each is printed, and one for whoever leads
    --each N  how many of them answer each pair or conflict (default 1)
    --host ADDRESS  the address of this machine at which they reach it (default: 127.0.0.1,
        which only this machine reaches)
    --certificate FILE.pem  encrypt what crosses the network: a certificate and its key
    """
    if args.people and (args.second or args.settle):
        raise PairsError(
            "a team settles its own disputes; --second and --settle are for one person"
        )
    if not args.people and (args.host or args.certificate or args.each > 1):
        raise PairsError(
            "--each, --host and --certificate are for a team: name its --people Ada,Bo"
        )
    if sum([args.suspects, bool(args.pairs), args.audit is not None]) > 1:
        raise PairsError("--suspects, --pairs and --audit are lists of pairs to judge; give one")
    if args.judge not in (None, "none") and args.audit is not None:
        raise PairsError(
            "--judge proposes what to do about conflicts, and reads suspects; leave out --audit"
        )
    log = args.log or f"{args.reviewer}.db"
    is_new = not Path(log).exists()
    graph = the_graph(args)
    keep_layout(args, graph)
    review = _review(args, graph, log)
    if review.current is None and review.queue.empty:
        if is_new:  # and empty
            review.decision_log.path.unlink()
        print(review.case["title"])
        return
    from .serving import serve, serve_team

    if not args.people:
        return serve(review, not args.no_browser)
    options = {"each": args.each, "host": args.host, "certificate": args.certificate}
    serve_team(review, items_of(args.people), not args.no_browser, **options)


def _review(args: Namespace, graph: pg.ParaphraseGraph, log: str) -> Any:
    """The review that the options ask for. What reads long, reads here, where its progress is seen."""
    from ..decisions.session import pairs_asked

    progress = not args.quiet
    options: dict[str, Any] = {"reviewer": args.reviewer}
    if args.second:
        options["second"] = Path(args.second)
    if args.show:
        options["show"] = items_of(args.show)
    if args.settle:
        options["settle"] = pg.agreement(*args.settle)
    table = None
    question = ""
    if args.suspects:
        from ..doubts.suspects import READ_FIRST

        judge = None
        if args.judge:
            judge, _ = judge_from(args, graph, all_pairs=True)
        table = pg.suspects(graph, judge=judge, first=READ_FIRST, progress=progress)
    elif args.pairs:
        table = the_table(args, args.pairs)
    elif args.audit is not None:
        table = pg.audit(graph, args.audit, args.seed).assign(same="")
    elif args.second or args.settle:
        others = (options.get("second"), options.get("settle"))
        table, question = pairs_asked(graph, args.reviewer, *others)
    if table is not None:
        return pg.PairReview(table, graph, log, question=question, seed=args.seed, **options)
    if args.judge not in (None, "none"):
        from ..doubts.proposals import Proposals

        judge, _ = judge_from(args, graph)
        options["proposals"] = Proposals(graph, judge, progress=progress)
        options["proposals"].ask()
    return pg.ConflictReview(graph, log, **options)


@command("open", PAIRS)
def open_(args):
    """Write a notebook for the file (overview, Explorer, reviews, audit) and open it in JupyterLab.

    --no-lab  only write the notebook
    """
    file = Path(args.file)
    if not file.is_file():
        raise PairsError(f"{file}: a notebook is about one file; there is none of this name")
    notebook = file.with_name(f"{file.name}.ipynb")
    if os.path.lexists(notebook):
        print(f"{notebook} exists, and stays as it is; to make a new one, delete it first")
    else:
        graph = the_graph(args)  # what is wrong with the file is said here, not in the notebook
        keep_layout(args, graph)
        write_json(notebook_on(args, graph), notebook)
        print(f"written: {notebook}")
    if not args.no_lab:
        _start_lab(notebook)


def _start_lab(notebook: Path) -> None:
    """Turn this process into JupyterLab with the notebook."""
    sys.stdout.flush()
    command = [sys.executable, "-m", "jupyterlab"]
    command.append(f"--ServerApp.root_dir={notebook.parent.resolve()}")
    command.append(f"--LabApp.default_url=/lab/tree/{quote(notebook.name)}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in containers; Jupyter asks to be told
    # Python files beside the data come from strangers, too: neither JupyterLab nor its kernels import them.
    os.execve(sys.executable, command, os.environ | {"PYTHONSAFEPATH": "1"})


def notebook_on(args: Namespace, graph: pg.ParaphraseGraph) -> dict[str, Any]:
    """The notebook on FILE, beside it, as JSON: each of its cells shows something of these pairs."""
    from nbformat import v4

    from ..widgets.base.keys import with_keys

    name = Path(args.file).name
    source = [repr(name)]
    for option, value in options_to_say(args).items():
        if value != "auto":
            source.append(f"{option}={value!r}")
    of = "pairs" if args.identity == "text" else f"pairs, {args.identity!r}"
    log = f"{name}.db"
    cells = [
        v4.new_markdown_cell(f"# {_as_text(name)}\n\n{with_keys(START)}"),
        v4.new_code_cell(
            f"import paragraph as pg\n\npairs = pg.read_pairs({', '.join(source)})\n"
            f'graph = pg.ParaphraseGraph.from_pairs({of})\nlog = pg.DecisionLog({log!r}, reviewer="me")\n'
            "pg.overview(graph, explorer=pg.Explorer(graph, log=log))"
        ),
    ]
    for title, text, code in _reviews(graph):
        cells.append(v4.new_markdown_cell(f"## {title}\n\n{with_keys(text)}"))
        cells.append(v4.new_code_cell(code))
    cells.append(v4.new_markdown_cell(f"## The clean file\n\n{_how_to_apply(args, graph, log)}"))
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _reviews(graph: pg.ParaphraseGraph) -> list[tuple[str, str, str]]:
    """The reviews of a file: each a title, a text, a cell."""
    if not len(graph.edge_sign):
        return [
            ("Do the two mean the same?", LABELS, 'pg.PairReview(pairs, log=log, question="same")')
        ]
    found = []
    if graph.conflicting.any() or len(graph.self_negatives):
        found.append(
            ("Labels that contradict each other", CONFLICTS, "pg.ConflictReview(graph, log)")
        )
    if not graph.bipartite:
        found.append(("Which labels are wrong?", SUSPECTS, "pg.PairReview(graph, log)"))
    found.append(
        ("How many labels are wrong?", AUDIT, "pg.PairReview(pg.audit(graph, 40), graph, log)")
    )
    return found


def _how_to_apply(args: Namespace, graph: pg.ParaphraseGraph, log: str) -> str:
    """The command that writes the clean file, as a code block: each of its lines is indented, so nothing ends it."""
    from ..decisions.replay import cut_choice

    name = Path(args.file).name
    file, decided, clean = (
        shlex.quote(from_here(path)) for path in (name, log, clean_name(graph.report))
    )
    command = f"paragraph apply {file} {decided}{in_shell(args)} -o {clean}"
    block = re.sub(r"\A|\r\n?|\n", r"\g<0>    ", command)
    layout = layout_file(args.file)
    how = ""
    if layout.is_file():
        how = f" ({_as_text(layout.name)}, beside the file, says how to read it.)"
    return f"{_as_text(cut_choice(graph))} In a shell:{how}\n\n{block}"


def _as_text(name: str) -> str:
    """A name in Markdown, on one line, with all marks escaped."""
    return re.sub(r"[!-,/:-@[-`{-~]", lambda mark: f"&#{ord(mark[0])};", " ".join(name.split()))
