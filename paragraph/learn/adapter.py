"""A trained judge that reads both sentences of a pair together: a frozen encoder, and small matrices beside it."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import nn

from ..files.errors import as_pairs_error
from ..files.records import read_record
from ..graph.arrays import Array
from .encoder import describe, find_here, load, load_tokenizer
from .tokens import Device, Tokens, pick_device, read_all

__all__ = ["DOUBT", "FILE", "Adapter", "Network"]

#: The file of a folder that says how an adapter was made; its weights are beside it.
FILE = "adapter.json"
#: Log-odds below which `Adapter.logits` reads a pair in both orders. On Quora's pairs this saves a third of the
#: readings; no AUC on judged pairs moves by .002, and 98 % of the first 5 % of `doubts.suspects` stay.
DOUBT = 1.5


class Adapter:
    """Low-rank adapters of an encoder (Hu and others 2021, LoRA), as ``papers.make_model("adapter")`` trains them.

    The product of two small matrices is added to each linear map W of the encoder's layers, W x + B A x. The vector
    of [CLS] and the mean over all tokens give one logit. The matrices are saved in half precision: 1.3 MB at rank 16,
    where the whole encoder has 90 MB.

    Parameters
    ----------
    folder : path
        The folder that the model's `save` has written; the encoder has to be on this machine.

    Raises
    ------
    MissingModel, PairsError
        No such encoder; one that has changed since; a damaged file.
    """

    def __init__(self, folder: str | PathLike, device: Device = None, *, progress: bool = True):
        path = Path(folder, FILE)
        self.device = pick_device(device)
        self.progress = progress
        damaged = "it is damaged: train the model and save it again"
        with as_pairs_error(path.parent, damaged), torch.random.fork_rng(devices=[]):
            noted = read_record(path)
            model = find_here(noted["model"], path, noted["encoder"])
            self.about = describe(model)
            self._tokenizer = load_tokenizer(model)
            options = noted["options"]
            self.max_length = min(options["max_length"], self.about.max_length)
            self.network = Network(load(model), options["rank"])
            self.network.take(load_file(path.with_suffix(".safetensors")))
            self.network.to(self.device).eval()

    def logits(self, left: list[str], right: list[str], doubt: float = DOUBT) -> Array:
        """The log-odds that the two sentences of each pair mean the same: float64, (n,).

        Pairs are read with the lesser text first, and again in reverse order if the result is within `doubt` of 0;
        then the two logits are averaged.
        """
        pairs = [sorted(pair) for pair in zip(left, right, strict=True)]
        both = np.array(pairs, dtype=object).reshape(-1, 2)
        found = self._once(both)
        again = np.abs(found) < doubt
        turned = self._once(both[again, ::-1])
        found[again] = (found[again] + turned) / 2
        return found

    def _once(self, pairs: Array) -> Array:
        """The log-odds by reading each pair in the order given."""
        left, right = pairs.T.tolist()
        inputs = Tokens(
            self._tokenizer, left, right, max_length=self.max_length, progress=self.progress
        )

        def forward(rows: Array) -> torch.Tensor:
            return self.network(inputs.batch(rows, self.device))

        read = read_all(inputs.lengths, forward, self.device, self.progress)
        return read.double().numpy()


class Network(nn.Module):
    """The encoder with its adapters, and a head on [CLS] and the mean over tokens."""

    def __init__(self, encoder: nn.Module, rank: int):
        super().__init__()
        self.encoder = encoder.requires_grad_(False)
        for part in list(encoder.encoder.modules()):
            for name, child in list(part.named_children()):
                if isinstance(child, nn.Linear):
                    setattr(part, name, _LowRank(child, rank))
        self.head = nn.Linear(2 * encoder.config.hidden_size, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        hidden = self.encoder(**batch).last_hidden_state.float()
        real = batch["attention_mask"][..., None].float()
        mean = (hidden * real).sum(dim=1) / real.sum(dim=1)
        both = torch.cat([hidden[:, 0], mean], dim=1)
        with torch.autocast(hidden.device.type, enabled=False):
            return self.head(both)[:, 0]  # (rows,)

    def learnt(self) -> dict[str, nn.Parameter]:
        """The parameters that are trained, by name."""
        return {name: value for name, value in self.named_parameters() if value.requires_grad}

    def take(self, weights: dict[str, torch.Tensor]) -> None:
        """Copy trained parameters from others of the same names and shapes."""
        finite = all(value.isfinite().all() for value in weights.values())
        if weights.keys() != self.learnt().keys() or not finite:
            raise ValueError("weights of other layers, or that are not numbers")
        self.load_state_dict(self.state_dict() | weights)


class _LowRank(nn.Module):
    """A linear map and beside it B A, of low rank."""

    def __init__(self, linear: nn.Linear, rank: int):
        super().__init__()
        self.linear = linear
        width = linear.in_features
        self.a = nn.Parameter(torch.randn(rank, width) / width**0.5)
        self.b = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if (
            torch.is_inference_mode_enabled()
        ):  # one product instead of three: W + B A takes little beside a batch
            weight = self.linear.weight + self.b @ self.a
            return nn.functional.linear(x, weight, self.linear.bias)
        return self.linear(x) + (x @ self.a.T) @ self.b.T
