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
    from pathlib import Path

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
TIGHTENING = "Mit welchem Drehmoment werden die Flanschschrauben angezogen?"
GERMAN_TABLE = (
    ("Schraube", "Gewinde", "Drehmoment"),
    ("Flanschschrauben", "M12", "40 Nm"),
    ("Gehäuseschrauben", "M10", "25 Nm"),
    ("Fundamentschrauben", "M16", "85 Nm"),
)
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


def german_manual(stage: Stage) -> None:
    """A German manual, asked in German."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    speak(application, "de")
    try:
        with stage.empty() as window:
            window.take_in([_draw_german(stage.home / "kp40.pdf")])
            wait_for("manual", lambda: [each.state for each in records(window)] == ["ready"])
            ask_and_open(window, TIGHTENING)
            if window.summary.card is not None:
                window.summary.card.hide()
            stage.camera.take("german-manual", window)
    finally:
        speak(application, ENGLISH)


def _draw_german(target: Path) -> Path:
    """Write a German manual of two pages, the second with a table of torques."""
    import pymupdf

    with pymupdf.open() as pdf:
        pdf.set_metadata({"title": "Kreiselpumpe KP-40, Betriebsanleitung"})
        cover = pdf.new_page()
        cover.insert_text((68, 120), "Kreiselpumpe KP-40", fontsize=28, fontname="hebo")
        cover.insert_text((68, 150), "Betriebsanleitung", fontsize=16, fontname="helv")
        cover.insert_text((68, 190), "Ausgabe 2 · Hydrotechnik Lindau", fontname="helv")
        page = pdf.new_page()
        page.insert_text((68, 90), "3 Montage", fontsize=18, fontname="hebo")
        page.insert_text((68, 120), "3.2 Anziehdrehmomente", fontsize=14, fontname="hebo")
        page.insert_text((68, 145), "Ziehen Sie alle Schrauben über Kreuz an.", fontname="helv")
        page.insert_text((68, 175), "Tabelle 3-1 Anziehdrehmomente der Schrauben", fontname="hebo")
        for line, cells in enumerate(GERMAN_TABLE):
            top = 185 + 24 * line
            for column, text in enumerate(cells):
                font = "helv" if line else "hebo"
                page.insert_text((76 + 155 * column, top + 16), text, fontname=font)
            page.draw_line((68, top), (68 + 465, top), width=0.5)
        page.draw_line((68, top + 24), (68 + 465, top + 24), width=0.5)
        for column in range(4):
            across = 68 + 155 * column
            page.draw_line((across, 185), (across, top + 24), width=0.5)
        pdf.save(target)
    return target


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
