"""The four training sets and the four test sets of an experiment, with their wrong labels and leaks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..graph import ParaphraseGraph
from ..graph.closure import infer
from ..graph.variants import four_datasets
from ..measure.leakage import Leakage, leakage
from ..measure.resampling import Units, row_keys, units_of
from ..pairs import PairsError
from .plant import plant_errors

__all__ = ["TRUTH", "HeldOut", "Sets", "held_out", "labelled", "make_sets"]

#: Name of the fifth test set: the original rows with the labels they had before errors were planted.
TRUTH = "truth"


@dataclass(frozen=True)
class HeldOut:
    """Test sets whose pairs are predicted once, however many of the sets they are in."""

    asked: pd.DataFrame  #: the distinct unordered pairs of all sets: `text_a`, `text_b`
    group: np.ndarray  #: of each asked pair: its unit, the larger one of two
    unit: str  #: what a unit is, "components" or "clusters"
    labels: dict[str, np.ndarray]  #: by set, the label of each row
    places: dict[str, np.ndarray]  #: by set, where each row stands in `asked`


@dataclass(frozen=True)
class Sets:
    """The result of `make_sets`."""

    train: dict[str, pd.DataFrame]  #: by name: `text_a`, `text_b`, `label`, `unit_a`, `unit_b`
    units: Units  #: of the training rows: what a bootstrap draws
    tests: HeldOut
    counts: pd.DataFrame  #: a row a set: rows of each label, those left out and why
    leakage: Leakage  #: what train says of test
    flips: pd.DataFrame  #: conflicts flipped, and how many flips undid a planted error
    errors: pd.DataFrame  #: with planted errors: rows of each set whose label is wrong, or unknown to be right


def make_sets(
    train: pd.DataFrame,
    test: pd.DataFrame,
    *,
    negatives: str = "all",
    remove_leaks: bool = True,
    planted: float = 0.0,
    max_train: int | None = None,
    seed: int = 0,
) -> Sets:
    """The four datasets of training and of test rows, each closed on its own (Chen et al. 2020, section 4.1).

    A training row *leaks* where its pair is stated in the test set, or follows from it by transitivity under the
    same rule for negatives: exactly then it is in a test set, stated or augmented, whatever its label there.
    Clusters and inferences come from all training rows; leaking ones are removed from the four sets afterwards.
    Errors are planted in training and test rows, both before anything is inferred. Rows without a label are left
    out. A training set of more than `max_train` rows is a uniform sample, of the same rows with and without
    flipping.

    Raises
    ------
    PairsError
        A set without rows of both labels; and what `infer` and `plant_errors` raise.
    """
    clean = {"train": train, "test": test}
    given, keys = dict(clean), {}
    if planted:
        for number, part in enumerate(clean):
            given[part], keys[part] = plant_errors(clean[part], planted, seed + number)
    graphs = {part: ParaphraseGraph.from_pairs(table) for part, table in given.items()}
    closed = {part: four_datasets(graph, infer(graph, negatives=negatives)) for part, graph in graphs.items()}
    if planted:
        closed["test"][TRUTH] = clean["test"]

    leaking = leakage(given["test"], closed["train"]["augmented"], negatives=negatives).pairs
    *keys_train, leaking_key = row_keys(*closed["train"].values(), leaking)
    units = units_of(graphs["train"])
    marked = units.mark(closed["train"])
    counts, kept = [], {}
    for (name, table), key in zip(marked.items(), keys_train, strict=True):
        has_label = table["label"].notna().to_numpy()
        at = _look_up(key, leaking_key, np.arange(len(leaking)))
        leaks = has_label & (at >= 0)
        there = leaking.iloc[at[leaks]]
        rows = np.flatnonzero(has_label & ~(leaks & remove_leaks))
        stay = len(rows)
        if max_train is not None and stay > max_train:
            rows = np.sort(np.random.default_rng(seed).choice(rows, max_train, replace=False))
        kept[name] = table.iloc[rows].astype({"label": np.int8}).reset_index(drop=True)
        counts.append(
            _counted("train", name, table, kept[name])
            | {
                "stated in test": int((there["how"] == "stated").sum()),
                "inferable in test": int((there["how"] == "inferred").sum()),
                "other label there": int((there["train_label"].to_numpy() != table["label"].to_numpy()[leaks]).sum()),
                "removed": int(leaks.sum()) if remove_leaks else 0,
                "not sampled": stay - len(rows),
            }
        )
    counts += [_counted("test", name, table, labelled(table)) for name, table in closed["test"].items()]
    for row in counts:
        if not row["positive"] or not row["negative"]:
            raise PairsError(
                f"the {row['part']} set {row['set']!r} has {row['positive']:,} positive and {row['negative']:,} "
                f"negative rows; an experiment needs both, so give it more rows"
            )
    return Sets(
        kept,
        units,
        held_out(graphs["test"], closed["test"]),
        pd.DataFrame(counts).astype(dict.fromkeys(list(counts[0])[2:], "Int64")),
        leakage(given["train"], given["test"], negatives=negatives),
        pd.DataFrame([_flips(part, graphs[part], keys.get(part)) for part in graphs]),
        _errors(clean, {"train": kept, "test": closed["test"]}) if planted else pd.DataFrame(),
    )


def labelled(table: pd.DataFrame) -> pd.DataFrame:
    """The rows that have a label, in two columns of text and one of 0 and 1."""
    return table.loc[table["label"].notna(), ["text_a", "text_b", "label"]].astype({"label": np.int8})


def held_out(graph: ParaphraseGraph, tables: dict[str, pd.DataFrame]) -> HeldOut:
    """Test sets of sentences of a graph, by name, as what is asked and what is true; rows need a label to count."""
    rows = {name: labelled(table) for name, table in tables.items()}
    keys = row_keys(*rows.values())
    distinct, first = np.unique(np.concatenate(keys), return_index=True)
    order = np.argsort(first)  # asked in order of appearance
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    everything = pd.concat([table[["text_a", "text_b"]] for table in rows.values()])
    asked = everything.iloc[first[order]].reset_index(drop=True)
    units = units_of(graph)
    marked = units.mark({"asked": asked})["asked"]
    return HeldOut(
        asked,
        marked[["unit_a", "unit_b"]].min(axis=1).to_numpy(),  # ids of clusters go by size
        units.kind,
        {name: table["label"].to_numpy() for name, table in rows.items()},
        {name: rank[np.searchsorted(distinct, key)] for name, key in zip(rows, keys, strict=True)},
    )


def _counted(part: str, name: str, table: pd.DataFrame, kept: pd.DataFrame) -> dict:
    positive, unlabelled = int((kept["label"] == 1).sum()), int(table["label"].isna().sum())
    counts = {"positive": positive, "negative": len(kept) - positive, "unlabelled": unlabelled}
    return {"part": part, "set": name, **counts}


def _look_up(wanted: np.ndarray, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The value of each wanted key, or -1."""
    if not len(keys):
        return np.full(len(wanted), -1)
    order = np.argsort(keys)
    at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    return np.where(keys[order[at]] == wanted, values[order[at]], -1)


