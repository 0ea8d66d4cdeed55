"""What a person says about an answer: helpful, or wrong and which page is right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QVBoxLayout, QWidget

from desktop.core.errors import DocumentNotFound
from desktop.ui.bridge import WindowPart
from desktop.ui.design.controls import label, text_field
from desktop.ui.design.dialogs import Dialog
from desktop.ui.design.tokens import Size, Space, Type

if TYPE_CHECKING:
    from desktop.core.evaluation.gold import OwnQuestion, QuestionFile
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.chat.turn import Turn
    from desktop.ui.design.notices import NoticeStrip


WIDTH = 460
LONGEST_NOTE = 500

Right = Literal["shown", "nowhere", "unknown"]
"""The right page: the one shown now, none in the manuals, or nobody knows."""


class WrongAnswerDialog(Dialog):
    """complained(right, note): it was sent; not emitted when the dialog is cancelled."""

    complained = Signal(str, str)

    def __init__(self, parent: QWidget, question: str, page: str, *, cited: bool = False) -> None:
        """page: name of the page shown now, "" if none is.

        cited: the wrong answer cites that page, so it is hardly the right one.
        """
        super().__init__(parent, self.tr("Wrong answer"))
        self.setFixedWidth(WIDTH)
        self.choices: dict[Right, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self.note = text_field(self.tr("Note"), placeholder=self.tr("Note (optional)"))
        self.note.setMaxLength(LONGEST_NOTE)
        column = self.column
        column.addWidget(label(self.tr("Which page is right?"), factor=Type.LEAD, bold=True))
        column.addWidget(label(question, tone="muted", wrap=True))
        if page:
            self._add(column, "shown", self.tr("The page shown now"))
            shown = label(page, factor=Type.SMALL, tone="muted", wrap=True)
            shown.setContentsMargins(Space.XL, 0, 0, 0)
            column.addWidget(shown)
            self.choices["shown"].setAccessibleDescription(page)
        self._add(column, "nowhere", self.tr("None: the manuals don't answer this"))
        self._add(column, "unknown", self.tr("Not sure"))
        self.choices["shown" if page and not cited else "unknown"].setChecked(True)
        column.addWidget(self.note)
        column.addWidget(
            label(
                self.tr(
                    "Your feedback stays in this library and is used to measure and improve "
                    "answers."
                ),
                factor=Type.SMALL,
                tone="muted",
                wrap=True,
            )
        )
        self.add_buttons(self.tr("Save"))
        self.accepted.connect(self._send)

    def _send(self) -> None:
        right = next(name for name, button in self.choices.items() if button.isChecked())
        self.complained.emit(right, self.note.text().strip())

    def _add(self, column: QVBoxLayout, right: Right, text: str) -> None:
        button = QRadioButton(text)
        button.setMinimumHeight(Size.TARGET)
        self.choices[right] = button
        self._group.addButton(button)
        column.addWidget(button)


Place = tuple[int, int]
"""Document id and zero-based page."""
NOTICE_MS = 15_000


class WrongAnswerController(WindowPart):
    """Asks which page is right and writes the question down, on its own thread."""

    def __init__(
        self,
        chat: ChatPanel,
        place: Callable[[], Place | None],
        notices: NoticeStrip,
        parent: QObject,
    ) -> None:
        """place: returns the page in view."""
        super().__init__(parent, notices.say_failure)
        self._chat = chat
        self._place = place
        self._notices = notices
        chat.wanted.connect(self._do)

    def _do(self, turn: Turn, what: str) -> None:
        if self._workspace is None:
            return
        if what == "wrong":
            place = self._place()
            self._errands.run(
                lambda: self._page_name(place), lambda name: self._show(turn, place, name)
            )
        elif what == "helpful" and turn.citations:
            question, answer = turn.question, turn.text.strip()
            cited = turn.citations[0].source
            self._keep(
                lambda: self._file().add_right(
                    question, answer, self._right(cited.document_id, cited.page)
                ),
                self.tr("Saved as helpful."),
            )

    def _show(self, turn: Turn, place: Place | None, page: str) -> None:
        """Show the dialog, now that the name of the page in view is read."""
        cited = place in {(each.source.document_id, each.source.page) for each in turn.citations}
        dialog = WrongAnswerDialog(self._chat, turn.question, page, cited=cited)
        question, answer = turn.question, turn.text.strip()

        def keep(right: Right, note: str) -> None:
            def write() -> OwnQuestion:
                shown = self._right(*place) if right == "shown" and place is not None else None
                unanswerable = right == "nowhere"
                return self._file().add(
                    question, answer, shown, unanswerable=unanswerable, note=note
                )

            self._keep(write, self.tr("Saved as a wrong answer."))

        dialog.complained.connect(keep)
        dialog.open()

    def _keep(self, write: Callable[[], OwnQuestion], says: str) -> None:
        self._errands.run(
            write,
            lambda kept: self._notices.say(
                says,
                action=self.tr("Undo"),
                on_action=lambda: self._errands.run(lambda: self._file().remove(kept.id)),
                milliseconds=NOTICE_MS,
            ),
        )

    def _right(self, document_id: int, page: int) -> tuple[str, int]:
        """Return a page as it is kept: with the file name of its manual."""
        return self.workspace.library.document(document_id).name, page

    def _page_name(self, place: Place | None) -> str:
        """Return manual and printed page, "" if there is no page or it is gone."""
        if place is None:
            return ""
        document_id, page = place
        try:
            document = self.workspace.library.document(document_id)
            pages = self.workspace.library.pages(document_id)
        except DocumentNotFound:
            return ""
        label = next((each.label for each in pages if each.page == page), "") or str(page + 1)
        return self.tr("{manual}, page {page}").format(
            manual=document.title or document.name, page=label
        )

    def _file(self) -> QuestionFile:
        # Not above: pydantic comes with it.
        from desktop.core.evaluation.gold import QuestionFile

        return QuestionFile(self.workspace.library.folder.questions)
