"""Questions of a class: what is asked, which answers there are, and which of them are right.

A vote is a text, as a pupil's page writes it (`answerText` in question.js). The answers of a question are
``{"kind", "of", "right"}``: of a "choice", `of` holds the choices; of "edges" and "signs", the pairs that may be
named; of "camps", the nodes; a "number" has None. `right` holds texts: all right answers that can be listed.
"""

from __future__ import annotations

import re
from itertools import chain, combinations, islice
from os import PathLike
from pathlib import Path
from typing import Any

import networkx as nx

from ...files import PairsError
from ..exercises import Exercise, Sheet
from ..exercises.camps import verdict_number
from ..exercises.written import names_on_paper, pair_text, written_answer

__all__ = ["VERDICTS", "own_questions", "question_of", "vote_as_counted"]

VERDICTS = ["balanced", "weakly balanced", "neither"]
WORDS = "Is this graph balanced (two camps), weakly balanced (only with more camps), or neither?"
LETTERS = 300  #: of a question, and of an answer
FEWEST = 2  # answers of a teacher's own question
MOST = 5
LISTED = 500  # right answers
KINDS = {"choice": "choice", "number": "number", "edges": "edges", "cycle": "edges", "camps": "camps",
         "draw": "signs", "turn": "signs"}  # fmt: skip
FORM = "write it on a line, then 2 to 5 answers, each on a line of its own, * before what is right"


def question_of(asked: dict[str, Any], sheet: Sheet) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what phones are shown of a question, and its answers.

    `asked` has one of `exercise`, the number of one on the sheet; `table`, a graph as it lies on the Lab's table;
    `text`, a teacher's own question (see `own_questions`). What is shown has `words` as well, and `choices` if there
    are some.
    """
    if "text" in asked:
        shown, right = _own(asked["text"], "the question")
    elif "exercise" in asked:
        one = sheet.exercise(asked["exercise"])
        shown = {"words": one.question, "choices": list(one.choices), "exercise": one.number}
        if KINDS[one.kind] != "choice":
            return shown, _answers(one)
        right = list(one.solutions())
    else:
        shown = {"words": WORDS, "choices": VERDICTS, "table": asked["table"]}
        right = [_verdict(asked["table"])]
    return shown, {"kind": "choice", "of": shown["choices"], "right": right}


def _verdict(table: dict[str, Any]) -> str:
    graph = nx.Graph()
    graph.add_nodes_from(node["key"] for node in table["nodes"])
    graph.add_weighted_edges_from(table["edges"], weight="sign")
    return VERDICTS[verdict_number(graph)]


def _answers(one: Exercise) -> dict[str, Any]:
    """Return the answers to an exercise without choices."""
    kind = KINDS[one.kind]
    names = names_on_paper(one)
    of = None
    if kind == "camps":
        of = sorted(names.values())
    elif kind != "number":
        pairs = one.graph.edges
        if one.kind == "draw":
            pairs = combinations(one.graph, 2)
        of = [pair_text(names, pair) for pair in pairs]
    right = []
    if kind != "signs":
        solutions = islice(one.solutions(), LISTED)
        right = [written_answer(one, solution) for solution in solutions]
    return {"kind": kind, "of": of, "right": right}


def vote_as_counted(text: Any, answers: dict[str, Any]) -> str:
    """Return a vote as it is counted: the same text for the same answer. Refuse what is no answer."""
    kind = answers["kind"]
    of = answers["of"]
    if not isinstance(text, str):
        fits = False
    elif kind == "choice":
        fits = text in of
    elif kind == "number":
        fits = re.fullmatch(r"[+-]?[0-9]{1,9}", text)
        if fits:
            text = str(int(text))
    elif kind == "camps":
        camps = [sorted(camp.split(" ")) for camp in text.split(" | ")]
        fits = sorted(chain.from_iterable(camps)) == sorted(of)
        text = " | ".join(sorted(map(" ".join, camps)))
    else:
        parts = sorted(text.split(", "))
        fits = True
        pairs = parts
        if kind == "signs":
            fits = {part[:1] for part in parts} <= {"+", "−"}
            pairs = [part[1:] for part in parts]
        is_once = len(set(pairs)) == len(pairs)
        fits = fits and is_once and set(pairs) <= set(of)
        text = ", ".join(parts)
    if not fits:
        raise PairsError("This is no answer to the question.")
    return text


def own_questions(path: str | PathLike) -> list[str]:
    """Read a teacher's own questions from a text file, an empty line between two; return the text of each.

    The first line of a question is its words; then come two to five answers, one a line, with ``*`` before those
    that are right, if any.

    Raises
    ------
    PairsError
        The file cannot be read, or a question in it has another form; the message names its line.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "questions.txt"
    >>> _ = path.write_text("Are three enemies balanced?\\nyes\\n* in the weak sense\\n", encoding="utf-8")
    >>> own_questions(path)
    ['Are three enemies balanced?\\nyes\\n* in the weak sense']
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PairsError(f"{path}: {error}; own questions are in a text file") from error
    blocks: list[list[str]] = [[]]
    for number, line in enumerate(lines, 1):
        if line.strip():
            blocks[-1] = blocks[-1] or [str(number)]
            blocks[-1].append(line.strip())
        elif blocks[-1]:
            blocks.append([])
    texts = []
    for number, *block in filter(None, blocks):
        texts.append("\n".join(block))
        _own(texts[-1], f"{path}, line {number}")
    return texts


def _own(text: str, where: str) -> tuple[dict[str, Any], list[str]]:
    """Return the words and choices of a teacher's own question, and the right choices."""
    words, *lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    choices = [line.lstrip("* ") for line in lines]
    is_once = len(set(choices)) == len(choices)
    fits = FEWEST <= len(choices) <= MOST and is_once and all(choices)
    longest = max(map(len, [words, *choices]))
    if not fits or longest > LETTERS:
        raise PairsError(
            f"{where}: {words[:60]!r} has {len(choices)} answers, or two alike: {FORM}"
        )
    right = [choice for choice, line in zip(choices, lines, strict=True) if line.startswith("*")]
    return {"words": words, "choices": choices}, right
