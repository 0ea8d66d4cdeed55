"""The states of the window that are photographed: each comes about by using the program."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QWidget

from desktop.core.paths import sample_manuals
from desktop.ui.library.model import LibraryModel
from desktop.ui.report_window import ReportWindow
from scripts.screenshots.camera import let_run, wear
from scripts.screenshots.stage import NotShownError, ask, ask_and_open, wait_for

if TYPE_CHECKING:
    from desktop.core.library.values import DocumentRecord
    from desktop.ui.chat.turn import Turn
    from desktop.ui.main_window import MainWindow
    from scripts.screenshots.stage import Stage

TORQUE = "What is the tightening torque for terminals X2:1 to X2:6?"
BATTERY = "How is the internal battery G1 replaced?"
UNKNOWN = "What does alarm F-12 mean?"
BATTERY_TEST = "How long does the battery test last?"
"""There are two batteries, and the manual gives each of them another time."""
CHECK = "Verify whether the tightening torque for terminals X2:1 to X2:6 is 0.6 Nm."
ANSWERS_FIRST = [620, 160]
"""Of the right column: the answer above, its trace below."""
TRACE_FIRST = [180, 600]


def first_run(stage: Stage) -> None:
    """The first page, in a library without manuals."""
    with stage.empty() as window:
        wait_for("first page", lambda: window.welcome.page is not None)
        stage.camera.take("first-run", window)


def ingesting(stage: Stage) -> None:
    """The sample manuals are being read, a new library for every look."""
    for look in stage.camera.looks:
        with stage.empty() as window:
            wear(look, window)
            window.add_samples()
            wait_for("manual that is read", partial(is_reading, window))
            stage.camera.shoot("ingesting", look, window, resting=False)


def answer(stage: Stage) -> None:
    """An answer with its citation highlighted on the page."""
    answered(stage, "answer", TORQUE)


def procedure(stage: Stage) -> None:
    """A procedure with the warning of its page."""
    answered(stage, "procedure", BATTERY)


def not_found(stage: Stage) -> None:
    """A question that the manuals do not answer."""
    with stage.samples() as window:
        turn = ask(window, UNKNOWN)
        if turn.citations:
            raise NotShownError("a question that nothing answers was answered")
        stage.camera.take("not-in-your-manuals", window, lambda: show_rows(window, ANSWERS_FIRST))


def asked_back(stage: Stage) -> None:
    """A question that means two things: which is asked back, with a button for each."""
    with stage.samples() as window:
        turn = ask(window, BATTERY_TEST)
        if turn.outcome != "clarification":
            raise NotShownError("a question that means two things was not asked back")
        stage.camera.take("asked-back", window, lambda: show_rows(window, ANSWERS_FIRST))


def trace(stage: Stage) -> None:
    """How an answer came about, its evidence opened."""
    with stage.samples() as window:
        ask_and_open(window, TORQUE).reasoning.click()
        for card in window.trace.steps.cards:
            if card.step.evidence:
                card.open()
        stage.camera.take("trace", window, lambda: show_rows(window, TRACE_FIRST))


def report(stage: Stage) -> None:
    """A research, and its report in its own window."""
    with stage.samples() as window:
        turn = ask(window, CHECK, "strict")
        stage.camera.take("research", window, lambda: show_rows(window, ANSWERS_FIRST))
        opened = open_report(window, turn)
        stage.camera.take("research-report", window, above=lambda: opened)


def palette(stage: Stage) -> None:
    """The palette finds manuals, headings and actions."""
    with stage.samples() as window:
        ask_and_open(window, TORQUE)
        shown = window.palette_panel.panel

        def arrange() -> None:
            if not shown.isVisible():
                window.palette_panel.show()
            shown.field.setText("battery")
            shown.typed.emit("battery")
            let_run(0.5)

        stage.camera.take("palette", window, arrange)


def properties(stage: Stage) -> None:
    """What is known of one manual."""
    with stage.samples() as window:
        window.library_panel.rows.select(records(window)[0].id)
        window.catalogue.show_properties()
        wait_for("properties", lambda: _dialog(window) is not None)
        stage.camera.take("properties", window, above=lambda: _dialog(window))


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


def open_report(window: MainWindow, turn: Turn) -> ReportWindow:
    """Open the report of a research, and return its window."""
    button = turn.research.report_button
    if button is None:
        raise NotShownError("the research has no report")
    button.click()
    wait_for("report", lambda: window.findChild(ReportWindow) is not None)
    found = window.findChild(ReportWindow)
    assert isinstance(found, ReportWindow)
    return found


def answered(stage: Stage, name: str, question: str) -> None:
    """Take a question's answer beside the page it cites."""
    with stage.samples() as window:
        ask_and_open(window, question)
        stage.camera.take(name, window, lambda: show_rows(window, ANSWERS_FIRST))


def show_rows(window: MainWindow, heights: list[int]) -> None:
    """Divide the right column."""
    window.chat.split.setSizes(heights)


def _dialog(window: MainWindow) -> QWidget | None:
    return next((each for each in window.findChildren(QDialog) if each.isVisible()), None)
