"""A window people love: a journey for each point of what was promised of it, 1 to 15.

Each is made as a person makes it: keys, clicks, and what can be read. Details have tests of their
own beside the part they are about.
"""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace

import pymupdf
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QEnterEvent, QFont, QFontInfo, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QTextBrowser,
    QToolButton,
    QWidget,
)

from desktop.core.events import CompleteEvent, TokenEvent
from desktop.models.packs.download import Offer
from desktop.models.speed import Speed
from desktop.resources import resource
from desktop.ui.chat.citations import Cover
from desktop.ui.chat.quoted_card import ListedStep, QuotedTable
from desktop.ui.chat.turn_parts import SafetyBlock
from desktop.ui.design import tokens
from desktop.ui.design.controls import RowText
from desktop.ui.design.theme import FADE_MS, Fade, Look, scaled_font, theme
from desktop.ui.design.tokens import DARK, LIGHT, Shadow, Size, Space, Type
from desktop.ui.palette.view import ResultModel
from desktop.ui.viewer.find import PULSE_MS
from desktop.ui.viewer.page_view import GLIDE_MS
from desktop.ui.window import main_window
from tests.fakes.manuals import TERMINALS, excerpt
from tests.fakes.model_manager import GB, FakeManager, FakePacks, model
from tests.ui import scripts
from tests.ui.fake_workspace import FakeViewer, fake_workspace, manual
from tests.ui.real_window import (
    LONG_MS,
    TORQUE,
    ask,
    choose_language,
    drop,
    id_of,
    open_manual,
    rows,
    wait_for_language,
)
from tests.ui.test_contrast import contrast

VENTING = "How are the pumps vented before the first start?"
UNKNOWN = "What does alarm F-12 mean?"
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
SMALLEST = QSize(1024, 700)


@pytest.fixture(autouse=True)
def ordinary_look():
    yield
    theme().wear(Look())


# what a person sees of a part of the window


def read(widget):
    """Return what can be read in it, a line each; the spaces are those one would type."""
    parts = (*widget.findChildren(QLabel), *widget.findChildren(QAbstractButton))
    said = [each.text() for each in parts if each.isVisible() and each.text().strip()]
    browsers = [each for each in widget.findChildren(QTextBrowser) if each.isVisible()]
    said += [each.toPlainText() for each in browsers]
    return [each.replace("\N{NO-BREAK SPACE}", " ").strip() for each in said]


def button(widget, name):
    """Return the one visible button that a screen reader calls so."""
    every = [each for each in widget.findChildren(QAbstractButton) if each.isVisible()]
    (found,) = [each for each in every if name in (each.accessibleName(), each.text())]
    return found


def place(widget, within):
    return QRect(widget.mapTo(within, QPoint(0, 0)), widget.size())


def pixels_of(font):
    return QFontInfo(font).pixelSize()


def click(qtbot, widget, at=None):
    if at is None:
        at = widget.rect().center()
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)


def point_at(widget):
    """Let the pointer come over a widget."""
    at = QPointF(widget.rect().center())
    QApplication.sendEvent(widget, QEnterEvent(at, at, widget.mapToGlobal(at)))


def point_into(widget, at):
    none, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    move = QEvent.Type.MouseMove
    QApplication.sendEvent(widget, QMouseEvent(move, at, widget.mapToGlobal(at), none, none, keys))


def point_away(widget):
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


def found(palette):
    entries = (palette.model.index(at, 0) for at in range(palette.model.rowCount()))
    return [each.data(ResultModel.EntryRole).title for each in entries]


def at_rest(window, qtbot):
    """Wait until the cited page is drawn, glides and pulses no more; return the view of pages."""
    viewer = window.centre._viewer
    qtbot.waitUntil(lambda: bool(viewer.highlight_rects(TERMINALS)))
    qtbot.waitUntil(lambda: not (viewer.view.zooming or viewer.view.gliding))
    qtbot.waitUntil(lambda: viewer.pending_drawings() == 0 and viewer.view.overlays.pulse == 0)
    return viewer.view


# the answer


