"""How the Explorer looks: both themes, contrast, a narrow panel."""

import pytest

from paragraph.draw.style import NEGATIVE, POSITIVE

pytestmark = pytest.mark.usefixtures("quiet")


@pytest.mark.parametrize("theme", ["Dark", pytest.param("Light", marks=pytest.mark.long)])
def test_themes(at, theme, has_color):
    desk = at("demo")
    desk.notebook.command("apputils:change-theme", {"theme": f"JupyterLab {theme}"})
    dark = theme == "Dark"
    try:
        desk.until("isDark", dark)
        desk.page.wait_for_selector("#jupyterlab-splash", state="detached")  # it fades over a change of theme
        desk.settle()
        colors = ("#56B4E9", "#E69F00") if dark else (POSITIVE, NEGATIVE)
        shot = desk.pixels()
        assert all(has_color(shot, color) for color in colors)
        desk.search("how")
        desk.root.focus()
        desk.tell("explorer.query = Query(kind='within')")
        desk.follow()
        for kind in ("conflicts", "sentence", "closed", "link"):
            desk.click(desk.find(kind))
            assert desk.js("faint") == []
            desk.root.focus()
            desk.press("Escape")
        desk.press("4", "?")
        assert desk.js("faint") == []
        desk.press("Escape")
    finally:
        desk.notebook.command("apputils:change-theme", {"theme": "JupyterLab Light"})
        desk.until("isDark", False)


HANDS = """([kind, ...steps]) => {
    const canvas = document.querySelector(".pg-canvas"), box = canvas.getBoundingClientRect();
    for (const [type, pointerId, x, y] of steps) canvas.dispatchEvent(new PointerEvent(type, {
        pointerId, pointerType: kind,
        clientX: box.left + x, clientY: box.top + y, buttons: 1, bubbles: true, cancelable: true }));
}"""


def test_two_fingers_zoom_and_one_moves_the_picture(at):
    """What is between the fingers stays there; nothing is chosen or put elsewhere."""
    desk = at("demo")
    before, point = desk.bench("camera.scale"), desk.bench("camera.toPlane({ x: 200, y: 150 })")
    fingers = [("pointerdown", 8, 150, 150), ("pointerdown", 9, 250, 150), ("pointermove", 8, 100, 150)]
    fingers += [("pointermove", 9, 300, 150), ("pointerup", 8, 100, 150), ("pointerup", 9, 300, 150)]
    desk.page.evaluate(HANDS, ["touch", *fingers])
    assert desk.bench("camera.scale") == pytest.approx(2 * before)
    assert desk.bench("camera.toPlane({ x: 200, y: 150 })") == pytest.approx(point)
    desk.page.evaluate(
        HANDS, ["touch", ("pointerdown", 7, 4, 4), ("pointermove", 7, 34, 24), ("pointerup", 7, 34, 24)]
    )
    assert desk.bench("camera.toPlane({ x: 230, y: 170 })") == pytest.approx(point)
    assert desk.ask("[len(explorer.selection), explorer.placed]") == [0, {}]
