"""The installation: uv reads the settings of pip; the wheel holds the corpus, and the tour runs from it."""

import json
import os
import runpy
import subprocess
import sys
import venv
import zipfile
from functools import partial
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
INSTALL = runpy.run_path(str(ROOT / ".ci" / "install.py"))

#: What `pip config list` prints, and what uv is told.
SETTINGS = [
    ("", {}, []),
    ("global.index-url='https://a/simple'", {"UV_DEFAULT_INDEX": "https://a/simple"}, []),
    ("global.index-url='https://a'\ninstall.index-url='https://b'", {"UV_DEFAULT_INDEX": "https://b"}, []),
    (":env:.index-url='https://c'\nglobal.index-url='https://a'", {"UV_DEFAULT_INDEX": "https://c"}, []),
    ("global.extra-index-url='\\nhttps://a/x=1\\nfile:///b'", {"UV_INDEX": "https://a/x=1 file:///b"}, []),
    ("user.find-links='/w'\nglobal.find-links='/w https://v'", {"UV_FIND_LINKS": "/w,https://v"}, []),
    (":env:.cert='/ca.crt'\nglobal.timeout='60'", {"SSL_CERT_FILE": "/ca.crt", "UV_HTTP_TIMEOUT": "60"}, []),
    ("global.constraint='a.txt b.txt'", {}, ["-c", "a.txt", "-c", "b.txt"]),
    (":env:.no-index='1'\nglobal.trusted-host='h'", {"UV_INSECURE_HOST": "h"}, ["--no-index"]),
    (":env:.no-index='false'", {}, []),
]


@pytest.mark.parametrize(("listed", "variables", "options"), SETTINGS)
def test_uv_reads_the_settings_of_pip(listed, variables, options):
    settings = INSTALL["pip_settings"](listed)
    assert INSTALL["shared_variables"](settings) == {"UV_INDEX_STRATEGY": "unsafe-best-match", **variables}
    assert INSTALL["shared_options"](settings) == options


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, *["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w"]]
    subprocess.run([*pip, folder, ROOT], check=True, capture_output=True)
    return next(folder.glob("paragraph_workbench-*.whl"))


@pytest.mark.slow
def test_the_corpus_travels_in_the_wheel(wheel, tmp_path):
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    code = "import paragraph as pg; print(pg.__file__, len(pg.read_pairs(pg.DEMO)), pg.DEMO_KEY.is_file(), sep='|')"
    command, path = [sys.executable, "-c", code], {"PYTHONPATH": str(site)}
    found = subprocess.run(command, cwd=tmp_path, env=path, capture_output=True, text=True, check=True)
    where, rows, key = found.stdout.strip().split("|")
    assert where.startswith(str(site))
    assert int(rows) >= 1200 and key == "True"
    assert (site / "paragraph" / "widgets" / "base" / "start.js").is_file()
    assert (site / "paragraph" / "draw" / "network.js").is_file()


@pytest.mark.long
def test_the_tour_runs_from_the_wheel_in_an_environment_of_its_own(wheel, tmp_path):
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    run = partial(subprocess.run, check=True, capture_output=True, text=True, env=variables)
    run([python, ROOT / ".ci" / "install.py", wheel], cwd=ROOT)
    cells = json.loads((ROOT / "notebooks" / "00_tour.ipynb").read_text(encoding="utf-8"))["cells"]
    code = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    tour = tmp_path / "elsewhere" / "tour.ipy"
    tour.parent.mkdir()
    tour.write_text(f"{code}\n\nprint('from', pg.__file__)\n", encoding="utf-8")
    printed = run([python, "-m", "IPython", "--colors=NoColor", tour], cwd=tour.parent).stdout
    assert f"from {tmp_path / 'venv'}" in printed
    assert "<ParaphraseGraph: 874 sentences" in printed and "(row 1927)" in printed
    assert "Traceback" not in printed
