"""The shell's audit, repair and suspects: drawn, filled in as in a spreadsheet, reported, learned from."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import paragraph as pg

from ..process import python
from .written import record, table

TEA, HEALTHY, COFFEE = "Is tea good?", "Is tea healthy?", "Is coffee healthy?"
ROWS = [(TEA, HEALTHY, 1), (HEALTHY, COFFEE, 1), (TEA, COFFEE, 0), ("Is <b>snow</b> white?", 'Is "snow" wet?', 0)]


@pytest.fixture(autouse=True)
def tea(desk, put):
    put("tea.csv", *ROWS)


@pytest.fixture(scope="module")
def graph():
    return pg.ParaphraseGraph.from_pairs(pg.read_pairs(pg.DEMO))


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text.replace(" | ", "\t"))


def filled(values):
    """The sample with judgements, as a spreadsheet writes it: with a byte order mark and quotes of its own."""
    judged = table("audit.tsv", dtype=str).assign(same=values)
    judged.to_csv("filled.tsv", sep="\t", index=False, encoding="utf-8-sig", quoting=1)


def test_from_drawing_to_report(run, graph):
    assert "40 pairs drawn." in run(f"audit {pg.DEMO} -o audit.tsv -n 40 --seed 2").out
    drawn = table("audit.tsv", dtype=str)
    assert list(drawn) == ["text_a", "text_b", "same"] and set(drawn["same"]) == {""}
    own = pg.audit(graph, 40, seed=2)
    assert drawn[["text_a", "text_b"]].values.tolist() == own[["text_a", "text_b"]].values.tolist()
    assert record("audit.tsv")["options"]["seed"] == 2
    same = np.where(np.arange(40) % 10 == 9, "", (np.arange(40) % 3 == 0).astype(int).astype(str))
    filled(same)
    report = pg.error_rates(graph, own.assign(same=same))
    assert run(f"audit {pg.DEMO} --answers filled.tsv -o out.tsv") == (
        f"{report.round(3).to_string(index=False)}\n{report.attrs['note']}\n", "",
    )  # fmt: skip
    pd.testing.assert_frame_equal(pd.read_csv("out.tsv", sep="\t"), report, check_dtype=False)
    assert record()["inputs"]["answers"]["file"] == "filled.tsv" and "4 of the sample left empty" in record()["note"]


def test_judgements_are_not_written_over(run, refuses):
    draw = f"audit {pg.DEMO} -o audit.tsv -n 9 -q"
    run(draw)
    refuses("audit.tsv exists, and may hold answers; name another output, or delete it", draw)
    refuses("would be overwritten", f"audit {pg.DEMO} --answers audit.tsv -o audit.tsv")


def test_judgements_that_do_not_fit_are_refused(run, refuses):
    run(f"audit {pg.DEMO} -o audit.tsv -n 2 -q")
    for values, error in (
        (["1", "x"], "filled.tsv, row 3: same 'x' is not 1, 0 or empty"),
        (["", ""], "nothing is answered yet"),
    ):
        filled(values)
        refuses(error, f"audit {pg.DEMO} --answers filled.tsv")
    table("audit.tsv").assign(text_a=["edited", "too"], same="1").to_csv("audit.tsv", sep="\t", index=False)
    refuses("audit.tsv, row 2: 'edited' and ", f"audit {pg.DEMO} --answers audit.tsv")
    refuses("name a file for the sample: -o audit.tsv", f"audit {pg.DEMO}")


@pytest.mark.parametrize("kind", ["table", "log.db"])
def test_repair_learns_from_an_audit(kind, run):
    log = pg.DecisionLog("log.db", "Ada")
    log.add(TEA, COFFEE, 0, stated=0)
    judged = pd.DataFrame({"text_a": [TEA], "text_b": [COFFEE], "same": [0]})
    judged.to_csv("table", sep="\t", index=False)
    said = run(f"repair tea.csv --answers {kind} --judge none -o out.tsv").out
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs("tea.csv"))
    own = pg.repair(graph, judge=None, answers=judged)
    assert table()["p_flip"].tolist() == pytest.approx(own["p_flip"].tolist()) and own["p_flip"][0] < 0.01
    assert said.startswith("conflicts: inside a cluster: 1, ") and "proposals: 1 cut\n" in said
    assert record()["inputs"]["answers"]["file"] == kind


@pytest.mark.slow
def test_a_model_that_is_trained_is_asked_about_the_sentences_in_conflict_alone(run, put, monkeypatch, adapter):
    """Python says the same, in any order of the two sentences."""
    from paragraph.learn import Adapter

    put("pairs.csv", *ROWS, *((f"Who sang song {i}?", f"Who wrote song {i}?", i % 2) for i in range(30)))
    asked, honest = [], Adapter.logits

    def logits(self, left, right):
        asked.extend([*left, *right])
        return honest(self, left, right)

    monkeypatch.setattr(Adapter, "logits", logits)
    done = run(f"repair pairs.csv -o out.tsv --judge {adapter}")
    assert set(asked) == {TEA, HEALTHY, COFFEE}
    assert "the judge is model: P(same); it has seen: unknown (see the" in done.err
    (row,) = table().itertuples()
    [logit] = honest(Adapter(adapter), [TEA], [COFFEE])
    assert row.p_same == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-4)
    (same,) = pg.repair(pg.ParaphraseGraph.from_pairs(pg.read_pairs("pairs.csv")), judge=adapter).itertuples()
    assert (row.proposal, row.p_flip) == (same.proposal, pytest.approx(same.p_flip))


@pytest.mark.slow
def test_without_a_conflict_no_model_is_loaded(put):
    put("calm.csv", ("a", "b", 1), ("b", "c", 1), ("c", "x", 0))
    code = (
        "import sys; from paragraph.cli import main; code = main('repair calm.csv -o out.tsv'.split());"
        "print(code, 'torch' in sys.modules)"
    )
    done = python("-c", code, check=True)
    assert done.stdout.splitlines()[-1] == "0 False"
    assert "no judge is needed: there is no conflict" in done.stderr and table().empty


@pytest.mark.parametrize("command", ["repair", "suspects"])
def test_without_the_learn_extra_words_judge_and_a_named_judge_is_an_error(run, refuses, monkeypatch, command):
    monkeypatch.setattr("paragraph.learn.encoder.find_spec", lambda name: None)
    needs = "needs torch, which is not installed: pip install '.[learn]'"
    done = run(f"{command} tea.csv -o out.tsv")
    assert done.err.count(needs) == 1 and "words alone judge" in done.err
    assert record()["options"]["evidence"] == "none is installed"
    refused = refuses(needs, f"{command} tea.csv -o other.tsv --judge minilm")
    refuses(needs, "review tea.csv --reviewer Ada --judge minilm")
    assert refused.err.splitlines()[-1].startswith("paragraph: ")


def test_suspects_learn_from_an_audit(run):
    write("audit.tsv", f"text_a | text_b | same\n{COFFEE} | {TEA} | 0\n")
    assert run("suspects tea.csv --answers audit.tsv --judge none -q -o out.tsv") == ("", "")
    (row,) = (row for row in table().itertuples() if {row.question1, row.question2} == {TEA, COFFEE})
    assert float(row.p_wrong) < 0.01
    assert record()["inputs"]["answers"]["file"] == "audit.tsv"
    assert record()["options"]["first"] == 1000
    answered = record()["options"]["answered"]
    assert answered["negative"] == [1, 0] or answered["positive"] == [0, 0]


def test_a_review_that_cannot_be_opened(refuses):
    for options, said in (
        ("", "--reviewer"),
        ("--reviewer Ada --audit 3 --pairs x.tsv", "give one"),
        ("--reviewer Ada --audit 3 --judge minilm", "leave out --audit"),
        ("--reviewer Ada --judge no/such", "no/such"),
        ("--reviewer Ada --settle no.db", "there is no log"),
        ("--reviewer Ada --log tea.csv", "tea.csv is not a decision log"),
    ):
        refuses(said, f"review tea.csv --no-browser {options}")


def test_a_review_of_nothing_says_so_and_ends(run, put):
    put("none.tsv", ("Do I buy tea?", "Do I purchase tea?", 1), ("Do I buy rice?", "Do I sell rice?", 0))
    put("empty.tsv")
    review = "review none.tsv --reviewer Ada"
    assert run(review).out == "No conflicts: no label contradicts another.\n"
    assert run(f"{review} --pairs empty.tsv").out == "The table has no pairs.\n"


@pytest.mark.slow
@pytest.mark.parametrize("model", ["none", pytest.param("minilm", marks=pytest.mark.long), "model"])
def test_a_served_review_proposes_what_repair_does_with_the_same_model(run, monkeypatch, adapter, model):
    served = []
    monkeypatch.setattr("paragraph.cli.serving.serve", lambda review, browser: served.append(review))
    model = adapter if model == "model" else model
    pg.write_pairs(pg.read_pairs(pg.DEMO).head(800), "some.tsv")
    run(f"review some.tsv --reviewer Ada --no-browser --judge {model}")
    run(f"repair some.tsv -o out.tsv --judge {model}")
    if model != "none":  # it was asked before the page opened, with progress in the terminal
        monkeypatch.setattr("paragraph.doubts.judges.judge_of", None)
    p_flip = table()["p_flip"].replace("", np.nan).astype(float)
    assert served[0]._proposals.table()["p_flip"].to_numpy() == pytest.approx(p_flip, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("kind", ["--suspects --judge none", ""])
def test_the_command_that_agreement_prints_settles_what_two_have_answered(run, put, monkeypatch, kind):
    """Whatever they were asked: the suspects, or the conflicts."""
    served = []
    monkeypatch.setattr("paragraph.cli.serving.serve", lambda review, browser: served.append(review))

    def review(options):
        run(f"review tea.csv --no-browser {options}")
        return served.pop()

    for name, decisions in (("Ada", ["flip", "keep"]), ("Bo", ["keep", "keep"])):
        one = review(f"--reviewer {name} {kind}")
        for decision in decisions[: len(one.queue)]:
            one.decide(decision)
    command = run("agreement Ada.db Bo.db").out.splitlines()[-1].removeprefix("Next: paragraph review FILE ")
    third = review(command.replace("NAME", "Cy"))
    assert len(third.queue) == len(pg.agreement("Ada.db", "Bo.db").disputes) == 1
    assert "(to talk about: 1)\n" in run("apply tea.csv Ada.db Bo.db -o before.csv").out
    third.decide("flip")
    last = run("agreement Ada.db Bo.db Cy.db").out.splitlines()[-1]
    assert last == "Next: paragraph apply FILE Ada.db Bo.db Cy.db -o CLEAN"
    assert "disputed" not in run("apply tea.csv Ada.db Bo.db Cy.db -o clean.csv").out
    second = review("--reviewer Dee --second Ada.db")
    assert len(second.queue) == len(decisions[: len(one.queue)]) and second.queue["state"].eq("open").all()
    run("review tea.csv --no-browser --reviewer Eve --settle Ada.db Bo.db Cy.db")
    assert not served and not Path("Eve.db").exists()


@pytest.mark.parametrize(("yes", "no"), [("dup", "no dup"), ("false", "true"), ("TRUE", "FALSE")])
def test_suspects_say_the_labels_of_the_file_in_its_words_and_are_read_back(desk, run, yes, no):
    (desk / "dups.tsv").write_text(f"text_a\ttext_b\tlabel\na\tb\t{yes}\nc\td\t{no}\n")
    run("suspects", "dups.tsv", "--labels", f"{yes}=1,{no}=0", "--judge", "none", "-o", "suspects.tsv")
    listed = pd.read_csv("suspects.tsv", sep="\t", dtype=str, keep_default_na=False)
    assert dict(zip(listed["question1"], listed["label"], strict=True)) == {"a": yes, "c": no}
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs("dups.tsv", labels={yes: 1, no: 0}))
    for given in (listed, pd.read_csv("suspects.tsv", sep="\t")):  # which reads "true" as True
        review = pg.PairReview(given, graph, "log.db", reviewer="Ada")
        assert dict(zip(review.queue["text_a"], review.queue["label"], strict=True)) == {"a": 1, "c": 0}


@pytest.mark.parametrize("command", ["suspects tea.csv", "repair tea.csv", "audit tea.csv"])
def test_a_table_under_the_name_of_something_else_is_refused_at_once(refuses, command):
    refuses("'out.xlsx' is written as text; end its name in .tsv or .csv", f"{command} -o out.xlsx")
