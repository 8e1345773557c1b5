"""A fine-tuned transformer that reads both sentences of a pair at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn

from ...learn.encoder import load, silence
from ...learn.tokens import Tokens, autocast
from .neural import Classes, Head, Schedule

__all__ = ["CrossEncoder"]


@dataclass(eq=False, kw_only=True)
class CrossEncoder(Head):
    """Fine-tune an encoder on pairs, as Devlin et al. (2019) do for sentence pairs (section 4.1, A.3).

    The input is ``[CLS] text_a [SEP] text_b [SEP]``; an output for each label, cross-entropy, AdamW without decay of
    biases and norms, gradients of norm 1 at most. The learning rate rises over a tenth of the steps, then falls to
    zero. The defaults lie inside their ranges: learning rate 2e-5 to 5e-5, batches of 16 or 32, 2 to 4 epochs.

    Examples
    --------
    >>> import paragraph as pg
    >>> few = pg.read_pairs(pg.DEMO)[:16]
    >>> model = CrossEncoder.made(epochs=1, progress=False).fit(few)
    >>> len(model.history), model.predict_proba(few).shape
    (1, (16,))
    """

    top = "ForSequenceClassification"
    kind = "cross-encoder"
    file = "pair_classifier.json"
    usual = Schedule(2e-5, epochs=3, patience=4, warmup=0.1, clip=1.0)
    loss = Classes()

    def inputs(self, pairs: pd.DataFrame, what: str) -> Tokens:
        a = pairs["text_a"].tolist()
        b = pairs["text_b"].tolist()
        return self.tokens(a, b, f"{what}pairs")

    def build(self, classes: int) -> nn.Module:
        seed = torch.initial_seed()  # the seed of the model
        return load(self.model, self.top, classes, seed)

    def optimizer(self, lr: float) -> torch.optim.Optimizer:
        """AdamW with a weight decay of .01, but none of biases and norms (the vectors among the parameters)."""
        decayed = []
        others = []
        for value in self.network.parameters():
            if value.ndim > 1:
                decayed.append(value)
            else:
                others.append(value)
        decayed = {"params": decayed, "weight_decay": 0.01}
        others = {"params": others, "weight_decay": 0.0}
        return torch.optim.AdamW([decayed, others], lr=lr, fused=True)

    def forward(self, inputs: Tokens, rows: np.ndarray) -> torch.Tensor:
        batch = inputs.batch(rows, self.device)
        with autocast(self.device):
            return self.network(**batch).logits.float()  # (rows, classes)

    def write(self, folder: Path) -> dict[str, str]:
        with silence():
            self.network.save_pretrained(folder)
            self.tokenizer.save_pretrained(folder)
        return {}

    def restore(self, path: Path, noted: dict) -> nn.Module:
        """Fitted again, the model starts from these weights."""
        self.network = load(path.parent, self.top).to(self.device)
        example = pd.DataFrame({"text_a": ["a"], "text_b": ["b"]})
        self.read(self.inputs(example, ""))  # only the work itself shows some damages
        return self.network
