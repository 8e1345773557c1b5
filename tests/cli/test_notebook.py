"""``paragraph open``: a notebook on a file."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import paragraph as pg

MY = "erster,zweiter,gleich\r\nWie weit?,Welche Entfernung?,ja\r\nWie weit?,Wie lange?,nein\r\n"
READ = ("--columns", "text_a=erster,text_b=zweiter,label=gleich", "--labels", "ja=1,nein=0")
READ += ("--unlabelled", "keep", "--on-error", "skip", "--identity", "normal")


def test_a_notebook_reads_the_file_as_the_command_did_and_is_never_overwritten(desk, run):
    Path("my 'file'.csv").write_bytes(MY.encode())
    assert run("open", "my 'file'.csv", "--no-lab").status == 2 and not list(desk.glob("*.ipynb"))
    done = run("open", "my 'file'.csv", *READ, "--no-lab")
    assert (done.status, done.out) == (0, "written: my 'file'.csv.ipynb\n")
    notebook = json.loads(Path("my 'file'.csv.ipynb").read_text())
    cells = {
        kind: [c["source"] for c in notebook["cells"] if c["cell_type"] == kind] for kind in ("code", "markdown")
    }
    assert [len(found) for found in cells.values()] == [3, 3]
    names = {}
    for code in cells["code"]:
        exec(code, names)
    assert names["pairs"]["label"].tolist() == [1, 0] and Path("my 'file'.csv.db").exists()
    apply = re.search("`paragraph (apply.*)`", notebook["cells"][4]["source"])[1]
    pg.DecisionLog("my 'file'.csv.db", "me").add("Wie weit?", "Wie lange?", "flip", label=0)
    review = names["pg"].ConflictReview(names["graph"], "my 'file'.csv.db", reviewer="me")
    said = review._next_steps()["copy"]["text"].splitlines()[1]
    assert shlex.split(said)[:-1] == ["paragraph", *shlex.split(apply)[:-1]]  # its last word names the output
    assert run(*shlex.split(apply)).status == 0
    assert Path("my 'file'.clean.csv").read_bytes() == MY.replace("nein", "ja").encode()
    Path("my 'file'.csv.ipynb").write_text("mine")
    assert "delete it first" in run("open", "my 'file'.csv", "--no-lab").out
    assert Path("my 'file'.csv.ipynb").read_text() == "mine"


@pytest.mark.long
def test_jupyterlab_opens_on_it(desk):
    Path("my.csv").write_text(MY)
    command = [sys.executable, "-m", "paragraph", "open", "my.csv", *READ]
    settings = os.environ | {"BROWSER": "true", "JUPYTER_CONFIG_DIR": str(desk), "JUPYTER_PREFER_ENV_PATH": "0"}
    lab = subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        said = iter(lab.stdout.readline, "")
        address = next(found[0] for line in said if (found := re.search(r"http://127.0.0.1\S+token=\w+", line)))
        assert "/lab/tree/my.csv.ipynb?" in address
        for wait in range(100):
            try:
                assert urllib.request.urlopen(address).status == 200
                break
            except urllib.error.URLError:  # it listens a moment after it said so
                time.sleep(0.1 + wait / 100)
        else:
            raise AssertionError(address)
    finally:
        lab.send_signal(signal.SIGTERM)
        lab.wait(30)
