"""A minute of taking in, asking, looking and deleting; ten at night."""

from __future__ import annotations

import pytest

from tests.faults.soak import soak

SECONDS = 60.0


@pytest.mark.slow
def test_memory_and_handles_stay_flat_while_manuals_come_and_go(tmp_path):
    outcome = soak(tmp_path / "soak", SECONDS)
    assert outcome.wrong == []
    assert outcome.rounds >= 6, "too little was done to show anything"
