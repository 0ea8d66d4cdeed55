"""The states of the window that are photographed: each comes about by using the program."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from desktop.core.paths import sample_manuals
from desktop.ui.asking.report_view import ReportView
from desktop.ui.library.model import LibraryModel
from scripts.screenshots.camera import let_run, wear
from scripts.screenshots.stage import NotShownError, ask, ask_and_open, wait_for

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord
    from desktop.ui.chat.turn import Turn
    from desktop.ui.window.main_window import MainWindow
    from scripts.screenshots.stage import Stage

TORQUE = "What is the tightening torque for terminals X2:1 to X2:6?"
VENTING = "How are the pumps vented before the first start?"
TABLE = "Which relay contact is closed in fault and without power?"
TWO_PARTS = (
    "What is the tightening torque for terminals X2:1 to X2:6, and what does one station cost?"
)
UNKNOWN = "What does alarm F-12 mean?"
CHECK = "Verify whether the tightening torque for terminals X2:1 to X2:6 is 0.6 Nm."
ANSWERS_FIRST = [620, 160]
"""Of the right column: the answer above, its trace below."""
TRACE_FIRST = [180, 600]


def first_run(stage: Stage) -> None:
    """The first page, in a library without manuals."""
    with stage.empty() as window:
        wait_for("first page", lambda: window.welcome.page is not None)
        stage.camera.take("first-run", window)


def adding(stage: Stage) -> None:
    """The sample manuals are being read, a new library for every look."""
    for look in stage.camera.looks:
        with stage.empty() as window:
            wear(look, window)
            window.library.add_samples()
            wait_for("manual that is read", partial(is_reading, window))
            wait_for("open manual", lambda: window.centre.place() is not None)
            let_run(1.0)
            stage.camera.shoot("adding", look, window, resting=False)


def ready(stage: Stage) -> None:
    """The manuals are read: the first is open, with questions that it answers."""
    with stage.samples() as window:
        window.centre.open_document(records(window)[0].id)
        wait_for("questions", lambda: _offers_questions(window))
        stage.camera.take("ready", window)


def fact(stage: Stage) -> None:
    """One value answers: it leads, above its picture, with the page beside it."""
    answered(stage, "fact", TORQUE)


def table(stage: Stage) -> None:
    """A row answers, told with its headings."""
    answered(stage, "table", TABLE)


def procedure(stage: Stage) -> None:
    """A procedure with the warning of its page."""
    answered(stage, "procedure", VENTING)


def two_part(stage: Stage) -> None:
    """A question of two parts, one of which no manual answers."""
    answered(stage, "two-part", TWO_PARTS)


def not_found(stage: Stage) -> None:
    """A question that the manuals do not answer."""
    with stage.samples() as window:
        turn = ask(window, UNKNOWN)
        if turn.citations:
            raise NotShownError("a question that nothing answers was answered")
        stage.camera.take("not-found", window, lambda: show_rows(window, ANSWERS_FIRST))


def reasoning(stage: Stage) -> None:
    """How an answer came about, its evidence opened."""
    with stage.samples() as window:
        ask_and_open(window, TORQUE).reasoning.click()
        for card in window.trace.steps.cards:
            if card.step.evidence:
                card.open()
        stage.camera.take("reasoning", window, lambda: show_rows(window, TRACE_FIRST))


def research(stage: Stage) -> None:
    """The report of a research, in a tab beside that of the manual it cites."""
    with stage.samples() as window:
        turn = ask(window, CHECK, "strict")
        wait_for("page", lambda: window.centre.place() is not None)
        open_report(window, turn)
        stage.camera.take("research", window)


def palette(stage: Stage) -> None:
    """The palette finds manuals, headings and actions."""
    with stage.samples() as window:
        ask_and_open(window, TORQUE)
        shown = window.palette_panel.panel

        def arrange() -> None:
            if not shown.isVisible():
                window.palette_panel.show()
            shown.field.setText("battery")
            shown.field.textEdited.emit("battery")
            let_run(0.5)

        stage.camera.take("palette", window, arrange)


def models(stage: Stage) -> None:
    """The models and profiles of this computer."""
    with stage.samples() as window:
        window.models.show_page()
        wait_for("models page", lambda: window.models.page is not None)
        stage.camera.take("models", window, above=lambda: window.models.page)


def settings(stage: Stage) -> None:
    """The settings."""
    with stage.samples() as window:
        window.settings.show_page()
        stage.camera.take("settings", window, above=lambda: window.settings.page)


def records(window: MainWindow) -> list[DocumentRecord]:
    """Return the manuals that the window shows."""
    model = window.findChild(LibraryModel)
    assert isinstance(model, LibraryModel)
    return model.records()


def is_reading(window: MainWindow) -> bool:
    """Whether all samples are in the list and the first pages of one are read."""
    shown = records(window)
    reading = any(each.state == "indexing" and each.done[0] for each in shown)
    return len(shown) == len(sample_manuals()) and reading


def open_report(window: MainWindow, turn: Turn) -> None:
    """Open the report of a research."""
    button = turn.research.report_button
    if button is None:
        raise NotShownError("the research has no report")
    button.click()
    wait_for("report", lambda: any(each.isVisible() for each in window.findChildren(ReportView)))


def answered(stage: Stage, name: str, question: str) -> None:
    """Take a question's answer beside the page it cites."""
    with stage.samples() as window:
        ask_and_open(window, question)
        stage.camera.take(name, window, lambda: show_rows(window, ANSWERS_FIRST))


def show_rows(window: MainWindow, heights: list[int]) -> None:
    """Divide the right column."""
    window.chat.split.setSizes(heights)


def _offers_questions(window: MainWindow) -> bool:
    found: list[QPushButton] = window.chat.findChildren(QPushButton)
    return any("?" in each.accessibleName() for each in found)
