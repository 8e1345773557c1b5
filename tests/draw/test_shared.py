"""One table of colours and numbers: Python, JavaScript and CSS read it, and no other file says what it says."""

import json
import re
from pathlib import Path

import paragraph as pg
from paragraph.atlas.colors import NAMED, OTHER
from paragraph.draw.shared import SHARED, THEME_CSS
from paragraph.draw.style import LINES
from paragraph.widgets.explorer.widget import Explorer

PACKAGE = Path(pg.__file__).parent
FILES = [path for ending in ("py", "js", "css") for path in sorted(PACKAGE.rglob(f"*.{ending}"))]
#: White and black are no colours of ours.
PLAIN = {"#FFFFFF"}
COLORS = {color for value in SHARED.values() for color in re.findall("#[0-9A-F]{6}", json.dumps(value))} - PLAIN
NUMBERS = [name for name, value in SHARED.items() if isinstance(value, int)]


def test_no_second_table_of_colours_and_numbers():
    again = re.compile(rf"^(?:const )?(?:{'|'.join(NUMBERS)}) = \d", re.M)
    found = []
    for path in FILES:
        code = re.sub(r'"""[\s\S]*?"""', "", path.read_text(encoding="utf-8"))
        others = {*path.relative_to(PACKAGE).parts} & {"scale", "doubts", "lesson"}  # their lists are others
        if "papers" not in path.parts:
            found += [(path.name, color) for color in re.findall("#[0-9a-fA-F]{6}", code) if color.upper() in COLORS]
        if again.search(code) and not others:
            found.append((path.name, again.search(code)[0]))
    assert found == []


def test_each_language_has_the_values_of_the_table():
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval(Explorer._script)
    for name, value in SHARED.items():
        assert json.loads(engine.eval(f"JSON.stringify({name})")) == value
    for theme, colors in (("", SHARED["LIGHT"]), (".pg-dark", SHARED["DARK"])):
        rule = re.search(rf"\.pg-live{re.escape(theme)}[ ,][^{{]*{{([^}}]*)}}", Explorer._css)[1]
        for name, color in colors.items():
            assert re.search(rf"--pg-{name}: (?:var\(--jp-[\w-]+, )?{color}\)?;", rule)
    assert {line.color for line in LINES.values()} == {SHARED["LIGHT"]["positive"], SHARED["LIGHT"]["negative"]}
    assert [*NAMED, OTHER] == SHARED["CAMPS"]
    assert SHARED["LIGHT"]["ink"] in THEME_CSS and SHARED["DARK"]["ink"] in THEME_CSS


def test_every_colour_that_css_names_is_in_the_table():
    named = {
        name
        for path in FILES
        if path.suffix == ".css"
        for name in re.findall(r"var\(--pg-([\w-]+)", path.read_text())
    }
    assert named - {*SHARED["LIGHT"]} == {"height", "picked"} and SHARED["LIGHT"].keys() == SHARED["DARK"].keys()
