"""Rounds of taking in, asking, looking and deleting; ten minutes of them at night."""

from __future__ import annotations

import pytest

from tests.faults.soak import soak


@pytest.mark.slow
def test_memory_and_handles_stay_flat_while_manuals_come_and_go(tmp_path):
    assert soak(tmp_path / "soak").wrong == []
