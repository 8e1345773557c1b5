"""How well metrics of generated text agree with people: tables 4 to 6 of Wang et al. (2022)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from ..learn.scorers import Metric, make_metric
from ..learn.text_scores import score
from ..pairs import PairsError
from ..pairs.tagged import content

__all__ = ["BASELINES", "COLUMNS", "layout", "meta_evaluate", "read_judged"]

COLUMNS = ["file", "perspective", "statistic", "metric", "variant", "value", "low", "high", "n", "skipped"]
#: What a metric must beat: the number of words of a candidate, and a random number.
BASELINES = ("length", "random")
#: What people judged, as table 4 names it; of two that would be one, the first stands for it.
PERSPECTIVES = {
    "coherence": "COH", "consistency": "FAC", "fact": "FAC", "fluency": "FLU", "relevance": "INFO",
    "informativeness": "INFO", "litepyramid_recall": "COV", "rank": "RANK",
}  # fmt: skip


class Judged(NamedTuple):
    """The texts of one file, what each is compared with, and what people said of it."""

    name: str
    statistic: str
    several: str  #: how several references count: "max" or "mean"
    texts: list[str]
    references: list[list[str]]
    unit: np.ndarray  #: of each text, what it is compared within: a document, or two texts of which one is better
    source: np.ndarray  #: what is drawn as a whole
    people: dict[str, np.ndarray]  #: for each perspective, what people said of each text


def meta_evaluate(
    folder: str | PathLike,
    metrics: Sequence[str | Metric] = ("rouge1", "rouge2", "rougeL", "bleu", "cosine", "bertscore", "matching"),
    *,
    draws: int = 1000,
    seed: int = 0,
    progress: bool = True,
    **options: Any,
) -> pd.DataFrame:
    """The agreement of each metric with people on each file: one row a file, perspective, metric and variant.

    Parameters
    ----------
    folder : path
        With files ``*.json`` or ``*.json.gz``, in folders or not; what each holds is seen from its layout
        (`read_judged`).
    metrics : sequence of str or Metric
        As for `make_metric`, to which further options go. The `BASELINES` come on top.
    draws : int
        Of whole documents, for the intervals (bootstrap, 95 %).
    seed : int
        Of the draws and of the baseline that is random.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`. `file` is the file's name without ending. `statistic`: *spearman*, *pearson* (over all
        texts), *spearman by document* (its mean), *accuracy* (share strictly right), *kendall* (concordant less
        discordant, by all; a tie is discordant). `variant`: P, R, F; of the metric *generation* F comes as *mean*
        and as *harmonic*. `n` is the number of texts, documents or comparisons that count, `skipped` of the others:
        documents that people or the metric give one score, and what has no score.

    Raises
    ------
    PairsError
        No files; a file of another layout, with its name, the item and the value; no such metric.

    References
    ----------
    Yuan, Neubig, Liu (2021), "BARTScore", whose published scripts compare just so.
    """
    files = sorted(path for ending in ("*.json", "*.json.gz") for path in Path(folder).rglob(ending))
    if not files:
        raise PairsError(f"{folder}: no files *.json or *.json.gz in it")
    scorers = [pair for metric in metrics for pair in _scorers(metric, options)]
    rows = []
    for path in files:
        judged = read_judged(path)
        columns = {}
        for metric, variants in scorers:
            found = score(judged.texts, judged.references, metric, several=judged.several, progress=progress)
            columns |= {(metric.name, label): found.table[column] for label, column in variants.items()}
        columns["length", "F"] = [len(text.split()) for text in judged.texts]
        columns["random", "F"] = np.random.default_rng(seed).random(len(judged.texts))
        for perspective, people in judged.people.items():
            for names, values in columns.items():
                values = np.asarray(values, dtype=np.float64)
                found = _agreement(judged, people, values, draws, np.random.default_rng(seed))
                rows.append((judged.name, perspective, judged.statistic, *names, *found))
    table = pd.DataFrame(rows, columns=COLUMNS)
    table.attrs["hashes"] = {metric.name: metric.hash for metric, _ in scorers}
    return table


def _scorers(metric: str | Metric, options: dict[str, Any]) -> list[tuple[Metric, dict[str, str]]]:
    """A metric, and its variants by the columns that hold them."""
    if metric == "generation":
        both = [make_metric(metric, **options, combine=combine) for combine in ("mean", "harmonic")]
        return [(both[0], {"P": "P", "R": "R", "mean": "F"}), (both[1], {"harmonic": "F"})]
    one = make_metric(metric, **options) if isinstance(metric, str) else metric
    return [(one, {"F": "F"} if one.name == "cosine" else {"P": "P", "R": "R", "F": "F"})]


def layout(found: pd.DataFrame) -> pd.DataFrame:
    """The rows as the tables print them: one row a metric, of each the variant that is reported there.

    R for coverage (COV), else F; of the metric *generation* the mean.
    """
    wanted = np.where(found["perspective"] == "COV", "R", "F")
    wanted = np.where((found["metric"] == "generation") & (wanted == "F"), "mean", wanted)
    plain = found["metric"].isin(BASELINES)
    shown = found[(found["variant"] == wanted) | plain]
    table = shown.pivot_table("value", "metric", ["file", "perspective"], sort=False, dropna=False)
    return table.dropna(axis=1, how="all")


def read_judged(path: str | PathLike) -> Judged:
    """The judged texts of a file, in one of three layouts, each an object from ids to items (BARTScore's).

    *D2T*: ``{src, sys_summ, ref_summs, scores}``; Spearman over all texts of what counts as informativeness, the best
    of the references. *SUM*: ``{src, ref_summ or ref_summs, sys_summs: {system: {sys_summ, scores}}}``; Spearman
    within each document, its mean; the mean over several references. With the systems *correct* and *incorrect*: the
    share of documents whose correct text has the higher score; with one system: Pearson over all texts. What people
    judged as *fact* is compared with ``src``, and so are *correct* and *incorrect*. *WMT*: ``{src, ref, better:
    {sys}, worse: {sys}}``; which of two translations people found better.

    Raises
    ------
    PairsError
        Another layout, with the file's name, the item and what is wrong.
    """
    path, at = Path(path), None
    try:
        items = json.loads(content(path))
    except (ValueError, RecursionError) as error:
        raise PairsError(f"{path.name}: not JSON: {error}") from error
    items = dict(enumerate(items)) if isinstance(items, list) else items
    if not isinstance(items, dict) or not items:
        raise PairsError(f"{path.name}: not an object from ids to judged texts")
    rows: list[_Row] = []
    try:
        for at, item in items.items():
            rows += _rows(at, item)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else error
        raise PairsError(f"{path.name}, item {at!r}: {what}; the layouts are those of `read_judged`") from error
    kinds = {row.kind for row in rows}
    if len(kinds) != 1:
        raise PairsError(f"{path.name}: holds items of {len(kinds)} layouts ({', '.join(sorted(kinds))}), not of one")
    kind, systems = kinds.pop(), {row.system for row in rows}
    names = list(dict.fromkeys(name for row in rows for name in row.said if name in PERSPECTIVES))
    statistic = {"D2T": "spearman", "WMT": "kendall"}.get(kind, "spearman by document")
    if kind == "SUM" and systems == {"correct", "incorrect"}:
        statistic, names = "accuracy", ["fact"]
        rows = [row._replace(said={"fact": row.system == "correct"}) for row in rows]
    elif kind == "SUM" and len(rows) == len(items):
        statistic = "pearson"
    if not names:
        said = sorted({name for row in rows for name in row.said})
        raise PairsError(
            f"{path.name}: people judged {', '.join(said) or 'nothing'}; known are {', '.join(PERSPECTIVES)}"
        )
    people: dict[str, np.ndarray] = {}
    for name in sorted(names, key=list(PERSPECTIVES).index):
        people.setdefault(
            PERSPECTIVES[name], np.array([row.said.get(name, np.nan) for row in rows], dtype=np.float64)
        )
    return Judged(
        path.name.removesuffix(".gz").removesuffix(".json"), statistic, "max" if kind == "D2T" else "mean",
        [row.text for row in rows], [[row.source] if "fact" in names else row.references for row in rows],
        np.array([row.unit for row in rows]), np.array([row.source for row in rows], dtype=object), people,
    )  # fmt: skip


class _Row(NamedTuple):
    kind: str
    unit: str
    system: str
    source: str
    text: str
    references: list[str]
    said: dict[str, float]


def _rows(unit: str, item: dict[str, Any]) -> Iterator[_Row]:
    if "better" in item:
        for system, rank in (("better", 1.0), ("worse", 0.0)):
            yield _row("WMT", unit, system, item["src"], item[system]["sys"], [item["ref"]], {"rank": rank})
    elif "sys_summs" in item:
        references = item["ref_summs"] if "ref_summs" in item else [item.get("ref_summ", "")]
        for system, one in item["sys_summs"].items():
            yield _row("SUM", unit, system, item["src"], one["sys_summ"], references, one.get("scores", {}))
    else:
        yield _row("D2T", unit, "", item["src"], item["sys_summ"], item["ref_summs"], item["scores"])


def _row(kind: str, unit: str, system: str, source: str, text: str, references: Any, said: dict[str, Any]) -> _Row:
    if bad := [one for one in (source, text, *references) if not isinstance(one, str)]:
        raise ValueError(f"{bad[0]!r} is no text")
    if not references:
        raise ValueError("no reference")
    numbers = {
        name: np.nan if value is None else float(value) for name, value in said.items() if name in PERSPECTIVES
    }
    return _Row(kind, str(unit), system, source, text, list(references), said | numbers)


def _agreement(
    judged: Judged, people: np.ndarray, values: np.ndarray, draws: int, rng: np.random.Generator
) -> tuple[float, float, float, int, int]:
    """The statistic, its interval, how many texts or documents count, how many were skipped."""
    there = np.isfinite(values) & np.isfinite(people)
    if judged.statistic in ("spearman", "pearson"):
        x, y, source = people[there], values[there], judged.source[there]
        ranks = rankdata if judged.statistic == "spearman" else np.asarray
        return (
            *_interval(source, lambda some: _correlation(ranks(x[some]), ranks(y[some])), draws, rng),
            len(x),
            len(values) - len(x),
        )
    found, sources, units = [], [], pd.Series(range(len(values))).groupby(judged.unit, sort=False)
    for rows in (rows.to_numpy() for _, rows in units):
        if judged.statistic == "spearman by document":
            some = rows[there[rows]]
            value = _correlation(rankdata(people[some]), rankdata(values[some]))
        else:
            best, other = rows[np.argsort(-people[rows], kind="stable")][:2]
            wrong = -1.0 if judged.statistic == "kendall" else 0.0
            value = np.nan if not there[rows].all() else 1.0 if values[best] > values[other] else wrong
        if np.isfinite(value):
            found.append(value)
            sources.append(judged.source[rows[0]])
    each = np.array(found)
    mean = _interval(np.array(sources, dtype=object), lambda some: each[some].mean(), draws, rng)
    return *mean, len(found), len(units) - len(found)


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's; not a number where one side is constant."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    return float(np.corrcoef(x, y)[0, 1])


def _interval(
    source: np.ndarray, statistic: Callable[[np.ndarray], float], draws: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    """A statistic of all, and the middle 95 % of it over draws of whole sources, as many as there are."""
    if not len(source):
        return np.nan, np.nan, np.nan
    members = list(pd.Series(range(len(source))).groupby(source).indices.values())
    each = (rng.integers(len(members), size=len(members)) for _ in range(draws))
    values = np.array([statistic(np.concatenate([members[i] for i in drawn])) for drawn in each])
    values = values[np.isfinite(values)]  # a draw may be constant
    low, high = np.quantile(values, [0.025, 0.975]) if len(values) else (np.nan, np.nan)
    return statistic(np.arange(len(source))), float(low), float(high)
