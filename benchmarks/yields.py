"""Wrong labels found per hundred answers: `repairs/wrong.py` on files left out, and the prior that ships.

``python -m benchmarks.yields DATA_FOLDER WORK_FOLDER`` prints the tables; ``--ship`` also writes
``repairs/wrong.json``. What is known of each file's labels is kept in WORK_FOLDER.

Judged pairs: the stated ones of ``qqp/judged.tsv`` and ``judged_more.tsv``, and ``other_files/judged*.tsv``, on which
both readings agree. Pairs were drawn by scores that are columns of the model, or at random, so the draw tells nothing
more. Train and test part of one source are one file.

natural
    A file's pool is what was read of it, the answers are the readings; the prior is fitted on the other files.
planted
    2 % of the labels of a sign turned, or of both signs, or of those nearest the boundary; the own opinion is fitted
    with the errors in place, the answers come from the key.
simulated
    Files whose levels and slopes come from the prior: do the intervals hold what is found?
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import brentq

import paragraph as pg
from paragraph.graph.search import nodes_of
from paragraph.learn.logistic import SUREST, log_odds, sigmoid
from paragraph.learn.opinions import p_same
from paragraph.repairs.propose import Proposals
from paragraph.repairs.reading import Reading
from paragraph.repairs.wrong import FITTED, Belief, Labels, Normal, posterior, probability, scale_of

from .sameness import show

#: Parts of a source, and who judged them; in `other_files` a file is called by the first word of its part.
SOURCES = {
    "Quora": {"qqp_natural": "qqp/qqp_natural.tsv.gz"},
    "MRPC": {"mrpc_train": "mrpc/msr_paraphrase_train.txt", "mrpc_test": "mrpc/msr_paraphrase_test.txt"},
    "SICK": {"sick_train": "sick/SICK_train.txt", "sick_test": "sick/SICK_test_annotated.txt"},
    "medical questions": {"mqp": "mqp/mqp.csv"},
    "PAWS-Wiki": {"paws": "paws/paws_wiki_dev.csv"},
    "JSICK": {"jsick_ja": "jsick/jsick.tsv.gz"},
}
#: Levels and slopes of a file are worth so many files at these spreads; means are drawn to 0 by half a file.
SPREADS, FILES, HALF = np.array([2.0, 0.4, 0.4] * 2), 2.0, 0.5
OF_FOLLOWING = np.array([2.0, 0.4, 0.5])
#: Turns of a review, and answers after which it is looked at.
TURN, LOOKS, SEEDS = 10, (20, 40, 60, 100), 5


class File(NamedTuple):
    """A judged file: what is known of the judged labels, and which are wrong."""

    labels: Labels
    wrong: np.ndarray
    before: np.ndarray  #: log-odds by the list that a fixed level and slope of Quora gave


def spread_between(files: list[tuple[np.ndarray, np.ndarray, np.ndarray] | Normal], spreads: np.ndarray) -> Normal:
    """Mean and spread of levels and slopes between files, each given as columns, wrong ones, offset.

    Expectation–maximization with Laplace's approximation in each file; the mean of so few files is itself not known,
    which widens the spread.
    """
    mean, variance = np.zeros(len(spreads)), spreads**2
    for _ in range(100):
        each = [summed_up(Normal(mean, np.diag(variance)), file) for file in files]
        means = np.array([one.mean for one in each])
        mean = means.sum(axis=0) / (len(files) + HALF)
        of_files = ((means - mean) ** 2 + [np.diag(one.covariance) for one in each]).sum(axis=0)
        variance = (of_files + FILES * spreads**2) / (len(files) + FILES)
    return Normal(mean, np.diag(variance * (1 + 1 / len(files))))


def fitted(files: dict[str, File], summed: tuple[Normal, ...] = ()) -> Normal:
    return spread_between(
        [*((one.labels.x, one.wrong, one.labels.offset) for one in files.values()), *summed], SPREADS
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


def read(folder: Path, path: str) -> pd.DataFrame:
    """The pairs of a part that have a label."""
    if "jsick" in path:
        table = pd.read_csv(folder / path, sep="\t", dtype=str, keep_default_na=False)
        score = table["relatedness_score_En"].astype(float)
        pairs = table[["sentence_A_Ja", "sentence_B_Ja"]].set_axis(["text_a", "text_b"], axis=1)
        return pairs.assign(label=score >= 4.5)[(score >= 4.5) | (score < 3.5)].astype({"label": "Int8"})
    pairs = pg.read_pairs(folder / path)[["text_a", "text_b", "label"]]
    return pairs[pairs["label"].notna()].reset_index(drop=True)


def readings(folder: Path, more: list[Path]) -> pd.DataFrame:
    """Pairs on which both readings agree: part, text_a, text_b, label, drawn, same."""
    tables = [
        pd.read_csv(path, sep="\t", keep_default_na=False)
        for path in (*folder.glob("other_files/judged*.tsv"), *more)
    ]
    others = pd.concat(tables).assign(
        part=lambda table: table["file"].replace({"mrpc": "mrpc_train", "sick": "sick_train"})
    )
    quora = [
        pd.read_csv(path, sep="\t", keep_default_na=False, dtype=str) for path in (folder / "qqp").glob("judged*.tsv")
    ]
    names = {"question1": "text_a", "question2": "text_b", "stated": "label", "stratum": "drawn"}
    quora = pd.concat(quora).rename(columns=names).query("label in ['0', '1']").assign(part="qqp_natural")
    table = pd.concat([others, quora])[["part", "text_a", "text_b", "label", "drawn", "reading1", "reading2"]]
    said = table[["reading1", "reading2"]].apply(lambda column: column.str.upper())
    agreed = (said["reading1"] == said["reading2"]) & said["reading1"].isin(["S", "D"])
    table = table.assign(same=said["reading1"] == "S", label=table["label"].astype(int))[agreed]
    return table.drop_duplicates(["part", "text_a", "text_b", "drawn"]).reset_index(drop=True)


class Known(NamedTuple):
    """What is known of the labels of a part, and by whom each pair is found."""

    labels: Labels
    same: np.ndarray  #: the judge's log-odds as they are
    place: dict[frozenset, int]
    scale: tuple[float, float] = (0.0, 1.0)


def known(folder: Path, work: Path, part: str, path: str, model: str | None, judged: pd.DataFrame) -> Known:
    """What `Reading` says of a part, of which a model has read the judged pairs; those that the part lacks are added.

    It is kept in `work`.
    """
    if not (kept := work / f"{part}_{model or 'words'}.npz").is_file():
        pairs, names = read(folder, path), ["text_a", "text_b"]
        there = set(map(frozenset, pairs[names].to_numpy().tolist()))
        new = [frozenset(pair) not in there for pair in judged[names].to_numpy().tolist()]
        pairs = pd.concat([pairs, judged.loc[new, [*names, "label"]]], ignore_index=True)
        graph = pg.ParaphraseGraph.from_pairs(pairs.astype({"label": "Int8"}))
        proposals = Proposals(graph, None, model)
        reading = Reading(proposals)
        reading.read(
            graph.edge_index.places(*(nodes_of(graph, judged[end].tolist()) for end in ("text_a", "text_b")))
        )
        texts, same = graph.pair_texts(graph.edge_a, graph.edge_b).to_numpy(dtype="U"), reading.same
        np.savez(kept, texts=texts, same=same, scale=reading.scale, **reading.labels()._asdict())
    found = np.load(kept)
    place = {frozenset(pair): i for i, pair in enumerate(found["texts"].tolist())}
    return Known(Labels(*(found[name] for name in Labels._fields)), found["same"], place, tuple(found["scale"]))


#: A label's log-odds of being wrong by the list before, fitted on Quora: level, slopes of same and of own (as they
#: are), and the share that positives and negatives were shifted to.
BEFORE = {
    "words": {True: (0.1790, -0.5082, -0.3986, 0.16), False: (-3.0913, 0.2339, 0.7951, 0.05)},
    "minilm": {True: (0.2959, -1.0664, 0.0, 0.17), False: (-2.7302, 1.1873, 0.0, 0.05)},
}
#: Quora's judged pairs have taught the model that ships. Levels and slopes by models that had not seen their fold,
#: on the judge's own scale: level and slope of positives, of negatives, and their standard errors.
QUORA = {True: ((0.2959, 1.0664), (0.16, 0.13)), False: ((-2.7302, 1.1873), (0.2, 0.09))}


def quora_scale(folder: Path, work: Path) -> tuple[float, float]:
    """The scale of MiniLM on Quora, by labels drawn at random."""
    if not (kept := work / "quora_scale.npz").is_file():
        pairs = read(folder, SOURCES["Quora"]["qqp_natural"]).sample(250, random_state=0)
        same = log_odds(p_same(pairs["text_a"].tolist(), pairs["text_b"].tolist(), "minilm"))
        np.savez(kept, same=same, positive=pairs["label"].to_numpy() > 0)
    return scale_of(*(np.load(kept)[name] for name in ("same", "positive")))


def quora(folder: Path, work: Path) -> Normal:
    """Levels and slopes of Quora with MiniLM, on the scale of its labels; its own opinion adds nothing."""
    (level, slope), mean, errors = quora_scale(folder, work), [], []
    for sign, ((of_level, of_same), (error, of_error)) in QUORA.items():
        mean += [of_level + (1 if sign else -1) * of_same * level / slope, of_same / slope, 0.0]
        errors += [error, of_error / slope, 0.1]
    return Normal(np.array(mean), np.diag(np.square(errors)))


def before(known: Known, name: str) -> np.ndarray:
    """Log-odds by the list before."""
    positive, own = known.labels.positive, np.where(known.labels.positive, -1, 1) * known.labels.known[:, 2]
    found = np.empty(len(positive))
    for sign, (level, same, of_own, share) in BEFORE[name].items():
        rows = positive == sign
        z = level + same * known.same[rows] + of_own * own[rows]
        found[rows] = z + brentq(lambda c, z=z, share=share: np.nanmean(sigmoid(z + c)) - share, -30, 30)
    return found


def judged_files(folder: Path, work: Path, model: str | None, table: pd.DataFrame) -> dict[str, File]:
    """The judged pairs of each source, random or chosen."""
    found = {}
    for source, parts in SOURCES.items():
        if model and source == "Quora":
            continue
        each = []
        for part, path in parts.items():
            rows = table[(table["part"] == part) & (table["drawn"] != "follows")].drop_duplicates(
                ["text_a", "text_b"]
            )
            if not len(rows):
                continue
            of = known(folder, work, part, path, model, rows)
            ends = map(frozenset, rows[["text_a", "text_b"]].to_numpy().tolist())
            at = np.array([of.place.get(pair, -1) for pair in ends])
            same, at = rows["same"].to_numpy()[at >= 0], at[at >= 0]
            labels = Labels(*(field[at] for field in of.labels))
            each.append(File(labels, (same != labels.positive).astype(float), before(of, model or "words")[at]))
        if each:
            labels = Labels(*(np.concatenate(field) for field in zip(*(one.labels for one in each), strict=True)))
            found[source] = File(labels, *(np.concatenate([one[i] for one in each]) for i in (1, 2)))
    return found


#: Shares of positives and of negatives that are turned.
DESIGNS = {"positives": (0.06, 0.0), "negatives": (0.0, 0.06), "both": (0.03, 0.03), "both, half near": (0.03, 0.03)}


def planted(folder: Path, path: str, design: str, seed: int = 0) -> File:
    """A file by words, errors of one design planted in it; of the last, half where the words tell least."""
    graph, rng = pg.ParaphraseGraph.from_pairs(read(folder, path)), np.random.default_rng(seed)
    positive, wrong = graph.edge_sign > 0, np.zeros(len(graph.edge_sign), dtype=bool)
    doubt = np.abs(Reading(Proposals(graph)).labels().known[:, 1])
    for share, rows in zip(DESIGNS[design], (np.flatnonzero(positive), np.flatnonzero(~positive)), strict=True):
        near = rows[doubt[rows] <= np.quantile(doubt[rows], 0.2)]
        many = round(share * len(rows))
        if design.endswith("near"):
            wrong[rng.choice(near, many // 2, replace=False)] = True
            many -= many // 2
        wrong[rng.choice(rows, many, replace=False)] = True
    pairs = graph.pair_texts(graph.edge_a, graph.edge_b).assign(label=(positive != wrong).astype("int8"))
    graph = pg.ParaphraseGraph.from_pairs(pairs.astype({"label": "Int8"}))
    proposals = Proposals(graph)
    of = Known(Reading(proposals).labels(), proposals.same(np.arange(len(pairs))), {})
    return File(of.labels, wrong.astype(float), before(of, "words"))


def following(folder: Path, work: Path, table: pd.DataFrame) -> dict[str, tuple[np.ndarray, np.ndarray, float]]:
    """Judged negatives of each source with MiniLM, stated and following: level, judge, following; wrong; offset 0."""
    quora = pd.read_csv(folder / "qqp" / "judged_inferred.tsv", sep="\t", keep_default_na=False, dtype=str)
    quora = quora[quora["reading1"].isin(["s", "d"])].rename(columns={"question1": "text_a", "question2": "text_b"})
    quora = quora.assign(part="qqp_natural", drawn="follows", same=quora["reading1"] == "s", label=0)
    table, found = pd.concat([table[table["label"] == 0], quora]), {}
    for source, parts in SOURCES.items():
        each = []
        for part, path in parts.items():
            rows = table[(table["part"] == part) & ((table["drawn"] == "follows") | (part != "qqp_natural"))]
            follows = (rows["drawn"] == "follows").to_numpy()
            if not len(rows):
                continue
            if part == "qqp_natural":
                level, slope = quora_scale(folder, work)
            else:
                level, slope = known(folder, work, part, path, "minilm", rows[~follows]).scale
            same = log_odds(p_same(rows["text_a"].tolist(), rows["text_b"].tolist(), "minilm", progress=False))
            x = np.column_stack([np.ones(len(rows)), (level + slope * same).clip(-SUREST, SUREST), follows])
            each.append((x, rows["same"].to_numpy(float)))
        if each:
            found[source] = (*(np.concatenate(part) for part in zip(*each, strict=True)), 0.0)
    return found


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
    parser.add_argument("--ship", action="store_true", help="write repairs/wrong.json")
    parser.add_argument("--natural", action="store_true", help="nothing planted or simulated")
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
    if not args.natural:
        rows = {}
        for source in ("MRPC", "SICK", "medical questions", "PAWS-Wiki"):
            for design in DESIGNS:
                file = planted(args.folder, next(iter(SOURCES[source].values())), design)
                found = orders(file, priors["words"], LOOKS[-1])
                rows[f"{source}: {design}"] = {who: each[-1] for who, each in found.items()}
        show("Planted, words, found in 100 answers", pd.DataFrame(rows).T.round(1))
        show("Simulated: intervals that hold", coverage(priors["words"], file.labels))


if __name__ == "__main__":
    main()
