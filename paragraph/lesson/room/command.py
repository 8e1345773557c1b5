"""The command that gives a lesson to a class."""

from __future__ import annotations

import asyncio

from ...cli.options import SEED, command
from ...serving.running import handed_over, run, show

OPENS = {
    True: "This machine alone reaches it; --host ADDRESS opens it to phones.",
    False: "Everyone in the network of {host} can load the page; with the code they join, and see the question and "
    "their own work, no one else's.",
}
KEPT = "Votes and work are in {keep}; the same command goes on."
LOST = "Votes and work end with it: --keep FILE keeps them."


@command("class", SEED)
def class_(args):
    """Give a lesson to a class: a board for the projector, a page for each phone, votes, and what is handed in.

    --host ADDRESS  the address of this machine at which phones reach it (default: only this machine does)
    --keep CLASS.db  an SQLite file for votes and work; a class that is started again on it goes on
    --questions FILE  a text file of your own questions: a line of words, then 2 to 5 answers, one a line, * before
      the right one; an empty line between two
    --sheets N  how many different sheets of exercises there are (default 8)
    --no-browser  print where the board is, and open no browser
    """
    run(_serve(args))


async def _serve(args) -> None:
    from .board import Class

    room = Class(
        args.keep, host=args.host, seed=args.seed, sheets=args.sheets, questions=args.questions
    )
    html, _ = room.board()
    with handed_over(html) as file:
        print(
            f"Phones: {room.address}, code {room.code}",
            OPENS[not args.host].format(host=args.host),
            sep="\n",
        )
        print(
            (KEPT if args.keep else LOST).format(keep=args.keep),
            f"The board, for you alone: {file}",
            sep="\n",
        )
        print("Ctrl-C ends the class.", flush=True)
        if not args.no_browser:
            show(file)
        await asyncio.Event().wait()  # until Ctrl-C
