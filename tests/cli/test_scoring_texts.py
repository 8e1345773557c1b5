"""The shell's score and meta-evaluate: what Python gives, as a table with a record; errors that name the row."""

import json

import pandas as pd
import pytest

from paragraph.cli import main
from paragraph.experiments import meta_evaluate
from paragraph.learn.text.scores import score

ITEMS = [
    {"candidate": "A cat sat.", "references": ["The cat sat down.", "No."]},
    {"candidate": "=b\tc", "references": ["b d"]},
]


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in ITEMS))
    return path


def test_score_writes_what_python_gives(texts, tmp_path, capsys):
    out = tmp_path / "out.tsv"
    assert main(["score", str(texts), "--metrics", "rouge1,bleu", "-o", str(out)]) == 0
    found = pd.read_csv(out, sep="\t")
    assert list(found) == ["row", "metric", "P", "R", "F", "reference", "windows"]
    assert found["metric"].tolist() == ["rouge1"] * 2 + ["bleu"] * 2 and found["row"].tolist() == [0, 1, 0, 1]
    expected = score([one["candidate"] for one in ITEMS], [one["references"] for one in ITEMS], "rouge1")
    assert found["F"][:2].tolist() == expected.table["F"].tolist()
    record = json.loads((tmp_path / "out.tsv.record.json").read_text())
    assert record["options"]["metrics"]["rouge1"] == expected.hash and "in.jsonl" in str(record["inputs"])
    assert "rouge1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "row 2"),
        ('{"candidate": 3, "references": ["a"]}', "row 2: candidate is 3, not a text"),
        ('{"candidate": "a"}', "row 2: references is None"),
        ('{"candidate": "a", "references": []}', "row 2: references is []"),
    ],
)
def test_a_bad_line_is_named(tmp_path, capsys, line, message):
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(ITEMS[0]) + "\n" + line + "\n")
    assert main(["score", str(path), "--metrics", "rouge1", "-o", str(tmp_path / "out.tsv")]) == 2
    assert message in capsys.readouterr().err and not (tmp_path / "out.tsv").exists()
    path.write_text("\n")
    assert main(["score", str(path), "-o", str(tmp_path / "out.tsv")]) == 2
    assert main(["score", str(path), "-o", str(path)]) == 2  # never over the input


def test_meta_evaluate_writes_what_python_gives(tmp_path, capsys):
    folder = tmp_path / "judged"
    folder.mkdir()
    data = {
        str(i): {
            "src": "s", "sys_summ": one["candidate"], "ref_summs": one["references"],
            "scores": {"informativeness": i},
        }
        for i, one in enumerate(ITEMS)
    }  # fmt: skip
    (folder / "Own.json").write_text(json.dumps(data))
    out = tmp_path / "out.tsv"
    assert main(["meta-evaluate", str(folder), "--metrics", "rouge1", "--draws", "5", "-o", str(out)]) == 0
    expected = meta_evaluate(folder, ["rouge1"], draws=5, progress=False)
    pd.testing.assert_frame_equal(pd.read_csv(out, sep="\t"), expected, check_dtype=False)
    assert "Own" in capsys.readouterr().out
    record = json.loads((tmp_path / "out.tsv.record.json").read_text())
    assert record["options"]["draws"] == 5 and record["inputs"]["Own"]["file"] == "Own.json"
    assert main(["meta-evaluate", str(folder), "--metrics", "rouge9", "-o", str(out)]) == 2
    assert main(["meta-evaluate", str(folder), "-o", str(folder / "Own.json")]) == 2
