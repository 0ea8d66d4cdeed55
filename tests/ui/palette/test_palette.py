"""Going to anything by its name: manuals, pages, headings, actions and questions, by keyboard."""

from __future__ import annotations

from typing import Any, cast

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QAction, QColor, QFontMetrics
from PySide6.QtWidgets import QApplication

from desktop.core.geometry import Box
from desktop.core.library.contents import Heading, LabelledPage, TextPlace
from desktop.ui.design.theme import colours
from desktop.ui.palette.search import (
    USUAL_ACTIONS,
    Entry,
    PaletteSearch,
    best,
    needle_of,
    words_of,
)
from desktop.ui.palette.view import FROM_TOP, WIDTH, ResultModel, right_text
from tests.fakes.conversations import FakeConversations
from tests.ui.fake_workspace import FakeLibrary, fake_workspace, manual

SHELF = (
    manual(1, "Boiler B7 service manual", site="SITE 12", used_at="2026-01-03"),
    manual(2, "Pump P-200", tags=("hydraulics",), used_at="2026-01-04"),
    manual(3, "Pump housing drawings"),
)
HEADINGS = [
    Heading(1, 4, "2-3", "Battery test", ("Tests",)),
    Heading(2, 8, "4-1", "Replacing the battery", ()),
    Heading(9, 1, "2", "Battery of a manual that is being removed", ()),
]
LABELS = [LabelledPage(1, 30, "4-11"), LabelledPage(2, 12, "4-1"), LabelledPage(2, 40, "4-11")]
BOX = Box(10, 10, 90, 20)
ACTIONS = [Entry("action", "Zoom In", "View", "View", "Ctrl++", 0)]


def best_titles(text, *entries):
    return [each.title for each in best(needle_of(text), entries, 9)]


def manuals(*titles):
    return [Entry("manual", title) for title in titles]


def test_every_word_begins_a_word_of_the_title_or_of_what_else_is_known():
    entries = [*manuals("Pump P-200", "Pumpkin"), Entry("manual", "Valve", also="SITE 12 pump")]
    assert best_titles("pu", *entries) == ["Pumpkin", "Pump P-200", "Valve"]
    assert best_titles("p-200", *entries) == ["Pump P-200"]
    assert best_titles("site 12", *entries) == ["Valve"]
    assert best_titles("umpkin", *entries) == []
    assert best_titles("4-1", *manuals("4.1 Tests", "1.4 Fuses", "4.3.1 Lamps")) == ["4.1 Tests"]
    assert best_titles("pump valve pumpkin", *entries) == []


def test_whole_words_and_words_in_order_come_first():
    entries = manuals("Reset of the pump", "Pumping", "Pump", "Pump reset")
    assert best_titles("pump", *entries)[:2] == ["Pump", "Pump reset"]
    assert best_titles("pump reset", *entries)[0] == "Pump reset"


@pytest.fixture
def search(tmp_path):
    library = FakeLibrary(tmp_path, SHELF)

    def headings(text, limit=50):  # every word begins a word, as in the library
        return [each for each in HEADINGS if begins(words_of(text), words_of(each.title))]

    library.headings = headings  # type: ignore[method-assign]
    library.known_labels = LABELS
    conversations = FakeConversations()
    conversations.add_turn(conversations.create(), "How long does the battery test last?", [])
    asked = conversations.recent_questions
    return PaletteSearch(SHELF, ACTIONS, cast("Any", library), asked, manual_in_view=2)


def begins(words, title):
    return all(any(own.startswith(word) for own in title) for word in words)


def places(found, kind):
    return [(each.title, each.number, each.page) for each in found if each.kind == kind]


def test_without_words_it_offers_what_was_used_last(search):
    search.actions = [*ACTIONS, Entry("action", "Models"), Entry("action", "Add manuals")]
    search.used_actions = ["Zoom In", "Of a menu that is dimmed now"]
    found = search.find("")
    assert [each.title for each in found] == [
        "Recent questions",
        "How long does the battery test last?",
        "Manuals",
        "Pump P-200",
        "Boiler B7 service manual",
        "Pump housing drawings",  # nobody has opened it yet
        "Actions",
        "Zoom In",
        "Add manuals",
        "Models",
    ]


def test_manuals_that_nobody_opened_fill_up_the_recent_ones_the_newest_first(search):
    search.manuals = [
        *SHELF[:2],
        *(manual(n, f"New {n}", added_at=f"2026-03-{n:02}T10:00:00Z") for n in range(3, 9)),
    ]
    found = [each.title for each in search.find("") if each.kind == "manual"]
    assert found == ["Pump P-200", "Boiler B7 service manual", "New 8", "New 7", "New 6"]


def test_a_printed_number_goes_to_its_page_first_of_the_manual_in_view(search):
    assert places(search.find("4-11"), "page") == [("Page 4-11", 2, 40), ("Page 4-11", 1, 30)]
    first = [each.title for each in search.find("4-1")[:3]]
    assert first == ["Page 4-1", "Page 4-11", "Page 4-11"]
    assert places(search.find("boiler 4-11"), "page") == [("Page 4-11", 1, 30)]
    assert places(search.find("valve 4-11"), "page") == []


def test_headings_are_found_alone_and_with_words_of_their_manual(search):
    found = search.find("battery")
    assert places(found, "heading") == [
        ("Battery test", 1, 4),
        ("Replacing the battery", 2, 8),
    ]
    assert found[0].detail == "page 2-3 · Boiler B7 service manual"
    assert places(search.find("pump battery"), "heading") == [("Replacing the battery", 2, 8)]


def test_a_line_of_contents_is_not_found_beside_the_heading_that_it_leads_to(search):
    search.library.known_words = [
        TextPlace(1, 1, "ii", "Battery test | 2-3", (BOX,)),
        TextPlace(1, 4, "2-3", "Battery test | 24 h", (BOX,)),
        TextPlace(1, 5, "2-4", "The battery test lasts a day.", (BOX,)),
    ]
    assert [place for _, *place in places(search.find("battery test"), "text")] == [[1, 4], [1, 5]]


def test_questions_tags_and_actions_are_found(search):
    assert places(search.find("how long"), "question")
    assert places(search.find("hydr"), "manual") == [("Pump P-200", 2, 0)]
    assert [each.keys for each in search.find("zoom")] == ["Ctrl++", ""]  # the last one asks
    assert search.find("?!") == search.find("")


# in the window


@pytest.fixture
def palette(window, tmp_path, qtbot, viewer):
    workspace = fake_workspace(tmp_path, *SHELF)
    workspace.library.known_headings = HEADINGS
    workspace.library.known_labels = LABELS
    workspace.library.known_words = [TextPlace(1, 4, "2-3", "PE stud | 6 Nm | Ring lug", (BOX,))]
    window.open_workspace(workspace)
    qtbot.waitUntil(lambda: viewer() is not None)
    return window.palette_panel.panel


def press_keys_of_palette(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)


def shown(palette):
    entries = (palette.model.index(at, 0) for at in range(palette.model.rowCount()))
    return [each.data(ResultModel.EntryRole).title for each in entries]


def type_in(palette, qtbot, text, expected):
    palette.field.clear()
    qtbot.keyClicks(palette.field, text)
    qtbot.waitUntil(lambda: expected in shown(palette)[:1])


def test_the_palette_opens_a_page_by_keyboard_alone(window, palette, qtbot, viewer):
    window.activateWindow()
    window.focus_library()
    press_keys_of_palette(window, qtbot)
    assert palette.isVisible()
    assert palette.field.hasFocus() or QApplication.focusWidget() is palette.field
    type_in(palette, qtbot, "replacing", "Replacing the battery")
    assert palette.field.accessibleDescription().startswith("Replacing the battery, heading")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert viewer().opened[-1] == (2, 8)


def test_arrows_choose_among_what_was_found_and_escape_leaves(window, palette, qtbot, viewer):
    window.library_panel.rows.setFocus()
    window.palette_panel.show()
    type_in(palette, qtbot, "4-11", "Page 4-11")
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert viewer().opened[-1] == (2, 40)
    window.palette_panel.show()
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert viewer().opened[-1] == (2, 40)


