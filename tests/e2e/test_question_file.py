"""A file of questions, asked of real manuals and killed in the middle."""

from __future__ import annotations

import csv
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.e2e.real_library import ROOT, environment, groundwork, groundwork_command

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow]

TORQUE = "What is the tightening torque of the terminals X1:1 to X1:4?"
ROWS = (
    TORQUE,
    "What is the supply voltage?",
    "Who won the world cup?",
    "How long does the internal battery test last?",
    "What is the ambient temperature?",
)


def test_killed_in_the_middle_it_loses_at_most_the_row_that_was_being_answered(
    sample_library: Path, tmp_path: Path
) -> None:
    questions, home = tmp_path / "questions.csv", tmp_path / "home"
    home.mkdir()
    questions.write_text("question\n" + "\n".join(ROWS), "utf-8")
    arguments = ("ask", "--file", questions, "--library", sample_library)
    running = subprocess.Popen(
        groundwork_command(*arguments), cwd=ROOT, env=environment(home), stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert running.stderr is not None
    said = [running.stderr.readline() for _ in range(2)]
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert [line.split()[0] for line in said] == ["1/5", "2/5"]

    again = groundwork(home, *arguments)
    assert again.returncode == 0, again.stderr
    assert again.stderr.count("(kept)") >= 2
    with (tmp_path / "questions-answers.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["question"] for row in rows] == list(ROWS)
    assert (rows[0]["value"], rows[0]["check"]) == ("1.8 Nm", "")
    assert rows[0]["page"].startswith("4-1 (page 9")
    assert rows[2]["how sure"] == "Not found"
    assert {path.name for path in tmp_path.glob("questions*")} == {
        "questions.csv",
        "questions-answers.csv",
    }
