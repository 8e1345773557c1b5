"""Measure, print a table, draw it, and write both to build/benchmarks/. ``make bench`` runs everything."""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
OUT = ROOT / "build" / "benchmarks"
PARAGRAPH = [sys.executable, "-m", "paragraph"]


class Run(NamedTuple):
    seconds: float
    gigabytes: float  #: peak resident memory
    output: str


class Figure(NamedTuple):
    """One measured figure; `limit` is what it must not exceed, where there is one."""

    section: str
    what: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def verdict(self) -> str:
        return "" if self.limit is None else ("✓" if self.value <= self.limit else "✗")


def process(*command: str | Path) -> Run:
    """A whole process: wall time and peak memory of its own."""
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        child = subprocess.Popen([str(part) for part in command], stdout=output, cwd=ROOT)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - began
        output.seek(0)
        text = output.read().decode()
    if status:
        raise SystemExit(f"benchmark failed: {' '.join(map(str, command))}")
    return Run(seconds, usage.ru_maxrss * 1024 / 1e9, text)


def best(runs: int, *commands: list) -> list[Run]:
    """The fastest of several runs of each command, taken in turns so that all see the same machine."""
    rounds = [[process(*command) for command in commands] for _ in range(runs)]
    return [min(column) for column in zip(*rounds, strict=True)]


def module(name: str, *arguments: object) -> list[str]:
    return [sys.executable, "-m", f"benchmarks.{name}", *map(str, arguments)]


def end_to_end(quick: bool) -> list[Figure]:
    """Whole process against whole process: qqp_all, file to four datasets and conflicts."""
    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_all.tsv.gz"
    if not source.is_file():
        print(f"end to end: skipped, no {source.name} in $PARAGRAPH_DATA/qqp")
        return []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("ours", "floor", "published"):
            (Path(folder) / name).mkdir()
        ours, floor = best(
            3 if quick else 7,
            [*PARAGRAPH, "augment", source, "-o", f"{folder}/ours", "--quiet"],
            module("floor", source, f"{folder}/floor"),
        )
        figures = [
            Figure(
                "end to end",
                "augment qqp_all, against the bare floor",
                ours.seconds / floor.seconds,
                "×",
                2.5,
            ),
            Figure("end to end", "  ours", ours.seconds, "s"),
            Figure("end to end", "  bare floor", floor.seconds, "s"),
            Figure("end to end", "  peak memory, ours", ours.gigabytes, "GB", 1.0),
            Figure("end to end", "  peak memory, floor", floor.gigabytes, "GB"),
        ]
        if not quick:
            published = process(*module("published", source, f"{folder}/published"))
            figures.append(Figure("end to end", "  published procedure (networkx)", published.seconds, "s"))
            ratio = published.seconds / ours.seconds
            figures.append(Figure("end to end", "  published procedure against ours", ratio, "×"))
            assert_equal(folder, "published")
        assert_equal(folder, "floor")
    return figures


def assert_equal(folder: str, other: str) -> None:
    """Speed is worth nothing unless the datasets agree, as sets of (unordered pair, label)."""

    def labels(path: Path) -> set:
        with open(path, encoding="utf-8", newline="") as file:
            rows = csv.reader(file, delimiter="\t")
            return {(frozenset(row[:2]), row[2]) for row in rows}

    for name in ("original", "original_flipped", "augmented", "augmented_flipped"):
        if labels(Path(folder, "ours", "train", f"{name}.tsv")) != labels(Path(folder, other, f"{name}.tsv")):
            raise SystemExit(f"{name} differs between ours and {other}")


def imports(quick: bool) -> list[Figure]:
    """`import paragraph`, its first names, and a small command, against `import pandas`."""
    ours, names, summary, pandas, nothing = best(
        5 if quick else 15,
        [sys.executable, "-c", "import paragraph"],
        [sys.executable, "-c", "from paragraph import ParaphraseGraph, read_pairs"],
        [*PARAGRAPH, "summary", str(ROOT / "data" / "demo.tsv")],
        [sys.executable, "-c", "import pandas"],
        [sys.executable, "-c", "pass"],
    )
    return [
        Figure("imports", "import paragraph, against import pandas", ours.seconds / pandas.seconds, "×", 1.6),
        Figure(
            "imports",
            "the same with read_pairs and ParaphraseGraph",
            names.seconds / pandas.seconds,
            "×",
            1.6,
        ),
        Figure("imports", "paragraph summary, shipped corpus", summary.seconds / pandas.seconds, "×", 1.5),
        Figure("imports", "  import pandas", pandas.seconds, "s"),
        Figure("imports", "  python alone", nothing.seconds, "s"),
    ]


