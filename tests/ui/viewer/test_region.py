"""A framed part of a page: asked about, copied, saved; and pages on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pymupdf
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtPrintSupport import QPrinter

from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.core.marking import on_white
from desktop.ui.viewer.output import wanted_pages

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.ui.viewer.panel import ViewerPanel

SENTENCE = Box(60, 140, 400, 190)


def corners(panel: ViewerPanel, box: Box) -> tuple[QPoint, QPoint]:
    area = panel.view.page_frame(0).rect(box)
    return area.topLeft().toPoint(), area.bottomRight().toPoint()


def frame(
    panel: ViewerPanel,
    qtbot: QtBot,
    box: Box = SENTENCE,
    held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    viewport, left = panel.view.viewport(), Qt.MouseButton.LeftButton
    start, end = corners(panel, box)
    qtbot.mousePress(viewport, left, held, start)
    qtbot.mouseMove(viewport, (start + end) / 2)
    qtbot.mouseMove(viewport, end)
    qtbot.mouseRelease(viewport, left, held, end)


def near(one: Box, other: Box) -> bool:
    pairs = zip(one.as_tuple(), other.as_tuple(), strict=True)
    return all(abs(a - b) < 2 for a, b in pairs)


def test_a_frame_is_drawn_and_its_question_asked(opened, qtbot):
    qtbot.keyClick(opened.view, Qt.Key.Key_E)
    assert opened.actions_by_name["mark_region"].isChecked()
    frame(opened, qtbot)
    assert not opened.actions_by_name["mark_region"].isChecked()
    bar = opened.region_bar
    assert bar.isVisible()
    assert "page 1-1" in bar.field.placeholderText()
    qtbot.keyClicks(bar.field, "Which torque?")
    with qtbot.waitSignal(opened.region_asked) as asked:
        qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    place, question = asked.args
    assert question == "Which torque?"
    assert (place.document_id, place.page, place.label) == (1, 0, "1-1")
    assert near(place.regions[0], SENTENCE)
    assert not bar.isVisible()
    assert opened.region.area is None


def test_holding_alt_frames_without_the_command(opened, qtbot):
    frame(opened, qtbot, held=Qt.KeyboardModifier.AltModifier)
    assert opened.region_bar.isVisible()


def test_without_the_mouse_what_is_in_view_is_framed(opened, qtbot):
    opened.view.setFocus()
    qtbot.keyClick(opened.view, Qt.Key.Key_E)
    qtbot.keyClick(opened.view, Qt.Key.Key_Return)
    assert opened.region.area is not None
    assert opened.region.area.box.width == pytest.approx(595, abs=1)
    qtbot.keyClick(opened.region_bar.field, Qt.Key.Key_Escape)
    assert not opened.region_bar.isVisible()
    assert opened.view.hasFocus()
    left = opened.region.area
    assert left is None


def test_escape_and_a_slip_of_the_hand_frame_nothing(opened, qtbot):
    opened.actions_by_name["mark_region"].trigger()
    qtbot.keyClick(opened.view, Qt.Key.Key_Escape)
    assert not opened.actions_by_name["mark_region"].isChecked()
    opened.actions_by_name["mark_region"].trigger()
    frame(opened, qtbot, Box(100, 100, 102, 102))
    assert opened.region.area is None
    assert not opened.region_bar.isVisible()


def test_a_frame_ends_at_the_edge_of_the_page_and_means_the_same_place_when_turned(opened, qtbot):
    opened.actions_by_name["rotate_right"].trigger()
    opened.actions_by_name["fit_page"].trigger()
    opened.actions_by_name["mark_region"].trigger()
    frame(opened, qtbot, Box(-50, 100, 300, 200))
    assert opened.region.area is not None
    assert near(opened.region.area.box, Box(0, 100, 300, 200))


def test_the_words_in_a_frame_are_copied_with_their_source(opened, qtbot):
    opened.actions_by_name["mark_region"].trigger()
    frame(opened, qtbot)
    with qtbot.waitSignal(opened.status_message):
        opened.actions_by_name["copy_region_words"].trigger()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("“Disconnect the battery before service Torque of screw S-130")
    assert copied.endswith("— Pump P-200, p. 1-1")


def test_a_frame_is_saved_as_a_picture_of_exactly_that_part(opened, qtbot, tmp_path):
    names: list[str] = []

    def choose(name: str, then) -> None:
        names.append(name)
        then(tmp_path / name)

    opened.output.choose_file = choose
    opened.actions_by_name["mark_region"].trigger()
    frame(opened, qtbot)
    with qtbot.waitSignal(opened.status_message) as said:
        opened.actions_by_name["save_region"].trigger()
    assert names == ["Pump P-200 1-1.png"]
    assert said.args == ["Saved as Pump P-200 1-1.png"]
    saved = QImage(str(tmp_path / names[0]))
    assert saved.width() == pytest.approx(340 * 200 / 72, abs=12)
    assert saved.height() == pytest.approx(50 * 200 / 72, abs=12)
    with qtbot.waitSignal(opened.status_message):
        opened.actions_by_name["copy_region"].trigger()
    assert QGuiApplication.clipboard().image().size() == saved.size()


def test_a_turned_page_is_saved_as_it_is_seen_and_a_full_disk_is_said(opened, qtbot, tmp_path):
    opened.actions_by_name["rotate_right"].trigger()
    opened.output.choose_file = lambda name, then: then(tmp_path / "page.png")
    with qtbot.waitSignal(opened.status_message):
        opened.actions_by_name["save_page"].trigger()
    saved = QImage(str(tmp_path / "page.png"))
    assert saved.width() > saved.height()
    opened.output.choose_file = lambda name, then: then(tmp_path / "gone" / "page.png")
    with qtbot.waitSignal(opened.status_message) as said:
        opened.actions_by_name["save_page"].trigger()
    assert "could not be written" in said.args[0]


def test_a_page_that_cannot_be_drawn_is_said(opened, parser, qtbot, tmp_path):
    parser.broken = True
    opened.output.choose_file = lambda name, then: then(tmp_path / "page.png")
    with qtbot.waitSignal(opened.status_message) as said:
        opened.actions_by_name["save_page"].trigger()
    assert "could not be drawn" in said.args[0]
    assert not (tmp_path / "page.png").exists()


def pdf_printer(path: Path, first: int, last: int) -> QPrinter:
    printer = QPrinter(QPrinter.PrinterMode.ScreenResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(path))
    printer.setPrintRange(QPrinter.PrintRange.PageRange)
    printer.setFromTo(first, last)
    return printer


def test_pages_are_printed_as_they_are_drawn_with_the_regions_of_the_answer(
    opened, qtbot, tmp_path
):
    opened.show_regions([PageRegion(1, "manual.pdf", 1, "1-2", (SENTENCE,))])
    paper = tmp_path / "paper.pdf"
    opened.output.choose_printer = lambda then: then(pdf_printer(paper, 2, 3))
    said: list[str] = []
    opened.status_message.connect(said.append)
    opened.actions_by_name["print"].trigger()
    qtbot.waitUntil(lambda: "Sent to the printer" in said)
    assert "Printing page 2 of 2…" in said
    with pymupdf.open(paper) as pdf:
        assert len(pdf) == 2
        marked, plain = (page.get_pixmap(dpi=72) for page in pdf)
        yellow = [
            sum(
                1 for x in range(0, p.width, 4) for y in range(0, p.height, 4) if is_yellow(p, x, y)
            )
            for p in (marked, plain)
        ]
        assert yellow[0] > 50
        assert yellow[1] == 0


def is_yellow(picture: pymupdf.Pixmap, x: int, y: int) -> bool:
    pairs = zip(picture.pixel(x, y)[:3], on_white(), strict=True)
    return all(abs(seen - marked) < 25 for seen, marked in pairs)


def test_a_printer_that_does_not_answer_is_said(opened, qtbot, tmp_path):
    printer = pdf_printer(tmp_path / "no" / "such" / "folder.pdf", 1, 1)
    opened.output.choose_printer = lambda then: then(printer)
    with qtbot.waitSignal(opened.status_message) as said:
        opened.actions_by_name["print"].trigger()
    assert "is not responding" in said.args[0]


@pytest.mark.parametrize(
    ("first", "last", "pages"),
    [(2, 4, range(1, 4)), (9, 99, range(8, 12)), (50, 60, range(11, 12))],
)
def test_the_wanted_pages_lie_within_the_manual(tmp_path, first, last, pages):
    assert wanted_pages(pdf_printer(tmp_path / "a.pdf", first, last), 12, 0) == pages


def drag(panel: ViewerPanel, qtbot: QtBot, start: QPoint, by: QPoint) -> None:
    viewport, left = panel.view.viewport(), Qt.MouseButton.LeftButton
    qtbot.mousePress(viewport, left, pos=start)
    qtbot.mouseMove(viewport, start + QPoint(1, 0))
    qtbot.mouseMove(viewport, start + by)
    qtbot.mouseRelease(viewport, left, pos=start + by)


@pytest.mark.parametrize("turns", [0, 1])
def test_a_frame_is_dragged_out_as_the_picture_that_is_drawn_and_its_citation(
    opened, qtbot, dragged, turns
):
    for _ in range(turns):
        opened.actions_by_name["rotate_right"].trigger()
    qtbot.waitUntil(lambda: opened.pending_drawings() == 0)
    opened.actions_by_name["mark_region"].trigger()
    frame(opened, qtbot)
    start, end = corners(opened, SENTENCE)
    drag(opened, qtbot, (start + end) / 2, QPoint(60, 60))
    ((cited, picture, _),) = dragged
    assert cited == "Pump P-200, p. 1-1"
    area = opened.view.page_frame(0).rect(SENTENCE)
    assert abs(picture.width() - area.width()) <= 3
    assert abs(picture.height() - area.height()) <= 3
    colours = {
        picture.pixelColor(x, y).name()
        for x in range(0, picture.width(), 2)
        for y in range(0, picture.height(), 2)
    }
    assert "#ffffff" in colours
    assert len(colours) > 3  # its letters
    assert opened.region.area is not None
    assert opened.view.overlays.selection is None


def test_a_frame_is_not_dragged_by_a_click_nor_while_nothing_is_drawn(opened, qtbot, dragged):
    opened.actions_by_name["mark_region"].trigger()
    frame(opened, qtbot)
    start, end = corners(opened, SENTENCE)
    middle = (start + end) / 2
    drag(opened, qtbot, middle, QPoint(1, 1))
    opened._service.forget_document(1)
    drag(opened, qtbot, middle, QPoint(60, 60))
    assert dragged == []