def test_01_one_value_leads_large_above_its_row_and_the_picture_of_its_place(filled, qtbot):
    filled.activateWindow()
    turn = ask(filled, qtbot)
    (card,) = turn.answer.cards
    value, below, *_ = [each for each in card.findChildren(QLabel) if each.isVisible()]
    assert value.text() == "1.2\N{NO-BREAK SPACE}Nm"
    assert pixels_of(value.font()) == 28
    assert value.font().weight() == QFont.Weight.DemiBold
    assert below.text() == "Torque · X2:1 to X2:6"
    assert below.property("tone") == "muted"
    assert place(below, card).top() >= place(value, card).bottom()
    chip = button(card, "p. 4-1")
    assert place(chip, card).left() > place(value, card).left()
    assert place(chip, card).top() < place(below, card).top()

    # its row is a table with headings, the asked cell set apart; nothing is told with pipes
    (table,) = card.findChildren(QuotedTable)
    assert {"Terminal", "Screw", "Torque", "Strip length", "X2:1 to X2:6"} <= set(read(table))
    marked = [each for each in table.findChildren(QLabel) if each.property("role") == "asked"]
    assert [each.text().replace("\N{NO-BREAK SPACE}", " ") for each in marked] == ["1.2 Nm"]
    assert any("Tightening torques of electrical terminals" in each for each in read(card))
    assert not [each for each in read(turn) if "|" in each or "Torque: " in each]

    # the picture of its place is below; a click on it opens the page
    qtbot.waitUntil(lambda: card.crop.drawn)
    assert place(card.crop, card).top() >= place(table, card).bottom()
    filled.centre.open_document(turn.citations[0].source.document_id, 0)
    click(qtbot, card.crop)
    qtbot.waitUntil(lambda: filled.centre.place()[1] == TERMINALS)

    # a procedure is numbered, below its warning
    qtbot.keyClick(filled, Qt.Key.Key_N, CONTROL)
    procedure = ask(filled, qtbot, VENTING)
    steps = [each.sign.text() for each in procedure.findChildren(ListedStep)]
    assert steps == [str(number) for number in range(1, len(steps) + 1)]
    assert len(steps) > 2
    (warning,) = procedure.findChildren(SafetyBlock)
    first = procedure.findChildren(ListedStep)[0]
    qtbot.waitUntil(lambda: 0 < place(warning, procedure).bottom() <= place(first, procedure).top())


def test_02_chips_light_their_words_sources_have_covers_and_what_is_not_there_is_said(
    filled, qtbot
):
    turn = ask(filled, qtbot)
    assert not [each for each in read(turn) if "[1]" in each or "%" in each]
    assert "Stated in the manual" in read(turn)
    chip = button(turn.answer.cards[0], "p. 4-1")
    view = at_rest(filled, qtbot)
    point_into(view.viewport(), view.highlight_rects(TERMINALS)[-1].center())
    assert chip.lit
    point_into(view.viewport(), QPointF(2, 2))
    assert not chip.lit
    with qtbot.waitSignal(filled.chat.citation_hovered):
        point_at(chip)
    filled.chat.previews.show_at(turn, turn.citations[0].number)  # as over a mark in a sentence
    assert filled.chat.previews.popup.isVisible()
    click(qtbot, chip)
    assert not filled.chat.previews.popup.isVisible()
    point_away(chip)
    (cover,) = turn.sources.findChildren(Cover)
    qtbot.waitUntil(lambda: cover.drawn)
    assert cover.isVisible()

    # what is missing of a question stands in a line of its own
    two = ask(filled, qtbot, f"{TORQUE[:-1]}, and what does one station cost?")
    (missing,) = [each for each in read(two) if "cost" in each and each != two.question]
    assert missing
    assert "1.2 Nm" in two.text

    # and what nothing answers: that, where was searched, and the nearest pages
    nothing = ask(filled, qtbot, UNKNOWN)
    said = read(nothing)
    assert any(each.startswith("Searched: HX-200 Booster pump station") for each in said)
    assert "The nearest lines:" in said
    assert nothing.nearest.cards
    assert not nothing.answer.isVisible()


def test_03_what_to_ask_next_are_questions_that_are_answered_and_every_answer_can_be_rated(
    filled, qtbot
):
    filled.activateWindow()
    turn = ask(filled, qtbot)
    qtbot.waitUntil(lambda: bool(turn.suggestions.buttons), timeout=LONG_MS)
    offered = list(turn.suggestions.buttons)
    assert all(each.accessibleName().endswith("?") for each in offered)
    for name in ("Helpful", "Wrong answer"):
        rating = button(turn, name)
        rating.setFocus(Qt.FocusReason.TabFocusReason)
        assert filled.focusWidget() is rating
        assert rating.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert read(turn).count(TORQUE) == 1
    assert pixels_of(turn.head.text.font()) <= 15
    click(qtbot, offered[0])
    after = filled.chat.turns[-1]
    assert after is not turn
    qtbot.waitUntil(lambda: not after.running, timeout=LONG_MS)
    assert after.outcome == "answered"
    assert after.citations

    long = ask(filled, qtbot, TORQUE + " It was opened for the yearly check." * 10)
    shown = long.head.text
    assert shown.text().endswith("…")
    assert shown.height() <= 4 * shown.fontMetrics().lineSpacing()
    click(qtbot, long.head.fold_button)
    assert not shown.text().endswith("…")