def _flips(part: str, graph: ParaphraseGraph, key: pd.DataFrame | None) -> dict:
    """How many conflicts are flipped, and how many of these labels are planted errors."""
    flipped = np.flatnonzero(graph.within)
    counts = {"part": part, "flipped": len(flipped)}
    if key is None:
        return counts
    pairs = pd.DataFrame({"text_a": graph.texts(graph.edge_a[flipped]), "text_b": graph.texts(graph.edge_b[flipped])})
    here, there = row_keys(pairs, key)
    undone = int(np.isin(here, there).sum())
    return counts | {"undid an error": undone, "made an error": len(flipped) - undone, "planted": len(key)}


def _errors(clean: dict[str, pd.DataFrame], sets: dict[str, dict[str, pd.DataFrame]]) -> pd.DataFrame:
    """The labels of every set held against those stated before planting, and what follows from them."""
    rows = []
    for part, tables in sets.items():
        graph = ParaphraseGraph.from_pairs(clean[part])
        truth = four_datasets(graph, infer(graph, negatives="all"))["augmented"]
        *keys, true_key = row_keys(*tables.values(), truth)
        for (name, table), key in zip(tables.items(), keys, strict=True):
            stated = table["label"].to_numpy(np.float64, na_value=np.nan)
            true = _look_up(key, true_key, truth["label"].to_numpy(np.int64))
            wrong = int(((true >= 0) & (stated >= 0) & (stated != true)).sum())
            unknown = int(((true < 0) & (stated >= 0)).sum())
            rows.append({"part": part, "set": name, "rows": len(table), "wrong": wrong, "unknown": unknown})
    return pd.DataFrame(rows)
