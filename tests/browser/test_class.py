"""A lesson with phones: the board beside three pages of pupils, a reload, a lost line, and what is handed in."""

import re
import signal
from types import SimpleNamespace

import pytest

from paragraph.lesson import Sheet
from paragraph.lesson.room.book import ClassBook

from ..lesson.test_class import room
from .desk import swipe
from .lab import stranger, until
from .pupil import Pupil


@pytest.fixture
def given(tmp_path):
    with room(tmp_path, "--keep", "class.db") as given:
        yield given


PHONE = {"has_touch": True, "is_mobile": True}


def phone_of(given, opened, width=390, height=844, **options):
    return opened(f"{given.address}#{given.code}", width, height, **options)


def join(page, name=""):
    page.wait_for_selector("body[data-step=door]")
    page.fill("[name=pupil]", name)
    page.click("text=Join")
    page.wait_for_selector("body:not([data-step=door])")


def vote(page, said):
    page.locator(".pg-action").get_by_text(said, exact=True).click()
    page.wait_for_selector(f".pg-room:has-text('Your vote: {said}')")


def board_of(given, opened, width=1920, height=1080):
    """The board, its code put away."""
    seen = opened(f"file://{given.file}", width, height)
    seen.page.wait_for_selector(".pg-code svg", state="attached")
    if seen.page.is_visible(".pg-code"):
        seen.page.click(".pg-code")
    return seen


SMALLEST = """() => [...document.querySelectorAll(".pg-board *")]
    .filter((one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width)
    .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent])
    .sort((a, b) => a[0] - b[0])[0]"""


def test_the_board_is_a_slide_that_never_shows_the_answer_first(given, opened, tmp_path):
    """At first the code fills it; each question starts with the prediction, also after a crash and an exercise."""
    seen = opened(f"file://{given.file}", 1920, 1080)
    board = seen.page
    board.wait_for_selector(".pg-code svg")
    assert board.locator(".pg-code svg").bounding_box()["height"] > 700
    assert given.code in board.inner_text(".pg-code") and given.address in board.inner_text(".pg-code")
    board.click(".pg-code")
    facts = board.locator(".pg-facts")
    phone = phone_of(given, opened).page
    join(phone)
    for start, right in (("two camps", "balanced"), ("triad ++-", "neither")):
        board.select_option("[data-control=start]", start)
        assert not facts.is_visible() and "Is this graph balanced" in board.inner_text(".pg-asked")
        assert not any("camp" in node for node in board.evaluate(NODES))
        board.click("text=Ask the class")
        vote(phone, "weakly balanced")
        board.wait_for_selector("text=1 of 1 have voted")
        assert not facts.is_visible() and board.locator(".pg-bar-line").count() == 0
        board.click("text=Reveal the votes")
        board.wait_for_selector(".pg-is-right")
        assert board.inner_text(".pg-is-right").split("\n")[0] == f"✓ {right}" and facts.is_visible()
        assert board.locator(".pg-answer").count() == 3  # those that nobody chose, too
        size, text = board.evaluate(SMALLEST)
        assert size >= 22, text
    board.select_option("[data-control=exercise]", "5")
    assert board.locator(".pg-answer").all_inner_texts() == ["balanced", "not balanced"]
    board.click("text=Ask the class")
    vote(phone, "balanced")
    assert not board.locator(".pg-grade").is_visible()
    given.end(signal.SIGKILL)
    board.wait_for_selector(".pg-banner:has-text('goes on by itself')")
    with room(tmp_path, "--keep", "class.db") as again:
        assert again.place == given.place
        board.wait_for_selector(".pg-banner", state="hidden")
        board.wait_for_selector("text=1 of 1 have voted")
        other = board_of(again, opened).page  # and one that is opened anew
        for page in (board, other):
            assert not page.locator(".pg-why").is_visible() and page.locator(".pg-bar-line").count() == 0
        other.click("text=Hide the controls")
        assert not other.locator(".pg-strip").is_visible() and other.is_visible("text=Save what was handed in")
        other.click("text=Show the controls")
        other.click("text=Reveal the votes")
        for page in (board, other):
            page.wait_for_selector(".pg-is-right")
            page.wait_for_selector(".pg-grade:visible")


NODES = "document.querySelector('.pg-bench').bench.model.get('picture').nodes"
SIZES = [(360, 640), *(pytest.param(*size, marks=pytest.mark.long) for size in ((375, 553), (740, 360)))]


