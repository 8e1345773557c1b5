"""Runs that can be killed: finished cells stay on disk, and a rerun computes the others; the record of a run."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ...files import PairsError
from ...files.errors import as_pairs_error
from ...files.outputs import atomic_write, write_json
from ...files.records import make_record

__all__ = ["run_cells", "run_record", "table_hash"]

Arrays = dict[str, np.ndarray]


def run_cells(
    cells: Sequence[str],
    compute: Callable[[str], Arrays],
    plan: dict[str, Any],
    path: str | PathLike | None = None,
    *,
    progress: bool = True,
) -> dict[str, Arrays]:
    """Return the arrays of every cell, by name: finished cells are read, the others computed.

    Parameters
    ----------
    cells : sequence of str
        Names, in the order in which they are to be done.
    compute : callable
        From a name to arrays by name.
    plan : dict
        Data, options and all else that the run depends on, as JSON. A run continues only a run with the same plan.
    path : path, optional
        Finished cells are kept as ``<path>.cells/<name>.npz``, each written whole or not at all. Two processes may
        run the same plan. Without a path nothing is kept.

    Raises
    ------
    PairsError
        What is at `path` was begun with another plan.

    Examples
    --------
    >>> run_cells(["2", "3"], lambda name: {"square": np.array(int(name) ** 2)}, plan={}, progress=False)
    {'2': {'square': array(4)}, '3': {'square': array(9)}}
    """
    from tqdm.auto import tqdm

    folder = None
    if path is not None:
        folder = _folder(Path(path), plan)
    done: dict[str, Arrays] = {}
    with tqdm(cells, "cells", unit=" cell", disable=not progress) as bar:
        for cell in bar:
            bar.set_postfix_str(cell)
            if folder is None:
                done[cell] = compute(cell)
            else:
                done[cell] = _compute_once(folder, cell, compute)
    return done


def _compute_once(folder: Path, cell: str, compute: Callable[[str], Arrays]) -> Arrays:
    """Read a finished cell, or compute it and write it."""
    from tqdm.auto import tqdm

    file = folder / f"{cell.replace(' ', '_')}.npz"
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return dict(arrays)
    except FileNotFoundError:
        pass
    except Exception:  # numpy and its readers raise whatever they like
        with tqdm.external_write_mode():  # on a line of its own, not behind the bar
            warnings.warn(f"{file} cannot be read and is computed again", stacklevel=4)
    arrays = compute(cell)
    with atomic_write(folder, folder=True) as stage:
        np.savez(stage / file.name, **arrays)
    return arrays


def _folder(path: Path, plan: dict[str, Any]) -> Path:
    """Make the folder of finished cells, or find it with the same plan."""
    folder = path.with_name(f"{path.name}.cells")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "plan.json"
    plan = json.loads(json.dumps(plan))
    if not file.exists():
        write_json(plan, file)
        return folder
    with as_pairs_error(file, f"it is not a plan of a run: remove {folder} or name other results"):
        before = dict(json.loads(file.read_bytes()))
    if before != plan:
        names = {**before, **plan}
        other = [name for name in sorted(names) if before.get(name) != plan.get(name)]
        raise PairsError(
            f"{folder} holds cells of another run, which differs in {', '.join(other)}; name other results, "
            f"or remove the folder to begin again"
        )
    return folder


def table_hash(pairs: pd.DataFrame) -> str:
    """SHA-256 of the sentences and labels of a pair table, row by row."""
    digest = hashlib.sha256()
    label = pairs["label"].astype("Int8").astype("string").fillna("")
    for row in zip(pairs["text_a"], pairs["text_b"], label, strict=True):
        cells = "\x1f".join(row) + "\x1e"
        digest.update(cells.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def run_record(
    experiment: str, data: Mapping[str, pd.DataFrame], options: dict[str, Any], seconds: float
) -> dict[str, Any]:
    """Return the record of a run: data by hash, options, versions, seconds."""
    record = make_record({}, **options)
    for name in ("scikit-learn", "torch", "transformers"):
        try:
            record["versions"][name] = version(name)
        except PackageNotFoundError:
            continue
    record["inputs"] = {}
    for name, table in data.items():
        digest = table_hash(table)
        record["inputs"][name] = {"rows": len(table), "sha256": digest}
    return {"experiment": experiment, **record, "seconds": round(seconds, 1)}
