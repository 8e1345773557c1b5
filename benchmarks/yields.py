"""Wrong labels found per hundred answers: `doubts/belief.py` on files left out, and the prior that ships.

``python -m benchmarks.yields DATA_FOLDER WORK_FOLDER`` prints the tables; ``--ship`` also writes
``doubts/prior.json``. What is known of each file's labels is kept in WORK_FOLDER.

natural
    A file's pool is what was read of it (`judged_labels`), the answers are the readings; the prior is fitted on the
    other files. (Planted errors: `benchmarks.suspects`.)
the others
    What a review says of labels drawn at random, of which it asked about few; the prior as above.
simulated
    Files whose levels and slopes come from the prior: do the intervals hold what is found?
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from paragraph.doubts.belief import Belief, believe, next_questions
from paragraph.doubts.prior import SHIPPED, Normal, Prior, posterior, probability
from paragraph.learn.logistic import sigmoid

from .judged_labels import SOURCES, File, Negatives, following, judged_files, known, quora, readings
from .sameness import show

#: Levels and slopes before any file was seen. Where labels are wrong at random, Bayes' rule gives an opinion the
#: slope 1, and two opinions a half each. Levels spread by 2: at 1.2 a file whose negatives err is found out too late.
LEVEL, SLOPE = [[0.0, 2.0]] * 2, [[0.5, 0.4]] * 2
OF_LABELS = {
    name: Prior({"level": LEVEL, name: SLOPE, "own": SLOPE}) for name in ("words", "judge")
}
#: In files whose errors are at the top, answers raise the level of labels that nobody asked about, the more the wider
#: levels spread. So they spread this part as widely as fitted, and the slope of `top` takes the rest: chosen on
#: simulated files, where either mends half.
NARROWER, TOP = 0.85, [[0.0, 2.0]] * 2
#: The same of negatives between clusters, stated or inferred.
OF_FOLLOWING = Prior({"level": [[0.0, 2.0]], "judge": [[1.0, 0.4]]})
#: In `fitted_prior`, the first prior counts as half a file in the mean, as two in the spread.
HALF, FILES = 0.5, 2.0
#: Answers after which a review is looked at.
LOOKS, SEEDS = (20, 40, 60, 100), 5
#: The least number of labels of a sign whose share of wrong ones says anything.
LEFT = 5
#: When a review asks about a label drawn at random, by the number of answers so far.
FIRST_SIX = range(6).__contains__
PLANS: dict[str, Callable[[int], bool]] = {
    "none": range(0).__contains__,
    "3 of each sign first": FIRST_SIX,
    "3 of each sign after ten answers": range(10, 16).__contains__,
    "3 of each sign first, then one in 15": lambda n: n < 6 or n % 15 == 14,
}


def fitted_prior(files: Sequence[Callable[[Normal], Normal]], first: Prior) -> Prior:
    """Fit a prior to judged files, each a function from a prior to the posterior of the file.

    Expectation–maximization, with a normal approximation in each file. The mean of so few files is itself not known,
    which widens the spread.
    """
    start = first.normal()
    mean, variance = start.mean, np.diag(start.covariance)
    for _ in range(100):
        each = [file(Normal(mean, np.diag(variance))) for file in files]
        means = np.array([one.mean for one in each])
        mean = (means.sum(axis=0) + HALF * start.mean) / (len(files) + HALF)
        of_files = ((means - mean) ** 2 + [np.diag(one.covariance) for one in each]).sum(axis=0)
        variance = (of_files + FILES * np.diag(start.covariance)) / (len(files) + FILES)
    spread = np.sqrt(variance * (1 + 1 / len(files)))
    signs = np.stack([mean, spread], axis=1).round(3).reshape(-1, len(first), 2).transpose(1, 0, 2)
    return Prior(zip(first, signs.tolist(), strict=True))


def fitted(files: dict[str, File], by: str, summed: tuple[Normal, ...] = ()) -> Prior:
    """The prior of files read by "words" or a "judge"; of some, only what their labels say by themselves."""
    first = OF_LABELS[by]
    each = [of_labels(first.columns(spoken(one.labels)), one.wrong, one.labels["rows"].to_numpy())
            for one in files.values()]  # fmt: skip
    of = fitted_prior([*each, *(partial(combined, one) for one in summed)], first)
    narrower = [[mean, round(NARROWER * spread, 3)] for mean, spread in of["level"]]
    return Prior(of | {"level": narrower, "top": TOP})


def of_labels(
    x: np.ndarray, wrong: np.ndarray, offset: np.ndarray | float
) -> Callable[[Normal], Normal]:
    """A file for `fitted_prior`, by its judged labels: their columns, flags of the wrong ones, log-odds of rows."""
    return lambda before: posterior(before, x, wrong, offset)


def combined(one: Normal, other: Normal) -> Normal:
    """The product of two normal distributions."""
    precisions = [np.linalg.inv(each.covariance) for each in (one, other)]
    covariance = np.linalg.inv(sum(precisions))
    return Normal(covariance @ (precisions[0] @ one.mean + precisions[1] @ other.mean), covariance)


def spoken(labels: pd.DataFrame) -> pd.DataFrame:
    """The same evidence; where a judge is silent, words speak."""
    return (
        labels.assign(judge=labels["judge"].fillna(labels["words"]))
        if "judge" in labels
        else labels
    )


class Asked(NamedTuple):
    """The labels that a review asks about, in its order."""

    rows: np.ndarray
    random: np.ndarray  #: flags: drawn at random

    def belief(self, nobody: Belief, wrong: np.ndarray, answers: int | None = None) -> Belief:
        """The belief after the first answers."""
        told, random = np.full(len(wrong), np.nan), np.zeros(len(wrong), dtype=bool)
        rows = self.rows[:answers]
        told[rows] = wrong[rows]
        random[rows] = self.random[:answers]
        return nobody.with_answers(told, random)


def reviewed(
    nobody: Belief, file: File, seed: int, most: int, plan: Callable[[int], bool] = FIRST_SIX
) -> Asked:
    """The labels that a review asks about, one a turn.

    Where the `plan` has it, one is drawn from those of the file that were drawn at random, of the sign with fewer.
    """
    asked = Asked(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool))
    rng, positive = np.random.default_rng(seed), nobody.positive
    while len(asked.rows) < min(most, len(file.wrong)):
        belief = asked.belief(nobody, file.wrong)
        left = np.flatnonzero(file.random & np.isnan(belief.wrong))
        number = [np.count_nonzero(belief.random & (positive == sign)) for sign in (False, True)]
        left = left[positive[left] == (number[1] < number[0])]
        at_random = plan(len(asked.rows)) and len(left) > 0
        row = rng.choice(left) if at_random else next_questions(belief, 1, seed, first=0)[0][0]
        asked = Asked(np.append(asked.rows, row), np.append(asked.random, at_random))
    return asked


def orders(file: File, prior: Prior, most: int) -> dict[str, np.ndarray]:
    """Wrong labels found after each answer, by who chooses."""
    nobody, judge = believe(file.labels, prior), [*prior][1]
    fixed = {
        "own opinion (cleanlab's list)": file.labels["own"], "judge alone": spoken(file.labels)[judge],
        "the list before": file.before,
        "the prior alone": nobody.x @ nobody.before.mean + nobody.offset,
    }  # fmt: skip
    found = {
        who: np.cumsum(file.wrong[np.argsort(-np.asarray(score), kind="stable")][:most])
        for who, score in fixed.items()
    }
    found["at random"] = np.arange(1, most + 1) * file.wrong.mean()
    learning = [reviewed(nobody, file, seed, most).rows for seed in range(SEEDS)]
    return found | {
        "learning": np.mean([np.cumsum(file.wrong[order]) for order in learning], axis=0)
    }


def looked_at(found: dict[str, np.ndarray]) -> pd.DataFrame:
    return pd.DataFrame(
        {who: [each[n - 1] for n in LOOKS if n <= len(each)] for who, each in found.items()}
    ).T


def natural(
    files: dict[str, File], by: str, summed: tuple[Normal, ...] = ()
) -> dict[str, pd.DataFrame]:
    """What each finds in a file that taught the prior nothing; and what is said of its other labels."""
    tables, rest = {}, {}
    for name, file in files.items():
        prior = fitted({other: one for other, one in files.items() if other != name}, by, summed)
        table = looked_at(orders(file, prior, min(LOOKS[-1], len(file.wrong)))).round(1)
        table.columns = LOOKS[: table.shape[1]]
        tables[f"{name}: {len(file.wrong)} read, {int(file.wrong.sum())} wrong"] = table
        tables[f"{name}: {int(file.random.sum())} drawn at random"] = rest[name] = others(
            file, prior
        )
    return tables | {"said of the rest, less what was read; mean of files": off(pd.concat(rest))}


def others(file: File, prior: Prior) -> pd.DataFrame:
    """What is said of labels drawn at random that a review did not ask about, and what was read of them."""
    nobody, rows = believe(file.labels, prior), []
    for seed in range(SEEDS):
        for plan, when in PLANS.items():
            asked = reviewed(nobody, file, seed, LOOKS[2], when)
            for answers in LOOKS[:3]:
                belief = asked.belief(nobody, file.wrong, answers)
                left = np.flatnonzero(file.random & np.isnan(belief.wrong))
                found = {"answers": answers, "drawn": plan, "found": np.nansum(belief.wrong)}
                for who, p in words_of(belief).items():
                    rows.append(
                        found | {"by": who} | said(p[left], file.wrong[left], belief.positive[left])
                    )
    return pd.DataFrame(rows).groupby(["answers", "drawn", "by"], sort=False).mean()


def words_of(belief: Belief) -> dict[str, np.ndarray]:
    """The probability that each label is wrong, by the full belief, the cut one, and what ships."""
    return {
        "full": belief.mean(belief.full),
        "cut": belief.mean(belief.cut),
        "mixed": belief.p_wrong,
    }


def said(p: np.ndarray, wrong: np.ndarray, positive: np.ndarray) -> dict[str, float]:
    """The mean of what is said of each sign, the share that is wrong, and the AUC; NaN where few labels are left."""
    found = {}
    for sign, rows in (("positives", positive), ("negatives", ~positive)):
        enough = np.count_nonzero(rows) >= LEFT
        found[f"{sign}: said"] = p[rows].mean() if enough else np.nan
        found[f"{sign}: read"] = wrong[rows].mean() if enough else np.nan
    both = 0 < wrong.sum() < len(wrong)
    return found | {"AUC": roc_auc_score(wrong, p) if both else np.nan}


def off(table: pd.DataFrame) -> pd.DataFrame:
    """How far what is said is from what was read, by sign, on the mean over files."""
    each = {
        sign: (table[f"{sign}: said"] - table[f"{sign}: read"]).abs()
        for sign in ("positives", "negatives")
    }
    found = table[["found", "AUC"]].assign(**each)
    return found.groupby(["answers", "drawn", "by"], sort=False).mean()


def coverage(prior: Prior, labels: pd.DataFrame, number: int = 100) -> pd.DataFrame:
    """Of simulated files: how often the interval holds the number wrong among the next ones, and its width."""
    rows, nobody = [], believe(labels, prior)
    for seed in range(number):
        rng = np.random.default_rng(seed)
        z = nobody.x @ rng.multivariate_normal(*nobody.before) + nobody.offset
        wrong = (rng.random(len(labels)) < sigmoid(z)).astype(float)
        asked = reviewed(
            nobody, File(labels, wrong, wrong, np.ones(len(wrong), dtype=bool)), seed, LOOKS[2]
        )
        for n in (0, *LOOKS[:3]):
            belief = asked.belief(nobody, wrong, n)
            for first, _, low, high in belief.expected((100, 1000), seed + 1).itertuples(
                index=False
            ):
                held = low <= wrong[belief.open[: int(first)]].sum() <= high
                rows.append({"first": first, "answers": n, "held": held, "width": high - low})
    return pd.DataFrame(rows).groupby(["first", "answers"]).mean()


def of_negatives(files: dict[str, Negatives]) -> Prior:
    """The prior of negatives between clusters."""
    return fitted_prior(
        [of_labels(file.x, file.wrong, 0.0) for file in files.values()], OF_FOLLOWING
    )


def left_out(files: dict[str, Negatives]) -> pd.DataFrame:
    """How many inferred negatives stay at .9, and are right: by the other files, then by stated ones judged, too."""
    rows = {}
    for name, (x, wrong, follows) in files.items():
        others = {other: file for other, file in files.items() if other != name}
        of = of_negatives(others).normal()
        rows[name] = {"pairs": follows.sum(), "all right": 1 - wrong[follows].mean()}
        for told, normal in (("", of), ("judged: ", posterior(of, x[~follows], wrong[~follows]))):
            p_right = 1 - probability(normal, x[follows])
            stay = p_right >= 0.9
            right = 1 - wrong[follows][stay].mean() if stay.any() else np.nan
            rows[name] |= {
                f"{told}predicted": p_right.mean(),
                f"{told}stay": stay.mean(),
                f"{told}right": right,
            }
    return pd.DataFrame(rows).T


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.yields", description=__doc__.split("\n")[0]
    )
    parser.add_argument("folder", type=Path, help="holds qqp/, other_files/ and the files")
    parser.add_argument("work", type=Path, help="for what is known of labels")
    parser.add_argument(
        "--readings",
        type=Path,
        nargs="*",
        default=[],
        help="further tables as other_files/judged.tsv",
    )
    parser.add_argument("--ship", action="store_true", help="write doubts/prior.json")
    args = parser.parse_args()
    args.work.mkdir(exist_ok=True, parents=True)
    table, priors = readings(args.folder, args.readings), {}
    for name, model in (("words", None), ("judge", "minilm")):
        files = judged_files(args.folder, args.work, model, table)
        summed = () if model is None else (quora(args.folder, args.work),)
        priors[name] = fitted(files, name, summed)
        for title, found in natural(files, name, summed).items():
            show(f"{name}; {title}", found.round(2))
        print(pd.DataFrame(priors[name], index=["positives", "negatives"]))
    inferred = following(args.folder, args.work, table)
    priors["follows"] = of_negatives(inferred)
    show("Inferred negatives of files left out", left_out(inferred).round(2))
    if args.ship:
        SHIPPED.write_text(json.dumps(priors, indent=1) + "\n", encoding="utf-8")
    part, path = next(iter(SOURCES["PAWS-Wiki"].items()))
    labels = known(args.folder, args.work, part, path, None, table[table["part"] == part]).labels
    show("Simulated: intervals that hold", coverage(priors["words"], labels))


if __name__ == "__main__":
    main()
