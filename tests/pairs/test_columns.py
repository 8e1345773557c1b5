"""Tables of pairs, whatever their columns are called."""

import pandas as pd
import pytest

from paragraph.pairs import PairsError
from paragraph.pairs.columns import canonical


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("text_a text_b label", "text_a text_b label"),
        ("question1 question2 is_duplicate", "text_a text_b label"),
        ("sentence1 sentence2", "text_a text_b"),
        ("x question2 question1 label", "x text_b text_a label"),
        ("question1 question2 label is_duplicate", "text_a text_b label is_duplicate"),
        ("question1 question2 text_a text_b", "question1 question2 text_a text_b"),
        ("text_a question1 question2 is_duplicate", None),
        ("question1 text_b", None),
        ("", None),
    ],
)
def test_canonical_names(given, expected):
    table = pd.DataFrame([range(len(given.split()))], columns=given.split(), index=[7])
    table.attrs["report"] = {}
    if expected is None:
        with pytest.raises(PairsError, match="evidence needs the columns text_a, text_b"):
            canonical(table, "evidence")
        return
    found = canonical(table)
    assert list(found) == expected.split()
    assert found.index.tolist() == [7] and found.attrs == {"report": {}}
    assert list(table) == given.split()
