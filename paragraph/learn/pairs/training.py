"""One training loop, for the fine-tuning of an encoder and for a small head alike.

A module, an optimizer, a function from a batch's row numbers to its loss, and a plan of batches: the rest is a
``for``. After nanoGPT (Karpathy), whose loop fits on a page.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import torch
from torch import nn
from tqdm.auto import tqdm

from ...pairs import PairsError

__all__ = ["HISTORY", "history_table", "own_randomness", "train"]

#: Columns of a history, which has a row for each evaluation.
HISTORY = ["step", "epoch", "seconds", "train loss", "dev loss", "dev accuracy", "learning rate"]

Plan = list[tuple[int, np.ndarray]]


@dataclass
class _Progress:
    """How far a run has got, and its best weights."""

    history: list[dict]
    step: int = 0  #: batches done
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)  #: of the batches since the last row of the history
    best: dict[str, torch.Tensor] | None = None  #: weights at the least dev loss
    best_loss: float = math.inf
    waited: int = 0  #: evaluations since then

    def look(self, module: nn.Module, evaluate: Callable | None, epoch: int, lr: float) -> None:
        """Add a row to the history, and keep the weights if they are the best so far."""
        dev_loss = dev_accuracy = math.nan
        if evaluate is not None:
            module.eval()
            with torch.inference_mode():
                dev_loss, dev_accuracy = evaluate()
            module.train()
            self.check("the dev loss", dev_loss, lr)
            self.waited += 1
            if dev_loss < self.best_loss:
                self.best = {name: value.detach().clone() for name, value in module.state_dict().items()}
                self.best_loss, self.waited = dev_loss, 0
        values = (self.step, epoch, self.seconds, float(np.mean(self.losses)), dev_loss, dev_accuracy, lr)
        self.history.append(dict(zip(HISTORY, values, strict=True)))
        self.losses = []

    def check(self, what: str, value: float, lr: float) -> None:
        """Raise `PairsError` if a loss is no number."""
        if not math.isfinite(value):
            kept = "there are no good weights yet" if self.best is None else "the best weights so far are kept"
            at = f"{what} is {value} at step {self.step + 1}"
            raise PairsError(f"{at}; {kept}. Try a lower learning rate than {lr:g}")


def train(
    module: nn.Module,
    optimizer: torch.optim.Optimizer,
    loss: Callable[[np.ndarray], torch.Tensor],
    plan: Plan,
    evaluate: Callable[[], tuple[float, float]] | None = None,
    *,
    history: list[dict],
    seed: int = 0,
    warmup: float | None = None,
    clip: float | None = None,
    clipped: nn.Module | None = None,
    patience: int | None = None,
    evaluations: int = 4,
    progress: bool = True,
) -> None:
    """Train `module` in place; it ends in ``eval`` mode with the weights of the least dev loss, or the last ones.

    Parameters
    ----------
    optimizer
        With the highest learning rates.
    loss : callable
        From the row numbers of a batch to its mean loss, a scalar tensor.
    plan : list of (epoch, row numbers)
        Every batch of the run; epochs count from 1.
    evaluate : callable, optional
        Returns (dev loss, dev accuracy); called in ``eval`` mode, `evaluations` times an epoch.
    history : list
        Receives a dictionary for each evaluation (see `history_table`), also of an interrupted run.
    seed : int
        Of dropout.
    warmup : float, optional
        Share of the steps over which the learning rate rises linearly; then it falls linearly to zero (Devlin et
        al. 2019, A.2). None: constant.
    clip : float, optional
        The largest norm of a gradient of `clipped`, by default of the whole module.
    patience : int, optional
        Stop after so many evaluations without a lower dev loss.

    Raises
    ------
    PairsError
        The loss is not a number.
    KeyboardInterrupt
        Raised again, after the best weights so far are restored and a warning is given.

    Notes
    -----
    With the same seed, data and number of threads, weights are equal bit by bit on a CPU. CUDA sums in no fixed
    order, so there they agree within rounding only.
    """
    if not plan:
        raise PairsError("there is no batch to train on; give at least two rows and one epoch")
    peaks = [group["lr"] for group in optimizer.param_groups]
    marks = _marks(plan, evaluations)
    at = _Progress(history)
    history.clear()
    with own_randomness(seed):
        began = time.monotonic()
        bar = {"unit": "batch", "delay": 2, "leave": False}
        module.train()
        try:
            for epoch, rows in tqdm(plan, "training", disable=not progress, **bar):
                scale = _schedule(at.step, len(plan), warmup)
                for group, peak in zip(optimizer.param_groups, peaks, strict=True):
                    group["lr"] = peak * scale
                value = loss(rows)
                at.check("the loss of the training batch", value.item(), peaks[0])
                value.backward()
                if clip is not None:
                    nn.utils.clip_grad_norm_((clipped or module).parameters(), clip)
                optimizer.step()
                optimizer.zero_grad()
                at.step += 1
                at.losses.append(value.item())
                at.seconds = time.monotonic() - began
                if at.step in marks:
                    at.look(module, evaluate, epoch, peaks[0] * scale)
                    if patience is not None and at.waited >= patience:
                        break
        except KeyboardInterrupt:
            kept = "the last weights" if at.best is None else f"those of the least dev loss, {at.best_loss:.4f},"
            warnings.warn(f"interrupted after {at.step:,} of {len(plan):,} steps; {kept} are kept", stacklevel=2)
            raise
        finally:
            if at.best is not None:
                module.load_state_dict(at.best)
            module.eval()


def history_table(history: list[dict]) -> pd.DataFrame:
    """A history as a table, a row for each evaluation: the columns `HISTORY`, losses in nats per pair.

    >>> history_table([]).columns.tolist() == HISTORY
    True
    """
    types = {name: "int64" if name in ("step", "epoch") else "float64" for name in HISTORY}
    return pd.DataFrame(history, columns=HISTORY).astype(types)


@contextmanager
def own_randomness(seed: int) -> Iterator[None]:
    """Let torch draw from generators with this seed inside, and go on as before afterwards.

    >>> before = torch.random.get_rng_state()
    >>> with own_randomness(1):
    ...     a = torch.rand(2)
    >>> with own_randomness(1):
    ...     b = torch.rand(2)
    >>> torch.equal(a, b), torch.equal(before, torch.random.get_rng_state())
    (True, True)
    """
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        torch.manual_seed(seed)
        yield


def _marks(plan: Plan, evaluations: int) -> set[int]:
    """The steps after which to evaluate: evenly in each epoch, the last time at its end."""
    marks, before = set(), 0
    for batches in np.bincount([epoch for epoch, _ in plan]).tolist():
        marks |= {before + math.ceil(batches * k / evaluations) for k in range(1, evaluations + 1)}
        before += batches
    return marks - {0}


def _schedule(step: int, steps: int, warmup: float | None) -> float:
    """The share of the highest learning rate at a step counted from 0."""
    if warmup is None:
        return 1.0
    rise = max(1, round(warmup * steps))
    return min((step + 1) / rise, (steps - step) / max(1, steps - rise), 1.0)
