"""What the README shows: its commands run, its links lead somewhere, its picture is what the package draws."""

import importlib.util
import re
import shlex
import shutil
from pathlib import Path

import pytest

import paragraph as pg
from paragraph.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]


@pytest.mark.slow
def test_commands_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(pg.DEMO, "my.tsv")
    Path("data").symlink_to(ROOT / "data")
    sentences = pg.ParaphraseGraph.from_pairs(pg.read_pairs("my.tsv")).sentences.to_pylist()
    Path("sentences.txt").write_text("\n".join(sentences), encoding="utf-8")
    commands = [line for line in COMMANDS if line.startswith("paragraph ")]
    assert len(commands) > 5
    for command in commands:
        assert main(shlex.split(command, comments=True)[1:]) == 0, command


def test_make_knows_every_target():
    wanted = set(re.findall(r"\bmake ([a-z]+)", README))
    assert {"lab", "test"} <= wanted <= set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) > 5
    for link in links:
        assert (ROOT / link).exists(), link


def test_the_picture_is_what_the_package_draws():
    spec = importlib.util.spec_from_file_location("picture", ROOT / "docs" / "picture.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # Positions may differ in the last digit from machine to machine; what is drawn and written may not.
    stored = (ROOT / "docs" / "clusters.svg").read_text(encoding="utf-8")
    for part in (r">([^<]+)</text>", r'stroke="(#\w+)"'):
        assert re.findall(part, module.picture()) == re.findall(part, stored)
