"""The cross-encoder as a tagger: a transformer that reads both sentences at once, fine-tuned on tagged words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
import torch
from scipy.special import expit
from torch.nn import functional

from ...measure.scoring import best_threshold
from ..pairs.cross_encoder import adamw
from ..pairs.neural import NeuralModel
from ..pairs.training import make_plan
from ..pretrained.batches import Tokens, autocast, reading, shuffled_batches
from ..pretrained.find import load_tokenizer, load_word_classifier, write_transformer
from ..pretrained.words import pieces, tokens_of
from .taggers import Odds, Tagger, folds_of, provenance, sentences, tagged_part

__all__ = ["TagEncoder"]

#: Rows and tokens of a batch when nothing is learnt.
_BATCH = 128, 4096


class _Windows(NamedTuple):
    """What the network reads: a row for each run of words of one sentence beside a run of the other's."""

    tokens: Tokens
    heads: list[np.ndarray]  #: of each row, the token that stands for each of its words: the first of the word
    words: list[np.ndarray]  #: of each row, the numbers of its words among all words of the table
    aligned: np.ndarray  #: bool, one a row: both runs have the same place in their sentence
    count: np.ndarray  #: of each pair, its rows
    n: int  #: words of the table

    def of(self, rows: Iterable[int]) -> np.ndarray:
        """The numbers of all words of some rows."""
        return np.concatenate([self.words[row] for row in rows])


