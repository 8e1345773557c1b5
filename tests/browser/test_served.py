"""``paragraph review`` as a person runs it: keys in the page, reload, two pages of it, and pages of strangers."""

import json
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

import paragraph as pg
from paragraph.cli import main

from ..growth import HUNG
from ..hostile import SENTENCES
from .conftest import window
from .desk import calling
from .lab import stranger, until

ENDED = "The review has ended"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A file with three conflicts, all sentences of which would like to run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "browser").write_text('#!/bin/sh\nprintf "%s" "$*" > said && mv said opened\n')
    (tmp_path / "browser").chmod(0o700)
    monkeypatch.setenv("BROWSER", str(tmp_path / "browser"))
    texts = [f"{text.strip()} {i}" for i, text in enumerate(SENTENCES[:9])]
    rows = [(*texts[i : i + 2], 1) for i in range(9) if i % 3 < 2] + [(texts[i], texts[i + 2], 0) for i in (0, 3, 6)]
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), tmp_path / "my.tsv")
    return tmp_path


@contextmanager
def served(chromium, *options, ends=signal.SIGINT):
    """The page of a review that the command serves and opens in a browser; ended by Ctrl-C, and the page says so."""
    command = [sys.executable, "-m", "paragraph", "review", "my.tsv", "--reviewer", "Ada", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = process.stdout.readline() or process.stderr.read()
        address = re.search(r"http://[\d.]+:\d+/#\S+", said)[0]
        with window(chromium, 1400, 900, color_scheme="dark") as seen:
            if "--no-browser" not in options:
                until(Path("opened").exists)
            seen.page.goto(address if "--no-browser" in options else Path("opened").read_text())
            seen.address, seen.process = address, process
            yield seen
            seen.assert_quiet(address.split("#")[0])
            assert seen.page.context.cookies() == []
            process.send_signal(ends)
            err = process.communicate(timeout=HUNG)[1]
            seen.page.keyboard.press("Enter")
            seen.page.wait_for_function(f"() => document.querySelector('.pg-banner').textContent.includes('{ENDED}')")
    finally:
        process.kill()
    said = [line for line in err.splitlines() if line and not line.startswith("note: ")]  # a proposal has some
    told = (130, ["paragraph: interrupted"]) if ends == signal.SIGINT else (-ends, [])
    assert (process.returncode, said) == told


def at(page, number):
    """Wait until an item is on screen, or none, and the review has the keys."""
    page.wait_for_selector(f".pg-bench-live[data-case='{number}']:focus-within")


def answered(page):
    """Wait until all is answered that was asked."""
    data = "document.querySelector('.pg-bench-live').dataset"
    page.wait_for_function(f"() => {data}.asked === {data}.answered")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)
        answered(page)


def decided(log="Ada.db"):
    """What was said of the pairs of conflicts, moment by moment."""
    table = pg.DecisionLog(log).answers()
    own = [[sorted((a, b))] == [sorted(pair) for pair in json.loads(about) or [(a, b)]] for a, b, about in
           zip(table["text_a"], table["text_b"], table["about"], strict=True)]  # fmt: skip
    return table.loc[own, "same"].astype(object).fillna("?").tolist()


def test_keys_reload_and_what_is_next(chromium, folder):
    with served(chromium) as seen:
        page = seen.page
        at(page, 1)
        press(page, "f")
        at(page, 2)
        assert decided() == [1]
        page.click(".pg-search")
        page.keyboard.type("#99999\n")  # there is none: the search keeps the focus, and what is typed is no key
        page.wait_for_selector(".pg-found:text('none of these')")
        page.keyboard.type("u")
        assert page.input_value(".pg-search") == "#99999u" and decided() == [1]
        page.reload()
        at(page, 2)
        page.wait_for_selector(".pg-bench-live.pg-dark")  # as the system is
        press(page, "u")
        at(page, 1)
        assert decided() == []
        press(page, "c", "1")
        at(page, 2)
        press(page, "w")
        page.keyboard.type("a note <b>")
        press(page, "Enter")
        assert page.inner_text(".pg-notes") == "Note: a note <b>"
        press(page, "r", "k", "a")
        at(page, "")
        assert decided() == [0, 0, "?"]
        said = page.input_value(".pg-copy").splitlines()
        assert said[0] == "paragraph agreement Ada.db OTHER.db"
        assert said[1] == "paragraph apply my.tsv Ada.db -o my.clean.tsv"


