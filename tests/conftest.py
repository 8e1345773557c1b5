"""What holds for every test."""

import os

from hypothesis import HealthCheck, settings

# Each worker trains on a thread of its own: torch's threads wait for each other by spinning, and several workers
# with as many threads as cores slow each other down many times over. Kernels and shells that tests start inherit it.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

# An example may take as long as it takes: how long says something about the machine.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
