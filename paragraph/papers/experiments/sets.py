"""The four training sets and the four test sets of an experiment, their wrong labels and leaks; planted errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ...files import PairsError
from ...graph import ParaphraseGraph
from ...graph.closure import infer
from ...graph.leakage import Leakage, leakage
from ...graph.variants import four_datasets
from .resampling import Units, row_keys, units_of

__all__ = ["HeldOut", "Sets", "held_out", "labelled", "make_sets", "plant_errors"]


@dataclass(frozen=True)
class HeldOut:
    """Test sets whose pairs are predicted once, however many of the sets they are in."""

    asked: pd.DataFrame  #: the distinct unordered pairs of all sets: `text_a`, `text_b`
    group: np.ndarray  #: of each asked pair: its unit, the larger one of two
    labels: dict[str, np.ndarray]  #: by set, the label of each row
    places: dict[str, np.ndarray]  #: by set, where each row stands in `asked`


@dataclass(frozen=True)
class Sets:
    """The result of `make_sets`."""

    train: dict[str, pd.DataFrame]  #: by name: `text_a`, `text_b`, `label`, `unit_a`, `unit_b`
    units: Units  #: of the training rows: what a bootstrap draws
    tests: HeldOut
    counts: pd.DataFrame  #: a row per set: rows of each label, those left out and why
    leakage: Leakage  #: of train into test
    flips: pd.DataFrame  #: conflicts flipped, and how many flips undid a planted error
    #: with planted errors: rows of each set whose label is wrong, or unknown to be right
    errors: pd.DataFrame


def make_sets(
    train: pd.DataFrame,
    test: pd.DataFrame,
    *,
    negatives: str = "all",
    remove_leaks: bool = True,
    planted: float = 0.0,
    seed: int = 0,
) -> Sets:
    """Make the four datasets of training and of test rows, each closed on its own (Chen et al. 2020, section 4.1).

    A training row *leaks* where its pair is stated in the test set, or follows from it by transitivity under the
    same rule for negatives: exactly then it is in a test set, stated or augmented, whatever its label there.
    Clusters and inferences come from all training rows; leaking ones are removed from the four sets afterwards.
    Errors are planted in training and test rows, both before anything is inferred. Rows without a label are left
    out.

    Raises
    ------
    PairsError
        A set without rows of both labels; and what `infer` and `plant_errors` raise.
    """
    clean = {"train": train, "test": test}
    given = dict(clean)
    planted_in = {}
    if planted:
        for number, part in enumerate(clean):
            made, errors = plant_errors(clean[part], planted, seed + number)
            given[part] = made
            planted_in[part] = errors
    graphs = {part: ParaphraseGraph.from_pairs(table) for part, table in given.items()}
    closed = {}
    for part, graph in graphs.items():
        closed[part] = four_datasets(infer(graph, negatives=negatives))
    augmented = closed["train"]["augmented"]
    leaking = leakage(given["test"], augmented, negatives=negatives).pairs
    *keys, leaking_key = row_keys(*closed["train"].values(), leaking)
    leaking = leaking.set_index(leaking_key)["how"]
    units = units_of(graphs["train"])
    counts = []
    kept = {}
    marked = units.mark(closed["train"])
    for (name, table), key in zip(marked.items(), keys, strict=True):
        has_label = table["label"].notna().to_numpy()
        how = leaking.reindex(key)
        leaks = has_label & how.notna().to_numpy()
        removed = leaks & remove_leaks
        rows = table[has_label & ~removed].astype({"label": np.int8})
        kept[name] = rows.reset_index(drop=True)
        row = _row_counts("train", name, table, kept[name])
        found = how[leaks].tolist()
        row["stated in test"] = found.count("stated")
        row["inferable in test"] = found.count("inferred")
        row["removed"] = int(removed.sum())
        counts.append(row)
    for name, table in closed["test"].items():
        counts.append(_row_counts("test", name, table, labelled(table)))
    _, _, *numbers = counts[0]
    counts = pd.DataFrame(counts).astype(dict.fromkeys(numbers, "Int64"))
    flips = []
    for part, graph in graphs.items():
        row = _flips(part, graph, planted_in.get(part))
        flips.append(row)
    errors = pd.DataFrame()
    if planted:
        errors = _errors(clean, {"train": kept, "test": closed["test"]})
    return Sets(
        train=kept,
        units=units,
        tests=held_out(graphs["test"], closed["test"]),
        counts=counts,
        leakage=leakage(given["train"], given["test"], negatives=negatives),
        flips=pd.DataFrame(flips),
        errors=errors,
    )


def labelled(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that have a label, in two columns of text and one of 0 and 1."""
    known = table["label"].notna()
    rows = table.loc[known, ["text_a", "text_b", "label"]]
    return rows.astype({"label": np.int8})


def held_out(graph: ParaphraseGraph, tables: dict[str, pd.DataFrame]) -> HeldOut:
    """Turn test sets of sentences of a graph, by name, into questions and answers; rows need a label to count."""
    rows = {}
    labels = {}
    for name, table in tables.items():
        rows[name] = labelled(table)
        labels[name] = rows[name]["label"].to_numpy()
    keys = np.concatenate(row_keys(*rows.values()))
    places, _ = pd.factorize(keys)  # numbered in order of appearance
    _, first = np.unique(places, return_index=True)
    every = pd.concat(rows.values())[["text_a", "text_b"]]
    asked = every.iloc[first].reset_index(drop=True)
    marked = units_of(graph).mark({"asked": asked})["asked"]
    unit = marked[["unit_a", "unit_b"]].min(axis=1)  # ids of clusters go by size
    sizes = [len(label) for label in labels.values()]
    ends = np.cumsum(sizes)
    parts = np.split(places, ends[:-1])
    places = dict(zip(rows, parts, strict=True))
    return HeldOut(asked, unit.to_numpy(), labels, places)