def test_an_action_of_any_menu_is_carried_out(window, palette, qtbot):
    window.palette_panel.show()
    type_in(palette, qtbot, "filter manuals", "Filter manuals")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.library_panel.filter_field.isVisible()
    window.palette_panel.show()
    palette.field.clear()
    qtbot.keyClicks(palette.field, "go to anything")
    qtbot.waitUntil(lambda: shown(palette) == ["Ask “go to anything”"])


def test_the_last_row_asks_what_is_typed(window, palette, qtbot):
    window.palette_panel.show()
    qtbot.keyClicks(palette.field, "why does it leak")
    qtbot.waitUntil(lambda: shown(palette) == ["Ask “why does it leak”"])
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert window.chat.turns[-1].question == "why does it leak"
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)


def test_words_of_the_manuals_are_found_and_shown_marked_on_their_page(
    window, palette, qtbot, viewer
):
    window.palette_panel.show()
    type_in(palette, qtbot, "ring lug", "PE stud · 6 Nm · Ring lug")
    assert shown(palette)[-1] == "Ask “ring lug”"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    place = viewer().shown[-1][0][0]
    assert (place.document_id, place.page, place.regions) == (1, 4, (BOX,))


def test_before_typing_questions_manuals_and_actions_are_there(window, palette, qtbot):
    window.palette_panel.show()
    qtbot.waitUntil(lambda: len(shown(palette)) > 5)
    assert shown(palette)[:2] == ["Manuals", "Pump P-200"]
    assert shown(palette)[4:7] == ["Actions", "Add manuals", "New note"]
    texts = {action.text() for action in window.findChildren(QAction)}
    assert texts >= set(USUAL_ACTIONS)


def test_headings_are_passed_over_and_do_nothing(window, palette, qtbot, viewer):
    window.palette_panel.show()
    qtbot.waitUntil(lambda: len(shown(palette)) > 5)
    chosen = lambda: palette.list.currentIndex().data()  # noqa: E731 - asked again and again
    assert chosen() == "Pump P-200"
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    assert chosen() == "Pump P-200"
    heading = palette.list.visualRect(palette.model.index(4, 0)).center()
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=heading)
    assert palette.isVisible()
    for _ in range(3):
        qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    assert chosen() == "Add manuals"
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    assert chosen() == "Pump housing drawings"


def test_the_action_that_was_used_last_is_the_first_to_be_offered(window, palette, qtbot):
    for _ in range(2):
        window.palette_panel.show()
        type_in(palette, qtbot, "filter manuals", "Filter manuals")
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    window.palette_panel.show()
    qtbot.waitUntil(lambda: "Actions" in shown(palette))
    assert shown(palette)[5:] == [
        "Filter manuals",
        "Add manuals",
        "New note",
        "Settings",
        "Models",
    ]


def test_a_question_of_before_opens_its_conversation(window, palette, qtbot):
    window.chat.ask("How long does the battery test last?")
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)
    window.conversations.new()
    assert window.chat.turns == []
    window.palette_panel.show()
    type_in(palette, qtbot, "how long does", "How long does the battery test last?")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(window.chat.turns) == 1)


def test_a_row_keeps_the_page_and_both_ends_of_a_long_title(qapp):
    metrics = QFontMetrics(QApplication.font())
    detail = "page 5-1 · HX-200 Booster pump station, Operator manual"
    shown = right_text(Entry("heading", "Battery tests", detail), metrics, 230)
    assert metrics.horizontalAdvance(shown) <= 230
    assert shown.startswith("page 5-1 · HX-200")
    assert shown.endswith("manual")


def test_the_palette_is_a_card_with_a_shadow_around_it(window, palette):
    window.palette_panel.show()
    card = palette.card()
    top_left = palette.mapTo(window, QPoint(round(card.left()), round(card.top())))
    assert (top_left.y(), card.width()) == (FROM_TOP, WIDTH)
    assert abs(2 * top_left.x() + WIDTH - window.width()) <= 1
    inside = palette.field.geometry()
    assert card.contains(QRectF(inside))
    below = palette.grab().toImage().pixelColor(palette.width() // 2, palette.height() - 12)
    assert below != QColor(colours().surface)
