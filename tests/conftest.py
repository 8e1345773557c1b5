"""What holds for every test."""

import os

# Each worker trains on a thread of its own: torch's threads wait for each other by spinning, and several workers
# with as many threads as cores slow each other down many times over. Kernels and shells that tests start inherit it.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
