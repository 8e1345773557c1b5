"""What holds for every test, and the order in which tests run."""

import os

# One thread a process, set before numpy loads: threads wait for each other by spinning, and several workers with as
# many threads as cores slow each other down many times over. Workers, kernels and shells inherit it.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

import importlib.util
import re
import signal

import pytest
from hypothesis import HealthCheck, settings

# A shell starts background jobs deaf to Ctrl-C, and Python then raises no KeyboardInterrupt: the tests want it to.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# An example may take as long as it takes: how long says something about the machine. Examples are the same in every
# run, so that a run fails for what was changed, and in `make test-long` more; profile "search" draws new ones.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("many", settings.get_profile("search"), derandomize=True, database=None)
settings.register_profile("few", settings.get_profile("many"), max_examples=30)
settings.load_profile("few")

#: Groups of tests that take longest come first, so that at the end no worker waits for another.
LONGEST = ["JupyterLab", *(f"tests/browser/test_{name}.py" for name in ("served", "class", "lab_page", "site"))]
LONGEST += ["papers/does_augmenting_help", "papers/which_words_differ", "papers/collecting_labels"]
LONGEST += ["08_how_good_are_proposals", "04_balance_exercises"]
LONGEST += ["tests/widgets/test_review.py", "tests/widgets/test_review_learns.py"]

#: Browser tests that open notebooks in JupyterLab; the others open pages.
LAB = r"/browser/test_(atlas|explorer|explorer_list|explorer_notebook|lab|review|review_pairs|tags)\.py"


def group(nodeid):
    """What one process runs in a row, because it shares what is dear: a file, a notebook's tests, JupyterLab's.

    >>> [group(f"tests/browser/test_{name}.py::test_edge") for name in ("lab", "pages")]
    ['JupyterLab', 'tests/browser/test_pages.py']
    >>> group("tests/notebooks/test_notebooks.py::test_x[00_tour]")
    '00_tour'
    """
    notebook = re.search(r"\[((?:\d\d_|papers/)\w+)\]$", nodeid)
    if notebook:
        return notebook[1]
    return "JupyterLab" if re.search(LAB, nodeid) else nodeid.split("::")[0]


#: Markers of tests that need an extra, and what it installs. They are skipped without it, but fail where
#: PARAGRAPH_NO_SKIP names the marker.
EXTRAS = {"ja": "ja_ginza", "scale": "duckdb", "spark": "pyspark"}


def pytest_runtest_setup(item):
    for marker, module in EXTRAS.items():
        if item.get_closest_marker(marker) and importlib.util.find_spec(module) is None:
            end = pytest.fail if marker in os.environ.get("PARAGRAPH_NO_SKIP", "").split(",") else pytest.skip
            end(f"{module} is not installed: make test-{marker} installs it")


def pytest_collection_modifyitems(items):
    place = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(group(item.nodeid), len(place)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """One worker more than there are cores: of the time of a browser or a kernel, much is waiting."""
    return os.cpu_count() + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Whole groups are handed out, in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group(nodeid)

    config.option.loadscopereorder = False
    return Groups(config, log)