def _row_counts(
    part: str, name: str, table: pd.DataFrame, kept: pd.DataFrame
) -> dict[str, str | int]:
    """Count the rows of each label; `PairsError` where a set has not both."""
    positive = int((kept["label"] == 1).sum())
    unlabelled = int(table["label"].isna().sum())
    negative = len(kept) - positive
    if not positive or not negative:
        raise PairsError(
            f"the {part} set {name!r} has {positive:,} positive and {negative:,} negative rows; an experiment needs "
            f"both, so give it more rows"
        )
    row = {"part": part, "set": name}
    return row | {"positive": positive, "negative": negative, "unlabelled": unlabelled}


def _flips(part: str, graph: ParaphraseGraph, planted: pd.DataFrame | None) -> dict[str, str | int]:
    """Count the conflicts that are flipped, and how many of these labels are planted errors."""
    flipped = np.flatnonzero(graph.negatives_inside)
    counts = {"part": part, "flipped": len(flipped)}
    if planted is None:
        return counts
    pairs = graph.pair_texts(*graph.ends(flipped))
    undone = int(np.isin(*row_keys(pairs, planted)).sum())
    counts["undid an error"] = undone
    counts["made an error"] = len(flipped) - undone
    return counts | {"planted": len(planted)}


def _errors(
    clean: dict[str, pd.DataFrame], sets: dict[str, dict[str, pd.DataFrame]]
) -> pd.DataFrame:
    """Hold the labels of every set against those stated before planting, and what follows from them."""
    rows = []
    for part, tables in sets.items():
        graph = ParaphraseGraph.from_pairs(clean[part])
        truth = four_datasets(infer(graph, negatives="all"))["augmented"]
        *keys, true_key = row_keys(*tables.values(), truth)
        true = pd.Series(truth["label"].to_numpy(float), true_key)
        for (name, table), key in zip(tables.items(), keys, strict=True):
            stated = table["label"].to_numpy(float, na_value=np.nan)
            right = true.reindex(key).to_numpy()
            known = ~np.isnan(stated)
            checked = known & ~np.isnan(right)
            wrong = int((checked & (stated != right)).sum())
            unknown = int((known & ~checked).sum())
            row = {"part": part, "set": name, "rows": len(table)}
            rows.append(row | {"wrong": wrong, "unknown": unknown})
    return pd.DataFrame(rows)


def plant_errors(
    pairs: pd.DataFrame, share: float | tuple[float, float] = 0.02, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Flip a share of a pair table's stated labels; return the table, and the key of the flipped pairs.

    Drawn uniformly among the distinct pairs of each label, that share of the positives and that share of the
    negatives: the errors go both ways, in proportion to the labels. Every row of a drawn pair is flipped, so that
    the stated label of the pair flips too. Rows of other pairs, order, columns and attributes stay.

    Parameters
    ----------
    pairs : DataFrame
        A pair table.
    share : float or (float, float)
        One share for both labels, or those of the positives and of the negatives, each from 0 to 1.
    seed : int

    Returns
    -------
    planted : DataFrame
        A copy of the table with other labels.
    key : DataFrame
        One row per planted pair, in file order: `text_a`, `text_b`, `stated` (the label now), `true` (before).

    Raises
    ------
    PairsError
        A share outside 0 to 1, or so small that no label is flipped.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["a", "b", "c", "d"], "text_b": ["b", "a", "d", "e"], "label": [1, 1, 0, 0]})
    >>> planted, key = plant_errors(pairs, share=0.5, seed=1)
    >>> planted["label"].tolist()
    [1, 1, 1, 0]
    >>> key
      text_a text_b  stated  true
    0      c      d       1     0
    """
    shares = share if isinstance(share, tuple) else (share, share)
    are_shares = all(0 <= part <= 1 for part in shares)
    if len(shares) != 2 or not are_shares:
        raise PairsError(
            f"share {share!r} is not a number from 0 to 1, nor a pair of such (positives, negatives)"
        )
    graph = ParaphraseGraph.from_pairs(pairs)
    rng = np.random.default_rng(seed)
    # The last place is for rows that state nothing.
    chosen = np.zeros(len(graph.edge_sign) + 1, dtype=bool)
    for sign, part in zip((1, -1), shares, strict=True):
        edges = np.flatnonzero(graph.edge_sign == sign)
        count = round(part * len(edges))
        drawn = rng.choice(edges, count, replace=False)
        chosen[drawn] = True
    edges = np.flatnonzero(chosen)
    if not len(edges) and any(shares):
        raise PairsError(
            f"a share of {share!r} of {len(graph.edge_sign):,} stated labels is none; plant more"
        )
    label = pairs["label"].astype("Int8")
    turned = chosen[graph.row_edge] & graph.row_labelled
    planted = pairs.copy()
    planted["label"] = label.mask(turned, 1 - label)
    true = (graph.edge_sign[edges] > 0).astype(np.int8)
    errors = graph.pair_texts(*graph.ends(edges))
    return planted, errors.assign(stated=1 - true, true=true)
