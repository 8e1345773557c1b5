"""The command review: one review alone in a browser."""

from __future__ import annotations

import shutil
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import paragraph as pg

from ..pairs import PairsError
from .files import is_log, the_graph, the_table
from .options import PAIRS, SEED, command
from .repairing import LEARNS, MODEL, opinions

if TYPE_CHECKING:
    import pandas as pd


@command("review", PAIRS, SEED, f"{MODEL}  who proposes: minilm; {LEARNS} (default none: evidence is shown)")
def review(args):
    """Decide the conflicts by keys in a browser, or judge other pairs.

    --reviewer NAME!  whose decisions these will be
    --log LOG.db  where the decisions go: of this reviewer alone, on this disk, never on a network drive
        (default: NAME.db)
    --second OTHER.db  only what the reviewer of another log has decided, without seeing how
    --settle LOG.db+  only what the reviewers of these logs disagree on; a third person decides
    --pairs SUSPECTS.tsv  judge the pairs of a table, as `paragraph suspects` writes it; of a log (or its export),
        those that its reviewers ask a colleague about
    --audit N  judge N pairs drawn from the file (as `paragraph audit` draws them)
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
            from ..repairs.propose import Proposals

            given["proposals"] = Proposals(graph, opinions(args, graph)[0])
            given["proposals"].ask(not args.quiet)  # here, where its progress is seen
        shown = pg.ConflictReview(graph, log, **given)
    if shown.current is None and shown.queue.empty:
        return print(shown.shown["title"])
    if args.copies:  # all is read; a page stays open for long, and may be killed
        shutil.rmtree(args.copies)
    from .serving import serve

    serve(shown, not args.no_browser)


def _asked(args: Namespace, graph: pg.ParaphraseGraph) -> pd.DataFrame:
    """The pairs of ``--pairs``: a table, or those that are sent to a colleague in a log."""
    from ..decisions.answers import asked_pairs
    from ..decisions.log import records_of

    if not is_log(args.pairs):
        return the_table(args, args.pairs)
    table = asked_pairs(graph, records_of(args.pairs))
    if table.empty:
        raise PairsError(f"{args.pairs}: nobody asks a colleague about a pair of these data; in the Explorer, s does")
    return table
