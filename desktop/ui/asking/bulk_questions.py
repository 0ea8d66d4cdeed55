"""Asking the questions in a file while all else goes on; the status line says how far."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.ui import wording
from desktop.ui.bridge import Bridge, WindowPart
from desktop.ui.files import choose_questions, open_with_system

if TYPE_CHECKING:
    from desktop.core.bulk_questions import AnswersWritten, BulkEvent
    from desktop.core.jobs import CancelToken
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.design.notices import NoticeStrip
    from desktop.ui.library.status_line import StatusLine


class BulkQuestionController(WindowPart):
    """Asks the manuals that the question field asks; one file at a time."""

    def __init__(
        self, chat: ChatPanel, status: StatusLine, notices: NoticeStrip, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._chat = chat
        self._status = status
        self._notices = notices
        self._bridge = Bridge("groundwork-bulk-questions", self)
        self._bridge.received.connect(self._take)
        self._bridge.finished.connect(self._finish)
        status.task.stopped.connect(self._stop)

    def close(self) -> None:
        """Stop, write down what was answered, and join the thread."""
        self._bridge.close()

    def choose(self) -> None:
        """Let a person choose the file, and ask what is in it."""
        if self._workspace is not None:
            choose_questions(self._chat, self.ask)

    def ask(self, questions: Path) -> None:
        """Ask the questions in a file; the answers go beside it if they may be written there."""
        workspace = self._workspace
        if workspace is None:
            return
        if self._bridge.running:
            self._notices.say(self.tr("Another file of questions is running. Stop it first."))
            return
        ids = self._chat.composer.scope.selected
        reports = workspace.library.folder.reports

        def job(cancel: CancelToken) -> Iterator[BulkEvent]:
            # Not above: reports come with it, and the window opens without.
            from desktop.core.bulk_questions import answer_questions, answers_beside

            answers = answers_beside(questions)
            if not os.access(answers.parent, os.W_OK):  # a stick that may only be read
                reports.mkdir(parents=True, exist_ok=True)
                answers = reports / answers.name
            yield from answer_questions(
                workspace.ask, workspace.library, questions, answers, cancel, ids
            )

        self._status.task.show_progress(self.tr("Reading the questions"), 0, 0)
        self._bridge.start(job)

    def _stop(self) -> None:
        self._status.task.show_progress(self.tr("Stopping"), 0, 0)
        self._bridge.cancel()

    def _take(self, event: BulkEvent) -> None:
        from desktop.core.bulk_questions import RowDone

        if not isinstance(event, RowDone):
            self._say(event)
            return
        said = self.tr("Questions from a file: {n} of {count}").format(
            n=wording.number(event.number), count=wording.number(event.count)
        )
        self._status.task.show_progress(said, event.number, event.count)

    def _say(self, event: AnswersWritten) -> None:
        told = self.tr("{questions} answered, {n} to check: {name}").format(
            questions=wording.questions(event.answered),
            n=wording.number(event.to_check),
            name=event.path.name,
        )
        if event.left:
            told += " " + self.tr("{n} left. Choose the same file to continue.").format(
                n=wording.number(event.left)
            )
        self._notices.say(
            told,
            action=self.tr("Open folder"),
            on_action=lambda: open_with_system(event.path.parent),
        )

    def _finish(self, failure: BaseException | None) -> None:
        self._status.task.hide()
        if failure is not None:
            self._notices.say_failure(failure)
