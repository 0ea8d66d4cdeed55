"""Mutated PDF files: every one ends with a state and a reason, in time; 10,000 at night."""

from __future__ import annotations

import pytest

from tests.faults.fuzzing import fuzz

FILES = 100


@pytest.mark.slow
def test_no_mutated_pdf_does_more_than_fail_with_a_reason(tmp_path):
    outcome = fuzz(FILES, tmp_path / "fuzz", seed=1)
    assert outcome.wrong == []
    assert outcome.files == FILES
    assert outcome.states["ready"] > FILES / 10, "nothing got past the first look"
    assert outcome.states["failed"] > 0, "nothing was damaged enough to matter"