@pytest.mark.parametrize(
    "options",
    [
        ("--audit", "5"),
        pytest.param(("--pairs", "my.tsv"), marks=pytest.mark.long),
        ("--settle", "Ben.db", "Cyd.db", "--labels", "1=1,0=0"),
    ],
    ids=lambda options: options[0],
)
def test_other_reviews(chromium, folder, options):
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs("my.tsv"))
    for name, word in (("Ben", "keep"), ("Cyd", "flip")):
        review = pg.ConflictReview(graph, f"{name}.db", reviewer=name)
        review.decide("flip")
        review.decide(word)
    with served(chromium, *options, "--no-browser") as seen:
        page = seen.page
        assert not Path("opened").exists()
        at(page, 1)
        one, _, other = page.query_selector_all(".pg-bench-live .pg-decide button[data-decide]")[3:6]
        press(page, one.get_attribute("data-hint")[-2], "u", other.get_attribute("data-hint")[-2])
        assert decided() == [{"flip": 1, "keep": 0, "ambiguous": "?"}[other.get_attribute("data-decide")]]


def test_a_list_of_suspects_learns(chromium, folder):
    assert main(["suspects", "my.tsv", "--judge", "none", "-o", "suspects.tsv"]) == 0
    review = pg.PairReview(pd.read_csv("suspects.tsv", sep="\t", keep_default_na=False), reviewer="Ada")
    with served(chromium, "--pairs", "suspects.tsv", "--no-browser") as seen:
        page = seen.page
        for key, decision in {"f": "flip", "k": "keep", "a": "ambiguous"}.items():
            at(page, review.current)  # as the list in Python asks
            told, about, _ = review.listing["estimate"]
            assert page.inner_text(".pg-estimate b") == told and page.inner_text(".pg-estimate small") == about
            press(page, key)
            review.decide(decision)
        page.reload()
        at(page, review.current)
        assert page.inner_text(".pg-estimate b").startswith("Wrong: 1 of 2 read (")
        assert page.get_attribute(".pg-estimate", "title") == review.listing["estimate"][2]
        press(page, "u")
        page.wait_for_function("() => document.querySelector('.pg-message').textContent.startsWith('Taken back')")


def test_two_pages_show_the_same_review(chromium, folder):
    with served(chromium) as seen:
        at(seen.page, 1)
        other = seen.page.context.new_page()
        other.goto(seen.address)
        at(other, 1)
        press(other, "f")
        at(other, 2)
        press(seen.page, "k")  # of the first, which this page still showed: it is decided
        at(seen.page, 2)
        assert seen.page.inner_text(".pg-message").startswith("Not taken: Keep for #1")
        assert decided() == [1]
        press(seen.page, "k")
        at(seen.page, 3)
        other.evaluate("dispatchEvent(new Event('focus'))")
        at(other, 3)
        press(other, "u")
        seen.page.evaluate("dispatchEvent(new Event('focus'))")
        at(seen.page, 2)
    assert decided() == [1]


def test_a_line_of_a_long_path_is_cut_by_its_button_and_by_no_digit(chromium, folder):
    texts = [f"sentence {i}" for i in range(13)]
    rows = [(*pair, 1) for pair in pairwise(texts)] + [(texts[0], texts[-1], 0)]
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), folder / "my.tsv")
    with served(chromium, "--no-browser") as seen:
        page = seen.page
        at(page, 1)
        press(page, *"c10")
        assert page.locator(".pg-cut-choices button").count() == 12 and decided() == []
        page.focus("[data-option='10']")
        press(page, "Enter")
        at(page, "")
    table = pg.DecisionLog("Ada.db").answers()
    cut = table.loc[table["text_a"] != texts[0], ["text_a", "text_b", "same"]]
    assert cut.values.tolist() == [[texts[9], texts[10], 0]]