def growth(quick: bool) -> list[Figure]:
    """Pairs in memory to clusters, counts and conflicts: time per pair as the data grow."""
    sizes = [400_000, 4_000_000] if quick else [400_000, 4_000_000, 40_000_000]
    figures, per_pair = [], []
    for pairs in sizes:
        run = process(*module("growth", pairs))
        per_pair.append(json.loads(run.output)["seconds"] / pairs)
        limit = 12.0 if pairs == 40_000_000 else None
        figures.append(Figure("growth", f"{pairs / 1e6:g} million pairs, per pair", per_pair[-1] * 1e9, "ns"))
        figures.append(Figure("growth", f"{pairs / 1e6:g} million pairs, peak memory", run.gigabytes, "GB", limit))
    title = f"time per pair, {sizes[-1] / 1e6:g} against {sizes[0] / 1e6:g} million"
    return [*figures, Figure("growth", title, per_pair[-1] / per_pair[0], "×", 4.0)]


def giant(quick: bool) -> list[Figure]:
    """One cluster of 50,000 sentences."""
    run = process(*module("giant"))
    found = json.loads(run.output)
    half = len(found["rates"]) // 2
    early, late = (sum(part) / len(part) for part in (found["rates"][:half], found["rates"][-half:]))
    return [
        Figure("giant cluster", f"{found['positive']:,} inferred labels counted", found["counted"], "s", 1.0),
        Figure(
            "giant cluster",
            f"first {found['streamed'] / 1e6:g} million streamed, peak",
            run.gigabytes,
            "GB",
            1.0,
        ),
        Figure("giant cluster", "  first million", found["first"], "s"),
        Figure("giant cluster", "  rate after it", (early + late) / 2e6, "million/s"),
        Figure("giant cluster", "  rate of the first half against the second", early / late, "×"),
    ]


def text(quick: bool) -> list[Figure]:
    """Ten million pairs of 60-byte sentences, file to `augmented` on disk."""
    pairs = 500_000 if quick else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        process(*module("text", pairs, f"{folder}/pairs.tsv"))
        run = process(*PARAGRAPH, "augment", f"{folder}/pairs.tsv", "-o", f"{folder}/out", "--quiet")
        report = json.loads(Path(folder, "out", "report.json").read_text())["train"]["augmented"]
    rows = report["positive"] + report["negative"]
    return [
        Figure("text", f"{pairs / 1e6:g} million pairs to {rows:,} augmented, peak", run.gigabytes, "GB", 20.0),
        Figure("text", "  the same, time per pair", run.seconds / pairs * 1e6, "µs"),
    ]


def japanese(quick: bool) -> list[Figure]:
    """Sentences that GiNZA parses a second of processor time, and orders of their phrases."""
    from random import Random

    import paragraph as pg
    from paragraph.pairs.parses import read_parses
    from paragraph.words import japanese

    texts = list(read_parses(pg.DEMO_PARSES)) * (1 if quick else 10)
    next(japanese.parses(texts[:1]))  # the model loads
    began = time.process_time()
    parsed = list(japanese.parses(texts))
    parsing, began = time.process_time() - began, time.process_time()
    for parse in parsed:
        pg.phrase_orders(parse).draw(1, Random(0))
    seconds = time.process_time() - began
    return [
        Figure("japanese", "parsing, processor time a sentence", parsing / len(texts) * 1e3, "ms", 40.0),
        Figure("japanese", "another order of it", seconds / len(texts) * 1e3, "ms"),
    ]


def balance(quick: bool) -> list[Figure]:
    """Triads counted and listed; strong and weak verdicts with their witness."""
    figures = []
    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_all.tsv.gz"
    if source.is_file():
        found = json.loads(process(*module("balance", "file", source)).output)
        what = f"census of qqp_all, {found['edges']:,} edges, {found['triads']:,} triads"
        figures = [
            Figure("balance", what, found["census"], "s", 1.0),
            Figure("balance", "  the same by cluster", found["cluster"], "s"),
            Figure("balance", "  every triad listed with its sentences", found["listing"], "s"),
        ]
    else:
        print(f"balance: no {source.name} in $PARAGRAPH_DATA/qqp, so its census is left out")
    edges = 100_000 if quick else 1_000_000
    found = json.loads(process(*module("balance", "random", edges)).output)
    what = f"census, {edges / 1e6:g} million edges, against networkx"
    figures += [
        Figure("balance", what, found["census"] / found["networkx"], "×", 1.0),
        Figure("balance", "  ours", found["census"], "s"),
        Figure("balance", "  ours by node", found["nodes"], "s"),
        Figure("balance", "  networkx's triangles (no signs)", found["networkx"], "s"),
    ]
    if "igraph" in found:
        figures.append(Figure("balance", "  igraph's listing (no signs)", found["igraph"], "s"))
    edges = 1_000_000 if quick else 10_000_000
    run = process(*module("balance", "verdict", edges))
    for what, seconds in json.loads(run.output).items():
        figures.append(Figure("balance", f"{what}, {edges / 1e6:g} million edges", seconds, "s", 10.0))
    return [*figures, Figure("balance", "  peak memory", run.gigabytes, "GB", 4.0)]


def frustration(quick: bool) -> list[Figure]:
    """Exact frustration: the tribes, conflict blocks of qqp_all with 2 % of labels turned, random graphs."""
    limit, dense = (5, 3) if quick else (60, 10)
    found = json.loads(process(*module("frustration", limit, dense)).output)
    figures = []
    for name, title in FRUSTRATED.items():
        if name not in found:
            print("frustration: no conflict blocks, qqp_all is not in $PARAGRAPH_DATA/qqp")
            continue
        count, most = found[name]["count"], found[name]["most"]
        figures.append(Figure("frustration", f"{title} ({count}, up to {most} edges)", count, ""))
        for kind in ("strong", "weak"):
            one = found[name][kind]
            figures += [
                Figure("frustration", f"  {kind}, median", one["median"] * 1e3, "ms"),
                Figure("frustration", f"  {kind}, worst", one["worst"] * 1e3, "ms"),
            ]
            if one["solved"] < count:
                figures += [
                    Figure("frustration", f"  {kind}, proved optimal within {limit} s", one["solved"], ""),
                    Figure("frustration", f"  {kind}, median gap of value and bound", 100 * one["gap"], "%"),
                ]
    return figures


def explorer(quick: bool) -> list[Figure]:
    """The Explorer in a real JupyterLab and browser, the whole of qqp_all loaded."""
    from .explorer import chromium

    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_all.tsv.gz"
    if not source.is_file() or chromium() is None:
        missing = f"{source.name} in $PARAGRAPH_DATA/qqp" if chromium() else "Chromium"
        print(f"explorer: skipped, no {missing}")
        return []
    found = json.loads(process(*module("explorer", source, 5 if quick else 20)).output)
    median = {name: statistics.median(seconds) for name, seconds in found.items()}
    worst = {name: max(seconds) for name, seconds in found.items()}
    figures = []
    for name, title, limit in (
        ("first picture", "first picture of 109 sentences, in a new kernel", 1.5),
        ("switch", "another cluster", 0.5),
        ("layer", "a layer of stated labels on or off", 0.2),
        ("inferred", "inferred labels on or off", 0.2),
        ("why", "click on a stated label to why", 0.2),
        ("why, inferred", "click on an inferred label to why", 0.2),
    ):
        figures += [
            Figure("explorer", title, median[name], "s", limit),
            Figure("explorer", f"  worst of {len(found[name])}", worst[name], "s"),
        ]
    return [
        *figures,
        Figure("explorer", "1,000 sentences, all drawn: first picture", median["1,000 sentences"], "s"),
        Figure("explorer", "  a frame while moved and zoomed", median["frame"] * 1e3, "ms", 100),
        Figure("explorer", "  worst frame", worst["frame"] * 1e3, "ms"),
    ]


def review(quick: bool) -> list[Figure]:
    """The Conflict Review in a real JupyterLab and browser, the whole of qqp_all loaded with planted errors."""
    from .explorer import chromium

    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_all.tsv.gz"
    if not source.is_file() or chromium() is None:
        missing = f"{source.name} in $PARAGRAPH_DATA/qqp" if chromium() else "Chromium"
        print(f"review: skipped, no {missing}")
        return []
    found = json.loads(process(*module("review", source, 10 if quick else 50)).output)
    return [
        Figure("review", "first picture of the queue", found["first picture"][0], "s"),
        Figure("review", "decision to the next pair on screen", statistics.median(found["decide"]), "s", 0.3),
        Figure("review", f"  worst of {len(found['decide'])}", max(found["decide"]), "s"),
        Figure("review", "undo to its pair on screen", statistics.median(found["undo"]), "s", 0.3),
    ]


def labeling(quick: bool) -> list[Figure]:
    """The Pair Labeler in a real JupyterLab and browser, 20,000 sentences of qqp_all, a bag of words that trains."""
    from .explorer import chromium

    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_all.tsv.gz"
    if not source.is_file() or chromium() is None:
        missing = f"{source.name} in $PARAGRAPH_DATA/qqp" if chromium() else "Chromium"
        print(f"labeling: skipped, no {missing}")
        return []
    found = json.loads(process(*module("labeling", source, 30 if quick else 150)).output)
    figures = []
    for state, seconds in found.items():
        if seconds:
            title = f"answer to the next pair on screen, {state}"
            figures += [
                Figure("labeling", title, statistics.median(seconds), "s", 0.1),
                Figure("labeling", f"  worst of {len(seconds)}", max(seconds), "s"),
            ]
    return figures


def saved(quick: bool) -> list[Figure]:
    """Questions that transitivity saves among the most similar pairs. Kept in benchmarks/results."""
    from .saved import write

    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_all.tsv.gz"
    if not source.is_file():
        print(f"saved: skipped, no {source.name} in $PARAGRAPH_DATA/qqp")
        return []
    told = process(*module("saved", source, "--seeds", 1 if quick else 3)).output
    table = write([json.loads(line) for line in told.splitlines()], OUT if quick else ROOT / "benchmarks" / "results")
    most = {10_000: 0.8, 40_000: 0.66}
    figures = []
    for row in table[table["order"] == "similarity"].itertuples():
        figures += [
            Figure("saved", f"share asked of {row.k:,} pairs, seed {row.seed}", 1 - row.saved, "", most.get(row.k)),
            Figure("saved", "  lost of what can be saved", 1 - row.of_bound, "", 0.05 if row.k in most else None),
        ]
    return figures


def encoding(quick: bool) -> list[Figure]:
    """Sentences to vectors with MiniLM, against float32 in file order; and the cache."""
    import numpy as np

    n, vectors = (600, 20_000) if quick else (2000, 161_000)
    ours, plain, warm = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(1 if quick else 3):
            for path in Path(folder).glob("*.sqlite*"):
                path.unlink()
            for name, times in (("ours", ours), ("plain", plain), ("ours", warm)):
                times.append(json.loads(process(*module("encoding", name, n, folder)).output))
        a, b = (np.load(Path(folder, f"{name}.npy")) for name in ("ours", "plain"))
        kept = json.loads(process(*module("encoding", "cache", vectors, folder)).output)
    n, arithmetic = ours[0]["sentences"], ours[0]["arithmetic"]
    cosine = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    cold, floor, read = (min(run["seconds"] for run in runs) for runs in (ours, plain, warm))
    busy = [min(run["processor"] for run in runs) for runs in (ours, plain)]
    # Without bfloat16 in hardware, only the batches are left to gain from.
    limit = 1 / 1.8 if arithmetic == "bfloat16" else None
    return [
        Figure("encoding", f"encode in {arithmetic}, against plain float32", cold / floor, "×", limit),
        Figure("encoding", "  the same in processor time", busy[0] / busy[1], "×"),
        Figure("encoding", "  ours, cold cache", n / cold, "a second"),
        Figure("encoding", "  plain float32", n / floor, "a second"),
        Figure("encoding", "  ours, warm cache", n / read, "a second"),
        Figure("encoding", "1 − worst cosine between the two", 1 - cosine.min(), "", 0.001),
        Figure("encoding", f"{vectors:,} vectors from the cache", kept["read"], "s", 2.0),
        Figure("encoding", "  the same in processor time", kept["processor"], "s"),
        Figure("encoding", "  written to it", kept["write"], "s"),
        Figure("encoding", "  its size", kept["bytes"] / 1e6, "MB"),
    ]


