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
from torch.nn import functional

from ....learn.cross_encoder import CrossEncoder
from ....learn.neural import Logit
from ....learn.tokens import Tokens, autocast, reading, shuffled_batches
from ..pieces import pieces, tokens_of
from ..scores import best_threshold
from . import Odds, Tagger, folds_of, provenance, sentences, tagged_part

__all__ = ["TagEncoder"]


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


@dataclass(eq=False, kw_only=True)
class TagEncoder(Tagger, CrossEncoder):
    """Fine-tune an encoder on tagged words, as Wang et al. (2022) do (section 4).

    The input is ``[CLS] text_a [SEP] text_b [SEP]``; two outputs G₀ and G₁ at the first sub-word of each word,
    cross-entropy, AdamW. A pair of more than `max_length` tokens is read in windows: each run of words of the one
    sentence beside each run of the other. A word's log-odds are then the least over its windows: the other sentence
    lacks it only if all of it does. The network learns from runs that have the same place in their sentence.

    A fifth of the training pairs, connected to none of the others, chooses the threshold and when to stop.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder; its tokenizer must be a fast one.
    lr : float
        The highest learning rate. The paper tries 1e-5, 3e-5 and 5e-5 on larger models.
    patience : int or None
        Stop after this many evaluations, two per epoch, without a lower loss on the fifth.
    max_length : int
        In tokens of both sentences.
    seed, device, progress
        As for `PairClassifier`.
    """

    lr: float = 1e-4
    epochs: int = 8
    patience: int | None = 4
    max_length: int = 256

    _kind, _saved, _top = "tag cross-encoder", "tag_encoder.json", "ForTokenClassification"
    _schedule = CrossEncoder._schedule | {"evaluations": 2}
    _head = Logit()  # of the log-odds of a word, by which training is evaluated

    def fit(self, tags: pd.DataFrame) -> Self:
        """Learn from a tag table. Raises `PairsError` without tags, or with one tag only."""
        table, label = tagged_part(tags)
        held_out = folds_of(table, self.seed) == 0
        of_words = np.repeat(held_out, table["words_a"].map(len) + table["words_b"].map(len))
        if not held_out.any() or len(np.unique(label[~of_words])) < 2:  # too few
            held_out[:] = of_words[:] = False
        learnt, shown = (
            (self._windows(table[pairs]), label[words].astype(np.int64)) if pairs.any() else None
            for pairs, words in ((~held_out, ~of_words), (held_out, of_words))
        )
        self._learn(*learnt, shown)
        if shown:
            self.threshold = best_threshold(shown[1], expit(self._logits(shown[0]).numpy()))
        self.trained_on = provenance(self._about().trained_on, table)
        return self

    def _odds(self, table: pd.DataFrame) -> tuple[Odds, np.ndarray]:
        self._check_fitted()
        if not len(table):
            return [], np.empty(0, dtype=np.int64)
        seen, lengths = self._windows(table), [table[name].map(len).to_numpy() for name in ("words_a", "words_b")]
        parts = np.split(self._logits(seen).numpy(), np.cumsum(np.stack(lengths, 1).ravel())[:-1])
        return list(zip(parts[::2], parts[1::2], strict=True)), seen.count

    def _windows(self, table: pd.DataFrame) -> _Windows:
        most = self.max_length - self._tokenizer.num_special_tokens_to_add(pair=True)
        rows, words, aligned, count, first = [], [], [], [], 0
        for a, b in zip(*sentences(table), strict=True):
            runs = pieces(self._tokenizer, [a, b], most)
            for (i, left), (j, right) in product(*map(enumerate, runs)):
                rows.append((left, right))
                of_a = first + left.first + np.arange(len(left.places))
                of_b = first + len(a.places) + right.first + np.arange(len(right.places))
                words.append(np.concatenate([of_a, of_b]))
                aligned.append(i == j)
            count.append(len(runs[0]) * len(runs[1]))
            first += len(a.places) + len(b.places)
        read = self._tokenizer(
            *([run.text for run in side] for side in zip(*rows, strict=True)), truncation=True,
            max_length=self.max_length, return_offsets_mapping=True, return_attention_mask=False,
        )  # fmt: skip
        tokens = Tokens.of(read, np.zeros(len(rows), dtype=bool), self._tokenizer)
        heads = []
        for at, sides in enumerate(rows):
            side_of = np.array([-1 if side is None else side for side in read.sequence_ids(at)])
            offsets, found = np.array(read["offset_mapping"][at]), []
            for k, run in enumerate(sides):
                its = np.append(np.flatnonzero(side_of == k), 0)  # behind the last, [CLS]: for words without a token
                found.append(its[tokens_of(run.places, offsets[its[:-1]])[0]])
            heads.append(np.concatenate(found))
        return _Windows(tokens, heads, words, np.array(aligned), np.array(count), first)

    def _forward(self, seen: _Windows, rows: np.ndarray) -> torch.Tensor:
        """G₀ and G₁ of each word of some rows: (words, 2)."""
        with autocast(self.device):
            logits = self._module(**seen.tokens.batch(rows, self.device)).logits.float()  # (rows, longest, 2)
        heads = [seen.heads[row] for row in rows]
        return logits[np.repeat(np.arange(len(rows)), [len(each) for each in heads]), np.concatenate(heads)]

    def _loss_of(self, seen: _Windows, target: torch.Tensor, rows: np.ndarray) -> torch.Tensor:
        return functional.cross_entropy(self._forward(seen, rows), target[seen.of(rows)])

    def _batches(self, seen: _Windows, number: int) -> list[np.ndarray]:
        rows = np.flatnonzero(seen.aligned)
        lengths = seen.tokens.lengths[rows]
        return [rows[at] for at in shuffled_batches(lengths, self.batch_size, (self.seed, number))]

    def _logits(self, seen: _Windows) -> torch.Tensor:
        """The log-odds of 1 of all words, the least over the windows of each."""
        found = np.full(seen.n, np.inf)
        with reading(seen.tokens.lengths, self.device, "tagging", "pair", progress=self.progress) as batches:
            for rows in batches:
                logits = self._forward(seen, rows).double().cpu().numpy()
                np.minimum.at(found, seen.of(rows), logits[:, 1] - logits[:, 0])
        return torch.from_numpy(found)

    def _write(self, folder: Path) -> dict[str, Any]:
        return super()._write(folder) | {"threshold": self.threshold}

    def _read(self, folder: Path, noted: dict) -> None:
        super()._read(folder, noted)
        self.threshold = float(noted["threshold"])
