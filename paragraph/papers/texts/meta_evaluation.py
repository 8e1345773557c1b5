"""Agreement of metrics of generated text with people: tables 4 to 6 of Wang et al. (2022)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from ...files import PairsError
from ...files.content import HELD, load
from ...files.json_lines import each_once
from ..experiments.resampling import middle
from .metrics import Metric, make_metric
from .scores import score

__all__ = ["COLUMNS", "judged_files", "meta_evaluate", "read_judged"]

COLUMNS = [
    "file",
    "perspective",
    "statistic",
    "metric",
    "variant",
    "value",
    "low",
    "high",
    "n",
    "skipped",
]
#: What people judged, as table 4 names it; of two that would be one, the first stands for it.
PERSPECTIVES = {
    "coherence": "COH", "consistency": "FAC", "fact": "FAC", "fluency": "FLU", "relevance": "INFO",
    "informativeness": "INFO", "litepyramid_recall": "COV", "rank": "RANK",
}  # fmt: skip
#: Ranks of the two outputs of an item of WMT.
_RANKS = {"better": 1, "worse": 0}


def meta_evaluate(
    folder: str | PathLike,
    metrics: Sequence[str | Metric] = (
        "rouge1",
        "rouge2",
        "rougeL",
        "bleu",
        "cosine",
        "bertscore",
        "matching",
    ),
    *,
    draws: int = 1000,
    seed: int = 0,
    progress: bool = True,
) -> pd.DataFrame:
    """Measure how well metrics agree with people: one row per file, perspective, metric and variant.

    Parameters
    ----------
    folder : path
        With files ``*.json`` or ``*.json.gz``, in folders or not; what each holds is seen from its layout
        (`read_judged`).
    metrics : sequence of str or Metric
        As for `make_metric`. What each must beat comes on top: *length*, the words of a text, and *random*.
    draws : int
        Of whole documents, for the intervals (bootstrap, 95 %).
    seed : int
        Of the draws and of the baseline that is random.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`. `file` is the file's name without ending. `statistic`: *spearman*, *pearson* (over
        all texts), *spearman by document* (its mean), *accuracy* (share strictly right), *kendall*
        (concordant less discordant, by all; a tie is discordant). `variant`: P, R, F. `n` is the number of
        texts, documents or comparisons that count, `skipped` of the others: documents that people or the
        metric give one score, and what has no score.

    Raises
    ------
    PairsError
        No files; a file of another layout, with its name, the item and the value; no such metric.

    References
    ----------
    Yuan, Neubig, Liu (2021), "BARTScore", whose published scripts compare just so.
    """
    files = judged_files(folder)
    scorers = []
    for metric in metrics:
        if isinstance(metric, str):
            metric = make_metric(metric)
        variants = "F" if metric.name == "cosine" else "PRF"
        scorers.append((metric, variants))
    rows = []
    for name, path in files.items():
        judged = read_judged(path)
        statistic = judged.attrs["statistic"]
        options = {"several": judged.attrs["several"], "progress": progress}
        columns = {}
        for metric, variants in scorers:
            found = score(judged["text"], judged["references"], metric, **options)
            for variant in variants:
                columns[metric.name, variant] = found.table[variant]
        words = judged["text"].str.split()
        columns["length", "F"] = words.map(len)
        rng = np.random.default_rng(seed)
        columns["random", "F"] = rng.random(len(judged))
        for perspective in dict.fromkeys(PERSPECTIVES.values()):
            if perspective not in judged:
                continue
            for names, values in columns.items():
                table = judged[["unit", "source"]].assign(x=judged[perspective])
                table["y"] = np.asarray(values, dtype=float)
                rng = np.random.default_rng(seed)
                found = _agreement(table, statistic, draws, rng)
                rows.append((name, perspective, statistic, *names, *found))
    return pd.DataFrame(rows, columns=COLUMNS)


def judged_files(folder: str | PathLike) -> dict[str, Path]:
    """Find the files of judged texts in a folder, by their names, or by their paths where two have one name."""
    folder = Path(folder)
    paths = [*folder.rglob("*.json"), *folder.rglob("*.json.gz")]
    paths = sorted(path for path in paths if ".record." not in path.name)
    if not paths:
        raise PairsError(f"{folder}: no files *.json or *.json.gz in it")
    names = []
    for path in paths:
        name, *_ = path.relative_to(folder).as_posix().split(".json")
        names.append(name)
    short = [name.split("/")[-1] for name in names]
    if len(set(short)) == len(short):
        names = short
    return dict(zip(names, paths, strict=True))


def read_judged(path: str | PathLike) -> pd.DataFrame:
    """Read the judged texts of a file, in one of three layouts, each an object from ids to items (BARTScore's).

    *D2T*: ``{src, sys_summ, ref_summs, scores}``; Spearman over all texts of what counts as informativeness, the best
    of the references. *SUM*: ``{src, ref_summ or ref_summs, sys_summs: {system: {sys_summ, scores}}}``; Spearman
    within each document, its mean; the mean over several references. With the systems *correct* and *incorrect*: the
    share of documents whose correct text has the higher score; with one system: Pearson over all texts. What people
    judged as *fact* is compared with ``src``, and so are *correct* and *incorrect*. *WMT*: ``{src, ref, better:
    {sys}, worse: {sys}}``; which of two translations people found better.

    Returns
    -------
    DataFrame
        One row per text: `unit` (its item), `source` (its ``src``), `text`, `references` (what it is compared with),
        and what people said, a column for each of `PERSPECTIVES`. Its `attrs` say which *statistic* is taken,
        and how *several* references count.

    Raises
    ------
    PairsError
        Another layout, with the file's name, the item and what is wrong.
    """
    path = Path(path)
    at = None
    rows = []
    try:
        content = load(path, most=HELD)
        items = json.loads(content, object_pairs_hook=each_once)
    except (ValueError, RecursionError) as error:
        raise PairsError(f"{path.name}: not JSON: {error}") from error
    if not isinstance(items, dict) or not items:
        raise PairsError(f"{path.name}: not an object from ids to judged texts")
    try:
        for at, item in items.items():
            rows += _rows(str(at), item)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else error
        raise PairsError(
            f"{path.name}, item {at!r}: {what}; the layouts are those of `read_judged`"
        ) from error
    table = pd.DataFrame(rows)
    kinds = sorted(set(table["kind"]))
    if len(kinds) > 1:
        raise PairsError(
            f"{path.name}: holds items of {len(kinds)} layouts ({', '.join(kinds)}), not of one"
        )
    statistics = {"D2T": "spearman", "WMT": "kendall"}
    statistic = statistics.get(kinds[0], "spearman by document")
    if kinds == ["SUM"] and set(table["system"]) == {"correct", "incorrect"}:
        statistic = "accuracy"
        table = table.drop(columns=list(PERSPECTIVES), errors="ignore")
        table["fact"] = (table["system"] == "correct").astype(float)
    elif kinds == ["SUM"] and len(table) == len(items):
        statistic = "pearson"
    for name, perspective in PERSPECTIVES.items():
        if name in table and perspective not in table:
            table[perspective] = table[name]
    if not set(table) & set(PERSPECTIVES.values()):
        raise PairsError(
            f"{path.name}: nothing that people judged is among {', '.join(PERSPECTIVES)}"
        )
    if "fact" in table:
        table["references"] = [[source] for source in table["source"]]
    several = "max" if kinds == ["D2T"] else "mean"
    table.attrs = {"statistic": statistic, "several": several}
    return table


def _rows(unit: str, item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield one row per text of an item, checked."""
    if "better" in item:
        kind = "WMT"
        references = [item["ref"]]
        found = []
        for side, rank in _RANKS.items():
            text = item[side]["sys"]
            found.append((side, text, {"rank": rank}))
    elif "sys_summs" in item:
        kind = "SUM"
        references = item["ref_summs"] if "ref_summs" in item else [item.get("ref_summ", "")]
        found = []
        for name, one in item["sys_summs"].items():
            scores = one.get("scores", {})
            found.append((name, one["sys_summ"], scores))
    else:
        kind = "D2T"
        references = item["ref_summs"]
        found = [("", item["sys_summ"], item["scores"])]
    if not references:
        raise ValueError("no reference")
    for system, text, scores in found:
        for one in (item["src"], text, *references):
            if not isinstance(one, str):
                raise ValueError(f"{one!r} is no text")
        row = {"kind": kind, "unit": unit, "system": system}
        row |= {"source": item["src"], "text": text}
        row["references"] = list(references)
        for name in PERSPECTIVES:
            if name in scores:
                row[name] = _number(scores[name])
        yield row


def _number(score: Any) -> float:
    return np.nan if score is None else float(score)


def _agreement(table: pd.DataFrame, statistic: str, draws: int, rng: np.random.Generator) -> tuple:
    """Return the statistic of x (people) and y (a metric), its interval, how much counts, how much was skipped."""
    full = table.dropna()
    if statistic in ("spearman", "pearson"):
        x = full["x"].to_numpy()
        y = full["y"].to_numpy()
        ranks = rankdata if statistic == "spearman" else np.asarray

        def correlation(at: np.ndarray) -> float:
            return _correlation(ranks(x[at]), ranks(y[at]))

        found = _interval(full["source"], correlation, draws, rng)
        return *found, len(full), len(table) - len(full)
    units = full.groupby("unit", sort=False)
    if statistic == "spearman by document":
        each = units[["x", "y"]].apply(lambda one: _correlation(*one.rank().to_numpy().T))
    else:
        by_unit = full.set_index("unit")
        better = by_unit.loc[by_unit["x"] == 1, "y"]
        worse = by_unit.loc[by_unit["x"] == 0, "y"]
        right = better.sub(worse).dropna() > 0  # a tie is not
        lost = -1.0 if statistic == "kendall" else 0.0
        each = right.map({True: 1.0, False: lost})
    each = each.dropna()
    values = each.to_numpy()
    sources = units["source"].first()[each.index]
    found = _interval(sources, lambda at: values[at].mean(), draws, rng)
    skipped = table["unit"].nunique() - len(each)
    return *found, len(each), skipped


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Return Pearson's; NaN where one side is constant."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    return float(np.corrcoef(x, y)[0, 1])


def _interval(
    sources: pd.Series,
    statistic: Callable[[np.ndarray], float],
    draws: int,
    rng: np.random.Generator,
) -> tuple[float, float, float]:
    """Return a statistic of all rows, and its middle 95 % over draws of whole sources, as many as there are."""
    if not len(sources):
        return np.nan, np.nan, np.nan
    rows = pd.Series(range(len(sources)))
    members = list(rows.groupby(sources.to_numpy()).indices.values())
    values = []
    for _ in range(draws):
        drawn = rng.integers(len(members), size=len(members))
        at = np.concatenate([members[i] for i in drawn])
        values.append(statistic(at))
    return statistic(np.arange(len(sources))), *middle(values)