def finetuning(quick: bool) -> list[Figure]:
    """One epoch of a cross-encoder: against float32 padded to 48 tokens, and against two trainers."""
    n, seeds = (320, 1) if quick else (2000, 3)
    names = ("ours", "plain", "cross-encoder", "trainer")
    runs = {name: [] for name in names}
    for seed in range(seeds):
        for name in names:
            told = process(*module("finetuning", name, n, seed)).output
            runs[name].append(json.loads(told.splitlines()[-1]))
    seconds, busy = (
        {name: min(run[what] for run in runs[name]) for name in names} for what in ("seconds", "processor")
    )
    loss = {name: [run["dev loss"] for run in runs[name]] for name in names}
    # Of a t-test over three seeds on either side, at .05.
    noise = None if quick else 2.78 * math.hypot(*(statistics.stdev(loss[name]) for name in names[:2])) / seeds**0.5
    # Without bfloat16 in hardware, only the batches are left to gain from.
    limit = 1 / 2.5 if runs["ours"][0]["bfloat16"] else None
    titles = {
        "plain": "against float32 padded to 48 tokens",
        "cross-encoder": "against sentence-transformers' trainer",
        "trainer": "against transformers' Trainer",
    }
    figures = []
    for name, title in titles.items():
        most = limit if name == "plain" else 1.0
        figures += [
            Figure("fine-tuning", f"an epoch, {title}", seconds["ours"] / seconds[name], "×", most),
            Figure("fine-tuning", "  the same in processor time", busy["ours"] / busy[name], "×"),
            Figure("fine-tuning", "  its pairs", n / seconds[name], "a second"),
            Figure("fine-tuning", "  its dev loss, mean", statistics.mean(loss[name]), "nats"),
        ]
    more = statistics.mean(loss["ours"]) - statistics.mean(loss["plain"])
    return [
        *figures,
        Figure("fine-tuning", "ours, pairs", n / seconds["ours"], "a second"),
        Figure("fine-tuning", "  dev loss, more than with float32 padded", more, "nats", noise),
    ]


def repair(quick: bool) -> list[Figure]:
    """Planted label errors: who finds them, and who knows flip from cut. Kept in benchmarks/results."""
    from .repair import write

    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_all.tsv.gz"
    if not source.is_file():
        print(f"repair: skipped, no {source.name} in $PARAGRAPH_DATA/qqp")
        return []
    seeds, size = ([0], 50) if quick else ([0, 1, 2], 150)
    found = [json.loads(process(*module("repair", source, seed, size)).output) for seed in seeds]
    scores = write(found, OUT if quick else ROOT / "benchmarks" / "results")
    return [
        Figure("repair", f"{row.task}: {row.measure}, {row.who}", row.mean, "" if quick else f"± {row.sd:.3f}")
        for row in scores.itertuples()
    ]


def reviewing(quick: bool) -> list[Figure]:
    """Planted label errors removed a decision, by the order of the review. Kept in benchmarks/results."""
    from .reviewing import write

    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_all.tsv.gz"
    if not source.is_file():
        print(f"reviewing: skipped, no {source.name} in $PARAGRAPH_DATA/qqp")
        return []
    found = [json.loads(process(*module("reviewing", source, seed)).output) for seed in ([0] if quick else [0, 1, 2])]
    table = write(found, OUT if quick else ROOT / "benchmarks" / "results")
    last = table[(table["careless"] == 0) & (table["decisions"] == table["decisions"].max())]
    return [
        Figure("reviewing", f"{row.task}: errors removed by {row.who}", row.errors, "per 100")
        for row in last.itertuples()
    ]


def audit(quick: bool) -> list[Figure]:
    """Audits of 100 pairs: how often intervals miss, and the Brier score of repair. Kept in benchmarks/results."""
    from .audit import write

    folder = Path(os.environ.get("PARAGRAPH_DATA", ""))
    if not all((folder / "qqp" / name).is_file() for name in ("judged.tsv", "qqp_all.tsv.gz")):
        print("audit: skipped, no judged.tsv and qqp_all.tsv.gz in $PARAGRAPH_DATA/qqp")
        return []
    found = json.loads(process(*module("audit", folder, "--audits", 60 if quick else 1000)).output)
    write(found, OUT if quick else ROOT / "benchmarks" / "results")
    figures = []
    for kind, row in found.pop("coverage").items():
        figures += [
            Figure("audit", f"interval misses, {kind}", 1 - row["held"], "", 0.07),
            Figure("audit", "  mean width", row["width"], ""),
        ]
    for name, row in found.items():
        limit = 0.0 if "as they are" in name else None
        figures += [
            Figure("audit", f"{name}: change by an audit", row["change"], "", limit),
            Figure("audit", "  without one", row["without"], ""),
        ]
    return figures


