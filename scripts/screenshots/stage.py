"""Real libraries and real windows to take pictures of, in folders of nobody."""

from __future__ import annotations

import shutil
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from desktop.app import open_workspace
from desktop.core.jobs import CancelToken
from desktop.core.paths import sample_manuals
from desktop.core.settings.sections import Settings
from desktop.ui.window.main_window import MainWindow
from scripts.screenshots.camera import let_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.core.workspace import Workspace
    from desktop.ui.chat.turn import Turn
    from scripts.screenshots.camera import Camera

SECONDS_TO_ANSWER = 120.0
PATIENCE = 120.0
"""Seconds for a page: on a busy machine none may be given up."""
SECONDS_TO_OPEN = 60.0


class NotShownError(Exception):
    """What was to be photographed did not come about."""


class Stage:
    """Opens windows on copies of one library with the sample manuals."""

    def __init__(self, camera: Camera, home: Path) -> None:
        """home: a folder of its own, for libraries and models."""
        self.camera = camera
        self.home = home
        self._workspace: Workspace | None = None

    @property
    def workspace(self) -> Workspace:
        """What the window that is open now works on."""
        assert self._workspace is not None
        return self._workspace

    @contextmanager
    def samples(self, settings: Settings | None = None) -> Iterator[MainWindow]:
        """Show a library that holds the sample manuals, ready to be asked."""
        source = self.home / "samples"
        if not source.exists():
            print("Reading the sample manuals", flush=True)
            patient = Settings()
            patient.parser.page_seconds = patient.parser.document_seconds = PATIENCE
            with closing(open_workspace(source, settings=patient)) as workspace:
                read(workspace, sample_manuals())
        folder = self._next_folder()
        shutil.copytree(source, folder)
        with self._window(folder, settings) as window:
            yield window

    @contextmanager
    def empty(self) -> Iterator[MainWindow]:
        """Show a library without manuals."""
        with self._window(self._next_folder(), None) as window:
            yield window

    def _next_folder(self) -> Path:
        return Path(mkdtemp(prefix="window-", dir=self.home)) / "library"

    @contextmanager
    def _window(self, folder: Path, settings: Settings | None) -> Iterator[MainWindow]:
        workspace = self._workspace = open_workspace(folder, settings=settings or Settings())
        window = MainWindow()
        try:
            window.show()
            window.open_workspace(workspace)
            wait_for("viewer", lambda: bool(window.centre.actions_of_viewer), SECONDS_TO_OPEN)
            yield window
        finally:
            window.close()
            let_run(0.2)
            workspace.close()
            window.deleteLater()
            let_run(0.1)


def read(workspace: Workspace, manuals: list[Path]) -> None:
    """Take manuals in until nothing is left to do."""
    workspace.ingestion.enqueue(manuals)
    for _ in workspace.ingestion.run(CancelToken()):
        pass


def ask(window: MainWindow, question: str, mode: str = "") -> Turn:
    """Type a question, send it, wait for the end of its answer, and return that."""
    composer = window.chat.composer
    if mode:
        composer.mode.choose(mode)
    composer.write(question)
    composer.button.click()
    if not window.chat.turns:
        raise NotShownError(f"could not be asked: {question}")
    turn = window.chat.turns[-1]
    wait_for("answer", lambda: not turn.running, SECONDS_TO_ANSWER)
    return turn


def ask_and_open(window: MainWindow, question: str) -> Turn:
    """Ask, and show what the answer cites first."""
    turn = ask(window, question)
    if not turn.citations:
        raise NotShownError(f"the answer cites nothing: {question}")
    turn.show_citation(turn.citations[0].number)
    return turn


def wait_for(what: str, there: Callable[[], bool], seconds: float = 90.0) -> None:
    """Run the window until something is there.

    Raises:
        NotShownError: it did not come in time.
    """
    if not let_run(seconds, there):
        raise NotShownError(f"no {what} after {seconds:.0f} s")
