"""Free paraphrases: Japanese sentences with their phrases in a different order, and pairs augmented by them.

Takahagi and Shinnou (2023), "Data Augmentation by Shuffling Phrases in Recognizing Textual Entailment", section 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...files import PairsError
from ...pairs.tables import canonical, rows_of
from .orders import RULES, Orders, orders
from .parse import Parse, Parses

__all__ = ["RULES", "SIDES", "VALIDATION", "Shuffle", "augment_by_shuffling"]
__all__ += ["phrase_orders", "shuffle_phrases", "shuffled", "stratified"]

#: Which sentences of a pair are shuffled.
SIDES = ("premise", "hypothesis", "both")
#: Pairs of each label that are for validation (Table 4).
VALIDATION = {"entailment": 100, "contradiction": 75, "neutral": 325}
NO_OTHER, KNOWN, MADE = "no other order", "a pair of the data", "made before"


class Shuffle(NamedTuple):
    """A sentence in another order."""

    text: str
    order: tuple[int, ...]  #: of its phrases, or words, as places in the sentence


def phrase_orders(sentence: str | Parse, rule: str = "paper", parses: Parses | None = None) -> Orders:
    """The orders of a Japanese sentence, counted by arithmetic and made when they are asked for.

    Parameters
    ----------
    sentence : str or Parse
    rule : {"paper", "phrases", "words"}
        ``"paper"``: all orders that keep the dependencies and the predicate in its place (section 3.1).
        ``"phrases"``, ``"words"``: anything goes, the baselines of section 6.2.
    parses : Parses, optional
        Where parses come from; default: GiNZA (``pip install '.[ja]'``).

    Raises
    ------
    PairsError
        The sentence is not Japanese, it has no parse, or the rule is unknown.

    Examples
    --------
    >>> figure = Parse("太郎は花子が読んでいる本を次郎に渡した",
    ...                ("太郎は", "花子が", "読んでいる", "本を", "次郎に", "渡した"), (5, 2, 3, 5, 5, -1))
    >>> phrase_orders(figure).count
    6
    """
    parse = sentence if isinstance(sentence, Parse) else (parses or Parses()).of([sentence])[0]
    return orders(parse, rule)


def shuffle_phrases(
    sentence: str | Parse,
    n: int = 1,
    seed: int = 0,
    rule: str = "paper",
    parses: Parses | None = None,
) -> list[str]:
    """Draw up to `n` other orders of a Japanese sentence: none is the sentence, none is there twice.

    The parameters are those of `phrase_orders`.

    Examples
    --------
    >>> cup = Parse("猫が机で寝ている", ("猫が", "机で", "寝ている"), (2, 2, -1))
    >>> shuffle_phrases(cup, n=3)
    ['机で猫が寝ている']
    """
    ways = phrase_orders(sentence, rule, parses)
    return [ways.text(order) for order in ways.draw(n, Random(f"{seed} 0"))]


def shuffled(sentences: Sequence[Parse], n: int = 1, seed: int | str = 0, rule: str = "paper") -> list[list[Shuffle]]:
    """Draw up to `n` other orders of each sentence."""
    orders = []
    for place, parse in enumerate(sentences):
        ways = phrase_orders(parse, rule)
        drawn = ways.draw(n, Random(f"{seed} {place}"))
        orders.append([Shuffle(ways.text(order), order) for order in drawn])
    return orders


def augment_by_shuffling(
    pairs: pd.DataFrame,
    n: int = 1,
    seed: int = 0,
    rule: str = "paper",
    parses: Parses | None = None,
    progress: bool = True,
) -> pd.DataFrame:
    """Append to pairs the same pairs with the premise, the hypothesis, or both in another order.

    Labels and all other columns are kept. A pair gives up to 3 `n` new ones; "both" joins the two orders that the
    single ones drew. A new pair that is in the data, or was made before, is left out and counted.

    Parameters
    ----------
    pairs : DataFrame
        With `text_a` (the premise) and `text_b`.
    n : int
        Other orders of each sentence.
    rule, parses
        As in `phrase_orders`.

    Returns
    -------
    DataFrame
        All columns of `pairs`, and, missing for the pairs themselves, `from_row` (Int64: `row` of the pair it is
        from, or its place from 0 where there is no such column), `side` ("premise", "hypothesis", "both") and `order`
        (where each phrase stood; a bar between the sentences). ``.attrs["shuffling"]`` says what became of the 3 `n`
        of each pair: `made` (by side), `dropped` (by reason).

    Raises
    ------
    PairsError
        A text is not Japanese or has no parse; the table is itself augmented.

    Notes
    -----
    Table 5 of Takahagi and Shinnou (2023) counts 16,320 pairs from 4,500; with GiNZA in the place of CaboCha,
    ``rule="paper"`` makes some 1 % more.
    """
    table = canonical(pairs)
    if {"from_row", "side", "order"} & {*table}:
        raise PairsError("the pairs are augmented already: they have a column from_row, side or order")
    parses = parses or Parses(progress=progress)
    sides = [table[column].tolist() for column in ("text_a", "text_b")]
    parsed = parses.of([*sides[0], *sides[1]])
    halves = zip(SIDES, (parsed[: len(table)], parsed[len(table) :]), strict=False)
    drawn = [shuffled(half, n, f"{seed} {side}", rule) for side, half in halves]
    left = np.array([list(map(len, found)) for found in drawn])  # (2, pairs)
    dropped = Counter({NO_OTHER: 3 * n * len(table) - int(left.sum() + left.min(axis=0).sum())})
    rows, columns = [], []
    known = dict.fromkeys(zip(*([text.strip() for text in side] for side in sides), strict=True), KNOWN)
    for row, (a, b, one, other) in enumerate(zip(*sides, *drawn, strict=True)):
        made = [("premise", x.text, b, (x,)) for x in one] + [("hypothesis", a, y.text, (y,)) for y in other]
        made += [("both", x.text, y.text, (x, y)) for x, y in zip(one, other, strict=False)]
        for side, *texts, orders_of in made:
            if why := known.get((*texts,)):
                dropped[why] += 1
                continue
            known[*texts,] = MADE
            rows.append(row)
            columns.append((*texts, side, " | ".join(" ".join(map(str, one.order)) for one in orders_of)))
    new = table.iloc[rows].copy()
    for place, column in enumerate(("text_a", "text_b", "side", "order")):
        new[column] = pd.array([values[place] for values in columns], dtype="str")
    new["from_row"] = pd.array(rows_of(table)[rows], dtype="Int64")
    result = pd.concat([table, new], ignore_index=True)[[*table, "from_row", "side", "order"]]
    result.attrs["shuffling"] = {
        "pairs": len(table),
        "made": {side: int((new["side"] == side).sum()) for side in SIDES},
        "dropped": {why: count for why, count in dropped.items() if count},
    }
    return result.rename(columns=dict(zip(table, pairs, strict=True)))


def stratified(pairs: pd.DataFrame, seed: int, sizes: Mapping[str, int] = VALIDATION) -> list[pd.DataFrame]:
    """Draw this many pairs of each label for validation; return training and validation pairs."""
    rng, held = np.random.default_rng(seed), np.zeros(len(pairs), bool)
    for label, n in sizes.items():
        held[rng.choice(np.flatnonzero(pairs["entailment"] == label), n, replace=False)] = True
    return [pairs[~held].reset_index(drop=True), pairs[held].reset_index(drop=True)]
