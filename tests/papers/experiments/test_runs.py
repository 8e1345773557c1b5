"""Runs that are broken off and begun again."""

import json
import re
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

import paragraph as pg
from paragraph.papers.experiments import FourByFour, read_results
from paragraph.papers.experiments.runs import run_cells, run_record, table_hash

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
    if error is KeyboardInterrupt:  # in memory, what is finished is given
        with pytest.warns(UserWarning, match="3 of 6 cells are finished"):
            assert list(run_cells(CELLS, fails_at_three, {})) == CELLS[:3]


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


def test_tables_and_record_come_back_and_the_hash_is_of_sentences_and_labels(tmp_path):
    pairs = pg.read_pairs(pg.DEMO)
    record = run_record("four by four", {"train": pairs}, {"seed": 3}, 1.25)
    tables = {
        "scores": pd.DataFrame({"seed": [0, 1], "accuracy": [0.1 + 0.2, 1 / 3]}),
        "other": pd.DataFrame({"what": ["a", "b"], "count": pd.array([1, None], dtype="Int64")}),
    }
    FourByFour(tables, record).write(tmp_path / "deep" / "run")
    for name in ("run", "run.parquet"):
        results = read_results(tmp_path / "deep" / name)
        found, about = results.tables, results.record
        pd.testing.assert_frame_equal(found["scores"], tables["scores"])
        assert found["other"]["what"].tolist() == ["a", "b"] and found["other"]["count"][0] == 1
        assert about == json.loads(json.dumps(record))
    assert record["inputs"]["train"] == {"rows": len(pairs), "sha256": table_hash(pairs)}
    assert record["versions"]["torch"]
    refused("no finished results", read_results, tmp_path / "absent")
    other = pairs.copy()
    other.loc[5, "label"] = 1 - other.loc[5, "label"]
    assert table_hash(pairs) == table_hash(pairs.drop(columns="row"))
    assert len({table_hash(pairs), table_hash(other), table_hash(pairs.iloc[::-1])}) == 3