def test_on_a_phone_the_next_pair_is_in_view_and_a_long_sentence_is_capped(chromium, folder):
    long = "A long sentence about tea. " * 200
    rows = [(long + "a", long + "b", 1), (long + "b", "short", 1), (long + "a", "short", 0)]
    rows += [("red", "blue", 1), ("blue", "green", 1), ("red", "green", 0)]
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), folder / "my.tsv")
    with served(chromium, "--no-browser") as seen:
        page = seen.page
        page.set_viewport_size({"width": 370, "height": 700})
        page.wait_for_selector(".pg-narrow[data-case='1']")
        answered(page)
        sides = page.query_selector_all(".pg-side")
        assert all(side.bounding_box()["height"] < 250 for side in sides)
        listed = page.query_selector(".pg-item")
        assert listed.evaluate("one => getComputedStyle(one).borderLeftWidth") == "0px"  # entries are no boxes
        buttons = page.query_selector_all(".pg-choices button")
        assert buttons and all(one.evaluate("one => one.scrollWidth <= one.clientWidth") for one in buttons)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.evaluate("document.querySelector('.pg-bench-live').focus({ preventScroll: true })")
        press(page, "k")
        at(page, 2)
        assert -1 < page.query_selector(".pg-title").bounding_box()["y"] < 700
        press(page, "?")
        assert page.evaluate("document.querySelector('.pg-help').scrollTop") == 0
        press(page, "Escape")


@pytest.mark.parametrize("options", [(), ("--suspects", "--judge", "none")], ids=["conflicts", "suspects"])
def test_columns_that_the_person_names_are_shown_and_not_run(chromium, folder, options):
    table = pd.DataFrame([("a", "b", 1), ("b", "c", 1), ("a", "c", 0)], columns=["text_a", "text_b", "label"])
    table["<i>id</i>"] = ["7", "8", "9"]
    remarks = [SENTENCES[1], SENTENCES[9], "W" * 500]
    table.assign(remark=remarks).to_csv("my.tsv", sep="\t", index=False)
    with served(chromium, "--no-browser", "--show", "<i>id</i>,remark", *options) as seen:
        page = seen.page
        shown = {}
        for turn in range(3 if options else 1):
            if turn:
                press(page, "k")
            page.wait_for_selector(".pg-bench-live:not([data-case=''])")
            number = page.get_attribute(".pg-bench-live", "data-case")
            page.wait_for_selector(f".pg-why:has(h3:has-text('#{number}')) .pg-beside")
            for row in page.query_selector_all(".pg-why tr:has(.pg-beside)"):
                shown[row.query_selector("td").inner_text()] = row.query_selector(".pg-beside").inner_text()
        assert {row: text.split()[:2] for row, text in shown.items()} == {
            "2": ["<i>id</i>", "7"], "3": ["<i>id</i>", "8"], "4": ["<i>id</i>", "9"]}  # fmt: skip
        assert SENTENCES[1] in shown["2"] and SENTENCES[9] in shown["3"] and len(shown["4"]) < 200
        for width in (1400, 390):
            page.set_viewport_size({"width": width, "height": 844})
            page.wait_for_selector(".pg-narrow" if width == 390 else ".pg-bench-live:not(.pg-narrow)")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate(calling("wide")) == page.evaluate(calling("faint")) == []
        assert page.evaluate(calling("foreign")) == 0


#: Notes of each key the pair on screen, and whether the page then shows it as not taken.
FAST = """window.pressed = [];
window.look = () => {
  const late = document.querySelector(".pg-late");
  const last = pressed.at(-1);
  if (last) last.isMissed = !late.hidden && late.textContent.endsWith(last.key);
};
addEventListener("keydown", ({ key }) => {
  look();
  pressed.push({ key, pair: [...document.querySelectorAll(".pg-side")].map((side) => side.textContent) });
}, true);"""


@pytest.mark.parametrize("options", [(), ("--suspects", "--judge", "none")], ids=["conflicts", "suspects"])
@pytest.mark.parametrize("pace", [10, pytest.param(30, marks=pytest.mark.long)])
def test_a_key_before_the_next_pair_decides_nothing_and_is_shown(chromium, folder, options, pace):
    """Each key is in the log, for the pair that was on screen, or the page says that it was not taken."""
    rows = [(f"{a} {i}", f"{b} {i}", int(b != "c" or a == "b")) for i in range(30) for a, b in ("ab", "bc", "ac")]
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), folder / "my.tsv")
    with served(chromium, "--no-browser", *options) as seen:
        page = seen.page
        page.wait_for_selector(".pg-bench-live:not([data-case='']):focus-within")
        page.evaluate(FAST)
        page.keyboard.type("fakfkaffkaka", delay=pace)
        answered(page)
        press(page, "k")
        pressed = page.evaluate("look() ?? pressed")
    stated = {frozenset((a, b)): label for a, b, label in rows}
    meant = {"f": lambda label: 1 - label, "k": lambda label: label, "a": lambda label: "?"}
    taken = [(frozenset(one["pair"]), one["key"]) for one in pressed if not one["isMissed"]]
    taken = [(pair, meant[key](stated[pair])) for pair, key in taken]
    table = pg.DecisionLog("Ada.db").answers().sort_values("time", kind="stable")
    pairs = map(frozenset, zip(table["text_a"], table["text_b"], strict=True))
    logged = zip(pairs, table["same"].astype(object).fillna("?"), strict=True)
    asked = {pair for pair in stated if options or not stated[pair]}  # not those on the path of a conflict
    assert [one for one in logged if one[0] in asked] == taken
    assert len(taken) > 1