@pytest.mark.parametrize("width, height", SIZES)
def test_the_vote_is_in_sight_and_a_swipe_scrolls_the_page(given, opened, width, height):
    board = board_of(given, opened).page
    page = phone_of(given, opened, width, height, **PHONE).page
    join(page, "Ada")
    for exercise, buttons in (("0", 3), ("12", 3), ("8", 1), ("14", 1)):
        board.select_option("[data-control=exercise]", exercise)
        board.click("text=Ask the class")
        title = "Vote" if exercise == "0" else f"Exercise {exercise}:"
        shown = (
            "[...document.querySelectorAll('.pg-title, .pg-why h3')].some((one) => one.textContent.includes(title))"
        )
        page.wait_for_function(f"(title) => {shown}", arg=title)
        boxes = [one.bounding_box() for one in page.locator(".pg-actions button").all()]
        assert len(boxes) == buttons
        assert min(box["height"] for box in boxes) >= 44
        assert max(box["y"] + box["height"] for box in boxes) <= height
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        said = page.inner_text("body")
        assert "lick" not in said and "Check" not in said
    page.tap(".pg-actions button")  # nothing is chosen yet
    assert "Your vote" not in page.inner_text("header")
    pupil = Pupil(SimpleNamespace(page=page))
    pupil.click(pupil.edges[0]["id"])
    assert page.inner_text(".pg-badge") == "not sent yet"
    page.evaluate("document.querySelector('.pg-bench').style.minHeight = '1500px'")
    top = page.locator(".pg-canvas").bounding_box()
    spot = page.evaluate("document.querySelector('.pg-bench').bench.spotOf('n0')")
    ground = (top["x"] + 5, max(130, top["y"] + 20))
    assert swipe(page, *ground) > 50
    assert spot[1] > height or swipe(page, *spot) == 0


def test_two_pupils_on_one_phone(given, opened):
    """What Ada handed in stays when Bo begins, and each is told when and how much."""
    page = phone_of(given, opened).page
    join(page, "Ada")
    page.click("text=Play and exercises")
    for name in ("Ada", "Bo"):
        page.fill("[name=pupil]", name)
        page.keyboard.press("Enter")
        page.click("text=Hint 1 of")
        if name == "Ada":
            page.click("text=Hand in")
            page.wait_for_selector(f".pg-room:has-text('by {name}: 0 of')")
    until(lambda: given.room()["handed"] == 1)
    assert re.search(r"Handed in at \d\d:\d\d by Ada", page.inner_text(".pg-room")) is None  # it is Bo's turn
    page.click("text=Hand in")
    page.wait_for_selector(".pg-room:has-text('by Bo: 0 of')")
    students = [Sheet.from_json(text).student for _, text in ClassBook(given.book).sheets(True)]
    assert students == ["Ada", "Bo"]


def test_a_lesson_with_three_phones(given, opened):
    seen = board_of(given, opened, 1400, 900)
    board = seen.page
    assert board.url == given.place and given.secret not in board.content()
    phones = [phone_of(given, opened) for _ in range(3)]
    pages = [phone.page for phone in phones]
    for page in pages:
        join(page)
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
    board.click("text=Reveal the votes")
    board.wait_for_selector(".pg-bar-line")
    assert [text.split("\n") for text in board.locator(".pg-answer").all_inner_texts()] == [
        ["balanced", "0"], ["✓ weakly balanced", "2"], ["neither", "1"]
    ]  # fmt: skip
    assert "not balanced" in board.inner_text(".pg-facts")  # the proof
    pages[2].wait_for_selector(".pg-facts:has-text('neither ✗')")

    pages[0].click("[data-control=home]")
    pages[0].fill("[name=pupil]", "Ada <b>")
    pages[0].keyboard.press("Enter")
    pages[0].wait_for_selector("[data-control=exercise]")
    board.select_option("[data-control=exercise]", "1")
    board.click("text=Ask the class")
    for page, said in zip(pages, ("+++", "++-", "---"), strict=True):
        page.wait_for_selector(".pg-room:has-text('Vote now')")  # the last vote is over
        page.wait_for_selector("text=Which type is this triad")
        vote(page, said)
        assert page.locator(".pg-grade").count() == 0  # nobody is told yet
    board.click("text=Reveal the votes")
    board.wait_for_selector(".pg-is-right")
    pages[0].wait_for_selector(".pg-grade")
    pages[0].click("[data-control=home]")
    right = board.inner_text(".pg-is-right > span").removeprefix("✓ ")
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
    page = phone_of(given, opened).page
    join(page, "Ada")
    page.click("text=Play and exercises")
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
        page.wait_for_selector(".pg-room:has-text('Handed in at')")


@pytest.mark.long
def test_the_board_in_a_notebook(lab, screen, opened):
    notebook = lab.notebook(screen.page, ["import paragraph as pg\nroom = pg.lesson.Class(sheets=1)\nroom"])
    notebook.run_all()
    board = screen.page
    board.wait_for_selector(".pg-room .pg-code svg")
    notebook.idle()
    address, code = notebook.ask("[room.address, room.code]")
    page = phone_of(SimpleNamespace(address=address, code=code), opened).page
    join(page)
    board.click(".pg-code")
    board.select_option("[data-control=start]", "pentagon of enemies")
    board.click("text=Ask the class")
    page.wait_for_selector("text=Is this graph balanced")
    vote(page, "neither")
    board.wait_for_selector("text=1 of 1 have voted")
    board.click("text=Reveal the votes")
    board.wait_for_selector(".pg-is-right")
    assert notebook.ask("room.book.tally()") == {"balanced": 0, "weakly balanced": 0, "neither": 1}
