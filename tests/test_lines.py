"""How dense code is: statements, and what packs several thoughts into one, on small sources."""

from collections import Counter

import pytest

from benchmarks.lines import density, lines_of, packing_of, statements_of

SOURCE = '''\
"""A docstring is no statement."""

total = 1  # five tokens with the comment, three without


def add(a, b):
    """Nor is this."""
    return (
        a
        + b
    )
'''


def test_statements():
    assert statements_of(SOURCE) == [3, 8, 6]
    assert lines_of(SOURCE) == Counter(code=6, docstrings=2, comments=0, blank=3, total=11, files=1, tokens=17)


@pytest.mark.parametrize(
    "source, packing",
    [
        ("a, b = 1, 2", {"a, b = x, y": 1}),
        ("a, b = ends(edge)", {}),
        ("a = 1, 2", {}),
        ("a = [b := 1, c := 2]", {":=": 2}),
        ("a = 's' * b + f'{b}' * c + [b] * c + b * c", {"text * flag": 3}),
        ("a = b if c else d if e else f", {"x if c else y": 2}),
        ("a, b = ('s' * (c := 1), 2 if c else 3)", {"a, b = x, y": 1, ":=": 1, "text * flag": 1, "x if c else y": 1}),
    ],
)
def test_packing(source, packing):
    assert +packing_of(source) == packing


def test_rooms(tmp_path):
    for room, source in {"graph": "a = 1\nb = c = 's' * a\n", "lesson": "a = 1 if b else 2\n"}.items():
        (tmp_path / room).mkdir()
        (tmp_path / room / "one.py").write_text(source)
    found = density(tmp_path)
    assert found["tokens a statement"].to_dict() == {"graph": 5, "lesson": 7, "core": 5, "all": 5.67}
    assert found["nine in ten"].to_dict() == {"graph": 6.6, "lesson": 7, "core": 6.6, "all": 7}
    assert found["text * flag"].to_dict() == {"graph": 100, "lesson": 0, "core": 100, "all": 58.82}
