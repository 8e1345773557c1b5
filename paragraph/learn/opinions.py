"""Opinions on pairs: of a model that has seen nothing connected with a pair, or of one that is trained already."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Callable, Sequence
from inspect import signature
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit, softmax
from tqdm.auto import tqdm

from ..measure.splits import sides
from ..pairs import PairsError
from ..pairs.tables import row_name
from .baselines import cosine
from .encoder import MissingModel, describe
from .judge import Judge
from .models import MODELS, holds_model, load_model, make_model
from .vectors import encode_pairs

__all__ = ["Head", "head_of", "out_of_fold", "pair_opinions", "ready"]

#: What the output for a paraphrase is called, in small letters and without "is_".
_SAME = {"paraphrase", "equivalent", "semantically_equivalent", "duplicate", "same", "similar", "yes", "true", "1"}
_ENTAILMENT = [["contradiction", "entailment", "neutral"], ["entailment", "not_entailment"]]
#: From pairs to P(paraphrase).
Asked = Callable[[pd.DataFrame], np.ndarray]


def out_of_fold(
    pairs: pd.DataFrame,
    model: str | Callable[[int], Any] = "embedding",
    folds: int = 5,
    seed: int = 0,
    *,
    progress: bool = True,
) -> np.ndarray:
    """P(paraphrase) of each row, from a model that has seen neither the pair nor its component.

    Every sentence gets one of `folds` sides, as in `splits.split`: what any row joins stays on one side. The rows of
    a side are predicted by a model trained on the labelled rows of all other sides.

    Where one component holds more than a fold's share of the rows, it is cut between its clusters, with a warning. A
    row that joins two sides is then predicted by a model trained on the rows that touch neither of them: up to
    folds · (folds − 1) / 2 more models. No training row ever holds a sentence of the pair or of either sentence's
    cluster, so no pair from which its label could be inferred was seen; and where nothing was cut, no sentence of
    its component.

    Parameters
    ----------
    pairs : DataFrame
        A pair table; rows without a label are predicted, and train nothing.
    model : name or callable
        As in `make_model`; the model gets `seed`.
    folds : int
        Two or more; with a component that has to be cut, three or more.
    seed : int
        Decides between components of equal size, and is the model's.

    Raises
    ------
    PairsError
        No rows; fewer folds than two; a model that is left without rows of both labels.

    Examples
    --------
    >>> pairs = pd.DataFrame({"text_a": ["Is tea hot?", "Who won?", "Who sings?", "Why so late?"] * 2})
    >>> pairs["text_b"] = ["Is the tea hot?", "Who won it?", "Is it cold?", "What time?"] * 2
    >>> pairs["label"] = [1, 1, 0, 0] * 2
    >>> out_of_fold(pairs, "tfidf", folds=2, progress=False).round().tolist()
    [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    """
    if folds < 2:
        raise PairsError(f"{folds} folds: two or more are needed")
    if not len(pairs):
        raise PairsError("there are no pairs")
    first, second = _fold_of_ends(pairs, folds, seed)
    has_label = pairs["label"].notna().to_numpy()
    met = [(k, k) for k in range(folds)] + [*combinations(range(folds), 2)]
    rows_of = {ends: np.flatnonzero((first == ends[0]) & (second == ends[1])) for ends in met}
    rows_of = {ends: rows for ends, rows in rows_of.items() if len(rows)}

    found = np.full(len(pairs), np.nan)
    name = model if isinstance(model, str) else "the model"
    options = {} if callable(model) or model == "tfidf" else {"progress": progress}
    for ends, rows in tqdm(rows_of.items(), "out of fold", unit=" model", disable=not progress):
        apart = has_label & ~np.isin(first, ends) & ~np.isin(second, ends)
        try:
            fitted = make_model(model, seed, **options).fit(pairs[apart])
        except PairsError as error:
            k, other = ends[0] + 1, ends[1] + 1
            named = f"fold {k}" if k == other else f"rows between folds {k} and {other}"
            learns = f"the model for {named} of {folds} has {apart.sum():,} rows to learn from"
            raise PairsError(f"{learns}: {error}; with more folds it has more") from error
        found[rows] = p = np.asarray(fitted.predict_proba(pairs.iloc[rows]), dtype=np.float64)
        if (odd := ~((p >= 0) & (p <= 1))).any():
            row = row_name(pairs, int(rows[odd][0]))
            raise PairsError(f"{row}: {name} answers {p[odd][0]}, which is no probability from 0 to 1")
    return found


def _fold_of_ends(pairs: pd.DataFrame, folds: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The folds of both sentences of each row, the smaller one first."""
    # The sides of bipartite data are different things: it has no clusters to cut between.
    by = "components" if pairs.attrs.get("bipartite") else "clusters"
    found = sides(pairs, [1 / folds] * folds, by, seed)
    a, b = found.side[found.a], found.side[found.b]
    fair = len(pairs) / folds
    if found.thing == "cluster":
        more = f"{np.sum(a != b):,} of {len(pairs):,} rows join two folds and get models of their own"
        said = f"one component holds more than a fold's share and was cut between its clusters; {more}"
        warnings.warn(said, stacklevel=3)  # at the line that called out_of_fold
    if found.largest > fair:
        more = f"more than the {fair:,.0f} of a fair fold; it stays whole, so the folds are uneven"
        warnings.warn(f"one {found.thing} holds {found.largest:,} of {len(pairs):,} rows, {more}", stacklevel=3)
    return np.minimum(a, b), np.maximum(a, b)


def pair_opinions(
    pairs: pd.DataFrame,
    model: str | os.PathLike | Callable[[int], Any] | Judge = "embedding",
    folds: int = 5,
    seed: int = 0,
    encoder: str | os.PathLike = "minilm",
    *,
    progress: bool = True,
) -> pd.DataFrame:
    """Two opinions on each pair, as columns of evidence for a repair of labels.

    Parameters
    ----------
    pairs : DataFrame
        A pair table; a pair without a label gets opinions too.
    model : name, callable, folder or hub id
        The first of these that it is:

        - a name as in `make_model`, or a function from a seed to a model: trained on these pairs, *out of fold*;
        - the folder of a model that `save` has written: the mean of both orders of a pair;
        - the folder of a sequence classifier of `transformers`, or its id on the Hugging Face hub: of paraphrases, of
          entailment, or with one output (see `head_of`). Code that it brings is never run;
        - a `Judge`, which asks anything else.

        The last three are asked as they are, *not out of fold*: if they were trained on these pairs, they repeat
        their labels.
    folds, seed
        As in `out_of_fold`.
    encoder : str or path
        Of the cosine.

    Returns
    -------
    DataFrame
        A row for each row of `pairs`, in their order: text_a, text_b, model (P(paraphrase)), cosine (of the two
        embeddings, in [-1, 1]). ``.attrs`` say where they come from: ``"model"``, its name; ``"out_of_fold"``,
        whether it has seen neither the pair nor its component; ``"reads"``, what P is made of; ``"trained_on"``, what
        its weights, or those of the encoder, have seen: on such data both opinions are better than on unseen data.

    Notes
    -----
    Labels that are wrong in the same way everywhere bias all models, which then agree with them.
    """
    table = pairs[["text_a", "text_b"]].reset_index(drop=True)
    if isinstance(model, Judge):
        table["model"] = model(table["text_a"].tolist(), table["text_b"].tolist())
        about = {"model": model.name, "out_of_fold": False, "reads": "P(same), the mean of both orders"}
        about["trained_on"] = "unknown: a judge of the user's"
    elif callable(model) or model in MODELS:
        if callable(model) and sum(each.default is each.empty for each in signature(model).parameters.values()) == 2:
            raise PairsError("a function of two lists of texts is a judge: pass paragraph.Judge(function)")
        table["model"] = out_of_fold(pairs, model, folds, seed, progress=progress)
        name = model if isinstance(model, str) else getattr(model, "__name__", "a function")
        about = {"model": name, "out_of_fold": True, "reads": "P(paraphrase), out of fold"}
        about["trained_on"] = describe(encoder, progress=progress).trained_on
    else:
        asked, reads = ready(model, progress=progress)
        table["model"] = asked(table)
        about = {"out_of_fold": False} | reads
    table["cosine"] = cosine(pairs, encoder, progress=progress)
    table.attrs = about
    return table


def ready(model: str | os.PathLike, *, progress: bool = True) -> tuple[Asked, dict[str, str]]:
    """Return a function from pairs to P(paraphrase), of a model that is trained already, and its description.

    It is asked about both orders of a pair, and what a classifier of `transformers` says is kept on disk (see
    `encode`).

    Parameters
    ----------
    model : str or path
        The folder of a model that `save` has written, or a classifier of `transformers`; see `pair_opinions`.

    Raises
    ------
    PairsError
        A name of `MODELS`, which is trained nowhere yet. No such model; one without a classification head, or with
        labels that do not say what they mean; one that brings code; one that regresses on a scale of its own.
    """
    model = os.fspath(model)
    if model in MODELS:
        why = "learns from these pairs and is then asked about all of them: pass its pair_opinions as evidence"
        raise PairsError(f"model {model!r} {why}")
    if holds_model(model):
        own, reads = load_model(model), "P(paraphrase), the mean of both orders"
        own.progress = progress
        turned = {"text_a": "text_b", "text_b": "text_a"}

        def asked(table: pd.DataFrame) -> np.ndarray:
            return (own.predict_proba(table) + own.predict_proba(table.rename(columns=turned))) / 2

        return asked, {"model": own.name, "reads": reads, "trained_on": own.trained_on}
    try:
        about = describe(model, progress=progress)
    except MissingModel as error:
        raise MissingModel(f"{error}. A name is one of {', '.join(MODELS)}") from error
    head = head_of(about.labels, about.name)
    kind = json.loads((about.folder / "config.json").read_text(encoding="utf-8")).get("problem_type")
    if kind in ("regression", "multi_label_classification"):
        why = f"its config.json says {kind}, so its outputs are no probabilities and their scale is unknown"
        raise PairsError(f"{about.name}: {why}. Pass a function of it as the model, or columns as evidence")

    def outputs(table: pd.DataFrame) -> np.ndarray:
        a, b = table["text_a"].tolist(), table["text_b"].tolist()
        return head.probability(encode_pairs(a + b, b + a, model, pooling="head", progress=progress))

    return outputs, {"model": about.name, "reads": head.reads, "trained_on": about.trained_on}


class Head(NamedTuple):
    """The way from the outputs of a classification head to P(paraphrase) of a pair."""

    output: int  #: the one that speaks for a paraphrase
    entails: bool  #: it says that the first sentence entails the second
    reads: str  #: the same in words

    def probability(self, outputs: np.ndarray) -> np.ndarray:
        """P(paraphrase), (n,), from the outputs for both orders: (n, outputs) in this order, then (n, outputs)."""
        outputs = outputs.astype(np.float64)
        p = expit(outputs[:, 0]) if outputs.shape[1] == 1 else softmax(outputs, axis=1)[:, self.output]
        both = p.reshape(2, -1)
        return both.min(axis=0) if self.entails else both.mean(axis=0)


def head_of(labels: Sequence[str], name: str = "the model") -> Head:
    """The reading of a head with these labels, upper and lower case alike.

    *Paraphrase*, two labels: one is "paraphrase", "equivalent", "duplicate", "same", "similar", "yes" or "true"; of
    LABEL_0 and LABEL_1, which say nothing, LABEL_1. The mean of both orders of the pair, so that P(a, b) = P(b, a).
    *Entailment*, two or three labels: "entailment", and "neutral" and "contradiction", or "not_entailment".
    Paraphrases entail each other: the least of both ways.
    *Score*, one output: its sigmoid, the mean of both orders. A probability where the head was trained with the
    logistic loss, as cross-encoders of sentence-transformers are; else it keeps the order alone.

    Raises
    ------
    PairsError
        Other labels.

    Examples
    --------
    >>> head_of(["CONTRADICTION", "ENTAILMENT", "NEUTRAL"]).reads
    "P('ENTAILMENT'), the least of both ways"
    >>> head_of(["not_duplicate", "duplicate"]).reads
    "P('duplicate'), the mean of both orders"
    """
    said = [re.sub(r"\W+", "_", label.strip().lower()).removeprefix("is_") for label in labels]
    same = [i for i, label in enumerate(said) if label in _SAME or label.rstrip("s") in _SAME]
    if len(said) == 1:
        return Head(0, False, "sigmoid of its one output, the mean of both orders")
    if sorted(said) in _ENTAILMENT:
        at = said.index("entailment")
        return Head(at, True, f"P({labels[at]!r}), the least of both ways")
    if said == ["label_0", "label_1"]:
        same = [1]
    if len(said) != 2 or len(same) != 1:
        named = ", ".join(map(repr, labels)) or "not at all: it has no classification head"
        names = "as id2label: not_paraphrase and paraphrase, or entailment, neutral and contradiction"
        why = f"its outputs are called {named}, which does not say which one means a paraphrase"
        raise PairsError(f"{name}: {why}. Name them in its config.json, {names}")
    return Head(same[0], False, f"P({labels[same[0]]!r}), the mean of both orders")
