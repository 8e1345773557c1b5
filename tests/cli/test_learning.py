"""The verbs of learning in the shell: train, evaluate, experiment."""

import pytest
from sklearn import metrics

import paragraph as pg
from paragraph.cli import main
from paragraph.learn import TfidfPairs
from paragraph.papers.experiments import read_results

from .written import load_json

FOUR = f"experiment four-by-four {pg.DEMO}"
GRID = f"experiment distance-grid {pg.DEMO}"
SHARED = "--share .3 --by clusters --model tfidf"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model of the shipped corpus, as `paragraph train` writes it."""
    folder = tmp_path_factory.mktemp("model") / "model"
    assert main(["train", str(pg.DEMO), "--model", "tfidf", "-o", str(folder), "-q"]) == 0
    return folder


@pytest.fixture(autouse=True)
def unlabelled(desk):
    (desk / "some.csv").write_text("sentence1,sentence2,label\nWhy?,How come?,1\nWhat?,Who?,\nWhen?,Where?,0\n")


def test_train_then_evaluate(run, model):
    told = load_json(model / "record.json")
    assert told["options"]["model"] == "tfidf" and told["inputs"]["train"]["sha256"]
    out = run(f"evaluate {pg.DEMO} --model {model} -o scores.json").out
    pairs = pg.read_pairs(pg.DEMO)
    label, probability = pairs["label"].to_numpy(int), TfidfPairs().fit(pairs).predict_proba(pairs)
    found = load_json("scores.json")
    assert found["pairs it was trained on"] == 2112
    accuracy = metrics.accuracy_score(label, probability >= 0.5)
    assert found["scores"]["accuracy"] == pytest.approx(accuracy) and found["scores"]["n"] == len(pairs)
    assert f"accuracy{accuracy:>20.4f}" in out and f"n{2112:>27,}" in out


def test_pairs_that_a_model_was_trained_on_are_counted_and_told(run, refuses, desk):
    header, *rows = pg.DEMO.read_text().splitlines(keepends=True)
    turned = [
        "\t".join([*row.split("\t")[:-3], *reversed(row.split("\t")[-3:-1]), row.split("\t")[-1]]) for row in rows
    ]
    for name, some in (("train", rows[:300]), ("dev", rows[300:400]), ("test", [*turned[250:320], *rows[400:500]])):
        (desk / f"{name}.tsv").write_text("".join([header, *some]))
    run("train train.tsv --dev dev.tsv --model tfidf -o model")
    evaluate = "evaluate test.tsv --model model -o scores.json"
    err = run(evaluate).err
    assert "note: 70 of 170 pairs are among those that the model was trained on" in err
    assert load_json("scores.json")["pairs it was trained on"] == 70 and run(f"{evaluate} -q") == ("", "")
    (desk / "model" / "trained_on.npy").write_bytes(b"no array")
    refuses("trained_on.npy is not the file that record.json describes", evaluate)
    (desk / "model" / "trained_on.npy").unlink()  # as a model has none that Python saved
    assert run(evaluate).err == "" and load_json("scores.json")["pairs it was trained on"] is None


def test_several_files(run, desk, put):
    rows = [("Why is tea hot?", f"Why is tea {word}?", 0) for word in ("cold", "black", "hot")]
    put("more.csv", *rows, ("Why is tea hot?", "Who are you?", 0), ("Is tea hot?", "Is the tea hot?", 1))
    out = run(f"train {pg.DEMO} more.csv --model tfidf -o all").out
    assert "tfidf, trained on 2,117 pairs" in out
    told = load_json("all/record.json")
    assert [told["inputs"][name]["file"] for name in ("train", "train 2")] == ["demo.tsv", "more.csv"]
    assert told["options"]["pairs"] == 2117
    run("train more.csv --model tfidf -o all")  # a model may take the place of another


def test_a_score_that_is_not_defined_says_why(run, model, put):
    put("negatives.csv", ("Why is tea hot?", "Who are you?", 0))
    out = run(f"evaluate negatives.csv --model {model} -o scores.json").out
    assert "no pair has the label 1" in out
    found = load_json("scores.json")
    assert found["scores"]["F1"] is None and found["undefined"]["F1"] == "no pair has the label 1"


@pytest.mark.parametrize("command, message", [
    (f"train {pg.DEMO} some.csv --model tfidf -o r", "some.csv, row 3"),
    ("train some.csv --unlabelled keep --model tfidf -o r", "row 3"),
    (f"train {pg.DEMO} --model tfidf --encoder x -o r", "--encoder is for models that have one"),
    (f"train {pg.DEMO_TAGS} --task tags --model tfidf -o r", "alignment, cross-encoder"),
    (f"train {pg.DEMO} --model alignment -o r", "which learn pairs"),
    (f"train {pg.DEMO} --task tags -o r", "needs tags"),
    (f"train {pg.DEMO_TAGS} --task tags --dev x -o r", "--dev is for models of pairs"),
    (f"evaluate {pg.DEMO} --model nowhere", "nowhere holds no model"),
    (f"evaluate {pg.DEMO} --task tags --model nowhere", "has no tags"),
    (f"tag {pg.DEMO} --tagger nowhere -o r", "nowhere holds no tagger"),
    (f"tag {pg.DEMO} --input etpc -o r", "--mrpc"), ("tag gone.jsonl -o r", "gone.jsonl"),
    ("annotate some.csv --log t.db -o some.csv", "would be written over"),
    ("annotate none.tsv --log t.db", "none.tsv"),
    ("annotate . --log t.db", "name the folder of MRPC with --mrpc"), ("agreement some.csv", "some.csv"),
    ("agreement t.db --below 2", "'2' is not a number from 0 to 1"),
    (f"{FOUR} -o r", "give --test, or --share to take it from FILE"),
    (f"{FOUR} {SHARED} --test {pg.DEMO} -o r", "give --test, or --share"),
    (f"{GRID} --test {pg.DEMO} -o r", "give --dev and --test, or --share to take both from FILE"),
])  # fmt: skip
def test_what_is_wrong_writes_nothing(refuses, command, message):
    refuses(message, command)


@pytest.mark.slow
def test_four_by_four(run, refuses, desk):
    planted = f"{FOUR} {SHARED} --planted .05 -o results/demo --seeds"
    out = run(f"{planted} 1").out
    assert "Augmented-Flipped" in out and "Truth" in out and "planted errors undone" in out
    found = read_results("results/demo")
    assert found.layout("F1").to_string() in out
    assert found.record["options"]["planted"] == 0.05 and len(found.table) == 4 * 5
    before = (desk / "results" / "demo.parquet").read_bytes()
    assert run(f"{planted} 1").out == out  # everything was there already
    assert (desk / "results" / "demo.parquet").read_bytes() == before
    refuses("another run, which differs in seeds", f"{planted} 2")


@pytest.mark.slow
def test_files_of_their_own(run):
    pairs = pg.read_pairs(pg.DEMO).sample(frac=1, random_state=0)
    for name, rows in (("train", pairs[:1500]), ("dev", pairs[1500:1800]), ("test", pairs[1800:])):
        pg.write_pairs(rows, f"{name}.tsv")
    options = "train.tsv --dev dev.tsv --test test.tsv --model tfidf --seeds 1 --max-train 800"
    out = run(f"experiment distance-grid {options} -o grid").out
    assert "distance 1, 2" in out and "detectable" in out
    assert (read_results("grid").datasets["stated"] == 800).all()
    run(f"experiment four-by-four {options} -o four")
    leaks = read_results("four").leaks
    assert leaks["removed"].iloc[2] > leaks["removed"].iloc[0] > 0  # rows were split without regard to sentences
