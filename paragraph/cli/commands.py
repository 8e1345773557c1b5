"""The command line: which commands there are, and a parser that imports the file of the one that is asked for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from ..pairs.errors import capped, meant
from ..pairs.showing import printable

#: What each command does, by the file that declares it.
COMMANDS = {
    "data": {
        "summary": "count rows, sentences, clusters, conflicts and inferred labels",
        "augment": "write the four datasets: original and augmented, as given and flipped",
        "conflicts": "list the labels that contradict each other, with the path that shows it",
        "clusters": "list the clusters, largest first",
        "sample": "draw labels that follow, with their distance",
        "explain": "why two sentences count as paraphrases, or not: verdict and proof",
        "split": "split the pairs so that no two parts share a sentence",
        "fetch": "download a public dataset from its source",
        "export": "write the graph, or one cluster, for other tools",
    },
    "learning": {
        "train": "train a model on labelled pairs",
        "evaluate": "score a trained model on labelled pairs",
        "experiment four-by-four": "four training sets by four test sets (Chen et al. 2020)",
        "experiment distance-grid": "labels inferred at growing distance (Jurišić et al. 2023)",
    },
    "repairing": {
        "audit": "draw pairs to judge by hand, and say how many labels of each kind are wrong",
        "repair": "propose which label of each conflict is wrong: flip the negative, or cut a positive",
        "suspects": "list all stated pairs, those first whose label is most probably wrong",
        "apply": "apply logs of decisions: the file itself, corrected, or a folder with its variants",
    },
    "collecting": {
        "simulate": "compare strategies of collecting labels, on labelled pairs",
        "collect": "choose the pairs to label next among all pairs of some sentences",
        "all-pairs": "what a score is worth on all pairs of the sentences: average precision",
    },
    "texts": {
        "generate": "make paraphrases: from clusters, or written by a model",
        "score": "score generated texts against their references",
        "meta-evaluate": "how well such scores agree with people: tables 4 to 6 of Wang et al. (2022)",
        "shuffle": "Japanese: paraphrases by phrases in another order, dependencies kept",
        "tag": "tag the words that the other sentence cannot paraphrase",
        "annotate": "choose pairs whose words are worth tagging, and say how to tag them",
        "agreement": "how far people agree, in decisions or in tags on words, and what they should talk about",
    },
    "reviewing": {
        "review": "decide the conflicts by keys in a browser, or judge other pairs",
    },
    "notebook": {
        "open": "write a notebook on the file (overview, Explorer, review) and open it in JupyterLab",
    },
}


class Command(argparse.ArgumentParser):
    """A parser whose errors are one line, and name the option that was meant.

    The arguments of a command stand in a file of its own, which is imported when they are first needed: the libraries
    behind all commands take longer to import than most commands take.
    """

    #: The file that declares the command, and its words.
    declared: tuple[str, str] | None = None

    def filled(self) -> Command:
        """Add the arguments that the command's file declares."""
        if self.declared:
            (file, words), self.declared = self.declared, None
            import_module(f".{file}", __package__)
            from .options import DECLARED

            self.set_defaults(run=DECLARED[words])
            for part in DECLARED[words].parts:
                part.add(self)
        return self

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse as argparse does, but name the nearest option for an unknown one."""
        found, rest = super(Command, self.filled()).parse_known_args(args, namespace)
        if rest:
            option = next((text for text in rest if text.startswith("--")), "")
            self.error(f"unrecognized arguments: {' '.join(rest)}{meant(option, self._option_string_actions)}")
        return found, rest


def parser() -> Command:
    """Make the command line."""
    top = Command(
        prog="paragraph",
        description="Paraphrase datasets as signed graphs: what follows, what contradicts what.",
        epilog="Every command takes --help. FILE may be -, for standard input.",
    )
    groups = {"": top.add_subparsers(metavar="COMMAND", required=True)}
    for file, commands in COMMANDS.items():
        for words, help in commands.items():
            group, _, name = words.rpartition(" ")
            if group not in groups:
                about = "re-run an experiment of the literature; the same command again continues where it stopped"
                inner = groups[""].add_parser(group, help=about, description=about)
                groups[group] = inner.add_subparsers(metavar=group.upper(), required=True, help="which")
            groups[group].add_parser(name, help=help, description=help).declared = (file, words)
    return top


def one_line(message: str) -> str:
    """A message as one line of a terminal, of moderate length."""
    return capped(printable("; ".join(line.strip() for line in message.splitlines()).replace(":; ", ": ")))