@dataclass(eq=False, kw_only=True)
class TagEncoder(Tagger, NeuralModel):
    """Fine-tune an encoder on tagged words, as Wang et al. (2022) do (section 4).

    The input is ``[CLS] text_a [SEP] text_b [SEP]``; two outputs G₀ and G₁ at the first sub-word of each word,
    cross-entropy, AdamW. A pair of more than `max_length` tokens is read in windows: each run of words of the one
    sentence beside each run of the other. A word's log-odds are then the least over its windows, for the other
    sentence lacks it only if all of it does. The network learns from runs that have the same place in their sentence.

    A fifth of the training pairs, connected to none of the others, chooses the threshold and when to stop.

    Parameters
    ----------
    model : str or path
        The encoder: "minilm", a hub id, or a folder; its tokenizer must be a fast one.
    lr : float
        The highest learning rate. The paper tries 1e-5, 3e-5 and 5e-5 on larger models.
    batch_size, epochs : int
    patience : int or None
        Stop after so many evaluations, two an epoch, without a lower loss on the fifth.
    max_length : int
        In tokens of both sentences.
    warmup : float
    seed, device, checkpoint, checkpoint_seconds, progress
        As for `PairClassifier`.
    """

    lr: float = 1e-4
    epochs: int = 8
    patience: int | None = 4
    max_length: int = 256
    warmup: float = 0.1

    _kind, _saved = "tag cross-encoder", "tag_encoder.json"
    predict_proba = None  # it speaks of words, not of pairs

    def fit(self, tags: pd.DataFrame, progress: bool | None = None) -> Self:
        """Learn from a tag table. Raises `PairsError` without tags, or with one tag only."""
        if progress is not None:
            self.progress = progress
        table, label = tagged_part(tags)
        seen, target = self._windows(table), torch.from_numpy(label)
        held_out = folds_of(table, 5, self.seed) == 0
        word_held_out = np.repeat(held_out, table["words_a"].map(len) + table["words_b"].map(len))
        evaluate = None
        if 0 < label[~word_held_out].sum() < (~word_held_out).sum() and held_out.any():  # else too few
            shown, truth = self._windows(table[held_out]), target[word_held_out]

            def evaluate() -> tuple[float, float]:
                odds = torch.from_numpy(self._word_odds(shown))
                return (
                    functional.binary_cross_entropy_with_logits(odds, truth).item(),
                    ((odds > 0) == (truth > 0)).double().mean().item(),
                )

        else:
            held_out[:] = False
        rows = np.flatnonzero(seen.aligned & ~np.repeat(held_out, seen.count))
        target = target.long().to(self.device)

        def loss(batch: np.ndarray) -> torch.Tensor:
            return functional.cross_entropy(self._forward(seen, batch), target[seen.of(batch)])

        def batches(seed: tuple[int, int]) -> list[np.ndarray]:
            return [rows[at] for at in shuffled_batches(seen.tokens.lengths[rows], self.batch_size, seed)]

        self._module = load_word_classifier(self.model, seed=self.seed).to(self.device)
        plan = make_plan(self.epochs, batches, self.seed)
        self._train(
            adamw(self._module, self.lr), loss, plan, evaluate, [seen.tokens, label, held_out, *self._fingerprint()]
        )
        if evaluate is not None:
            self.threshold = best_threshold(truth.numpy(), expit(self._word_odds(shown)))
        self.trained_on = provenance(self._describe().trained_on, table)
        return self

    @property
    def _schedule(self) -> dict[str, float | None]:
        return {"warmup": self.warmup, "clip": 1.0, "evaluations": 2}

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self.model)

    def _odds(self, table: pd.DataFrame) -> tuple[Odds, np.ndarray]:
        self._check_fitted()
        if not len(table):
            return [], np.empty(0, dtype=np.int64)
        seen, lengths = self._windows(table), [table[name].map(len).to_numpy() for name in ("words_a", "words_b")]
        parts = np.split(self._word_odds(seen), np.cumsum(np.stack(lengths, 1).ravel())[:-1])
        return list(zip(parts[::2], parts[1::2], strict=True)), seen.count

    def _windows(self, table: pd.DataFrame) -> _Windows:
        most = self.max_length - self._tokenizer.num_special_tokens_to_add(pair=True)
        rows, first, count = [], 0, []
        for a, b in zip(*sentences(table), strict=True):
            runs = pieces(self._tokenizer, [a, b], most)
            rows += [
                (left, right, first + left.first, first + len(a.places) + right.first, i == j)
                for (i, left), (j, right) in product(*map(enumerate, runs))
            ]
            count.append(len(runs[0]) * len(runs[1]))
            first += len(a.places) + len(b.places)
        read = self._tokenizer(
            [row[0].text for row in rows], [row[1].text for row in rows], truncation=True, max_length=self.max_length,
            return_offsets_mapping=True, return_attention_mask=False,
        )  # fmt: skip
        tokens = Tokens.of(read, np.zeros(len(rows), dtype=bool), self._tokenizer.pad_token_id)
        heads, words = [], []
        for at, (*sides, of_a, of_b, _) in enumerate(rows):
            side_of = np.array([-1 if side is None else side for side in read.sequence_ids(at)])
            offsets, found = np.array(read["offset_mapping"][at]), []
            for k, piece in enumerate(sides):
                its = np.append(np.flatnonzero(side_of == k), 0)  # behind the last, [CLS]: for words without a token
                found.append(its[tokens_of(piece.places, offsets[its[:-1]])[0]])
            heads.append(np.concatenate(found))
            numbers = [k + np.arange(len(piece.places)) for k, piece in zip((of_a, of_b), sides, strict=True)]
            words.append(np.concatenate(numbers))
        return _Windows(tokens, heads, words, np.array([row[-1] for row in rows]), np.array(count), first)

    def _forward(self, seen: _Windows, rows: np.ndarray) -> torch.Tensor:
        """G₀ and G₁ of each word of some rows: (words, 2)."""
        with autocast(self.device):
            logits = self._module(**seen.tokens.batch(rows, self.device)).logits.float()  # (rows, longest, 2)
        heads = [seen.heads[row] for row in rows]
        return logits[np.repeat(np.arange(len(rows)), [len(each) for each in heads]), np.concatenate(heads)]

    def _word_odds(self, seen: _Windows) -> np.ndarray:
        """The log-odds of 1 of all words, the least over the windows of each."""
        found = np.full(seen.n, np.inf)
        with reading(seen.tokens.lengths, self.device, _BATCH, "tagging", "pair", self.progress) as batches:
            for rows in batches:
                logits = self._forward(seen, rows).double().cpu().numpy()
                np.minimum.at(found, seen.of(rows), logits[:, 1] - logits[:, 0])
        return found

    def _write(self, folder: Path) -> dict[str, Any]:
        write_transformer(self._module, self._tokenizer, folder)
        return {"name": self.name, "trained_on": self.trained_on, "threshold": self.threshold}

    def _read(self, folder: Path, noted: dict) -> None:
        self.name, self.trained_on, self.threshold = noted["name"], noted["trained_on"], float(noted["threshold"])
        self._module = load_word_classifier(folder, fitted=True)
