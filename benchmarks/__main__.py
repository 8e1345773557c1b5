"""Measure, print a table and write it to build/benchmarks/. ``make bench`` runs everything."""

from __future__ import annotations

import argparse
import csv
import json
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
RESULTS = ROOT / "benchmarks" / "results"
PARAGRAPH = [sys.executable, "-m", "paragraph"]
DATA = Path(os.environ.get("PARAGRAPH_DATA", ""))
#: Modules are compiled once, as those of an installed package are.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
QUORA = DATA / "qqp" / "qqp_all.tsv.gz"


class Run(NamedTuple):
    """A process that has ended."""

    seconds: float
    processor: float  #: seconds, of all its threads
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


def process(*command: object) -> Run:
    """Run a whole process: its output, time and peak memory of its own."""
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        child = subprocess.Popen(
            [str(part) for part in command], stdout=output, cwd=ROOT, env=ENVIRONMENT
        )
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - began
        output.seek(0)
        text = output.read().decode()
    if status:
        raise SystemExit(f"benchmark failed: {' '.join(map(str, command))}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e9, text)


def best(runs: int, *commands: list) -> list[Run]:
    """The fastest of several runs of each command, taken in turns so that all see the same machine."""
    rounds = [[process(*command) for command in commands] for _ in range(runs)]
    return [min(column) for column in zip(*rounds, strict=True)]


def module(name: str, *arguments: object) -> list[str]:
    """The command that runs a file of this folder."""
    return [sys.executable, "-m", f"benchmarks.{name}", *map(str, arguments)]


def told(name: str, *arguments: object) -> object:
    """The JSON that a file of this folder prints."""
    return json.loads(process(*module(name, *arguments)).output)


def missing(section: str, *files: Path) -> bool:
    """Say that a section is skipped where its data are not at hand."""
    gone = [path.name for path in files if not path.is_file()]
    if gone:
        print(f"{section}: skipped, no {', '.join(gone)} in $PARAGRAPH_DATA")
    return bool(gone)


def end_to_end(quick: bool) -> list[Figure]:
    """Whole process against whole process: qqp_all, file to four datasets and conflicts."""
    if missing("end to end", QUORA):
        return []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("ours", "floor"):
            (Path(folder) / name).mkdir()
        ours, floor = best(
            3 if quick else 7,
            [*PARAGRAPH, "augment", QUORA, "-o", f"{folder}/ours", "--quiet"],
            module("floor", QUORA, f"{folder}/floor"),
        )
        found = [
            ("augment qqp_all, against the bare floor", ours.seconds / floor.seconds, "×", 1.15),
            ("  of processor seconds", ours.processor / floor.processor, "×"),
            ("  ours", ours.seconds, "s"),
            ("  bare floor", floor.seconds, "s"),
            ("  peak memory, ours", ours.gigabytes, "GB", 1.0),
            ("  peak memory, floor", floor.gigabytes, "GB"),
        ]
        assert_equal(folder, "floor")
    return [Figure("end to end", *each) for each in found]


def assert_equal(folder: str, other: str) -> None:
    """Speed is worth nothing unless the datasets agree, as sets of (unordered pair, label)."""

    def labels(path: Path) -> set:
        with open(path, encoding="utf-8", newline="") as file:
            rows = csv.reader(file, delimiter="\t")
            return {(frozenset(row[:2]), row[2]) for row in rows}

    for name in ("original", "original_flipped", "augmented", "augmented_flipped"):
        if labels(Path(folder, "ours", "train", f"{name}.tsv")) != labels(
            Path(folder, other, f"{name}.tsv")
        ):
            raise SystemExit(f"{name} differs between ours and {other}")


def imports(quick: bool) -> list[Figure]:
    """`import paragraph`, its first names, and small commands, against `import pandas`."""
    codes = (
        "import pandas",
        "pass",
        "import paragraph",
        "from paragraph import ParaphraseGraph, read_pairs",
    )
    demo = str(ROOT / "data" / "demo.tsv")
    with tempfile.TemporaryDirectory() as folder:
        pandas, nothing, *ours = best(
            5 if quick else 15,
            *([sys.executable, "-c", code] for code in codes),
            [*PARAGRAPH, "--help"],
            [*PARAGRAPH, "summary", demo],
            [*PARAGRAPH, "repair", demo, "--judge", "none", "-o", f"{folder}/out.tsv", "--quiet"],
        )
    aims = {
        "import paragraph, against import pandas": 0.4,
        "the same with read_pairs and ParaphraseGraph": 1.3,
        "paragraph --help": 0.4,
        "paragraph summary, shipped corpus": 1.3,
        "paragraph repair --judge none, shipped corpus": 4.0,
    }
    found = [
        Figure("imports", what, run.seconds / pandas.seconds, "×", aim)
        for (what, aim), run in zip(aims.items(), ours, strict=True)
    ]
    return [
        *found,
        *(
            Figure("imports", f"  {what}", run.seconds, "s")
            for what, run in (("import pandas", pandas), ("python alone", nothing))
        ),
    ]


def explorer(quick: bool) -> list[Figure]:
    """The Explorer in a real JupyterLab and browser, the whole of qqp_all loaded."""
    from .explorer import chromium

    if missing("explorer", QUORA):
        return []
    if chromium() is None:
        print("explorer: skipped, no Chromium")
        return []
    found = told("explorer", QUORA, 5 if quick else 20)
    median = {name: statistics.median(seconds) for name, seconds in found.items()}
    worst = {name: max(seconds) for name, seconds in found.items()}
    figures = []
    for name, title, limit in (
        ("first picture", "first picture of 109 sentences, in a new kernel", 1),
        ("first picture: Python", "  of Python's processor", None),
        ("first picture: page's thread", "  of the page's", None),
        ("first picture, again", "the same in a kernel that has shown one", 1),
        ("first picture of a million pairs", "first picture, a million pairs, in a new kernel", 3),
        ("first picture of a million pairs: Python", "  of Python's processor", None),
        ("first picture of a million pairs: page's thread", "  of the page's", None),
        ("switch", "another cluster", 0.5),
        ("layer", "a layer of stated labels on or off", 0.2),
        ("inferred", "inferred labels on or off", 0.2),
        ("why", "click on a stated label to why", 0.2),
        ("why, inferred", "click on an inferred label to why", 0.2),
        ("why, without a kernel", "click on a stated label, without a kernel", 0.05),
        ("why, without a kernel: page's thread", "  of the page's processor", 0.05),
    ):
        figures.append(Figure("explorer", title, median[name], "s", limit))
        figures.append(Figure("explorer", f"  worst of {len(found[name])}", worst[name], "s"))
    return [
        *figures,
        Figure(
            "explorer", "1,000 sentences, all drawn: first picture", median["1,000 sentences"], "s"
        ),
        Figure("explorer", "  a frame while moved and zoomed", median["frame"] * 1e3, "ms", 100),
        Figure("explorer", "  worst frame", worst["frame"] * 1e3, "ms"),
    ]


def atlas(quick: bool) -> list[Figure]:
    """The Atlas of qqp_all: the time of a map, and how many neighbours it keeps."""
    if missing("atlas", QUORA):
        return []
    found = told("atlas", QUORA)
    share, limits = (
        found.pop("share of ten nearest kept"),
        {"first Atlas, vectors at hand": 25, "second Atlas": 5},
    )
    seconds = [Figure("atlas", what, value, "s", limits.get(what)) for what, value in found.items()]
    return [*seconds, Figure("atlas", "share of ten nearest kept", share, "")]


def large(quick: bool) -> list[Figure]:
    """Widgets on many pairs: a review's first picture, and an Explorer saved."""
    rows = 100_000 if quick else 1_000_000
    limits = {"review": 5, "Explorer: save": 20}
    return [
        Figure(
            "large",
            f"{rows:,} pairs: {what}",
            value,
            "s",
            limits.get(what) or limits.get(what.split(",")[0]),
        )
        for what, value in told("large", rows).items()
    ]


def repair(quick: bool) -> list[Figure]:
    """Planted label errors: who finds them, and who knows flip from cut. Kept in benchmarks/results."""
    from .repair import write

    if missing("repair", QUORA):
        return []
    seeds, size = ([0], 50) if quick else ([0, 1, 2], 150)
    scores = write([told("repair", QUORA, seed, size) for seed in seeds], OUT if quick else RESULTS)
    return [
        Figure(
            "repair",
            f"{row.task}: {row.measure}, {row.who}",
            row.mean,
            "" if quick else f"± {row.sd:.3f}",
        )
        for row in scores.itertuples()
    ]


def suspects(quick: bool) -> list[Figure]:
    """Planted label errors: how soon `suspects` lists them, by words alone; means over seeds."""
    from .suspects import SETS

    names = ["mqp"] if quick else list(SETS)
    names = [
        name
        for name in names
        if not missing(f"suspects of {name}", *(DATA / file for file in SETS[name]))
    ]
    runs = [
        told("suspects", DATA, name, seed) for name in names for seed in range(2 if quick else 5)
    ]
    by: dict[str, list[float]] = {}
    for row in (row for run in runs for row in run):
        for measure in row.keys() & {"average precision", "first 100", "first 500"}:
            by.setdefault(f"{row['set']}, {row['design']}: {measure}, {row['who']}", []).append(
                row[measure]
            )
    return [Figure("suspects", what, statistics.mean(values)) for what, values in by.items()]


def sameness(quick: bool) -> list[Figure]:
    """How well words and a model tell pairs that mean the same: prints tables, which go to benchmarks/results too."""
    if missing("sameness", DATA / "qqp" / "judged.tsv"):
        return []
    print(text := process(*module("sameness", DATA)).output)
    (OUT if quick else RESULTS).joinpath("sameness.txt").write_text(text, encoding="utf-8")
    return []


def scale(quick: bool) -> list[Figure]:
    """Text pairs by the million: processor time, memory and disk, in memory and out of core."""
    from .scale import make

    figures = []
    for millions, engine, memory in [(1, "memory", 8), (1, "duckdb", 1)] + (
        [] if quick else [(20, "duckdb", 2.5)]
    ):
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder), millions * 10**6)
            found = told("scale", engine, folder, f"{memory}GB")
        seconds, large = found["seconds"], millions == 20
        figures += [
            Figure(
                "scale",
                f"{engine}, {millions} M text pairs: open",
                seconds["open"],
                "s",
                150 if large else None,
            ),
            *(
                Figure("scale", f"  {of} memory", most, "GB", 3 if large else None)
                for of, most in found["memory"].items()
            ),
            *(
                Figure("scale", f"  {name}", spent, "s")
                for name, spent in seconds.items()
                if name != "open"
            ),
            Figure("scale", "  disk", found["disk"], "GB"),
        ]
    return figures


