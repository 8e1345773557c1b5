"""What is known of labels that people judged, in six public files: the columns of the model, and which are wrong.

Judged pairs: the stated ones of ``qqp/judged.tsv`` and ``judged_more.tsv``, and ``other_files/judged*.tsv``, on which
both readings agree. Pairs were drawn by scores that are columns of the model, or at random, so the draw tells nothing
more. Train and test part of one source are one file.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import brentq

import paragraph as pg
from paragraph.doubts.belief import ranked
from paragraph.doubts.prior import Normal, scale_of, scaled, with_level
from paragraph.doubts.reasons import Evidence
from paragraph.doubts.shipped import by_minilm
from paragraph.learn.logistic import log_odds, sigmoid

#: Parts of a source, and who judged them; in `other_files` a file is called by the first word of its part.
SOURCES = {
    "Quora": {"qqp_natural": "qqp/qqp_natural.tsv.gz"},
    "MRPC": {
        "mrpc_train": "mrpc/msr_paraphrase_train.txt",
        "mrpc_test": "mrpc/msr_paraphrase_test.txt",
    },
    "SICK": {"sick_train": "sick/SICK_train.txt", "sick_test": "sick/SICK_test_annotated.txt"},
    "medical questions": {"mqp": "mqp/mqp.csv"},
    "PAWS-Wiki": {"paws": "paws/paws_wiki_dev.csv"},
    "JSICK": {"jsick_ja": "jsick/jsick.tsv.gz"},
}


class File(NamedTuple):
    """A judged file: what is known of the judged labels, and which are wrong."""

    labels: pd.DataFrame  #: as for `belief.believe`
    wrong: np.ndarray
    before: np.ndarray  #: log-odds by the list that a fixed level and slope of Quora gave
    random: np.ndarray  #: flags of labels that were drawn at random


def read(folder: Path, path: str) -> pd.DataFrame:
    """The pairs of a part that have a label."""
    if "jsick" in path:
        table = pd.read_csv(folder / path, sep="\t", dtype=str, keep_default_na=False)
        score = table["relatedness_score_En"].astype(float)
        pairs = table[["sentence_A_Ja", "sentence_B_Ja"]].set_axis(["text_a", "text_b"], axis=1)
        return pairs.assign(label=score >= 4.5)[(score >= 4.5) | (score < 3.5)].astype(
            {"label": "Int8"}
        )
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
        pd.read_csv(path, sep="\t", keep_default_na=False, dtype=str)
        for path in (folder / "qqp").glob("judged*.tsv")
    ]
    names = {"question1": "text_a", "question2": "text_b", "stated": "label", "stratum": "drawn"}
    quora = (
        pd.concat(quora)
        .rename(columns=names)
        .query("label in ['0', '1']")
        .assign(part="qqp_natural")
    )
    table = pd.concat([others, quora])[
        ["part", "text_a", "text_b", "label", "drawn", "reading1", "reading2"]
    ]
    said = table[["reading1", "reading2"]].apply(lambda column: column.str.upper())
    agreed = (said["reading1"] == said["reading2"]) & said["reading1"].isin(["S", "D"])
    table = table.assign(same=said["reading1"] == "S", label=table["label"].astype(int))[agreed]
    return table.drop_duplicates(["part", "text_a", "text_b", "drawn"]).reset_index(drop=True)


class Known(NamedTuple):
    """What is known of the labels of a part, and by whom each pair is found."""

    labels: pd.DataFrame  #: as for `belief.believe`
    same: np.ndarray  #: the judge's log-odds as they are
    place: dict[frozenset, int]
    scale: tuple[float, float] = (0.0, 1.0)


def known(
    folder: Path, work: Path, part: str, path: str, model: str | None, judged: pd.DataFrame
) -> Known:
    """What `Evidence` says of a part, of which a model has read the judged pairs.

    Those that the part lacks are added. It is kept in `work`.
    """
    if not (kept := work / f"{part}_{model or 'words'}.npz").is_file():
        pairs, names = read(folder, path), ["text_a", "text_b"]
        there = set(map(frozenset, pairs[names].to_numpy().tolist()))
        new = [frozenset(pair) not in there for pair in judged[names].to_numpy().tolist()]
        pairs = pd.concat([pairs, judged.loc[new, [*names, "label"]]], ignore_index=True)
        graph = pg.ParaphraseGraph.from_pairs(pairs.astype({"label": "Int8"}))
        evidence = Evidence(graph, model, first=0)
        evidence.read(graph.edge_index.places(*graph.pair_nodes(judged)))
        texts, same = (
            graph.pair_texts(graph.edge_a, graph.edge_b).to_numpy(dtype="U"),
            evidence.same,
        )
        labels = {name: column.to_numpy() for name, column in evidence.table().items()}
        np.savez(kept, texts=texts, same=same, scale=evidence.scale, **labels)
    found = np.load(kept)
    place = {frozenset(pair): i for i, pair in enumerate(found["texts"].tolist())}
    labels = pd.DataFrame(
        {name: found[name] for name in found if name not in ("texts", "same", "scale")}
    )
    return Known(ranked(labels), found["same"], place, tuple(found["scale"]))


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
        same = log_odds(by_minilm(pairs["text_a"].tolist(), pairs["text_b"].tolist()))
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
    positive = known.labels["label"].to_numpy() > 0
    own = np.where(positive, -1, 1) * known.labels["own"].to_numpy()
    found = np.empty(len(positive))
    for sign, (level, same, of_own, share) in BEFORE[name].items():
        rows = positive == sign
        z = level + same * known.same[rows] + of_own * own[rows]
        found[rows] = z + brentq(
            lambda c, z=z, share=share: np.nanmean(sigmoid(z + c)) - share, -30, 30
        )
    return found


def judged_files(
    folder: Path, work: Path, model: str | None, table: pd.DataFrame
) -> dict[str, File]:
    """The judged pairs of each source, random or chosen."""
    found = {}
    for source, parts in SOURCES.items():
        if model and source == "Quora":
            continue
        each = []
        for part, path in parts.items():
            rows = table[(table["part"] == part) & (table["drawn"] != "follows")]
            if not len(rows):
                continue
            at_random = rows["drawn"].str.contains("random|natural")
            rows = rows.assign(random=at_random).sort_values(
                "random", ascending=False, kind="stable"
            )
            rows = rows.drop_duplicates(["text_a", "text_b"]).sort_index()
            of = known(folder, work, part, path, model, rows)
            ends = map(frozenset, rows[["text_a", "text_b"]].to_numpy().tolist())
            at = np.array([of.place.get(pair, -1) for pair in ends])
            same, at_random = rows["same"].to_numpy()[at >= 0], rows["random"].to_numpy()[at >= 0]
            at = at[at >= 0]
            labels = of.labels.iloc[at].reset_index(drop=True)
            wrong = (same != labels["label"]).to_numpy(float)
            each.append(File(labels, wrong, before(of, model or "words")[at], at_random))
        if each:
            labels = pd.concat([one.labels for one in each], ignore_index=True)
            found[source] = File(
                labels, *(np.concatenate(part) for part in [*zip(*each, strict=True)][1:])
            )
    return found


class Negatives(NamedTuple):
    """Judged negatives of a file: columns for its levels and slopes; which are wrong; and which are inferred."""

    x: np.ndarray
    wrong: np.ndarray
    follows: np.ndarray


def following(folder: Path, work: Path, table: pd.DataFrame) -> dict[str, Negatives]:
    """Judged negatives of each source with MiniLM, stated and inferred."""
    quora = pd.read_csv(
        folder / "qqp" / "judged_inferred.tsv", sep="\t", keep_default_na=False, dtype=str
    )
    quora = quora[quora["reading1"].isin(["s", "d"])].rename(
        columns={"question1": "text_a", "question2": "text_b"}
    )
    quora = quora.assign(
        part="qqp_natural", drawn="follows", same=quora["reading1"] == "s", label=0
    )
    table, found = pd.concat([table[table["label"] == 0], quora]), {}
    for source, parts in SOURCES.items():
        each = []
        for part, path in parts.items():
            rows = table[
                (table["part"] == part) & ((table["drawn"] == "follows") | (part != "qqp_natural"))
            ]
            follows = (rows["drawn"] == "follows").to_numpy()
            if not len(rows):
                continue
            if part == "qqp_natural":
                level, slope = quora_scale(folder, work)
            else:
                level, slope = known(folder, work, part, path, "minilm", rows[~follows]).scale
            same = log_odds(
                by_minilm(rows["text_a"].tolist(), rows["text_b"].tolist(), progress=False)
            )
            x = with_level(scaled((level, slope), same))
            each.append(Negatives(x, rows["same"].to_numpy(float), follows))
        if each:
            found[source] = Negatives(*(np.concatenate(part) for part in zip(*each, strict=True)))
    return found
