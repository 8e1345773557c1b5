"""One training loop, for the fine-tuning of an encoder and for a small head alike.

A module, an optimizer, a function from a batch's row numbers to its loss, and a plan of batches: the rest is a
``for``. After nanoGPT (Karpathy), whose loop fits on a page.
"""

from __future__ import annotations

import io
import math
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import torch
from torch import nn
from tqdm.auto import tqdm

from ...pairs import PairsError
from .checkpoint import fingerprint_of, read_checkpoint, write_checkpoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["HISTORY", "history_table", "live_curve", "loss_curve", "make_plan", "own_randomness", "train"]

#: Columns of a history, which has a row for each evaluation.
HISTORY = ["step", "epoch", "seconds", "train loss", "dev loss", "dev accuracy", "learning rate"]

Plan = list[tuple[int, np.ndarray]]


@dataclass
class _Progress:
    """How far a run has come: what a checkpoint holds beside weights, optimizer and random states."""

    history: list[dict]
    step: int = 0  #: batches done
    seconds: float = 0.0
    losses: list[float] = field(default_factory=list)  #: of the batches since the last row of the history
    best: dict[str, torch.Tensor] | None = None  #: weights at the least dev loss
    best_loss: float = math.inf
    waited: int = 0  #: evaluations since then


def train(
    module: nn.Module,
    optimizer: torch.optim.Optimizer,
    loss: Callable[[np.ndarray], torch.Tensor],
    plan: Plan,
    evaluate: Callable[[], tuple[float, float]] | None = None,
    *,
    history: list[dict],
    seed: int | None = 0,
    warmup: float | None = None,
    clip: float | None = None,
    clipped: nn.Module | None = None,
    patience: int | None = None,
    evaluations: int = 4,
    checkpoint: str | PathLike | None = None,
    checkpoint_seconds: float = 30.0,
    fingerprint: Sequence[Any] = (),
    live: bool = False,
    progress: bool = True,
) -> None:
    """Train `module` in place; it ends in ``eval`` mode with the weights of the least dev loss.

    Without `evaluate` it ends with the last weights.

    Parameters
    ----------
    module, optimizer
        The learning rates of the optimizer are the highest ones.
    loss : callable
        From the row numbers of a batch to its mean loss, a scalar tensor.
    plan : list of (epoch, row numbers)
        Every batch of the run, in order, fixed beforehand, so that an interrupted run continues exactly where it
        stopped; epochs count from 1.
    evaluate : callable, optional
        Returns (dev loss, dev accuracy); called in ``eval`` mode, `evaluations` times an epoch.
    history : list
        Receives a dictionary for each evaluation (`history_table` makes it a table), also of an interrupted run.
    seed : int, optional
        Of dropout. None: nothing in the module is drawn, and torch's generator is left alone, so that another thread
        may draw from it meanwhile.
    warmup : float, optional
        Share of the steps over which the learning rate rises linearly; then it falls linearly to zero (Devlin et
        al. 2019, A.2). None: constant.
    clip : float, optional
        The largest norm of a gradient of `clipped`, by default of the whole module.
    patience : int, optional
        Stop after so many evaluations without a lower dev loss.
    checkpoint : path, optional
        A folder in which the run is kept every `checkpoint_seconds`. The same call continues an interrupted run, even
        a killed one, and reads back a finished one.
    fingerprint : sequence of arrays, numbers, strings
        What the run depends on besides weights, plan and optimizer: the checkpoint of another run is refused.
    live : bool
        Draw the losses while training (in a notebook).

    Raises
    ------
    PairsError
        The loss is not a number; the checkpoint is another run's, or damaged.
    KeyboardInterrupt
        Raised again, after the best weights so far are restored and a warning is given.

    Notes
    -----
    Dropout draws from a generator with its own seed; the caller's generator does not change. With the same seed, data
    and number of threads, weights are equal bit by bit on a CPU, interrupted or not. CUDA sums in no fixed
    order, so there they agree within rounding only.
    """
    if not plan:
        raise PairsError("there is no batch to train on; give at least two rows and one epoch")
    peaks = [group["lr"] for group in optimizer.param_groups]
    marks = _marks(plan, evaluations)
    at = _Progress(history)
    history.clear()
    draw = live_curve() if live else None
    with own_randomness(seed):
        if checkpoint is not None:
            options = (seed, warmup, clip, patience, evaluations)
            mark = fingerprint_of(module, optimizer, plan, options, fingerprint)
            if read_checkpoint(checkpoint, mark, module, optimizer, at):
                module.eval()
                return
        began = saved = time.monotonic() - at.seconds
        first, bar = at.step, {"unit": "batch", "delay": 2, "leave": False}
        bar |= {"initial": first, "total": len(plan)}
        module.train()
        try:
            for epoch, rows in tqdm(plan[first:], "training", disable=not progress, **bar):
                scale = _schedule(at.step, len(plan), warmup)
                for group, peak in zip(optimizer.param_groups, peaks, strict=True):
                    group["lr"] = peak * scale
                value = loss(rows)
                if not math.isfinite(found := value.item()):
                    raise _not_a_number("the loss of the training batch", found, at, peaks[0])
                value.backward()
                if clip is not None:
                    nn.utils.clip_grad_norm_((clipped or module).parameters(), clip)
                optimizer.step()
                optimizer.zero_grad()
                at.step += 1
                at.losses.append(found)
                at.seconds = time.monotonic() - began

                if at.step in marks:
                    _look(module, evaluate, at, epoch, peaks[0], scale)
                    if draw:
                        draw(history_table(history))
                    if patience is not None and at.waited >= patience:
                        break
                if checkpoint is not None and time.monotonic() - saved >= checkpoint_seconds:
                    write_checkpoint(checkpoint, mark, module, optimizer, at, drawn=seed is not None)
                    saved = time.monotonic()
        except KeyboardInterrupt:
            warnings.warn(_interrupted(at, len(plan), checkpoint), stacklevel=3)
            raise
        finally:
            if at.best is not None:
                module.load_state_dict(at.best)
            module.eval()
        if checkpoint is not None:
            write_checkpoint(checkpoint, mark, module, None, at)


def make_plan(epochs: int, batches: Callable[[tuple[int, int]], list[np.ndarray]], seed: int) -> Plan:
    """The batches of a whole run, from a function that draws those of one epoch from a seed.

    >>> plan = make_plan(2, lambda seed: [np.random.default_rng(seed).permutation(3)], seed=0)
    >>> [(epoch, sorted(rows.tolist())) for epoch, rows in plan]
    [(1, [0, 1, 2]), (2, [0, 1, 2])]
    """
    return [(epoch, rows) for epoch in range(1, epochs + 1) for rows in batches((seed, epoch))]


def history_table(history: list[dict]) -> pd.DataFrame:
    """A history as a table, a row for each evaluation: the columns `HISTORY`, losses in nats per pair.

    >>> history_table([]).columns.tolist() == HISTORY
    True
    """
    types = {name: "int64" if name in ("step", "epoch") else "float64" for name in HISTORY}
    return pd.DataFrame(history, columns=HISTORY).astype(types)


@contextmanager
def own_randomness(seed: int | None) -> Iterator[None]:
    """Inside, torch draws from generators with this seed; afterwards, from where it was before. None: no change.

    >>> before = torch.random.get_rng_state()
    >>> with own_randomness(1):
    ...     a = torch.rand(2)
    >>> with own_randomness(1):
    ...     b = torch.rand(2)
    >>> torch.equal(a, b), torch.equal(before, torch.random.get_rng_state())
    (True, True)
    """
    if seed is None:
        yield
        return
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


