"""Nearest neighbours by cosine, exactly: blocks of products, and the best of each row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from tqdm.auto import tqdm

from ..pairs import PairsError

if TYPE_CHECKING:
    import torch

__all__ = ["nearest"]

#: Products that are held at once: 64 MB.
_AT_ONCE = 2**24


def nearest(
    vectors: np.ndarray,
    k: int,
    others: np.ndarray | None = None,
    *,
    device: str | torch.device | None = None,
    progress: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """The k rows most like each row by cosine: their numbers and cosines, both (n, k), the nearest first.

    A row is no neighbour of its own. Of equal cosines the lower number comes first. Where there are fewer than k
    neighbours, all of them.

    Parameters
    ----------
    vectors : array, (n, d)
        Of any length; a row of zeros has cosine 0 with everything.
    others : array, (m, d), optional
        Where neighbours are looked for, instead of among the vectors themselves; then no row is left out.

    Notes
    -----
    O(n · m · d) time and memory for a block of rows; nothing is approximated. Arithmetic is float32, whose rounding
    decides between cosines that are closer than some 10⁻⁷.

    Examples
    --------
    >>> numbers, cosines = nearest(np.array([[1, 0], [3, 4], [0, 1]]), k=5)
    >>> numbers.tolist(), (100 * cosines).round().tolist()
    ([[1, 2], [2, 0], [1, 0]], [[60.0, 0.0], [80.0, 60.0], [80.0, 0.0]])
    """
    import torch

    from .devices import pick_device

    where = pick_device(device)
    rows = _unit(vectors, where)
    columns = rows if others is None else _unit(others, where)
    if k < 0 or rows.shape[1] != columns.shape[1]:
        raise PairsError(
            f"k={k} neighbours, vectors {tuple(rows.shape)} and others {tuple(columns.shape)} do not fit"
        )
    k = min(k, len(columns) - (others is None))
    numbers = np.empty((len(rows), max(k, 0)), dtype=np.int64)
    cosines = np.empty(numbers.shape, dtype=np.float32)
    step = max(1, _AT_ONCE // max(1, len(columns)))
    for i in tqdm(range(0, len(rows) if k > 0 else 0, step), "neighbours", delay=1, disable=not progress):
        found = rows[i : i + step] @ columns.T  # (step, m)
        if others is None:
            found[torch.arange(len(found)), torch.arange(i, i + len(found))] = -2
        value, at = found.topk(min(k + 1, found.shape[1]))
        tied = torch.nonzero(value[:, k - 1] == value[:, -1]).ravel() if value.shape[1] > k else []
        value, at = value[:, :k], at[:, :k]
        if len(tied):  # topk takes any of those equal to the last
            value[tied], at[tied] = (part[:, :k] for part in found[tied].sort(stable=True, descending=True))
        at, order = at.sort()
        value, order = value.gather(1, order).sort(stable=True, descending=True)
        numbers[i : i + step], cosines[i : i + step] = at.gather(1, order).cpu(), value.cpu()
    return numbers, cosines


def _unit(vectors: np.ndarray, where: torch.device) -> torch.Tensor:
    import torch

    found = torch.as_tensor(np.asarray(vectors, dtype=np.float32), device=where)
    if found.ndim != 2 or not bool(torch.isfinite(found).all()):
        raise PairsError(f"vectors of shape {tuple(found.shape)} are no table of finite numbers, one row a sentence")
    return torch.nn.functional.normalize(found, eps=1e-30)
