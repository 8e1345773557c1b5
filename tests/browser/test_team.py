"""A team at its pages: the door, keys at the same time, a crash, a third person, and the lead's page."""

import re
import signal
from collections import Counter

import pandas as pd
import pytest

import paragraph as pg

from ..hostile import SENTENCES
from ..serving.crew import crew
from .desk import calling
from .lab import until
from .test_served import answered, press

pytestmark = pytest.mark.network
CASE = "document.querySelector('.pg-bench-live').bench.model.get('case')"


def write(folder, pairs):
    texts = [f"{SENTENCES[i % len(SENTENCES)].strip()} {i}" for i in range(pairs)]
    rows = [(text, f"{text} again", int(i % 3 > 0)) for i, text in enumerate(texts)]
    pg.write_pairs(pd.DataFrame(rows, columns=["text_a", "text_b", "label"]), folder / "my.tsv")


def enter(page):
    page.click("text=Enter as")
    page.wait_for_selector(".pg-bench-live:focus-within, .pg-team")


def case(page):
    answered(page)
    return page.evaluate(CASE)


def pairs_of(log):
    table = pg.DecisionLog(log).answers()
    return Counter((row.reviewer, frozenset((row.text_a, row.text_b))) for row in table.itertuples())


def fits(page):
    """Nothing is cut off, faint or foreign, at two widths."""
    for width in (1400, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate(calling("faint")) == []


def test_the_door_a_crash_and_what_the_lead_sees(tmp_path, opened):
    write(tmp_path, 12)
    options = ("--suspects", "--judge", "none", "--each", "2")
    with crew(tmp_path, *options) as given:
        seen = {name: opened(address, color_scheme="dark" if name == "Bo" else "light")
                for name, address in given.addresses.items()}  # fmt: skip
        pages = {name: one.page for name, one in seen.items()}
        fits(pages["Ada"])
        for page in pages.values():
            enter(page)
        assert pages["Ada"].url == f"{given.place}#Ada" and given.entry("Ada") not in pages["Ada"].content()
        other = opened(given.addresses["Ada"]).page  # the address in another browser
        other.click("text=Enter as Ada")
        other.wait_for_selector("text=used already")
        fits(other)
        for name in ("Ada", "Bo"):
            press(pages[name], "f", "k")
        lead = pages["lead"]
        lead.wait_for_selector("tr:has-text('Ada') td:text-is('2')")
        before = {name: case(pages[name])["pair"] for name in ("Ada", "Bo", "Cy")}
        given.end(signal.SIGKILL)
        for name in ("Ada", "Bo", "Cy"):
            pages[name].wait_for_selector(".pg-banner:has-text('No connection')")
        lead.wait_for_selector(".pg-banner:has-text('No connection')")
        pages["Ada"].keyboard.press("f")  # nobody hears it, and nothing moves
        assert pages["Ada"].evaluate(CASE)["pair"] == before["Ada"]
    with crew(tmp_path, *options) as given:
        for name in before:
            pages[name].wait_for_selector(".pg-banner:text-is('')", state="attached")
        assert {name: case(pages[name])["pair"] for name in before} == before
        lead.wait_for_selector("tr:has-text('Ada') td:text-is('here')")
        for name in before:
            press(pages[name], "k")
        pages["Bo"].reload()
        pages["Bo"].wait_for_selector(".pg-bench-live:focus-within")
        assert set(pairs_of(given.log).values()) == {1}
        fits(lead)
        assert [one.reviewer for one in pg.DecisionLog(given.log).records("Ada")] == ["Ada"] * 3
        lead.click("tr:has-text('Cy') >> text=New address")
        pages["Cy"].wait_for_selector("text=made a new address")
        address = lead.inner_text(".pg-team output")
        pages["Cy"].goto("about:blank")
        pages["Cy"].goto(address)
        enter(pages["Cy"])
        lead.click("text=Stop asking")
        pages["Cy"].keyboard.press("k")
        pages["Cy"].wait_for_selector(".pg-title:has-text('stopped')")
        lead.wait_for_selector("text=Ask on")
        for one in seen.values():
            one.assert_quiet("http://127.0.0.1", "WebSocket|ERR_CONNECTION")
            assert one.page.context.cookies() == []


@pytest.mark.long
def test_six_people_three_hundred_answers_two_kills(tmp_path, opened):
    write(tmp_path, 150)
    people = ["Ada", "Bo", "Cy", "Dee", "Eve", "Fay"]
    options = ("--suspects", "--judge", "none", "--each", "2")
    pages = {}
    for turn, most in enumerate((100, 200, 400)):
        with crew(tmp_path, *options, people=people) as given:
            if not pages:
                pages = {name: opened(given.addresses[name], 1000, 700).page for name in people}
                for page in pages.values():
                    enter(page)
            for page in pages.values():
                page.wait_for_selector(".pg-banner:text-is('')", state="attached")
            while sum(pairs_of(given.log).values()) < most:
                items = {name: case(page)["item"] for name, page in pages.items()}
                if not any(items.values()):
                    break
                for i, (name, page) in enumerate(pages.items()):
                    if items[name]:
                        page.keyboard.press("k" if i < 5 or items[name] % 7 else "f")
            if turn < 2:
                given.end(signal.SIGKILL)
                for page in pages.values():
                    page.wait_for_selector(".pg-banner:has-text('No connection')")
    asked = pairs_of(given.log)
    assert set(asked.values()) == {1} and sum(asked.values()) >= 300
    by_pair = Counter(pair for _, pair in asked)
    assert set(by_pair.values()) <= {2, 3} and len(by_pair) == 150
    until(lambda: not pg.agreement(given.log).disputes)
    graph = pg.ParaphraseGraph.from_pairs(pg.read_pairs(tmp_path / "my.tsv"))
    log = pg.DecisionLog(given.log)
    for name in people:
        single = pg.DecisionLog(tmp_path / f"{name}.db", name)
        single.merge(log.records(name))
    pg.replay(given.log, graph).write(tmp_path / "team.clean.tsv")
    pg.replay([tmp_path / f"{name}.db" for name in people], graph).write(tmp_path / "single.clean.tsv")
    assert (tmp_path / "team.clean.tsv").read_bytes() == (tmp_path / "single.clean.tsv").read_bytes()
    assert re.search("again", (tmp_path / "team.clean.tsv").read_text())
