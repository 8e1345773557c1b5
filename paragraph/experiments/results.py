"""What an experiment found: tables without sentences, and the record of how they were made."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from os import PathLike
from typing import Any, ClassVar, Self

import pandas as pd

from .runs import read_tables

__all__ = ["Results"]


@dataclass(frozen=True)
class Results:
    """What the results of every experiment have; a subclass has its `layout` and `notes`."""

    tables: dict[str, pd.DataFrame]
    record: dict[str, Any]

    experiment: ClassVar[str]  #: its name in records
    metrics: ClassVar[tuple[str, ...]]  #: those shown in a notebook

    @classmethod
    def read(cls, path: str | PathLike) -> Self:
        """The results that a run wrote (``<path>.parquet`` and its record)."""
        return cls(*read_tables(path, cls.experiment))

    @property
    def table(self) -> pd.DataFrame:
        """One row a training set, test set and seed: the scores, named as by `measure.scores`, and `n`, `model`."""
        return self.tables["scores"]

    def layout(self, metric: str = "accuracy") -> pd.DataFrame:
        """The paper's layout of a metric, mean ± standard deviation over seeds."""
        raise NotImplementedError

    def notes(self) -> list[str]:
        """What a reader of the table must know, in sentences: the model, its seeds, what its weights have seen."""
        model, many = self.record["options"]["model"], len(self.record["options"]["seeds"])
        seeds = f"{many} seed{'s' * (many != 1)}"
        if model["deterministic"]:
            seeds += f", each a bootstrap of the training set by {self.record['units']}"
        notes = [f"Model: {model['name']}; {seeds}."]
        if model["trained_on"]:
            notes.append(f"What its weights have seen: {model['trained_on']}")
        return notes

    def _heading(self, metric: str) -> str:
        """What stands beside a metric above its layout."""
        return ""

    def _repr_html_(self) -> str:
        parts = [
            f"<p><b>{escape(metric)}</b>{self._heading(metric)}</p>{self.layout(metric).to_html(border=0)}"
            for metric in self.metrics
        ]
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes())
        return f'<div class="tex2jax_ignore mathjax_ignore">{"".join(parts)}<ul>{notes}</ul></div>'
