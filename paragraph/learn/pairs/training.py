"""One training loop, for the fine-tuning of an encoder and for a small head alike, and its checkpoints.

A module, an optimizer, a function from a batch's row numbers to its loss, and a plan of batches: the rest is a
``for``. After nanoGPT (Karpathy), whose loop fits on a page. A checkpoint is written whole or not at all, and read
only by the run that wrote it.
"""

from __future__ import annotations

import hashlib
import io
import math
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import pandas as pd
import torch
from torch import nn
from tqdm.auto import tqdm

from ...pairs import PairsError
from ...pairs.errors import intact
from ...pairs.outputs import beside

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["HISTORY", "history_table", "loss_curve", "own_randomness", "train"]

#: Columns of a history, which has a row for each evaluation.
HISTORY = ["step", "epoch", "seconds", "train loss", "dev loss", "dev accuracy", "learning rate"]
#: Seconds between two checkpoints.
EVERY = 30.0
_FILE = "checkpoint.pt"

Plan = list[tuple[int, np.ndarray]]


@dataclass
class _Progress:
    """The part of a checkpoint beside weights, optimizer and random states."""

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
    seed: int | None = 0,
    warmup: float | None = None,
    clip: float | None = None,
    clipped: nn.Module | None = None,
    patience: int | None = None,
    evaluations: int = 4,
    checkpoint: str | PathLike | None = None,
    fingerprint: Sequence[Any] = (),
    live: bool = False,
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
        Every batch of the run, fixed beforehand, so that an interrupted run continues exactly where it stopped;
        epochs count from 1.
    evaluate : callable, optional
        Returns (dev loss, dev accuracy); called in ``eval`` mode, `evaluations` times an epoch.
    history : list
        Receives a dictionary for each evaluation (see `history_table`), also of an interrupted run.
    seed : int, optional
        Of dropout. None: nothing is drawn from torch's generator, from which another thread may draw meanwhile.
    warmup : float, optional
        Share of the steps over which the learning rate rises linearly; then it falls linearly to zero (Devlin et
        al. 2019, A.2). None: constant.
    clip : float, optional
        The largest norm of a gradient of `clipped`, by default of the whole module.
    patience : int, optional
        Stop after so many evaluations without a lower dev loss.
    checkpoint : path, optional
        A folder in which the run is kept every half minute. The same call continues an interrupted run, even a killed
        one, and reads back a finished one.
    fingerprint : sequence of arrays, numbers, strings
        What the run depends on besides weights, plan and optimizer: the checkpoint of another run is refused.

    Raises
    ------
    PairsError
        The loss is not a number; the checkpoint is another run's, or damaged.
    KeyboardInterrupt
        Raised again, after the best weights so far are restored and a warning is given.

    Notes
    -----
    With the same seed, data and number of threads, weights are equal bit by bit on a CPU, interrupted or not. CUDA
    sums in no fixed order, so there they agree within rounding only.
    """
    if not plan:
        raise PairsError("there is no batch to train on; give at least two rows and one epoch")
    peaks = [group["lr"] for group in optimizer.param_groups]
    marks = _marks(plan, evaluations)
    at = _Progress(history)
    history.clear()
    with own_randomness(seed):
        if checkpoint is not None:
            options = (seed, warmup, clip, patience, evaluations)
            mark = _mark(module, optimizer, plan, options, fingerprint)
            if _read(checkpoint, mark, module, optimizer, at):
                module.eval()
                return
        began = saved = time.monotonic() - at.seconds
        bar = {"unit": "batch", "delay": 2, "leave": False, "initial": at.step, "total": len(plan)}
        draw = _live_curve() if live else None
        module.train()
        try:
            for epoch, rows in tqdm(plan[at.step :], "training", disable=not progress, **bar):
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
                    if draw:
                        draw(history)
                    if patience is not None and at.waited >= patience:
                        break
                if checkpoint is not None and time.monotonic() - saved >= EVERY:
                    _write(checkpoint, mark, module, at, optimizer, drawn=seed is not None)
                    saved = time.monotonic()
        except KeyboardInterrupt:
            kept = "the last weights" if at.best is None else f"those of the least dev loss, {at.best_loss:.4f},"
            again = "" if checkpoint is None else "; the same call goes on from the last checkpoint"
            message = f"interrupted after {at.step:,} of {len(plan):,} steps; {kept} are kept{again}"
            warnings.warn(message, stacklevel=2)
            raise
        finally:
            if at.best is not None:
                module.load_state_dict(at.best)
            module.eval()
        if checkpoint is not None:
            _write(checkpoint, mark, module, at)


def history_table(history: list[dict]) -> pd.DataFrame:
    """A history as a table, a row for each evaluation: the columns `HISTORY`, losses in nats per pair.

    >>> history_table([]).columns.tolist() == HISTORY
    True
    """
    types = {name: "int64" if name in ("step", "epoch") else "float64" for name in HISTORY}
    return pd.DataFrame(history, columns=HISTORY).astype(types)


@contextmanager
def own_randomness(seed: int | None) -> Iterator[None]:
    """Let torch draw from generators with this seed inside, and go on as before afterwards. None: no change.

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


# -- checkpoints -------------------------------------------------------------------------------------------


