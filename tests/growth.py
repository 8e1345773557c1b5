"""Time in tests: no test asserts seconds, so that a slow or busy machine passes as well.

What is asserted is how work grows with the size of the data.
"""

from math import log
from time import process_time

#: What `exponent` stays below where the time is linear. 16 times the data may take 128 times as long; 16 times is
#: linear, 256 times quadratic. Caches that are too small for the larger size have been seen to make it 1.52.
LINEAR = 1.75
HUNG = 1200  #: seconds after which a process counts as hung


def exponent(work, small, large):
    """About 1 where the time of `work(size)` is linear in the size, 2 where it is quadratic.

    Processor time counts, the least of three runs of the small size and of two of the large one. Sizes should lie 16
    times apart: see `LINEAR`.
    """
    few, many = (min(_seconds(work, size) for _ in range(runs)) for size, runs in ((small, 3), (large, 2)))
    return log(many / few) / log(large / small)


def _seconds(work, size):
    began = process_time()
    work(size)
    return process_time() - began
