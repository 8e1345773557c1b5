# Everything runs inside .venv, which any target makes on first use.
PYTHON ?= python3
LAB_ARGS ?=
TEST_ARGS ?= -n auto
BENCH_ARGS ?=

# Formats JavaScript and CSS (.prettierrc.json), where node is.
PRETTIER := npx --yes prettier@3.10.1
SCRIPTS := "**/*.{js,css}"

BIN := .venv/bin
INSTALL := $(BIN)/python .ci/install.py -e
# Bytecode is kept, whatever the shell says: tests start hundreds of processes, and each would compile all it imports.
export PYTHONDONTWRITEBYTECODE :=
# Stamps: what a user needs, and with it what tests, notebooks' pages and benchmarks need.
READY := .venv/.ready
TESTABLE := .venv/.testable
# Jupyter refuses to run as root unless told, and containers run as root.
ROOT_ARGS := $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: lab lesson test test-all test-long test-ja test-scale test-spark quick notebooks docs bench lint format clean

lab: $(READY)  ## open JupyterLab on the tour
	$(BIN)/jupyter lab --ServerApp.root_dir="$(CURDIR)" --LabApp.default_url=/lab/tree/notebooks/00_tour.ipynb \
		$(ROOT_ARGS) $(LAB_ARGS)

lesson: $(BIN)/python  ## install without torch (.8 GB), and open JupyterLab on the lesson
	$(INSTALL) .
	$(BIN)/jupyter lab --ServerApp.root_dir="$(CURDIR)" --LabApp.default_url=/lab/tree/notebooks/03_balance_lesson.ipynb \
		$(ROOT_ARGS) $(LAB_ARGS)

test: $(TESTABLE)  ## test every feature once: docstrings, README, data, notebooks, browser
	$(BIN)/python -m pytest $(TEST_ARGS) -m "not long"

test-all: test-long test-ja test-scale test-spark  ## test the rest: real data, long kills, what the extras bring

test-long: $(TESTABLE)  ## run the tests that `make test` leaves out, for want of time, and properties on more examples
	$(BIN)/python -m pytest $(TEST_ARGS) --hypothesis-profile=many -m "(long or hypothesis) and not (ja or scale or spark)" tests

test-ja: $(TESTABLE)  ## install the extra "ja" (GiNZA, 1.1 GB) and run the tests that parse Japanese
	$(INSTALL) '.[ja]'
	PARAGRAPH_NO_SKIP=ja $(BIN)/python -m pytest $(TEST_ARGS) -m ja tests/papers tests/notebooks

test-scale: $(TESTABLE)  ## install the extra "scale" and run its tests
	$(INSTALL) '.[scale]'
	PARAGRAPH_NO_SKIP=scale $(BIN)/python -m pytest $(TEST_ARGS) -m scale tests/scale tests/cli tests/files

test-spark: $(TESTABLE)  ## install the extra "spark" (needs Java 17) and run its tests, in one process: one Spark
	$(INSTALL) '.[spark]'
	PARAGRAPH_NO_SKIP=spark $(BIN)/python -m pytest -n 0 -m spark tests/scale

# Folders are named, so that nothing is imported from those left out: torch alone takes seconds.
WINGS := $(addprefix tests/,atlas/ lesson/ papers/ scale/)
QUICK := $(filter-out $(WINGS) tests/browser/ tests/learn/ tests/notebooks/ tests/__pycache__/ tests/test_misuse.py,\
	$(wildcard tests/*/ tests/test_*.py))

quick: $(TESTABLE)  ## run the tests of the core that take a minute together: no training, notebooks, browser, docstrings
	$(BIN)/python -m pytest $(TEST_ARGS) -m "not (slow or long or browser or notebook or network)" $(QUICK)

notebooks: $(TESTABLE)  ## execute every notebook and write pages that need no network
	$(BIN)/python notebooks/build.py

docs: $(TESTABLE)  ## the notebooks and a reference of every public name, as one site that works offline
	$(BIN)/python docs/build.py

bench: $(TESTABLE)  ## measure speed and size, as ratios in one run
	$(BIN)/python -m benchmarks $(BENCH_ARGS)

lint: $(TESTABLE)  ## check the style, and the shapes of what the pages pass on (jsconfig.json), where node is
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	! command -v npx >/dev/null || npx --yes -p typescript@5.9.3 tsc -p jsconfig.json

format: $(TESTABLE)
	$(BIN)/ruff check --fix . && $(BIN)/ruff format .
	! command -v npx >/dev/null || $(PRETTIER) --log-level warn --write $(SCRIPTS)

clean:
	rm -rf build dist .venv .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Installed again only when what is to be installed has changed.
$(READY): pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) '.[learn]'
	touch $@

$(TESTABLE): pyproject.toml constraints.txt | $(BIN)/python
	UV_COMPILE_BYTECODE=1 $(INSTALL) '.[learn,bench,dev]'
	touch $(READY) $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "paragraph needs Python 3.11 or newer; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv
