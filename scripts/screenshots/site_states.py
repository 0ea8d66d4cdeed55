"""What needs more than the samples: notes of a site, a page model, bad files, German."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from desktop.core.library.places import Place
from desktop.core.notes.note import Note
from desktop.core.paths import sample_manuals
from desktop.core.settings.sections import Settings
from desktop.ui.language import ENGLISH, speak
from scripts.screenshots.camera import let_run, rest
from scripts.screenshots.stage import NotShownError, ask, ask_and_open, wait_for
from scripts.screenshots.states import (
    ANSWERS_FIRST,
    TORQUE,
    answered,
    open_report,
    records,
    show_rows,
)

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.ui.main_window import MainWindow
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
        stage.camera.take("note-cited", window, lambda: show_rows(window, ANSWERS_FIRST))


def monitor(stage: Stage) -> None:
    """The notes of the site compared with the manuals."""
    with stage.samples() as window:
        _write_notes(stage, window)
        opened = open_report(window, ask(window, MONITORING, "monitor"))
        stage.camera.take("monitor-report", window, above=lambda: opened)


def heat_map(stage: Stage) -> None:
    """Where a page looks like the question, by the tiny random page model of the tests."""
    try:
        from desktop.models.adapters import torch_runtime

        torch_runtime.prepare()
        import colpali_engine  # noqa: F401 - whether it is installed
        import pytest  # noqa: F401 - the tests' own module needs it
    except ImportError as error:
        raise NotShownError(f"no page model without {error.name}") from error
    _install_pages_model(stage.home)
    wanted = Settings()
    wanted.models.profile, wanted.models.pages = "lite", PAGES_MODEL
    try:
        with stage.samples(wanted) as window:
            wait_for("page that was looked at", lambda: _all_seen(window), SECONDS_TO_SEE)
            ask_and_open(window, TORQUE)
            rest(window)  # the manual has to be open before it can be coloured
            toggle = window.centre.actions_of_viewer["heat_map"]
            toggle.trigger()
            let_run(SECONDS_TO_COLOUR)
            if not toggle.isChecked():
                raise NotShownError("the heat map was refused")
            stage.camera.take("heat-map", window, lambda: show_rows(window, ANSWERS_FIRST))
    finally:
        del os.environ["GROUNDWORK_MODELS"]


def errors(stage: Stage) -> None:
    """A locked and a damaged file among good ones."""
    folder = _bad_files(stage.home / "usb-stick")
    with stage.samples() as window:
        window.take_in([folder])
        wait_for("locked file", lambda: _has_state(window, "needs_password"))
        wait_for("damaged file", lambda: _has_state(window, "failed"))
        let_run(1.0)
        stage.camera.take("errors", window)


def german(stage: Stage) -> None:
    """The window in German; manuals and questions keep their language."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    speak(application, "de")
    try:
        answered(stage, "german", TORQUE)
    finally:
        speak(application, ENGLISH)


def _write_notes(stage: Stage, window: MainWindow) -> None:
    """Put the manuals at a station, work there, and keep its notes at the notes desk."""
    window.places.move([each.id for each in records(window)], STATION)
    wait_for("place", lambda: all(each.place == STATION for each in records(window)))
    for note in NOTES:
        stage.workspace.notes.add(note)
    window.chat.composer.scope.work_at(STATION)
    let_run(0.5)


def _all_seen(window: MainWindow) -> bool:
    return all(each.pictures_done == each.page_count for each in records(window))


def _has_state(window: MainWindow, state: str) -> bool:
    return any(each.state == state for each in records(window))


def _install_pages_model(home: Path) -> None:
    from desktop.models.catalogue import Catalogue
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.models.packs.operations import import_pack
    from tests.models import tiny_colqwen

    source = home / "stick" / PAGES_MODEL
    source.mkdir(parents=True)
    tiny_colqwen.build("colqwen2_5", source)
    folder = ModelFolder(home / "models")
    for _ in import_pack(source, folder, Catalogue.load()):
        pass
    os.environ["GROUNDWORK_MODELS"] = str(folder.root)


def _bad_files(folder: Path) -> Path:
    """Lock one of the samples with a password, and cut the other one off."""
    import pymupdf

    folder.mkdir()
    good, other = sample_manuals()[:2]
    with pymupdf.open(good) as pdf:
        locked = folder / "pump_controller_locked.pdf"
        pdf.save(locked, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="unknown")
    (folder / "wiring_damaged.pdf").write_bytes(other.read_bytes()[:600])
    return folder
