"""The base of the logistic regressions on columns of pairs."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import pandas as pd

from ...measure.logistic import Logistic
from ...pairs import PairsError
from ...pairs.errors import intact
from ...pairs.outputs import all_or_none
from ..pretrained.find import here

__all__ = ["Regression", "numbers", "sentences_of"]


class Regression:
    """A logistic regression on columns of pairs, kept as plain arrays in one file.

    A subclass has ``_width``, the number of columns, ``_kept()``, the arrays that it needs in addition to the
    regression, and ``_from(arrays, path)``, which makes the model and takes them out of those read.
    """

    deterministic = True
    _file: ClassVar[str]
    _logistic: Logistic | None = None

    @property
    def _fitted(self) -> Logistic:
        if self._logistic is None:
            raise PairsError(f"the model {self.name} is not fitted: call fit(train) first")
        return self._logistic

    def save(self, folder: str | PathLike) -> None:
        """Write the fitted model as plain arrays."""
        arrays = self._fitted._asdict() | self._kept()
        with all_or_none(folder) as stage:
            np.savez_compressed(stage / self._file, **arrays)

    @classmethod
    def load(cls, folder: str | PathLike) -> Self:
        """Read a fitted model that `save` has written."""
        path = Path(folder, cls._file)
        if not path.is_file():
            raise PairsError(f"{path} is missing: name a folder that {cls.__name__}.save has written")
        with intact(path, "it is damaged: train the model and save it again"), np.load(path) as file:
            arrays = dict(file)
            if "encoder" in arrays:
                here(str(arrays["encoder"]), path)
            model = cls._from(arrays, path)
            *rows, bias = Logistic(**arrays)
            model._logistic = Logistic(*(numbers(row, model._width) for row in rows), float(numbers(bias)))
        return model


def numbers(array: np.ndarray, *shape: int) -> np.ndarray:
    """An array that was read, if it holds finite numbers and has this shape."""
    if array.dtype.kind != "f" or array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"an array of {array.dtype}, {array.shape}, where numbers are expected, {shape}")
    return array


def sentences_of(pairs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The numbers of each pair's two sentences, and the distinct sentences of the table."""
    codes, texts = pd.factorize(pd.concat([pairs["text_a"], pairs["text_b"]], ignore_index=True))
    return codes[: len(pairs)], codes[len(pairs) :], list(texts)
