"""Calls that must be refused, and what the refusal says."""

import pytest

from paragraph.files import PairsError


def refused(said, function, *args, **options):
    """The message with which `function` refuses: the pattern `said` is in it."""
    with pytest.raises(PairsError, match=said) as error:
        function(*args, **options)
    return str(error.value)