def test_04_reasoning_is_one_line_until_it_is_opened_and_says_nothing_twice(filled, qtbot):
    turn = ask(filled, qtbot)
    qtbot.waitUntil(lambda: filled.trace.timeline.finished)
    line, panel = turn.reasoning, filled.trace
    assert panel.isHidden()
    assert line.text().startswith("Searched 2 manuals, read ")
    assert line.height() <= Size.BAR
    click(qtbot, line)
    qtbot.waitUntil(panel.isVisible)
    assert panel.width() >= 400
    assert read(panel).count("Searched your manuals") == 1
    assert not [each for each in read(panel) if "vector" in each.lower() or "score" in each]
    (first, *_) = panel.steps.cards
    first.open()
    shares = [each.share for each in first.thumbnails()]
    assert max(shares) == 1.0
    assert "Longer bar: better match" in read(first)
    for card in panel.steps.cards:
        card.open()
    said = [each for each in read(panel) if len(each.split()) > 2]
    assert len(said) == len(set(said))
    assert not [each for each in said if TORQUE in each], "it stands above the answer"
    assert read(filled.chat.list).count(TORQUE) == 1
    click(qtbot, line)
    assert panel.isHidden()


# the room


def test_05_the_room_pages_have_and_what_comes_back_after_a_restart(
    real_window, shelf, tmp_path, qtbot
):
    folder = shutil.copytree(shelf, tmp_path / "library")
    window = real_window(folder)
    viewer, _ = open_manual(window, qtbot)
    assert viewer.toolbar.height() == Size.BAR == 44
    assert viewer.toolbar.isAncestorOf(viewer.tabs)
    assert 400 <= window.chat.width() <= 480
    turn = ask(window, qtbot)
    assert turn.citations
    view = at_rest(window, qtbot)
    before = view.page_frame(TERMINALS).area
    assert place(view, viewer).contains(place(viewer.pill, viewer))
    qtbot.keyClick(view, Qt.Key.Key_F, CONTROL)
    qtbot.waitUntil(viewer.find_bar.isVisible)
    assert view.page_frame(TERMINALS).area == before, "it floats over the page"
    qtbot.keyClick(viewer.find_bar.field, Qt.Key.Key_Escape)

    composer = window.chat.composer
    frame = composer.findChild(QWidget, "composer")
    for part in (composer.field, composer.scope, composer.mode, composer.button):
        assert frame.isAncestorOf(part)
        assert frame.rect().contains(place(part, frame))
    assert composer.button.width() == composer.button.height()

    # a small window: the library is a rail, and the page can still be read
    window.resize(SMALLEST)
    qtbot.waitUntil(lambda: window.library_panel.is_folded)
    view = at_rest(window, qtbot)
    assert view.zoom >= 0.74
    words = view.highlight_rects(TERMINALS)
    room = view.viewport().rect()
    assert all(room.contains(each.toRect()) for each in words)
    assert not view.horizontalScrollBar().isVisible()
    click(qtbot, button(window.library_panel, "Show the library"))
    assert not window.library_panel.is_folded
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: not window.library_panel.is_folded)

    # the notes are a drawer at the right, the settings plain panes
    qtbot.keyClick(window, Qt.Key.Key_B, CONTROL | SHIFT)
    drawer = window.notes.drawer
    qtbot.waitUntil(drawer.isVisible)
    assert place(drawer, window).right() >= window.width() - 2
    assert place(drawer, window).top() < 100
    qtbot.keyClick(window, Qt.Key.Key_B, CONTROL | SHIFT)
    qtbot.waitUntil(lambda: not drawer.isVisible())
    window.settings.show_page()
    areas = window.settings.page.areas
    assert areas.count() == 7
    assert areas.item(6).text() == "Advanced"
    window.settings.page.close()

    # tabs, highlights and the place come back
    window.centre.open_document(id_of(window, "operator"), 3)
    qtbot.waitUntil(lambda: window.centre.place() == (id_of(window, "operator"), 3))
    viewer.tabs.setCurrentIndex(0)
    qtbot.waitUntil(lambda: window.centre.place()[1] == TERMINALS)
    seen = at_rest(window, qtbot).place()
    workspace = window._workspace
    window.close()
    workspace.close()
    again = real_window(folder)
    qtbot.waitUntil(lambda: again.centre.place() == (id_of(again, "installation"), TERMINALS))
    view = at_rest(again, qtbot)
    assert again.centre._viewer.tabs.count() == 2
    assert view.highlight_rects(TERMINALS)
    assert view.place().down == pytest.approx(seen.down, abs=0.02)


