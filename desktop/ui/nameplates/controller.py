"""Photos of nameplates, carried out: read beside the window, looked up, made the scope.

A photo lives in memory until its card is dismissed or the next question is asked; it is written
nowhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.core.problems import explain
from desktop.ui.bridge import Bridge
from desktop.ui.chooser import choose_photo
from desktop.ui.language import told
from desktop.ui.nameplates.plate_card import PlateCard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core.jobs import CancelToken
    from desktop.core.nameplates.finder import Match, PlateFinding
    from desktop.core.structure.values import PhotoText
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.chat_panel import ChatPanel


class NameplateController(QObject):
    """Reads pictures that are pasted or dropped into the question field, or chosen."""

    def __init__(self, chat: ChatPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._chat = chat
        self._workspace: Workspace | None = None
        self._photo: PhotoText | None = None
        self._scoped: frozenset[int] = frozenset()
        self.card = PlateCard()
        self.card.chosen.connect(self._choose)
        self.card.ask_wanted.connect(self._ask)
        self.card.closed.connect(self.forget)
        chat.composer.show_above(self.card)
        chat.composer.pictured.connect(self.read)
        chat.asked.connect(lambda _turn: self.forget())
        self._bridge = Bridge("groundwork-nameplate", self)
        self._bridge.received.connect(self._take)
        self._bridge.finished.connect(self._finish)

    def open_workspace(self, workspace: Workspace) -> None:
        """Look plates up in this library."""
        self._workspace = workspace

    def close(self) -> None:
        """Stop and join."""
        self._workspace = None
        self._photo = None
        self._bridge.close()

    def choose(self) -> None:
        """Let a person choose a photo."""
        choose_photo(self._chat, lambda paths: self.read(paths[0]))

    def read(self, picture: bytes | Path) -> None:
        """Read a picture, the file or its bytes."""
        workspace = self._workspace
        if workspace is None:
            return
        self._chat.show()
        self._photo = None
        if self._scoped and self._chat.composer.scope.selected == self._scoped:
            self._chat.composer.scope.select(())  # of the photo before
        self._scoped = frozenset()
        self.card.tell_reading()

        def work(_cancel: CancelToken) -> Iterator[tuple[PhotoText, PlateFinding]]:
            data = picture.read_bytes() if isinstance(picture, Path) else picture
            yield workspace.nameplates.read(data)

        self._bridge.start(work)

    def forget(self) -> None:
        """Show and keep nothing of it any more."""
        self._photo = None
        self._bridge.cancel()
        self.card.hide()

    def _take(self, result: tuple[PhotoText, PlateFinding]) -> None:
        if self.card.isHidden():  # dismissed meanwhile
            return
        self._photo, finding = result
        self.card.tell(self._photo, finding)
        if finding.outcome == "found":
            self._scope(finding.matches[0])
        self._chat.composer.field.setFocus()

    def _choose(self, match: Match) -> None:
        self._scope(match)
        self.card.tell_choice(match)
        self._chat.composer.field.setFocus()

    def _scope(self, match: Match) -> None:
        scope = self._chat.composer.scope
        if match.place.asset:
            scope.work_at(match.place)
        else:
            scope.select(match.document_ids)
        self._scoped = scope.selected

    def _ask(self) -> None:
        photo = self._photo
        if photo is None:
            return
        question = self._chat.composer.take() or self.tr("What is this part?")
        self._chat.ask(question, mode="", photo=photo)

    def _finish(self, failure: BaseException | None) -> None:
        if failure is not None and not self.card.isHidden():
            problem = explain(failure)
            self.card.tell_failure(f"{told(problem.title)}. {told(problem.advice)}")
