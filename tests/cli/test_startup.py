"""What a small command must not load: each of these takes as long as the command itself, or longer."""

import subprocess
import sys

import pytest

import paragraph as pg

HEAVY = ["torch", "transformers", "sklearn", "matplotlib", "scipy.stats", "scipy.optimize", "IPython", "ipywidgets"]
SMALL = [*HEAVY, "scipy", "networkx", "tqdm", "pyarrow.dataset", "pyarrow.parquet", "urllib.request"]


@pytest.mark.parametrize(
    ("command", "absent"),
    [
        (["--help"], SMALL),
        (["summary", pg.DEMO], SMALL),
        (["summary", pg.DEMO, "--json"], SMALL),
        (["conflicts", pg.DEMO, "-o", "-"], [*HEAVY, "networkx", "tqdm"]),
        (["explain", pg.DEMO, "a", "b"], [*HEAVY, "networkx"]),
        (["split", pg.DEMO, "-o", "{folder}/split", "--shares", "a=.5,b=.5"], [*HEAVY, "networkx", "tqdm"]),
        (["repair", pg.DEMO, "-o", "{folder}/out.tsv", "--method", "flip_all"], [*HEAVY, "networkx"]),
    ],
    ids=lambda value: value[0] if isinstance(value[0], str) and value[0] not in SMALL else "",
)
def test_small_commands_load_little(command, absent, tmp_path):
    command = [str(part).format(folder=tmp_path) for part in command]
    code = (
        "import sys\nfrom paragraph.cli import main\n"
        f"try: main({command!r})\nexcept SystemExit: pass\n"
        f"print('loaded:', *[name for name in {absent!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:", done.stdout.splitlines()[-1]