def test_06_type_colour_and_grid_are_what_was_drawn(filled, qtbot):
    turn = ask(filled, qtbot)
    (card,) = turn.answer.cards
    sizes = {
        11: Type.SMALL, 13: Type.BODY, 15: Type.LEAD, 17: Type.SECTION, 22: Type.TITLE,
        28: Type.FACT,
    }  # fmt: skip
    assert {pixels_of(scaled_font(factor)): factor for factor in sizes.values()} == sizes
    assert QFontInfo(card.font()).family() == "Inter"
    assert card.font().featureValue(QFont.Tag("tnum")) == 1

    # a panel's inset of 20, a scroll bar being part of it; turns 32 apart, paragraphs 12
    panel = filled.chat
    qtbot.waitUntil(lambda: card.width() > 300)
    assert place(card, panel).left() == place(panel.header.title, panel).left() == Space.INSET == 20
    assert panel.width() - place(card, panel).right() - 1 == 20
    assert place(panel.composer.findChild(QWidget, "composer"), panel).left() == 20
    second = ask(filled, qtbot, "How often is the filter cleaned?")
    visible = [each for each in turn.findChildren(QWidget) if each.isVisible()]
    last = max(place(each, turn).bottom() for each in visible)
    below = place(second.head, turn.parentWidget()).top()
    assert 32 <= below - place(turn, turn.parentWidget()).top() - last <= 36
    assert turn.layout().spacing() == Space.M == 12

    drawn = "window surface border border_strong text muted accent accent_wash".split()
    light = "#f7f8fa #ffffff #e6e8ec #d0d5db #14171a #667079 #0b6bcb #eaf3fe".split()
    assert [getattr(LIGHT, name) for name in drawn] == light
    dark = [getattr(DARK, name) for name in ("window", "surface", "border", "text", "accent")]
    assert dark == "#0f1215 #171b1f #20262c #e8ebee #6bb7ea".split()
    for scheme in (LIGHT, DARK):
        for ground in (scheme.window, scheme.surface):
            for ink in (scheme.text, scheme.muted, scheme.accent):
                assert contrast(ink, ground) >= 4.5
    assert (Shadow.DOWN, Shadow.BLUR, Shadow.OPACITY) == (8, 24, 0.14)
    assert Size.POPUP_RADIUS == 10

    # controls of 32 pixels in bars of 44; glove mode makes them 44
    tool = button(filled.chat.header, "New conversation")
    assert (Size.TARGET, filled.chat.header.height()) == (32, 44)
    assert tool.height() >= 43, "it is hit over the height of its bar"
    filled.settings.toggle_gloves()
    assert Size.TARGET == tokens.Size.GLOVE == 44
    qtbot.waitUntil(lambda: filled.chat.composer.button.height() >= 44)
    filled.settings.toggle_gloves()
    assert Size.TARGET == 32


def test_07_a_highlight_is_a_pen_on_paper_and_its_number_stands_beside_it(filled, qtbot):
    ask(filled, qtbot)
    view = at_rest(filled, qtbot)
    words = view.highlight_rects(TERMINALS)[0]
    picture = view.viewport().grab().toImage()
    ratio = picture.devicePixelRatio()

    def colour(x, y):
        return picture.pixelColor(int(x * ratio), int(y * ratio))

    pen = QColor("#FFE066")
    multiplied = QColor(
        *(round(255 * 0.55 + part * 0.45) for part in (pen.red(), pen.green(), pen.blue()))
    )
    middle = words.center().y()
    seen = colour(words.right() + 1, middle)
    for part in (QColor.red, QColor.green, QColor.blue):
        assert abs(part(seen) - part(multiplied)) <= 2
    assert colour(words.right() + 4, middle) == QColor("white"), "2 pixels of padding"
    corner = QPointF(words.right() + 1, words.top() - 2)
    assert colour(corner.x(), corner.y()) != seen, "it is round"
    accent = QColor(LIGHT.accent)
    bar = [colour(words.left() - x, middle) == accent for x in range(7)]
    assert bar[3], "it is the one that is shown now"
    assert sum(bar) <= 2

    # its number is beside the paper, and none in a window without room for it
    page = view.page_frame(TERMINALS).area
    beside = [colour(x, middle) for x in range(max(0, int(page.left()) - 22), int(page.left()) - 2)]
    assert accent in beside
    assert PULSE_MS == 150
    viewer = filled.centre._viewer
    viewer.actions_by_name["next_highlight"].trigger()
    qtbot.waitUntil(lambda: view.overlays.pulse > 0)
    qtbot.waitUntil(lambda: view.overlays.pulse == 0)
    for zoom in (0.5, 1.0, 2.0):
        view.set_zoom(zoom)
        view = at_rest(filled, qtbot)
        rect = view.highlight_rects(TERMINALS)[-1]
        image = view.viewport().grab().toImage()
        above = image.pixelColor(int((rect.right() - 3) * ratio), int((rect.top() - 1) * ratio))
        if view.viewport().rect().contains(rect.toRect()):
            assert above.red() > 200, "the pen lies around capital letters"


