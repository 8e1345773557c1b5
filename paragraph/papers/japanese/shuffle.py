"""Free paraphrases: Japanese sentences with their phrases in a different order, and pairs augmented by them.

Takahagi and Shinnou (2023), "Data Augmentation by Shuffling Phrases in Recognizing Textual Entailment", section 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
NO_OTHER = "no other order"
KNOWN = "a pair of the data"
MADE = "made before"


class Shuffle(NamedTuple):
    """A sentence in another order."""

    text: str
    order: tuple[int, ...]  #: of its phrases, or words, as places in the sentence


def phrase_orders(
    sentence: str | Parse, rule: str = "paper", parses: Parses | None = None
) -> Orders:
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
    if not isinstance(sentence, Parse):
        parses = parses or Parses()
        (sentence,) = parses.of([sentence])
    return orders(sentence, rule)


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
    drawn = ways.draw(n, Random(f"{seed} 0"))
    return [ways.text(order) for order in drawn]


def shuffled(
    sentences: Sequence[Parse], n: int = 1, seed: int | str = 0, rule: str = "paper"
) -> list[list[Shuffle]]:
    """Draw up to `n` other orders of each sentence."""
    orders = []
    for place, parse in enumerate(sentences):
        ways = phrase_orders(parse, rule)
        drawn = ways.draw(n, Random(f"{seed} {place}"))
        made = [Shuffle(ways.text(order), order) for order in drawn]
        orders.append(made)
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
    New pairs are for training: what people said, and so graphs and splits, are the rows without a `from_row`.

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
        raise PairsError(
            "the pairs are augmented already: they have a column from_row, side or order"
        )
    parses = parses or Parses(progress=progress)
    left = table["text_a"].tolist()
    right = table["text_b"].tolist()
    parsed = parses.of([*left, *right])
    premises = parsed[: len(table)]
    hypotheses = parsed[len(table) :]
    ones = shuffled(premises, n, f"{seed} premise", rule)
    others = shuffled(hypotheses, n, f"{seed} hypothesis", rule)
    counts = [list(map(len, side)) for side in (ones, others)]
    drawn = np.array(counts)  # (2, pairs)
    of_both = drawn.min(axis=0)
    possible = int(drawn.sum() + of_both.sum())
    wanted = 3 * n * len(table)
    dropped = Counter({NO_OTHER: wanted - possible})
    rows = []
    cells = []
    texts = list(zip(left, right, strict=True))
    known = {(a.strip(), b.strip()): KNOWN for a, b in texts}
    for row, (a, b) in enumerate(texts):
        made = _made(a, b, ones[row], others[row])
        for side, text_a, text_b, *places in made:
            why = known.get((text_a, text_b))
            if why:
                dropped[why] += 1
                continue
            known[text_a, text_b] = MADE
            orders = [" ".join(map(str, order)) for order in places]
            rows.append(row)
            cells.append((text_a, text_b, side, " | ".join(orders)))
    new = table.iloc[rows].copy()
    names = ["text_a", "text_b", "side", "order"]
    new[names] = pd.DataFrame(cells, new.index, names, dtype="str")
    numbers = rows_of(table)[rows]
    new["from_row"] = pd.array(numbers, dtype="Int64")
    result = pd.concat([table, new], ignore_index=True)
    result = result[[*table, "from_row", "side", "order"]]
    sides = new["side"].tolist()
    made = {side: sides.count(side) for side in SIDES}
    result.attrs["shuffling"] = {"pairs": len(table), "made": made, "dropped": dict(+dropped)}
    given = dict(zip(table, pairs, strict=True))
    return result.rename(columns=given)


def _made(a: str, b: str, ones: list[Shuffle], others: list[Shuffle]) -> Iterator[tuple]:
    """The pairs of a premise and a hypothesis: the side shuffled, both texts, the new orders."""
    for one in ones:
        yield "premise", one.text, b, one.order
    for other in others:
        yield "hypothesis", a, other.text, other.order
    for one, other in zip(ones, others, strict=False):
        yield "both", one.text, other.text, one.order, other.order


def stratified(
    pairs: pd.DataFrame, seed: int, sizes: Mapping[str, int] = VALIDATION
) -> list[pd.DataFrame]:
    """Draw this many pairs of each label for validation; return training and validation pairs."""
    rng = np.random.default_rng(seed)
    validation = np.zeros(len(pairs), bool)
    for label, n in sizes.items():
        rows = np.flatnonzero(pairs["entailment"] == label)
        validation[rng.choice(rows, n, replace=False)] = True
    parts = (pairs[~validation], pairs[validation])
    return [part.reset_index(drop=True) for part in parts]
