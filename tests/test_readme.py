"""The README and the pages of `docs`: commands run, links lead somewhere, the picture moves."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from PIL import Image

import paragraph as pg
from paragraph.cli import main, serving
from paragraph.cli.options import parser

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands_of(page):
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("paragraph ")]


#: Pages whose commands train models: what they do is tested with the shell as well.
LONG = ("evidence",)


def one_decision(review, browser):
    """A person at the page of a review: Bo keeps what the others flip. (The page: tests/browser/test_served.py.)"""
    review.decide("keep" if review.reviewer == "Bo" else "flip")


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.long] if page.stem in LONG else [], id=page.name)
        for page in PAGES
        if commands_of(page)
    ],
)
def test_commands_run_one_after_the_other(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(pg.DEMO, "my.tsv")
    Path("data").symlink_to(ROOT / "data")
    monkeypatch.setattr(serving, "serve", one_decision)
    for command in commands_of(page):
        assert main(shlex.split(command, comments=True)[1:]) == 0, command


def test_every_command_of_the_shell_is_on_a_page():
    shown = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    verbs = next(action.choices for action in parser()._actions if action.choices)
    for verb in verbs:
        assert f"paragraph {verb}" in shown or f"`{verb}`" in shown, verb


def test_make_knows_every_target():
    wanted = set(re.findall(r"\bmake ([a-z]+)", README))
    assert {"lab", "test"} <= wanted <= set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (page.parent / link).exists(), link


def test_contributing_names_files_that_there_are():
    found = set()
    for folder in ("benchmarks", "docs", "notebooks", "paragraph", "tests", ".ci"):
        found |= {f"/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / folder).rglob("*")}
    found |= {f"/{path.name}" for path in ROOT.iterdir()}
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w.-]+/)*[\w.-]*(?:/|\.(?:py|js|css|json|md|yml|toml|txt|j2|tsv)))`", text)
    assert [path for path in named if not any(one.endswith(f"/{path.rstrip('/')}") for one in found)] == []


def test_the_readme_is_short_and_names_every_page():
    assert len(README.splitlines()) <= 130
    assert all(f"docs/{page.name}" in README for page in PAGES[1:])


def test_the_readme_shows_a_moving_picture():
    path = ROOT / "docs" / "review.gif"
    with Image.open(path) as picture:
        assert picture.n_frames > 5 and picture.info["loop"] == 0
    assert "docs/review.gif" in (ROOT / "README.md").read_text() and path.stat().st_size < 1_000_000
