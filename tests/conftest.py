"""What holds for every test, and the order in which tests run."""

import os

import pytest
from hypothesis import HealthCheck, settings

# Each worker trains on a thread of its own: torch's threads wait for each other by spinning, and several workers
# with as many threads as cores slow each other down many times over. Kernels and shells that tests start inherit it.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

# An example may take as long as it takes: how long says something about the machine.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

#: Groups of tests that take longest come first, so that at the end no worker waits for another.
LONGEST = ["browser", "08_how_far_does_transitivity_carry", "07_training_on_augmented_data"]
LONGEST += ["09_reviewing_flipped_pairs", "05_balance_theory", "06_balance_exercises"]


def _group(item):
    return item.get_closest_marker("xdist_group").args[0]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """With ``--dist loadgroup`` a process runs a whole file, all tests of one notebook, or all of the browser."""
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            folder, name = item.path.parent.name, item.path.stem
            item.add_marker(pytest.mark.xdist_group(folder if folder == "browser" else f"{folder}/{name}"))
    items.sort(key=lambda item: LONGEST.index(_group(item)) if _group(item) in LONGEST else len(LONGEST))
