"""Wrong labels found per hundred answers: `doubts/wrong.py` on files left out, and the prior that ships.

``python -m benchmarks.yields DATA_FOLDER WORK_FOLDER`` prints the tables; ``--ship`` also writes
``doubts/wrong.json``. What is known of each file's labels is kept in WORK_FOLDER.

natural
    A file's pool is what was read of it (`judged_labels`), the answers are the readings; the prior is fitted on the
    other files. (Planted errors: `benchmarks.suspects`.)
simulated
    Files whose levels and slopes come from the prior: do the intervals hold what is found?
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pandas as pd

from paragraph.doubts.wrong import FITTED, Belief, Labels, Normal, posterior, probability
from paragraph.learn.logistic import sigmoid

from .judged_labels import SOURCES, File, following, judged_files, known, quora, readings
from .sameness import show

#: Levels and slopes before any file was seen; they count as half a file in the mean, as two in the spread. Where
#: labels are wrong at random, Bayes' rule gives an opinion the slope 1, and two opinions a half each. Levels spread
#: by 2: at 1.2 a file whose negatives err is found out too late.
OF_LABELS = Normal(np.array([0.0, 0.5, 0.5] * 2), np.diag(np.square([2.0, 0.4, 0.4] * 2)))
#: The same of negatives that follow: level, judge, how much higher their level is.
OF_FOLLOWING = Normal(np.array([0.0, 1.0, 0.0]), np.diag(np.square([2.0, 0.4, 0.5])))
HALF, FILES = 0.5, 2.0
#: Turns of a review, and answers after which it is looked at.
TURN, LOOKS, SEEDS = 10, (20, 40, 60, 100), 5


def spread_between(files: list[tuple[np.ndarray, np.ndarray, np.ndarray] | Normal], first: Normal) -> Normal:
    """Mean and spread of levels and slopes between files, each given as columns, wrong ones, offset.

    Expectation–maximization with Laplace's approximation in each file; the mean of so few files is itself not known,
    which widens the spread.
    """
    mean, variance = first.mean, np.diag(first.covariance)
    for _ in range(100):
        each = [summed_up(Normal(mean, np.diag(variance)), file) for file in files]
        means = np.array([one.mean for one in each])
        mean = (means.sum(axis=0) + HALF * first.mean) / (len(files) + HALF)
        of_files = ((means - mean) ** 2 + [np.diag(one.covariance) for one in each]).sum(axis=0)
        variance = (of_files + FILES * np.diag(first.covariance)) / (len(files) + FILES)
    return Normal(mean, np.diag(variance * (1 + 1 / len(files))))


def fitted(files: dict[str, File], summed: tuple[Normal, ...] = ()) -> Normal:
    return spread_between(
        [*((one.labels.x, one.wrong, one.labels.offset) for one in files.values()), *summed], OF_LABELS
    )


def summed_up(before: Normal, file: tuple[np.ndarray, np.ndarray, np.ndarray] | Normal) -> Normal:
    """The posterior of a file, given as labels, or as what they say by themselves."""
    if not isinstance(file, Normal):
        return posterior(before, *file)
    precisions = [np.linalg.inv(each.covariance) for each in (before, file)]
    covariance = np.linalg.inv(sum(precisions))
    mean = covariance @ (precisions[0] @ before.mean + precisions[1] @ file.mean)
    return Normal(mean, covariance)


def thompson(labels: Labels, prior: Normal, answers: np.ndarray, seed: int, most: int) -> list[int]:
    """The labels that a review of ten a turn asks about, in its order."""
    told, asked = np.full(len(answers), np.nan), []
    while len(asked) < most:
        new = Belief(labels, prior, told).next(min(TURN, most - len(asked)), seed).tolist()
        told[new] = answers[new]
        asked += new
    return asked


def orders(file: File, prior: Normal, most: int) -> dict[str, np.ndarray]:
    """Wrong labels found after each answer, by who chooses."""
    known, x = file.labels.known, file.labels.x
    fixed = {
        "own opinion (cleanlab's list)": known[:, 2], "judge alone": known[:, 1], "the list before": file.before,
        "the prior alone": x @ prior.mean + file.labels.offset,
    }  # fmt: skip
    found = {who: np.cumsum(file.wrong[np.argsort(-score, kind="stable")][:most]) for who, score in fixed.items()}
    found["at random"] = np.arange(1, most + 1) * file.wrong.mean()
    learning = [thompson(file.labels, prior, file.wrong, seed, most) for seed in range(SEEDS)]
    return found | {"learning": np.mean([np.cumsum(file.wrong[order]) for order in learning], axis=0)}


def looked_at(found: dict[str, np.ndarray]) -> pd.DataFrame:
    return pd.DataFrame({who: [each[n - 1] for n in LOOKS if n <= len(each)] for who, each in found.items()}).T


def natural(files: dict[str, File], summed: tuple[Normal, ...] = ()) -> dict[str, pd.DataFrame]:
    """What each finds in a file that taught the prior nothing."""
    tables = {}
    for name, file in files.items():
        prior = fitted({other: one for other, one in files.items() if other != name}, summed)
        table = looked_at(orders(file, prior, min(LOOKS[-1], len(file.wrong))))
        table.columns = LOOKS[: table.shape[1]]
        tables[f"{name}: {len(file.wrong)} read, {int(file.wrong.sum())} wrong"] = table
    return tables


def coverage(prior: Normal, labels: Labels, number: int = 100, answers: int = 20) -> pd.Series:
    """Of simulated files: how often the interval after some answers holds the number wrong of the next hundred."""
    held, width = [], []
    for seed in range(number):
        rng = np.random.default_rng(seed)
        levels = rng.multivariate_normal(*prior)
        wrong = (rng.random(len(labels.positive)) < sigmoid(labels.x @ levels + labels.offset)).astype(float)
        for n in (0, answers):
            told = np.full(len(wrong), np.nan)
            asked = thompson(labels, prior, wrong, seed, n)
            told[asked] = wrong[asked]
            belief = Belief(labels, prior, told)
            [row] = belief.expected((100,), seed + 1).itertuples()
            held.append((n, row.low <= wrong[belief.open[:100]].sum() <= row.high))
            width.append((n, row.high - row.low))
    table = pd.DataFrame(held, columns=["answers", "held"]).assign(width=[w for _, w in width])
    return table.groupby("answers").mean()


def left_out(files: dict[str, tuple[np.ndarray, np.ndarray, float]]) -> pd.DataFrame:
    """How many inferred negatives stay at .9, and are right: by the other files, then by stated ones judged, too."""
    rows = {}
    for name, (x, wrong, _) in files.items():
        of = spread_between([file for other, file in files.items() if other != name], OF_FOLLOWING)
        follows = x[:, 2] == 1
        rows[name] = {"pairs": follows.sum(), "all right": 1 - wrong[follows].mean()}
        for told, normal in (("", of), ("judged: ", posterior(of, x[~follows], wrong[~follows]))):
            p_right = 1 - probability(normal, x[follows])
            stay = p_right >= 0.9
            right = 1 - wrong[follows][stay].mean() if stay.any() else np.nan
            rows[name] |= {f"{told}predicted": p_right.mean(), f"{told}stay": stay.mean(), f"{told}right": right}
    return pd.DataFrame(rows).T


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.yields", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="holds qqp/, other_files/ and the files")
    parser.add_argument("work", type=Path, help="for what is known of labels")
    parser.add_argument(
        "--readings", type=Path, nargs="*", default=[], help="further tables as other_files/judged.tsv"
    )
    parser.add_argument("--ship", action="store_true", help="write doubts/wrong.json")
    args = parser.parse_args()
    args.work.mkdir(exist_ok=True, parents=True)
    table, priors = readings(args.folder, args.readings), {}
    for name, model in (("words", None), ("minilm", "minilm")):
        files = judged_files(args.folder, args.work, model, table)
        priors[name] = fitted(files) if model is None else fitted(files, (quora(args.folder, args.work),))
        for title, found in natural(files, () if model is None else (quora(args.folder, args.work),)).items():
            show(f"{name}; {title}", found.round(1))
        print(priors[name].mean.round(2), np.sqrt(np.diag(priors[name].covariance)).round(2))
    inferred = following(args.folder, args.work, table)
    priors["follows"] = spread_between(list(inferred.values()), OF_FOLLOWING)
    show("Inferred negatives of files left out", left_out(inferred).round(2))
    if args.ship:
        kept = {
            name: {"mean": of.mean.round(3).tolist(), "spread": np.sqrt(np.diag(of.covariance)).round(3).tolist()}
            for name, of in priors.items()
        }
        FITTED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    part, path = next(iter(SOURCES["PAWS-Wiki"].items()))
    labels = known(args.folder, args.work, part, path, None, table[table["part"] == part]).labels
    show("Simulated: intervals that hold", coverage(priors["words"], labels))


if __name__ == "__main__":
    main()
