"""The whole program on real manuals: ingesting, asking, and the `groundwork` command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import desktop
from desktop.app import open_workspace
from desktop.core.events import CitationEvent, CompleteEvent
from desktop.core.jobs import CancelToken
from desktop.core.paths import resources_folder
from desktop.core.settings.sections import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.events import Event
    from desktop.core.library.values import IngestionEvent
    from desktop.core.workspace import Workspace

ROOT = Path(desktop.__file__).resolve().parents[1]
ANSWER_SECONDS = 60.0
COMMAND_SECONDS = 150.0


def questions() -> dict[str, dict[str, Any]]:
    """The sample questions by id, with their gold pages and regions."""
    text = resources_folder().joinpath("samples", "questions.json").read_text("utf-8")
    return {question["id"]: question for question in json.loads(text)}


def opened(folder: Path, *, read_only: bool = False) -> closing[Workspace]:
    """Open a library with the default settings, whatever this machine's user has set."""
    return closing(open_workspace(folder, read_only=read_only, settings=Settings()))


def ingest(workspace: Workspace, paths: Sequence[Path]) -> list[IngestionEvent]:
    """Take manuals in until nothing is left to do."""
    workspace.ingestion.enqueue(paths)
    return list(workspace.ingestion.run(CancelToken()))


def ask(workspace: Workspace, question: str) -> list[Event]:
    """Ask all manuals and wait for the last event."""
    queue: SimpleQueue[Event | None] = SimpleQueue()
    workspace.ask(question, frozenset(), queue.put, lambda: queue.put(None))
    events: list[Event] = []
    while (event := queue.get(timeout=ANSWER_SECONDS)) is not None:
        events.append(event)
    return events


def citations(events: Iterable[Event]) -> list[CitationEvent]:
    """The citations among events, in their order."""
    return [event for event in events if isinstance(event, CitationEvent)]


def outcome(events: Sequence[Event]) -> str:
    """How a question ended."""
    last = events[-1]
    assert isinstance(last, CompleteEvent)
    return last.outcome


def environment(home: Path) -> dict[str, str]:
    """The environment of a user whose home is `home`, without a display."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
    return {
        **kept,
        "HOME": str(home),
        "GROUNDWORK_HOME": str(home / "groundwork"),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def groundwork_command(*arguments: object) -> list[str]:
    """The command line of `groundwork` in this very environment."""
    return [sys.executable, "-m", "desktop", *map(str, arguments)]


def groundwork(home: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `groundwork` as that user and wait for its end."""
    home.mkdir(exist_ok=True)
    return subprocess.run(
        groundwork_command(*arguments),
        cwd=ROOT,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )
