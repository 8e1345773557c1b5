"""Install requirements at the pinned versions into the environment of this Python.

python .ci/install.py -e '.[learn]'

uv takes seconds where pip takes minutes, and is put into the environment first; pip steps in where uv cannot be had.
"""

from __future__ import annotations

import os
import subprocess
import sys
from ast import literal_eval

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
UV = [sys.executable, "-m", "uv", "pip", "install", "--python", sys.executable]
PINS = ["-c", "constraints.txt"]

#: Settings of pip that uv must share: the variable in which uv reads each, and what parts its values.
SHARED = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "cert": ("SSL_CERT_FILE", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", " "),
}


def pip_settings(listed: str) -> dict[str, list[str]]:
    """Values by name, from what `pip config list` prints: variables before the section "install" before "global"."""
    settings = {}
    for section in ("global.", "install.", ":env:."):
        for line in listed.splitlines():
            name, _, value = line.partition("=")
            if name.startswith(section):
                settings[name.removeprefix(section)] = literal_eval(value).split()
    return settings


def shared_variables(settings: dict[str, list[str]]) -> dict[str, str]:
    """The variables that tell uv pip's indexes, links and certificates."""
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # as pip: no index comes before another
    for name, (variable, comma) in SHARED.items():
        if settings.get(name):
            variables[variable] = comma.join(settings[name])
    return variables


def shared_options(settings: dict[str, list[str]]) -> list[str]:
    """The options that tell uv what no variable does."""
    options = []
    for path in settings.get("constraint", []):
        options += ["-c", path]
    if settings.get("no-index", ["0"]) not in (["0"], ["false"], ["no"], ["off"]):
        options.append("--no-index")
    return options


def main(requirements: list[str]) -> int:
    if subprocess.run([*PIP, "install", "--quiet", *PINS, "uv"]).returncode == 0:
        listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True).stdout
        settings = pip_settings(listed)
        variables = (
            shared_variables(settings) | os.environ
        )  # what a person has set for uv itself counts first
        if (
            subprocess.run(
                [*UV, *PINS, *shared_options(settings), *requirements], env=variables
            ).returncode
            == 0
        ):
            return 0
    print("Without uv: pip installs, which takes some minutes.", file=sys.stderr)
    return subprocess.run([*PIP, "install", "--quiet", *PINS, *requirements]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