def suspects(quick: bool) -> list[Figure]:
    """Planted label errors: is `suspects` worse than something simpler anywhere? Kept in benchmarks/results."""
    from .suspects import SETS, write

    folder = Path(os.environ.get("PARAGRAPH_DATA", ""))
    there = {name: all((folder / file).is_file() for file in files) for name, files in SETS.items()}
    for name in (name for name, known in there.items() if not known):
        print(f"suspects: {name} skipped, not all its files are in $PARAGRAPH_DATA")
    names = ["mqp"] if quick else [name for name, known in there.items() if known]
    seeds = range(2 if quick else 5)
    runs = [
        json.loads(process(*module("suspects", folder, name, k)).output)
        for name in names
        for k in seeds
        if there[name]
    ]
    if not runs:
        return []
    return [
        Figure(
            "suspects",
            f"{row.set}, {row.errors}, {row.evidence}: {row.measure} above {row.other}",
            row.difference,
            row.verdict,
        )
        for row in write(runs, OUT if quick else ROOT / "benchmarks" / "results").itertuples()
    ]


def all_pairs(quick: bool) -> list[Figure]:
    """Average precision on all pairs: exact, estimated, and the search for neighbours. Kept in benchmarks/results.

    Limits are of processor time, twice what two cores may take: on a busy machine the wall says little.
    """
    source = Path(os.environ.get("PARAGRAPH_DATA", "")) / "qqp" / "qqp_natural.tsv.gz"
    if not source.is_file():
        print(f"all-pairs: skipped, no {source.name} in $PARAGRAPH_DATA/qqp")
        return []

    def run(*arguments: object) -> dict:
        return json.loads(process(*module("all_pairs", source, *arguments)).output)

    figures = []
    for n, seconds in ((8_000, None),) if quick else ((24_000, 30), (40_000, 80)):
        found, what = run("exact", n), f"exact on {n:,} sentences"
        figures += [
            Figure("all-pairs", f"{what}, processor time", found["processor"], "s", seconds),
            Figure("all-pairs", "  memory beyond the vectors", found["megabytes"], "MB", 500),
            Figure("all-pairs", "  its bracket, true ties apart", found["untied"], "", 1e-4),
            Figure("all-pairs", "  average precision", 100 * found["AP"], "%"),
        ]
    n = 10_000 if quick else 60_000
    found = run("nearest", n)
    figures += [
        Figure("all-pairs", f"100 nearest of {n:,}, processor time", found["processor"], "s", None if quick else 120),
        Figure("all-pairs", "  memory beyond the vectors", found["megabytes"], "MB"),
    ]
    found = run("estimate", *((8_000, 100_000, 5) if quick else (24_000, 1_000_000, 20)))
    off = abs(found["mean"] - found["exact"]) / (found["sd"] / found["seeds"] ** 0.5)
    figures += [
        Figure("all-pairs", f"estimates from {found['random']:,} random pairs, sd", 100 * found["sd"], "points", 0.5),
        Figure("all-pairs", f"  mean of {found['seeds']} from the exact value", off, "std. errors", 2),
        Figure("all-pairs", "  exact average precision", 100 * found["exact"], "%"),
        Figure("all-pairs", "  mean estimate", 100 * found["mean"], "%"),
    ]
    folder = OUT if quick else ROOT / "benchmarks" / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "all_pairs.txt").write_text(table(figures) + "\n", encoding="utf-8")
    return figures


