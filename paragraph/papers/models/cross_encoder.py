"""A fine-tuned transformer that reads both sentences of a pair at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import nn

from ...files.errors import as_pairs_error
from ...learn.encoder import describe, silence
from ...learn.tokens import Tokens, autocast
from .neural import Neural

__all__ = ["CrossEncoder"]


@dataclass(eq=False, kw_only=True)
class CrossEncoder(Neural):
    """Fine-tune an encoder on pairs, as Devlin et al. (2019) do for sentence pairs (section 4.1, A.3).

    The input is ``[CLS] text_a [SEP] text_b [SEP]``; one output, AdamW without decay of biases and norms, gradients
    of norm 1 at most. The learning rate rises over a tenth of the steps, then falls to zero. The defaults lie inside
    their ranges: learning rate 2e-5 to 5e-5, batches of 16 or 32, 2 to 4 epochs.

    Examples
    --------
    >>> import paragraph as pg
    >>> few = pg.read_pairs(pg.DEMO)[:16]
    >>> model = CrossEncoder(epochs=1, progress=False).fit(few)
    >>> len(model.history), model.predict_proba(few).shape
    (1, (16,))
    """

    lr: float = 2e-5
    epochs: int = 3
    patience: int | None = 4

    kind = "cross-encoder"
    file = "pair_classifier.json"

    @property
    def outputs(self) -> int:
        """The number of logits of a pair."""
        return 1

    def inputs(self, pairs: pd.DataFrame, what: str) -> Tokens:
        return self.tokens(pairs["text_a"].tolist(), pairs["text_b"].tolist(), what=f"{what}pairs")

    def build(self) -> nn.Module:
        from transformers import AutoModelForSequenceClassification

        folder = describe(self.model).folder
        options = {"num_labels": self.outputs, "use_safetensors": True, "trust_remote_code": False}
        with silence(), as_pairs_error(folder, "fetch the model again"):
            network = AutoModelForSequenceClassification.from_pretrained(folder, **options)
        return network.float().eval()

    def optimizer(self) -> torch.optim.Optimizer:
        """AdamW with a weight decay of .01, but none of biases and norms (the vectors among the parameters)."""
        groups = []
        for is_matrix, decay in ((True, 0.01), (False, 0.0)):
            some = [value for value in self.network.parameters() if (value.ndim > 1) == is_matrix]
            groups.append({"params": some, "weight_decay": decay})
        return torch.optim.AdamW(groups, lr=self.lr, fused=True)

    def forward(self, inputs: Tokens, rows: np.ndarray) -> torch.Tensor:
        batch = inputs.batch(rows, self.device)
        with autocast(self.device):
            logits = self.network(**batch).logits.float()  # (rows, outputs)
        return logits.squeeze(1)
