"""The server of one review: Voilà on this machine, for the pages of the one person who has its token."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import secrets
import shutil
import sys
import tempfile
import threading
import webbrowser
from pathlib import Path
from typing import Any

from jupyter_server.auth.identity import PasswordIdentityProvider
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from nbformat import v4, write
from psutil import pid_exists
from tornado.web import HTTPError, RequestHandler
from traitlets.config import Config
from voila.app import Voila

from ..widgets import pages

FOLDER = "paragraph-review-"  #: begins the name of a folder of the server; the process follows
PORT = 8866  #: where a free one is sought
#: What the page may load: nothing from another machine.
POLICY = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'none'"
STRICT = {"samesite": "Strict"}  #: of cookies: none for what pages of other sites ask for
EXTENSIONS = ["anywidget", "@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8"]
ENDS = "Every decision is on disk at once. Ctrl-C ends; the same command goes on."
#: Kernels at a time, and seconds after which one that no page speaks to is ended.
MOST, IDLE = 2, 60


class Owner(PasswordIdentityProvider):
    """Whoever has the token; the cookie alone counts for what the page itself asks, or a person.

    To a browser all ports of a machine are one site, whose cookies it sends whichever of them asks; it says which.
    """

    def get_user(self, handler: RequestHandler) -> Any:
        own = handler.request.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        return super().get_user(handler) if own or self.get_token(handler) == self.token else None


class Kernels(AsyncMappingKernelManager):
    """A kernel for each page. For another one, the oldest that no page speaks to is ended, as after a reload."""

    _one_by_one = asyncio.Lock()

    async def start_kernel(self, **given: Any) -> str:
        async with self._one_by_one:
            if len(self) >= MOST:
                left = [one for one in self.list_kernel_ids() if not self.kernel_model(one)["connections"]]
                if not left:
                    raise HTTPError(409, reason=f"{MOST} pages of this review are open: close one, load this again")
                await self.shutdown_kernel(left[0], now=True)
            return await super().start_kernel(**given)


def serve(review: tuple, browser: bool) -> None:
    """Serve a review until Ctrl-C: its folder, its class, and the arguments by place and by name."""
    for left in Path(tempfile.gettempdir()).glob(f"{FOLDER}*-*"):  # by a review that was killed
        pid = left.name.removeprefix(FOLDER).partition("-")[0]
        if pid.isdecimal() and not pid_exists(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    folder, token = Path(tempfile.mkdtemp(prefix=f"{FOLDER}{os.getpid()}-")), secrets.token_urlsafe(24)
    opening, shown, pickled = folder / "open.html", folder / "Review.ipynb", folder / "review.pickle"

    class Server(Voila):
        def setup_template_dirs(self) -> None:
            super().setup_template_dirs()
            own = (Path(__file__).with_name("served"), Path(pages.__file__).parent)
            self.template_paths[:0] = map(str, own)

        def launch_browser(self) -> None:
            address = f"http://127.0.0.1:{self.port}/?token={token}"
            print(f"The review is at {address}", ENDS, sep="\n", flush=True)
            if browser:  # all users may read what it is started with, but only the owner what is in the folder
                opening.touch(0o600)
                opening.write_text(f'<meta http-equiv="refresh" content="0; url={address}">', encoding="utf-8")
                threading.Thread(target=webbrowser.open, args=[opening.as_uri()], daemon=True).start()

        def stop(self) -> None:  # the kernels see that this process is gone, and end
            shutil.rmtree(folder, ignore_errors=True)

    # The review, made anew for each page: it goes on where its log ends.
    cell = v4.new_code_cell(
        "import os, pathlib, pickle\n"
        f"folder, kind, what, given = pickle.loads(pathlib.Path({str(pickled)!r}).read_bytes())\n"
        "os.chdir(folder)  # paths are those of the shell\n"
        "kind(*what, **given)"
    )
    kernel = {"name": "review", "display_name": "Review", "language": "python"}
    start = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=ERROR"]
    (folder / "kernels" / "review").mkdir(parents=True)
    (folder / "kernels" / "review" / "kernel.json").write_text(json.dumps(kernel | {"argv": start}), encoding="utf-8")
    write(v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel}), shown)
    pickled.write_bytes(pickle.dumps(review))
    logging.getLogger("tornado").setLevel("ERROR")
    logging.getLogger("asyncio").setLevel("CRITICAL")  # it reports each page that is left before it is there
    os.environ["JUPYTER_PATH"] = os.pathsep.join([str(folder), *filter(None, [os.environ.get("JUPYTER_PATH")])])
    config = Config(VoilaConfiguration={"extension_allowlist": EXTENSIONS, "multi_kernel_manager_class": Kernels})
    config.VoilaConfiguration |= {"allow_template_override": "NO", "allow_theme_override": "NO"}
    config.Kernels = Config(cull_idle_timeout=IDLE, cull_interval=IDLE // 4)
    config.Owner.cookie_options = STRICT
    # The cookie with which a page that is left may end its kernel: to read the value sets it.
    config.VoilaConfiguration.prelaunch_hook = lambda handler, **_: handler.xsrf_token and None
    server = Server(
        config=config, config_file_paths=[], ip="127.0.0.1", port=PORT, token=token, connection_dir_root=str(folder),
        notebook_path=str(shown), log_level="ERROR",
        tornado_settings={"headers": {"Content-Security-Policy": POLICY}, "xsrf_cookie_kwargs": STRICT},
        identity_provider_class=Owner,
    )  # fmt: skip
    server.initialize([])
    server.start()
    raise KeyboardInterrupt  # which the server takes for itself, and ends by
