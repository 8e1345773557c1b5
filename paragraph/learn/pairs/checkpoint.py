"""Checkpoints of a training run: written whole or not at all, and read only by the run that wrote them."""

from __future__ import annotations

import hashlib
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from ...pairs import PairsError
from ...pairs.errors import intact
from ...pairs.outputs import beside

__all__ = ["fingerprint_of", "read_checkpoint", "write_checkpoint"]

_FILE = "checkpoint.pt"


def fingerprint_of(module: nn.Module, optimizer: torch.optim.Optimizer, *parts: Any) -> str:
    """A hash of what a run starts from: weights, settings of the optimizer, and whatever else decides it.

    >>> layer = nn.Linear(2, 1)
    >>> adam = torch.optim.Adam(layer.parameters(), lr=0.01)
    >>> one, other = (fingerprint_of(layer, adam, [(1, np.array(rows))]) for rows in ([0, 1], [1, 0]))
    >>> one == fingerprint_of(layer, adam, [(1, np.array([0, 1]))]), one == other
    (True, False)
    """
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


def write_checkpoint(
    folder: str | PathLike, mark: str, module: nn.Module, optimizer: torch.optim.Optimizer | None, progress: Any,
    drawn: bool = True,
) -> None:  # fmt: skip
    """Write the state of a run; without `optimizer`, the end of a run: its weights and its history.

    `drawn`: the run draws from torch's generators, whose states are kept too.
    """
    state = {"mark": mark, "module": module.state_dict(), "progress": dict(vars(progress))}
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


def read_checkpoint(
    folder: str | PathLike, mark: str, module: nn.Module, optimizer: torch.optim.Optimizer, progress: Any
) -> bool:
    """Restore a written state, if there is one; True if that run was finished.

    Raises
    ------
    PairsError
        The checkpoint is another run's, or damaged.
    """
    path = Path(folder, _FILE)
    if not path.exists():
        return False
    with intact(path, "it is damaged: delete it to train from the start"):
        state = torch.load(path, map_location="cpu", weights_only=True)
        if state["mark"] != mark:
            raise PairsError(
                f"{path} is the checkpoint of a run with other data or options; "
                "give this run a folder of its own, or delete the file"
            )
        module.load_state_dict(state["module"])
        kept = state["progress"]
        if {*kept} != {*vars(progress)} or not isinstance(kept["step"], int):
            raise ValueError("how far it got is not said")
        progress.history[:] = kept["history"]
        vars(progress).update(kept | {"history": progress.history})  # the caller's list
        if "optimizer" not in state:
            return True
        optimizer.load_state_dict(state["optimizer"])
        if "random" in state:
            torch.random.set_rng_state(state["random"])
            if state["random, CUDA"]:
                torch.cuda.set_rng_state_all(state["random, CUDA"])
        return False
