"""Paraphrases that a sequence-to-sequence model writes, fine-tuned on chosen pairs."""

from __future__ import annotations

import tempfile
import warnings
from os import PathLike
from pathlib import Path
from typing import Any, Self

import pandas as pd
import torch
from tqdm.auto import tqdm

from ...pairs import PairsError
from ...pairs.outputs import together
from ..pairs.training import own_randomness
from ..pretrained.batches import pick_device
from ..pretrained.find import describe, load_seq2seq, load_tokenizer, silent, write_transformer
from .paraphrases import THETA, Paraphraser, Proposal, shares

__all__ = ["Seq2SeqParaphraser"]

#: Texts that are written at a time.
_BATCH = 16


class Seq2SeqParaphraser(Paraphraser):
    """A model such as BART writes the paraphrases, by beam search (Wang et al. 2022, section 5.3).

    Parameters
    ----------
    model : str or path
        A hub id, or a folder: any encoder-decoder of `transformers`, or what `save` wrote.
    tagger, theta
        As for `Paraphraser`; `fit` chooses its pairs by them too.
    epochs, lr, batch_size, seed
        Of the fine-tuning, by transformers' own Seq2SeqTrainer.
    max_length : int
        In tokens. Longer texts are cut, and counted in a warning.
    """

    def __init__(
        self, model: str | PathLike, tagger: Any = None, theta: float = THETA, *, epochs: int = 3, lr: float = 3e-5,
        batch_size: int = 16, max_length: int = 128, seed: int = 0, device: str | None = None,
    ):  # fmt: skip
        super().__init__(tagger, theta)
        about = describe(model)
        self.name, self.trained_on, self.device = about.name, about.trained_on, pick_device(device)
        self.max_length = min(max_length, about.max_length)
        self._options = {"num_train_epochs": epochs, "learning_rate": lr, "seed": seed}
        self._options["per_device_train_batch_size"] = batch_size
        self._tokenizer, self._module = load_tokenizer(model), load_seq2seq(model).to(self.device)

    def fit(self, pairs: pd.DataFrame, *, progress: bool = True) -> Self:
        """Fine-tune on the paraphrases among the pairs, each in both directions.

        Of those with `label` 1 (of all, where there is no such column) those in which the tagger tags a share of the
        words of `theta` at most; with ``theta=0`` strict paraphrases, as a generation score wants them. Raises
        `PairsError` where there is none.
        """
        from transformers import DataCollatorForSeq2Seq, Seq2SeqTrainer, Seq2SeqTrainingArguments
        from transformers.trainer_callback import PrinterCallback

        chosen = pairs[pairs["label"] == 1] if "label" in pairs else pairs
        if self.tagger is not None and len(chosen):
            chosen = chosen[shares(self.tagger.tag(chosen)) <= self.theta]
        if not len(chosen):
            raise PairsError(
                f"of {len(pairs):,} pairs none is a paraphrase with a tagged share of at most {self.theta}"
            )
        a, b = chosen["text_a"].tolist(), chosen["text_b"].tolist()
        rows = self._tokens(a + b)
        rows = [{"input_ids": x, "labels": y} for x, y in zip(rows, rows[len(a) :] + rows[: len(a)], strict=True)]
        with tempfile.TemporaryDirectory() as folder, silent(), own_randomness(self._options["seed"]):
            asked = Seq2SeqTrainingArguments(
                folder, **self._options, save_strategy="no", logging_strategy="no", report_to=[],
                disable_tqdm=not progress, use_cpu=self.device.type == "cpu", dataloader_pin_memory=False,
            )  # fmt: skip
            collator = DataCollatorForSeq2Seq(self._tokenizer, self._module)
            trainer = Seq2SeqTrainer(self._module, asked, collator, rows)
            trainer.remove_callback(PrinterCallback)
            trainer.train()
        self._module.eval()
        self.trained_on += f"; {len(chosen):,} pairs of paraphrases"
        return self

    @torch.inference_mode()
    def _propose(self, texts: list[str], n: int, progress: bool) -> list[list[Proposal]]:
        rows, beams, found = self._tokens(texts), max(4, n), []
        for at in tqdm(range(0, len(texts), _BATCH), "writing", delay=2, leave=False, disable=not progress):
            some = self._tokenizer.pad({"input_ids": rows[at : at + _BATCH]}, return_tensors="pt").to(self.device)
            options = {"num_beams": beams, "num_return_sequences": beams, "do_sample": False}
            ids = self._module.generate(**some, **options, max_new_tokens=self.max_length)
            written = [text.strip() for text in self._tokenizer.batch_decode(ids, skip_special_tokens=True)]
            for i in range(0, len(written), beams):
                each = dict.fromkeys(filter(None, written[i : i + beams]))
                found.append([(text, f"written by {Path(self.name).name}", []) for text in each])
        return found

    def _tokens(self, texts: list[str]) -> list[list[int]]:
        if not texts:
            return []
        if longer := sum(len(ids) > self.max_length for ids in self._tokenizer(texts, verbose=False)["input_ids"]):
            warnings.warn(f"{longer:,} texts are longer than {self.max_length} tokens and were cut", stacklevel=4)
        return self._tokenizer(texts, truncation=True, max_length=self.max_length)["input_ids"]

    def save(self, folder: str | PathLike) -> None:
        """Write weights and tokenizer, as `transformers` writes them."""
        with together(Path(folder)) as stage:
            write_transformer(self._module, self._tokenizer, stage)
