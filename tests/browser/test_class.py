"""A lesson with phones: the board beside three pages of pupils, a reload, a lost line, and what is handed in."""

import re
import signal
from contextlib import ExitStack

import pytest

from ..lesson.test_class import room
from .conftest import window
from .lab import stranger, until


@pytest.fixture
def given(tmp_path):
    with room(tmp_path, "--keep", "class.db") as given:
        yield given


@pytest.fixture
def opened(chromium):
    """Opens pages, each in a window of its own."""
    with ExitStack() as stack:

        def opened(address, width=390, height=844):
            seen = stack.enter_context(window(chromium, width, height))
            seen.page.goto(address)
            return seen

        yield opened


def vote(page, said):
    page.locator(".pg-action").get_by_text(said, exact=True).click()
    page.wait_for_selector(f".pg-room:has-text('Your vote: {said}')")


def test_a_lesson_with_three_phones(given, opened):
    seen = opened(f"file://{given.file}", 1400, 900)
    board = seen.page
    board.wait_for_selector(".pg-code svg")
    assert board.url == given.place and given.secret not in board.content()
    assert given.code in board.inner_text(".pg-code") and given.address in board.inner_text(".pg-code")
    phones = [opened(f"{given.address}#{given.code}") for _ in range(3)]
    pages = [phone.page for phone in phones]
    for page in pages:
        page.wait_for_selector(".pg-room:has-text('You are in the class')")
    board.select_option("[data-control=start]", "pentagon of enemies")
    board.click("text=Ask the class")
    for i, page in enumerate(pages):
        page.wait_for_selector("text=Is this graph balanced")
        assert "Pentagon" not in page.inner_text(".pg-title")
        vote(page, ("balanced", "weakly balanced", "neither")[i])
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    vote(pages[0], "weakly balanced")  # thought again
    pages[1].reload()
    pages[1].wait_for_selector(".pg-room:has-text('Your vote: weakly balanced')")
    assert pages[1].locator("[aria-pressed=true]").inner_text() == "weakly balanced"
    board.wait_for_selector("text=3 of 3 have voted")
    assert board.locator("meter").count() == 0 and board.locator(".pg-facts").count() == 0
    board.click("text=Reveal the votes")
    board.wait_for_selector("meter")
    assert board.locator(".pg-tally label").all_inner_texts() == ["weakly balanced: 2", "neither: 1"]
    assert "not balanced" in board.inner_text(".pg-facts")  # the proof
    pages[2].wait_for_selector(".pg-facts:has-text('neither ✗')")

    pages[0].fill("[name=pupil]", "Ada <b>")
    pages[0].keyboard.press("Enter")
    pages[0].click("[data-control=home]")
    pages[0].wait_for_selector("[data-control=exercise]")
    board.select_option("[data-control=exercise]", "1")
    board.click("text=Ask the class")
    for page, said in zip(pages, ("+++", "++-", "---"), strict=True):
        page.wait_for_selector(".pg-room:has-text('You are in the class')")  # the last vote is over
        page.wait_for_selector(".pg-title:has-text('Exercise 1:')")
        vote(page, said)
        assert page.locator(".pg-grade").count() == 0  # nobody is told yet
    board.click("text=Reveal the votes")
    board.wait_for_selector(".pg-badge:has-text('right')")
    pages[0].wait_for_selector(".pg-grade")
    pages[0].click("[data-control=home]")
    right = board.locator(".pg-choices [aria-pressed=true], [aria-pressed=true]").first.inner_text()
    pages[0].select_option("[data-control=exercise]", "1")
    pages[0].locator(".pg-action").get_by_text(right, exact=True).click()
    pages[0].click("text=Hand in")
    board.wait_for_selector("text=1 handed in")
    for _ in range(2):
        with board.expect_download() as saved:
            board.click("text=Save what was handed in")
        assert "Ada <b>" in saved.value.path().read_text()
    assert "Ada" not in board.inner_text(".pg-room")  # everybody sees it
    for one in (seen, *phones):
        one.assert_quiet("http://127.")
        assert one.page.context.cookies() == []


def test_a_phone_that_loses_its_class_goes_on_and_hands_in_later(given, opened, tmp_path):
    """Whoever takes the port meanwhile, such as another user of the machine, is told no vote and no work."""
    page = opened(f"{given.address}#{given.code}").page
    page.wait_for_selector(".pg-room:has-text('You are in the class')")
    page.fill("[name=pupil]", "Ada")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-control=exercise]")
    given.end(signal.SIGKILL)
    page.wait_for_selector(".pg-room:has-text('No connection')")
    heard = []

    def heir(handler):
        heard.append((handler.command, handler.path))
        handler.send_error(404)

    with stranger(heir, *re.search(r"//([\d.]+):(\d+)", given.address).groups()):
        page.click("text=Hint 1 of")
        page.click("text=Hand in")
        until(lambda: heard)
    assert set(heard) == {("GET", "/line")}
    with room(tmp_path, "--keep", "class.db") as again:
        assert again.address == given.address
        until(lambda: again.room()["handed"] == 1)
        page.wait_for_selector(".pg-room:has-text('You are in the class')")


@pytest.mark.long
def test_the_board_in_a_notebook(lab, screen, opened):
    notebook = lab.notebook(screen.page, ["import paragraph as pg\nroom = pg.lesson.Class(sheets=1)\nroom"])
    notebook.run_all()
    board = screen.page
    board.wait_for_selector(".pg-room .pg-code svg")
    notebook.idle()
    address, code = notebook.ask("[room.address, room.code]")
    page = opened(f"{address}#{code}").page
    board.select_option("[data-control=start]", "pentagon of enemies")
    board.click("text=Ask the class")
    page.wait_for_selector("text=Is this graph balanced")
    vote(page, "neither")
    board.wait_for_selector("text=1 of 1 have voted")
    board.click("text=Reveal the votes")
    board.wait_for_selector("meter")
    assert notebook.ask("room.book.tally()") == {"neither": 1}
