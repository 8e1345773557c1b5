"""Do metrics of generated text agree with people? (Tables 4 to 6 of Wang et al. 2022.)

``python -m benchmarks.agreement DATA_FOLDER TABLE`` reads the judgements in ``nlg_meta``, files ``*.json.gz`` as the
authors of BARTScore (Yuan, Neubig, Liu 2021) collected them: an object from ids to items, in one of three layouts.

- *D2T*: ``{src, sys_summ, ref_summs, scores}``; Spearman over all texts, the best of the references counts.
- *SUM*: ``{src, ref_summ or ref_summs, sys_summs: {system: {sys_summ, scores}}}``; Spearman within each document, its
  mean; the mean over several references. With the systems *correct* and *incorrect*, the share of documents whose
  correct text has the higher score; with one system, Pearson over all texts. What people judged as *fact* is compared
  with ``src``, and so are *correct* and *incorrect*.
- *WMT*: ``{src, ref, better: {sys}, worse: {sys}}``; concordant less discordant by all, a tie is discordant.

The TABLE has a row per file, perspective, metric and variant (P, R, F): `value`, its 95 % interval over draws of
- *WMT*: ``{src, ref, better: {sys}, worse: {sys}}``; concordant less discordant by all, a tie is discordant.
``data/results/agreement.tsv`` is what the claims read.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from paragraph.papers.texts.metrics import METRICS, make_metric
from paragraph.papers.texts.scores import score

__all__ = ["agreement", "read_judged"]

DRAWS = 1000
#: What people judged, as table 4 names it; of two that would be one, the first stands for it.
PERSPECTIVES = {
    "coherence": "COH", "consistency": "FAC", "fact": "FAC", "fluency": "FLU", "relevance": "INFO",
    "informativeness": "INFO", "litepyramid_recall": "COV", "rank": "RANK",
}  # fmt: skip


def items_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield one row per text of a file."""
    for unit, item in json.loads(gzip.decompress(path.read_bytes())).items():
        if "better" in item:
            kind, refs = "WMT", [item["ref"]]
            texts = {
                side: (item[side]["sys"], {"rank": rank})
                for side, rank in (("better", 1), ("worse", 0))
            }
        elif "sys_summs" in item:
            kind, refs = "SUM", item.get("ref_summs") or [item.get("ref_summ", "")]
            texts = {
                name: (one["sys_summ"], one.get("scores", {}))
                for name, one in item["sys_summs"].items()
            }
        else:
            kind, refs = "D2T", item["ref_summs"]
            texts = {"": (item["sys_summ"], item["scores"])}
        for system, (text, judged) in texts.items():
            row = {
                "kind": kind,
                "unit": unit,
                "system": system,
                "source": item["src"],
                "text": text,
            }
            yield (
                row
                | {"references": list(refs)}
                | {k: v for k, v in judged.items() if k in PERSPECTIVES}
            )


def read_judged(path: Path) -> pd.DataFrame:
    """The judged texts of a file, a column for each of `PERSPECTIVES`; its `attrs` name the *statistic*."""
    table = pd.DataFrame(items_of(path))
    (kind,) = set(table["kind"])
    statistic = {"D2T": "spearman", "WMT": "kendall", "SUM": "spearman by document"}[kind]
    if set(table["system"]) == {"correct", "incorrect"}:
        statistic = "accuracy"
        table = table.drop(columns=[*PERSPECTIVES], errors="ignore")
        table["fact"] = (table["system"] == "correct").astype(float)
    elif kind == "SUM" and table["unit"].is_unique:
        statistic = "pearson"
    for name, perspective in PERSPECTIVES.items():
        if name in table and perspective not in table:
            table[perspective] = table[name].astype(float)
    if "fact" in table:
        table["references"] = [[source] for source in table["source"]]
    table.attrs = {"statistic": statistic, "several": "max" if kind == "D2T" else "mean"}
    return table


def scored(judged: pd.DataFrame, metric: Any) -> pd.DataFrame:
    """P, R and F of each text, over its references."""
    each = judged[["text", "references"]].explode("references")
    P, R, F = score(each["text"].tolist(), each["references"].tolist(), metric)
    table = pd.DataFrame({"P": P, "R": R, "F": F}, each.index)
    return table.groupby(level=0).agg(judged.attrs["several"])


def agreement(folder: Path, metrics: tuple[str, ...] = METRICS, draws: int = DRAWS) -> pd.DataFrame:
    """The agreement of metrics with people on each file of a folder."""
    rows = []
    made = [make_metric(name) for name in metrics]
    for path in sorted(folder.rglob("*.json.gz")):
        judged, columns = read_judged(path), {}
        for metric in made:
            found = scored(judged, metric)
            for variant in "F" if metric.name == "cosine" else "PRF":
                columns[metric.name, variant] = found[variant]
        columns["length", "F"] = judged["text"].str.split().map(len)
        columns["random", "F"] = np.random.default_rng(0).random(len(judged))
        name = path.name.removesuffix(".json.gz")
        for perspective in dict.fromkeys(PERSPECTIVES.values()):
            if perspective in judged:
                for key, values in columns.items():
                    table = judged[["unit", "source"]].assign(x=judged[perspective], y=values)
                    found = statistic_of(table.dropna(), judged.attrs["statistic"], draws)
                    rows.append((name, perspective, *key, *found))
    names = ["file", "perspective", "metric", "variant", "value", "low", "high", "n"]
    return pd.DataFrame(rows, columns=names)


def statistic_of(
    table: pd.DataFrame, statistic: str, draws: int
) -> tuple[float, float, float, int]:
    """The statistic of x (people) and y (a metric), its interval, and how much counts."""
    if statistic in ("spearman", "pearson"):
        ranks = rankdata if statistic == "spearman" else np.asarray
        x, y = table["x"].to_numpy(), table["y"].to_numpy(float)
        found = interval(table["source"], lambda at: correlation(ranks(x[at]), ranks(y[at])), draws)
        return *found, len(table)
    units = table.groupby("unit", sort=False)
    if statistic == "spearman by document":
        each = units[["x", "y"]].apply(lambda one: correlation(*one.rank().to_numpy().T))
    else:
        by_unit = table.set_index("unit")
        gain = by_unit.loc[by_unit["x"] == 1, "y"].sub(by_unit.loc[by_unit["x"] == 0, "y"])
        lost = -1.0 if statistic == "kendall" else 0.0
        each = (gain.dropna() > 0).map({True: 1.0, False: lost})  # a tie is not right
    each = each.dropna()
    sources, values = units["source"].first()[each.index], each.to_numpy()
    return *interval(sources, lambda at: values[at].mean(), draws), len(each)


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Pearson's; NaN where one side is constant."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    return float(np.corrcoef(x, y)[0, 1])


def interval(
    sources: pd.Series, statistic: Callable[[np.ndarray], float], draws: int
) -> tuple[float, float, float]:
    """A statistic of all rows, and its middle 95 % over draws of whole sources, as many as there are."""
    rng, rows = np.random.default_rng(0), pd.Series(range(len(sources)))
    members = list(rows.groupby(sources.to_numpy()).indices.values())
    values = []
    for _ in range(draws):
        drawn = rng.integers(len(members), size=len(members))
        values.append(statistic(np.concatenate([members[i] for i in drawn])))
    return statistic(np.arange(len(sources))), *np.nanquantile(values, [0.025, 0.975])


if __name__ == "__main__":
    folder, table = map(Path, sys.argv[1:])
    agreement(folder / "nlg_meta").round(6).to_csv(table, sep="\t", index=False)
