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

import paragraph as pg

from ..growth import HUNG
from ..process import python
from .written import load_json

MY = "erster,zweiter,gleich\r\nWie weit?,Welche Entfernung?,ja\r\nWie weit?,Wie lange?,nein\r\n"
READ = ("--columns", "text_a=erster,text_b=zweiter,label=gleich", "--labels", "ja=1,nein=0")
READ += ("--unlabelled", "keep", "--on-error", "skip", "--identity", "normal")


def executed(name):
    """The cells of a notebook, and the names that its code defines."""
    cells, names = load_json(f"{name}.ipynb")["cells"], {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(cell["source"], names)
    return [cell["source"] for cell in cells], names


def test_a_notebook_reads_the_file_as_the_command_did_and_is_never_overwritten(run, refuses):
    Path("my 'file'.csv").write_bytes(MY.encode())
    refuses("erster", "open", "my 'file'.csv", "--no-lab")
    assert run("open", "my 'file'.csv", *READ, "--no-lab").out == "written: my 'file'.csv.ipynb\n"
    cells, names = executed("my 'file'.csv")
    assert names["pairs"]["label"].tolist() == [1, 0] and Path("my 'file'.csv.db").exists()
    apply = re.search("    paragraph (apply.*)", cells[-1])[1]
    pg.DecisionLog("my 'file'.csv.db", "me").add("Wie weit?", "Wie lange?", 1, stated=0)
    review = names["pg"].ConflictReview(names["graph"], "my 'file'.csv.db", reviewer="me")
    said = review._summary()["copy"]["text"].splitlines()[1]
    assert shlex.split(said) == ["paragraph", *shlex.split(apply)]
    run(*shlex.split(apply))
    assert Path("my 'file'.clean.csv").read_bytes() == MY.replace("nein", "ja").encode()
    Path("my 'file'.csv.ipynb").write_text("mine")
    assert "delete it first" in run("open", "my 'file'.csv", "--no-lab").out
    assert Path("my 'file'.csv.ipynb").read_text() == "mine"


#: Names of files: each tries to be code, a command, an option or a page, or ends whatever it stands in.
NAMES = [
    *(f',__import__("os").system("touch PWNED"))#{{{key}}}' for key in ("file", "source", "of", "log", "apply", "")),
    *("{name!r}", "%s %(log)s", "${HOME}", "$(touch PWNED)", "`touch PWNED`", "```", "a`b``c"),
    *("; touch PWNED #", "> PWNED", "!touch PWNED", "*", "--no-lab", "-o PWNED", "~root"),
    *("#", "'\"' '\"", "''' \"\"\"", "\\", "\\'", "\\n", "a\nb", "a\n\n<img src=x onerror=alert(1)>\n"),
    *("\r!touch PWNED", "a\r\n    b", "\u2028 \x85 \x0b", "![x](x.png)", "[x](javascript:alert(1))", "&lt;b&gt;"),
    *("**b** _i_ $x$ \\(y\\)", " a ", "é ネコ 🫠"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_never_code(desk, run, put, name):
    """The notebook reads the file, its command applies the log, its text shows the name, and nothing else happens."""
    from nbconvert.filters import markdown2html  # takes seconds

    name = f"{name}.tsv"
    put(name, ("a", "b", 1), ("b", "c", 1), ("a", "c", 0))
    run("open", f"./{name}", "--no-lab")
    cells, names = executed(name)
    assert names["pairs"].attrs["report"]["source"] == name and names["pairs"]["label"].tolist() == [1, 1, 0]
    pg.DecisionLog(f"{name}.db", "me").add("a", "c", 1, stated=0)
    title, command = (BeautifulSoup(markdown2html(cells[at]), "html.parser") for at in (0, -1))
    assert {tag.name for tag in [*title(), *command()]} <= {"h1", "h2", "p", "a", "em", "pre", "code"}
    assert not [link for link in title("a") if link["href"][0] != "#"]
    assert title.h1.text.removesuffix("¶").split() == name.split()
    apply = re.sub(r"(\r\n?|\n)    ", r"\1", re.search("(?s)    (paragraph apply.*)", cells[-1])[1])
    assert command.pre.text.split() == apply.split()
    shell = ["sh", "-c", f"paragraph() {{ printf '%s\\0' \"$@\"; }}\n{apply}"]
    words = subprocess.run(shell, capture_output=True, check=True).stdout.decode().split("\0")[:-1]
    assert run(*words).err == ""
    clean = f"{name[:-4]}.clean"
    assert pg.read_pairs(f"{clean}.tsv")["label"].tolist() == [1, 1, 1]
    made = {f"{name}{end}" for end in ("", ".ipynb", ".db")}
    made |= {f"{clean}.{end}" for end in ("tsv", "tsv.record.json", "decisions.tsv", "left_out.tsv")}
    assert {path.name for path in desk.iterdir()} == made


#: Modules that the shell, JupyterLab or a kernel would find beside the data, if they looked there.
HOSTILE = (
    "numpy pandas scipy matplotlib networkx tornado jupyterlab ipykernel IPython psutil ipykernel_launcher paragraph "
    "sitecustomize usercustomize anywidget jupyter_config"
)


@pytest.fixture
def hostile(desk):
    """Python files beside the data that leave a mark when they run."""
    for name in HOSTILE.split():
        Path(f"{name}.py").write_text(f"open({str(desk / 'PWNED')!r}, 'a').write({name!r})")
    yield
    assert not Path("PWNED").exists()


@pytest.mark.slow
@pytest.mark.parametrize("how", [
    pytest.param(["-m", "paragraph"], marks=pytest.mark.long), [Path(sys.executable).with_name("paragraph")],
], ids=len)  # fmt: skip
def test_no_command_imports_what_lies_beside_the_data(hostile, how):
    Path("my.csv").write_text(MY)
    Path("paragraph.py").unlink()  # which Python itself finds first, before the command begins
    for command in (["conflicts", "my.csv", *READ, "-o", "-"], ["open", "my.csv", *READ, "--no-lab"]):
        assert python(*how, *command).returncode == 0


@pytest.mark.long
def test_jupyterlab_opens_on_it(hostile, desk):
    from jupyter_client import BlockingKernelClient

    Path("my.csv").write_text(MY)
    command = [Path(sys.executable).with_name("paragraph"), "open", "my.csv", *READ]
    settings = os.environ | {"BROWSER": "true", "JUPYTER_RUNTIME_DIR": str(desk), "JUPYTER_PREFER_ENV_PATH": "0"}
    settings["JUPYTER_CONFIG_DIR"] = str(desk / "settings")
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
        asked = json.dumps({"path": "my.csv.ipynb", "name": "", "type": "notebook", "kernel": {"name": "python3"}})
        place, token = re.fullmatch(r"(http://.*?)/lab.*token=(\w+)", address).groups()
        request = urllib.request.Request(f"{place}/api/sessions", asked.encode(), {"Authorization": f"token {token}"})
        kernel = json.load(urllib.request.urlopen(request))["kernel"]["id"]
        client = BlockingKernelClient(connection_file=str(desk / f"kernel-{kernel}.json"))
        client.load_connection_file()
        cells = load_json("my.csv.ipynb")["cells"]
        code = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "code")
        client.execute(f"import scipy, networkx, matplotlib\n{code}")
        said = client.get_shell_msg(timeout=HUNG)["content"]
        client.context.destroy(linger=0)  # sockets left open would hang whoever collects them
        assert said["status"] == "ok", said
    finally:
        lab.send_signal(signal.SIGTERM)
        lab.wait(HUNG)
