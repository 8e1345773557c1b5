"""A word before long work: how long a model will read, measured on what it has read."""

from __future__ import annotations

import sys
import time

from tqdm.auto import tqdm

__all__ = ["Forecast"]

_LONG, _MEASURED = 10.0, 1.0  # seconds: what is worth a word, and after how many of them there is a rate


class Forecast:
    """Says once, on stderr, how long some work will take, where that is more than ten seconds.

    Parameters
    ----------
    what : str
        Who does what, as the beginning of a sentence.
    total : int
        The work, in any unit that takes about equally long.
    progress : bool
        Whether to say anything.

    Examples
    --------
    >>> forecast = Forecast("the model reads 3 pairs", 3, progress=True)
    >>> forecast.after(1)  # in no time
    """

    def __init__(self, what: str, total: int, progress: bool):
        self._what, self._total, self._progress = what, total, progress
        self._done, self._began = 0, time.monotonic()

    def after(self, work: int) -> None:
        """So much more is done."""
        self._done += work
        taken = time.monotonic() - self._began
        if self._progress and taken >= _MEASURED:
            self._progress = False
            left = taken * (self._total / self._done - 1)
            if left > _LONG:
                said = f"{left:.0f} seconds" if left < 100 else f"{left / 60:.0f} minutes"
                tqdm.write(f"note: {self._what}, which takes about {said}; Ctrl-C ends it", file=sys.stderr)
