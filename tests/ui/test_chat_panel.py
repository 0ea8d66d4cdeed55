from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    ErrorEvent,
    PageRegion,
    RevisionEvent,
    TextPiece,
    TokenEvent,
    WarningBlockEvent,
)
from desktop.core.geometry import Box
from desktop.ui.chat.answer_text import answer_blocks, cited_in
from desktop.ui.chat.answer_view import REDRAW_MS
from desktop.ui.chat.turn_parts import FoldedText, ProblemBlock, SafetyBlock
from desktop.ui.design.theme import apply_theme, colours
from tests.ui import scripts
from tests.ui.fake_workspace import fake_workspace, manual

EVIL = (
    '<img src="file:///etc/hostname"><img src="http://127.0.0.1:9/x.png">'
    '<a href="file:///etc/passwd">here</a><script>1</script>'
)


@pytest.fixture
def ask(window, qtbot, tmp_path, viewer):
    """Open a library of three manuals and ask; returns the turn, ended unless held."""

    def run(events, *, hold=False):
        manuals = [manual(1, "Operator"), manual(2, "Installer"), manual(3, "Display")]
        workspace = fake_workspace(tmp_path, *manuals, hold=hold)
        workspace.answer = events
        window.held_runs = [workspace.hold]
        window.workspace_in_test = workspace
        window.open_workspace(workspace)
        qtbot.waitUntil(lambda: viewer() is not None)
        qtbot.keyClicks(window.chat.composer.field, "How long?")
        qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
        turn = window.chat.turns[-1]
        if not hold:
            qtbot.waitUntil(lambda: not turn.running)
        return turn

    return run


def visible_texts(widget):
    return [each.text() for each in widget.findChildren(QLabel) if each.isVisible()]


def test_enter_sends_and_shift_enter_breaks_the_line(window, qtbot, tmp_path):
    workspace = fake_workspace(tmp_path, manual(1, "Operator"))
    workspace.answer = scripts.answered()
    window.open_workspace(workspace)
    field = window.chat.composer.field
    qtbot.keyClicks(field, "one")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(field, "two")
    assert workspace.asked == []
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert workspace.asked == [("one\ntwo", frozenset())]
    assert field.toPlainText() == ""


def test_a_streamed_answer_shows_text_chips_warning_and_sources(ask, qtbot):
    turn = ask(scripts.answered())
    (prose,) = turn.answer.prose
    shown = " ".join(prose.toPlainText().split())  # the gaps of a chip are of any width
    assert "The battery test lasts 24 hours and repeats hourly. p. 5-4" in shown
    assert [number for number, _, _ in prose.chip_areas()] == [1, 2]
    assert [each.title for each in turn.sources.cards] == ["Operator", "Installer"]
    names = [chip.accessibleName() for card in turn.sources.cards for chip in card.chips.values()]
    assert names == ["page 5-4, Operator", "page 4-11, Installer"]
    block = turn.findChild(SafetyBlock)
    qtbot.waitUntil(block.isVisible)
    assert visible_texts(block)[0] == "WARNING"
    assert "dangerous voltage for 5 minutes." in block.accessibleName()


def test_the_first_cited_page_is_shown_as_soon_as_the_answer_is_complete(ask, viewer):
    ask(scripts.answered())
    assert viewer().shown == [([scripts.BATTERY, scripts.TEST_ROW], 0)]


def test_what_a_written_answer_cites_is_pictured_below_it_once_it_is_complete(ask, viewer):
    turn = ask(scripts.answered())
    assert [each.numbers for each in turn.answer.pictured] == [[1], [2]]
    names = [each.crop.accessibleName() for each in turn.answer.pictured]
    assert names == ["Picture of page 5-4, Operator", "Picture of page 4-11, Installer"]
    turn.answer.pictured[1].crop.click()
    assert viewer().shown[-1][1] == 1
    turn.answer.light(2)
    assert [each.chip.lit for each in turn.answer.pictured] == [False, True]


