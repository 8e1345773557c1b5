"""Templates of the pages: a value that would be lost is an error."""

import pytest

from paragraph.draw.page import source
from paragraph.widgets.base.live import DOM


@pytest.mark.parametrize(("written", "message"), [
    ("html('<b></b>')", "written before a template"), ("html`<i ${1}></i>`", "a value stands where none can"),
    ("html`<!-- ${1} -->`", "a value stands where none can"),
    ("html`<i title=${1}>${2}</i>`.outerHTML", '<i title="1">2</i>'),
])  # fmt: skip
def test_a_value_that_would_be_lost_is_an_error(visit, written, message):
    page = visit(f"<!DOCTYPE html><body><script>{source(DOM)}</script>").page
    told = page.evaluate(f"() => {{ try {{ return {written}; }} catch (error) {{ return error.message; }} }}")
    assert message in told
