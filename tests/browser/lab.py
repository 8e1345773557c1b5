"""A real JupyterLab on this machine, driven as a person would: open a notebook, run cells, click, read back."""

import json
import os
import re
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat

PATIENCE = 120_000  #: milliseconds until a page that does not answer counts as hung
SESSION = "window.jupyterapp.shell.currentWidget.sessionContext"  #: of the notebook that is open

#: Loading JupyterLab takes longer than most tests: where it is open, another notebook takes the place of the last.
OPEN = """async (path) => {
    const { shell, commands, serviceManager } = window.jupyterapp;
    const last = shell.currentWidget, session = last.sessionContext.session.id;
    last.context.model.dirty = false;
    last.close();
    await serviceManager.sessions.shutdown(session);
    const { context } = await commands.execute("docmanager:open", { path, factory: "Notebook" });
    await context.ready;
}"""


def until(holds, patience: float = PATIENCE / 1000) -> None:
    ends = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.1)


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
        self.url = self._wait()

    def _wait(self) -> str:
        deadline = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < deadline:
            found = re.search(r"http://127\.0\.0\.1:\d+", Path(self.log.name).read_text())
            if found:
                try:
                    urllib.request.urlopen(f"{found[0]}/api/status?token={self.token}", timeout=20)
                    return found[0]
                except OSError:
                    pass
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError(f"JupyterLab did not start:\n{Path(self.log.name).read_text()[-3000:]}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(120)
        self.log.close()

    def notebook(self, page, cells: list[str], theme: str = "JupyterLab Light") -> "Notebook":
        """Open a notebook in a page: an empty one loads JupyterLab, else what is open is closed, with its kernel."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
        notebook.metadata.kernelspec = kernel
        notebook.metadata.language_info = {"name": "python"}
        path = self.folder / "work" / f"{secrets.token_hex(4)}.ipynb"  # a session goes by its path
        nbformat.write(notebook, path)
        if page.url == "about:blank":
            page.goto(f"{self.url}/doc/tree/{path.name}?token={self.token}&reset")
            page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=PATIENCE)
        else:
            page.evaluate(OPEN, path.name)
        opened = Notebook(page, path)
        opened.command("apputils:change-theme", {"theme": theme})
        page.evaluate(f"async () => {{ const it = {SESSION}; await it.ready; await it.session.kernel.info }}")
        page.wait_for_selector(
            ".jp-Notebook-ExecutionIndicator[data-status=idle]", state="attached", timeout=PATIENCE
        )
        # It lies over the page while the theme changes, and takes clicks that are made by place.
        page.wait_for_selector("#jupyterlab-splash", state="detached", timeout=PATIENCE)
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
        code = f"import json; print('{mark}' + json.dumps({expression}, default=str) + '{mark}')"
        text = self.page.evaluate(
            f"""async (code) => {{
                let text = "";
                const future = {SESSION}.session.kernel.requestExecute({{ code, store_history: false }});
                future.onIOPub = ({{ header, content }}) => {{
                    if (header.msg_type === "stream") text += content.text;
                    if (header.msg_type === "error") text += content.traceback.join("\\n");
                }};
                await future.done;
                return text;
            }}""",
            code,
        )
        found = re.search(f"{mark}(.*){mark}", text, re.DOTALL)
        assert found, text
        return json.loads(found[1])

    def restart(self) -> None:
        self.page.evaluate(f"async () => {{ await {SESSION}.session.kernel.restart() }}")
