"""What needs more than the samples: notes of a site, a page model, bad files, German."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from desktop.core.library.places import Place
from desktop.core.notes.note import Note
from desktop.ui.design.theme import Look, theme
from desktop.ui.language import ENGLISH, speak
from scripts.screenshots.camera import let_run
from scripts.screenshots.stage import NotShownError, ask, ask_and_open, wait_for
from scripts.screenshots.states import (
    ANSWERS_FIRST,
    TORQUE,
    answered,
    records,
    show_rows,
)

if TYPE_CHECKING:
    from desktop.ui.window.main_window import MainWindow
    from scripts.screenshots.stage import Stage

STATION = Place("SITE 12", "HX-200")
TORQUE_NOTE = (
    "The tightening torque for terminals X2:1 to X2:6 is 0.6 Nm here: the old ferrules slip."
)
NOTES = (
    Note(TORQUE_NOTE, place=STATION, role="shift lead", tags=("terminals",)),
    Note("Tighten the nut of the PE stud with 8 Nm.", place=STATION, role="fitter"),
    Note("The internal battery test of G1 takes 2 minutes.", place=STATION, role="fitter"),
    Note(
        "Order the internal battery under part number 72-2011 only.",
        place=STATION,
        role="storekeeper",
        tags=("battery", "spare parts"),
    ),
    Note("The key of the plant room hangs in the porter's lodge.", place=Place("SITE 12")),
)
MONITORING = "Do our site notes agree with the manuals?"
PAGES_MODEL = "tiny-pages"
SECONDS_TO_SEE = 300.0
SECONDS_TO_COLOUR = 5.0


def notes(stage: Stage) -> None:
    """A note of the site in its drawer, beside the answer and the page."""
    with stage.samples() as window:
        _write_notes(stage, window)
        ask_and_open(window, TORQUE)
        window.notes.go_to(stage.workspace.notes.list()[-1].piece_id)
        drawer = window.notes.drawer
        wait_for("notes", lambda: drawer is not None and drawer.shown is drawer.note)
        stage.camera.take("notes", window)


def note_cited(stage: Stage) -> None:
    """An answer that cites the manual and a note of the site."""
    with stage.samples() as window:
        _write_notes(stage, window)
        turn = ask(window, TORQUE)
        if not (turn.notes.events and turn.citations):
            raise NotShownError("the answer cites no note, or no manual")
        turn.show_citation(turn.citations[0].number)
        stage.camera.take("note-against-manual", window, lambda: show_rows(window, ANSWERS_FIRST))


def german(stage: Stage) -> None:
    """The window in German; manuals and questions keep their language."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    speak(application, "de")
    try:
        answered(stage, "german", TORQUE)
    finally:
        speak(application, ENGLISH)


def high_contrast(stage: Stage) -> None:
    """Black on white or white on black, with strong borders."""
    _in_look(stage, "high-contrast", Look(high_contrast=True))


def gloves(stage: Stage) -> None:
    """Glove mode: every control is large."""
    _in_look(stage, "glove-mode", Look(gloves=True))


def _in_look(stage: Stage, name: str, look: Look) -> None:
    theme().wear(look)
    try:
        answered(stage, name, TORQUE)
    finally:
        theme().wear(Look())


def _write_notes(stage: Stage, window: MainWindow) -> None:
    """Put the manuals at a station, work there, and keep its notes at the notes desk."""
    window.places.move([each.id for each in records(window)], STATION)
    wait_for("place", lambda: all(each.place == STATION for each in records(window)))
    for note in NOTES:
        stage.workspace.notes.add(note)
    window.chat.composer.scope.work_at(STATION)
    let_run(0.5)
