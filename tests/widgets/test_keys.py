"""One table of keys for the whole package: one key, one meaning, and nothing that names a key says otherwise."""

import json
import re
from pathlib import Path

import pytest

import paragraph as pg
from paragraph.atlas.map import HELP as ATLAS
from paragraph.atlas.map import Map
from paragraph.lesson.lab.contents import HELP as LAB
from paragraph.papers.tags.review import TAGS
from paragraph.widgets.base.keys import KEYS, review_help, shown_keys, with_keys
from paragraph.widgets.explorer.widget import HELP as EXPLORER
from paragraph.widgets.review import questions
from paragraph.widgets.review.questions import CONFLICT

ROOT = Path(pg.__file__).parents[1]
REVIEWS = {
    pg.ConflictReview: [CONFLICT.words], pg.PairReview: [question.words for question in questions.QUESTIONS.values()],
    pg.TagReview: [TAGS.words],
}  # fmt: skip
BENCHES = {bench: [review_help(words) for words in all_words] for bench, all_words in REVIEWS.items()}
BENCHES |= {pg.Explorer: [EXPLORER], pg.TriadLab: [LAB], Map: [ATLAS]}


@pytest.mark.parametrize("bench", BENCHES)
def test_help_and_buttons_of_a_bench_are_of_the_table(bench):
    every = [key for keys in KEYS.values() for key in keys]
    assert len(every) == len(set(every))  # a key has one meaning
    for helped in BENCHES[bench]:
        assert len(helped["keys"]) == len({name for name, *_ in helped["keys"]})
        for name, keys, shown, means in helped["keys"]:
            assert list(KEYS[name]) == keys and shown == shown_keys(name) and "{" not in "".join(means)
            assert len(means) in (1, len(keys)) and all(means)
    assert says(bench.__doc__.split("Parameters\n")[0]) <= keys_of(bench)


@pytest.mark.parametrize("bench", REVIEWS)
def test_every_key_that_decides_is_in_the_help(bench):
    for words, helped in zip(REVIEWS[bench], BENCHES[bench], strict=True):
        assert {key for key, *_ in words["decide"]} <= {name for name, *_ in helped["keys"]}


def test_no_script_knows_a_key_of_its_own():
    """Scripts ask the table; only Enter in a field, and what a browser does with Enter and Space, is theirs."""
    for path in (ROOT / "paragraph" / "widgets").rglob("*.js"):
        script = path.read_text(encoding="utf-8")
        found = {*re.findall(r"""\bkey (?:===|!==) "([^"]+)\"""", script), *re.findall(r"""\bcase "(.)":""", script)}
        assert found <= {"Enter", "ArrowDown", " ", "="}, path.name


#: A letter between back ticks before a word that says what a key does.
KEY_OF_A_TEXT = re.compile(r"`[a-z?]`+,? (?:says|wrong|right|lists|takes|writes|the same|different|not\b)")


def test_no_text_names_a_key_by_its_letter():
    """Docstrings of benches, the help of the shell and a notebook that it writes have keys from the table."""
    assert with_keys("`{flip}` wrong, `{help}` lists the keys") == "`f` wrong, `?` lists the keys"
    assert KEY_OF_A_TEXT.search("`f` wrong")
    for path in (ROOT / "paragraph").rglob("*.py"):
        assert path.name == "keys.py" or not KEY_OF_A_TEXT.search(path.read_text(encoding="utf-8")), path.name


def says(text):
    """The single letters that a text names as keys."""
    return set(re.findall(r"(?<![`\w])`{1,2}([a-z])`{1,2}(?!`)", text))


def keys_of(*benches):
    return {key for bench in benches for helped in BENCHES[bench] for _, keys, *_ in helped["keys"] for key in keys}


#: The benches of which a notebook says what keys do.
NOTEBOOKS = {
    "01_your_pairs_as_a_graph": [pg.Explorer],
    "06_flipping_frenemies": [pg.Explorer],
    "07_review_with_two_people": [pg.ConflictReview],
    "08_how_good_are_proposals": [pg.PairReview],
    "papers/collecting_labels": [pg.PairReview],
    "papers/which_words_differ": [pg.TagReview],
    "papers/japanese_phrases": [pg.PairReview],
}


def test_a_notebook_names_keys_that_its_benches_have():
    for name, benches in NOTEBOOKS.items():
        cells = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
        text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        named = says(text) | set(re.findall(r"\b([a-z]): (?:the same|different)", text))
        assert named and named <= keys_of(*benches), name