def test_08_what_moves_is_brief_and_nothing_moves_where_that_is_wanted(filled, qtbot):
    window = filled
    assert 150 <= FADE_MS <= 200
    assert GLIDE_MS == 250
    window.chat.composer.field.setPlainText(TORQUE)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    turn = window.chat.turns[-1]
    qtbot.waitUntil(turn.skeleton.isVisible)  # lines stand for the answer
    qtbot.waitUntil(lambda: not turn.running, timeout=LONG_MS)
    assert not turn.skeleton.isVisible()

    def open_both():
        qtbot.keyClick(window, Qt.Key.Key_B, CONTROL | SHIFT)
        turn.reasoning.click()
        assert window.notes.drawer.isVisible()
        assert window.trace.isVisible()
        return [*window.notes.drawer.findChildren(Fade), *window.trace.findChildren(Fade)]

    def close_both():
        qtbot.keyClick(window, Qt.Key.Key_B, CONTROL | SHIFT)
        window.trace.hide()

    assert len(open_both()) == 2
    qtbot.waitUntil(lambda: not window.findChildren(Fade))
    close_both()
    window.settings.show_page()
    window.settings.page.row("window", "reduced_motion").editor.control.click()
    window.settings.page.close()
    assert open_both() == []
    close_both()
    view = window.centre._viewer.view
    window.centre.open_document(turn.citations[0].source.document_id, 0)
    turn.show_citation(turn.citations[0].number)
    assert not view.gliding
    assert view.overlays.pulse == 0
    assert view.highlight_rects(TERMINALS)


def test_09_the_palette_is_full_before_typing_finds_words_and_asks(filled, qtbot):
    ask(filled, qtbot)
    qtbot.keyClick(filled, Qt.Key.Key_K, CONTROL)
    palette = filled.palette_panel.panel
    assert palette.isVisible()
    qtbot.waitUntil(lambda: {"Manuals", "Actions"} <= set(found(palette)))
    assert TORQUE in found(palette)
    assert any("HX-200" in each for each in found(palette))
    qtbot.keyClicks(palette.field, "ring lug")
    qtbot.waitUntil(lambda: any("Ring lug" in each for each in found(palette)), timeout=LONG_MS)
    assert found(palette)[-1] == "Ask “ring lug”"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: filled.centre.place()[1] == TERMINALS)
    qtbot.keyClick(filled, Qt.Key.Key_K, CONTROL)
    qtbot.keyClicks(palette.field, "how often is the filter cleaned")
    qtbot.waitUntil(lambda: found(palette)[-1:] == ["Ask “how often is the filter cleaned”"])
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    qtbot.keyClick(palette.field, Qt.Key.Key_End, CONTROL)
    palette.list.setCurrentIndex(palette.model.index(palette.model.rowCount() - 1, 0))
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    turn = filled.chat.turns[-1]
    assert turn.question == "how often is the filter cleaned"
    qtbot.waitUntil(lambda: not turn.running, timeout=LONG_MS)