def _look(module: nn.Module, evaluate: Callable | None, at: _Progress, epoch: int, lr: float, scale: float) -> None:
    """A row of the history, and the weights if they are the best so far."""
    dev_loss = dev_accuracy = math.nan
    if evaluate is not None:
        module.eval()
        with torch.inference_mode():
            dev_loss, dev_accuracy = evaluate()
        module.train()
        if not math.isfinite(dev_loss):
            raise _not_a_number("the dev loss", dev_loss, at, lr)
        at.waited += 1
        if dev_loss < at.best_loss:
            at.best = {name: value.detach().clone() for name, value in module.state_dict().items()}
            at.best_loss, at.waited = dev_loss, 0
    values = (at.step, epoch, at.seconds, float(np.mean(at.losses)), dev_loss, dev_accuracy, lr * scale)
    at.history.append(dict(zip(HISTORY, values, strict=True)))
    at.losses = []


def _not_a_number(what: str, value: float, at: _Progress, lr: float) -> PairsError:
    kept = "the best weights so far are kept" if at.best is not None else "there are no good weights yet"
    return PairsError(f"{what} is {value} at step {at.step + 1}; {kept}. Try a lower learning rate than {lr:g}")


def _interrupted(at: _Progress, steps: int, checkpoint: str | PathLike | None) -> str:
    kept = "the last weights" if at.best is None else f"the weights of the least dev loss, {at.best_loss:.4f},"
    again = "" if checkpoint is None else "; the same call goes on from the last checkpoint"
    return f"interrupted after {at.step:,} of {steps:,} steps; {kept} are kept{again}"


def loss_curve(history: pd.DataFrame) -> Figure:
    """Train and dev loss by step, with a ring around the least dev loss and lines where epochs end.

    Examples
    --------
    >>> row = {"step": 5, "epoch": 1, "train loss": 0.6, "dev loss": 0.5, "dev accuracy": 0.7}
    >>> loss_curve(pd.DataFrame([row])).axes[0].get_xlabel()
    'step (batches)'
    """
    from matplotlib.figure import Figure  # no pyplot: a picture, not a window

    from ...draw.style import INK, NEGATIVE, POSITIVE, QUIET

    figure = Figure(figsize=(6.4, 2.8), layout="constrained")
    axes = figure.subplots()
    axes.plot(history["step"], history["train loss"], color=QUIET, linewidth=1.2, marker=".", label="train")
    dev = history.dropna(subset="dev loss")
    if len(dev):
        axes.plot(dev["step"], dev["dev loss"], color=POSITIVE, linewidth=2, marker=".", label="dev")
        best = dev.loc[dev["dev loss"].idxmin()]
        axes.plot(best["step"], best["dev loss"], "o", color=NEGATIVE, fillstyle="none", markersize=11)
        text = f"best: loss {best['dev loss']:.3f}, accuracy {best['dev accuracy']:.1%}, step {best['step']:,.0f}"
        axes.set_title(text, fontsize=10, color=INK, loc="left")
    for step in history.groupby("epoch")["step"].max():
        axes.axvline(step, color=QUIET, linewidth=0.6, linestyle=(0, (1, 3)), zorder=0)
    axes.set_xlabel("step (batches)")
    axes.set_ylabel("loss (nats per pair)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower left")
    return figure


def live_curve() -> Callable[[pd.DataFrame], None] | None:
    """A function that shows a history in this cell's output, in place of the one before; None outside a notebook."""
    try:
        from IPython import get_ipython
        from IPython.display import SVG, display
    except ImportError:
        return None
    if not hasattr(get_ipython(), "kernel"):
        return None
    handle = None

    def show(history: pd.DataFrame) -> None:
        nonlocal handle
        picture = io.StringIO()
        loss_curve(history).savefig(picture, format="svg")
        if handle is None:
            handle = display(SVG(picture.getvalue()), display_id=True)
        else:
            handle.update(SVG(picture.getvalue()))

    return show
