"""Tags in the shell: train and evaluate with --task tags, tag, annotate; agreement, of decisions too."""

import json

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main

from .written import load_json, record, table

LINKS = """0:0	the cat sat	N/A	a cat sat down	N/A	1	1	1-1	2-2	
1:1	dogs bark	N/A	dogs sing	N/A	1	1	0-0		
"""
FEW = 60
ONE = "The committee will meet again on Monday to vote on the plan."
OTHERS = [
    "On Monday the committee is to meet and decide about that plan.",
    "The committee will meet on Monday and then it will vote.",
    ONE.replace("the plan", "a plan"),
    "Vote now",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A tagger that has learnt of a few pairs, which lie beside it."""
    folder = tmp_path_factory.mktemp("tagger")
    pg.tags.write(pg.tags.read(pg.DEMO_TAGS)[:FEW], folder / "few.jsonl")
    assert main(f"train {folder}/few.jsonl --task tags --model alignment -o {folder}/model -q".split()) == 0
    return folder / "model"


@pytest.fixture(autouse=True)
def files(desk):
    (desk / "links.tsv").write_text(LINKS)
    given = pd.DataFrame({"question1": ONE, "question2": OTHERS, "is_duplicate": ["", 0, 1, 0]})
    given.to_csv("pairs.tsv", sep="\t", index=False)


@pytest.mark.slow
def test_tag_keeps_the_order_and_reads_what_it_writes(run, model, desk):
    told = load_json(model / "record.json")
    assert told["options"]["model"] == "alignment"
    assert [each["file"] for each in told["inputs"].values()] == ["few.jsonl"]
    out = run(f"tag links.tsv --tagger {model} -o one.jsonl").out
    assert "2 pairs, 11 words" in out
    lines = [json.loads(line) for line in (desk / "one.jsonl").read_text().splitlines()]
    assert [line["text_b"] for line in lines] == ["a cat sat down", "dogs sing"]
    for line in lines:
        for side in "ab":
            assert len(line[f"words_{side}"]) == len(line[f"tags_{side}"]) == len(line[f"p_{side}"])
    run(f"tag one.jsonl --input tags --tagger {model} -o two.jsonl")
    assert (desk / "two.jsonl").read_text() == (desk / "one.jsonl").read_text()
    assert record("one.jsonl")["rows"] == 2 and record("one.jsonl")["options"]["threshold"] > 0


@pytest.mark.parametrize("reading", ["--input pairs ", ""])
def test_pairs_of_any_format_are_tagged_without_labels(run, desk, model, reading):
    (desk / "own.csv").write_text("left,right\nHe paid $2.,He paid $3.\n")
    columns = f"--columns text_a=left,text_b=right --unlabelled keep --tagger {model}"
    assert run(f"tag own.csv {reading}{columns} -o out.jsonl -q") == ("", "")
    (line,) = pg.tags.read("out.jsonl").to_dict("records")
    assert "2" in [word for word, tag in zip(line["words_a"], line["tags_a"], strict=True) if tag]


@pytest.mark.slow
def test_evaluate_counts_words_and_pairs_that_the_tagger_was_trained_on(run, model, desk):
    err = run(f"evaluate {model.parent}/few.jsonl --task tags --model {model}").err
    assert f"note: {FEW} of {FEW} pairs are among those that the model was trained on" in err
    out = run(f"evaluate links.tsv --input multimwa --task tags --model {model} -o S.json").out
    found = load_json("S.json")
    assert "word F1" in out and "2 of links" not in out
    assert {"word F1", "precision", "recall", "accuracy", "AUC", "n"} <= {*found["scores"]}
    assert found["scores"]["n"] == 11 and found["scores"]["ones"] == pytest.approx(5 / 11)
    assert found["scores"]["threshold"] == pg.learn.load_tagger(model).threshold


@pytest.mark.slow
def test_several_files_teach_together(run, model):
    out = run(f"train links.tsv {model.parent}/few.jsonl --task tags -o model").out
    assert f"trained on {2 + FEW} tagged pairs" in out and "2 of links" in out


def test_from_pairs_to_a_queue(run, desk):
    done = run("annotate pairs.tsv --log tags.db --annotator Ada")
    said = done.out.splitlines()
    asked = pg.tags.read("tags.jsonl")
    assert asked.text_b.tolist() == OTHERS[:1] and "tags_a" not in asked
    assert said[0].startswith("1 of 4 pairs are in ") and "; 1 too short; 2 with BLEU" in said[0]
    assert "nrefs:1|case:mixed|eff:yes|tok:13a" in (desk / "tags.jsonl.record.json").read_text()
    names = {}
    exec(said[1].replace("pg.TagReview", "review = pg.TagReview"), names)
    for name in ("Ada", "Ben"):
        review = pg.TagReview(asked, "tags.db", name)
        review.mark("a" if name == "Ada" else "b", 0, 3)
        review.decide("tags")
    assert names["review"].reviewer == "Ada"

    lines = [line.split() for line in run("agreement tags.db -o queue.jsonl").out.splitlines()]
    found = names["review"].agreement()
    assert lines[0][:2] == ["Ada,", "Ben:"] and lines[1][3] == f"{found.kappa:.3f}"
    assert lines[-1] == ["to", "talk", "about", "1", "(F1", "below", "0.4)"]
    assert pg.tags.read("queue.jsonl")[["text_b", "f1"]].values.tolist() == [[OTHERS[0], 0]]
    pg.tags.write(pd.concat([names["review"].tags, review.tags]), "both.jsonl")
    pg.DecisionLog("tags.db").export("log.jsonl")
    for other in ("both.jsonl", "log.jsonl"):
        assert [line.split() for line in run(f"agreement {other}").out.splitlines()] == lines


def test_all_pairs_or_some_drawn(run, desk):
    assert run("annotate pairs.tsv --log t.db --all -o all.jsonl -q") == ("", "")
    assert pg.tags.read("all.jsonl").text_b.tolist() == OTHERS
    drawn = []
    for seed in (1, 1, 2):
        run(f"annotate all.jsonl --log t.db --all -n 2 --seed {seed} -q")
        drawn.append(pg.tags.read("t.jsonl").text_b.tolist())
    assert drawn[0] == drawn[1] != drawn[2] and len(drawn[0]) == 2
    assert not (desk / "t.db").exists()


def test_answers_to_pairs_have_an_agreement_too(run):
    log = pg.DecisionLog("log.db")
    for i, (one, other) in enumerate([(1, 1), (0, 1), (0, 0), (1, 1)]):
        log.add(f"{i}?", "Why?", one, reviewer="Ada")
        log.add("Why?", f"{i}?", other, reviewer="Ben")
    log.export("log.jsonl")
    for name in ("log.db", "log.jsonl"):
        then = f"Next: paragraph review FILE … --reviewer NAME --log settled.db --settle {name}"
        assert run(f"agreement {name} -o talk.tsv") == (f"{pg.agreement(log)}\n{then}\n", "")
        found = table("talk.tsv")
        assert found[["question1", "question2"]].to_numpy().ravel().tolist() in (["1?", "Why?"], ["Why?", "1?"])
