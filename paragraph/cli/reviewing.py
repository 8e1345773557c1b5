"""The command review: one review alone in a browser, served by Voilà on this machine."""

from __future__ import annotations

import argparse
import json
import logging
import os
import pickle
import secrets
import shutil
import sys
import tempfile
import threading
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..decisions.agreement import agreement
from ..measure.audit import audit
from ..pairs import PairsError
from .files import the_graph, the_table
from .options import PAIRS, SEED, command, flag, option, whole
from .repairing import LEARNS, opinions

FOLDER = "paragraph-review-"  #: begins the name of a folder of the server; the process follows
PORT = 8866  #: where a free one is sought
#: What the page may load: nothing from another machine.
POLICY = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'none'"
EXTENSIONS = ["anywidget", "@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8"]
ENDS = "Every decision is on disk at once. Ctrl-C ends; the same command goes on."
OWN = "of this reviewer alone, on this disk, never on a network drive (default: NAME.db)"


@command("review", PAIRS, SEED)
@option("--reviewer", "whose decisions these will be", "NAME", required=True)
@option("--log", f"where the decisions go: {OWN}", "LOG.db")
@option("--second", "only what the reviewer of another log has decided, without seeing how", "OTHER.db")
@option("--settle", "only what the reviewers of these logs disagree on; a third person decides", "LOG.db", nargs="+")
@option("--pairs", "judge the pairs of a table, as `paragraph suspects` writes it", "SUSPECTS.tsv")
@whole("--audit", "judge so many pairs drawn from the file (as `paragraph audit` draws them)")
@option("--model", f"what proposes beside the words: minilm; {LEARNS}", "NAME | DIR | HUB", default="none")
@flag("--no-browser", "print the address, and open no browser")
def review(args: argparse.Namespace) -> None:
    if find_spec("voila") is None:
        raise PairsError("this needs Voilà: pip install -e '.[serve]' in your copy of paragraph")
    from ..widgets.review.conflicts import ConflictReview
    from ..widgets.review.pairs import PairReview

    if args.pairs and args.audit is not None:
        raise PairsError("--pairs and --audit are two lists of pairs to judge; give one")
    judges = args.pairs or args.audit is not None
    if judges and args.model != "none":
        raise PairsError("--model proposes what to do about conflicts; leave out --pairs or --audit")
    graph, log = the_graph(args), args.log or f"{args.reviewer}.db"
    given: dict[str, Any] = {"reviewer": args.reviewer, "seed": args.seed}
    given |= {"second": Path(args.second)} if args.second else {}
    given |= {"settle": agreement(*args.settle)} if args.settle else {}
    kind, what = ConflictReview, (graph, log)
    if args.pairs:
        kind, what = PairReview, (the_table(args, args.pairs), graph, log)
    elif judges:
        kind, what = PairReview, (audit(graph, args.audit, args.seed).assign(same=""), graph, log)
    elif args.model != "none":
        from ..repairs.propose import Proposals

        given["proposals"] = Proposals(graph, *opinions(args, graph)[:2])
        given["proposals"].ask(not args.quiet)  # here, where its progress is seen
    kind(*what, **given)  # what is wrong is said here, not in the browser
    _serve((os.getcwd(), kind, what, given), not args.no_browser)


def _serve(review: tuple, browser: bool) -> None:
    """Serve a review until Ctrl-C: its folder, its class, and the arguments by place and by name."""
    from psutil import pid_exists
    from traitlets.config import Config
    from voila.app import Voila

    from ..widgets.pages import page

    for left in Path(tempfile.gettempdir()).glob(f"{FOLDER}*-*"):  # by a review that was killed
        pid = left.name.removeprefix(FOLDER).partition("-")[0]
        if pid.isdecimal() and not pid_exists(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    folder, token = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-")), secrets.token_urlsafe(24)

    class Server(Voila):
        def setup_template_dirs(self) -> None:
            super().setup_template_dirs()
            self.template_paths[:0] = [str(Path(__file__).with_name("served")), str(Path(page.__file__).parent)]

        def launch_browser(self) -> None:
            address = f"http://127.0.0.1:{self.port}/?token={token}"
            print(f"The review is at {address}", ENDS, sep="\n", flush=True)
            if browser:
                threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()

        def stop(self) -> None:  # the kernels see that this process is gone, and end
            shutil.rmtree(folder, ignore_errors=True)

    code = f"from {__name__} import shown\nshown({str(folder / 'review.pickle')!r})"
    cell = {
        "cell_type": "code",
        "source": code,
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "id": "review",
    }
    kernel = {"name": "review", "display_name": "Review", "language": "python"}
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    start = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=ERROR"]
    (folder / "kernels" / "review").mkdir(parents=True)
    (folder / "kernels" / "review" / "kernel.json").write_text(json.dumps(kernel | {"argv": start}), encoding="utf-8")
    (folder / "Review.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (folder / "review.pickle").write_bytes(pickle.dumps(review))
    logging.getLogger("tornado").setLevel("ERROR")
    os.environ["JUPYTER_PATH"] = os.pathsep.join([str(folder), *filter(None, [os.environ.get("JUPYTER_PATH")])])
    config = Config(VoilaConfiguration={"extension_allowlist": EXTENSIONS})
    config.VoilaConfiguration |= {"allow_template_override": "NO", "allow_theme_override": "NO"}
    # The cookie with which a page that is left may end its kernel: to read the value sets it.
    config.VoilaConfiguration.prelaunch_hook = lambda handler, **_: handler.xsrf_token and None
    server = Server(
        config=config, config_file_paths=[], ip="127.0.0.1", port=PORT, token=token, connection_dir_root=str(folder),
        notebook_path=str(folder / "Review.ipynb"), log_level="ERROR",
        tornado_settings={"headers": {"Content-Security-Policy": POLICY}},
    )  # fmt: skip
    server.initialize([])
    server.start()


def shown(path: str) -> Any:
    """Return the review that `_serve` was given, made anew: it goes on where its log ends."""
    folder, kind, what, given = pickle.loads(Path(path).read_bytes())
    os.chdir(folder)  # paths are those of the shell
    return kind(*what, **given)