def test_10_manuals_are_added_with_a_click_asked_early_and_told_of_when_read(
    real_window, tmp_path, qtbot, monkeypatch
):
    asked_for = []
    monkeypatch.setattr("desktop.ui.files.choose_files", lambda *_: asked_for.append(1))
    window = real_window(tmp_path / "library")
    click(qtbot, window.library_panel.drop_zone)
    assert asked_for == [1]
    early = []

    def look():
        for each, record in zip(rows(window), window._model.records(), strict=False):
            if "You can ask now" in each.detail:
                early.append(record.searchable)
            assert "few seconds" not in each.detail
        return bool(rows(window)) and all(each.action == "" for each in rows(window))

    file = excerpt(tmp_path / "station.pdf", 0, *range(TERMINALS - 2, TERMINALS + 3))
    drop(window, file)
    qtbot.waitUntil(look, timeout=LONG_MS)
    assert all(early), "it is said when it is true"
    qtbot.waitUntil(lambda: window.centre.place() == (id_of(window, "station"), 0))
    qtbot.waitUntil(lambda: window.summary.card is not None)
    card = window.summary.card

    def offered():
        names = [each.accessibleName() for each in card.findChildren(QAbstractButton)]
        return [each for each in names if each.endswith("?")]

    assert "Added: 1 manual" in read(card)
    qtbot.waitUntil(lambda: "6 pages · Edition 3" in " ".join(read(card)))
    qtbot.waitUntil(lambda: len(offered()) == 3, timeout=LONG_MS)
    assert "1.2 Nm" in ask(window, qtbot).text


def test_11_a_note_is_typed_entered_and_saved_its_fields_are_proposals(filled, qtbot):
    filled.activateWindow()
    qtbot.keyClick(filled, Qt.Key.Key_N, CONTROL | SHIFT)
    drawer = filled.notes.drawer
    qtbot.waitUntil(drawer.isVisible)
    qtbot.waitUntil(lambda: drawer.compose.text.editor.hasFocus())
    text = "Terminal X2:4 of pump P-200 needs 1.0 Nm only."
    qtbot.keyClicks(filled.focusWidget(), text)
    qtbot.keyClick(filled.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: drawer.shown is drawer.note)
    assert [each.text for each in filled._workspace.notes.list()] == [text]
    assert "Note saved" in drawer.notices.texts()
    form = drawer.note.form
    assert not form.role.isVisible(), "only to be touched if they are wrong"
    click(qtbot, form.details.button)
    qtbot.waitUntil(form.role.isVisible)
    assert "p-200" in filled._workspace.notes.list()[0].tags


def test_12_words_are_selected_marked_cited_dragged_out_and_read_beside_another_manual(
    filled, tmp_path, qtbot, dragged
):
    viewer, chosen = open_manual(filled, qtbot)
    viewer.view.go_to_page(TERMINALS)
    view = viewer.view
    qtbot.waitUntil(lambda: viewer._words.get(chosen, TERMINALS) is not None)
    words = viewer._words.get(chosen, TERMINALS)
    at = words.texts.index("Cables")
    start, end = (
        view.page_frame(TERMINALS).rect(words.box(number)).center().toPoint()
        for number in (at - 1, at)
    )
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view.viewport(), end)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=end)
    card = viewer.annotations.card
    qtbot.waitUntil(card.isVisible)
    viewer.actions_by_name["copy_citation"].trigger()
    qtbot.waitUntil(lambda: "p. 4-1" in QApplication.clipboard().text())
    assert "HX-200 Booster pump station, Installation manual" in QApplication.clipboard().text()
    click(qtbot, card.comment_button)
    qtbot.waitUntil(card.field.hasFocus)
    qtbot.keyClicks(card.field, "Ours are longer")
    qtbot.waitUntil(
        lambda: [each.comment for each in viewer.annotations.annotations] == ["Ours are longer"]
    )
    qtbot.keyClick(card.field, Qt.Key.Key_Escape)

    # a copy of the file has it, the library's own is as it was
    original = filled._workspace.library.original_path(chosen).read_bytes()
    viewer.output.choose_file = lambda _name, then: then(tmp_path / "copy.pdf")
    viewer.actions_by_name["save_highlighted"].trigger()
    qtbot.waitUntil(lambda: (tmp_path / "copy.pdf").exists())
    qtbot.waitUntil(lambda: "copy.pdf" in filled.status.message.text())
    with pymupdf.open(tmp_path / "copy.pdf") as pdf:
        assert [each.info["content"] for each in pdf[TERMINALS].annots()] == ["Ours are longer"]
    assert filled._workspace.library.original_path(chosen).read_bytes() == original

    # a picture of a place leaves the window with its citation
    crop = ask(filled, qtbot).answer.cards[0].crop
    qtbot.waitUntil(lambda: crop.drawn)
    left, middle = Qt.MouseButton.LeftButton, crop.rect().center()
    qtbot.mousePress(crop, left, pos=middle)
    qtbot.mouseMove(crop, middle + QPoint(40, 40))
    qtbot.mouseRelease(crop, left, pos=middle + QPoint(40, 40))
    ((cited, picture, _),) = dragged
    assert "p. 4-1" in cited
    assert not picture.isNull()

    # another manual is read beside it
    filled.library_panel.rows.select(id_of(filled, "operator"))
    filled.library.do_selected("beside")
    qtbot.waitUntil(lambda: filled.centre.beside is not None and filled.centre.beside.isVisible())
    assert viewer.isVisible()
    assert min(viewer.width(), filled.centre.beside.width()) >= Size.PAGE


def test_13_models_come_in_with_progress_are_picked_where_one_asks_and_say_their_speed(
    window, tmp_path, qtbot
):
    pages = model("colqwen", "ColQwen2", "pages", state="available", licence="MIT")
    manager = FakeManager(pages)
    packs = FakePacks(manager)
    packs.offers["colqwen"] = Offer("huggingface.co", "huggingface.co/x", 5 * GB, "MIT")
    workspace = fake_workspace(tmp_path, manual(1, "Pump"))
    window.open_workspace(workspace)
    window.models.open(manager, packs)
    window.models.show_page()
    page = window.models.page
    qtbot.waitUntil(lambda: page.models.row("colqwen") is not None)
    packs.hold.clear()
    try:
        click(qtbot, button(page, "Download ColQwen2"))
        (question,) = [each for each in page.findChildren(QDialog) if each.isVisible()]
        assert any("huggingface.co" in each for each in read(question))
        click(qtbot, button(question, "Download 5 GB"))
        qtbot.waitUntil(lambda: any("%" in each for each in page.tasks.texts()))
        assert window.status.offline.text() == "Online: downloading a model"
        packs.hold.set()
        qtbot.waitUntil(lambda: "Installed" in read(page.models.row("colqwen")))
        assert window.status.offline.text() == "Offline"
        packs.hold.clear()
        made = tmp_path / "granite"
        made.mkdir()
        drop(page, made)
        qtbot.waitUntil(lambda: page.tasks.texts() == ["Importing granite: copying, 86%"])
        packs.hold.set()
        qtbot.waitUntil(lambda: page.models.row("granite") is not None)
    finally:
        packs.hold.set()
    manager.choices = [
        replace(each, missing=(), chosen=each.id == "field", speed=Speed(812, 9.1))
        if each.id == "field"
        else replace(each, chosen=False)
        for each in manager.choices
    ]
    manager.tell()
    picker = window.chat.composer.model
    qtbot.waitUntil(lambda: "writes 9.1 tokens a second" in picker.toolTip())
    assert picker.isVisible()
    lite, field, *_ = picker.menu().actions()
    assert field.isChecked()
    lite.trigger()
    qtbot.waitUntil(lambda: ("choose", "lite") in manager.calls)
    page.close()


WORST = {
    "Bring manuals": "Add your manuals",
    "Taking in manuals": "Import…",
    "Usually: Like the system.": "Default: {value}.",
    "The question ended: cancelled.": "Stopped by you.",
    "Your notes will stand here.": "No matching notes",
    "Kept 1 note, used from the next question on.": "Note saved",
    "The password is not right.": "Wrong password",
    "connections made: 0": "Offline",
}
"""Of the sentences that were worst: how each is said now."""


def test_14_plain_english_and_german_and_the_language_changes_while_one_works(
    show, tmp_path, qtbot, monkeypatch
):
    monkeypatch.setattr("desktop.ui.viewer.centre.make_viewer", FakeViewer)
    tree = ET.parse(resource("translations", "groundwork_de.ts"))
    german = {
        str(each.findtext("source")): each.findtext("translation") for each in tree.iter("message")
    }
    assert len(german) > 1210
    assert not [each for each in WORST if each in german]
    assert [now for now in WORST.values() if now not in german] == []
    assert not [each for each in german if "cannot be relied on" in each]

    workspace = fake_workspace(tmp_path, manual(1, "Pump"))
    workspace.answer = scripts.answered()
    shown = show(workspace)
    assert shown.window.menuBar().actions()[0].text() == "&File"
    shown.window.chat.composer.field.setPlainText("And the torque of")
    choose_language(shown, "de")
    wait_for_language(shown, qtbot, "de")
    window = shown.window
    assert window.menuBar().actions()[0].text() == "&Datei"
    assert window.chat.composer.field.toPlainText() == "And the torque of"
    assert "Antworten" in read(window.chat.header)
    assert window.settings.page.windowTitle() == "Einstellungen"
    choose_language(shown, "en")
    wait_for_language(shown, qtbot, "en")
    assert shown.window.menuBar().actions()[0].text() == "&File"


