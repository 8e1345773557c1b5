"""One training loop, both for fine-tuning an encoder and for a small head.

A module, an optimizer, a function from a batch's row numbers to its loss, and a plan of batches: the rest is a
``for``. After nanoGPT (Karpathy), whose loop fits on a page.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from tqdm.auto import tqdm

from ...files import PairsError

__all__ = ["HISTORY", "history_table", "own_randomness", "shuffled_batches", "train"]

#: Columns of a history, which has one row per evaluation.
HISTORY = ["step", "epoch", "seconds", "train loss", "dev loss", "dev accuracy", "learning rate"]

Plan = list[tuple[int, np.ndarray]]
_CHUNK = 50  # batches whose rows are sorted by length together


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
    """Train `module` in place; it ends in ``eval`` mode with the weights of least dev loss, or else the last ones.

    Parameters
    ----------
    optimizer
        With the highest learning rates.
    loss : callable
        A function from the row numbers of a batch to its mean loss, a scalar tensor.
    plan : list of (epoch, row numbers)
        Every batch of the run; epochs count from 1.
    evaluate : callable, optional
        Returns (dev loss, dev accuracy); called in ``eval`` mode, `evaluations` times per epoch.
    history : list
        Receives a dictionary for each evaluation (see `history_table`), also in an interrupted run.
    seed : int
        The seed of dropout.
    warmup : float, optional
        Share of the steps over which the learning rate rises linearly; then it falls linearly to zero (Devlin et
        al. 2019, A.2). None: constant.
    clip : float, optional
        The largest norm of a gradient of `clipped`, by default of the whole module.
    patience : int, optional
        Stop after this many evaluations without a lower dev loss.

    Raises
    ------
    PairsError
        The loss is not a number.
    KeyboardInterrupt
        Raised again, after the best weights so far are restored and a warning is given.

    Notes
    -----
    With the same seed, data and number of threads, weights are equal bit by bit on a CPU. CUDA sums in no fixed
    order, so there they agree only within rounding.
    """
    if not plan:
        raise PairsError("there is no batch to train on; give at least two rows and one epoch")
    steps = len(plan)
    rate = LambdaLR(optimizer, lambda step: _share(step, steps, warmup))
    marks = _marks(plan, evaluations)
    losses = []
    best = None
    best_loss = math.inf
    step = waited = 0  # batches done; evaluations since the least dev loss

    def checked(what: str, value: float) -> float:
        if math.isfinite(value):
            return value
        kept = (
            "there are no good weights yet" if best is None else "the best weights so far are kept"
        )
        message = f"{what} is {value} at step {step + 1}; {kept}"
        raise PairsError(f"{message}. Try a lower learning rate than {rate.base_lrs[0]:g}")

    history.clear()
    began = time.monotonic()
    with own_randomness(seed):
        module.train()
        try:
            bar = tqdm(plan, "training", unit="batch", delay=2, leave=False, disable=not progress)
            for epoch, rows in bar:
                value = loss(rows)
                losses.append(checked("the loss of the training batch", value.item()))
                value.backward()
                if clip is not None:
                    weights = (clipped or module).parameters()
                    nn.utils.clip_grad_norm_(weights, clip)
                optimizer.step()
                optimizer.zero_grad()
                step += 1
                if step in marks:
                    seconds = time.monotonic() - began
                    measured = (math.nan, math.nan)
                    if evaluate is not None:
                        module.eval()
                        with torch.inference_mode():
                            measured = evaluate()
                        module.train()
                        waited += 1
                        if checked("the dev loss", measured[0]) < best_loss:
                            best = _weights_of(module)
                            best_loss = measured[0]
                            waited = 0
                    mean = float(np.mean(losses))
                    rate_now, *_ = rate.get_last_lr()
                    row = (step, epoch, seconds, mean, *measured, rate_now)
                    history.append(dict(zip(HISTORY, row, strict=True)))
                    losses.clear()
                    if patience is not None and waited >= patience:
                        break
                rate.step()
        except KeyboardInterrupt:
            kept = "the last weights"
            if best is not None:
                kept = f"those of the least dev loss, {best_loss:.4f},"
            message = f"interrupted after {step:,} of {steps:,} steps; {kept} are kept"
            warnings.warn(message, stacklevel=2)
            raise
        finally:
            if best is not None:
                module.load_state_dict(best)
            module.eval()


def _weights_of(module: nn.Module) -> dict[str, torch.Tensor]:
    """A copy of the weights of a module."""
    weights = module.state_dict()
    return {name: value.detach().clone() for name, value in weights.items()}


def history_table(history: list[dict]) -> pd.DataFrame:
    """A history as a table, one row per evaluation: the columns `HISTORY`, losses in nats per pair.

    >>> history_table([]).columns.tolist() == HISTORY
    True
    """
    types = dict.fromkeys(HISTORY, "float64") | {"step": "int64", "epoch": "int64"}
    return pd.DataFrame(history, columns=HISTORY).astype(types)


def shuffled_batches(lengths: np.ndarray, batch_size: int, seed: Any) -> list[np.ndarray]:
    """Row numbers in random batches for training, each of rows of about one length.

    Rows are shuffled, sorted by length within chunks of 50 batches, and the batches are shuffled: on questions of
    12 tokens, an eighth of a batch is padding, where batches of random rows are half padding. `seed` is that of
    `numpy.random.default_rng`; ``(seed, epoch)`` makes each epoch another one.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(lengths))
    batches = []
    chunk = _CHUNK * batch_size
    for at in range(0, len(order), chunk):
        rows = order[at : at + chunk]
        by_length = np.argsort(lengths[rows], kind="stable")
        rows = rows[by_length]
        for i in range(0, len(rows), batch_size):
            batches.append(rows[i : i + batch_size])
    return [batches[i] for i in rng.permutation(len(batches))]


@contextmanager
def own_randomness(seed: int) -> Iterator[None]:
    """Let torch draw from generators with this seed inside, and restore the previous state afterwards.

    >>> before = torch.random.get_rng_state()
    >>> with own_randomness(1):
    ...     a = torch.rand(2)
    >>> with own_randomness(1):
    ...     b = torch.rand(2)
    >>> torch.equal(a, b), torch.equal(before, torch.random.get_rng_state())
    (True, True)
    """
    devices = range(torch.cuda.device_count())
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        yield


def _marks(plan: Plan, evaluations: int) -> set[int]:
    """The steps after which to evaluate: evenly in each epoch, the last time at its end."""
    marks = set()
    before = 0
    counts = np.bincount([epoch for epoch, _ in plan])
    for batches in counts.tolist():
        for k in range(1, evaluations + 1):
            done = math.ceil(batches * k / evaluations)
            marks.add(before + done)
        before += batches
    return marks - {0}


def _share(step: int, steps: int, warmup: float | None) -> float:
    """The share of the highest learning rate at a step counted from 0."""
    if warmup is None:
        return 1.0
    rise = max(1, round(warmup * steps))
    fall = (steps - step) / max(1, steps - rise)
    return min((step + 1) / rise, fall, 1.0)
