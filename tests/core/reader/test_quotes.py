"""A quote is what stands on the page, and its boxes hold exactly its words."""

from dataclasses import replace

from desktop.core.geometry import Box
from desktop.core.library.units import Passage
from desktop.core.page_words import PageWords
from desktop.core.reader.quotes import quotes_of
from tests.fakes.parser import words_of

PAGE = words_of("Open valve V3. Then close\nthe cover. Wait for 5 minutes.")


def passage(kind, first, last, text=""):
    boxes = PAGE.line_boxes(first, last)
    return Passage(1, kind, text, "Service", boxes, (), 1.0)


def test_a_paragraph_is_quoted_sentence_by_sentence():
    quotes = quotes_of(passage("paragraph", 0, 10), PAGE)
    assert [quote.text for quote in quotes] == [
        "Open valve V3.",
        "Then close the cover.",
        "Wait for 5 minutes.",
    ]


def test_a_passage_is_cut_once_whatever_it_scores():
    whole = passage("paragraph", 0, 10)
    assert quotes_of(replace(whole, score=0.25), PAGE) is quotes_of(whole, PAGE)


def test_the_name_of_a_key_or_lamp_is_quoted_with_what_is_said_of_it():
    told = {
        "UP: freeze/unfreeze. Stops the display. Press again.": [
            "UP: freeze/unfreeze. Stops the display.",
            "Press again.",
        ],
        "Power LED: green. Lights when ready.": ["Power LED: green. Lights when ready."],
        "Weight: 5 kg. Keep it upright.": ["Weight: 5 kg.", "Keep it upright."],
        "Red: fault. Green: ready to run.": ["Red: fault.", "Green: ready to run."],
        "Close it. Then wait.": ["Close it.", "Then wait."],
    }
    for text, quoted in told.items():
        page = words_of(text)
        boxes = page.line_boxes(0, len(page.texts) - 1)
        whole = Passage(1, "paragraph", text, "Keys", boxes, (), 1.0)
        assert [quote.text for quote in quotes_of(whole, page)] == quoted


def test_a_sentence_over_two_lines_has_a_box_on_each_with_its_words_alone():
    quote = quotes_of(passage("paragraph", 0, 10), PAGE)[1]
    assert quote.lines == ("Then close", "the cover.")
    first, second = quote.boxes
    assert first == PAGE.hull([3, 4])
    assert second == PAGE.hull([5, 6])


def test_a_row_is_quoted_whole():
    (quote,) = quotes_of(passage("row", 0, 4, "Open | valve V3. Then | close"), PAGE)
    assert quote.text == "Open | valve V3. Then | close"
    assert quote.lines == ("Open valve V3. Then close",)
    assert quote.context == "Service"


def test_words_beside_the_passage_are_not_quoted():
    quotes = quotes_of(passage("paragraph", 0, 2), PAGE)
    assert [quote.text for quote in quotes] == ["Open valve V3."]


def test_nothing_is_quoted_where_no_words_stand():
    nowhere = Passage(1, "paragraph", "Open", "", (Box(500, 500, 520, 520),), (), 1.0)
    assert quotes_of(nowhere, PAGE) == ()


def test_a_list_flattened_into_one_sentence_is_quoted_point_by_point():
    words = words_of("It fails when: 1)The lid is open\n2)The tank is empty")
    boxes = words.line_boxes(0, len(words) - 1)
    quotes = quotes_of(Passage(1, "paragraph", "", "Service", boxes, (), 1.0), words)
    assert [q.text for q in quotes] == [
        "It fails when:",
        "1)The lid is open",
        "2)The tank is empty",
    ]


def test_paragraphs_without_end_marks_are_told_apart_by_the_room_between_them():
    words = words_of(
        "The connector is\nmoved to the left\nside of the board\n"
        "Important note for owners\nof the first board"
    )
    boxes = words.boxes.copy()
    boxes[words.lines >= 3] += (0, 15, 0, 15)
    words = PageWords(words.texts, boxes, words.lines)
    whole = words.line_boxes(0, len(words) - 1)
    quotes = quotes_of(Passage(1, "paragraph", "", "Service", whole, (), 1.0), words)
    assert [quote.text.split()[0] for quote in quotes] == ["The", "Important"]


def test_prose_in_a_frame_is_quoted_sentence_by_sentence_though_it_was_read_as_a_row():
    words = words_of(
        "Please note that a jumper in the other position blocks the pin of the sound output.\n"
        "By default the bus uses pin C12, which can be moved to pin D4 with the jumper."
    )
    boxes = words.line_boxes(0, len(words) - 1)
    quotes = quotes_of(Passage(1, "row", " ".join(words.texts), "Pins", boxes, (), 1.0), words)
    assert [quote.text.split()[0] for quote in quotes] == ["Please", "By"]


def test_a_number_that_stands_twice_is_of_the_cell_it_is_nearest_to():
    words = words_of("2 sheets in all\nPower supply 2\nMemory 4")
    boxes = words.line_boxes(0, len(words) - 1)
    row = Passage(1, "row", "Power supply 2 | 2 sheets in all | Memory 4", "", boxes, (), 1.0)
    (quote,) = quotes_of(row, words)
    assert quote.cells == ((4, 5, 6), (0, 1, 2, 3), (7, 8))
