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
from bs4 import BeautifulSoup
from nbconvert.filters import markdown2html

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
    apply = re.search("    paragraph (apply.*)", notebook["cells"][4]["source"])[1]
    pg.DecisionLog("my 'file'.csv.db", "me").add("Wie weit?", "Wie lange?", "flip", label=0)
    review = names["pg"].ConflictReview(names["graph"], "my 'file'.csv.db", reviewer="me")
    said = review._sitting.next_steps(review.graph)["copy"]["text"].splitlines()[1]
    assert shlex.split(said)[:-1] == ["paragraph", *shlex.split(apply)[:-1]]  # its last word names the output
    assert run(*shlex.split(apply)).status == 0
    assert Path("my 'file'.clean.csv").read_bytes() == MY.replace("nein", "ja").encode()
    Path("my 'file'.csv.ipynb").write_text("mine")
    assert "delete it first" in run("open", "my 'file'.csv", "--no-lab").out
    assert Path("my 'file'.csv.ipynb").read_text() == "mine"


#: Names of files: each tries to be code, a command, an option or a page, or ends whatever it stands in.
NAMES = [
    *(f',__import__("os").system("touch PWNED"))#{{{key}}}' for key in ("file", "source", "of", "log", "apply", "")),
    *("{", "}", "{name!r}", "%s %(log)s", "${HOME}", "$(touch PWNED)", "`touch PWNED`", "```", "a`b``c"),
    *("; touch PWNED #", "> PWNED", "&& touch PWNED", "!touch PWNED", "*", "-", "--no-lab", "-o PWNED", "~root"),
    *("#", "'", '"', "'\"' '\"", "''' \"\"\"", "\\", "\\'", "\\n", "a\nb", "a\n\n<img src=x onerror=alert(1)>\n"),
    *("\r!touch PWNED", "a\r\n    b", "\u2028 \x85 \x0b", "![x](x.png)", "[x](javascript:alert(1))", "&lt;b&gt;"),
    *("**b** _i_ $x$ \\(y\\)", " a ", "é ネコ 🫠"),
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_never_code(desk, run, put, name):
    """The notebook reads the file, its command applies the log, its text shows the name, and nothing else happens."""
    name = f"{name}.tsv"
    put(name, ("a", "b", 1), ("b", "c", 1), ("a", "c", 0))
    assert run("open", f"./{name}", "--no-lab").status == 0
    cells = [(cell["cell_type"], cell["source"]) for cell in json.loads(Path(f"{name}.ipynb").read_text())["cells"]]
    names = {}
    for code in (source for kind, source in cells if kind == "code"):
        exec(code, names)
    assert names["pairs"].attrs["report"]["source"] == name and names["pairs"]["label"].tolist() == [1, 1, 0]
    pg.DecisionLog(f"{name}.db", "me").add("a", "c", "flip", label=0)
    title, command = (BeautifulSoup(markdown2html(cells[at][1]), "html.parser") for at in (0, 4))
    assert {tag.name for tag in [*title(), *command()]} <= {"h1", "h2", "p", "a", "em", "pre", "code"}
    assert not [link for link in title("a") if link["href"][0] != "#"]
    assert title.h1.text.removesuffix("¶").split() == name.split()
    apply = re.sub(r"(\r\n?|\n)    ", r"\1", re.search("(?s)    (paragraph apply.*)", cells[4][1])[1])
    assert command.pre.text.split() == apply.split()
    shell = ["sh", "-c", f"paragraph() {{ printf '%s\\0' \"$@\"; }}\n{apply}"]
    words = subprocess.run(shell, capture_output=True, check=True).stdout.decode().split("\0")[:-1]
    done = run(*words)
    assert (done.status, done.err) == (0, "")
    clean = f"{name[:-4]}.clean"
    assert pg.read_pairs(f"{clean}.tsv")["label"].tolist() == [1, 1, 1]
    made = {f"{name}{end}" for end in ("", ".ipynb", ".db")}
    made |= {f"{clean}.{end}" for end in ("tsv", "tsv.record.json", "decisions.tsv", "left_out.tsv")}
    assert {path.name for path in desk.iterdir()} == made


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
