"""Handing answers on: a file of questions with its answers, a report, a draft, or on paper."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QWidget

from desktop.ui import wording
from desktop.ui.bridge import WindowPart
from desktop.ui.files import choose_file, choose_folder, open_with_system

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

    from desktop.core.bulk_questions import BulkEvent
    from desktop.core.jobs import CancelToken
    from desktop.core.reports.contents import AnsweredTurn
    from desktop.core.reports.report import Report
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.chat.turn import Turn
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
        self._bridge = self.bridge("bulk-questions", self._take, self._finish)
        status.task.stopped.connect(self._stop)

    def choose(self) -> None:
        """Let a person choose the file, and ask what is in it."""
        if self._workspace is not None:
            title = self.tr("Ask the questions in a file")
            kind = self.tr("Tables of questions (*.csv *.xlsx *.CSV *.XLSX)")
            choose_file(self._chat, title, kind, self.ask, accept=self.tr("Ask"))

    def ask(self, questions: Path) -> None:
        """Ask the questions in a file; the answers go beside it if they may be written there."""
        workspace = self.workspace
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
            return
        said = self.tr("Questions from a file: {n} of {count}").format(
            n=wording.number(event.number), count=wording.number(event.count)
        )
        self._status.task.show_progress(said, event.number, event.count)

    def _finish(self, failure: BaseException | None) -> None:
        self._status.task.hide()
        if failure is not None:
            self._notices.say_failure(failure)


NOTICE_MS = 30_000


class ReportController(WindowPart):
    """Connects the answers in the chat with the writers of reports; notices say how it went."""

    _drawn = Signal(int, int)
    """So many pages of so many are drawn; from the thread that draws them."""

    def __init__(self, chat: ChatPanel, notices: NoticeStrip, parent: QObject) -> None:
        super().__init__(parent, self._report_failure)
        self._chat = chat
        self._notices = notices
        self._working: QFrame | None = None
        self._drawn.connect(self._say_drawn, Qt.ConnectionType.QueuedConnection)
        chat.wanted.connect(self.hand_on)

    def hand_on(self, turn: Turn, what: str) -> None:
        """Make of an answer what `Turn.wanted` names, if that is something to hand on."""
        from desktop.core.reports.contents import answered_turn

        answered = answered_turn(turn.question, turn.events)
        if answered is None:
            return
        usual = self.workspace.library.folder.reports
        match what:
            case "report":
                choose_folder(
                    self._chat,
                    self.tr("Save the report in"),
                    lambda folder: self._run(lambda: self._write(answered, folder), self._saved),
                    usual=usual,
                )
            case "email":
                self._run(lambda: self._draft(answered, usual), self._drafted)
            case "job_sheet":
                self._run(lambda: self._write_sheet(answered, usual), self._sheet_saved)
            case "print":
                self._run(lambda: self._write_sheet(answered, usual), self._print)
            case "print_report":
                self._run(lambda: self._write(answered, usual).pdf, self._print)

    def _run(self, work: Callable[[], Any], then: Callable[[Any], object]) -> None:
        """Say that pages are drawn until `work` is done, then call `then` with its result."""

        def done(result: object) -> None:
            self._end_working()
            then(result)

        self._say_working(self.tr("Drawing the cited pages"))
        self._errands.run(work, done)

    def _write(self, answered: AnsweredTurn, folder: Path) -> Report:
        """Write a report into a new folder inside `folder`."""
        from desktop.core.page_drawing import LibraryDrawer
        from desktop.core.reports.report import titles_of, write_report

        library = self.workspace.library
        drawer = LibraryDrawer(library, self.workspace.parser)
        return write_report(answered, folder, drawer, titles_of(library))

    def _write_sheet(self, answered: AnsweredTurn, folder: Path) -> Path:
        """Write a job sheet into `folder`."""
        from desktop.core.page_drawing import LibraryDrawer
        from desktop.core.reports.job_sheet import write_job_sheet
        from desktop.core.reports.report import titles_of

        library = self.workspace.library
        drawer = LibraryDrawer(library, self.workspace.parser)
        titles = titles_of(library)
        return write_job_sheet(answered, folder, drawer, titles, self._drawn.emit)

    def _draft(self, answered: AnsweredTurn, folder: Path) -> Path:
        """Write a report and a draft of an e-mail beside it."""
        from desktop.core.reports.report import EmailHeading, write_draft

        return write_draft(self._write(answered, folder), EmailHeading())

    def _say_working(self, text: str) -> None:
        self._end_working()
        self._working = self._notices.say(text)

    def _say_drawn(self, drawn: int, count: int) -> None:
        if self._working is not None and count > 1:
            said = self.tr("Drawing the cited pages: {drawn} of {count}")
            self._say_working(said.format(drawn=drawn, count=count))

    def _end_working(self) -> None:
        if self._working is not None:
            self._notices.dismiss(self._working)
            self._working = None

    def _saved(self, report: Report) -> None:
        said = self.tr("Report saved: {name}").format(name=report.folder.name)
        self._say_done(said, self.tr("Open"), report.pdf)

    def _sheet_saved(self, sheet: Path) -> None:
        said = self.tr("Job sheet saved in {folder}: {name}")
        said = said.format(folder=sheet.parent, name=sheet.name)
        self._say_done(said, self.tr("Open"), sheet)

    def _print(self, pdf: Path) -> None:
        if can_print():
            print_pdf(pdf, self._chat)
            return
        said = self.tr("No printer is set up here. Saved as PDF: {name}").format(name=pdf.name)
        self._say_done(said, self.tr("Open"), pdf)

    def _drafted(self, draft: Path) -> None:
        said = self.tr("No mail program here can open drafts. The draft is saved: {path}")
        if open_with_system(draft):
            said = self.tr("The draft is in your mail program.")
        self._say_done(said.format(path=draft), self.tr("Show the folder"), draft.parent)

    def _say_done(self, said: str, action: str, path: Path) -> None:
        """Say what was written, with a button that opens it or its folder."""
        self._notices.say(
            said, action=action, on_action=lambda: open_with_system(path), milliseconds=NOTICE_MS
        )

    def _report_failure(self, failure: BaseException) -> None:
        self._end_working()
        self._notices.say_failure(failure)


def can_print() -> bool:
    """Whether this system has a printer."""
    from PySide6.QtPrintSupport import QPrinterInfo

    return bool(QPrinterInfo.availablePrinterNames())


def print_pdf(pdf: Path, parent: QWidget) -> None:
    """Ask for the printer and print every page, each as large as the paper allows."""
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(pdf.stem)
    dialog = QPrintDialog(printer, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.accepted.connect(lambda: print_pages(pdf, printer))
    dialog.setModal(True)
    dialog.show()


def print_pages(pdf: Path, printer: QPrinter) -> int:
    """Print the pages of a PDF; returns how many."""
    from PySide6.QtPdf import QPdfDocument

    document = QPdfDocument()
    document.load(str(pdf))
    with QPainter(printer) as painter:
        paper = printer.pageRect(printer.Unit.DevicePixel)
        for page in range(document.pageCount()):
            if page:
                printer.newPage()
            points = document.pagePointSize(page)
            scale = min(paper.width() / points.width(), paper.height() / points.height())
            size = QSize(round(points.width() * scale), round(points.height() * scale))
            area = QRectF((paper.width() - size.width()) / 2, 0, size.width(), size.height())
            painter.drawImage(area, document.render(page, size))
        count = document.pageCount()
    document.close()
    return count