def attack(own):
    """A page that tries what a browser lets it try at the address of a review."""
    decide = """{"seen": 0, "intent": "decide", "item": 1, "decision": "flip"}"""
    shown = (f"iframe src={own}", f"script src={own}", f"object data={own}")
    rule = f'[{{"urls": ["{own}"], "eagerness": "immediate"}}]'
    return f"""{"".join(f"<{tag}></{tag.split()[0]}>" for tag in shown)}<img src={own}>
    <link rel=stylesheet href={own}><link rel=prefetch href={own}><link rel=prerender href={own}>
    <script type=speculationrules>{{"prerender": {rule}, "prefetch": {rule}}}</script>
    <form method=post enctype=text/plain action={own} target=out>
    <input name='{decide[:-1]}, "x": "' value='"}}'></form>
    <iframe name=out></iframe><a href="/away">here</a><script>
    const given = [
      {{}}, {{ mode: "no-cors", credentials: "include" }}, {{ method: "POST", mode: "no-cors", body: '{decide}' }},
      {{ method: "POST", body: '{decide}', headers: {{ "Content-Type": "application/json", Authorization: "x" }} }}
    ];
    document.forms[0].submit();
    const read = (frame) => {{ try {{ return frame.document.body.innerHTML; }} catch {{ return ""; }} }};
    window.framed = () => Array.from(frames, read);
    window.said = [];
    const line = new WebSocket("{own}line".replace("http", "ws"));
    line.onmessage = ({{ data }}) => said.push(data);
    line.onopen = () => line.send('{decide}');
    window.tried = Promise.all(given.map((one) => fetch("{own}", one).then((a) => a.text()).catch(() => "")));
    </script>"""


def test_a_page_of_another_port_reads_and_changes_nothing(chromium, folder):
    with served(chromium, "--no-browser") as seen:
        at(seen.page, 1)
        own = seen.address.split("#")[0]

        def answer(handler):
            handler.send_response(302 if handler.path == "/away" else 200)
            handler.send_header("Content-Type", "text/html")
            handler.send_header("Location", own)
            handler.end_headers()
            handler.wfile.write(attack(own).encode())

        with stranger(answer) as port:
            page = seen.page.context.new_page()
            page.goto(f"http://127.0.0.1:{port}/", wait_until="networkidle")
            assert page.evaluate("tried") == [""] * 4
            assert page.evaluate("said") == []
            assert set(page.evaluate("framed()")) == {""}
            page.click("a")  # which leads to the review, without its secret
            page.wait_for_selector("text=not the full address")
            page.close()
        press(seen.page, "k")
        at(seen.page, 2)
    assert decided() == [0]


def test_whoever_takes_the_port_of_a_review_that_died_is_told_nothing(chromium, folder):
    """The page says that the review has ended, and keeps what was typed."""
    with served(chromium, "--no-browser", ends=signal.SIGKILL) as seen:
        page, heard = seen.page, []
        at(page, 1)
        press(page, "w")
        page.keyboard.type("a note")
        seen.process.kill()
        page.wait_for_selector(f".pg-banner:has-text('{ENDED}')")

        def heir(handler):
            heard.append((handler.command, handler.path, *handler.headers.values()))
            handler.send_error(404)

        with stranger(heir, *re.search(r"//([\d.]+):(\d+)", seen.address).groups()):
            page.keyboard.press("Enter")
            assert page.input_value(".pg-note-field") == "a note" and page.is_visible(".pg-note-field")
            page.keyboard.press("Escape")
            page.keyboard.press("f")
            page.evaluate("dispatchEvent(new Event('focus'))")
            page.wait_for_timeout(500)
    assert heard == [] and decided() == []
