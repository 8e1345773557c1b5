"""Runs that are broken off and begun again."""

import re
import sys
import warnings

import numpy as np
import pytest

import paragraph as pg
from paragraph.papers.experiments.runs import run_cells, table_hash

from ...refused import refused

CELLS = [f"set {i}" for i in range(6)]


def counting(log):
    def compute(cell):
        log.append(cell)
        return {"value": np.arange(int(cell[-1]) + 1.0)}

    return compute


@pytest.mark.parametrize("error", [pg.PairsError, KeyboardInterrupt])
def test_an_error_or_an_interrupt_loses_nothing_on_disk(tmp_path, error):
    log = []

    def fails_at_three(cell):
        if cell == CELLS[3]:
            raise error("no")
        return counting(log)(cell)

    with pytest.raises(error, match="no"):
        run_cells(CELLS, fails_at_three, {}, tmp_path / "run")
    run_cells(CELLS, counting(log), {}, tmp_path / "run")
    assert log == CELLS


def test_another_plan_is_refused_and_named(tmp_path):
    run_cells(CELLS[:1], counting([]), {"seeds": [0, 1], "data": "abc"}, tmp_path / "run")
    other = {"seeds": (0, 1), "data": "abd", "planted": 1}
    with pytest.raises(pg.PairsError, match=r"another run, which differs in data, planted; name other results"):
        run_cells(CELLS, counting([]), other, tmp_path / "run")
    (tmp_path / "run.cells" / "plan.json").write_text("{")
    refused("is not a plan of a run", run_cells, CELLS, counting([]), {}, tmp_path / "run")


def test_a_damaged_cell_is_computed_again_and_told_on_a_line_of_its_own(tmp_path, capsys):
    run_cells(CELLS, counting([]), {}, tmp_path / "run")
    file = tmp_path / "run.cells" / "set_2.npz"
    file.write_bytes(file.read_bytes()[:100])
    log = []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_: print(message, file=sys.stderr)
        found = run_cells(CELLS, counting(log), {}, tmp_path / "run")
    told = [line for line in re.split("[\r\n]", capsys.readouterr().err) if "computed again" in line]
    assert told and all(line.startswith(f"{file} cannot be read and is computed again") for line in told)
    assert log == ["set 2"] and list(found) == CELLS
    assert all(found[cell]["value"].tolist() == list(range(int(cell[-1]) + 1)) for cell in CELLS)


def test_the_hash_of_a_table_is_of_its_sentences_and_labels():
    pairs = pg.read_pairs(pg.DEMO)
    other = pairs.copy()
    other.loc[5, "label"] = 1 - other.loc[5, "label"]
    assert table_hash(pairs) == table_hash(pairs.drop(columns="row"))
    assert len({table_hash(pairs), table_hash(other), table_hash(pairs.iloc[::-1])}) == 3
