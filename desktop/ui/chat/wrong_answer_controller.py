"""Keeps the questions whose answers a person marks as helpful or wrong, in the library's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.core.errors import DocumentNotFound
from desktop.core.events import RevisedText
from desktop.core.paths import LibraryFolder
from desktop.ui.errands import Errands
from desktop.ui.problems import explain

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.evaluation.gold import OwnQuestion, QuestionFile
    from desktop.core.workspace import Workspace
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.chat.turn import Turn
    from desktop.ui.chat.wrong_answer import Complaint
    from desktop.ui.notice_strip import NoticeStrip

Place = tuple[int, int]
"""Document id and zero-based page."""
NOTICE_MS = 15_000


class WrongAnswerController(QObject):
    """Asks which page is right and writes the question down, on its own thread."""

    def __init__(
        self,
        chat: ChatPanel,
        place: Callable[[], Place | None],
        notices: NoticeStrip,
        parent: QObject,
    ) -> None:
        """place: returns the page in view."""
        super().__init__(parent)
        self._chat = chat
        self._place = place
        self._notices = notices
        self._workspace: Workspace | None = None
        self._errands = Errands(self)
        self._errands.failed.connect(self._report_failure)
        chat.wrong_answer_wanted.connect(self.ask)
        chat.helpful_answer_wanted.connect(self.keep_helpful)

    def open_workspace(self, workspace: Workspace) -> None:
        """Know whose questions are kept."""
        self._workspace = workspace

    def close(self) -> None:
        """Finish what was asked for and join the thread."""
        self._errands.close()

    def ask(self, turn: Turn) -> None:
        """Show the dialog for a turn, as soon as the name of the page in view is read."""
        place = self._place()
        if self._workspace is not None:
            self._errands.run(
                lambda: self._page_name(place), lambda name: self._show(turn, place, name)
            )

    def keep_helpful(self, turn: Turn) -> None:
        """Keep a question with the answer that helped."""
        if self._workspace is None or not turn.citations:
            return
        source = turn.citations[0].source
        question, answer = turn.question, RevisedText(turn.events).text.strip()
        library = self._workspace.library

        def write() -> OwnQuestion:
            name = library.document(source.document_id).name
            return self._file().add_right(question, answer, (name, source.page))

        says = self.tr("Kept as a helpful answer.")
        self._errands.run(write, lambda kept: self._say_kept(kept, says))

    def _show(self, turn: Turn, place: Place | None, page: str) -> None:
        from desktop.ui.chat.wrong_answer import WrongAnswerDialog

        cited = place in {(each.source.document_id, each.source.page) for each in turn.citations}
        dialog = WrongAnswerDialog(self._chat, turn.question, page, cited=cited)
        question, answer = turn.question, RevisedText(turn.events).text.strip()
        dialog.complained.connect(lambda complaint: self._keep(question, answer, place, complaint))
        dialog.open()

    def _keep(self, question: str, answer: str, place: Place | None, said: Complaint) -> None:
        self._errands.run(lambda: self._write(question, answer, place, said), self._kept)

    def _write(
        self, question: str, answer: str, place: Place | None, said: Complaint
    ) -> OwnQuestion:
        assert self._workspace is not None
        library = self._workspace.library
        right = None
        if said.right == "shown" and place is not None:
            right = (library.document(place[0]).name, place[1])
        return self._file().add(
            question, answer, right, unanswerable=said.right == "nowhere", note=said.note
        )

    def _kept(self, kept: OwnQuestion) -> None:
        self._say_kept(kept, self.tr("Kept as a question with a wrong answer."))

    def _say_kept(self, kept: OwnQuestion, says: str) -> None:
        self._notices.say(
            says,
            action=self.tr("Undo"),
            on_action=lambda: self._errands.run(lambda: self._file().remove(kept.id)),
            milliseconds=NOTICE_MS,
        )

    def _page_name(self, place: Place | None) -> str:
        """Return manual and printed page, "" without a page that is still there."""
        assert self._workspace is not None
        if place is None:
            return ""
        document_id, page = place
        try:
            document = self._workspace.library.document(document_id)
            pages = self._workspace.library.pages(document_id)
        except DocumentNotFound:
            return ""
        label = next((each.label for each in pages if each.page == page), "") or str(page + 1)
        return self.tr("{manual}, page {page}").format(
            manual=document.title or document.name, page=label
        )

    def _file(self) -> QuestionFile:
        # Not above: pydantic comes with it.
        from desktop.core.evaluation.gold import QuestionFile

        assert self._workspace is not None
        return QuestionFile(LibraryFolder(self._workspace.library.folder.root).questions)

    def _report_failure(self, failure: BaseException) -> None:
        problem = explain(failure)
        self._notices.say(f"{problem.title}. {problem.advice}", tone="bad")
