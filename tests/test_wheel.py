"""The wheel: the shipped corpus travels in it, and is found from there."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_corpus_travels_in_the_wheel(tmp_path):
    pip = [sys.executable, *["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w"]]
    subprocess.run([*pip, tmp_path, ROOT], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("paragraph_workbench-*.whl")
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    code = "import paragraph as pg; print(pg.__file__, len(pg.read_pairs(pg.DEMO)), pg.DEMO_KEY.is_file(), sep='|')"
    command, path = [sys.executable, "-c", code], {"PYTHONPATH": str(site)}
    found = subprocess.run(command, cwd=tmp_path, env=path, capture_output=True, text=True, check=True)
    where, rows, key = found.stdout.strip().split("|")
    assert where.startswith(str(site))
    assert int(rows) >= 1200 and key == "True"
    assert (site / "paragraph" / "widgets" / "base" / "start.js").is_file()
    assert (site / "paragraph" / "draw" / "page.js").is_file()
