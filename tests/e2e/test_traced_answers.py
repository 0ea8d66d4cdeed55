"""What was corrected, retried and promised in an ordinary question stands in its trace."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from desktop.cli import main
from desktop.core.events import RevisionEvent
from desktop.models.manager import ModelManager
from tests.e2e.real_library import opened
from tests.e2e.test_bad_models import ANSWER, Bad, Scripted, decided

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.core.events import Event

    Asked = Callable[[str, Bad], tuple[list[Event], str]]

TORQUE = "What is the tightening torque for terminals X2:1 to X2:6?"
BATTERY = "How is the internal battery G1 replaced?"
STEPS_LEFT_OUT = (
    "1. Leave the mains on so that date and alarm log are kept [1]. 2. Open the flap on the left "
    "side of the CU-20 with a screw of type Torx T20 [1]. 3. Insert the new battery with the label "
    "to the front and plug in X9 [1]."
)


@pytest.fixture
def asked(sample_library: Path, tmp_path: Path, monkeypatch, capsys):
    folder = tmp_path / "library"
    shutil.copytree(sample_library, folder)

    def ask(question: str, bad: Bad) -> tuple[list[Event], str]:
        monkeypatch.setattr(ModelManager, "language", lambda *_: Scripted(bad))
        events: list[Event] = []
        with opened(folder) as workspace:
            workspace.settings.agent.time_limit_seconds = 3_600  # a busy machine is no slow model
            workspace.settings.agent.model_does = "both"  # also what the manuals surely answer
            conversation = workspace.conversations.create()
            workspace.ask(question, frozenset(), events.append, lambda: None, conversation).wait()
        capsys.readouterr()
        assert main(["--library", str(folder), "conversations", "trace", str(conversation)]) == 0
        return events, capsys.readouterr().out

    return ask


def stages(trace: str) -> list[str]:
    """Return the stage of each entry; what else an entry says is set in further."""
    return [line.split()[0] for line in trace.splitlines() if line[:2] == "  " and line[2:3] > " "]


def test_what_the_critic_found_follows_its_check_and_says_what_became_of_it(asked: Asked):
    events, trace = asked(BATTERY, Bad(writes=STEPS_LEFT_OUT))
    assert any(isinstance(each, RevisionEvent) and each.reason for each in events)
    told = stages(trace)
    assert told.index("verification") < told.index("correction") < told.index("finalization")
    assert "Pull plug X9" in trace[trace.index("  correction") :]


def test_a_decision_that_could_not_be_used_is_a_correction_of_that_step(asked: Asked):
    _, trace = asked(TORQUE, Bad((decided("look_around"), decided("look_around"), ANSWER)))
    told = stages(trace)
    assert told.index("correction") < told.index("finalization")
    corrected = trace[trace.index("  correction") :]
    assert "look_around" in corrected
    assert "Choose one of the available tools" in corrected


def test_what_was_promised_and_not_delivered_is_told_below_the_steps(asked: Asked):
    _, trace = asked(f"{TORQUE} And draft an email about it.", Bad())
    assert "not done" not in trace
    _, trace = asked("What does alarm code E99 mean? And draft an email about it.", Bad())
    assert "not done: draft email" in trace
