"""Every window and dialog that there is, opened one after the other and looked at.

Draw them to PNG files, in light and dark: python -m tests.ui.every_window FOLDER [NAME ...]
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

import desktop.ui
from desktop.app import open_workspace
from desktop.core.conversations.suggested_questions import SuggestedQuestion
from desktop.core.errors import LibraryBusy, LibraryDamaged
from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    CompleteEvent,
    ConfidenceEvent,
    PageRegion,
    QuotedForm,
    ResearchProgressEvent,
    TokenEvent,
)
from desktop.core.library.places import Place
from desktop.core.library.values import PageRecord
from desktop.core.nameplates.finder import Clue, Match, PlateFinding
from desktop.core.nameplates.plate import Plate
from desktop.core.notes.note import CheckIn, Conflict, Note, Version
from desktop.core.revisions.changes import Change, Comparison, Side
from desktop.core.settings.sections import Settings
from desktop.core.structure.values import PageImage, PhotoText
from desktop.core.trace.session_memory import SessionMemory
from desktop.models.overview import ProfileStatus
from desktop.ui.asking.report_view import ReportView
from desktop.ui.design.dialogs import ask_for_line
from desktop.ui.design.theme import Fade, apply_theme
from desktop.ui.library.properties import Facts, PropertiesDialog
from desktop.ui.window.help import LicencesDialog, about_dialog
from desktop.ui.window.main_window import MainWindow
from tests.ui import places_pictures, scripts, take_pictures
from tests.ui.conversations import take_pictures as conversations
from tests.ui.domains import take_pictures as domains
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual
from tests.ui.manual_packs import take_pictures as packs
from tests.ui.models import take_pictures as models
from tests.ui.models.take_pictures import grab
from tests.ui.notes import take_pictures as notes
from tests.ui.take_pictures import settle
from tests.ui.viewer.test_heat_map import QUESTION as HEAT_QUESTION
from tests.ui.viewer.test_heat_map import FakeHeat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.ui.reach import Survey

    Stage = Callable[[MainWindow, Path], Any]

LONGEST_WAIT = 60.0
TORQUE = "What is the tightening torque for terminals X2:1 to X2:6?"
STATION = Place("SITE 12", "HX-200")


def own_widgets() -> set[type[QWidget]]:
    """Every class of widget that the window is made of, whoever wrote it and whenever."""
    for each in pkgutil.walk_packages(desktop.ui.__path__, "desktop.ui."):
        importlib.import_module(each.name)
    found: set[type[QWidget]] = set()
    waiting = list(QWidget.__subclasses__())
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("desktop."):
            found.add(kind)
    return found


def survey_with_a_fake_library(survey: Survey) -> None:
    """Look at every state that a scripted library can bring about, the frame of a start first."""
    frame = MainWindow()
    frame.show()
    survey.look("frame")
    frame.close()
    _away(frame)
    for name in STAGES:
        with tempfile.TemporaryDirectory() as root, opened_window(name, Path(root)):
            survey.look(name)


def survey_with_the_samples(survey: Survey, library: Path) -> None:
    """Look at the real window on a library of the sample manuals, which it may change."""
    workspace = open_workspace(library, settings=Settings())
    window = MainWindow(workspace)
    try:
        window.resize(1440, 900)
        window.show()
        _until(lambda: window.centre._viewer is not None)
        for name, stage in REAL_STAGES.items():
            stage(window)
            settle(0.15)
            survey.look(name)
            window.chat.composer.scope.menu().hide()
    finally:
        window.close()
        workspace.close()
        _away(window)


@contextmanager
def opened_window(name: str, root: Path) -> Iterator[MainWindow]:
    """Show one of `STAGES`. root: a folder for what it writes."""
    window = MainWindow(viewer_factory=FakeViewer)
    window.build()
    window.resize(1440, 900)
    window.show()
    try:
        STAGES[name](window, root)
        settle(0.15)
        yield window
        for run in getattr(window._workspace, "runs", ()):
            run.cancel()
        ingestion = getattr(window._workspace, "ingestion", None)
        if ingestion is not None:
            ingestion.hold.set()
    finally:
        window.close()
        _away(window)


def _away(window: MainWindow) -> None:
    window.deleteLater()
    QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    settle(0.02)


def _until(there: Callable[[], object]) -> None:
    end = time.monotonic() + LONGEST_WAIT
    while not there():
        assert time.monotonic() < end, "it did not come about"
        settle(0.01)


# what a scripted library brings about


def _first_run(window: MainWindow, root: Path) -> None:
    window.open_workspace(fake_workspace(root))
    _until(lambda: window.welcome.page is not None)


def _every_setting(window: MainWindow, root: Path) -> None:
    window.open_workspace(fake_workspace(root, *take_pictures.SHELF))
    window.settings.show_page()
    page = window.settings.page
    assert page is not None
    page.search.setText("e")  # finds nearly all of them
    for row in page.rows:
        row.setVisible(True)
        row.reset.setVisible(True)
        area = row.parentWidget()
        assert area is not None
        area.setVisible(True)


def _help(window: MainWindow, root: Path) -> None:
    window.open_workspace(fake_workspace(root))
    about_dialog(window).open()
    window.show_shortcuts()
    LicencesDialog(window).open()


def _questions_of_a_file(window: MainWindow, root: Path) -> None:
    window.open_workspace(fake_workspace(root, *take_pictures.SHELF))
    window.status.task.show_progress("Questions from a file: 2 of 3", 2, 3)


def _problem(window: MainWindow, _root: Path) -> None:
    window.show_problem(LibraryBusy("library.lock is held by process 4711"))


def _damaged(window: MainWindow, _root: Path) -> None:
    window.show_problem(LibraryDamaged("page 7 is torn"))


def _dialogs_of_the_library(window: MainWindow, root: Path) -> None:
    window.open_workspace(fake_workspace(root, *take_pictures.SHELF))
    window.catalogue.edit([1])
    window.catalogue.edit([1, 2])
    window.watched.show()
    ask_for_line(window, "Rename", "What shall it be called?", print, start="Operator")
    pages = tuple(
        PageRecord(n, str(n + 1), 595.0, 842.0, ("done", "done", "failed"), "", False, False)
        for n in range(40)
    )
    facts = Facts(manual(1, "Operator", reason="Words only."), None, pages, root, 5_000, "en")
    PropertiesDialog(window, facts).open()


def _answers(*events: Any) -> Stage:
    def stage(window: MainWindow, root: Path) -> None:
        workspace = fake_workspace(root, *take_pictures.SHELF)
        workspace.answer = list(events)
        window.open_workspace(workspace)
        settle(0.1)
        window.chat.ask("How long does the battery test last?")
        _until(lambda: not window.chat.turns[-1].running)

    return stage


def _steps(window: MainWindow, root: Path) -> None:
    """An answer of one step, and how it was reached."""
    told = "1. Pull plug X9."
    step = CitationEvent(1, scripts.BATTERY, told, form=QuotedForm("step", told))
    said = TokenEvent(f"{told} [1]")
    _answers(*scripts.search_steps(), step, said, CompleteEvent("answered", 9.0, 2))(window, root)
    window.chat.turns[-1].trace = scripts.record(SessionMemory(enable_reasoning_trace=True))
    window.chat.turns[-1].reasoning.click()
    settle(0.1)
    for card in window.trace.steps.cards:
        card.open()


def _added(window: MainWindow, root: Path) -> None:
    """What was just added, told of on a card."""
    window.open_workspace(fake_workspace(root, manual(1, "Pump station HX-200")))
    window.summary.expect(1)
    window.summary.look(1)
    assert window.summary.card is not None
    window.summary.card.rows[1].questions.add(SuggestedQuestion(1, "What is the torque for X1?", 3))


def _complaint(window: MainWindow, root: Path) -> None:
    _answers(*scripts.answered())(window, root)
    turn = window.chat.turns[-1]
    turn.suggestions.add(SuggestedQuestion(1, "What is the torque for X1?", 3))
    turn.skeleton.show()
    Fade(turn.skeleton)._thinning.pause()
    window.chat.composer.model.show_profiles(
        [
            ProfileStatus("lite", "Lite", "", "", True, True, True),
            ProfileStatus("field", "Field", "", "", True, False, False),
        ]
    )
    window.wrong_answers._show(turn, (1, 3), "page 4 of the operator manual")
    window.chat.previews.show_at(turn, 1)


def _palette(window: MainWindow, root: Path) -> None:
    window.open_workspace(fake_workspace(root, *take_pictures.SHELF))
    settle(0.1)
    window.palette_panel.show()
    window.palette_panel.panel.field.setText("manual")


def _alone(stage: Callable[[MainWindow], Any]) -> Stage:
    """Make a stage of one that needs an open library."""

    def opened(window: MainWindow, root: Path) -> None:
        window.open_workspace(fake_workspace(root, manual(1, "Operator manual")))
        stage(window)

    return opened


ASKED_BACK = (
    ClarificationEvent("Which pump?", ("The P-200", "The P-300")),
    CompleteEvent("clarification", 12.0, 1),
)
_END = scripts.answered()


def _compared(window: MainWindow, root: Path) -> None:
    """Two revisions, of which one gives another value."""
    window.open_workspace(fake_workspace(root, *take_pictures.SHELF))
    old, new = (
        Side(text, PageRegion(number, "file.pdf", 3, "2-1", ()), ("Operation",))
        for number, text in ((1, "Press for 2 seconds."), (2, "Press for 5 seconds."))
    )
    change = Change("value", "changed", old, new, (("2", "5"),))
    panel = window.revisions._open()
    records = window._model.records()
    panel.show_changes(Comparison(records[0], records[1], (change,)))


def _read_with_another() -> list[Any]:
    sure, complete = _END[-2:]
    assert isinstance(sure, ConfidenceEvent)
    return [replace(sure, read_with="How long does the battery test last?"), complete]


STAGES: dict[str, Stage] = {
    "two manuals compared": _compared,
    "steps": _steps,
    "first run": _first_run,
    "every setting": _every_setting,
    "help": _help,
    "questions in a file": _questions_of_a_file,
    "problem": _problem,
    "damaged": _damaged,
    "dialogs of the library": _dialogs_of_the_library,
    "reading": take_pictures.ingesting,
    "dropping": take_pictures.dropping,
    "answer": _answers(*_END[:-3], *scripts.safety_blocks(), *_read_with_another()),
    "not found": _answers(*scripts.not_found()),
    "failed": _answers(*scripts.failed()),
    "asked back": _answers(*ASKED_BACK),
    "added": _added,
    "complaint": _complaint,
    "palette": _palette,
    "conversations": conversations.listed,
    **places_pictures.STATES,
    **domains.STATES,
    **notes.STATES,
    **packs.STATES,
    **{name: _alone(stage) for name, stage in models.STATES.items()},
}


# what needs the real library


def _asked(window: MainWindow) -> None:
    ids = [each.id for each in window._model.records()]
    window.places.move(ids, STATION)
    assert window._workspace is not None
    window._workspace.notes.add(Note("Tighten them with 0.6 Nm here.", place=STATION, role="lead"))
    window.chat.composer.scope.work_at(STATION)
    window.chat.ask(TORQUE)
    turn = window.chat.turns[-1]
    _until(lambda: not turn.running)
    turn.reasoning.click()
    turn.show_citation(turn.citations[0].number)
    _until(lambda: bool(window.centre._viewer.view.overlays.highlights.current))
    for card in window.trace.steps.cards:
        card.open()


def _promised(window: MainWindow) -> None:
    window.trace.promises.show_promises([("answer", False)], finished=True)  # as if it was missing


def _bars(window: MainWindow) -> None:
    viewer = window.centre._viewer
    for name in ("find", "add_bookmark", "bookmarks", "mark_region"):
        viewer.actions_by_name[name].trigger()
    viewer.heat._source = FakeHeat()  # a model that sees pages is not at hand
    window.centre.set_question(HEAT_QUESTION)
    viewer.actions_by_name["heat_map"].trigger()
    settle(0.5)
    for bar in (viewer.find_bar, viewer.heat_bar, viewer.region_bar, viewer.highlight_bar):
        bar.show()


def _own_highlight(window: MainWindow) -> None:
    """Words with a comment, their card open, and one that was just removed."""
    viewer = window.centre._viewer
    viewer.clear_highlights()
    for again in (False, True):
        QTest.keyClick(viewer.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        _until(lambda: viewer.annotations.card.isVisible())
        viewer.actions_by_name["comment"].trigger()
        _until(lambda: len(viewer.annotations.annotations) == 1)
        _until(lambda: viewer.annotations.card.field.isVisible())
        viewer.annotations.close()
        if not again:
            viewer.annotations.remove(viewer.annotations.annotations[0])
            _until(lambda: viewer.undo_bar.isVisible())
    viewer.annotations.open(viewer.annotations.annotations[0])
    viewer.actions_by_name["annotations"].trigger()
    settle(0.3)


def _sidebar(name: str) -> Callable[[MainWindow], None]:
    def stage(window: MainWindow) -> None:
        window.centre._viewer.actions_by_name[name].trigger()
        settle(0.3)

    return stage


def _note_in_the_margin(window: MainWindow) -> None:
    viewer = window.centre._viewer
    found: list[Any] = []
    window.centre.find_note_place(found.append)
    _until(lambda: found)
    window.notes.begin_at(found[0])
    page = window.notes.drawer
    assert page is not None
    _until(lambda: page.compose.pages.cards)
    page.compose.text.set_text("Tighten them twice.")
    page.compose.sort.click()
    _until(lambda: page.shown is page.review)
    page.review.keep.click()
    _until(lambda: viewer.notes.marks)


def _research(window: MainWindow) -> None:
    window.chat.composer.mode.choose("monitor")
    window.chat.ask("Do our site notes agree with the manuals?")
    turn = window.chat.turns[-1]
    _until(lambda: not turn.running)
    button = turn.research.report_button
    assert button is not None
    button.click()
    _until(lambda: window.findChild(ReportView) is not None)
    for event in turn.events:  # as far as it was on the way
        if isinstance(event, ResearchProgressEvent):
            turn.research.progress.take(event)


def _menu(window: MainWindow) -> None:
    window.chat.composer.scope.menu().popup(window.chat.mapToGlobal(window.chat.rect().center()))


def _plate_and_conflict(window: MainWindow) -> None:
    """A plate that may be of two machines, and a note that two people changed apart."""
    clue = Clue("HX-200", "title", 9.0, True)
    matches = tuple(Match((n,), (f"Manual {n}",), Place(), 9.0, (clue,)) for n in (1, 2))
    photo = PhotoText((), PageImage(4, 3, b"\x80" * 36))
    window.nameplates.card.tell(photo, PlateFinding(Plate(("HX-200",)), "asked", matches))
    if not window.notes.is_open:
        window.notes.toggle()
    check_ins = [
        CheckIn(name, "n", name, name, "2026-01-01", frozenset(), {}, frozenset({"content"}))
        for name in ("Anna", "Ben")
    ]
    said = ("The torque is 9 Nm.", "The torque is 8 Nm.")
    versions = tuple(Version(text, each) for text, each in zip(said, check_ins, strict=True))
    drawer = window.notes.drawer
    assert drawer is not None
    drawer.conflicts.show_conflicts([Conflict("n", "content", versions)])


REAL_STAGES: dict[str, Callable[[MainWindow], None]] = {
    "nothing open": _menu,
    "asked": _asked,
    "promised": _promised,
    "bars of the viewer": _bars,
    "own highlights": _own_highlight,
    "outline": _sidebar("outline"),
    "thumbnails": _sidebar("thumbnails"),
    "note in the margin": _note_in_the_margin,
    "research": _research,
    "a plate and a conflict": _plate_and_conflict,
}


def main() -> None:
    folder, *names = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    for scheme in (Qt.ColorScheme.Light, Qt.ColorScheme.Dark):
        apply_theme(app, scheme)
        for name in names or STAGES:
            with tempfile.TemporaryDirectory() as root, opened_window(name, Path(root)) as window:
                grab(window).save(f"{folder}/{name}-{scheme.name.lower()}.png")


if __name__ == "__main__":
    main()
