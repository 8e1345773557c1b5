"""The cross-encoder as a tagger: a transformer that reads both sentences at once, fine-tuned on tagged words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
import torch
from scipy.special import expit
from torch import nn
from torch.nn import functional

from ....learn.encoder import load
from ....learn.tokens import Tokens, reading
from ...models.cross_encoder import CrossEncoder
from ...models.neural import Logit, Neural, Schedule
from ...models.training import shuffled_batches
from ..pieces import pieces, tokens_of
from ..scores import best_threshold
from . import Odds, Tagger, folds_of, provenance, sentences, tagged_part

__all__ = ["TagEncoder", "Words"]


class _Windows(NamedTuple):
    """The input of the network: a row for each run of words of one sentence beside a run of the other's."""

    tokens: Tokens
    heads: list[np.ndarray]  #: of each row, the token that stands for each of its words: the first of the word
    words: list[np.ndarray]  #: of each row, the numbers of its words among all words of the table
    aligned: np.ndarray  #: bool, one per row: both runs have the same place in their sentence
    count: np.ndarray  #: of each pair, its rows
    n: int  #: words of the table

    def of(self, rows: Iterable[int]) -> np.ndarray:
        """The numbers of all words of some rows."""
        return np.concatenate([self.words[row] for row in rows])


class _Words(Logit):
    """Two outputs for each word of a batch, by cross-entropy; of all words their log-odds."""

    def loss(self, logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(logits, labels) if logits.ndim == 2 else super().loss(logits, labels)


class TagEncoder(Tagger, Neural):
    """The tagger of a `Words` head."""

    head: Words

    @property
    def threshold(self) -> float:
        return self.head.threshold

    def fit(self, tags: pd.DataFrame) -> Self:
        """Learn from a tag table. Raises `PairsError` without tags, or with one tag only."""
        table, label = tagged_part(tags)
        held_out = folds_of(table, self.seed) == 0
        of_words = np.repeat(held_out, table["words_a"].map(len) + table["words_b"].map(len))
        if not held_out.any() or len(np.unique(label[~of_words])) < 2:  # too few
            held_out[:] = of_words[:] = False
        learnt, shown = (
            (self.head.inputs(table[pairs]), label[words].astype(np.int64)) if pairs.any() else None
            for pairs, words in ((~held_out, ~of_words), (held_out, of_words))
        )
        self.learn(learnt, shown)
        if shown:
            odds = self.head.read(shown[0]).numpy()
            self.head.threshold = best_threshold(shown[1], expit(odds))
        self.trained_on = provenance(self.head.about.trained_on, table)
        return self

    def _odds(self, table: pd.DataFrame) -> tuple[Odds, np.ndarray]:
        self.check_fitted()
        if not len(table):
            return [], np.empty(0, dtype=np.int64)
        seen, lengths = self.head.inputs(table), [table[name].map(len).to_numpy() for name in ("words_a", "words_b")]
        odds = self.head.read(seen).numpy()
        parts = np.split(odds, np.cumsum(np.stack(lengths, 1).ravel())[:-1])
        return list(zip(parts[::2], parts[1::2], strict=True)), seen.count


@dataclass(eq=False, kw_only=True)
class Words(CrossEncoder):
    """Fine-tune an encoder on tagged words, as Wang et al. (2022) do (section 4).

    The input is ``[CLS] text_a [SEP] text_b [SEP]``; two outputs G₀ and G₁ at the first sub-word of each word,
    cross-entropy, AdamW. A pair of more than `max_length` tokens is read in windows: each run of words of the one
    sentence beside each run of the other. A word's log-odds are then the least over its windows: the other sentence
    lacks it only if all of it does. The network learns from runs that have the same place in their sentence. The
    paper tries learning rates of 1e-5, 3e-5 and 5e-5 on larger models.

    A fifth of the training pairs, connected to none of the others, chooses the threshold and when to stop.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder; its tokenizer must be a fast one.
    max_length : int
        In tokens of both sentences.
    """

    max_length: int = 256

    threshold = 0.5  #: see `Tagger`
    kind, file, top, into = "tag cross-encoder", "tag_encoder.json", "ForTokenClassification", TagEncoder
    usual = Schedule(1e-4, epochs=8, patience=4, warmup=0.1, clip=1.0, evaluations=2)
    loss = _Words()

    def inputs(self, table: pd.DataFrame, what: str = "") -> _Windows:
        most = self.max_length - self.tokenizer.num_special_tokens_to_add(pair=True)
        rows, words, aligned, count, first = [], [], [], [], 0
        for a, b in zip(*sentences(table), strict=True):
            runs = pieces(self.tokenizer, [a, b], most)
            for (i, left), (j, right) in product(*map(enumerate, runs)):
                rows.append((left, right))
                of_a = first + left.first + np.arange(len(left.places))
                of_b = first + len(a.places) + right.first + np.arange(len(right.places))
                words.append(np.concatenate([of_a, of_b]))
                aligned.append(i == j)
            count.append(len(runs[0]) * len(runs[1]))
            first += len(a.places) + len(b.places)
        read = self.tokenizer(
            *([run.text for run in side] for side in zip(*rows, strict=True)), truncation=True,
            max_length=self.max_length, return_offsets_mapping=True, return_attention_mask=False,
        )  # fmt: skip
        tokens = Tokens.of(read, np.zeros(len(rows), dtype=bool), self.tokenizer)
        heads = []
        for at, sides in enumerate(rows):
            side_of = np.array([-1 if side is None else side for side in read.sequence_ids(at)])
            offsets, found = np.array(read["offset_mapping"][at]), []
            for k, run in enumerate(sides):
                its = np.append(np.flatnonzero(side_of == k), 0)  # behind the last, [CLS]: for words without a token
                found.append(its[tokens_of(run.places, offsets[its[:-1]])[0]])
            heads.append(np.concatenate(found))
        return _Windows(tokens, heads, words, np.array(aligned), np.array(count), first)

    def build(self, classes: int) -> nn.Module:
        return super().build(2)

    def forward(self, seen: _Windows, rows: np.ndarray) -> torch.Tensor:
        """G₀ and G₁ of each word of some rows: (words, 2)."""
        logits = super().forward(seen.tokens, rows)  # (rows, longest, 2)
        heads = [seen.heads[row] for row in rows]
        return logits[np.repeat(np.arange(len(rows)), [len(each) for each in heads]), np.concatenate(heads)]

    def labelled(self, seen: _Windows, rows: np.ndarray) -> np.ndarray:
        return seen.of(rows)

    def batches(self, seen: _Windows, size: int, seed: Any) -> list[np.ndarray]:
        rows = np.flatnonzero(seen.aligned)
        return [rows[at] for at in shuffled_batches(seen.tokens.lengths[rows], size, seed)]

    def read(self, seen: _Windows) -> torch.Tensor:
        """The log-odds of 1 of all words, the least over the windows of each."""
        found = np.full(seen.n, np.inf)
        with reading(seen.tokens.lengths, self.device, "tagging", "pair", progress=self.progress) as batches:
            for rows in batches:
                logits = self.forward(seen, rows).double().cpu().numpy()
                np.minimum.at(found, seen.of(rows), logits[:, 1] - logits[:, 0])
        return torch.from_numpy(found)

    def write(self, folder: Path) -> dict[str, Any]:
        return super().write(folder) | {"threshold": self.threshold}

    def restore(self, path: Path, noted: dict) -> nn.Module:
        self.threshold = float(noted["threshold"])
        return load(path.parent, self.top, fitted=True)