def lines(quick: bool) -> list[Figure]:
    """The size of the package: lines of code of each room, docstrings, comments and blank lines apart; tokens."""
    from .lines import table as sizes

    found = sizes(ROOT / "paragraph")
    rooms = [
        Figure("lines", f"lines of code: {room}", int(count), "lines")
        for room, count in found["code"].items()
    ]
    return [*rooms, Figure("lines", "tokens", int(found.at["all", "tokens"]), "tokens")]


SECTIONS = {
    "lines": lines,
    "end-to-end": end_to_end,
    "imports": imports,
    "explorer": explorer,
    "atlas": atlas,
    "large": large,
    "suspects": suspects,
    "repair": repair,
    "sameness": sameness,
    "scale": scale,
}


def table(figures: list[Figure]) -> str:
    """The figures as text, a block a section."""
    lines = [f"{'':48}{'measured':>12}  {'':10}{'at most':>8}", ""]
    for i, figure in enumerate(figures):
        if i and figure.section != figures[i - 1].section:
            lines.append("")
        limit = "" if figure.limit is None else f"{figure.limit:g} {figure.verdict}"
        lines.append(f"{figure.what:48}{figure.value:12,.3g}  {figure.unit:10}{limit:>8}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="fewer repeats and smaller sizes")
    args = parser.parse_args()
    unknown = set(args.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"no such section: {', '.join(sorted(unknown))}")
    OUT.mkdir(parents=True, exist_ok=True)
    figures: list[Figure] = []
    for name in args.sections or SECTIONS:
        print(f"{name} …", file=sys.stderr, flush=True)
        figures += SECTIONS[name](args.quick)
    processor = platform.processor() or platform.machine()
    machine = f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}"
    shown = f"{table(figures)}\n\n{machine}"
    print(shown)
    (OUT / "results.txt").write_text(shown + "\n")
    with open(OUT / "results.tsv", "w", encoding="utf-8") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(["section", "what", "value", "unit", "limit", "verdict"])
        out.writerows((*figure, figure.verdict) for figure in figures)
    print(f"written to {OUT.relative_to(ROOT)}/results.txt, .tsv")


if __name__ == "__main__":
    main()
