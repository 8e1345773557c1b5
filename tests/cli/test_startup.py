"""What a small command must not load: each of these takes as long as the command itself, or longer."""

import pytest

import paragraph as pg

from ..process import python

HEAVY = ["torch", "transformers", "sklearn", "matplotlib", "scipy.stats", "scipy.optimize", "IPython", "ipywidgets"]
HEAVY += ["networkx"]
SMALL = [*HEAVY, "scipy", "tqdm", "pyarrow.dataset", "pyarrow.parquet", "urllib.request"]
#: One after the other in one process: what the first must not load, none of them loads before.
COMMANDS = {
    "--help": [*SMALL, "numpy", "pandas", "pyarrow"],
    f"summary {pg.DEMO}": SMALL,
    f"summary {pg.DEMO} --json": SMALL,
    f"conflicts {pg.DEMO} -o -": [*HEAVY, "tqdm"],
    f"split {pg.DEMO} -o split --shares a=.5,b=.5": [*HEAVY, "tqdm"],
    f"explain {pg.DEMO} a b": HEAVY,
    f"repair {pg.DEMO} -o out.tsv --judge none": HEAVY,
}


@pytest.mark.slow
def test_small_commands_load_little(tmp_path):
    code = (
        f"import sys\nfrom paragraph.cli import main\nfor command, absent in {COMMANDS!r}.items():\n"
        "    try: main(command.split())\n    except SystemExit: pass\n"
        "    print('loaded:', command, *[name for name in absent if name in sys.modules])"
    )
    done = python("-c", code, check=True, cwd=tmp_path)
    said = [line for line in done.stdout.splitlines() if line.startswith("loaded:")]
    assert said == [f"loaded: {command}" for command in COMMANDS]