def test_15_the_faults_that_were_seen_are_gone(window, tmp_path, qtbot):
    locked = manual(2, "Secret", "needs_password", 0)
    workspace = fake_workspace(tmp_path, manual(1, "Pump"), locked)
    workspace.ingestion.passwords[2] = "hunter2"
    window.open_workspace(workspace)

    # a wrong password leaves its dialog open
    name = "Enter the password for Secret"
    qtbot.waitUntil(
        lambda: name in [each.accessibleName() for each in window.findChildren(QToolButton)]
    )
    click(qtbot, button(window, name))
    dialog = window.findChild(QDialog)
    field = dialog.findChild(QLineEdit)
    qtbot.keyClicks(field, "hunter1")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Wrong password" in read(dialog))
    assert dialog.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    # the menu of manuals is whole on the screen
    menu, seen = window.chat.composer.scope.menu(), []

    def look():
        seen.append(menu.geometry())
        menu.close()

    menu.aboutToShow.connect(lambda: QTimer.singleShot(50, menu, look))
    click(qtbot, window.chat.composer.scope)
    (whole,) = seen
    assert window.screen().geometry().contains(whole)

    # a title without room ends in an ellipsis
    cut, _ = RowText("", "Operation and maintenance " * 9, "40 pages", 2)._cut(200)
    assert cut[0].endswith("…")

    # the window fits the screen of a small laptop, with its frame
    assert main_window.FIRST_SIZE.width() <= 1440
    assert (main_window.FIRST_SIZE + main_window.OF_SYSTEM).height() <= 900 - 28

    # menus begin with what one begins with; the clock means conversations alone
    files = window.menuBar().actions()[0].menu().actions()
    assert files[0].text() == "Add manuals…"
    assert not any("Print" in each.text() for each in files[:4])

    # the settings come up where they did
    places = set()
    window.settings.show_page()
    for _ in range(3):
        window.settings.page.hide()
        window.settings.show_page()
        qtbot.wait(10)
        places.add(window.settings.page.pos().toTuple())
    window.settings.page.close()
    assert len(places) == 1

    # a long question folds
    workspace.answer = scripts.answered()
    long = _asked(window, qtbot, "How long does the test last? " * 40)
    assert long.head.height() < window.height() // 4


def test_15_an_empty_library_is_asked_and_what_it_knows_shows_no_prompts(window, tmp_path, qtbot):
    workspace = fake_workspace(tmp_path)
    workspace.answer = [
        TokenEvent("There are no manuals in this library yet. Add PDF files or a folder."),
        CompleteEvent("impossible", 100.0, 1),
    ]
    window.open_workspace(workspace)
    turn = _asked(window, qtbot, "How long?")
    said = " ".join(read(turn))
    assert "impossible" not in said.lower()
    assert "groundwork " not in said
    qtbot.waitUntil(lambda: "Add manuals…" in read(turn))


def test_15_an_english_question_opens_the_german_page_without_a_denial_above_it(
    real_window, tmp_path, qtbot
):
    with pymupdf.open() as pdf:
        for heading, text in (
            ("Sicherheit", "Trennen Sie das Gerät vom Netz, bevor Sie es öffnen."),
            ("Batterie", "Die Batterie wird alle 5 Jahre ausgetauscht."),
            ("Reinigung", "Reinigen Sie das Gehäuse mit einem trockenen Tuch."),
        ):
            page = pdf.new_page()
            page.insert_text((72, 90), heading, fontsize=18, fontname="hebo")
            page.insert_text((72, 130), text)
        pdf.save(tmp_path / "batterie.pdf")
    window = real_window(tmp_path / "library")
    drop(window, tmp_path / "batterie.pdf")
    qtbot.waitUntil(
        lambda: bool(rows(window)) and all(each.action == "" for each in rows(window)),
        timeout=LONG_MS,
    )
    turn = ask(window, qtbot, "How often is the battery replaced?")
    said = " ".join(read(turn))
    assert "do not answer" not in said
    shown = [each.source.page for each in turn.citations] or [
        each.page for each in turn.nearest_pages
    ]
    assert shown[0] == 1
    assert "alle 5 Jahre" in said


def _asked(window, qtbot, question):
    window.chat.composer.field.setPlainText(question)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running)
    return turn
