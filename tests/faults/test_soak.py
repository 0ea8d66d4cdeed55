"""Rounds of taking in, asking, looking and deleting; ten minutes of them at night."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.e2e.real_library import ROOT

_SOAK = """
import sys
from pathlib import Path
from tests.faults.soak import soak
sys.exit("; ".join(soak(Path(sys.argv[1])).wrong) or 0)
"""


@pytest.mark.slow
def test_memory_and_handles_stay_flat_while_manuals_come_and_go(tmp_path):
    # a process of its own: what hundreds of tests before it left behind grows and shrinks, too
    ended = subprocess.run(
        [sys.executable, "-c", _SOAK, tmp_path / "soak"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