def _mark(module: nn.Module, optimizer: torch.optim.Optimizer, *parts: Any) -> str:
    """A hash of what a run starts from: weights, settings of the optimizer, and whatever else decides it."""
    found = hashlib.blake2b(digest_size=16)

    def add(part: Any) -> None:
        if isinstance(part, dict):
            part = [each for each in part.items() if each[0] != "params"]
        if isinstance(part, torch.Tensor):
            part = part.cpu().numpy()
        if isinstance(part, np.ndarray):
            found.update(f"{part.dtype} {part.shape}".encode())
            found.update(np.ascontiguousarray(part))
        elif isinstance(part, list | tuple):
            found.update(f"{len(part)} parts".encode())
            for each in part:
                add(each)
        else:
            found.update(repr(part).encode())

    add([dict(module.state_dict()), optimizer.param_groups, parts])
    return found.hexdigest()


def _write(
    folder: str | PathLike, mark: str, module: nn.Module, at: _Progress, optimizer: Any = None, drawn: bool = False
) -> None:
    """Write the state of a run; without `optimizer`, the end of a run: its weights and its history.

    `drawn`: the run draws from torch's generators, whose states are kept too.
    """
    state = {"mark": mark, "module": module.state_dict(), "progress": dict(vars(at))}
    if optimizer is None:
        state["progress"]["best"] = None  # they are the module's
    else:
        state["optimizer"] = optimizer.state_dict()
    if drawn:
        state["random"] = torch.random.get_rng_state()
        state["random, CUDA"] = torch.cuda.get_rng_state_all()
    path = Path(folder, _FILE)
    path.parent.mkdir(parents=True, exist_ok=True)
    with beside(path) as part, open(part, "wb") as file:
        torch.save(state, file)


def _read(
    folder: str | PathLike, mark: str, module: nn.Module, optimizer: torch.optim.Optimizer, at: _Progress
) -> bool:
    """Restore a written state, if there is one; True if that run was finished.

    Raises `PairsError` where the checkpoint is another run's, or damaged.
    """
    path = Path(folder, _FILE)
    if not path.exists():
        return False
    with intact(path, "it is damaged: delete it to train from the start"):
        state = torch.load(path, map_location="cpu", weights_only=True)
        if state["mark"] != mark:
            why = "is the checkpoint of a run with other data or options"
            raise PairsError(f"{path} {why}; give this run a folder of its own, or delete the file")
        module.load_state_dict(state["module"])
        kept = state["progress"]
        if {*kept} != {*vars(at)} or not isinstance(kept["step"], int):
            raise ValueError("how far it got is not said")
        at.history[:] = kept["history"]
        vars(at).update(kept | {"history": at.history})  # the caller's list
        if "optimizer" in state:
            optimizer.load_state_dict(state["optimizer"])
        if "random" in state:
            torch.random.set_rng_state(state["random"])
            if state["random, CUDA"]:
                torch.cuda.set_rng_state_all(state["random, CUDA"])
        return "optimizer" not in state


# -- pictures ----------------------------------------------------------------------------------------------


def loss_curve(history: pd.DataFrame) -> Figure:
    """Draw train and dev loss by step, with a ring around the least dev loss and lines where epochs end.

    Examples
    --------
    >>> row = {"step": 5, "epoch": 1, "train loss": 0.6, "dev loss": 0.5, "dev accuracy": 0.7}
    >>> loss_curve(pd.DataFrame([row])).axes[0].get_xlabel()
    'step (batches)'
    """
    from ...draw.canvas import new_figure, plain
    from ...draw.style import INK, NEGATIVE, POSITIVE, QUIET

    figure = new_figure(6.4, 2.8)
    figure.set_layout_engine("constrained")
    axes = plain(figure.subplots())
    axes.plot(history["step"], history["train loss"], color=QUIET, linewidth=1.2, marker=".", label="train")
    if history["dev loss"].notna().any():
        axes.plot(history["step"], history["dev loss"], color=POSITIVE, linewidth=2, marker=".", label="dev")
        best = history.loc[history["dev loss"].idxmin()]
        axes.plot(best["step"], best["dev loss"], "o", color=NEGATIVE, fillstyle="none", markersize=11)
        text = f"best: loss {best['dev loss']:.3f}, accuracy {best['dev accuracy']:.1%}, step {best['step']:,.0f}"
        axes.set_title(text, fontsize=10, color=INK, loc="left")
    for step in history.groupby("epoch")["step"].max():
        axes.axvline(step, color=QUIET, linewidth=0.6, linestyle=(0, (1, 3)), zorder=0)
    axes.set(xlabel="step (batches)", ylabel="loss (nats per pair)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, loc="lower left")
    return figure


def _live_curve() -> Callable[[list[dict]], None] | None:
    """A function that shows a history in this cell's output, in place of the one before; None outside a notebook."""
    from IPython import get_ipython
    from IPython.display import SVG, display

    if not hasattr(get_ipython(), "kernel"):
        return None
    place = str(uuid4())

    def show(history: list[dict]) -> None:
        picture = io.StringIO()
        loss_curve(history_table(history)).savefig(picture, format="svg")
        display(SVG(picture.getvalue()), display_id=place, update=len(history) > 1)

    return show
