"""A real JupyterLab on this machine, driven as a person would: open a notebook, run cells, click, read back."""

import json
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat

PATIENCE = 120_000  #: milliseconds until a page that does not answer counts as hung
SESSION = "window.jupyterapp.shell.currentWidget.sessionContext"  #: of the notebook that is open

#: Loading JupyterLab takes longer than most tests: where it is open, another notebook takes the place of the last.
OPEN = """async ([path, ends]) => {
    const { shell, commands, serviceManager } = window.jupyterapp;
    const last = shell.currentWidget, session = last.sessionContext.session.id;
    last.context.model.dirty = false;
    last.close();
    if (ends) await serviceManager.sessions.shutdown(session);
    const { context } = await commands.execute("docmanager:open", { path, factory: "Notebook" });
    await context.ready;
}"""

#: And to start another kernel takes as long: a notebook's cells, once their kernel is emptied, give way to others.
EMPTY = "import ipywidgets; ipywidgets.Widget.close_all(); get_ipython().run_line_magic('reset', '-f')"
REPLACE = "(content) => window.jupyterapp.shell.currentWidget.context.model.fromJSON(content)"


def until(holds, patience: float = PATIENCE / 1000):
    """The value of a function, once it is true."""
    ends = time.monotonic() + patience
    while not (found := holds()):
        assert time.monotonic() < ends
        time.sleep(0.1)
    return found


@contextmanager
def stranger(answer, host="127.0.0.1", port=0):
    """The server of somebody else on this machine, and its port; a function answers what its handler is asked."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            answer(self)

        do_POST = do_GET

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer((host, int(port)), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running.server_port
        running.shutdown()


def is_loaded(page) -> None:
    """Wait until nothing lies over the page, as while JupyterLab loads or changes its theme."""
    page.wait_for_selector("#jupyterlab-splash", state="detached", timeout=PATIENCE)


def within(script: str) -> str:
    """A function for `page.evaluate`, which would wait for ever: an error where there is no answer in time."""
    late = f"new Promise((_, fail) => setTimeout(() => fail(new Error('no answer in time')), {PATIENCE}))"
    return f"(argument) => Promise.race([({script})(argument), {late}])"


class Lab:
    """A running JupyterLab server with its own folder and settings; `notebook(page, cells)` opens one in a page."""

    def __init__(self, folder: Path):
        self.folder, self.token = folder, secrets.token_hex(8)
        (folder / "work").mkdir(parents=True)
        folders = ("JUPYTER_CONFIG", "JUPYTER_RUNTIME", "JUPYTERLAB_SETTINGS", "JUPYTERLAB_WORKSPACES")
        environment = os.environ | {f"{name}_DIR": str(folder / name.split("_")[1].lower()) for name in folders}
        quiet = folder / "settings" / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
        quiet.parent.mkdir(parents=True)
        quiet.write_text('{"fetchNews": "false", "checkForUpdates": false}')  # else Lab asks, over the page
        self.log = open(folder / "lab.log", "w+")  # noqa: SIM115 (closed by stop)
        self.process = subprocess.Popen(
            [
                sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--port=0", "--allow-root",
                f"--ServerApp.root_dir={folder / 'work'}", f"--IdentityProvider.token={self.token}",
                "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None",
            ],
            stdout=self.log, stderr=subprocess.STDOUT, env=environment,
        )  # fmt: skip
        self.url = until(self._address)[0]
        self.last = None  # the notebook that is open, if it was made here

    def _address(self) -> re.Match | None:
        said = Path(self.log.name).read_text()
        assert self.process.poll() is None, said[-3000:]
        return re.search(r"http://127\.0\.0\.1:\d+", said)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(120)
        self.log.close()

    def notebook(self, page, cells: list[str], theme: str = "Light") -> "Notebook":
        """Open a new notebook with these cells in a page."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
        notebook.metadata |= {"kernelspec": kernel, "language_info": {"name": "python"}}
        if self.last and self.last.page is page:
            last, self.last = self.last, None  # another try opens another
            last.ask(f"exec({EMPTY!r}, globals())")
            page.evaluate(within(REPLACE), notebook)
            self.last = self._ready(last, theme)
            return last
        path = self.folder / "work" / f"{secrets.token_hex(4)}.ipynb"  # a session goes by its path
        nbformat.write(notebook, path)
        self.last = self.open(page, path, theme)
        return self.last

    def open(self, page, path: Path, theme: str = "Light") -> "Notebook":
        """Open a notebook: an empty page loads JupyterLab, else what is open is closed, with its kernel."""
        if page.url == "about:blank":
            page.goto(f"{self.url}/doc/tree/{path.name}?token={self.token}&reset")
            page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=PATIENCE)
        else:
            page.evaluate(within(OPEN), [path.name, True])
        self.last = None
        return self._ready(Notebook(page, path), theme)

    def _ready(self, opened: "Notebook", theme: str) -> "Notebook":
        page = opened.page
        opened.command("apputils:change-theme", {"theme": f"JupyterLab {theme}"})
        kernel = f"async () => {{ const it = {SESSION}; await it.ready; await it.session.kernel.info }}"
        page.evaluate(within(kernel))
        page.wait_for_selector(
            ".jp-Notebook-ExecutionIndicator[data-status=idle]", state="attached", timeout=PATIENCE
        )
        is_loaded(page)
        return opened


class Notebook:
    def __init__(self, page, path: Path):
        self.page, self.path = page, path

    def command(self, name: str, arguments: dict | None = None) -> None:
        self.page.evaluate(
            "([name, args]) => { window.jupyterapp.commands.execute(name, args) }", [name, arguments or {}]
        )

    def run_all(self) -> None:
        self.command("notebook:run-all-cells")

    def idle(self) -> None:
        """Wait until the kernel has nothing left to do."""
        self.page.wait_for_function(
            """() => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]
                   .every((prompt) => !prompt.textContent.includes('*'))
               && document.querySelector('.jp-Notebook-ExecutionIndicator[data-status=idle]')""",
            timeout=PATIENCE,
        )

    def ask(self, expression: str):
        """The value of a Python expression in the kernel, through JSON."""
        mark = secrets.token_hex(6)
        end = mark[::-1]  # not in the code, which an error quotes
        code = f"import json; print('{mark}'[::-1] + json.dumps({expression}, default=str) + '{mark}'[::-1])"
        script = f"""async (code) => {{
                let text = "";
                const future = {SESSION}.session.kernel.requestExecute({{ code, store_history: false }});
                future.onIOPub = ({{ header, content }}) => {{
                    if (header.msg_type === "stream") text += content.text;
                    if (header.msg_type === "error") text += content.traceback.join("\\n");
                }};
                await future.done;
                return text;
            }}"""
        text = self.page.evaluate(within(script), code)
        found = re.search(f"{end}(.*){end}", text, re.DOTALL)
        assert found, text
        return json.loads(found[1])

    def until(self, expression: str, wanted=True) -> None:
        """Wait until an expression has a value in the kernel."""
        until(lambda: self.ask(expression) == wanted)

    def save(self) -> None:
        self.page.evaluate(within("() => window.jupyterapp.shell.currentWidget.context.save()"))

    def reopen(self) -> None:
        """Save the notebook, close it, and open it again; its kernel runs on."""
        self.save()
        self.page.evaluate(within(OPEN), [self.path.name, False])

    def restart(self) -> None:
        self.page.evaluate(within(f"async () => {{ await {SESSION}.session.kernel.restart() }}"))
