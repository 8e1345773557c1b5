"""The reference: every public name is in it, and it needs no network."""

import re
import subprocess
import sys
from inspect import ismodule
from pathlib import Path

import pytest

import paragraph as pg

ROOT = Path(__file__).parents[1]


@pytest.mark.long
def test_the_reference_has_every_public_name_and_works_offline(tmp_path):
    subprocess.run([sys.executable, ROOT / "docs" / "build.py", "--reference", "-o", tmp_path], check=True)
    page = (tmp_path / "reference" / "paragraph.html").read_text(encoding="utf-8")
    names = [name for name in pg.__all__ if not name.startswith("__") and not ismodule(getattr(pg, name))]
    missing = [name for name in names if f'id="{name}"' not in page]
    assert missing == []
    assert "<td>with MiniLM</td>" in (tmp_path / "where_proposals_err.html").read_text(encoding="utf-8")
    for path in tmp_path.rglob("*.html"):
        loaded = re.findall(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(https?:[^"]*)"', path.read_text())
        assert loaded == [], path
