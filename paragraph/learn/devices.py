"""Where tensors are computed, and in which arithmetic."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext

import torch

from ..pairs import PairsError

__all__ = ["alone", "arithmetic", "autocast", "pick_device"]


def pick_device(device: str | torch.device | None = None) -> torch.device:
    """The device named; by default the GPU where there is one, else the CPU."""
    if device is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        found = torch.device(device)
    except RuntimeError as error:
        raise PairsError(f"device {device!r} is not known to torch; say 'cpu' or 'cuda'") from error
    if found.type == "cuda" and not torch.cuda.is_available():
        raise PairsError(f"device {device!r}: torch finds no GPU on this machine; say 'cpu'")
    return found


def arithmetic(device: torch.device) -> str:
    """``"bfloat16"`` where the device multiplies it in hardware, else ``"float32"``.

    Elsewhere it is emulated, and slower than what it replaces. ``PARAGRAPH_BFLOAT16=0`` in the environment switches
    it off, to measure what a machine without it would take.
    """
    if os.environ.get("PARAGRAPH_BFLOAT16") == "0":
        native = False
    elif device.type == "cuda":
        native = torch.cuda.is_bf16_supported(including_emulation=False)
    elif device.type == "cpu":
        # torch has no public question for this; a version that drops the private one answers no.
        native = getattr(torch.cpu, "_is_avx512_bf16_supported", bool)()
    else:
        native = False
    return "bfloat16" if native else "float32"


def autocast(device: torch.device) -> AbstractContextManager:
    """Matrix products in bfloat16 where that is native, sums and norms in float32; else all in float32."""
    if arithmetic(device) == "float32":
        return nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)


def alone(small: bool) -> AbstractContextManager:
    """One OpenMP thread where matrices are `small`: on a busy machine several wait longer than they work.

    OpenMP keeps this setting for each thread, so other threads compute with as many as before.
    """
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1, "openmp") if small else nullcontext()
