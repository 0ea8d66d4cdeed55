"""Offers headings of the manuals: below an answer, and where nothing was asked yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.ui.errands import Errands

if TYPE_CHECKING:
    from desktop.core.conversations.suggested_headings import SuggestedHeading
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.chat.turn import Turn


class Suggester(QObject):
    """Looks headings up beside the window's work; without any, nothing is offered."""

    def __init__(self, chat: ChatPanel) -> None:
        super().__init__(chat)
        self._chat = chat
        self._workspace: Workspace | None = None
        self._errands = Errands(self)
        self._ready: frozenset[int] = frozenset()
        chat.composer.scope.changed.connect(self.begin)

    def open_workspace(self, workspace: Workspace) -> None:
        """Look into the manuals of this library."""
        self._workspace = workspace
        self.begin()

    def close(self) -> None:
        """Join the thread."""
        self._errands.close()

    def begin(self) -> None:
        """Offer what could be asked first."""
        workspace = self._workspace
        scope = self._chat.composer.scope
        asked = scope.selected or frozenset(each.id for each in scope.manuals)
        if workspace is None or asked == self._ready:
            return
        self._ready = asked
        library = workspace.library

        def look() -> list[SuggestedHeading]:
            from desktop.core.conversations.suggested_headings import to_begin_with

            return to_begin_with(library, sorted(asked))

        self._errands.run(look, self._chat.list.offer)

    def after(self, turn: Turn) -> None:
        """Offer what could be asked after an answer."""
        workspace = self._workspace
        if workspace is None or turn.outcome != "answered" or not turn.citations:
            return
        library, asked = workspace.library, turn.question
        cited = [each.source for each in turn.citations]

        def look() -> list[SuggestedHeading]:
            from desktop.core.conversations.suggested_headings import after_answer

            return after_answer(library, cited, asked)

        def offer(found: list[SuggestedHeading]) -> None:
            if self._chat.turns and self._chat.turns[-1] is turn:
                turn.suggest(found)

        self._errands.run(look, offer)