def test_what_one_page_says_is_one_picture_and_what_is_withdrawn_is_none():
    cited = {n: CitationEvent(n, scripts.BATTERY, "") for n in (1, 2)}
    cited |= {3: CitationEvent(3, scripts.TEST_ROW, "")}
    pieces = [TextPiece("One [2], two [1]."), TextPiece(" Three [3].", withdrawn=True)]
    assert cited_in(answer_blocks(pieces, cited), cited) == [[2, 1]]


def test_a_chip_opens_the_page_with_its_regions(ask, viewer):
    turn = ask(scripts.answered())
    turn.answer.prose[0].anchorClicked.emit(QUrl("cite:2"))
    places, current = viewer().shown[-1]
    assert current == 1
    assert [place.label for place in places] == ["5-4", "4-11"]
    assert places[current].regions == scripts.TEST_ROW.regions


def test_a_chip_is_reached_and_opened_with_the_keyboard(ask, viewer, qtbot):
    turn = ask(scripts.answered())
    viewer().shown.clear()
    (prose,) = turn.answer.prose
    prose.setFocus()
    qtbot.keyClick(prose, Qt.Key.Key_Tab)
    qtbot.keyClick(prose, Qt.Key.Key_Return)
    assert viewer().shown[-1][1] == 0


def test_markup_in_an_answer_is_shown_as_text_and_loads_nothing(ask):
    evil = PageRegion(9, EVIL, 0, EVIL, ())
    turn = ask(
        [
            TokenEvent(EVIL),
            CitationEvent(1, evil, EVIL),
            TokenEvent(" [1]"),
            WarningBlockEvent("DANGER", EVIL, evil),
            CompleteEvent("answered", 1.0, 1),
        ]
    )
    (prose,) = turn.answer.prose
    assert EVIL in prose.toPlainText()
    assert prose.refused == []
    assert "<img" not in prose.toHtml()
    for each in turn.findChildren(QLabel):
        assert each.textFormat() == Qt.TextFormat.PlainText


def test_the_answer_view_follows_no_foreign_link_and_opens_no_file(ask, viewer):
    turn = ask(scripts.answered())
    (prose,) = turn.answer.prose
    before = prose.toPlainText()
    viewer().shown.clear()
    for address in ("file:///etc/passwd", "http://127.0.0.1:9/", "cite:99", "cite:x"):
        prose.anchorClicked.emit(QUrl(address))
    prose.setSource(QUrl("file:///etc/hostname"))
    assert prose.toPlainText() == before
    assert viewer().shown == []


def test_stop_cancels_the_question_and_the_field_stays_usable(ask, window, qtbot):
    turn = ask(scripts.answered(), hold=True)
    button = window.chat.composer.button
    assert button.accessibleName() == "Stop"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: turn.outcome == "cancelled")
    assert "Stopped by you." in visible_texts(turn)
    assert button.accessibleName() == "Ask"


def test_a_new_question_silences_the_one_before(ask, window, qtbot):
    first = ask(scripts.answered(), hold=True)
    qtbot.waitUntil(lambda: bool(first.text))
    window.chat.ask("Something else?")
    assert first.outcome == "cancelled"
    length = len(first.text)
    window.workspace_in_test.hold.set()
    second = window.chat.turns[-1]
    qtbot.waitUntil(lambda: second.outcome == "answered")
    assert len(first.text) == length


def test_a_refusal_shows_the_nearest_lines_as_what_may_answer(ask, viewer, qtbot):
    turn = ask(scripts.not_found())
    texts = visible_texts(turn)
    assert [text for text in texts if "your manuals" in text] == [
        "Not sure your manuals answer this"
    ]
    assert "Searched: Display; Installer; Operator." in texts
    assert not turn.answer.isVisible()
    assert "The nearest lines:" in texts
    assert turn.sources.isHidden()
    (places, current) = viewer().shown[-1]
    assert (places[current], current) == (scripts.BATTERY, 0), "the nearest line is in view"
    qtbot.mouseClick(turn.nearest.cards[1].chip, Qt.MouseButton.LeftButton)
    assert viewer().shown[-1][1] == 1


def test_what_was_quoted_and_taken_back_is_no_source_of_a_refusal(ask):
    *steps, done = scripts.not_found()
    turn = ask([*steps, CitationEvent(1, scripts.BATTERY, "The test lasts 24 hours."), done])
    assert not turn.sources.isVisible()


