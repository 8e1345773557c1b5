"""The moving picture of the README can be made again, and shows what its text says."""

import importlib.util
from pathlib import Path

import pytest

from .conftest import Visit
from .test_review import ReviewDesk

SCRIPT = Path(__file__).parents[2] / "docs" / "animation.py"


@pytest.mark.long
def test_a_conflict_is_read_and_cut(lab, chromium, tmp_path):
    spec = importlib.util.spec_from_file_location("animation", SCRIPT)
    spec.loader.exec_module(animation := importlib.util.module_from_spec(spec))
    desk = ReviewDesk(lab, Visit(chromium.new_page(viewport={"width": 1180, "height": 760})), tmp_path)
    film = animation.film(desk)
    film.save(tmp_path / "film.gif")
    assert [record[2] for record in desk.records()] == ["cut"]
    assert desk.states().count("settled") == 2  # one cut settles all three
    assert len(film.frames) >= 12 and (tmp_path / "film.gif").stat().st_size < 1_000_000
    desk.page.close()
