"""Many vectors as dots on one map: neighbours in meaning become neighbours on paper."""

from __future__ import annotations

import numpy as np

__all__ = ["nearest", "repulsion", "tsne"]

STEP = 5  # farthest that a place moves at once
CELL = 0.5  # largest side of a cell of the grid; forces change over distances of 1


def tsne(vectors: np.ndarray, neighbours: int = 15, seed: int = 0, progress: bool = False) -> np.ndarray:
    """Places of n vectors on a map: float64, (n, 2), centred.

    t-SNE (van der Maaten and Hinton 2008). Affinities are uniform over the nearest neighbours, which give
    practically the same maps as a perplexity does (Böhm, Berens and Kobak 2022, section 4). It begins with the two
    principal components, so that distant regions keep their order (Kobak and Berens 2019).

    Parameters
    ----------
    vectors : array (n, d)
        Rows in order of their principal components, as `principal` gives them.
    neighbours : int
        Nearest vectors that attract each.
    seed : int
        The same seed, the same map.

    Notes
    -----
    A step costs O(n · neighbours), and the grid of `repulsion`; the neighbours cost O(n^1.5 · d).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> two = np.concatenate([rng.normal(0, 1, (40, 5)), rng.normal(9, 1, (40, 5))])
    >>> places = tsne(two, neighbours=5)
    >>> bool(((nearest(places, 3, rng) < 40) == (np.arange(80) < 40)[:, None]).all())
    True
    """
    from scipy.sparse import csr_array
    from tqdm.auto import tqdm

    n, rng = len(vectors), np.random.default_rng(seed)
    neighbours = min(neighbours, n - 1)
    start = np.zeros((n, 2))
    start[:, : vectors.shape[1]] = vectors[:, :2]
    if neighbours < 1:
        return start
    ends = np.arange(0, n * neighbours + 1, neighbours)
    near = nearest(vectors, neighbours, rng)
    affinity = csr_array((np.ones(near.size, np.float32), near.ravel(), ends), shape=(n, n))
    affinity = csr_array(affinity + affinity.T)
    affinity.data /= affinity.sum()
    y = start / max(start.std(), 1e-12) * 1e-2 + rng.normal(0, 1e-4, (n, 2))
    degrees, speed, gain = np.diff(affinity.indptr), np.zeros((n, 2)), np.ones((n, 2))
    # At first attraction is made larger, and momentum smaller; the learning rate is n / 12 (Belkina et al. 2019).
    plan = [(12.0, 0.5)] * 200 + [(1.0, 0.8)] * 300
    for exaggeration, momentum in tqdm(plan, "placing", delay=2, leave=False, mininterval=1, disable=not progress):
        apart = np.repeat(y, degrees, axis=0) - y[affinity.indices]
        pull = csr_array(
            (affinity.data / (1 + (apart * apart).sum(axis=1)), affinity.indices, affinity.indptr), shape=(n, n)
        )
        push, total = repulsion(y)
        slope = exaggeration * (pull.sum(axis=1)[:, None] * y - pull @ y) - push / total
        gain = np.maximum(np.where(np.sign(slope) == np.sign(speed), gain * 0.8, gain + 0.2), 0.01)
        speed = momentum * speed - n / 12 * gain * slope
        speed *= np.minimum(1, STEP / np.maximum(np.linalg.norm(speed, axis=1, keepdims=True), 1e-12))
        y += speed
        y -= y.mean(axis=0)
    return y


def nearest(vectors: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """The k nearest other rows of each row, in no order: int64, (n, k).

    Rows are sorted into √n cells around as many of them, drawn at random, and looked for in the cells nearest to
    their own, enough to hold 3,000 rows: exact for so many, and nearly so for more.
    """
    x = np.ascontiguousarray(vectors, dtype=np.float32)
    n = len(x)
    cells = max(1, int(np.sqrt(n)))
    pivots = x[rng.choice(n, cells, replace=False)]
    home = np.concatenate([_squares(x[at : at + 4096], pivots).argmin(axis=1) for at in range(0, n, 4096)])
    members = np.split(np.argsort(home, kind="stable"), np.cumsum(np.bincount(home, minlength=cells))[:-1])
    found = np.empty((n, k), dtype=np.int64)
    for cell, order in enumerate(np.argsort(_squares(pivots, pivots), axis=1, kind="stable")):
        rows = members[cell]
        enough = int(np.searchsorted(np.cumsum([len(members[i]) for i in order]), max(3000, 2 * k + 1))) + 1
        others = np.concatenate([members[i] for i in order[:enough]])
        far = _squares(x[rows], x[others])
        far[rows[:, None] == others] = np.inf
        found[rows] = others[np.argpartition(far, k - 1, axis=1)[:, :k]]
    return found


def _squares(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Squared distances of all rows, up to one number for each row of `a`."""
    return (b * b).sum(axis=1) - 2 * (a @ b.T)


def repulsion(y: np.ndarray) -> tuple[np.ndarray, float]:
    """For each of n places Σ q² (y_i − y_j) over all others, where q = 1 / (1 + |y_i − y_j|²); and the sum of all q.

    Places are spread over the corners of their cells of a grid, and the sums are convolutions on it, made by FFT
    (Linderman et al. 2019, with a linear kernel): O(n + cells · log cells).
    """
    from scipy import fft

    span = np.ptp(y, axis=0).max()
    cell = CELL * 2.0 ** -np.clip(np.floor(np.log2(200 * CELL / max(span, 1e-9))), 0, 8)  # finer where there is room
    at = (y - y.min(axis=0)) / cell
    corner = at.astype(np.int64)
    share = at - corner
    side = fft.next_fast_len(2 * int(-(-(corner.max() + 2) // 32) * 32), real=True)  # few sizes: kernels are kept
    spots = [(corner[:, 0] + i) * side + corner[:, 1] + j for i in (0, 1) for j in (0, 1)]
    across, up = ((1 - share[:, i], share[:, i]) for i in (0, 1))
    weights = [a * b for a in across for b in up]
    charge = sum(np.bincount(s, w, side * side) for s, w in zip(spots, weights, strict=True))
    spectrum = fft.rfft2(charge.reshape(side, side).astype(np.float32))
    if (side, cell) not in _kernels:
        _kernels.clear()
        _kernels[side, cell] = [fft.rfft2(kernel) for kernel in _sampled(side, cell)]
    fields = (fft.irfft2(spectrum * kernel, s=(side, side)).ravel() for kernel in _kernels[side, cell])
    total, *push = (sum(field[s] * w for s, w in zip(spots, weights, strict=True)) for field in fields)
    # Spread over its corners, each place met itself as well.
    same, other = share**2 + (1 - share) ** 2, 2 * share * (1 - share)
    near, far = 1 / (1 + cell**2), 1 / (1 + 2 * cell**2)
    itself = same.prod(axis=1) + near * (same * other[:, ::-1]).sum(axis=1) + far * other.prod(axis=1)
    return np.column_stack(push), float((total - itself).sum())


_kernels: dict[tuple[int, float], list[np.ndarray]] = {}  # of the last grid: all that `repulsion` keeps


def _sampled(side: int, cell: float) -> list[np.ndarray]:
    """The kernels q, q² x and q² y on a grid that wraps around."""
    step = ((np.arange(side) + side // 2) % side - side // 2).astype(np.float32) * np.float32(cell)
    q = 1 / (1 + step[:, None] ** 2 + step**2)
    return [q, q * q * step[:, None], q * q * step]