def test_a_refusal_is_said_once_also_after_the_look_has_changed(ask, qtbot):
    turn = ask(scripts.not_found())
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, Qt.ColorScheme.Dark)
    try:
        qtbot.wait(4 * REDRAW_MS)
        assert not turn.answer.isVisible()
    finally:
        apply_theme(application, Qt.ColorScheme.Light)


def test_a_failure_says_what_to_do_and_can_be_asked_again(ask, window, qtbot):
    turn = ask(scripts.failed())
    problem = turn.findChild(ProblemBlock)
    qtbot.waitUntil(lambda: len(visible_texts(problem)) > 1)
    assert visible_texts(problem)[0] == "The library file is damaged."
    assert "Put a backup" in visible_texts(problem)[1]
    problem.findChild(QPushButton).click()
    assert len(window.workspace_in_test.asked) == 2


def test_a_run_that_breaks_off_without_a_word_counts_as_failed(ask):
    turn = ask([TokenEvent("half an ans")])
    assert turn.outcome == "failed"
    assert turn.findChild(ProblemBlock) is not None


def test_copying_takes_the_answer_with_warnings_and_sources(ask):
    turn = ask(scripts.answered())
    turn.copy()
    text = QApplication.clipboard().text()
    assert "hourly. [1]" in text
    assert "[2] Installer, page 4-11: “Menu 41 · Test interval · 1 h · J1C”" in text
    assert "WARNING: Disconnect the mains supply" in text


def test_only_the_ticked_manuals_are_asked(ask, window):
    ask(scripts.answered())
    scope = window.chat.composer.scope
    assert scope.text().strip() == "All manuals (3)"
    scope.select([1, 3])
    assert scope.text().strip() == "2 manuals"
    window.chat.ask("Again?")
    assert window.workspace_in_test.asked[-1][1] == frozenset({1, 3})
    scope.select([1, 2, 3])
    assert scope.text().strip() == "All manuals (3)"


def test_before_the_first_question_lite_says_that_answers_are_quoted(window, tmp_path):
    window.open_workspace(fake_workspace(tmp_path, manual(1, "Operator")))
    notice = "Answers are quoted from the manuals; no language model is installed."
    assert notice in visible_texts(window.chat)


def test_citations_of_one_page_share_a_chip_and_do_not_repeat_the_answer(ask, viewer, qtbot):
    first = PageRegion(1, "operator.pdf", 13, "4-6", (Box(10, 10, 90, 20),))
    second = PageRegion(1, "operator.pdf", 13, "4-6", (Box(10, 30, 90, 40),))
    turn = ask(
        [
            TokenEvent("1. Fix the box."),
            CitationEvent(1, first, "1. Fix the  box."),
            TokenEvent(" [1]\n2. Insert the fuse."),
            CitationEvent(2, second, "2. Insert the fuse."),
            TokenEvent(" [2]"),
            CompleteEvent("answered", 5.0, 2),
        ]
    )
    (card,) = turn.sources.cards
    assert card.chips[1] is card.chips[2]
    assert card.chips[1].accessibleName() == "page 4-6, Operator"
    assert not [text for text in visible_texts(turn.sources) if "fuse" in text]
    turn.answer.citation_clicked.emit(2)
    assert viewer().shown[-1] == ([first, second], 1)


def test_a_long_warning_shows_its_first_line_and_the_rest_on_a_click(ask, qtbot):
    place = PageRegion(1, "operator.pdf", 11, "5-2", ())
    long, short = " ".join(["Do not open the housing under voltage."] * 9), "Hot."
    warnings = [WarningBlockEvent("DANGER", each, place) for each in (long, short)]
    turn = ask([TokenEvent("Pull X9."), *warnings, CompleteEvent("answered", 5.0, 2)])
    folded, whole = turn.findChildren(FoldedText)
    qtbot.waitUntil(lambda: folded.text.text().endswith("…"))
    assert folded.text.text().startswith("Do not open")
    assert "\n" not in folded.text.text()
    assert folded.text.accessibleName() == long
    assert whole.text.text() == short
    assert not whole.unfold.isVisible()
    qtbot.mouseClick(folded.text, Qt.MouseButton.LeftButton)
    assert folded.text.text() == long
    qtbot.mouseClick(folded.unfold, Qt.MouseButton.LeftButton)
    assert folded.text.text().endswith("…")


def test_a_new_question_takes_the_old_marks_off_the_pages(ask, window, viewer, qtbot):
    ask(scripts.answered())
    pages = viewer()
    before = pages.cleared
    window.chat.ask("How wide?")
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)
    assert pages.cleared == before + 1


def test_what_can_hurt_stands_above_the_steps_and_a_note_below_them(ask, qtbot):
    place = PageRegion(1, "operator.pdf", 11, "5-2", ())
    turn = ask(
        [
            TokenEvent("1. Pull plug X9."),
            WarningBlockEvent("WARNING", "Danger of explosion.", place),
            WarningBlockEvent("NOTE", "Recycle the battery.", place),
            CompleteEvent("answered", 5.0, 2),
        ]
    )
    warning, note = turn.findChildren(SafetyBlock)
    qtbot.waitUntil(lambda: warning.geometry().bottom() < turn.answer.geometry().top())
    qtbot.waitUntil(lambda: turn.answer.geometry().bottom() < note.geometry().top())


def revised():
    source = PageRegion(1, "operator.pdf", 4, "5-4", (Box(1, 2, 3, 4),))
    said = "The test lasts 24 hours and needs 90 W."
    return [
        TokenEvent(f"{said} It is <b>fun</b>."),
        CitationEvent(1, source, "24 hours"),
        RevisionEvent(0, 0, said, said, ("90 W",)),
        RevisionEvent(1, 40, "It is <b>fun</b>.", ""),
        TokenEvent(" [1]"),
        ErrorEvent("The answer hit its length limit and ends early.", True, "Ask for the rest."),
        CompleteEvent("answered", 12.0, 2),
    ]


def format_at(turn, words):
    cursor = turn.answer.prose[0].document().find(words)
    assert not cursor.isNull()
    return cursor.charFormat()


def test_what_the_pages_do_not_say_is_amber_and_what_was_withdrawn_is_struck_out(ask):
    turn = ask(revised())
    amber = format_at(turn, "90 W")
    assert amber.foreground().color().name() == colours().attention
    assert "do not say this: 90 W" in amber.toolTip()
    struck = format_at(turn, "fun</b>")
    assert struck.fontStrikeOut()
    assert "Withdrawn" in struck.toolTip()
    assert not format_at(turn, "5-4").fontStrikeOut()


def test_a_withdrawn_sentence_is_not_copied(ask):
    turn = ask(revised())
    turn.copy()
    copied = QApplication.clipboard().text()
    assert "The test lasts 24 hours and needs 90 W. [1]" in copied
    assert "fun" not in copied


def test_what_went_wrong_on_the_way_to_an_answer_stands_below_it(ask, qtbot):
    turn = ask(revised())
    notice = "The answer hit its length limit and ends early. Ask for the rest."
    qtbot.waitUntil(lambda: notice in visible_texts(turn))


def test_what_an_empty_library_answers_leads_to_adding_manuals(
    window, tmp_path, qtbot, monkeypatch
):
    asked = []
    monkeypatch.setattr("desktop.ui.files.choose_files", lambda *_: asked.append(1))
    workspace = fake_workspace(tmp_path)
    workspace.answer = [
        TokenEvent("There are no manuals in this library yet. Add PDF files or a folder."),
        CompleteEvent("impossible", 100.0, 1),
    ]
    window.open_workspace(workspace)
    window.chat.ask("How long?")
    turn = window.chat.turns[-1]
    qtbot.waitUntil(lambda: not turn.running)
    assert turn.text.startswith("There are no manuals")
    assert turn.reasoning.isHidden()
    assert turn._footer.wrong_button.isHidden()
    assert turn._footer.again_button.isVisible()
    (add,) = [each for each in turn.findChildren(QPushButton) if each.text() == "Add manuals…"]
    qtbot.mouseClick(add, Qt.MouseButton.LeftButton)
    assert asked == [1]
