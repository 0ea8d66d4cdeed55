"""Quotes as cards: the value that leads, small tables, numbered steps, pictures of the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QPixmap, QTextLayout
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop.core.events import (
    CitationEvent,
    CompleteEvent,
    ConfidenceEvent,
    NearestPageEvent,
    PageRegion,
    QuotedForm,
    TextPiece,
    TokenEvent,
)
from desktop.core.geometry import Box
from desktop.core.library.values import FileRefused, WantedRead
from desktop.ui.chat.answer_text import Prose, Quoted, answer_blocks
from desktop.ui.chat.quoted_card import ListedStep
from desktop.ui.chat.turn_parts import SurenessLine
from desktop.ui.design.theme import Look, scaled_font, theme
from desktop.ui.design.tokens import Size, Type
from desktop.ui.wording import unbroken, unbroken_value

HEADINGS = ("Terminal", "Screw", "Torque")
SECTION = ("4.3 Torques", "Table 4-2 Tightening torques")


def place(page=8, top=10.0):
    return PageRegion(1, "operator.pdf", page, f"4-{page}", (Box(10, top, 90, top + 8),))


def row(number, cells, asked=-1, top=10.0):
    told = "; ".join(f"{a}: {b}" for a, b in zip(HEADINGS, cells, strict=True))
    form = QuotedForm("row", told, SECTION, HEADINGS, cells, asked)
    return CitationEvent(number, place(top=top), " | ".join(cells), form=form)


def step(number, text):
    form = QuotedForm("step", text, ("5.4 Replacing the battery",))
    return CitationEvent(number, place(11, 10.0 * number), text, form=form)


TORQUE = row(1, ("X2:1", "PZ 2", "1.2 Nm"), 2)


def said(*citations, chance=0.9, more=""):
    events = []
    for each in citations:
        events += [each, TokenEvent(f"{each.form.told} [{each.number}]\n")]
    return [
        *events,
        TokenEvent(more),
        ConfidenceEvent(chance, "found by words"),
        CompleteEvent("answered", 700.0, 2),
    ]


NO_BREAK = "\N{NO-BREAK SPACE}"


def texts(widget):
    shown = [each for each in widget.findChildren(QLabel) if each.isVisibleTo(widget)]
    return [each.text().replace("\N{NO-BREAK SPACE}", " ") for each in shown]


def test_the_value_that_answers_leads_large_with_what_it_is_below(ask):
    (card,) = ask(said(TORQUE)).answer.cards
    assert card.fact.text() == "1.2\N{NO-BREAK SPACE}Nm"
    assert card.fact.font().pointSizeF() == scaled_font(Type.FACT).pointSizeF()
    assert texts(card)[1] == "Torque · X2:1"
    assert card.chips[1].text() == "p. 4-8"


@pytest.mark.parametrize("value", ["36 µL/min", "820 m/min", "12 Nm"])
def test_a_value_keeps_its_number_and_unit_on_one_line(qapp, value):
    width = QFontMetrics(scaled_font(Type.FACT, bold=True)).horizontalAdvance(value) - 4
    layout = QTextLayout(f"to {unbroken_value(value)}", scaled_font(Type.FACT, bold=True))
    layout.beginLayout()
    first = layout.createLine()
    first.setLineWidth(width)
    layout.endLayout()
    assert first.textLength() == len("to ")


def test_no_row_is_told_with_pipes_or_as_a_list_of_pairs(ask):
    turn = ask(said(TORQUE))
    assert not [each for each in texts(turn) if "|" in each or "Torque: 1.2 Nm" in each]
    assert turn.answer.prose == []


def test_rows_of_one_table_are_one_table_with_its_headings_and_section(ask):
    turn = ask(said(row(1, ("X1", "PZ 2", "1.8 Nm")), row(2, ("X2", "PZ 2", "1.2 Nm"), top=30.0)))
    (card,) = turn.answer.cards
    shown = texts(card)
    assert shown[0] == " › ".join(SECTION)
    assert [shown.count(each) for each in (*HEADINGS, "1.8 Nm", "1.2 Nm")] == [1] * 5
    assert card.fact is None  # no cell is told apart


@pytest.mark.parametrize("cause", ["Valve shut", "The valve in the supply line is shut " * 2])
def test_of_rows_that_one_name_is_for_the_name_is_shown_once(ask, cause):
    rows = [row(n, ("No water", cause, f"Remedy {n}"), top=20.0 * n) for n in (1, 2)]
    (card,) = ask(said(*rows)).answer.cards
    shown = texts(card)
    assert [shown.count(each) for each in ("No water", "Remedy 1", "Remedy 2")] == [1, 1, 1]
    assert shown.count(cause) == 1  # the cause as well, of two remedies


def test_only_the_asked_cell_is_emphasised(ask):
    (card,) = ask(said(TORQUE)).answer.cards
    marked = [each.text() for each in card.findChildren(QLabel) if each.property("role") == "asked"]
    assert marked == ["1.2 Nm"]


def test_long_headings_leave_a_long_cell_the_width_of_the_card(ask):
    cells = ("Supply", "-", "A battery of 12 V with 18 Ah at least. It may draw 1 A at most.")
    citation = row(1, cells, 2)
    headings = ("Number of the communicators connected", "", "Most current of all outputs together")
    citation = replace(citation, form=replace(citation.form, headings=headings))
    (card,) = ask(said(citation)).answer.cards
    value = next(each for each in card.findChildren(QLabel) if each.text() == cells[2])
    assert value.width() > 0.9 * card.crop.width()
    assert not value.font().bold()  # nobody reads three lines of bold


@pytest.mark.parametrize("kind", ["row", "across", "sentence", "step", "fact", "prose", "near"])
def test_nothing_is_wider_than_a_column_of_400_pixels(ask, window, qtbot, kind):
    long = "540,0-20.40_" * 25
    assert len(long) == 300
    axis = ("540", "0", "20", "40", "0", "60", "80", "100", "1200")
    forms = {
        "row": QuotedForm("row", long, SECTION, HEADINGS, (long, "PZ 2", long), 0),
        "across": QuotedForm("row", " ".join(axis), SECTION, (), axis),
        "sentence": QuotedForm("text", f"It says {long}.", (long,)),
        "step": QuotedForm("step", long, (long,)),
        "fact": replace(TORQUE.form, cells=("X2:1", "PZ 2", "1234.5678 Nm/min at 1234 °C")),
    }
    near = [NearestPageEvent(place(), long), CompleteEvent("not_found", 9.0, 2)]
    refused = TokenEvent("Not sure your manuals answer this.")
    cited = CitationEvent(1, place(), long, form=forms.get(kind))
    events = {"prose": said(more=long), "near": [refused, *near]}.get(kind) or said(cited)
    turn = ask(events, f"What is {long}?")
    window.chat.list.setFixedWidth(400)
    qtbot.waitUntil(lambda: window.chat.list.width() == 400)
    QApplication.processEvents()
    assert turn.width() <= window.chat.list.viewport().width() < 400
    for part in turn.findChildren(QWidget):
        if part.isVisibleTo(turn) and not part.isWindow():
            right = part.mapTo(turn, part.rect().topRight()).x()
            assert right < turn.width(), (part, getattr(part, "text", str)()[:40])


def test_of_a_long_cell_only_the_line_that_answers_is_emphasised(ask):
    codes = "303: Off, and nothing else is the matter\n1796: Locked after error\n1797: Ready again"
    citation = row(1, ("30917", "U32", codes.replace("\n", " ")), 2)
    form = replace(citation.form, cells=("30917", "U32", codes), asked_line=1)
    citation = replace(citation, form=form)
    (card,) = ask(said(citation)).answer.cards
    marked = [each.text() for each in card.findChildren(QLabel) if each.property("role") == "asked"]
    assert marked == ["1796: Locked after error"]


def test_items_without_numbers_get_none_and_stand_in_the_order_of_the_answer(ask):
    def item(number, text, top):
        form = QuotedForm("item", text, ("7.4 Discharging",))
        return CitationEvent(number, place(20, top), text, form=form)

    asked, other = item(1, "• F-70L: 32 A", 60.0), item(2, "• F-70H: 14 A", 40.0)
    (card,) = ask(said(asked, other)).answer.cards
    assert texts(card)[1:] == ["F-70L: 32 A", "F-70H: 14 A"]
    signs = [each.sign.text() for each in card.findChildren(ListedStep)]
    assert signs == ["•", "•"]


def test_a_value_that_may_be_wrong_does_not_lead_and_that_is_said_first(ask, qtbot):
    turn = ask(said(TORQUE, chance=0.2))
    (card,) = turn.answer.cards
    assert card.fact is None
    doubt = turn._sureness
    assert doubt.text.text() == "Check the page: this may not be the answer"
    qtbot.waitUntil(lambda: doubt.geometry().bottom() < turn.answer.geometry().top())


def test_the_question_before_that_an_answer_was_read_with_stands_above_it(ask, qtbot):
    *events, done = said(TORQUE)
    sure = replace(events.pop(), read_with="What is error 10?")
    turn = ask([*events, sure, done])
    told = "Read with your previous question: What is error 10?"
    shown = turn._read_with
    assert told in texts(shown)
    qtbot.waitUntil(lambda: 0 < shown.geometry().bottom() < turn.answer.geometry().top())


def test_a_question_that_was_read_with_another_one_can_be_asked_by_itself(
    ask, window, opened, qtbot
):
    *events, done = said(TORQUE)
    sure = replace(events.pop(), read_with="What is error 10?")
    turn = ask([*events, sure, done], "And which screw?")
    assert not opened.by_itself
    qtbot.mouseClick(turn._read_with.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)
    assert (window.chat.turns[-1].question, opened.by_itself) == ("And which screw?", True)
    assert not ask(said(TORQUE))._read_with.isVisible()


def test_what_was_asked_while_a_manual_was_read_is_offered_again_when_it_is_read(
    ask, window, qtbot
):
    scope, read = window.chat.composer.scope, window.chat.composer.scope.manuals
    scope.set_manuals([replace(read[0], state="indexing"), *read[1:]])
    missing = [TokenEvent("There is no sure answer yet."), CompleteEvent("not_found", 1.0, 0)]
    turn = ask(missing)
    scope.set_manuals(scope.manuals)
    assert not turn._read_by_now.isVisible()
    scope.set_manuals(read)
    qtbot.mouseClick(turn._read_by_now.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.chat.turns[-1].running)
    assert window.chat.turns[-1] is not turn
    assert not ask(missing)._read_by_now.isVisible()


@pytest.mark.parametrize("read_now", [1, 2])
def test_it_is_offered_as_soon_as_the_pages_that_it_found_are_read(
    ask, window, opened, qtbot, read_now
):
    window._model.put(replace(opened.library.manuals[1], state="indexing"))
    window.library.changed.emit()
    turn = ask([TokenEvent("There is no sure answer yet."), CompleteEvent("not_found", 1.0, 0)])
    opened.ingestion.hold.clear()  # the rest of it is not read yet
    opened.ingestion.script = [WantedRead(read_now), FileRefused(Path("a.txt"), "no")]
    opened.ingestion.unfinished = True
    with qtbot.waitSignal(window.library.indexing.refused):
        window.library.indexing.wake()
    assert turn._read_by_now.isVisible() == (read_now == 1)
    opened.ingestion.hold.set()


def test_words_that_may_not_be_the_answer_are_no_larger_than_others(ask):
    sizes = []
    for chance in (0.9, 0.2):
        (card,) = ask(said(step(1, "1. Pull plug X9."), chance=chance)).answer.cards
        words = next(each for each in card.findChildren(QLabel) if each.text() == "Pull plug X9.")
        sizes.append(words.font().pointSizeF())
    assert sizes == [scaled_font(each).pointSizeF() for each in (Type.LEAD, Type.BODY)]


def test_that_manuals_are_still_being_read_is_said_before_a_doubtful_answer(ask, qtbot):
    waits = "Still being read: Boiler B7. Ask again when that is done."
    *events, done = said(TORQUE, chance=0.2)
    turn = ask([*events, replace(done, missing=(waits,))])
    shown = next(each for each in turn.findChildren(QLabel) if each.text() == waits)
    qtbot.waitUntil(lambda: 0 < shown.geometry().bottom() < turn.answer.geometry().top())


def test_steps_are_numbered_and_each_opens_its_place(ask, viewer, qtbot):
    turn = ask(said(step(1, "1. Pull plug X9."), step(2, "2. Take the battery out.")))
    (card,) = turn.answer.cards
    shown = texts(card)
    assert shown == ["5.4 Replacing the battery", "Pull plug X9.", "Take the battery out."]
    second = next(
        each for each in turn.findChildren(type(card.crop).__base__) if each.text() == "2"
    )
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    assert viewer().shown[-1][1] == 1


def signs(card):
    return [each.sign.text() for each in card.findChildren(ListedStep)]


def test_steps_whose_numbers_stand_apart_on_the_page_are_numbered_as_the_others(ask):
    said_of_them = ("Have the weight ready.", "Hold CAL.", "3 Unload the pan.", "4 Wait.")
    steps = [step(n, text) for n, text in enumerate(said_of_them, start=1)]
    (card,) = ask(said(*steps)).answer.cards
    assert signs(card) == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    "said_of_them", [("5 Wait.",), ("5 Wait.", "6 Clean it.")], ids=["one step", "two steps"]
)
def test_steps_that_begin_in_the_middle_have_their_bare_numbers(ask, said_of_them):
    steps = [step(n, text) for n, text in enumerate(said_of_them, start=1)]
    (card,) = ask(said(*steps)).answer.cards
    assert signs(card) == [text[0] for text in said_of_them]
    assert texts(card)[1:] == [text[2:] for text in said_of_them]


def test_bare_numbers_go_on_after_what_a_step_lists(ask):
    told = ("1 Press CAL.", "• ADJ appears.", "2 Unload.", "⇨ It waits.", "• 0.00 g", "3 Load.")
    steps = [step(n, text) for n, text in enumerate(told, start=1)]
    (card,) = ask(said(*steps)).answer.cards
    assert signs(card) == ["1", "•", "2", "•", "•", "3"]


def test_an_amount_at_the_start_of_an_item_is_not_taken_for_its_number(ask):
    items = ("• -10 °C at least", "24 V are needed", "a. Pull the plug.")
    steps = [step(n, text) for n, text in enumerate(items, start=1)]
    (card,) = ask(said(*steps)).answer.cards
    assert signs(card) == ["•", "•", "a"]
    assert texts(card)[1:] == ["-10 °C at least", "24 V are needed", "Pull the plug."]


def test_a_single_item_is_shown_without_its_bullet(ask):
    form = QuotedForm("item", "• Every 2 weeks")
    citation = CitationEvent(1, place(), "• Every 2 weeks", form=form)
    (card,) = ask(said(citation)).answer.cards
    assert "Every 2 weeks" in texts(card)


def test_the_picture_of_the_page_opens_it_by_keyboard(ask, viewer, qtbot):
    (card,) = ask(said(TORQUE)).answer.cards
    assert card.crop.accessibleName() == "Picture of page 4-8, Operator"
    card.crop.setFocus()
    qtbot.keyClick(card.crop, Qt.Key.Key_Return)
    assert viewer().shown[-1] == ([TORQUE.source], 0)


def test_what_the_critic_adds_to_a_row_stands_below_its_card():
    pieces = [TextPiece(f"{TORQUE.form.told} [1] But page 2-2 says 2 Nm [2]")]
    quoted, prose = answer_blocks(pieces, {1: TORQUE})
    assert isinstance(quoted, Quoted)
    assert prose == Prose((TextPiece("But page 2-2 says 2 Nm [2]"),))


def test_a_step_and_what_it_lists_stand_in_one_card():
    first, last = step(1, "1. Fit the blade:"), step(3, "2. Close the door.")
    listed = step(2, "• Turn the teeth down.")
    listed = replace(listed, form=replace(listed.form, kind="item"))
    told = (first, listed, last)
    pieces = [TextPiece("\n".join(f"{each.form.told} [{each.number}]" for each in told))]
    (card,) = answer_blocks(pieces, {each.number: each for each in told})
    assert isinstance(card, Quoted)
    assert card.citations == told


def test_a_sub_section_is_one_card_with_the_line_that_announces_its_list_under_its_heading():
    panel = ("Access", "Panel")
    lead = step(1, "To add a code:")
    lead = replace(lead, form=replace(lead.form, kind="text", section=panel))
    listed = step(2, "1. Enter a code.")
    listed = replace(listed, form=replace(listed.form, section=(*panel, "To add a code:")))
    cited = {1: lead, 2: listed}
    lines = "Panel\nTo add a code: [1]\n1. Enter a code. [2]\n"
    (card,) = answer_blocks([TextPiece(lines)], cited)
    assert isinstance(card, Quoted)
    assert card.citations == (lead, listed)
    alone = "Panel\nTo add a code: [1]\n"  # a card of one sentence has no heading of its own
    assert [type(each) for each in answer_blocks([TextPiece(alone)], cited)] == [Prose, Quoted]


def test_a_row_that_is_being_written_is_not_shown_as_a_line():
    pieces = [TextPiece("Terminal: X2:1; Screw")]
    assert answer_blocks(pieces, {1: TORQUE}, running=True) == []
    assert answer_blocks(pieces, {1: TORQUE}) == [Prose(tuple(pieces))]


def test_a_withdrawn_row_stays_a_struck_line():
    pieces = [TextPiece(f"{TORQUE.form.told} [1]", withdrawn=True)]
    assert answer_blocks(pieces, {1: TORQUE}) == [Prose(tuple(pieces))]


def test_pointing_at_a_chip_lights_the_highlight_and_the_other_way_round(ask, window, qtbot):
    (card,) = ask(said(TORQUE)).answer.cards
    chip = card.chips[1]
    with qtbot.waitSignal(window.chat.citation_hovered) as hovered:
        chip.hovered.emit(True)
    assert hovered.args == [1]
    window.centre.highlight_pointed.emit(1)
    assert chip.lit
    window.centre.highlight_pointed.emit(0)
    assert not chip.lit


def test_a_long_question_folds_and_unfolds(ask):
    question = "How tight is X2:1? " + "It was opened for the yearly check. " * 8
    turn = ask(said(TORQUE), question)
    assert turn.head.text.text().endswith("…")
    turn.head.fold_button.click()
    assert turn.head.text.text() == question


def test_no_cell_is_emphasised_where_the_pages_are_to_be_checked(ask):
    (card,) = ask(said(TORQUE, chance=0.2)).answer.cards
    assert not [each for each in card.findChildren(QLabel) if each.property("role") == "asked"]


def test_a_note_that_differs_is_said_above_a_card_that_keeps_its_value(ask):
    events = said(row(1, ("X2:1", "PZ 2", "1.2 Nm"), asked=2))
    confidence = ConfidenceEvent(0.4, "stands in a table", differs=True)
    turn = ask([*events[:-1], confidence, events[-1]])
    (card,) = turn.answer.cards
    assert card.fact is not None
    assert card.fact.text() == unbroken_value("1.2 Nm")
    line = turn.findChild(SurenessLine)
    assert line.text.text() == "A note of your site gives another value than the manual"
    assert line.geometry().bottom() < turn.answer.geometry().top()


def test_nearest_lines_are_read_like_an_answer_with_page_and_picture(ask):
    near = [NearestPageEvent(place(page), f"Snippet {page}.") for page in (3, 5)]
    refused = TokenEvent("Not sure your manuals answer this.")
    turn = ask([refused, *near, CompleteEvent("not_found", 9.0, 2)], "What is it?")
    assert turn._verdict.text() == "Not sure your manuals answer this"
    assert [[text for text in texts(card) if text] for card in turn.nearest.cards] == [
        [turn._title_of(place()), "Snippet 3."],  # a manual is named once
        ["Snippet 5."],
    ]
    checked = ask(said(row(1, ("X2:1", "PZ 2", "1.2 Nm")), chance=0.2)).answer.cards[0]
    shown = turn.nearest.cards[0]
    line = next(each for each in shown.findChildren(QLabel) if each.text() == "Snippet 3.")
    cell = next(each for each in checked.findChildren(QLabel) if each.text() == "1.2 Nm")
    assert line.font().pointSizeF() == cell.font().pointSizeF()
    assert line.property("tone") == cell.property("tone")
    assert (shown.chip.text(), shown.crop.isVisibleTo(shown)) == ("p. 4-3", True)


def test_nearest_pages_in_another_language_are_said_to_be(ask):
    near = NearestPageEvent(place(), "Die Klemmen werden mit dem Schraubendreher angezogen.")
    turn = ask(
        [
            TokenEvent("Not sure your manuals answer this."),
            near,
            CompleteEvent("not_found", 9.0, 2),
        ],
        "What is the torque of the terminals?",
    )
    title = turn._title_of(place())
    assert turn._searched.text().endswith(f"“{title}” is in German: ask in German, too.")


def test_a_german_page_among_english_ones_is_named_with_its_manual(ask):
    german = "Die Klemme K7 wird mit dem Schraubendreher angezogen, danach nachgezogen."
    near = [
        NearestPageEvent(place(3), "The terminals of the mains are tightened with a screwdriver."),
        NearestPageEvent(replace(place(5), document_id=2), german),
        NearestPageEvent(place(6), "Check the terminals of the pump once a year for tightness."),
    ]
    refused = TokenEvent("Not sure your manuals answer this.")
    turn = ask(
        [refused, *near, CompleteEvent("not_found", 9.0, 2)], "What is the torque of terminal K7?"
    )
    assert turn._searched.text().endswith("“Installer” is in German: ask in German, too.")


def test_an_answer_that_helped_is_kept_by_keyboard_as_a_question_with_its_page(
    ask, window, qtbot, tmp_path
):
    from desktop.core.evaluation.gold import QuestionFile

    turn = ask(said(TORQUE))
    for button in (turn._footer.helpful_button, turn._footer.wrong_button):
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    qtbot.keyClick(turn._footer.helpful_button, Qt.Key.Key_Space)
    file = QuestionFile(window._workspace.library.folder.questions)
    qtbot.waitUntil(lambda: [each.kind for each in file.list()] == ["right_answer"])
    (kept,) = file.list()
    assert (kept.question, kept.pages) == ("How long does the test last?", (8,))


def test_chips_and_steps_of_an_answer_are_hit_by_a_glove(ask, qtbot):
    theme().wear(Look(gloves=True))
    try:
        (card,) = ask(said(step(1, "1 Open it."), step(2, "2 Pull it."))).answer.cards
        QApplication.processEvents()
        pressed = [*card.chips.values(), *(each.sign for each in card.findChildren(ListedStep))]
        assert len(pressed) == 3
        assert all(min(each.width(), each.height()) >= Size.GLOVE for each in pressed)
    finally:
        theme().wear(Look())


def test_the_picture_of_a_place_is_dragged_out_with_its_citation(ask, qtbot, dragged):
    turn = ask(said(TORQUE))
    crop, left = turn.answer.cards[0].crop, Qt.MouseButton.LeftButton
    opened = []
    turn.places_wanted.connect(lambda *_: opened.append(1))

    def drag(by):
        at = crop.rect().center()
        qtbot.mousePress(crop, left, pos=at)
        qtbot.mouseMove(crop, at + QPoint(1, 0))
        qtbot.mouseMove(crop, at + by)

    crop._later.stop()
    crop._wish = crop._pixmap = None  # nothing is drawn yet, however slow the machine is
    drag(QPoint(40, 0))
    qtbot.mouseRelease(crop, left)
    assert dragged == []
    picture = QPixmap(300, 60)
    picture.fill(Qt.GlobalColor.red)
    crop._ask()
    crop._take(crop._wish, picture)
    opened.clear()
    drag(QPoint(40, 0))
    ((cited, image, seen),) = dragged
    assert cited == "Operator, p. 4-8"
    assert (image.width(), image.height()) == (300, 60)
    assert image.pixelColor(150, 30).name() == seen.pixelColor(100, 20).name() == "#ff0000"
    assert seen.width() == 240
    assert opened == []
    qtbot.mouseClick(crop, left)
    assert opened == [1]


def test_an_item_with_the_number_of_a_section_has_no_bullet(ask):
    items = ["3.7 Working range: below 45 °C.", "3.8 Frost: drain the water."]
    (card,) = ask(said(*(step(n, text) for n, text in enumerate(items, start=1)))).answer.cards
    assert signs(card) == []
    assert texts(card)[1:] == items


@pytest.mark.parametrize("value", ["- 30 °C", "± 0.5 mm"])
def test_a_number_stays_with_its_sign_and_its_unit(value):
    assert unbroken(f"at {value} and below") == f"at {value.replace(' ', NO_BREAK)} and below"


def test_the_value_of_a_sentence_has_the_headings_that_name_it_below_it(ask):
    section = ("Menu 7.1.7.3", "Shunt waiting time")
    form = QuotedForm("text", "Setting range: 10 to 300 s", section, value="10 to 300 s")
    (card,) = ask(said(CitationEvent(1, place(), form.told, form=form))).answer.cards
    assert texts(card) == ["10 to 300 s", "Menu 7.1.7.3 › Shunt waiting time", form.told]
