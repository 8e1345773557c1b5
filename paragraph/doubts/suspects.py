"""A list of all stated labels, by the probability that each is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..files import PairsError
from ..files.errors import check_int
from ..graph import ParaphraseGraph
from ..graph.arrays import Array
from ..graph.core import checked_graph
from ..pairs.tables import refuse
from ..words.phrases import reasons as differing
from .belief import Belief, believe, ranked
from .judges import default_judge
from .proposals import BIPARTITE
from .reasons import REASONS, Evidence, Reason
from .shipped import in_english

__all__ = [
    "ADVICE",
    "ENOUGH",
    "READ_FIRST",
    "belief_of",
    "may_stop",
    "outlook",
    "reasons_in",
    "summary",
    "suspects",
]

#: The number of labels of each sign, the most probably wrong, whose sentences a judge reads.
FIRST = 1000
#: The same before a review, which shall show its first pair soon.
READ_FIRST = 200
#: The number of labels at the top of a list whose reason is written in words.
REASONED = 2000
#: The number of answers about random labels that allows an estimate for all labels left.
ENOUGH = 20
#: Reading on is hardly worth it once the interval ends at this share of wrong labels.
LITTLE = 0.1
ITSELF = "a sentence paired with itself"
#: The log-odds of a label that is certainly wrong.
CERTAINLY = 20.0
#: Advice for a file without answers.
ADVICE = (
    "No label of this file has an answer, so the number of wrong ones of each sign is unknown: read twenty to a "
    "hundred, drawn at random (paragraph review --audit 40, pg.audit), and ask again with the answers."
)

#: Names of a list of suspects, or of its levels, that a reason cannot have.
_RESERVED = {"text_a", "text_b", "label", "p_wrong", "reason", "answer", "random", "level", "top"}


def suspects(
    graph: ParaphraseGraph,
    reasons: Mapping[str, Reason] = REASONS,
    judge: Any = "auto",
    answers: Any = None,
    *,
    first: int | None = FIRST,
    progress: bool = True,
) -> pd.DataFrame:
    """List every stated pair with the probability that its label is wrong, the most suspicious first.

    The log-odds that a label is wrong are the level of its sign plus, for each reason, its slope times its value.
    Levels and slopes differ between files: files that were judged give the first ones, answers about this file change
    them (`belief.believe`).

    Parameters
    ----------
    reasons : dict of functions, optional
        By name, functions of the graph that return the log-odds against each stated label (`graph.edge_a`,
        `graph.edge_b`), NaN where they are silent. A reason of your own has the slope 0, and answers teach it:
        ``pg.REASONS | {"short": mine}``.
    judge : {"auto", "minilm"}, function of two lists of texts, or folder; or None
        The reader of stated pairs, as for `repair`. None: words alone, which find a third of what MiniLM finds.
    answers : DataFrame, or a log or review with a method `answered`, optional
        Pairs that a person answered (`text_a`, `text_b`, `same`), drawn by `paragraph.audit` or by a list. For these,
        the person's answer is final. A log knows which were drawn at random; in a table all count as random, except
        for rows whose column `random` says no.
    first : int, optional
        The judge reads about this many labels of each sign, the most probably wrong, besides conflicts and a few at
        random (`reasons.Evidence`). For the others, words predict its judgement. 0: it reads conflicts and those at
        random. None: it reads all.

    At the top are sentences that a row pairs with themselves and labels 0, which is certainly wrong.

    Columns
    -------
    text_a, text_b, label
        As first stated; the stated label.
    p_wrong
        Probability that the label is wrong: the mean over the possible levels and slopes of this file.
    reason
        The conflict it is part of, and how the words of the sentences differ, if they do; for the first 2,000.
    judge, words, own, rows, conflict, blame, …
        One for each reason, log-odds against the label; empty where it is silent. With the answers, these determine
        the order (`PairReview`). `judge` is empty where it has not read the pair.
    top
        How near the top of its sign the label was before any answer, from 0 to 1 (`belief.ranked`).
    answer, random
        A person's earlier answer: 1, the label is wrong; 0, it is right; or empty. For answered labels, `random` is 1
        if the label was drawn at random, 0 if a list chose it.

    If a list chose every answered label, the answers show only the order of the others: then read `p_wrong` as an
    order; ``.attrs["expected"]`` is empty.

    ``.attrs["expected"]`` estimates the number of wrong labels among the first 50, 100, 1,000 that nobody answered,
    with a 95 % interval (`belief.Belief.expected`); ``.attrs["answered"]`` counts the answers by sign, and
    the wrong ones among them; ``.attrs["slopes"]`` gives the slope of each reason of yours, and its standard
    deviation.

    Raises
    ------
    PairsError
        Answers that do not fit; bipartite pairs; a reason without a number for each label.

    Examples
    --------
    >>> rows = [("Is tea hot?", "is tea hot", 1), ("Is it far?", "Is it far from Rome?", 1)]
    >>> pairs = pd.DataFrame(rows, columns=["text_a", "text_b", "label"])
    >>> suspects(ParaphraseGraph.from_pairs(pairs), judge=None).loc[0, ["text_a", "text_b", "reason"]].tolist()
    ['Is it far?', 'Is it far from Rome?', "only one side: 'from Rome'"]
    """
    if checked_graph(graph, "suspects").bipartite:
        raise PairsError(BIPARTITE)
    if first is not None:
        check_int("first", first, 0)
    reserved = {*reasons} & _RESERVED
    if reserved:
        raise PairsError(
            f"a reason cannot be called {', '.join(sorted(reserved))}: that name is taken"
        )
    if isinstance(judge, str) and judge == "auto":
        judge = default_judge()
    known = Evidence(graph, judge, answers, first, reasons, progress=progress)
    # rounded as in a file, so that `belief_of` reads the same from one
    evidence = ranked(known.table().round(6))
    blamed = evidence.reindex(columns=["blame"])["blame"].notna()
    in_conflict = graph.negatives_inside | blamed.to_numpy()
    # Sentences stated to differ from themselves need no judge.
    selves = graph.self_negatives
    n = len(selves)
    certain = pd.DataFrame({"label": 0, "conflict": CERTAINLY}, range(n))
    evidence = pd.concat([certain, evidence], ignore_index=True)[[*evidence]]
    no_answer = np.full(n, np.nan)
    wrong = np.append(no_answer, known.answers)
    random = np.append(no_answer, known.proposals.random) > 0
    belief = believe(evidence, None, wrong, random)
    edges = np.argsort(-belief.p_wrong[n:], kind="stable")
    order = np.append(np.arange(n), n + edges)
    a, b = graph.ends(edges)
    table = graph.pair_texts(np.append(selves, a), np.append(selves, b))
    table["label"] = evidence["label"].to_numpy(np.int8)[order]
    table["p_wrong"] = belief.p_wrong[order]
    why = [ITSELF for _ in selves]
    why += _reasons(graph, edges[: REASONED - n], in_conflict)
    why += ["" for _ in range(len(why), len(table))]
    table["reason"] = pd.Series(why, dtype="str")
    for name, values in evidence.drop(columns="label").items():
        table[name] = values.to_numpy()[order] + 0.0  # no -0
    table["answer"] = wrong[order]
    random = np.where(belief.answered, belief.random, np.nan)
    table["random"] = random[order]
    table.attrs |= outlook(belief)
    return table


def _reasons(graph: ParaphraseGraph, edges: Array, in_conflict: Array) -> list[str]:
    """The reason of each edge in words: the conflict that it is part of, and how its sentences differ."""
    english = in_english(graph)
    texts = graph.pair_texts(*graph.ends(edges)).itertuples(index=False)
    reasons = []
    for edge, pair in zip(edges, texts, strict=True):
        parts = differing(*pair, english=english) or ["no difference in words"]
        if in_conflict[edge]:
            where = "joined by positives"
            if graph.edge_sign[edge] > 0:
                where = "a negative lies across it"
            parts.insert(0, where)
        reasons.append("; ".join(parts))
    return reasons


# -- the belief behind a list --------------------------------------------------------------------------------


def reasons_in(table: pd.DataFrame) -> list[str]:
    """The reasons of a list of suspects: its columns between `reason` and `answer`; none for another table."""
    names = [*table]
    if not {"reason", "answer", "random"} <= {*names}:
        return []
    first = names.index("reason") + 1
    return names[first : names.index("answer")]


def belief_of(table: pd.DataFrame, label: Array) -> Belief | None:
    """Return the belief about the labels (0, 1) of a list of suspects, whole or in part; None for another table.

    It is read from the columns of the list, so the list may come from a file.

    Raises
    ------
    PairsError
        Naming the row and a value that is not a number.
    """
    names = reasons_in(table)
    if not names:
        return None
    cells = table[[*names, "answer", "random"]].replace("", None)
    known = cells.apply(pd.to_numeric, errors="coerce")
    known = known.astype(float)
    for name, values in known.items():
        invalid = ~np.isfinite(values)
        invalid &= cells[name].notna()
        refuse(table, invalid, lambda row, name=name: f"{name} {row[name]!r} is no number")
    evidence = known[names].assign(label=label)
    return believe(evidence, None, known["answer"], known["random"] == 1)


# -- the outlook for the labels that are left ----------------------------------------------------------------


def outlook(belief: Belief, first: Sequence[int] = (50, 100, 1000)) -> dict[str, Any]:
    """The facts of a list, for its `attrs` and its messages.

    `answered`: for each sign, the number of answered labels and of the wrong ones among them; `random`: the number of
    answered labels that were drawn at random; `left`: the number of labels without an answer; `expected`: the rows of
    `Belief.expected`, and one for all labels left if at least `ENOUGH` were drawn at random; `slopes`: those of
    reasons that no judged file has tested.
    """
    left = len(belief.open)
    random = int(belief.random.sum())
    numbers = [n for n in first if n < left]
    if random >= ENOUGH or not numbers:
        numbers.append(left)
    return {
        "answered": belief.counts(),
        "random": random,
        "left": left,
        "expected": belief.expected(numbers).to_dict("records"),
        "slopes": belief.slopes,
    }


def summary(known: Mapping[str, Any]) -> str:
    """Return the `outlook` of a list in one line.

    Examples
    --------
    >>> answered = {"positive": (14, 2), "negative": (10, 7)}
    >>> known = {"answered": answered, "random": 6, "left": 80, "slopes": {}}
    >>> summary(known | {"expected": [{"first": 50, "low": 9.0, "high": 34.0}]})
    'wrong: 9 of 24 read (positives 2 of 14, negatives 7 of 10), probably 9 to 34 of the next 50'
    >>> summary(known | {"random": 0, "expected": []})[60:]
    'none was drawn at random, so of the others only the order is known'
    """
    read, wrong = map(sum, zip(*known["answered"].values(), strict=True))
    parts = []
    if read:
        signs = [f"{sign}s {bad:,} of {n:,}" for sign, (n, bad) in known["answered"].items()]
        parts.append(f"{wrong:,} of {read:,} read ({', '.join(signs)})")
    for row in known["expected"]:
        which = f"the next {row['first']:,}"
        if row["first"] == known["left"] and known["random"] >= ENOUGH:
            which = f"all {row['first']:,} others"
        parts.append(f"probably {row['low']:,.0f} to {row['high']:,.0f} of {which}")
    text = f"wrong: {', '.join(parts)}"
    if known["left"] and not known["expected"]:
        text += "; none was drawn at random, so of the others only the order is known"
    for name, (slope, error) in known["slopes"].items():
        text += f"; {name}: {slope:.1f} ± {error:.1f}"
    return text


def may_stop(known: Mapping[str, Any]) -> bool:
    """Return True if reading on is hardly worth it: the interval of the next labels ends at `LITTLE` or below."""
    return any(row["high"] <= LITTLE * row["first"] for row in known["expected"][:1])
