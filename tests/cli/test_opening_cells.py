"""The notebook of ``paragraph open``: each of its cells shows something, whatever the file holds."""

import pytest

import paragraph as pg

from .written import load_json

MANY = "".join(f"one {i}\tone {i} more\t{i % 2}\n" for i in range(50_000))
ANSWERS = "QuestionID\tQuestion\tDocumentTitle\tSentenceID\tSentence\tLabel"
FILES = {
    "one row": ("a\tb\t1\n", (), ["overview", "PairReview", "PairReview"]),
    "no conflict": ("a\tb\t1\nb\tc\t1\nd\te\t0\n", (), ["overview", "PairReview", "PairReview"]),
    "conflict": ("a\tb\t1\nb\tc\t1\na\tc\t0\n", (), ["overview", "ConflictReview", "PairReview", "PairReview"]),
    "no positive": ("a\tb\t0\nb\tc\t0\n", (), ["overview", "PairReview", "PairReview"]),
    "no negative": ("a\tb\t1\nc\td\t1\n", (), ["overview", "PairReview", "PairReview"]),
    "scores": (
        "a\tb\t4.8\nb\tc\t1.2\nd\te\t4.0\n", ("--labels", "3.5,4.5"), ["overview", "PairReview", "PairReview"]
    ),
    "no labels": ("a\tb\t\nb\tc\t\n", ("--unlabelled", "keep"), ["overview", "PairReview"]),
    "itself": ("a\ta\t1\n", (), ["overview", "PairReview"]),
    "answers": (
        "Q1\tp\tT\tD1\ta\t1\nQ1\tp\tT\tD2\tb\t1\nQ2\tq\tT\tD2\tb\t1\nQ2\tq\tT\tD1\ta\t0\n"
        "Q3\tr\tT\tD3\tc\t1\nQ3\tr\tT\tD3\tc\t0\n", (), ["overview", "ConflictReview", "PairReview"],
    ),
    "many": (MANY, (), ["overview", "PairReview", "PairReview"]),
}  # fmt: skip


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one == "many")) for one in FILES])
def test_every_cell_shows_something(name, run, tmp_path, monkeypatch):
    rows, options, benches = FILES[name]
    monkeypatch.chdir(tmp_path)
    header = ANSWERS if name == "answers" else "text_a\ttext_b\tlabel"
    (tmp_path / "my.tsv").write_text(f"{header}\n{rows}")
    run("open", "my.tsv", *options, "--no-lab")
    cells = [cell["source"] for cell in load_json("my.tsv.ipynb")["cells"] if cell["cell_type"] == "code"]
    names, shown = {}, []
    for cell in cells:
        *before, last = cell.splitlines()
        exec("\n".join(before), names)
        shown.append(eval(last, names))
    assert [type(one).__name__.replace("Overview", "overview") for one in shown] == benches
    page, *reviews = shown
    assert page.sections[0].facts and page._twin_bundle()["text/html"]
    for review in reviews:
        assert review.current and len(review.queue) and review._twin_bundle()["text/html"]


def test_the_list_of_suspects_opens_with_one_command(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    served = []
    monkeypatch.setattr("paragraph.cli.serving.serve", lambda shown, opens: served.append(shown))
    (tmp_path / "my.tsv").write_bytes(pg.DEMO.read_bytes())
    run("review", "my.tsv", "--suspects", "--judge", "none", "--reviewer", "me", "--no-browser")
    [review] = served
    assert review.reviewer == "me" and review.current  # the first questions are drawn at random
    a, b = review.queue.loc[review.current - 1, ["text_a", "text_b"]]
    review.decide("flip")
    run("review", "my.tsv", "--suspects", "--judge", "none", "--reviewer", "me", "--no-browser")
    assert served[1].answers[["text_a", "text_b"]].values.tolist() == [[a, b]]
    run("apply", "my.tsv", "me.db", "-o", "clean.tsv")
    was, now = (pg.read_pairs(tmp_path / name)["label"] for name in ("my.tsv", "clean.tsv"))
    assert was.tolist() != now.tolist()