def scale(quick: bool) -> list[Figure]:
    """Text pairs by the million: processor time, memory and disk, in memory and out of core."""
    from .scale import make

    figures = []
    for millions, engine, memory in [(1, "memory", 8), (1, "duckdb", 2)] + ([] if quick else [(20, "duckdb", 6)]):
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder), millions * 10**6)
            done = process(*module("scale", engine, folder, f"{memory}GB"))
        found = json.loads(done.output)
        seconds, large = found["seconds"], millions == 20
        figures += [
            Figure("scale", f"{engine}, {millions} M text pairs: open", seconds["open"], "s", 150 if large else None),
            Figure("scale", "  peak memory", done.gigabytes, "GB", 6 if large else None),
            *(Figure("scale", f"  {name}", spent, "s") for name, spent in seconds.items() if name != "open"),
            Figure("scale", "  disk", found["disk"], "GB"),
        ]
    return figures


def lines(quick: bool) -> list[Figure]:
    """The size of the package: lines of code of each room, docstrings, comments and blank lines apart."""
    from benchmarks.lines import table as sizes

    code = sizes(ROOT / "paragraph")["code"]
    return [Figure("lines", f"lines of code: {room}", int(count), "lines") for room, count in code.items()]


#: Graphs of `benchmarks.frustration`.
FRUSTRATED = {
    "tribes": "tribes of New Guinea",
    "blocks": "conflict blocks of qqp_all",
    "density .1": "random, 40 nodes, density .1",
    "density .3": "random, 40 nodes, density .3",
}

SECTIONS = {
    "lines": lines,
    "end-to-end": end_to_end,
    "imports": imports,
    "growth": growth,
    "giant": giant,
    "text": text,
    "japanese": japanese,
    "balance": balance,
    "frustration": frustration,
    "explorer": explorer,
    "review": review,
    "labeling": labeling,
    "saved": saved,
    "encoding": encoding,
    "fine-tuning": finetuning,
    "reviewing": reviewing,
    "suspects": suspects,
    "repair": repair,
    "audit": audit,
    "all-pairs": all_pairs,
    "scale": scale,
}


def table(figures: list[Figure]) -> str:
    lines = [f"{'':48}{'measured':>12}  {'':10}{'at most':>8}", ""]
    for i, figure in enumerate(figures):
        if i and figure.section != figures[i - 1].section:
            lines.append("")
        limit = "" if figure.limit is None else f"{figure.limit:g} {figure.verdict}"
        lines.append(f"{figure.what:48}{figure.value:12,.3g}  {figure.unit:10}{limit:>8}")
    return "\n".join(lines)


def draw(figures: list[Figure], path: Path) -> None:
    """What has a limit, as a share of it: bars left of the line keep it."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    bounded = [figure for figure in figures if figure.limit is not None][::-1]
    chart, axes = plt.subplots(figsize=(9, 0.45 * len(bounded) + 1.2), layout="constrained")
    shares = [figure.value / figure.limit for figure in bounded]
    axes.barh(range(len(bounded)), shares, color=["#0072B2" if share <= 1 else "#D55E00" for share in shares])
    axes.axvline(1, color="black", linewidth=1)
    axes.set_yticks(range(len(bounded)), [f"{f.section}: {f.what.strip()}" for f in bounded])
    for i, (figure, share) in enumerate(zip(bounded, shares, strict=True)):
        axes.text(share, i, f" {figure.value:.3g} of {figure.limit:g} {figure.unit}", va="center", fontsize=8)
    axes.set_xlim(0, max([1.25, *(share * 1.3 for share in shares)]))
    axes.set_xlabel("share of the limit (the line)")
    axes.spines[["top", "right"]].set_visible(False)
    chart.savefig(path, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; default: all")
    parser.add_argument("--quick", action="store_true", help="fewer repeats and smaller sizes")
    args = parser.parse_args()
    unknown = set(args.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"no such section: {', '.join(sorted(unknown))}")
    figures: list[Figure] = []
    for name in args.sections or SECTIONS:
        print(f"{name} …", file=sys.stderr, flush=True)
        figures += SECTIONS[name](args.quick)
    OUT.mkdir(parents=True, exist_ok=True)
    processor = platform.processor() or platform.machine()
    machine = f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"
    shown = f"{table(figures)}\n\n{machine}"
    print(shown)
    (OUT / "results.txt").write_text(shown + "\n")
    with open(OUT / "results.tsv", "w", encoding="utf-8") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(["section", "what", "value", "unit", "limit", "verdict"])
        out.writerows((*figure, figure.verdict) for figure in figures)
    draw(figures, OUT / "results.png")
    print(f"written to {OUT.relative_to(ROOT)}/results.txt, .tsv, .png")


if __name__ == "__main__":
    main()
